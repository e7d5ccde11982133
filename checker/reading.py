"""How a certificate is read from a file: its header, and its positions with the reason of each.

The file is from anybody. So nothing is believed of it: lines have a greatest length, nothing is allocated
because a number says so, and what is held is counted against a limit.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from ..rules.cards import shown

FORMAT = 1
LONGEST_HEADER = 1 << 16
LONGEST_LINE = 1 << 11
BYTES_A_POSITION = 250
"""What a position takes beside its characters: two strings and a place in a table."""


class Refused(ValueError):  # noqa: N818 - a verdict
    """The certificate is not accepted; the message says why."""


@dataclass(frozen=True)
class Header:
    """What a certificate says of itself. ``positions`` is how many there are, or ``clauses`` how many lines
    there are of clauses; ``seed`` is None for a deal
    that has none, ``value`` for a claim without a number; ``line`` are moves in the notation of the game,
    from ``dealt`` on, which is the position with its columns in the order in which the moves count them."""

    game: str
    seed: int | None
    choices: dict[str, str]
    ranks: int
    suits: str
    columns: int
    start: str
    claim: str
    value: int | None
    line: tuple[str, ...]
    dealt: str | None
    lemmas: tuple[str, ...]
    positions: int
    clauses: int = 0


@contextmanager
def opened(source: str | BinaryIO) -> Iterator[BinaryIO]:
    """The decompressed content of a file, by its path or open. Raises Refused for what is no gzip file, or a
    damaged one."""
    try:
        with gzip.open(source) as file:
            yield cast(BinaryIO, file)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise Refused(f"no whole gzip file: {error}") from None


def read_header(file: BinaryIO) -> Header:
    """The header, the first line. Raises Refused."""
    line = file.readline(LONGEST_HEADER)
    if not line.endswith(b"\n"):
        raise Refused("line 1: a header is needed, one line of JSON")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused("line 1: a header is needed, one line of JSON") from None
    if not isinstance(fields, dict) or str(fields.get("certificate")) != str(FORMAT):
        raise Refused(f"line 1: no certificate of format {FORMAT}")
    return _header_of(fields)


def _header_of(fields: dict[str, Any]) -> Header:
    def take(name: str, kind: type, default: Any = ...) -> Any:
        value = fields.get(name, default)
        if value is default and default is not ...:
            return default
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Refused(f"line 1: {name}: {shown(value) if name in fields else 'missing'}")
        return value

    def texts(name: str) -> tuple[str, ...]:
        values = take(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise Refused(f"line 1: {name}: texts are needed")
        return tuple(values)

    choices = take("choices", dict, {})
    if not all(isinstance(value, str) for value in choices.values()):
        raise Refused("line 1: choices: texts are needed")
    return Header(
        game=take("game", str),
        seed=take("seed", int, None),
        choices=choices,
        ranks=take("ranks", int),
        suits=take("suits", str),
        columns=take("columns", int),
        start=take("start", str),
        claim=take("claim", str),
        value=take("value", int, None),
        line=texts("line"),
        dealt=take("dealt", str, None),
        lemmas=texts("lemmas"),
        positions=take("positions", int, 0),
        clauses=take("clauses", int, 0),
    )


def read_positions(file: BinaryIO, header: Header, max_bytes: float) -> dict[str, str]:
    """The positions as they are written, each with its reason, both as text. Raises Refused for lines of
    another form, a position that is there twice, more or fewer of them than the header says, or more than
    ``max_bytes`` of memory."""
    reasons: dict[str, str] = {}
    held = 0
    while True:
        line = file.readline(LONGEST_LINE)
        number = len(reasons) + 2
        if line == b"end\n":
            break
        if not line.endswith(b"\n") or not line.isascii():
            raise Refused(f"line {number}: a position is needed, or the end")
        reason, colon, position = line[:-1].decode("ascii").partition(": ")
        if not colon:
            raise Refused(f"line {number}: a reason and a position are needed")
        if position in reasons:
            raise Refused(f"line {number}: the position is there twice")
        if len(reasons) == header.positions:
            raise Refused(f"line {number}: more positions than the {header.positions:,} of the header")
        held += len(line) + BYTES_A_POSITION
        if held > max_bytes:
            raise Refused(f"line {number}: more than {max_bytes / 1e6:g} MB of positions")
        reasons[position] = reason
    if len(reasons) != header.positions:
        raise Refused(f"{len(reasons):,} positions, where the header says {header.positions:,}")
    if file.read(1):
        raise Refused(f"line {len(reasons) + 3}: something follows the end")
    return reasons
