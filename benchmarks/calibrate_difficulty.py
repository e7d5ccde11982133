"""Measure the ease of the first deals of each variant that can be won, and print the table of
docs/difficulty.md and the thresholds of solver/analysis/difficulty.py.

    python benchmarks/calibrate_difficulty.py [VARIANT...]
"""

import argparse
from itertools import count, islice

import numpy as np

from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, Verdict, solve
from winnable.solver.analysis.difficulty import LIMITS, PLAYED, judge_of

DEALS = 1000


def winnable_deals(variant):
    """Yield the deals of seeds from 1 on that can be won or are undecided within the limits."""
    limits = Limits() if variant.name in PLAYED else LIMITS
    for seed in count(1):
        state = variant.deal(seed)
        if solve(variant, state, limits, shorten=0).verdict is not Verdict.UNWINNABLE:
            yield state


def main(variants):
    print("| variant | least | hard below | median | easy from | most |")
    print("|---|---|---|---|---|---|")
    for variant in variants or VARIANTS.values():
        judge = judge_of(variant)
        ease = [judge.ease(state) for state in islice(winnable_deals(variant), DEALS)]
        marks = np.percentile(ease, [0, 100 / 3, 50, 200 / 3, 100], method="inverted_cdf")
        print(f"| {variant.name} | " + " | ".join(f"{mark:g}" for mark in marks) + " |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variants", metavar="VARIANT", nargs="*", type=find_variant)
    main(parser.parse_args().variants)
