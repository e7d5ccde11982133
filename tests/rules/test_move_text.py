"""Moves and their effects in words, and positions as pictures."""

import pytest
from tests.deals import states_of_play

from winnable.rules import VARIANTS, Choices, find_variant, joker
from winnable.rules.cards import format_card, is_joker
from winnable.rules.formats import read_deal
from winnable.rules.layout import picture
from winnable.rules.move_text import effects, sentence


def board(name, text):
    return read_deal(find_variant(name), text.encode(), "text").state


def told(name, text, move):
    """The words for a move from a board."""
    variant, state = find_variant(name), board(name, text)
    parsed = variant.family.parse_move(state, move)
    return sentence(variant, state, parsed), effects(variant, state, parsed)


def test_chessboard_moves_and_the_base_rank():
    text = "Ranks: 3\nSuits: CD\n2C AC\n3C AD\n3D\n2D\n"
    assert told("chessboard", text, "2D 4-f") == (
        "2D from column 4 to its foundation",
        ["the foundations begin at 2"],
    )
    assert told("chessboard", text, "3D 3-4") == ("3D from column 3 to column 4", [])
    assert told("chessboard", text + ":\n", "3D 3-5") == ("3D from column 3 to empty column 5", [])


def test_runs_that_leave():
    text = "Ranks: 3\nSuits: CD\n3C\n2C AC\n3D\nAD\n2D\n"
    assert told("simple-simon", text, "2C 2-1") == (
        "2C-AC from column 2 to column 1",
        ["king to ace of clubs leave"],
    )
    assert told("simple-simon", text, "2D 5-3") == ("2D from column 5 to column 3", [])


def test_cards_that_leave_are_not_counted_as_moved():
    text = "Ranks: 3\nSuits: CD\n3C 2C AC 2D\n3D\nAD\n"
    state = board("simple-simon", text)
    assert state.apply("2D 1-2").columns[0] == ()
    keys = state.describe("2D 1-2")
    assert (keys["count"], keys["from"], keys["to"]) == (1, "1", "2")


def exchanges(state, move):
    """The exchanges of a move in words, computed from the cards that are not where the move alone would put
    them."""
    plain = joker._moved(state, move, joker.lifted(state, move))
    after = joker.apply(state, move)
    pairs = list(zip((*plain.columns, plain.waste), (*after.columns, after.waste), strict=True))
    spots = [(old, new) for before, now in pairs for old, new in zip(before, now, strict=True) if old != new]
    return sorted(
        f"{format_card(old)} and {format_card(new)} change places" for old, new in spots if is_joker(new)
    )


@pytest.mark.quick("choices1")
@pytest.mark.parametrize("choices", [Choices(), Choices("exposed", "exposed")])
def test_every_exchange_is_told_and_no_other(choices):
    variant, seen = find_variant("joker"), 0
    for seed in range(15):
        for state in states_of_play(variant.deal(seed, 5, "CDHS", choices=choices), 60, seed):
            for move in variant.family.legal_moves(state):
                swaps = [text for text in effects(variant, state, move) if text.endswith("change places")]
                assert sorted(swaps) == exchanges(state, move)
                seen += len(swaps)
    assert seen > 20


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_is_told_and_every_card_is_in_the_picture(name):
    variant = find_variant(name)
    for seed in range(5):
        for state in states_of_play(variant.deal(seed, 6), 40, seed):
            cards = sorted(map(format_card, state.deck.cards()))
            shown = picture(variant, state)
            tokens = " ".join([*shown["columns"], *(pile["cards"] for pile in shown["piles"])]).split()
            assert sorted(token.strip("<>").partition("=")[0] for token in tokens) == cards
            assert (shown["score"] is None) == (variant.scoring is None)
            assert len(shown["jokers"]) == (2 if variant.jokers else 0)
            texts = [sentence(variant, state, move) for move in variant.family.legal_moves(state)]
            assert len(set(texts)) == len(texts)


def test_jokers_are_told_with_what_they_stand_for():
    text = "Ranks: 3\nSuits: CD\nExchange: turned\n3D XB=2\n<2D> XR\nStock: 3C AD AC\nWaste: 2C\n"
    with pytest.raises(ValueError, match="would have changed places"):
        board("joker", text.replace("turned", "exposed"))
    assert picture(find_variant("joker"), board("joker", text))["jokers"][0] == "XB: declared as 2, 2C"
    state = board("joker", text.replace("3C AD AC", "2C 3C AD AC").replace("Waste: 2C\n", ""))
    assert picture(find_variant("joker"), state)["jokers"] == [
        "XB: declared as 2, 2C",
        "XR: undeclared in column 2",
    ]
    assert told("joker", text.replace("3C AD AC", "2C 3C AD AC").replace("Waste: 2C\n", ""), "2C s-w") == (
        "2C turned from the stock",
        ["2C and XB change places"],
    )
    text = "Ranks: 3\nSuits: CD\nExchange: turned\n3C XR\n<2D> 3D\nStock: AD AC 2C XB\n"
    with pytest.raises(ValueError, match="must lie alone"):
        board("joker", text)
    text = "Ranks: 3\nSuits: CD\nExchange: turned\nXR\n<2D> 3D\n3C\nStock: AD AC 2C XB\n"
    assert told("joker", text, "XR 1-3") == ("XR from column 1 to column 3 as 2", [])
    assert told("joker", text, "XR 1-f") == ("XR from column 1 to the foundations as an open ace", [])
    assert told("joker", text, "XR 1=A") == ("XR in column 1 declared as A", [])
    assert told("joker", text, "XR 1-x") == ("XR from column 1 out of play", [])
    assert picture(find_variant("joker"), board("joker", text))["jokers"] == [
        "XB: in the stock, 4 to turn",
        "XR: undeclared in column 1",
    ]
    assert picture(find_variant("joker"), board("joker", text), as_seen=True)["jokers"] == [
        "XB: not seen yet",
        "XR: undeclared in column 1",
    ]
