"""Figures that the README and docs/ quote from the results: they stand between two comments and are written
anew with the page.

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
from .page import rates_table, readings_table

Figures = dict[str, Any]

BLOCK = re.compile(r"(<!-- results: ([a-z -]+) -->\n)(.*?)(<!-- end of results -->)", re.DOTALL)


def main_rates(figures: Figures) -> str:
    """The rates that the README has, of the runs that there are; nothing without any."""
    runs = {name: figures["runs"][name] for name in MAIN if name in figures["runs"]}
    return rates_table(runs) if runs else ""


def run_text(figures: Figures, name: str) -> str:
    """The output of `winnable report` for a run, without the versions and the histogram of scores; nothing
    without the run."""
    if name not in figures["runs"]:
        return ""
    text = rate_text(figures["runs"][name] | {"versions": {}}).partition("\n\n")[0].partition("\n")[2]
    return f"```\n{text}\n```"


def measured(figures: Figures, text: Callable[[Figures], str]) -> str:
    """The ``text`` of the figures that `times` measured; nothing without them."""
    data = figures.get("sections", {}).get("times.json")
    return text(data) if data else ""


MAIN = ("chessboard", "simon-jester", "joker", "klondike-one-pass", "klondike")
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
    """The pages that may quote."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def quoted(text: str, figures: Figures) -> str:
    """``text`` with what it quotes as ``figures`` have it; nothing stands there if they have not. Raises
    ValueError for a quote that there is not."""

    def write(match: re.Match[str]) -> str:
        if match[2] not in QUOTES:
            raise ValueError(f"results: {match[2]}: no such quote")
        quote = QUOTES[match[2]](figures)
        return f"{match[1]}{quote}\n{match[4]}" if quote else f"{match[1]}{match[4]}"

    return BLOCK.sub(write, text)


def quote_all(root: Path, figures: Figures) -> None:
    """Write all quotes anew."""
    for page in pages(root):
        text = page.read_text()
        if (new := quoted(text, figures)) != text:
            files.write(str(page), new)
