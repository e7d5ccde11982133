"""Help pages that fit narrow terminals."""

from __future__ import annotations

from collections.abc import Iterable

import click

from . import terminal

_VERBATIM = "\b"  # click's mark of a paragraph whose lines stay as they are


class Formatter(click.HelpFormatter):
    """Formatter of help pages. Long examples are continued after a backslash."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        if width is None:
            there = max(terminal.LEAST, terminal.page_width())
            width = min(there, max_width or terminal.USUAL) - 2
        super().__init__(indent_increment, width, max_width)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms and their meanings side by side, or below each other on a very narrow page."""
        super().write_dl(rows, col_max if self.width >= 50 else self.width // 2, col_spacing)

    def write_text(self, text: str) -> None:
        """Write ``text``, wrapped except for lines of examples that fit."""
        paragraphs = text.split("\n\n")
        room = self.width - self.current_indent
        super().write_text("\n\n".join(_fitted(each, room) for each in paragraphs))


def _fitted(paragraph: str, width: int) -> str:
    if not paragraph.startswith(_VERBATIM):
        return paragraph
    return "\n".join(_continued(line, width) for line in paragraph.split("\n"))


def _continued(line: str, width: int) -> str:
    """A shell command, on several lines if it is longer than ``width``."""
    if len(line) <= width:
        return line
    import textwrap

    margin = " " * (len(line) - len(line.lstrip()))
    parts = textwrap.wrap(
        line.strip(),
        max(1, width - len(margin) - 2),
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return " \\\n".join(margin + part for part in parts)
