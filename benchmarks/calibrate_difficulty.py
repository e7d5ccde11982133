"""Measure the patience of the first deals of each variant that can be won, and print the table of
docs/difficulty.md and the thresholds of solver/difficulty.py.

    python benchmarks/calibrate_difficulty.py [VARIANT...]
"""

from __future__ import annotations

import sys
from itertools import count

import numpy as np

from winnable.rules import VARIANTS, find_variant
from winnable.solver.difficulty import Judge

DEALS = 1000


def main(names):
    print("| variant | least | hard below | median | easy from | most |")
    print("|---|---|---|---|---|---|")
    for name in names or VARIANTS:
        variant = find_variant(name)
        judge = Judge(variant)
        patience = []
        for seed in count(1):
            state = variant.deal(seed)
            worth = judge.worth(state)
            if worth:
                patience.append(judge.patience(state, worth))
            if len(patience) == DEALS:
                break
        marks = np.percentile(patience, [0, 100 / 3, 50, 200 / 3, 100], method="inverted_cdf")
        print(f"| {name} | " + " | ".join(f"{mark:g}" for mark in marks) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
