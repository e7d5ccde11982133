"""Checks of answers for the tests of several commands."""

import json

from winnable.rules import find_variant
from winnable.solver.engine import find_kernel

KEYS = ["schema", "game", "seed", "verdict", "moves", "length", "shortest", "lower_bound", "score", "tier"]
KEYS += ["score_bound", "exact", "expanded", "generated", "work", "seconds", "reason", "engine"]
ENGINE = "compiled" if find_kernel(find_variant("chessboard")) else "reference"


def fails(run, *args, stdin=None):
    status, out, err = run(*args, stdin=stdin)
    assert status == 2
    assert ({"--json", "-j"} & set(args) and json.loads(out)["error"]["status"] == 2) or out == ""
    assert err.startswith("winnable: ")
    assert err.count("\n") == 1
    return err
