"""Claims without a certificate: what a line proves, what is undecided, limits, lemmas."""

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


SHORTEST, CLAUSES = {"shortest": True}, {"shortest": True, "clauses": True}
LIMITS = [
    ("fortress", 2, {"nodes": 100}, LOST, {}), ("fortress", 2, {"megabytes": 0.04}, LOST, {}),
    ("fortress", 8, {"megabytes": 0.04}, bounded(77), SHORTEST), ("klondike", 12, {"nodes": 100}, LOST, {}),
    ("klondike", 12, {"megabytes": 0.1}, LOST, {}), ("simple-simon", 462, {"nodes": 100}, LOST, {}),
    ("simple-simon", 464, {"nodes": 2000}, LOST, {"plain": True}),
    ("simple-simon", 464, {"megabytes": 1}, LOST, {}),
    ("simple-simon", 1, {"nodes": 100}, bounded(64), SHORTEST),
    ("simple-simon", 1, {"megabytes": 0.04}, bounded(64), SHORTEST),
    ("simple-simon", 1, {"megabytes": 1}, bounded(100), CLAUSES),
    ("simple-simon", 108, {"nodes": 50}, LOST, {"plain": True}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "seed", "limits", "result", "options"), LIMITS)
def test_limits_hold(game, seed, limits, result, options):
    variant = find_variant(game)
    (name,) = limits
    with pytest.raises(NoCertificate, match=f"limit on {name.replace('megabytes', 'memory')}"):
        made(variant.deal(seed), result, limits=Limits(**limits), **options)


@pytest.mark.parametrize("limits", [{"megabytes": 20}, {"nodes": 5000}])
def test_limits_hold_while_positions_are_listed(limits):
    simple, (name,) = find_variant("simple-simon"), limits
    with pytest.raises(NoCertificate, match=f"limit on {name.replace('megabytes', 'memory')}"):
        by_positions(simple.deal(464), limits=Limits(**limits))


NONE = [
    ("fortress", 8, bounded(70, reason="interrupted"), SHORTEST, "interrupted"),
    ("fortress", 8, bounded(None), SHORTEST, "no number of moves"),
    ("joker", 1, bounded(70, score=52), SHORTEST, "no certificates of fewest moves of joker"),
    ("fortress", 8, bounded(100), CLAUSES, "there are no clauses"),
    ("simple-simon", 45, LOST, {"clauses": True}, "there are no clauses"),
    ("klondike", 44, LOST, {"plain": True}, "it can do without none of its lemmas"),
]


@pytest.mark.parametrize(("game", "seed", "result", "options", "why"), NONE)
def test_what_there_is_none_of_is_refused(game, seed, result, options, why):
    variant = find_variant(game)
    with pytest.raises(NoCertificate, match=why):
        certify(variant, variant.deal(seed), result, **options)


@pytest.mark.parametrize(
    ("game", "seed", "limits", "why"),
    [
        ("fortress", 2, Limits(nodes=3), r"undecided \(nodes\)"), ("fortress", 8, None, "winnable"),
        ("joker", 1, None, "winnable: the line proves it"),
        ("klondike-one-pass", 2, None, "winnable: the line proves it"),
    ],
)  # fmt: skip
def test_what_is_undecided_or_won_has_none(game, seed, limits, why):
    variant = find_variant(game)
    with pytest.raises(NoCertificate, match=why):
        certify(variant, variant.deal(seed), solve(variant, variant.deal(seed), limits))


@pytest.mark.parametrize(("game", "seed"), [("joker", 142), ("klondike-one-pass", 638)])
def test_scores_can_do_without_none_of_their_lemmas(game, seed):
    variant = find_variant(game)
    with pytest.raises(NoCertificate, match="without none of its lemmas"):
        certify(variant, variant.deal(seed), solve(variant, variant.deal(seed)), plain=True)


@pytest.mark.parametrize("columns", ["2C 2D | 3D 3C | AD AC", "AD 3C 2D | 3D 2C | AC"])
def test_what_can_be_won_has_none(columns):
    with pytest.raises(RuntimeError, match="can be won"):
        made(laid_out(columns))


def test_a_state_that_is_too_large_has_none():
    variant = find_variant("klondike")
    with pytest.raises(ValueError, match="expected a key of at most 64 bits"):
        made(variant.deal(1, 12, sizes=(1,)))
