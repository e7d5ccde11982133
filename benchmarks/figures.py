"""Helpers of the benchmarks: options, figures in JSON, the machine, times, and errors in one line."""

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from winnable import __version__
from winnable.cli import files
from winnable.rules import Variant
from winnable.solver import Limits
from winnable.solver.core.processors import count_processors
from winnable.solver.core.record import Record
from winnable.solver.engine import find_kernel

INTERRUPTED = 3
"""The exit status after Ctrl-C, with a summary of what was done."""


def parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser of the command line with the option ``--json``, described by the first line of ``doc``."""
    made = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    made.add_argument("--json", metavar="FILE", help="write the figures there too")
    return made


def kernel_of(variant: Variant, limits: Limits) -> Any:
    """A new compiled kernel. Exits with a message of one line if there is none."""
    kernel = find_kernel(variant)
    if kernel is None:
        fail(f"{variant.name}: the compiled engine is not installed")
    return kernel(limits)


def decide_seed(kernel: Any, variant: Variant, seed: int, cards: bytes | None = None) -> Record:
    """The record of one deal, of ``cards`` in the order of dealing if they are given. Raises
    KeyboardInterrupt if Ctrl-C ended the search."""
    for record in kernel.solve_seeds(variant.name, seed, 1, cards=cards):
        return record
    raise KeyboardInterrupt


def fail(message: str) -> NoReturn:
    """Exit with one line on stderr and the status of bad input."""
    print(message, file=sys.stderr)
    sys.exit(2)


def parse_deals(text: str) -> range:
    """The seeds written as ``FIRST-LAST``. Exits with a message of one line if ``text`` is not such a
    range."""
    match = re.fullmatch(r"([0-9]{1,18})-([0-9]{1,18})", text)
    if match is None or int(match[1]) > int(match[2]):
        fail(f"deals {text!r}: expected FIRST-LAST, such as 1-400")
    return range(int(match[1]), int(match[2]) + 1)


def check_writable(path: str | None) -> None:
    """Exit with a message of one line, before any work, if figures cannot be written to ``path``."""
    try:
        if path is not None:
            files.check_writable(path)
    except OSError as error:
        fail(f"{path}: {error.strerror}")


def write_json(path: str | None, data: dict[str, Any]) -> None:
    """Write figures to ``path``, unless it is None."""
    if path is not None:
        files.write(path, json.dumps(data, indent=1) + "\n")


def circumstances() -> dict[str, Any]:
    """The version and the properties of the machine that times depend on."""
    path = Path("/proc/cpuinfo")
    names = re.findall(r"(?m)^model name\s*: (.*)$", path.read_text() if path.exists() else "")
    return {
        "version": __version__,
        "python": platform.python_version(),
        "processor": names[0] if names else platform.processor(),
        "processors": count_processors(),
    }


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Median, 90th and 99th percentile, maximum, mean and sum of ``values``; empty without values."""
    if not len(values):
        return {}
    marks = zip(("median", "p90", "p99", "max"), np.percentile(values, [50, 90, 99, 100]), strict=True)
    summary = dict(marks) | {"mean": np.mean(values), "sum": sum(values)}
    return {name: float(value) for name, value in summary.items()}


def shown_number(number: float) -> str:
    """A number with at least three digits and without an exponent."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


@dataclass(frozen=True)
class Run:
    """The output of a process, its processor seconds and its peak memory in megabytes."""

    output: str
    seconds: float
    megabytes: float


def run(
    command: Sequence[str], text: str = "", cpu_seconds: float | None = None, keeps_errors: bool = True
) -> Run:
    """Run ``command`` with ``text`` as standard input until it ends, or meets its limit of processor seconds.
    The output includes standard error, unless ``keeps_errors`` is false."""

    def limit() -> None:
        if cpu_seconds is not None:
            most = max(1, round(cpu_seconds))
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))

    environment = os.environ | {"FREECELL_SOLVER_QUIET": "1"}
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as output:
        given.write(text)
        given.seek(0)
        process = subprocess.Popen(
            command,
            stdin=given,
            stdout=output,
            stderr=subprocess.STDOUT if keeps_errors else None,
            env=environment,
            preexec_fn=limit,
        )
        try:
            _, _, usage = os.wait4(process.pid, 0)
        finally:
            process.kill()
        process.returncode = 0  # os.wait4 has waited for it
        output.seek(0)
        return Run(output.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000)


def ask_winnable(*arguments: str) -> tuple[dict[str, Any], float]:
    """Run our command line with --json. Returns the answer and the processor seconds of its process; exits if
    it fails."""
    done = run((sys.executable, "-m", "winnable", *arguments, "--json"), keeps_errors=False)
    if not done.output:
        fail(f"winnable {' '.join(arguments)}: expected an answer, got none")
    return json.loads(done.output), done.seconds
