"""Lower bounds that prune the searches for shortest lines, compared with the fewest moves by brute force.

The decks are short, in many shapes, some after a few random moves. Each comparison is of one winnable deck.
"""

import random

import pytest
from tests.deals import sizes, wander
from tests.native import load
from tests.positions import CHOICES

from winnable.rules import find_variant
from winnable.solver import Limits

chessboard_brute, chessboard_walker = load("chessboard_brute"), load("chessboard_walker")
simon_brute, simon_searches = load("simon_brute"), load("simon_searches")
joker_brute, joker_position = load("joker_brute"), load("joker_position")

MOST_STATES = 4000

# Ranks, suits and column sizes, the larger ones of a chessboard than of a Simon game.
CHESSBOARD_SHAPES = [
    (2, "CDHS", (3, 3, 2)), (3, "CD", (3, 3)), (3, "CDH", (3, 3, 3)), (4, "CD", (4, 4)),
    (4, "CD", (3, 3, 2)), (4, "CDH", (3, 3, 3, 3)), (5, "C", (5,)), (5, "CD", (4, 3, 3)),
    (5, "CD", (5, 5, 0)), (6, "CD", (4, 4, 4)), (7, "C", (3, 4)), (8, "C", (3, 3, 2)), (13, "C", (5, 4, 4)),
]  # fmt: skip
ONE_DECK_SHAPES = [
    (3, "CD", (2, 2, 2)), (3, "CDH", (3, 3, 3)), (4, "CD", (3, 3, 2)), (4, "CD", (4, 4, 0)),
    (3, "CDHS", (4, 4, 3, 1)), (4, "CDH", (3, 3, 3, 3)), (5, "CD", (5, 3, 2)), (5, "CD", (4, 3, 2, 1)),
    (6, "CD", (4, 4, 4)), (7, "C", (3, 2, 2)), (10, "C", (4, 3, 3)),
]  # fmt: skip
TWO_DECK_SHAPES = [
    (2, "CD", (3, 3, 2)), (3, "C", (2, 2, 2)), (3, "CD", (4, 3, 3, 2)), (2, "CDH", (4, 4, 4)),
    (4, "C", (3, 3, 2)), (4, "C", (5, 3, 0)), (5, "C", (4, 3, 3)), (6, "C", (4, 4, 2, 2)),
]  # fmt: skip
JOKER_SHAPES = [
    (2, "CDHS", (1, 2)), (3, "CH", (2, 1)), (3, "CDH", (2, 2, 1)), (4, "CD", (3, 2)), (4, "H", (1, 2)),
    (4, "CDH", (1, 2, 3)), (5, "CS", (3, 1)), (6, "S", (1, 2)), (7, "D", (3, 2, 1)),
]  # fmt: skip


def short_deck(game, shapes, choice, choices=None):
    """A short deck, in half of the cases after up to seven random moves."""
    state = game.deal(choice.getrandbits(60), *choice.choice(shapes), choices=choices)
    return wander(state, choice.choice([0, 0, 0, 0, 1, 2, 4, 7]), choice.random())


def compare(count, seed, game, shapes, explore, bounds):
    """Compare ``count`` winnable decks with brute force; return in how many the best of the ``bounds`` equals
    the fewest moves."""
    choice = random.Random(seed)
    compared = tight = 0
    while compared < count:
        state = short_deck(game, shapes, choice)
        fewest, _ = explore(state, MOST_STATES)
        if fewest is None:
            continue
        least = bounds(state)
        if fewest >= 0:
            assert max(least) <= fewest, state
            compared += 1
            tight += max(least) == fewest
    return tight


def chessboard_bounds(state):
    """The bound of A*; empty if it shows that there is no win."""
    least = chessboard_walker.lower_bound(state)
    return [10**6 if least is None else least]


def compare_chessboard(variant, count, seed):
    return compare(
        count, seed, find_variant(variant), CHESSBOARD_SHAPES, chessboard_brute.explore, chessboard_bounds
    )


def compare_simon(variant, count, seed):
    searches, game = simon_searches.SimonSearches(Limits()), find_variant(variant)
    shapes = ONE_DECK_SHAPES if game.copies == 1 else TWO_DECK_SHAPES
    return compare(count, seed, game, shapes, simon_brute.explore, searches.lower_bounds)


def compare_joker(variant, count, seed):
    """Compare the bounds on the moves to every reachable score, as `compare` does for wins; a deck that wins
    nothing counts too."""
    game, choice = find_variant(variant), random.Random(seed)
    compared = tight = 0
    while compared < count:
        choices = choice.choice(CHOICES) if game.jokers else None
        state = short_deck(game, JOKER_SHAPES, choice, choices)
        fewest, _ = joker_brute.fewest_moves(state, MOST_STATES)
        if fewest is None:
            continue
        least = [joker_position.lower_bound(state, goal) for goal in range(len(fewest))]
        assert all(bound <= moves for bound, moves in zip(least, fewest, strict=True)), state
        compared += 1
        tight += least[-1] == fewest[-1]
    return tight


COMPARISONS = {
    "chessboard": compare_chessboard, "fortress": compare_chessboard, "simple-simon": compare_simon,
    "simon-jester": compare_simon, "joker": compare_joker, "klondike-one-pass": compare_joker,
}  # fmt: skip


@pytest.mark.quick(2)
@pytest.mark.parametrize("variant", COMPARISONS)
@sizes(200, full=400, slow=500_000)
def test_bounds_hold_on_short_decks(variant, deals):
    assert deals / 8 < COMPARISONS[variant](variant, deals, 1) <= deals
