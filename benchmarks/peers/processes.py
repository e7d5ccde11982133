"""What comparisons of whole programs share: running one, its processor time, and how times are told."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..figures import fail, shown_number


@dataclass(frozen=True)
class Run:
    """What a program wrote, and the seconds of processor time of its process; ``ended`` is false if it was
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
    """What our command line answers in JSON, and the seconds of processor time of its process. Exits if it
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


def parse_deals(text: str) -> range:
    """The seeds of ``FIRST-LAST``. Exits with one line if it is none."""
    match = re.fullmatch(r"([0-9]{1,18})-([0-9]{1,18})", text)
    if match is None or int(match[1]) > int(match[2]):
        fail(f"deals {text!r}: FIRST-LAST is needed, such as 1-400")
    return range(int(match[1]), int(match[2]) + 1)


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
