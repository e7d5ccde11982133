"""Searches for shorter lines, of every kernel."""

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.compiled import SEARCHED, needs_kernels
from tests.solver.kernels import SHORT, every_variant, make, winnable

from winnable.rules import find_variant
from winnable.solver import Limits, find_shortest, verify
from winnable.solver.engine import prove_optimal

pytestmark = needs_kernels


def limited(name, limits):
    """``limits``, with one on work where a search for shortest lines must have one."""
    return replace(limits, work=200_000) if find_variant(name).copies > 1 else limits


@pytest.mark.quick(3)
@every_variant
def test_improvements_are_told_as_they_come(name):
    """Lines get shorter and bounds rise, they never cross, and every line reaches its goal."""
    variant, state, solved = winnable(name)
    kernel, told = make(name, limited(name, Limits(nodes=30_000))), []
    kernel.prove_optimal(state, solved.moves, lambda moves, bound: told.append((tuple(moves), bound)))
    assert told
    for (one, low), (other, high) in pairwise(told):
        assert len(one) >= len(other)
        assert low <= high
    for moves, bound in told:
        assert 0 <= bound <= len(moves) <= len(solved.moves)
        end = verify.replay(variant, state, moves)
        if variant.scoring:
            assert variant.scoring.tier_of(variant.score(end), 52) == solved.tier
        else:
            assert variant.family.is_won(end)
    moves, bound = told[-1]
    assert kernel.limit_met is None or bound < len(moves)
    assert kernel.limit_met in ({"work"} if variant.copies > 1 else {None, "nodes"})
    assert kernel.limit_met is not None or bound == len(moves)


@pytest.mark.quick(12)
@every_variant
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(nodes=0), "nodes"),
        (Limits(seconds=0), "seconds"),
        (Limits(megabytes=0), "memory"),
        (Limits(work=0), "work"),
    ],
    ids=str,
)
def test_a_limit_leaves_the_line_that_there_was(name, limits, reason):
    variant, state, solved = winnable(name)
    if variant.copies > 1 and reason == "nodes":
        limits, reason = Limits(work=0), "work"  # limits on nodes do not count in this search
    result = prove_optimal(variant, state, solved, make(name, limits))
    assert (result.verdict, result.score, result.reason) == (solved.verdict, solved.score, reason)
    assert not result.shortest
    assert (result.lower_bound or 0) < len(result.moves) <= len(solved.moves)


@pytest.mark.quick(3)
@every_variant
def test_what_a_listener_raises_ends_the_search_for_shorter_lines(name):
    _, state, solved = winnable(name)

    def refuse(moves, bound):
        raise KeyError(bound)

    with pytest.raises(KeyError):
        make(name, limited(name, Limits(nodes=30_000))).prove_optimal(state, solved.moves, refuse)


@pytest.mark.quick(2)
@every_variant
def test_a_listener_may_stop_the_search_for_shorter_lines(name):
    variant, state, solved = winnable(name)
    kernel, told = make(name), []

    def stop(result):
        told.append(result)
        kernel.stop()

    result = prove_optimal(variant, state, solved, kernel, stop)
    assert told
    assert (result.moves, result.lower_bound) == (told[-1].moves, told[-1].lower_bound)
    assert result.reason == (None if result.shortest else "interrupted")
    assert (result.lower_bound or 0) <= len(result.moves) <= len(solved.moves)


@pytest.mark.quick("simple-simon")
@pytest.mark.parametrize("name", [name for name in SEARCHED if not find_variant(name).scoring])
def test_short_decks_get_lines_as_short_as_the_reference_search_finds(name):
    """Scored games are compared with brute force by tests/solver/joker/test_shortest.py."""
    variant, compared = find_variant(name), 0
    for seed in range(60):
        ranks, suits, sizes = SHORT[name][seed % len(SHORT[name])]
        state = variant.deal(seed, ranks, suits, sizes)
        fast = find_shortest(variant, state, limited(name, Limits(nodes=20_000)))
        slow = find_shortest(variant, state, Limits(nodes=400), engine="reference")
        if slow.reason is not None:
            continue
        assert slow.verdict is fast.verdict
        if slow.moves:
            assert fast.lower_bound <= len(slow.moves) <= len(fast.moves)
            assert fast.shortest == (fast.lower_bound == len(fast.moves))
            assert fast.shortest or variant.copies > 1
            compared += 1
    assert compared > 4
