"""The header of a deal in text: comment lines above its board with its game and its origin.

    # game: fortress
    # seed: 1                    or its number in PySolFC: # pysol: 12345
    # moves made: 5              only in positions: the number of moves since that deal
    # position: in play          in positions that could be taken for a deal that was typed wrongly

Any other comment is ignored.
"""

import re
from collections.abc import Callable
from typing import Any

from ... import SCHEMA
from ..cards import shown
from ..deals import BY_COLUMNS, IN_PLAY, check_seed
from ..remedies import GAME, MendableError
from ..variants import Variant, find_variant
from .foreign.pysol import parse_number

_EXACT = 1 << 53
_IN_PLAY = r"\s*in[\s_-]+play\s*(?:,?\s*by\s+columns)?\s*"
_WRITTEN = rf"(?i)#+\s*(?:(game|seed|pysol|moves\s+made)\s*:(.*)|(position)\s*:({_IN_PLAY}))"


class OtherGameError(ValueError):
    """A file that names another game than the one requested."""


def is_header(comment: str) -> bool:
    """Return whether ``comment``, a line that begins with ``#``, is a line of a header."""
    return re.fullmatch(_WRITTEN, comment) is not None


class Header:
    """The fields of the header of a deal; ``lines`` are the numbers of their lines, by key."""

    def __init__(self) -> None:
        self.game: Variant | None = None
        self.seed: int | None = None
        self.pysol: str | None = None
        self.made: int | None = None
        self.position = ""
        self.lines: dict[str, int] = {}

    def add(self, line: int, comment: str) -> None:
        """Add a line for which `is_header` holds. Raises ValueError for an invalid value, a repeated key, and
        a seed beside a PySolFC number."""
        written = re.fullmatch(_WRITTEN, comment)
        assert written is not None
        name, text = (written[1], written[2]) if written[1] else (written[3], written[4])
        key = " ".join(name.lower().split())
        if key in self.lines:
            raise ValueError(f"{key}: written twice, first in line {self.lines[key]}")
        setattr(self, "made" if key == "moves made" else key, _PARSERS[key](text.strip()))
        self.lines[key] = line
        check_origin(self.seed, self.pysol)


def parse_seed(text: str) -> int:
    """The seed written as ``text``. Raises ValueError."""
    return check_seed(int(text) if re.fullmatch("[0-9]{1,20}", text) else text)  # type: ignore[arg-type]


def seed_of(value: int | str) -> int:
    """The seed that a JSON value holds as a number or as a string of digits. Raises ValueError."""
    return parse_seed(value) if isinstance(value, str) else check_seed(value)


def seed_value(seed: int | None) -> int | str | None:
    """``seed`` as a JSON value: a string of digits from 2^53 on, where numbers of JavaScript are not
    exact."""
    return seed if seed is None or seed < _EXACT else str(seed)


def check_schema(value: object) -> None:
    """Raise ValueError unless ``value``, the schema that a JSON object names, is None or the present
    schema."""
    if value not in (None, SCHEMA):
        raise ValueError(f"schema {shown(value)}: expected {SCHEMA}")


def parse_made(text: str) -> int:
    """The number of moves written as ``text``. Raises ValueError."""
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(f"moves made {shown(text)}: expected a whole number from 0 to 10^9 - 1")
    return int(text)


def parse_position(text: str) -> str:
    """`deals.IN_PLAY` or `deals.BY_COLUMNS`, however ``text`` spells it. Raises ValueError."""
    if not re.fullmatch(_IN_PLAY, text, re.IGNORECASE):
        raise ValueError(f"position {shown(text)}: expected '{IN_PLAY}' or '{BY_COLUMNS}'")
    return BY_COLUMNS if text.lower().endswith("columns") else IN_PLAY


_PARSERS: dict[str, Callable[[str], Any]] = {
    "game": find_variant,
    "seed": parse_seed,
    "pysol": parse_number,
    "moves made": parse_made,
    "position": parse_position,
}


def check_origin(seed: int | None, pysol: str | None) -> None:
    """Raise ValueError for a deal with both a seed and a PySolFC number: it can come from only one of
    them."""
    if seed is not None and pysol is not None:
        raise ValueError(f"seed {seed} and pysol {pysol}: a deal has one of them")


def agreed_game(asked: Variant | None, named: Variant | None, how: str) -> Variant:
    """The game requested by the caller (``asked``) or, if that is None, the game that the file ``named``.
    ``how`` says, for messages, how a file names its game. Raises ValueError if both are given and differ, or
    if both are None."""
    game = named if asked is None else asked
    if game is None:
        raise MendableError(f"which game? Name it in the file ({how}) or along with it", GAME)
    check_same_game(asked, named)
    return game


def check_same_game(asked: Variant | None, named: Variant | None) -> None:
    """Raise OtherGameError if the game ``asked`` for and the game ``named`` by the file are both given and
    differ."""
    if asked is not None and named is not None and asked.name != named.name:
        raise OtherGameError(f"this is a deal of {named.name}, but {asked.name} was named")


def format_header(
    game: str,
    seed: int | None = None,
    pysol: str | None = None,
    made: int | None = None,
    mark: str = "",
) -> list[str]:
    """The lines of a header. The number of moves ``made`` is written only beside a seed or PySolFC number;
    the ``mark`` of a position in play is written unless the number of moves is."""
    values = {"game": game, "seed": seed, "pysol": pysol}
    if made and (seed is not None or pysol is not None):
        values["moves made"] = made
    elif mark:
        values["position"] = mark
    return [f"# {key}: {value}" for key, value in values.items() if value is not None]
