"""The contract of every variant, on full and on short decks."""

import functools
import random
import re
from dataclasses import FrozenInstanceError, replace
from itertools import permutations
from pathlib import Path

import pytest
from tests.compiled import SEARCHED
from tests.rules import columns
from tests.rules.columns import check_what_applies

from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import SUITS, is_joker, suit_of
from winnable.rules.formats import read_deal
from winnable.rules.formats.text import format_board

DECKS = [
    (13, "CDHS"), (9, "CDHS"), (6, "CDHS"), (5, "CDHS"), (4, "CDHS"), (4, "CH"), (3, "CD"), (2, "HS"),
    (1, "CDHS"), (1, "C"),
]  # fmt: skip
HEADINGS = ["Deck", "Layout", "Foundations", "Columns", "Moves", "End"]

every_variant = pytest.mark.parametrize("name", VARIANTS)
most_are_full = pytest.mark.quick("chessboard", "simple-simon", "joker", "klondike")


@functools.cache
def playouts(name, ranks, suits):
    """The distinct states of random lines of play."""
    return list(dict.fromkeys(columns.playouts(name, ranks, suits, length=29)))


def positions(name):
    """The states of `playouts` with all decks."""
    return [state for deck in DECKS for state in playouts(name, *deck)]


@pytest.mark.quick("joker", "klondike")
@every_variant
def test_there_is_enough_play_to_compare(name):
    family = find_variant(name).family
    states = [playouts(name, *deck) for deck in DECKS]
    assert sum(len(some) >= 30 for some in states) >= 5
    assert len(states[0]) >= 30
    moves = [sum(len(family.legal_moves(state)) for state in some) for some in states]
    assert moves[0] > 80
    assert sum(moves) > 500


def with_columns_in_order(state, order):
    """``state`` with its columns, and everything it stores by column, in another order."""
    fields = [field for field in ("columns", "hidden") if hasattr(state, field)]
    return replace(state, **{field: tuple(getattr(state, field)[i] for i in order) for field in fields})


@most_are_full
@every_variant
def test_legal_moves_are_distinct_and_apply(name):
    family = find_variant(name).family
    for state in positions(name)[::4]:
        moves = family.legal_moves(state)
        assert len(set(moves)) == len(moves)
        before = hash(state)
        after = [family.apply(state, move) for move in moves]
        assert state not in after
        assert hash(state) == before
        assert family.legal_moves(state) == moves


@most_are_full
@every_variant
def test_apply_raises_exactly_for_moves_that_are_not_legal(name):
    for state in positions(name)[:: 150 if find_variant(name).jokers else 40]:
        check_what_applies(state)


@every_variant
def test_states_and_moves_are_immutable(name):
    variant = find_variant(name)
    state = next(state for state in playouts(name, 13, "CDHS") if variant.family.legal_moves(state))
    with pytest.raises(FrozenInstanceError):
        state.columns = ()
    with pytest.raises(FrozenInstanceError):
        variant.family.legal_moves(state)[0].source = 0


