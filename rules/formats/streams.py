"""Deals that are read line by line. A bad deal does not end the reading where the next one is sure to begin:
at the next line of JSON, and in text at the next ``# game:``."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from ..variants import Variant
from . import foreign
from .header import is_header
from .json_deals import json_drafts
from .partial_board import Draft
from .text import FormatError, Way
from .text_reader import drafts, drafts_of, is_json

Drafts = Iterator[Draft | FormatError]
_GAME = r"(?i)#\s*game\s*:"
_DECODER = json.JSONDecoder()
_REST = re.compile(r"\S")


def each_draft(
    variant: Variant | None,
    lines: Iterable[str],
    name: str,
    agreed: Mapping[str, str],
    way: Way,
    is_stream: bool,
) -> Drafts:
    """The boards of ``lines``, each yielded before the next one is read, and the errors of bad ones in their
    places. The parameters are those of `drafts`. Raises FormatError where a bad board may go on."""
    rest = iter(lines)
    passed: list[str] = []
    for first in rest:
        passed.append(first)
        if first.strip() not in ("", "[]"):
            break
    begun, every = "\n".join(passed), chain(passed, rest)
    if foreign.sniff("document", begun) is not None:
        return drafts_of(variant, "\n".join(every), name, agreed, way)
    if is_json(begun):
        return _of_json(lambda text, first: json_drafts(variant, text, name, agreed, first, way), every)
    return _of_text(lambda text, first: drafts(variant, text, name, agreed, is_stream, way, first), every)


def _of_json(read: Callable[[str, int], Iterator[Draft]], lines: Iterable[str]) -> Drafts:
    """The boards that ``read`` finds in lines of JSON, from a number on. From a line on that ends within a
    value, the rest is read as one text, unless the next line is a deal, which no deal has within it."""
    numbered, are_lines = enumerate(lines, 1), False
    waiting: tuple[int, str] | None = None
    while (found := waiting or next(numbered, None)) is not None:
        (number, line), waiting = found, None
        if not line.strip():
            continue
        if not are_lines and number > 1 and line.lstrip()[:1] not in "{[":
            return  # after an error
        is_list = line.lstrip()[0] == "["
        if (ending := _ending(line)) == "open" or (is_list and ending == "broken"):
            more: list[tuple[int, str]] = []
            while not (more and more[-1][1].strip()) and (found := next(numbered, None)):
                more.append(found)
            waiting = more[-1] if more else None
            if waiting and waiting[1].strip() and (is_list or not _is_deal(waiting[1])):
                text = "\n".join([line, *(each for _, each in chain(more, numbered))])
                yield from read(text, number)
                return
        try:
            yield from read(line, number)
            are_lines = True
        except FormatError as error:
            if is_list:
                raise
            are_lines |= ending == "whole"
            yield error


def _ending(text: str) -> str:
    """``whole`` for JSON values, ``open`` for JSON that may go on in the next line, else ``broken``."""
    at = 0
    try:
        while (rest := _REST.search(text, at)) is not None:
            _, at = _DECODER.raw_decode(text, rest.start())
    except json.JSONDecodeError as error:
        return "open" if error.pos >= len(text.rstrip()) else "broken"
    except (ValueError, RecursionError):
        return "broken"
    return "whole"


def _is_deal(text: str) -> bool:
    """Return whether ``text`` is a deal in JSON."""
    value = json.loads(text) if _ending(text) == "whole" else None
    return isinstance(value, dict) and bool("columns" in value or foreign.sniff("key", *value))


class _Lines:
    """An iterator over lines that knows the ``last`` one, its ``number``, the last one ``before`` it that is
    not blank, and whether the end was met."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._rest = iter(lines)
        self.number, self.last, self.before, self.are_over = 0, "", "", False

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        self.before = self.last if self.last.strip() else self.before
        self.are_over = True
        self.last = next(self._rest)
        self.are_over = False
        self.number += 1
        return self.last

    def begins(self) -> bool:
        """Return whether a deal begins with the last line: with a ``# game:`` that is not within a header."""
        return bool(re.match(_GAME, self.last.strip())) and not is_header(self.before.strip())


def _of_text(read: Callable[[Iterable[str], int], Iterator[Draft]], lines: Iterable[str]) -> Drafts:
    """The boards that ``read`` finds in lines of text, from a number on. After an error the next board begins
    at the next ``# game:``."""
    rest = _Lines(lines)
    begun: list[str] = []
    while True:
        try:
            yield from read(chain(begun, rest), rest.number + 1 - len(begun))
            return
        except FormatError as error:
            if rest.are_over:
                raise
            yield error
            is_there = error.line != rest.number and rest.begins()  # its next line was read, too
        if not (is_there or any(rest.begins() for _ in rest)):
            return
        begun = [rest.last]
