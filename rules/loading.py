"""Deal by seed, or read a deal from text, bytes or a file: the public functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from .cards import with_article
from .choices import AgreedRules
from .formats import read_all
from .formats import read_deal as read_bytes
from .formats.text import Deal, Way
from .joker_board import Choices
from .variants import State, Variant, check_choices, find_variant

if TYPE_CHECKING:
    from . import chessboard, joker, klondike, simon

Rules = Choices | Mapping[str, str] | None
"""Values of rule options, such as ``{"exchange": "turned"}``, in games that have them; None for the usual
ones."""


_CHESSBOARD = Literal["chessboard", "fortress"]
_SIMON = Literal["simon-jester", "simon-jester-triangular", "simple-simon"]
_JOKER = Literal["joker"]
_KLONDIKE = Literal[
    "klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one", "klondike-one-pass"
]  # fmt: skip


class Options(TypedDict, total=False):
    """The options of `deal`."""

    ranks: int
    suits: str
    sizes: Sequence[int] | None
    choices: Rules


@overload
def deal(variant: _CHESSBOARD, seed: int, **options: Unpack[Options]) -> chessboard.State: ...
@overload
def deal(variant: _SIMON, seed: int, **options: Unpack[Options]) -> simon.State: ...
@overload
def deal(variant: _JOKER, seed: int, **options: Unpack[Options]) -> joker.State: ...
@overload
def deal(variant: _KLONDIKE, seed: int, **options: Unpack[Options]) -> klondike.State: ...
@overload
def deal(variant: Variant | str, seed: int, **options: Unpack[Options]) -> State: ...
def deal(
    variant: Variant | str,
    seed: int,
    *,
    ranks: int = 13,
    suits: str = "CDHS",
    sizes: Sequence[int] | None = None,
    choices: Rules = None,
) -> State:
    """The start position of ``seed``, a number from 0 to 2^64 - 1, in the game ``variant``.

    ``ranks``, ``suits`` and ``sizes`` are those of a short deck, ``choices`` the rules agreed on: see
    `Variant.deal`. Raises ValueError for an unknown variant, and for what cannot be dealt.
    """
    return find_variant(variant).deal(seed, ranks, suits, sizes, choices)


def read_deal(
    source: str | bytes | PathLike[str],
    variant: Variant | str | None = None,
    choices: Rules = None,
    by: Literal["columns", "rows"] = "columns",
    top: Literal["last", "first"] = "last",
) -> Deal:
    """The deal or position in ``source``, in any format that `formats` reads; its field ``state`` is what
    `solve` takes.

    ``source`` is the text, as a string or as bytes, or the path of a file. A string of a single line is a
    path too, unless it is JSON. Where several cards are unknown the state is a table (see `tables`), which
    `solve` and `hint` take too. ``variant`` may be left out where the text names its game, as a printed state
    does; ``choices`` are the rules agreed on where the text does not say. ``by="rows"`` reads a table that is
    written row by row, ``top="first"`` columns whose top card comes first; ``read_as`` of the deal says how a
    table without a seed was understood. Raises FormatError, a ValueError, naming source and line where it
    cannot be read, where the deal is of another game, and where there is not one deal; ValueError for an
    unknown variant, OSError for a file that cannot be opened.
    """
    asked = None if variant is None else find_variant(variant)
    if isinstance(choices, AgreedRules):
        choices = {name: value for name, value in vars(choices).items() if value is not None}
    agreed = None if choices is None else check_choices(choices)
    return read_bytes(asked, *_bytes_of(source), agreed, Way.of(by, top), True)


def _bytes_of(source: str | bytes | PathLike[str]) -> tuple[bytes, str]:
    """Return the content of ``source``, and its name for messages."""
    if isinstance(source, bytes):
        return source, "<bytes>"
    if isinstance(source, str) and (not source.strip() or "\n" in source or source.lstrip()[0] in "{["):
        return source.encode(), "<text>"
    if isinstance(source, (str, PathLike)):
        with open(source, "rb") as file:
            return read_all(file, str(source)), str(source)
    raise ValueError(f"{with_article(type(source).__name__)}: expected text, bytes or a path")
