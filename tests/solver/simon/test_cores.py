"""The bound by cores and A* with inherited cores, compared with brute force on short decks."""

import random

import pytest
from tests.deals import sizes
from tests.native import load
from tests.solver.simon.test_shortest import random_position

from winnable.rules import find_variant
from winnable.solver import Limits

kernel_module = pytest.importorskip("winnable.solver.simon.kernel", reason="no compiled engine")
oracle = pytest.importorskip("winnable.solver.simon.replay", reason="no compiled engine")
walker = load("simon_walker")


def bounds_along(state, line):
    """The bound by cores at each position of a line, its last one left out."""
    position = walker.PositionWalker(state)
    for move in line:
        yield position.least_moves()
        position.do_move(move)


def compare_cores(count, seed, max_states=20000):
    """Compare the bound with the fewest moves at ``count`` positions of shortest lines, and A* with brute
    force at each start: how far both got."""
    choice = random.Random(seed)
    kernel = kernel_module.SimonKernel(Limits())
    tally = dict.fromkeys(["starts", "positions", "bound", "fewest", "tight"], 0)
    while tally["positions"] < count:
        state = random_position(choice, 1)
        fewest, _ = oracle.explore(state, max_states)
        if fewest is None or fewest < 0:
            continue
        first = kernel.solve(state).moves
        proved, line = kernel.fewest_by_astar(state, first)
        assert oracle.replays(state, line), state
        assert (len(line), proved) == (fewest, fewest), state
        for least, left in zip(bounds_along(state, line), range(fewest, 0, -1), strict=True):
            assert least <= left, (state, left)
            tally["positions"] += 1
            tally["bound"] += least
            tally["fewest"] += left
            tally["tight"] += least == left
        tally["starts"] += 1
    return tally


@sizes(300, full=1000, slow=500_000)
def test_the_bound_and_a_star_agree_with_brute_force(deals):
    tally = compare_cores(deals, 1, 6000)
    assert tally["starts"] > 0.06 * deals
    assert 0.95 * tally["fewest"] < tally["bound"] < tally["fewest"]


# Deals of Simple Simon, and what the bound by cores of seeds from 1 on is at least.
STRENGTHS = {1: 61, 2: 58, 3: 57, 4: 56, 5: 58, 6: 58, 7: 58, 8: 55, 9: 56, 10: 55}


@pytest.mark.parametrize(("seed", "least"), STRENGTHS.items())
def test_the_bound_is_no_weaker_than_it_was(seed, least):
    assert walker.PositionWalker(find_variant("simple-simon").deal(seed)).least_moves() >= least
