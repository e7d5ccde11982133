"""Cards and decks: how they are written, read and ordered."""

import pytest

from winnable.rules.cards import (
    BLACK,
    JOKERS,
    RANKS,
    RED,
    SUITS,
    XB,
    XR,
    Deck,
    colour_of,
    format_card,
    is_joker,
    make_card,
    parse_card,
    rank_of,
    shown,
    suit_of,
    suits_of_colour,
)

NAMES = [rank + suit for rank in RANKS for suit in SUITS] + ["XB", "XR"]


def test_cards_count_by_rank_then_suit_and_jokers_come_last():
    assert [format_card(card) for card in range(54)] == NAMES
    assert (XB, XR) == JOKERS == (52, 53)


def test_a_card_is_read_as_it_is_written():
    for name in NAMES:
        assert format_card(parse_card(name)) == name
        assert parse_card(name.lower()) == parse_card(name)
        if name[0] != "X":
            assert parse_card(name[::-1]) == parse_card(name)
        if name[0] == "T":
            assert parse_card("10" + name[1]) == parse_card("10" + name[1].lower()) == parse_card(name)


BAD_CARDS = ["", "7", "H", "14H", "0H", "01H", "100H", " 7H", "??", "X", "XX", "7X", "77", "10", "7H ", "77H"]
BAD_CARDS += ["7\u2665", "7\n"]


@pytest.mark.parametrize("text", BAD_CARDS)
def test_what_is_no_card_is_named_in_one_line(text):
    with pytest.raises(ValueError, match=r" is not a card; write cards like 8D$") as error:
        parse_card(text)
    assert str(error.value).startswith(f"{text!r} is not")
    assert len(str(error.value).splitlines()) == 1


def test_a_joker_needs_its_colour():
    with pytest.raises(ValueError, match=r"^'Joker' is not a card: which one\? XB is black, XR is red$"):
        parse_card("Joker")


def test_a_long_token_is_cut_in_the_message():
    with pytest.raises(ValueError, match=r"is not a card; write cards like 8D") as error:
        parse_card("7" * 1000)
    assert len(str(error.value)) < 110
    assert shown("a\nb") == r"'a\nb'"


def test_ranks_suits_and_colours_of_cards():
    queen = parse_card("QD")
    assert (rank_of(queen), suit_of(queen), make_card(11, 1)) == (11, 1, queen)
    colours = {name: colour_of(parse_card(name)) for name in ("7C", "7D", "7H", "7S", "XB", "XR")}
    assert list(colours.values()) == [BLACK, RED, RED, BLACK, BLACK, RED]
    assert [card for card in range(54) if is_joker(card)] == [XB, XR]
    assert suits_of_colour(BLACK) == (0, 3)
    assert suits_of_colour(RED, "CD") == (1,)


DECK_ORDERS = {
    Deck(2, "DS"): "AD 2D AS 2S", Deck(1): "AC AD AH AS", Deck(2, "C", copies=2): "AC 2C AC 2C",
    Deck(1, "H", jokers=True): "AH XB XR", Deck(1, "C", copies=2, jokers=True): "AC AC XB XR",
}  # fmt: skip


@pytest.mark.parametrize("deck", DECK_ORDERS, ids=str)
def test_a_deck_is_ordered_by_suit_then_rank_then_copy(deck):
    assert " ".join(map(format_card, deck.cards())) == DECK_ORDERS[deck]


def test_the_full_deck_has_all_cards_and_a_short_deck_has_not():
    assert sorted(Deck().cards()) == list(range(52))
    assert sorted(Deck(jokers=True).cards()) == list(range(54))
    assert Deck().is_full
    assert not Deck(12).is_full
    assert not Deck(suits="CDH").is_full
    assert (Deck().places, Deck(copies=2).places, Deck(3, "CD", jokers=True).places) == (52, 52, 6)


@pytest.mark.parametrize("ranks", [0, -1, 14, True, 2.0, "13", None])
def test_a_deck_has_1_to_13_ranks(ranks):
    with pytest.raises(ValueError, match=r"^ranks .*from 1 to 13"):
        Deck(ranks)


@pytest.mark.parametrize("suits", ["", "DC", "CC", "X", "c", "CDHSX"])
def test_a_deck_has_some_suits_in_order(suits):
    with pytest.raises(ValueError, match=r"^suits .*in that order"):
        Deck(suits=suits)


@pytest.mark.parametrize("copies", [0, -1, True, 1.0])
def test_a_deck_has_at_least_one_copy(copies):
    with pytest.raises(ValueError, match=r"^copies .*from 1"):
        Deck(copies=copies)
