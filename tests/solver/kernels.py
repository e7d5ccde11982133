"""Deals on which every kernel is tested, and checks of the results."""

import functools

import pytest
from tests.compiled import SEARCHED

from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, Verdict
from winnable.solver.engine import decide, find_kernel

every_variant = pytest.mark.parametrize("name", SEARCHED)
KLONDIKES = [name for name in SEARCHED if "passes" in VARIANTS[name].choices]
POLL = 4096  # states between two checks of the clock and of signals

# By game: a deal whose search is ended by every limit in these tests. The deals of MODERATE are decided after
# some hundreds to some thousands of states.
HARD = {
    "chessboard": 5146428, "fortress": 3478598, "simon-jester": 2815, "simon-jester-triangular": 9066,
    "simple-simon": 141684, "joker": 4272, "klondike-one-pass": 849, "klondike": 12,
    "klondike-draw-one": 1260, "klondike-vegas": 12, "klondike-vegas-one": 42,
}  # fmt: skip
MODERATE = {
    "chessboard": 14, "fortress": 128, "simon-jester": 24, "simon-jester-triangular": 1, "simple-simon": 10,
    "joker": 10, "klondike-one-pass": 8, "klondike": 8, "klondike-draw-one": 28, "klondike-vegas": 8,
    "klondike-vegas-one": 24,
}  # fmt: skip
# Winnable deals whose lines have more than 40 moves.
WINNABLE = dict.fromkeys(SEARCHED, 8) | {"joker": 5, "klondike-one-pass": 5, "klondike-vegas-one": 2}
# Memory limits in megabytes that end the search after some time.
SMALL = dict.fromkeys(SEARCHED, 1.0) | {"fortress": 0.3, "chessboard": 0.3, "klondike": 0.7}
# Short decks: ranks, suits and column sizes, of which some deals can be won and others not.
SHORT = {
    "chessboard": [(4, "CD", (4, 4)), (4, "CD", (3, 3, 2)), (4, "CDH", (4, 4, 4)), (5, "CD", (4, 3, 3))],
    "fortress": [(4, "CD", (4, 4)), (4, "CD", (3, 3, 2)), (4, "CDH", (4, 4, 4)), (5, "CD", (4, 3, 3))],
    "simon-jester": [(2, "CDH", (4, 4, 4)), (3, "CD", (4, 4, 4)), (2, "CD", (3, 3, 2)), (3, "S", (2, 2, 2))],
    "simple-simon": [(4, "CD", (3, 3, 2)), (5, "CDH", (5, 5, 5)), (6, "CD", (4, 4, 4)), (3, "CDHS", (6, 6))],
    "joker": [(2, "CDHS", (1, 2)), (3, "CS", (3, 2)), (4, "H", (1, 2)), (3, "CH", (2, 1))],
    "klondike-one-pass": [(4, "CD", (1, 2)), (3, "CDHS", (2, 3, 2)), (5, "CD", (2, 3)), (6, "H", (1, 2))],
}
SHORT["simon-jester-triangular"] = SHORT["simon-jester"]
for _name in KLONDIKES:
    SHORT[_name] = [(3, "CDHS", (2, 3)), (4, "CD", (3, 3)), (5, "CH", (2, 3, 3)), (3, "CDH", (4, 3))]


def make(name, limits=None):
    return find_kernel(find_variant(name))(limits or Limits())


def answer(name, state, limits=None):
    """The result of a new kernel for ``state``; its line was replayed through the rules."""
    return decide(find_variant(name), state, make(name, limits))


@functools.cache
def hard(name):
    return find_variant(name).deal(HARD[name])


@functools.cache
def moderate(name):
    """A deal of medium size and its result."""
    state = find_variant(name).deal(MODERATE[name])
    return state, answer(name, state)


@functools.cache
def winnable(name):
    """A game, a winnable deal, and its result."""
    state = find_variant(name).deal(WINNABLE[name])
    return find_variant(name), state, answer(name, state)


def check_open(name, result, reason):
    """Check that ``result`` is that of a search that was ended: it claims nothing but what its line shows."""
    variant = find_variant(name)
    assert result.reason == reason
    if variant.scoring is None:
        assert (result.verdict, result.moves) == (Verdict.UNDECIDED, None)
        return
    assert not result.exact
    assert result.score < result.score_bound == 52
    assert result.tier == variant.scoring.tier_of(result.score, 52)
    assert result.verdict is (Verdict.UNDECIDED if result.tier == "none" else Verdict.WINNABLE)
