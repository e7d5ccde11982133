"""Figures that the README and docs/ quote from the results: they stand between two comments and are written
anew with the page.

    <!-- results: NAME -->
    ...
    <!-- end of results -->
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from winnable.cli.output import rate_text

from .page import players_table, rates_table

Figures = dict[str, Any]

BLOCK = re.compile(r"(<!-- results: ([a-z -]+) -->\n)(.*?)(<!-- end of results -->)", re.DOTALL)


def run_text(figures: Figures, name: str) -> str:
    """What `winnable report` prints of a run, without the histogram of scores."""
    text = rate_text(figures["runs"][name]).partition("\n\n")[0].partition("\n")[2]
    return f"```\n{text}\n```"


QUOTES: dict[str, Callable[[Figures], str]] = {
    "rates": lambda figures: rates_table(figures["runs"]),
    "chessboard run": lambda figures: run_text(figures, "chessboard"),
    "joker players": lambda figures: players_table(figures, "joker"),
    "klondike players": lambda figures: players_table(figures, "klondike-one-pass"),
}
"""What can be quoted."""


def pages(root: Path) -> list[Path]:
    """The pages that may quote."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def quoted(text: str, figures: Figures) -> str:
    """``text`` with what it quotes as ``figures`` have it; as it is where they have nothing."""

    def write(match: re.Match[str]) -> str:
        try:
            return f"{match[1]}{QUOTES[match[2]](figures)}\n{match[4]}"
        except KeyError:
            return match[0]

    return BLOCK.sub(write, text)


def quote_all(root: Path, figures: Figures) -> None:
    """Write all quotes anew."""
    for page in pages(root):
        text = page.read_text()
        if (new := quoted(text, figures)) != text:
            page.write_text(new)
