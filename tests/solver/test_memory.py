"""Memory of a process whose search ends at its memory limit, measured from outside."""

import json
import subprocess
import sys

import pytest

from winnable import Limits, find_variant
from winnable.solver.engine import find_kernel

pytest.importorskip("winnable.solver.core.border", reason="no compiled engine")

SOLVE = """
import json, sys
from winnable import Limits, find_variant, solve

def held():
    lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(lines["VmHWM"].split()[0]) / 1000

variant, seed, limit = find_variant(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
solve(variant, variant.deal(1), Limits(nodes=1000))
before = held()
result = solve(variant, variant.deal(seed), Limits(megabytes=limit))
found = {"held": held() - before, "verdict": str(result.verdict), "reason": result.reason}
print(json.dumps(found | {"score": result.score, "bound": result.score_bound}))
"""


def solve_elsewhere(game, seed, megabytes):
    """Solve a deal in a process of its own; return the result, and the greatest growth of memory in
    megabytes."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, game, str(seed), str(megabytes)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system tells it in a file")
@pytest.mark.parametrize(
    ("game", "seed", "megabytes", "answer"),
    [
        ("joker", 6338, 10, ("winnable", 23, 52)),
        pytest.param("simon-jester", 2815, 50, ("undecided", None, None), marks=pytest.mark.full),
        pytest.param("klondike", 667384, 50, ("undecided", None, None), marks=pytest.mark.full),
        pytest.param("klondike-one-pass", 640180, 50, ("winnable", 28, 52), marks=pytest.mark.full),
        pytest.param("joker", 6338, 50, ("winnable", 23, 52), marks=pytest.mark.full),
    ],
)
def test_the_memory_limit_holds_and_the_best_is_returned(game, seed, megabytes, answer):
    found = solve_elsewhere(game, seed, megabytes)
    assert found["reason"] == "memory"
    assert found["held"] < megabytes
    assert (found["verdict"], found["score"], found["bound"]) == answer


@pytest.mark.full
def test_stacks_count_as_they_are_held():
    """Stacks double when they are full: the line of this short deck has two million moves."""
    variant = find_variant("chessboard")
    finding = find_kernel(variant)(Limits(megabytes=400)).solve(variant.deal(1, ranks=6))
    assert (finding.won, len(finding.moves)) == (True, 2_153_717)


def test_a_large_deal_leaves_no_stacks_to_the_next():
    variant = find_variant("chessboard")
    used = find_kernel(variant)(Limits(megabytes=10))
    assert used.solve(variant.deal(1, ranks=6)).reason == "memory"
    after = used.solve(variant.deal(1, ranks=6)).reason, used.expanded
    fresh = find_kernel(variant)(Limits(megabytes=10))
    assert (fresh.solve(variant.deal(1, ranks=6)).reason, fresh.expanded) == after
