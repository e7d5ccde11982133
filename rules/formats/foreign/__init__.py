"""Formats of other programs, one module a program, which is imported when something is of that program.

Our readers and writers name no program but PySolFC, whose numbers are in our own formats: they ask for the
program of a sign that they met, `sniff`. Its module has what the signs in its row of `PROGRAMS` ask for:

    field     ``read_field(draft, line, field, text)`` adds a field to the draft of a board
    line      ``read_line(text)``: the cards of a deal that is one line, in the order of dealing
    document  ``read(variant, text, name, agreed)``: the drafts in a whole text
    key       ``read(variant, object, draft)`` fills the draft with a JSON object that has this key
    style     ``write(variant, state)``: the text of a deal
    move      the class ``Line``, a `lines.Line` whose moves match this pattern
    notation  ``write_line(steps)``: the text of a line of play, given as steps of `lines`
"""

import re
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from ...variants import Variant

_WORD = r"DR[0-9]{1,3}|NEW|F[1-7]|[W1-7CDHS][1-7CDHS](?:-[0-9]{1,2})?"
_PAIR = "@|[A-L][B-L]"
_CARDLIKE = "[1-7CDHS][CDHS]|[CDHS][1-7]|[AJK][CDH]"  # pattern of moves that may be cards


class Program(NamedTuple):
    """The signs of a program, each a pattern of the whole; the cards of some fields, ``piles``, may take
    several lines."""

    field: str = ""
    piles: str = ""
    line: str = ""
    document: str = ""
    key: str = ""
    style: str = ""
    move: str = ""
    notation: str = ""


PROGRAMS = {
    "solvitaire": Program("solvitaire", key="tableau piles", style="solvitaire"),
    "fc_solve": Program(style="fc-solve"),
    "klondike_solver": Program(
        "game", line="[0-9]{9,}", style="klondike-solver", move=_WORD, notation="klondike-solver"
    ),
    "ksolve": Program("ran|talon|nalot|nolat", "talon|nalot|nolat", move=_WORD, notation="ksolve"),
    "minimal_klondike": Program("minimalklondike", move=_PAIR, notation="minimalklondike"),
    "lonelybot": Program("lonelybot|lonelybot_seed", move=_PAIR),
    "kpat": Program("kpat", document=r"(?s:\s*<(?:\?xml|!DOCTYPE|kpat-game|dealer)\b.*)"),
    "greenfelt": Program("greenfelt"),
    "microsoft": Program("microsoft"),
    "jurca": Program(line="[a-zA-Z]{50,52}"),
}
"""The programs by their modules, in the order in which they are tried."""


def _all(sign: str) -> tuple[str, ...]:
    return tuple(filter(None, "|".join(getattr(program, sign) for program in PROGRAMS.values()).split("|")))


FIELDS, PILES, STYLES, NOTATIONS = map(_all, ("field", "piles", "style", "notation"))
"""The fields of boards, each of which may be its first; those that are piles; the formats in which deals, and
the notations in which lines of play of Klondike are written."""

NUMBER = "KPat: 1"
"""An example of a deal named by its number."""

CARDS = 52
WHOLE_DECK = "write 'MinimalKlondike:' before them if they are a deal of that program"
"""The end of a message about a line of `CARDS` cards, which is too long for a column."""


def name_of(sign: str, *texts: str) -> str | None:
    """The first program whose ``sign``, a field of `Program`, matches one of ``texts``; else None."""
    return next((found.lastgroup for text in texts if (found := _pattern(sign).fullmatch(text))), None)


@cache
def _pattern(sign: str) -> re.Pattern[str]:
    rows = [(name, getattr(program, sign)) for name, program in PROGRAMS.items()]
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in rows if pattern))


def sniff(sign: str, *texts: str) -> Any:
    """The module of the program that `name_of` names; else None."""
    return module(name) if (name := name_of(sign, *texts)) else None


def module(name: str) -> Any:
    """The module of a program."""
    return import_module(f".{name}", __package__)


def tokens_of(text: str) -> list[str] | None:
    """The moves of ``text`` if it is a line of play of a program; None if it is not, or if it may be a row
    of cards."""
    words = text.split()
    if not words or not all(re.fullmatch(_WORD, word) for word in words):
        plain = "".join(words)
        words = re.findall(_PAIR, plain) if re.fullmatch(f"(?:{_PAIR})+", plain) else []
    return None if all(re.fullmatch(_CARDLIKE, word) for word in words) else words


def check_game(variant: Variant, what: str) -> None:
    """Raise ValueError unless ``variant`` deals as Klondike does; ``what`` begins the message, such as the
    format."""
    if variant.jokers or variant.sizes != (1, 2, 3, 4, 5, 6, 7):
        raise ValueError(f"{what}: expected a game that deals as Klondike, got {variant.name}")
