"""Simple Simon side by side with fc-solve (Debian's package freecell-solver-bin), deal by deal.

    python benchmarks/peers/fc_solve.py [FIRST-LAST]

Both get the same deals. What fc-solve solves must be winnable here; what it does not solve it does not claim
to have refuted, so those deals are counted by our verdict. Times are processor time: of the whole fc-solve
process, and here of a deal in a batch, that is dealing, search, making the line and replaying it.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys

import numpy as np

from winnable.rules import find_variant
from winnable.rules.text import format_board
from winnable.solver import Limits, Verdict, find_kernel, solve

LIMITS = Limits(seconds=600)
COMMAND = ("fc-solve", "-g", "simple_simon", "-l", "the-last-mohican", "-")


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ask_fc_solve(board):
    """Whether it found a solution, and the processor time of its process."""
    began = children_seconds()
    answer = subprocess.run(
        COMMAND, input=board, capture_output=True, text=True, env=os.environ | {"FREECELL_SOLVER_QUIET": "1"}
    )
    return "This game is solveable." in answer.stdout, children_seconds() - began


def main(text="1-400"):
    if not shutil.which(COMMAND[0]):
        sys.exit("fc-solve is not installed; Debian has it in freecell-solver-bin")
    first, last = map(int, text.split("-"))
    variant = find_variant("simple-simon")
    kernel = find_kernel(variant)(LIMITS)
    solved, verdicts, theirs, ours = [], [], [], []
    for seed in range(first, last + 1):
        state = variant.deal(seed)
        lines = format_board(variant, state).splitlines(keepends=True)
        board = "".join(line for line in lines if not line.startswith("#"))
        was_solved, seconds = ask_fc_solve(board)
        result = solve(variant, state, LIMITS, shorten=0)
        ours.append(int(kernel.solve_seeds(variant.name, seed, 1)["microseconds"][0]) / 1e6)
        theirs.append(seconds)
        solved.append(was_solved)
        verdicts.append(result.verdict)
        if was_solved and result.verdict is not Verdict.WINNABLE:
            print(f"seed {seed}: fc-solve has a solution, winnable says {result.verdict.value}")
    print(f"simple-simon, seeds {first}-{last}")
    print(f"{'':12}{'solved':>8}{'not solved':>12}{'winnable':>10}{'unwinnable':>12}{'undecided':>11}")
    print(f"{'fc-solve':12}{sum(solved):8}{len(solved) - sum(solved):12}")
    for verdict_of in (True, False):
        name = "  solved" if verdict_of else "  not solved"
        part = [verdict for verdict, was in zip(verdicts, solved, strict=True) if was is verdict_of]
        counts = [part.count(verdict) for verdict in Verdict]
        print(f"{name:12}{'':20}{counts[0]:10}{counts[1]:12}{counts[2]:11}")
    ratios = np.array(theirs) / np.array(ours)
    for name, times in (("fc-solve", theirs), ("winnable", ours)):
        median, p90, p99, most = 1000 * np.percentile(times, [50, 90, 99, 100])
        print(f"{name:12}CPU ms: median {median:.2f}, 90 % {p90:.2f}, 99 % {p99:.2f}, most {most:.2f}")
    print(f"fc-solve / winnable, pair by pair: median {np.median(ratios):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
