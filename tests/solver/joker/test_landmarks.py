"""Fewest moves of one-pass Klondike: equal to brute force on short decks, and no bound is greater."""

import random

import pytest
from tests.deals import sizes, state_of, wander
from tests.native import load

from winnable.rules import find_variant
from winnable.solver import verify

brute = load("joker_brute")
search = load("joker_one_pass_checks")

MOST_STATES = 3000
GAME = find_variant("klondike-one-pass")

# Ranks, suits and column sizes. Kings come to emptied columns in those with few columns and high ranks, the
# larger stocks have cards that go up straight from the waste.
SHAPES = [
    (4, "CH", (1, 2)), (5, "CD", (1, 2, 2)), (4, "CDH", (1, 2, 1)), (3, "CDHS", (1, 2, 3)),
    (4, "CDHS", (1, 2, 3)), (5, "CH", (1, 2, 3)), (6, "CD", (1, 2, 3)), (4, "CDHS", (1, 2, 3, 4)),
    (5, "CDH", (2, 3, 4)), (4, "CDS", (1, 3, 3)), (7, "HS", (2, 3, 4)), (5, "CDHS", (1, 2, 3, 4, 5)),
    (6, "CDH", (3, 5, 6)), (8, "HS", (4, 4, 4)), (5, "CDHS", (6, 6, 6)), (13, "C", (4, 5)),
    (2, "CDHS", (3, 2)), (1, "CDHS", (2, 1)),
]  # fmt: skip


def positions(choice):
    """Random short decks, most of them after random moves."""
    while True:
        state = GAME.deal(choice.getrandbits(60), *choice.choice(SHAPES))
        yield wander(state, choice.choice([0, 0, choice.randrange(21)]), choice.random())


def with_fewest_moves(count, seed):
    """``count`` positions, each with the fewest moves to every reachable score."""
    for state in positions(random.Random(seed)):
        fewest, _ = brute.fewest_moves(state, MOST_STATES)
        if fewest is not None:
            yield state, fewest
            count -= 1
        if count == 0:
            return


@sizes(50, full=1000, slow=20_000)
def test_lines_are_as_short_as_those_of_brute_force(deals):
    compared = 0
    for state, fewest in with_fewest_moves(deals, deals):
        for goal, moves in enumerate(fewest):
            least, line = search.fewest_moves(state, goal)
            assert least == moves == len(line), (state, goal)
            assert GAME.score(verify.replay(GAME, state, line)) >= goal, (state, goal)
            compared += 1
        if len(fewest) <= state.deck.places:
            assert search.fewest_moves(state, len(fewest)) == (None, []), state
    assert compared > 5 * deals - 50


@sizes(full=2000, slow=500_000)
def test_bounds_hold_wherever_a_game_leads(deals):
    met = 0
    for state, fewest in with_fewest_moves(deals, deals):
        for goal, moves in enumerate(fewest):
            least, _ = search.landmarks_of(state, goal)
            assert least is not None, (state, goal)
            assert least <= moves, (state, goal)
            met += least == moves
    assert met > 4 * deals


def test_no_two_landmarks_have_a_card_in_common():
    for state, fewest in with_fewest_moves(100, 5):
        _, landmarks = search.landmarks_of(state, len(fewest) - 1)
        assert len(set().union(*landmarks)) == sum(map(len, landmarks))
        assert all(landmarks)


POSITIONS = [
    # A card above a lower one of its suit needs a move of its own, if there is a place for it.
    ({"ranks": 3, "suits": "CD", "columns": ["<AC> 2C", "3D"], "stock": "AD 2D 3C"}, 10),
    ({"ranks": 3, "suits": "CD", "columns": ["3C 2D", "<AD> 3D"], "waste": "AC 2C"}, None),
    # A card of the top rank that goes up empties its column for another one.
    ({"ranks": 2, "suits": "CD", "columns": ["2C", "<AD> 2D"], "foundations": {"C": "A", "D": "0"}}, 4),
    # AC does not go up from the waste as soon as it could: see counterexamples.jsonl.
    ({"ranks": 4, "suits": "CH", "columns": ["2H", "<2C> 3C"], "stock": "AH 3H AC 4C 4H"}, 15),
]


@pytest.mark.parametrize(("row", "fewest"), POSITIONS)
def test_bounds_of_single_positions(row, fewest):
    state = state_of(GAME.name, **{"foundations": dict.fromkeys(row["suits"], "0")} | row)
    scores, _ = brute.fewest_moves(state, MOST_STATES)
    assert fewest == (scores[-1] if len(scores) > state.deck.places else None)
    assert search.fewest_moves(state, state.deck.places)[0] == fewest
    assert search.landmarks_of(state, state.deck.places)[0] == fewest


def test_all_landmarks_that_are_kept_hold():
    """A set that is not a landmark would raise the bound too far, which few deals reveal by their fewest
    moves."""
    found = 0
    for seed in range(1, 41):
        state = GAME.deal(seed)
        count = search.keeps_landmarks(state, state.deck.places, 150)
        assert count >= 0, seed
        found += count
    assert found > 200000
