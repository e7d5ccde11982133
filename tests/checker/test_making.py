"""Claims without a certificate: claims that a line proves, undecided results, limits, lemmas."""

from functools import partial

import pytest
from tests.checker.certificates import LOST, made
from tests.checker.simon import by_positions
from tests.compiled import needs_kernels
from tests.deals import laid_out

from winnable.rules import find_variant
from winnable.solver import Limits, Result, Verdict, solve
from winnable.solver.certificates import NoCertificate, certify

pytestmark = needs_kernels


def bounded(moves, **fields):
    """The result of a search that has proved a lower bound."""
    return Result(Verdict.WINNABLE, (), lower_bound=moves, **fields)


SHORTEST = {"shortest": True}
LIMITS = [
    ("fortress", 2, {"nodes": 100}, LOST, {}), ("fortress", 2, {"megabytes": 0.01}, LOST, {}),
    ("fortress", 8, {"megabytes": 0.04}, bounded(77), SHORTEST), ("klondike", 12, {"nodes": 100}, LOST, {}),
    ("klondike", 12, {"megabytes": 0.1}, LOST, {}), ("simple-simon", 462, {"nodes": 100}, LOST, {}),
    ("simple-simon", 464, {"nodes": 2000}, LOST, {"plain": True}),
    ("simple-simon", 464, {"megabytes": 1}, LOST, {}),
    ("simple-simon", 1, {"nodes": 100}, bounded(64), SHORTEST),
    ("simple-simon", 1, {"megabytes": 0.04}, bounded(64), SHORTEST),
    ("simple-simon", 108, {"nodes": 50}, LOST, {"plain": True}),
    ("simple-simon", 464, {"megabytes": 10}, None, {}), ("simple-simon", 464, {"nodes": 5000}, None, {}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "seed", "limits", "result", "options"), LIMITS)
def test_limits_hold(game, seed, limits, result, options):
    """With a result, or while positions are listed without one."""
    make = partial(made, result=result, **options) if result else by_positions
    (name,), state = limits, find_variant(game).deal(seed)
    with pytest.raises(NoCertificate, match=f"limit on {name.replace('megabytes', 'memory')}"):
        make(state, limits=Limits(**limits))


NONE = [
    ("fortress", 8, bounded(70, reason="interrupted"), SHORTEST, "interrupted"),
    ("fortress", 8, bounded(None), SHORTEST, "no number of moves"),
    ("joker", 1, bounded(70, score=52), SHORTEST, "no certificates of fewest moves of joker"),
    ("simon-jester", 1, bounded(97), SHORTEST, "no certificates of fewest moves of simon-jester"),
    ("klondike", 44, LOST, {"plain": True}, "it can do without none of its lemmas"),
    ("joker", 142, None, {"plain": True}, "without none of its lemmas"),
    ("klondike-one-pass", 638, None, {"plain": True}, "without none of its lemmas"),
    ("fortress", 2, Limits(nodes=3), {}, r"undecided \(state limit reached\)"),
    ("fortress", 8, None, {}, "the solution is the proof"),
    ("joker", 1, None, {}, "no certificate needed: the solution is the proof"),
    ("klondike-one-pass", 2, None, {}, "no certificate needed: the solution is the proof"),
]


@pytest.mark.parametrize(("game", "seed", "result", "options", "why"), NONE)
def test_what_there_is_none_of_is_refused(game, seed, result, options, why):
    """For a result, or for limits of the search for one."""
    variant = find_variant(game)
    state = variant.deal(seed)
    result = result if isinstance(result, Result) else solve(variant, state, result)
    with pytest.raises(NoCertificate, match=why):
        certify(variant, state, result, **options)


@pytest.mark.parametrize("columns", ["2C 2D | 3D 3C | AD AC", "AD 3C 2D | 3D 2C | AC"])
def test_what_can_be_won_has_none(columns):
    with pytest.raises(RuntimeError, match="can be won"):
        made(laid_out(columns))


def test_a_state_that_is_too_large_has_none():
    variant = find_variant("klondike")
    with pytest.raises(ValueError, match="expected a key of at most 64 bits"):
        made(variant.deal(1, 12, sizes=(1,)))
