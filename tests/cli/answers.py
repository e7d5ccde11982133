"""Checks of answers for the tests of several commands."""

from winnable.rules import find_variant
from winnable.solver.engine import find_kernel

KEYS = ["variant", "seed", "verdict", "moves", "shortest", "lower_bound", "solution", "score", "tier"]
KEYS += ["score_bound", "exact", "expanded", "generated", "work", "seconds", "reason", "engine"]
ENGINE = "compiled" if find_kernel(find_variant("chessboard")) else "reference"


def fails(run, *args, stdin=None):
    status, out, err = run(*args, stdin=stdin)
    assert (status, out) == (2, "")
    assert err.startswith("winnable: ")
    assert err.count("\n") == 1
    return err
