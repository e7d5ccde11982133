"""What comparisons of whole programs share: running one, its processor time, and how times are told."""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from winnable import __version__
from winnable.rules import Variant
from winnable.solver.batch import count_processors


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


def run_winnable(*arguments: str) -> float:
    """The seconds of processor time of our command line with ``arguments``. Exits if it fails."""
    done = run((sys.executable, "-m", "winnable", *arguments))
    if not done.output:
        fail(done.complaint.strip() or f"winnable {' '.join(arguments)}: no answer")
    return done.seconds


def decide_seed(kernel: Any, variant: Variant, seed: int) -> Any:
    """The `RECORD` of one deal. Raises KeyboardInterrupt if Ctrl-C ended the search."""
    records = kernel.solve_seeds(variant.name, seed, 1)
    if not len(records):
        raise KeyboardInterrupt
    return records[0]


def fail(message: str) -> NoReturn:
    """Exit with one line on stderr and the status of bad input."""
    print(message, file=sys.stderr)
    sys.exit(2)


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


def positive(text: str) -> int:
    """A whole number from 1 up, for argparse."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def check_writable(path: str | None) -> None:
    """Exit with one line, before any work, if figures cannot be written to ``path``."""
    try:
        if path is not None:
            open(path, "a").close()
    except OSError as error:
        fail(f"{path}: {error.strerror}")


def write_json(path: str | None, data: dict[str, Any]) -> None:
    """Write figures to ``path``, if there is one."""
    if path is not None:
        Path(path).write_text(json.dumps(data, indent=1) + "\n")


def circumstances() -> dict[str, Any]:
    """The version and the machine, as far as times depend on them."""
    names = re.findall(r"^model name\s*: (.*)$", _text_of("/proc/cpuinfo"), re.MULTILINE)
    return {
        "version": __version__,
        "python": platform.python_version(),
        "processor": names[0] if names else platform.processor(),
        "processors": count_processors(),
    }


def _text_of(path: str) -> str:
    return Path(path).read_text() if os.path.exists(path) else ""


def milliseconds(times: Sequence[float]) -> dict[str, float]:
    """Percentiles, mean and sum of times in seconds, as milliseconds; empty if there are none."""
    if not len(times):
        return {}
    names, marks = ("median", "p90", "p99", "max"), np.percentile(times, [50, 90, 99, 100])
    told = dict(zip(names, marks, strict=True)) | {"mean": np.mean(times), "sum": sum(times)}
    return {name: 1000 * float(value) for name, value in told.items()}


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


def shown_number(number: float) -> str:
    """A number with three digits or more, without an exponent."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
