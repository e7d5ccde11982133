"""The text format of lines of play: its reader and its writer.

    Solution: 155 moves (7S 10-f: the 7 of spades from column 10 to its foundation; 7S 10-3: to column 3)
      1. 7S 10-f     2. 8H 4-3     3. ...

The reader takes the numbered moves and the number in the first line and passes over everything else; without
a number anywhere, each line is one move. In JSON a line of play is a list of strings, or the ``solution`` of
an object.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .cards import shown
from .json_deals import json_values
from .text import FormatError

_WIDTH = 96
_NUMBERED = re.compile(r"([0-9]+)\.\s+(\S+\s+[^\s.]+)(?=\s|$)")


def format_solution(moves: Sequence[str], legend: str, width: int | None = None) -> str:
    """``moves`` numbered, several a row, under a line that says how many and how to read them. The rows are
    no longer than ``width``, but hold one move at least."""
    lines = [f"Solution: {len(moves)} move{'' if len(moves) == 1 else 's'} ({legend})"]
    digits = len(str(len(moves)))
    cell = max(map(len, moves), default=0) + digits + 4
    per_row = max(1, min(_WIDTH, (width or _WIDTH + 2) - 2) // cell)
    cells = [f"{number:>{digits}}. {move}".ljust(cell) for number, move in enumerate(moves, 1)]
    for i in range(0, len(cells), per_row):
        lines.append("  " + "".join(cells[i : i + per_row]).rstrip())
    return "\n".join(lines) + "\n"


def read_solution(text: str, name: str) -> list[str]:
    """The moves of a line of play, as text. Raises FormatError naming ``name`` and the line."""
    if text.lstrip()[:1] in ("{", "["):
        return _read_json(text, name)
    moves: list[str] = []
    promised = None
    for line, written in enumerate(text.split("\n"), 1):
        content = written.strip()
        header = re.match(r"Solution: ([0-9]{1,9}) move", content)
        if header is not None:
            if promised is not None:
                raise FormatError(name, line, "a second solution begins; one is needed")
            promised = int(header[1])
        elif re.match(r"[0-9]+\.", content):
            moves += _numbered(content, len(moves) + 1, name, line)
    if promised is None and not moves:
        moves = _plain(text, name)
    if promised is not None and promised != len(moves):
        raise FormatError(name, text.count("\n") + 1, f"{promised} moves are announced, {len(moves)} follow")
    return moves


def _numbered(content: str, first: int, name: str, line: int) -> list[str]:
    """The moves of one row, which must be numbered on from ``first``."""
    moves: list[str] = []
    at = 0
    while at < len(content):
        match = _NUMBERED.match(content, at)
        if match is None:
            raise FormatError(name, line, f"{shown(content[at:])} is no numbered move, such as '1. 7S 10-f'")
        number, move = match.groups()
        if number.lstrip("0") != str(first + len(moves)):
            raise FormatError(name, line, f"move {first + len(moves)} is due, found {shown(number)}")
        moves.append(" ".join(move.split()))
        at = match.end() + len(content[match.end() :]) - len(content[match.end() :].lstrip())
    return moves


def _plain(text: str, name: str) -> list[str]:
    moves = []
    for line, written in enumerate(text.split("\n"), 1):
        content = " ".join(written.split())
        if not content or content.startswith("#"):
            continue
        if not re.fullmatch(r"\w+ \w+[-=]\w+", content):
            raise FormatError(name, line, f"{shown(content)} is no move, such as '7S 10-f'")
        moves.append(content)
    if not moves:
        raise FormatError(name, 1, "no solution found")
    return moves


def _read_json(text: str, name: str) -> list[str]:
    values = list(json_values(text, name))
    line, value = values[0]
    if len(values) > 1:
        raise FormatError(name, values[1][0], "a second solution begins; one is needed")
    moves = value.get("solution") if isinstance(value, dict) else value
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise FormatError(name, line, 'solution: a list of moves is needed, such as ["7S 10-f"]')
    return [" ".join(move.split()) for move in moves]
