"""Processor time to compile winnable and to rate deals, and the sessions in the manual that show such times.

    python -m benchmarks.times [--json FILE]

A copy of the last commit is compiled, which takes some two minutes.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from winnable.cli.output import rate_text

from .figures import ask_winnable, check_writable, circumstances, fail, parser, run, write_json

ROOT = Path(__file__).parents[1]
GAME = "fortress"
SESSIONS = (2_000, 20_000)
"""Deals of the runs that the manual shows."""
MANY = 1_000_000
"""Deals of a long run, whose time is told in a sentence."""
COLUMNS = 120
"""The width of the pages of the manual."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__).parse_args(arguments)
    check_writable(options.json)
    data = {"benchmark": "times", **circumstances(), "game": GAME, "compile_seconds": compile_seconds(ROOT)}
    data["sessions"] = {str(deals): _rate(deals)[0] for deals in SESSIONS}
    data |= {"deals": MANY, "cpu_seconds": _rate(MANY)[1]}
    write_json(options.json, data)
    print(markdown(data))
    return 0


def compile_seconds(root: Path) -> float:
    """Processor seconds that pip takes to build a copy of the last commit of ``root``. Exits with a message
    of one line if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=root, capture_output=True)
        if archive.returncode:
            fail(f"{root}: expected a git checkout")
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        built = Path(folder, "built")
        command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(built), folder)
        done = run(("env", "WINNABLE_REQUIRE_COMPILED=1", *command))
        if not [*built.glob("*.whl")]:
            fail(f"winnable does not compile: {done.output.strip().rpartition(chr(10))[2]}")
    return round(done.seconds, 1)


def _rate(deals: int) -> tuple[dict[str, Any], float]:
    """The answer of `winnable rate` for the first deals, and the processor seconds of its process."""
    answer, seconds = ask_winnable("rate", GAME, "--deals", f"1-{deals}")
    del answer["schema"]
    return answer, round(seconds, 1)


def machine(data: dict[str, Any]) -> str:
    """The machine of ``data`` in words."""
    return f"{data['processor']}, {data['processors']} processors"


def compiling(data: dict[str, Any]) -> str:
    """The sentences of the README about compiling."""
    return fill(
        f"Compiling takes {data['compile_seconds']:.0f} seconds of processor time ({machine(data)}). Without "
        "a compiler `winnable` falls back to a pure-Python engine about 1,000 times slower and warns you.",
        COLUMNS,
    )


def session(data: dict[str, Any], deals: int) -> str:
    """A session for the manual: the output of a short run."""
    text = rate_text(data["sessions"][str(deals)] | {"versions": {}})
    return f"```console\n$ winnable rate {data['game']} --deals 1-{deals}\n{text}\n```"


def long_run(data: dict[str, Any]) -> str:
    """The sentence of the tour about a long run."""
    return fill(
        f"Two thousand deals take a moment, most of it to start; {data['deals']:,} take "
        f"{data['cpu_seconds']:.0f} seconds of processor time ({machine(data)}).",
        COLUMNS,
    )


def markdown(data: dict[str, Any]) -> str:
    """The figures in words."""
    return (
        f"`pip wheel` takes {data['compile_seconds']:.1f} s of processor time to compile winnable, and "
        f"`winnable rate {data['game']} --deals 1-{data['deals']}` takes {data['cpu_seconds']:.1f} s. "
        f"Measured with version {data['version']} on {machine(data)}."
    )


if __name__ == "__main__":
    sys.exit(main())
