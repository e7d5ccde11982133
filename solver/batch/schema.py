"""Schema of a store of results: header, tables, and a view with words instead of numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import __version__
from ...rules import find_variant
from ..core.record import OUTCOMES, UNDECIDED, UNWINNABLE, VERDICTS, WINNABLE, Record
from ..result import REASONS, Limits

APPLICATION = 0x57494E21  # the application id of our SQLite files
FORMAT = 5
ENGINES = ("compiled", "reference")
_PLAYER = "player "


@dataclass(frozen=True)
class Header:
    """The parameters that the rows of a store were made with.

    ``choices`` are the rule options, by name, of which those that have their usual value are left out;
    ``dealer`` names the source of the deals. ``engine`` is ``compiled``, ``reference``, or ``player`` and the
    name of a player, whose rows are outcomes of games instead of verdicts. If ``scored`` is true, deals of a
    game without tiers have scores, too. ``version`` is that of the first rows.
    """

    variant: str
    dealer: str
    limits: Limits
    choices: Mapping[str, str] = field(default_factory=dict)
    shortest: bool = False
    engine: str = "compiled"
    version: str = __version__
    scored: bool = False

    def __post_init__(self) -> None:
        agreed = find_variant(self.variant).agreed(self.choices)
        object.__setattr__(self, "choices", agreed.changed(self.variant) if agreed else {})

    @property
    def player(self) -> str | None:
        """The name of the player whose games the rows are; None if the deals were decided."""
        return self.engine[len(_PLAYER) :] if self.engine.startswith(_PLAYER) else None

    @staticmethod
    def engine_of(player: str) -> str:
        """The value of ``engine`` for games of the player named ``player``."""
        return _PLAYER + player

    def difference(self, other: "Header") -> str | None:
        """A message with the first difference from ``other``; None if only versions may differ."""
        for name in ("variant", "choices", "dealer", "engine", "shortest", "scored", "limits"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine != its:
                if name == "variant":
                    return f"it holds results for {mine}, not {its}"
                return f"it was made with {_shown(name, mine)}, not with {_shown(name, its)}"
        return None


_FLAGS = {
    "shortest": ("lines of fewest moves", "lines of any length"),
    "scored": ("scores", "verdicts alone"),
}


def _shown(name: str, value: Any) -> str:
    if isinstance(value, Limits):
        units = ("nodes", "seconds", "megabytes", *(["work"] if value.work is not None else []))
        parts = [f"{unit} {getattr(value, unit)}" for unit in units]
        return "limits of " + ", ".join(parts).replace("None", "unlimited")
    if isinstance(value, bool):
        with_it, without = _FLAGS[name]
        return with_it if value else without
    if isinstance(value, Mapping):
        return "the choices " + (", ".join(f"{key} {word}" for key, word in value.items()) or "as usual")
    return f"{name} {value}"


def _words(column: str, names: Sequence[str | None]) -> str:
    """SQL to convert the numbers of ``column`` to ``names``."""
    cases = " ".join(f"WHEN {i} THEN '{name}'" for i, name in enumerate(names) if name)
    return f"CASE {column} {cases} END AS {column}"


TABLES = f"""
CREATE TABLE header (
  variant TEXT NOT NULL, choices TEXT NOT NULL, dealer TEXT NOT NULL, engine TEXT NOT NULL,
  version TEXT NOT NULL, shortest INTEGER NOT NULL, max_nodes INTEGER, max_seconds REAL, max_memory REAL,
  wall_seconds REAL NOT NULL, max_work INTEGER, peak_memory REAL, scored INTEGER NOT NULL DEFAULT 0);
CREATE TABLE retry (
  id INTEGER PRIMARY KEY, version TEXT NOT NULL, max_nodes INTEGER, max_seconds REAL, max_memory REAL,
  max_work INTEGER);
