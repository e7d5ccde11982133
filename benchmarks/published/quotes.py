"""Figures that the README and docs/ quote from the results. They stand between two comments and are rewritten
with the page.

    <!-- results: NAME -->
    ...
    <!-- end of results -->
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from winnable.cli import files
from winnable.cli.output import rate_text

from .. import times
from . import solvers
from .page import TITLES, goals_of, interval, readings_table, table, three_digits

Figures = dict[str, Any]

BLOCK = re.compile(r"(<!-- results: ([a-z -]+) -->\n)(.*?)(<!-- end of results -->)", re.DOTALL)


def main_rates(figures: Figures) -> str:
    """The table of the README: a row for each goal of the games in `MAIN` whose runs there are, with the
    median and the mean CPU time of a deal. Empty without any run."""
    rows = []
    for name in MAIN:
        if run := figures["runs"].get(name):
            times = "; ".join(
                three_digits(1000 * run["deal_cpu_seconds"][part]) for part in ("median", "mean")
            )
            for goal, counts, estimate in goals_of(run):
                deals, undecided = f"{counts[0]:,}", f"{counts[-1]:,}"
                rate = f"{estimate['rate']:.3%}"
                rows.append([TITLES[name], goal, deals, rate, interval(estimate), undecided, times])
    head = ("game", "goal", "deals", "can be won", "95 % interval", "undecided", "CPU ms: median; mean")
    return table(head, rows) if rows else ""


def run_text(figures: Figures, name: str) -> str:
    """The output of `winnable report` for a run, without versions and the histogram of scores; empty without
    the run."""
    if name not in figures["runs"]:
        return ""
    text = rate_text(figures["runs"][name] | {"versions": {}}).partition("\n\n")[0].partition("\n")[2]
    return f"```\n{text}\n```"


def measured(figures: Figures, text: Callable[[Figures], str]) -> str:
    """``text`` called with the figures that `times` measured; empty without them."""
    data = figures.get("sections", {}).get("times.json")
    return text(data) if data else ""


MAIN = (
    "chessboard",
    "fortress",
    "simon-jester",
    "simple-simon",
    "joker",
    "klondike-one-pass",
    "klondike",
    "klondike-draw-one",
)
"""The runs whose rates the README has."""

QUOTES: dict[str, Callable[[Figures], str]] = {
    "main rates": main_rates,
    "chessboard run": lambda figures: run_text(figures, "chessboard"),
    "joker readings": lambda figures: readings_table(figures["runs"]),
    "compiling": lambda figures: measured(figures, times.compiling),
    "first session": lambda figures: measured(figures, lambda data: times.session(data, times.SESSIONS[0])),
    "second session": lambda figures: measured(figures, lambda data: times.session(data, times.SESSIONS[1])),
    "long run": lambda figures: measured(figures, times.long_run),
}
"""The quotes by name."""


def pages(root: Path) -> list[Path]:
    """The pages that may have quotes."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def quoted(text: str, figures: Figures) -> str:
    """``text`` with its quotes replaced by those of ``figures`` and of benchmarks/peers.json, empty where
    figures are missing. Raises ValueError for an unknown name of a quote."""

    def write(match: re.Match[str]) -> str:
        if match[2] not in QUOTES | solvers.QUOTES:
            raise ValueError(f"results: {match[2]}: no such quote")
        is_of_solvers = match[2] in solvers.QUOTES
        quote = solvers.QUOTES[match[2]](solvers.published()) if is_of_solvers else QUOTES[match[2]](figures)
        return f"{match[1]}{quote}\n{match[4]}" if quote else f"{match[1]}{match[4]}"

    return BLOCK.sub(write, text)


def quote_all(root: Path, figures: Figures) -> None:
    """Rewrite the quotes of all pages."""
    for page in pages(root):
        text = page.read_text()
        if (new := quoted(text, figures)) != text:
            files.write(str(page), new)
