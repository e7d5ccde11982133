"""Width of the terminal, and text wrapped to it; output elsewhere is unchanged."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any, TextIO

LEAST = 20
"""The smallest width in columns."""

USUAL = 80
"""The width of a terminal of unknown width."""

_GAP = "  "
_TITLED = r"(\s*\S+(?: \S+)*? {2,})\S"


def columns(stream: TextIO | None = None) -> int | None:
    """The width of the terminal ``stream``, by default standard output; None if it is not a terminal."""
    stream = stream or sys.stdout
    if not stream.isatty():
        return None
    asked = os.environ.get("COLUMNS", "")
    if re.fullmatch("[1-9][0-9]{0,4}", asked):
        return max(LEAST, int(asked))
    return max(LEAST, real_columns(stream))


def real_columns(stream: TextIO) -> int:
    """The actual width of the terminal ``stream``, regardless of settings; the usual width if it is
    unknown."""
    with suppress(OSError, ValueError):  # a terminal without a size
        return os.get_terminal_size(stream.fileno()).columns or USUAL
    return USUAL


def page_width() -> int:
    """The width of help pages; the usual width in a pipe."""
    asked = os.environ.get("COLUMNS", "")
    return int(asked) if re.fullmatch("[1-9][0-9]{0,4}", asked) else columns() or USUAL


def fit(text: str, width: int | None = None) -> str:
    """``text`` with its long lines wrapped to ``width``, by default that of the terminal. Continuations are
    aligned with the second column of the line, which two spaces precede, or indented a little deeper than the
    line."""
    width = width or columns()
    if width is None:
        return text
    return "\n".join(line if len(line) <= width else _wrapped(line, width) for line in text.split("\n"))


def fit_comment(line: str) -> str:
    """Wrap ``line`` to the terminal, with continuation lines as comments, since the text may be read as part
    of a line of play."""
    width = columns()
    if width is None or len(line) <= width:
        return line
    deeper = 0 if line.lstrip().startswith("#") else 2
    return _filled(line, width, " " * (_margin(line) + deeper) + "# ")


def _wrapped(line: str, width: int, deeper: int = 2) -> str:
    row = re.match(_TITLED, line)
    margin = _margin(line)
    hanging = row.end() - 1 if row else margin + deeper
    if hanging > width // 2:
        hanging = min(margin + 2, width // 2)
    return _filled(line, width, " " * hanging)


def _filled(line: str, width: int, hanging: str) -> str:
    import textwrap

    return textwrap.fill(
        line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
    )


def refilled(text: str) -> str:
    """Rewrap the paragraphs of ``text`` if the terminal is narrower than its lines.

    A line is taken as the continuation of the line before if that line ends in mid-sentence, or has no space
    for its first word. Lines with columns separated by two spaces are kept.
    """
    width = columns()
    lines = text.split("\n")
    most = max(map(len, lines))
    if width is None or most <= width:
        return text
    paragraphs: list[str] = []
    before = ""  # the last line of the original text
    for line in lines:
        if _goes_on(before, line, most):
            paragraphs[-1] += f" {line.strip()}"
        else:
            paragraphs.append(line)
        before = line
    return "\n".join(_wrapped(each, width, 0) if len(each) > width else each for each in paragraphs)


def _goes_on(before: str, line: str, most: int) -> bool:
    """Test if ``line`` continues the paragraph of the line ``before``; ``most`` is the length of the longest
    line."""
    if not before.strip() or not line.strip() or _margin(before) != _margin(line) or _margin(line) == 0:
        return False
    if re.match(_TITLED, before) or re.match(_TITLED, line):
        return False
    is_full = len(before) + 1 + len(line.split()[0]) > most
    return is_full or not before.endswith((".", ":", ";"))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def board(picture: Mapping[str, Any], wing: int | None = None) -> str:
    """A position, a `rules.layout.picture`, as it lies on the table: the piles with their top cards (of the
    waste the top three), then the columns below their numbers, with a bar after the first ``wing`` columns.
    Face-down cards are in brackets."""
    piles = []
    for pile in picture["piles"]:
        cards = pile["cards"].split()
        match pile["kind"]:
            case "stock":
                piles.append(f"stock {pile['note']}")
            case "waste":
                piles.append(" ".join([f"waste {pile['note']}:", *cards[-3:]]))
            case "foundation" | "runs":
                piles.append(
                    " ".join(filter(None, (pile["name"], cards[-1] if cards else "--", pile["note"])))
                )
    columns = [column.split() for column in picture["columns"]]
    width = max((len(card) for column in columns for card in column), default=2)
    rows = [[str(number) for number in range(1, len(columns) + 1)]]
    rows += [list(row) for row in zip_longest(*columns, fillvalue="")]
    lines = []
    for row in rows:
        cells = [f"{cell:>{width}}" for cell in row]
        if wing is not None:
            cells.insert(wing, "|")
        lines.append(" ".join(cells).rstrip())
    return "\n".join([fit("   ".join(piles)), *picture["jokers"], "", *lines, ""])


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], margin: str = "") -> list[str]:
    """The lines of a table whose first column is aligned left and the others right. A table wider than the
    terminal is split into parts, each with the first column and as many others as fit."""
    width = columns() or sys.maxsize
    cells = [list(heads), *(list(row) + [""] * (len(heads) - len(row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines: list[str] = []
    for part in _parts(widths, width - len(margin)):
        lines += [""] if lines else []
        lines += [margin + _row([row[i] for i in part], [widths[i] for i in part]) for row in cells]
    return [line.rstrip() for line in lines]


def _parts(widths: list[int], width: int) -> list[list[int]]:
    """The indices of the columns in each part of a table: the first column and at least one other."""
    parts, used = [[0]], widths[0]
    for column in range(1, len(widths)):
        used += len(_GAP) + widths[column]
        if used > width and len(parts[-1]) > 1:
            parts.append([0])
            used = widths[0] + len(_GAP) + widths[column]
        parts[-1].append(column)
    return parts


def _row(cells: list[str], widths: list[int]) -> str:
    first, *others = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    return _GAP.join([f"{cells[0]:<{len(first)}}", *others])
