"""Helpers of the comparisons with other solvers: options, running a program, its processor time, tables."""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..figures import INTERRUPTED, fail, milliseconds, parse_deals, parser, shown_number

T = TypeVar("T")


def peer_parser(doc: str | None, deals: str, program: str) -> argparse.ArgumentParser:
    """A parser of the options that all comparisons have."""
    made = parser(doc)
    made.add_argument(
        "deals", nargs="?", type=parse_deals, default=parse_deals(deals), help="seeds FIRST-LAST"
    )
    made.add_argument("--program", default=program, help="its path")
    return made


def rows_of(seeds: range, compare: Callable[[int], T]) -> list[T]:
    """The results of ``compare`` for each seed. Ctrl-C ends it after what is done."""
    rows: list[T] = []
    try:
        for seed in seeds:
            rows.append(compare(seed))
    except KeyboardInterrupt:
        print(f"interrupted after {len(rows)} deals", file=sys.stderr)
    return rows


class Row(NamedTuple):
    """A deal with both answers, and the seconds of processor time of both."""

    seed: int
    answer: str
    theirs: float
    our_answer: str
    ours: float


def counts_of(rows: Sequence[Row], answers: Sequence[str], our_answers: Sequence[str]) -> dict[str, Any]:
    """The number of deals with each pair of answers, and the times."""
    table = {answer: dict.fromkeys(our_answers, 0) for answer in answers}
    for row in rows:
        table[row.answer][row.our_answer] += 1
    times = {"theirs": milliseconds([row.theirs for row in rows])}
    return {"table": table} | times | {"ours": milliseconds([row.ours for row in rows])}


def times_table(name: str, data: dict[str, Any]) -> list[str]:
    """The lines of a table of both times."""
    return [
        "",
        "| CPU ms a deal | median | 90 % | most | mean |",
        "|---|---|---|---|---|",
        f"| {name}, whole process | {shown_times(data['theirs'])} |",
        f"| winnable, a deal in a batch | {shown_times(data['ours'])} |",
        "",
    ]


def agreement(wrong: Sequence[int]) -> str:
    """A sentence on the seeds on which the claims of both programs differ."""
    return f"DISAGREEMENT on seeds {', '.join(map(str, wrong))}." if wrong else "No disagreement."


def status_of(is_wrong: bool, is_complete: bool) -> int:
    """The exit status: 1 for a disagreement, else `INTERRUPTED` if deals are missing."""
    return 1 if is_wrong else 0 if is_complete else INTERRUPTED


@dataclass(frozen=True)
class Run:
    """The output of a program, and the seconds of processor time of its process; ``ended`` is false if it was
    killed because its time was up."""

    output: str
    complaint: str
    seconds: float
    ended: bool


def run(command: Sequence[str], text: str = "", wall_seconds: float | None = None) -> Run:
    """Run ``command`` with ``text`` on its standard input, for so many seconds at most."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"FREECELL_SOLVER_QUIET": "1"}
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=wall_seconds, env=environment
        )
        output, complaint, ended = done.stdout, done.stderr, True
    except subprocess.TimeoutExpired:
        output, complaint, ended = "", "", False
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(output, complaint, seconds, ended)


def ask_winnable(*arguments: str) -> tuple[dict[str, Any], float]:
    """The answer of our command line in JSON, and the seconds of processor time of its process. Exits if it
    fails."""
    done = run((sys.executable, "-m", "winnable", *arguments, "--json"))
    if not done.output:
        fail(done.complaint.strip() or f"winnable {' '.join(arguments)}: no answer")
    return json.loads(done.output), done.seconds


def find_program(name: str, hint: str) -> str:
    """The path of a program. Exits with one line, ``hint`` in it, if there is none."""
    path = shutil.which(name)
    if path is None:
        fail(f"{name}: no such program; {hint}")
    return path


def ratios(theirs: Sequence[float], ours: Sequence[float]) -> dict[str, float]:
    """Their time over ours, pair by pair, and that of the sums; empty if there are no pairs."""
    if not len(theirs):
        return {}
    low, middle, high = np.percentile(np.array(theirs) / np.array(ours), [10, 50, 90])
    return {"p10": low, "median": middle, "p90": high, "of_sums": sum(theirs) / sum(ours)}


def shown_times(times: dict[str, float]) -> str:
    """Times as cells of a table: median, 90 %, most, mean, in milliseconds."""
    if not times:
        return "- | - | - | -"
    return " | ".join(shown_number(times[name]) for name in ("median", "p90", "max", "mean"))
