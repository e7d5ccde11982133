"""The keys of answers, for the tests of several commands."""

from winnable.rules import find_variant
from winnable.solver.engine import find_kernel

KEYS = ["schema", "game", "seed", "verdict", "moves", "length", "shortest", "lower_bound", "score", "tier"]
KEYS += [
    "score_bound",
    "exact",
    "expanded",
    "generated",
    "work",
    "seconds",
    "reason",
    "engine",
    "cpu_seconds",
]
ENGINE = "compiled" if find_kernel(find_variant("chessboard")) else "reference"
