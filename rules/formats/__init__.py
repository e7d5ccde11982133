"""Read and write deals and lines of play in all formats; the module of a format is loaded when it is used."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO, Protocol

from ... import SCHEMA
from ..variants import Variant
from . import foreign
from .text import USUAL, Deal, FormatError, Way, format_deal

if TYPE_CHECKING:
    from .. import answers

if TYPE_CHECKING:
    from .partial_board import Draft

MEGABYTES = 256
"""The longest file that is read, so that one without an end, such as /dev/zero, is refused."""

STYLES = ("text", "json", "jsonl", "numbers", *foreign.STYLES)


def read_all(file: BinaryIO, name: str) -> bytes:
    """Read ``file`` to its end and return the bytes. Raises FormatError for more than `MEGABYTES`, and
    OSError."""
    pieces = []  # 1 MB each: reading at once would allocate memory for the longest file
    while piece := file.read(1 << 20):
        pieces.append(piece)
        if len(pieces) > MEGABYTES and sum(map(len, pieces)) > MEGABYTES << 20:
            raise FormatError(
                name, 1, f"more than {MEGABYTES} megabytes: too long for a file of deals or moves"
            )
    return b"".join(pieces)


def read_deals(
    variant: Variant | None,
    data: bytes,
    name: str,
    choices: Mapping[str, str] | None = None,
    way: Way = USUAL,
    tables: bool = False,
) -> Iterator[Deal]:
    """The deals of a file, text or JSON, one by one. Raises FormatError naming ``name`` and the line.

    ``variant`` may be left out where the file names the game of each deal, and a deal of another game is
    refused; ``choices`` are the rules agreed on where the file does not say. ``way`` says how the cards of a
    table are arranged in its lines, or in the lists of JSON. With ``tables`` the state of a deal with several
    unknown cards is a table; else it is refused.
    """
    from .cleaning import decode
    from .text_reader import drafts_of

    found = drafts_of(variant, decode(data, name), name, choices or {}, way)
    return (_deal(draft, name, tables) for draft in found)


def _deal(draft: "Draft", name: str, tables: bool) -> Deal:
    """Return the deal that ``draft`` describes. A single unknown card is filled in; with several the state is
    a table if ``tables`` is true, otherwise FormatError is raised."""
    try:
        return draft.deal(name)
    except FormatError:
        if not (unknown := draft.unknown()) or (len(unknown) > 1 and not tables):
            raise
        from .partial import deal_of

        return deal_of(draft, name)


class LineSource(Protocol):
    """A source of lines in bytes."""

    def readline(self, most: int, /) -> bytes:
        """Return the next line, or its first ``most`` bytes if it is longer; empty at the end."""


def stream_deals(
    variant: Variant | None,
    source: LineSource,
    name: str,
    choices: Mapping[str, str] | None = None,
    way: Way = USUAL,
    tables: bool = False,
) -> Iterator[Deal]:
    """The deals of ``source``, read as by `read_deals`, each yielded before the next one is read: as soon as
    its line of JSON, or in text the blank line after it, has been read."""
    for deal in each_deal(variant, source, name, choices, way, tables):
        if isinstance(deal, FormatError):
            raise deal
        yield deal


def each_deal(
    variant: Variant | None,
    source: bytes | LineSource,
    name: str,
    choices: Mapping[str, str] | None = None,
    way: Way = USUAL,
    tables: bool = False,
) -> Iterator[Deal | FormatError]:
    """The deals of a file, given as its bytes, or of a stream, as `read_deals` and `stream_deals` yield them.
    The error of a bad deal is yielded in its place if the next one is sure to begin after it, otherwise it is
    raised."""
    from .cleaning import decode
    from .streams import each_draft
    from .text_reader import lines_from

    is_stream = not isinstance(source, bytes)
    lines = lines_from(decode(source, name)) if isinstance(source, bytes) else _lines(source, name)
    for draft in each_draft(variant, lines, name, choices or {}, way, is_stream):
        try:
            found = draft if isinstance(draft, FormatError) else _deal(draft, name, tables)
        except FormatError as error:
            found = error
        yield found


def _lines(source: LineSource, name: str) -> Iterator[str]:
    """The decoded lines of ``source``. Text in UTF-16 is read to its end first. Raises FormatError."""
    from .cleaning import decode, is_wide

    most, number = MEGABYTES << 20, 0
    while data := source.readline(most + 1):
        number += 1
        if len(data) > most:
            raise FormatError(name, number, f"more than {MEGABYTES} megabytes: too long for a line of deals")
        if number == 1 and is_wide(data):
            rest = b"".join(iter(lambda: source.readline(most + 1), b""))
            yield from decode(data + rest, name).split("\n")
            return
        yield decode(data, name, number).rstrip("\n")


def read_deal(
    variant: Variant | None,
    data: bytes,
    name: str,
    choices: Mapping[str, str] | None = None,
    way: Way = USUAL,
    tables: bool = False,
) -> Deal:
    """The only deal of a file, read as by `read_deals`. Raises FormatError for any other number of deals."""
    deals = read_deals(variant, data, name, choices, way, tables)
    deal = next(deals)
    if next(deals, None) is not None:
        raise FormatError(name, 1, "more than one deal; expected one")
    return deal


def read_table(
    variant: Variant | None,
    data: bytes,
    name: str,
    choices: Mapping[str, str] | None = None,
    way: Way = USUAL,
) -> Deal:
    """The only position of a file with its seed; partly known positions are allowed: see
    `partial.read_table`."""
    from . import partial
    from .cleaning import decode

    return partial.read_table(variant, decode(data, name), name, choices, way)


def read_solution(data: bytes, name: str, deal: Deal | None = None) -> list[str]:
    """The moves of the line of play in a file, text or JSON. Raises FormatError naming ``name`` and the line,
    also if the file names another game, seed or rule options than those of ``deal``."""
    from . import solutions
    from .cleaning import decode

    return solutions.read_solution(decode(data, name), name, deal)


def answered_deal(variant: Variant | None, data: bytes, name: str, choices: Mapping[str, str]) -> Deal | None:
    """The deal that the JSON answer in a file names by its game and its seed or PySolFC number; None if it
    names none. Raises FormatError if its game is not ``variant``, or its rules are not ``choices``."""
    from . import solutions
    from .cleaning import decode

    return solutions.answered_deal(decode(data, name), name, variant, choices)


def write_deals(variant: Variant | None, deals: Iterable[Deal], style: str, alone: bool) -> Iterator[str]:
    """Write ``deals`` in one of the formats `STYLES`; yields pieces of text with their newlines.

    ``alone`` says that there is only one deal. ``variant`` may be left out, since positions know their game.
    ``json`` is one document; ``jsonl`` has one object per line. In the other formats there is a blank line
    between deals that have more than one line. Raises ValueError for a deal that the format cannot express.
    """
    import json  # the text formats do without

    if style == "json":
        objects = [_object(deal) for deal in deals]
        yield json.dumps(objects[0] if alone else objects, indent=2) + "\n"
        return
    for number, deal in enumerate(deals):
        game = variant or deal.variant
        if style == "jsonl":
            yield json.dumps(_object(deal)) + "\n"
        elif style == "numbers":
            if deal.made or (deal.seed is None and deal.pysol is None):
                raise ValueError("format numbers: expected deals that have a seed or a number in PySolFC")
            yield f"{deal.seed if deal.pysol is None else deal.pysol}\n"
        else:
            program = foreign.sniff("style", style)
            text = format_deal(deal) if program is None else program.write(game, deal.state)
            yield ("\n" if number and "\n" in text[:-1] else "") + text


def _object(deal: Deal) -> "answers.Deal":
    from .json_deals import object_of

    return {"schema": SCHEMA, **object_of(deal)}
