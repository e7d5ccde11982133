"""The lines of the first search of chessboard and fortress, from which detours are taken out."""

import pytest

from winnable.rules import find_variant
from winnable.solver import Limits, solve

pytest.importorskip("winnable.solver.chessboard.kernel", reason="no compiled engine")

DEALS = 150


def detours(hops):
    """The number of cards that leave a column in which nothing happened since they came, and nothing in
    the column that they came from or the one they go to either."""
    count = 0
    for j, (source, target) in enumerate(hops):
        i = max((i for i in range(j) if source in hops[i]), default=None)
        if i is not None and hops[i][1] == source:
            since = {place for hop in hops[i + 1 : j] for place in hop}
            count += hops[i][0] not in since or (target != hops[i][0] and target not in since)
    return count


@pytest.mark.parametrize(("variant", "length"), [("chessboard", 13408), ("fortress", 3184)])
def test_first_lines_have_hardly_a_detour(variant, length):
    found = [
        solve(variant, find_variant(variant).deal(seed), Limits(nodes=10_000)).moves
        for seed in range(1, DEALS + 1)
    ]
    lines = [[(move.source, move.target) for move in moves] for moves in found if moves is not None]
    assert sum(map(len, lines)) == length
    assert sum(map(detours, lines)) < length / 300