@most_are_full
@every_variant
def test_a_move_is_read_and_printed_as_it_is_written_with_its_card_or_without(name):
    family = find_variant(name).family
    for state in positions(name)[::4]:
        moves = family.legal_moves(state)
        texts = [family.format_move(state, move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert [family.parse_move(state, text) for text in texts] == moves
        for move, text in zip(moves, texts, strict=True):
            bare = replace(move, card=None)
            assert bare == move
            assert hash(bare) == hash(move)
            assert repr(move) == f"<move {text}>"
            assert str(move) == str(family.parse_move(state, text)) == text
            assert text.split()[1] == str(bare)
            assert str(family.with_card(state, bare)) == text == family.format_move(state, bare)
            assert family.apply(state, bare) == family.apply(state, move)


@every_variant
def test_a_move_that_cannot_be_prints_too(name):
    move = find_variant(name).family.legal_moves(find_variant(name).deal(0))[0]
    assert str(replace(move, source=40, target=-40, card=None)).startswith("41-")
    if name == "joker":
        assert str(replace(move, source=2, rank=40, card=None)) == "3="
        assert str(replace(move, source=2, target=-3, suit=9, card=None)) == "3-f"


BAD_MOVES = [
    "", " ", "7", "7S", "7S 1", "7S 1-", "7S -1", "1-2", "7S 1-2-3", "7S 1-2 x", "7S 1-2\n", "¹S ¹-²",
    "7S 1 2", "7S 1-2 ", "7S  1-2", "7S 1-2 3", "7S 1--1", "7S 001-2", "7S 1-F", "7S f1",
]  # fmt: skip


@every_variant
def test_a_text_that_is_no_move_is_refused_in_one_line(name):
    variant = find_variant(name)
    for text in BAD_MOVES:
        with pytest.raises(ValueError, match=r"cannot read the move '.*'; write it like ") as error:
            variant.family.parse_move(variant.deal(0), text)
        assert len(str(error.value).splitlines()) == 1, text


@most_are_full
@every_variant
def test_the_order_of_columns_does_not_matter(name):
    family = find_variant(name).family
    choice = random.Random(0)
    for state in positions(name)[::5]:
        order = choice.sample(range(len(state.columns)), len(state.columns))
        other = with_columns_in_order(state, order)
        assert hash(family.canonical(other)) == hash(family.canonical(state))
        assert family.canonical(other) == family.canonical(state)
        assert family.is_won(other) == family.is_won(state)
        assert successors(family, other) == successors(family, state)


def successors(family, state):
    return {family.canonical(family.apply(state, move)) for move in family.legal_moves(state)}


@most_are_full
@every_variant
def test_a_board_is_read_as_it_is_written_and_printed(name):
    variant = find_variant(name)
    for state in positions(name):
        assert variant.family.from_board(name, variant.family.to_board(state)) == state
    for state in positions(name)[::5]:
        text = str(state)
        assert text + "\n" == format_board(variant, state, state.seed)
        read = read_deal(variant, text.encode(), "text").state
        assert (read, read.seed) == (state, state.seed)


@every_variant
def test_a_board_shows_every_card_of_a_deal(name):
    variant = find_variant(name)
    board = variant.family.to_board(variant.deal(11))
    assert board.deck == variant.deck()
    assert sorted(card for _, card in board.located_cards()) == sorted(variant.deck().cards())
    assert board.foundations is None


@every_variant
def test_the_rules_in_prose_have_their_headings(name):
    text = find_variant(name).description
    found = re.findall(r"^([A-Z]\w*)$", text, re.MULTILINE)
    assert [heading for heading in found if heading in HEADINGS] == HEADINGS
    assert re.match(r"[A-Z].*\.\n\n", text)


OTHERS = {
    "chessboard": "Fortress|base rank is the ace", "fortress": "Chessboard|neighbours|any top card may go up",
    "simon-jester": "Simple|Triangular|ten columns|13 13|One deck",
    "simon-jester-triangular": "Simple|Ten columns|even|One deck", "simple-simon": "Jester|ourteen|two|Two",
    "joker": "other 24",
    "klondike-one-pass": "[Jj]oker|XB|Vegas|may come back|next three|unlimited|turned over|agree|fD-3",
    "klondike": "draw 1|Vegas|next card of the stock onto|three passes",
    "klondike-draw-one": "draw 3|Vegas|next three|three passes",
    "klondike-vegas": "draw 1|next card of the stock onto|unlimited",
    "klondike-vegas-one": "next three|unlimited|When the stock is empty",
}  # fmt: skip
"""Words that the rules in prose of a game leave out, since they are of another."""


@every_variant
def test_the_rules_in_prose_are_of_one_game(name):
    variant = find_variant(name)
    others = OTHERS.get(name, "(?!)")
    assert not re.search(others, variant.summary.removeprefix("Klondike, ") + variant.description)
    assert not re.search(r"^\s+[a-z, -]+:$", variant.description, re.MULTILINE)
    for choice in variant.choices:
        assert choice.replace("_", " ") in variant.description.partition("\nChoices\n")[2]


OFFERED = {
    "scoring": ("score", "tier_of"),
    "choosing": ("choices_of", "Choices"),
    "building": ("LEAVES_IN_RUNS", "goes_on", "moves_together", "loose_cards", "possible_bases"),
    "hiding": ("impossibility", "lifted"),
}


@every_variant
@pytest.mark.parametrize("offer", OFFERED)
def test_a_family_offers_all_of_a_protocol_or_nothing(name, offer):
    variant = find_variant(name)
    has = {hasattr(variant.family, member) for member in OFFERED[offer]}
    assert len(has) == 1
    offers = has == {True} and (offer != "scoring" or variant.scored)
    assert offers == (getattr(variant, offer) is not None)


@most_are_full
@every_variant
def test_a_move_is_found_by_its_places(name):
    """A joker that goes up or is declared needs its suit or rank beside them."""
    family = find_variant(name).family
    for state in positions(name)[::4]:
        for move in family.legal_moves(state):
            source, target = move.places
            if not is_joker(move.card) or (target != source and target[0] != "f"):
                named = target + SUITS[suit_of(move.card)] if target == "f" else target
                assert family.move_between(state, source, named, getattr(move, "count", 1)) == move


@pytest.mark.quick("chessboard", "simple-simon", "klondike")
@pytest.mark.parametrize("name", [name for name in VARIANTS if find_variant(name).building])
def test_two_cards_alone_decide_whether_one_goes_on_the_other(name):
    family = find_variant(name).family
    for state in positions(name)[::4]:
        legal = {move.places for move in family.legal_moves(state) if getattr(move, "count", 1) == 1}
        for (source, cards), (target, others) in permutations(enumerate(state.columns, 1), 2):
            if cards:
                goes = family.goes_on(state, cards[-1], others[-1] if others else None)
                assert goes == ((str(source), str(target)) in legal)


@most_are_full
@every_variant
def test_a_safe_move_is_legal(name):
    family = find_variant(name).family
    moves = [(state, family.safe_move(state)) for state in positions(name)[::4]]
    found = [(state, move) for state, move in moves if move is not None]
    assert all(move in family.legal_moves(state) for state, move in found)
    assert bool(found) == (not name.startswith("sim"))


@most_are_full
@every_variant
def test_foundations_hold_the_cards_that_no_other_place_does(name):
    family = find_variant(name).family
    for state in positions(name)[::5]:
        tops = dict(family.marked_board(state).foundations or {})
        for cards in filter(None, family.foundations_of(state)):
            top = family.foundation_top(name, cards)
            assert top is None or tops[SUITS[suit_of(cards[0])]] == top
        up = [card for cards in family.foundations_of(state) for card in cards]
        if find_variant(name).jokers:  # jokers fill places of other cards
            assert len(up) <= state.deck.places
            continue
        held = [card for _, card in family.marked_board(state).located_cards()]
        assert sorted(up + held) == sorted(state.deck.cards())


@every_variant
def test_every_place_of_a_picture_is_whole(name):
    family = find_variant(name).family
    for state in playouts(name, 13, "CDHS"):
        places = family.piles(state)
        assert all({"kind", "name", "cards", "note"} == set(place) for place in places)
        assert len({(place["kind"], place["name"]) for place in places}) == len(places)
        assert all(isinstance(note, str) for note in family.notes(state, False) + family.notes(state, True))


def test_variants_are_scored_where_a_deal_is_more_than_won_or_lost():
    scored = {name for name, variant in VARIANTS.items() if (variant.scoring is not None)}
    assert scored == {"joker", "klondike-one-pass"}
    for name in scored:
        variant = find_variant(name)
        state = variant.deal(0)
        assert variant.family.score(state) == 0
        assert variant.scoring.tier_of(0, state.deck.places) == "none"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Simon Jester", "simon-jester"), ("Simon Jester, even columns", "simon-jester"),
        ("Klondike, draw 1", "klondike-draw-one"), ("KLONDIKE DRAW ONE", "klondike-draw-one"),
        ("Simple Simon", "simple-simon"), ("simple_simon", "simple-simon"), ("Joker Solitaire", "joker"),
        ("joker solitaire", "joker"), (" Fortress ", "fortress"),
    ],
)  # fmt: skip
def test_a_game_is_found_as_pages_write_it(written, name):
    assert find_variant(written).name == name


