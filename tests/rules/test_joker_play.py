"""Joker, played at random: invariants, and exactly the legal moves."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest
from tests.rules.columns import check_what_applies
from tests.rules.joker_positions import SHAPES, playouts, states

from winnable.rules import find_variant, joker
from winnable.rules.cards import JOKERS, XB, colour_of, is_joker, make_card, rank_of, suits_of_colour
from winnable.rules.joker import IN_PLACE, TURN, Joker


def naturals_up(state):
    """The score computed independently: face-up naturals, and all foundation places filled."""
    faces = [column[hidden:] for column, hidden in zip(state.columns, state.hidden, strict=True)]
    up = {card for face in faces for card in face if not is_joker(card)}
    return up | {make_card(rank, suit) for suit in range(4) for rank in range(state.foundations[suit])}


def stood_for(state, colour):
    condition = state.jokers[colour]
    if condition.place is not None:
        return {condition.place}
    rank = 0 if condition.is_open_ace else condition.rank
    suits = suits_of_colour(colour, state.deck.suits) if rank is not None else ()
    return {make_card(rank, suit) for suit in suits} - naturals_up(state)


def check_invariants(state):
    located = [*state.stock, *state.waste, *(card for column in state.columns for card in column)]
    face_up_ranks = []
    for column, hidden in zip(state.columns, state.hidden, strict=True):
        face = [
            (colour_of(card), state.jokers[card - XB].rank if is_joker(card) else rank_of(card))
            for card in column[hidden:]
        ]
        assert bool(column) == bool(face)
        assert len(face) <= 1 or None not in [rank for _, rank in face], "I1"
        for (colour, rank), (above, next_rank) in itertools.pairwise(face):
            assert (above, next_rank) == (1 - colour, rank - 1), "I2"
        face_up_ranks += [pair for pair in face if pair[1] is not None]
    is_exposed = state.choices.exchange == "exposed"
    if is_exposed:
        assert all(count <= 2 for count in Counter(face_up_ranks).values()), "I6"
    elsewhere = []
    for colour, condition in enumerate(state.jokers):
        standing = stood_for(state, colour)
        filled = {condition.place} if condition.place is not None else set()
        if is_exposed:
            assert not standing & (set(state.waste[-1:]) | naturals_up(state) - filled), "I3"
        if is_exposed and condition not in (Joker(), Joker(is_out=True)):
            assert standing, "I3: a joker with a rank or a place stands for some card"
        if filled or condition.is_open_ace or condition.is_out:
            elsewhere.append(JOKERS[colour])
    faces = {
        card for column, hidden in zip(state.columns, state.hidden, strict=True) for card in column[hidden:]
    }
    places = {condition.place for condition in state.jokers}
    assert not is_exposed or not places & faces, "I3"
    for suit, height in enumerate(state.foundations):
        elsewhere += [card for rank in range(height) if (card := make_card(rank, suit)) not in places]
    assert sorted(located + elsewhere) == sorted(state.deck.cards()), "I4"
    assert joker.from_board(state.variant, joker.to_board(state), state.choices) == state


@pytest.mark.quick("two suits", "two suits, exposed")
@pytest.mark.parametrize("shape", SHAPES)
def test_invariants_hold_along_random_play(shape):
    for line in playouts(shape):
        for state, _, _ in line:
            check_invariants(state)
        scores = [joker.score(state) for state, _, _ in line]
        assert scores == sorted(scores), "I5"


@pytest.mark.full
def test_random_play_reaches_every_condition_of_a_joker():
    reached = [state for shape in SHAPES for state, _ in states(shape)]
    conditions = {condition for state in reached for condition in state.jokers}
    assert {Joker(), Joker(is_open_ace=True), Joker(is_out=True)} <= conditions
    assert any(condition.rank is not None for condition in conditions)
    assert any(condition.place is not None and rank_of(condition.place) > 0 for condition in conditions)
    assert any(joker.is_won(state) for state in reached)


@pytest.mark.full
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_random_play_meets_every_exchange(exchange):
    """Exchanges of a joker in a column, on a foundation and as an open ace, by a card of a column and of the
    waste."""
    met = set()
    for shape in SHAPES:
        if exchange != playouts(shape)[0][0][0].choices.exchange:
            continue
        for line in playouts(shape):
            for (state, _, move), (after, _, _) in itertools.pairwise(line):
                for condition, freed in zip(state.jokers, after.jokers, strict=True):
                    if condition not in (Joker(), freed) and freed == Joker():
                        field = "open" if condition.is_open_ace else "place"
                        field = field if condition.rank is None else "rank"
                        is_waste = move == TURN or is_joker((after.waste or (0,))[-1])
                        met.add((field, "waste" if is_waste else "column"))
                if move.target == IN_PLACE and state.jokers == after.jokers:
                    met.add("declared and exchanged at once")
    assert met >= set(itertools.product(("rank", "open", "place"), ("waste", "column")))
    assert ("declared and exchanged at once" in met) == (exchange == "exposed")


FULL = ("joker", "joker, exposed")
"""Shapes of full decks."""


@pytest.mark.quick("one suit", "ranks 4")
@pytest.mark.parametrize("shape", [name for name in SHAPES if name not in FULL])
def test_apply_raises_exactly_for_illegal_moves(shape):
    for state, _ in states(shape, step=149):
        check_what_applies(state)


@pytest.mark.parametrize("source", [joker.FOUNDATION, joker.OUT, joker.IN_PLACE, 7])
def test_nothing_is_taken_from_places_that_are_no_source(source):
    state = find_variant("joker").deal(1)
    for target in (*range(7), joker.FOUNDATION):
        assert joker.refusal(state, joker.Move(source, target)) == "there are fewer face-up cards"


def test_canonical_tells_face_down_cards():
    state = find_variant("joker").deal(1)
    assert joker.canonical(replace(state, hidden=(0,) * 7)) != joker.canonical(state)
