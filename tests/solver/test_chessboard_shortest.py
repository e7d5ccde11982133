"""Shortest lines of chessboard and fortress against the brute force, and deals with known optima."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from winnable.rules import chessboard, find_variant
from winnable.rules.json_deals import read_json
from winnable.solver import Limits, verify

kernels = pytest.importorskip("winnable.solver.chessboard", reason="the compiled engine is not installed")
shortest = pytest.importorskip("winnable.solver.chessboard_shortest")
oracle = pytest.importorskip("winnable.solver.chessboard_oracle")

SEEDS = Path(__file__).parents[2] / "seeds"
VARIANTS = ("chessboard", "fortress")
# Shapes of short decks: ranks, suits and column sizes.
SHAPES = [
    (1, "CDHS", (3, 1)),
    (2, "CDHS", (3, 3, 2)),
    (3, "CD", (3, 3)),
    (3, "CDHS", (3, 3, 3, 3)),
    (4, "CD", (4, 4)),
    (4, "CD", (3, 3, 2)),
    (4, "CDH", (4, 4, 4)),
    (4, "CDHS", (4, 4, 4, 4)),
    (4, "CDHS", (4, 3, 3, 3, 3)),
    (5, "CD", (4, 3, 3)),
    (5, "CD", (5, 5, 0)),
    (5, "CDH", (5, 5, 5)),
    (5, "CDH", (4, 4, 4, 3)),
    (5, "CDHS", (5, 5, 5, 5)),
    (5, "CDHS", (4, 4, 4, 4, 4)),
    (6, "CD", (4, 4, 4)),
    (6, "CDH", (5, 5, 4, 4)),
    (7, "CD", (5, 5, 4)),
    (13, "C", (5, 4, 4)),
]


def wander(state, steps, seed):
    """A position in mid-game, up to ``steps`` random moves from ``state``."""
    random_moves = random.Random(seed)
    for _ in range(steps):
        moves = chessboard.legal_moves(state)
        if not moves:
            break
        state = chessboard.apply(state, random_moves.choice(moves))
    return state


def shortest_line(kernel, state):
    """The line found and the number of moves proved to be needed; None, None if the deal cannot be won."""
    won, line, _ = kernel.solve(state)
    if not won:
        return None, None
    bound = len(line) if not line else 0
    for line, bound in kernel.improve(state, line):  # noqa: B020 - the last pair counts
        pass
    return line, bound


def compare_with_brute_force(variant, seeds, max_states=30000):
    """The numbers of deals compared and of those that can be won."""
    kernel = kernels.ChessboardKernel(Limits())
    compared = winnable = 0
    for seed in seeds:
        state = find_variant(variant).deal(seed, *SHAPES[seed % len(SHAPES)])
        if seed % 3:
            state = wander(state, seed % 11, seed)
        fewest, _ = oracle.explore(state, max_states)
        if fewest is None:
            continue
        line, bound = shortest_line(kernel, state)
        least = shortest.lower_bound(state)
        if fewest < 0:
            assert line is None, (variant, seed)
        else:
            assert len(line) == bound == fewest, (variant, seed, len(line), bound, fewest)
            assert least is not None
            assert least <= fewest, (variant, seed, least, fewest)
            assert chessboard.is_won(verify.replay(find_variant(variant), state, line))
        compared += 1
        winnable += fewest >= 0
    return compared, winnable


@pytest.mark.parametrize("variant", VARIANTS)
def test_shortest_lines_agree_with_brute_force(variant):
    compared, winnable = compare_with_brute_force(variant, range(1500))
    assert compared > 1200
    assert 0.2 < winnable / compared < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_shortest_lines_agree_with_brute_force_on_many_deals(variant):
    count = int(os.environ.get("WINNABLE_DEALS", "50000"))
    compared, _ = compare_with_brute_force(variant, range(10**6, 10**6 + count), 200000)
    assert compared > 0.95 * count
