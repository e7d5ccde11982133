"""Bytes from outside to deals and lines of play, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import Variant, solutions
from .json_deals import read_json
from .text import Deal, FormatError, read_text


def decode(data: bytes, name: str) -> str:
    """``data`` as UTF-8 text without a byte order mark. Raises FormatError if it is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(name, line, f"byte {data[error.start]:#04x} is no UTF-8 text") from None


def read_deals(
    variant: Variant, data: bytes, name: str, choices: Mapping[str, str] | None = None
) -> Iterator[Deal]:
    """The deals of a file, text or JSON, one by one. Raises FormatError naming ``name`` and the line.

    ``choices`` are the rules agreed on where the file does not say.
    """
    text = decode(data, name)
    read = read_json if text.lstrip()[:1] in ("{", "[") else read_text
    return read(variant, text, name, choices)


def read_deal(variant: Variant, data: bytes, name: str, choices: Mapping[str, str] | None = None) -> Deal:
    """The only deal of a file. Raises FormatError for any other number of deals."""
    deals = read_deals(variant, data, name, choices)
    deal = next(deals)
    if next(deals, None) is not None:
        raise FormatError(name, 1, "more than one deal; one is needed")
    return deal


def read_solution(data: bytes, name: str) -> list[str]:
    """The line of play of a file, text or JSON. Raises FormatError naming ``name`` and the line."""
    return solutions.read_solution(decode(data, name), name)