def test_titles_are_names_of_one_game_each():
    assert {find_variant(variant.title).name for variant in VARIANTS.values()} == set(VARIANTS)
    joker = find_variant("joker")
    assert joker.title_with({"exchange": "turned"}) == joker.title
    assert find_variant("klondike").title_with({"draw": "1"}) == "Klondike"


def test_the_page_of_results_has_the_titles():
    table = (Path(__file__).parents[2] / "benchmarks" / "RESULTS.md").read_text().split("## Rates")[1]
    table = table.partition("\n\nHalf")[0]
    titles = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")][2:]
    published = [variant.title for name, variant in VARIANTS.items() if name in SEARCHED]
    assert [title for title in dict.fromkeys(titles) if title in published] == published


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("chesboard", "did you mean chessboard?"), ("fortresses", "did you mean fortress?"),
        ("SIMPLE SIMONE", "did you mean simple-simon"), ("jester", "simon-jester or simon-"),
        ("klondyke", "did you mean klondike?"), ("", "expected chessboard, "),
        ("Forty Thieves", "expected chessboard, "),
        ("freecell" * 100, "expected chessboard, "), ("x\ny", "expected chessboard, "),
    ],
)  # fmt: skip
def test_an_unknown_variant_is_refused_with_a_hint(name, hint):
    with pytest.raises(ValueError, match=r"^game .*no such game; ") as error:
        find_variant(name)
    assert hint in str(error.value)
    assert len(str(error.value)) < 100 + sum(len(game) + 2 for game in VARIANTS)
    assert len(str(error.value).splitlines()) == 1