CREATE TABLE deal (
  seed INTEGER PRIMARY KEY, expanded INTEGER NOT NULL, generated INTEGER NOT NULL,
  microseconds INTEGER NOT NULL, moves INTEGER, lower_bound INTEGER, score INTEGER, score_bound INTEGER,
  verdict INTEGER NOT NULL, reason INTEGER NOT NULL, shortest INTEGER NOT NULL, exact INTEGER,
  retry INTEGER REFERENCES retry (id));
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT}
"""


def view(header: Header) -> str:
    """SQL that creates the view ``result`` of a store: the table of deals with words instead of numbers."""
    variant, verdicts = find_variant(header.variant), OUTCOMES if header.player else VERDICTS
    tiers = " ".join(f"WHEN score >= {least} THEN '{tier}'" for tier, least in variant.tiers().items())
    return (
        f"CREATE VIEW result AS SELECT seed, {_words('verdict', verdicts)}, moves, shortest,"
        " lower_bound, score, score_bound,"
        f" CASE {tiers or 'WHEN 0 THEN 0'} END AS tier, exact, expanded, generated, microseconds,"
        f" {_words('reason', REASONS)}, retry, COALESCE((SELECT version FROM retry WHERE id = deal.retry),"
        " (SELECT version FROM header)) AS version FROM deal"
    )


def impossible(header: Header, retries: Iterable[int]) -> list[str]:
    """SQL conditions, each of which holds for no row that `insert` made, of a store whose table ``retry`` has
    the ids ``retries``. Rows of file deals may be of short decks, whose scores say less."""
    variant, is_played = find_variant(header.variant), header.player is not None
    has_score = header.scored or variant.scoring is not None
    numbers = ["seed", "expanded", "generated", "microseconds", "verdict", "reason", "shortest"]
    numbers += ["score"] if has_score else []
    numbers += ["score_bound"] if has_score and not is_played else []
    optional = ("moves", "lower_bound", "score", "score_bound", "exact", "retry")
    wrong = [
        *(f"typeof({name}) <> 'integer'" for name in numbers),
        *(f"typeof({name}) NOT IN ('integer', 'null')" for name in optional),
        *(f"{name} < 0" for name in ("seed", "expanded", "generated", "microseconds")),
        *(f"{name} NOT BETWEEN 0 AND {2**31 - 1}" for name in ("moves", "lower_bound")),
        *(f"{name} NOT IN (0, 1)" for name in ("shortest", "exact")),
        f"verdict NOT BETWEEN 0 AND {UNDECIDED}",
        f"reason NOT BETWEEN 0 AND {len(REASONS) - 1}",
        f"(verdict = {UNDECIDED} AND reason = 0)",
        f"(verdict = {WINNABLE} AND moves IS NULL)",
        "lower_bound > moves",
        "(shortest AND (moves IS NULL OR lower_bound <> moves))",
        f"(retry IS NOT NULL AND retry NOT IN ({', '.join(map(str, retries))}))",
    ]
    if not (has_score or is_played):
        wrong += [f"(verdict <> {WINNABLE} AND moves IS NOT NULL)", "score_bound IS NOT NULL"]
        wrong += [f"(verdict = {UNWINNABLE} AND reason <> 0)"]
    if not (has_score or is_played):
        return wrong
    places = variant.deck().places
    wrong += [f"score NOT BETWEEN 0 AND {places}", f"score_bound NOT BETWEEN score AND {places}"]
    wrong += ["(exact AND score <> score_bound)"]
    if not header.dealer.startswith("file"):
        wins = (least for tier, least in variant.tiers().items() if least)
        least = min(wins, default=places)
        wrong += [f"(verdict = {WINNABLE} AND score < {least})"]
        wrong += [f"(verdict = {UNWINNABLE} AND score >= {least})"]
    return wrong


_NAMES = Record._fields

_OPTIONAL = ("moves", "lower_bound", "score", "score_bound", "exact")  # -1 in a record, NULL in a row


COLUMNS = ", ".join(name if name == "seed" else f"deal.{name}" for name in _NAMES)
"""SQL of the columns of ``deal`` that a record has."""


def _row(values: Mapping[str, str]) -> str:
    """SQL of the values of a row in the order of its columns. ``values`` has the SQL of each field of a
    record."""
    forms = dict.fromkeys(_OPTIONAL, "NULLIF({}, -1)")
    return ", ".join(forms.get(name, "{}").format(values[name]) for name in _NAMES)


def insert(same: Mapping[str, str], rows: int, origin: int | None) -> str:
    """SQL to insert ``rows`` rows, whose column ``retry`` is ``origin``. ``same`` has the values of fields
    that are the same in all rows; the others are parameters."""
    row = f"({_row({**dict.fromkeys(_NAMES, '?'), **same})}, {origin or 'NULL'})"
    return f"INSERT OR REPLACE INTO deal VALUES {', '.join([row] * rows)}"


# SQL to insert the row of a retry. Its parameters are the fields of the record, the number of the retry, and
# the verdict and the seed once more. It does not replace a decided row by an undecided one.
INSERT_AGAIN = (
    f"INSERT OR REPLACE INTO deal SELECT {_row(dict.fromkeys(_NAMES, '?'))}, ?"
    f" WHERE ? <> {UNDECIDED}"
    f" OR NOT EXISTS (SELECT 1 FROM deal WHERE seed = ? AND verdict <> {UNDECIDED})"
)

RESULT_COLUMNS = (
    *("seed", "verdict", "moves", "shortest", "lower_bound", "score", "score_bound", "tier", "exact"),
    *("expanded", "generated", "microseconds", "reason"),
)
"""The columns of the view ``result`` that reports show before the game, its rule options and the version."""
