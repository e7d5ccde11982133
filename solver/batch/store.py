"""A store of results in an SQLite file: one row a deal, one header, one transaction a chunk.

A killed process loses only its unfinished chunks. Only one process can write at a time: it holds the write
lock from one commit to the next, so that a second writer gets an error. Readers are not blocked.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...rules import find_variant
from ...rules.formats.header import seed_value
from ..core.intervals import wilson
from ..core.record import OUTCOMES, UNDECIDED, VERDICTS, Record, Records
from ..result import Limits
from .chunk import CardDeals, Piece, PysolDeals
from .schema import (
    APPLICATION,
    COLUMNS,
    ENGINES,
    FORMAT,
    INSERT_AGAIN,
    RESULT_COLUMNS,
    TABLES,
    Header,
    impossible,
    insert,
    view,
)

if TYPE_CHECKING:
    import numpy as np
    import pandas  # type: ignore[import-untyped]
    from numpy.typing import NDArray

SEEDS = (1 << 63) - 1  # the greatest integer of SQLite
_AT_ONCE = 64  # rows inserted by one statement
_WHOLE = ("length", "lower_bound", "score", "score_bound", "expanded", "generated", "max_nodes", "max_work")
_KINDS = dict.fromkeys(_WHOLE, "Int64") | {"shortest": "boolean", "exact": "boolean"}
_KINDS |= dict.fromkeys(("cpu_seconds", "max_seconds", "max_megabytes"), "Float64")
"""The types of columns of tables; other columns are strings."""

_LIMITS = ("max_nodes", "max_seconds", "max_megabytes", "max_work")  # columns of reports


class StoreError(Exception):
    """Raised if a store cannot be read or written; the message names the file."""


class Store:
    """An open store, made by `write`, `read` or `merge`; a context manager.

    Methods with an argument ``ranges`` select rows by ranges of seeds; for None, all rows. Errors of SQLite
    raise StoreError.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, uri: str = "") -> None:
        self.connection = connection
        self.name = name
        self.uri = uri
        self.origin: int | None = None  # id in the table `retry` for new rows; None for the header
        self.tried: list[int] = [0]  # ids in `retry` with the present limits; 0 for the header
        self.is_retry = False
        self.keeps_rows = True
        self.passed = 0  # number of rows that were not kept
        self.is_writer = False
        self.place: tuple[int, int] | None = None  # device and inode of the file written; None if temporary

    def _repr_html_(self) -> str:
        """The rate with its interval as HTML, for notebooks."""
        from ...rules.drawing import interval, table

        lost, won, undecided = self.verdicts
        counts = {lost: 0, won: 0, undecided: 0} | dict(self.select("verdict, COUNT(*)", tail="GROUP BY 1"))
        deals, most = sum(counts.values()), counts[won] + counts[undecided]
        rows = [("deals", f"{deals:,}"), *((name, f"{counts[name]:,}") for name in (won, lost, undecided))]
        ends = wilson(counts[won], deals)[0], wilson(most, deals)[1]
        drawn = interval(counts[won] / deals, *ends) if deals else ""
        return f"<b>{self.header.variant}</b> {drawn}{table((), rows)}"

    @classmethod
    def write(cls, path: str | None, header: Header, retry: bool = False) -> Store:
        """Open or create the store at ``path`` for writing, or a temporary one if it is None.

        If ``retry`` is true, new rows replace undecided ones and may have other limits than the header. Rows
        made by another version than that of the header record theirs. Raises StoreError if the store was made
        with another header, is being written by another process, or is damaged.
        """
        if path == "":
            raise StoreError("'': expected the name of a file")
        name = path or "temporary store"
        with _errors_named(name):
            folder = os.path.dirname(name) or "."
            if path and not os.path.isdir(folder):
                raise StoreError(f"{name}: no such folder: {folder}")
            place = os.path.abspath(path) if path else ""  # absolute, so that ``:memory:`` is a file name
            store = cls(sqlite3.connect(place, timeout=0.2, isolation_level=None, uri=not path), name)
            try:
                store._open_to_write(header, retry)
                store.place = _place_of(path) if path else None
            except BaseException:
                store.connection.close()
                raise
        return store

    def _open_to_write(self, header: Header, retry: bool) -> None:
        is_new = not self._value("SELECT COUNT(*) FROM sqlite_master")
        if not is_new:
            self._check_format()
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute("BEGIN IMMEDIATE")
        self.is_writer = True
        if not self._value("SELECT COUNT(*) FROM sqlite_master"):
            self._make(header)
        elif (problem := self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise StoreError(f"{self.name}: the store is damaged: {' '.join(problem.split())}")
        self._check_rows()
        there = self.header
        wanted = replace(header, limits=there.limits) if retry else header
        if problem := there.difference(wanted):
            raise StoreError(f"{self.name}: {problem}; use another file, or the same parameters")
        self.is_retry = retry
        self.origin = self._origin_of(header.version, header.limits)
        origins = self._origins().items()
        self.tried = [origin or 0 for origin, (_, limits) in origins if limits == header.limits]
        self._commit()

    def _make(self, header: Header) -> None:
        for statement in (*TABLES.split(";"), view(header)):
            self.connection.execute(statement)
        usual = {name: values[0] for name, values in find_variant(header.variant).choices.items()}
        row = (header.variant, json.dumps(usual | dict(header.choices)), header.dealer, header.engine)
        limits = header.limits
        self.connection.execute(
            "INSERT INTO header VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, NULL, ?)",
            (*row, header.version, header.shortest, *_values(limits), header.scored),
        )

    def _origins(self) -> dict[int | None, tuple[str, Limits]]:
        """The version and the limits of rows by their column ``retry``; those of the header for None. Raises
        StoreError if they are damaged."""
        header = self.header
        origins: dict[int | None, tuple[str, Limits]] = {None: (header.version, header.limits)}
        with _errors_named(self.name):
            rows = self.connection.execute(
                "SELECT id, version, max_nodes, max_seconds, max_memory, max_work FROM main.retry ORDER BY id"
            ).fetchall()
        for number, version, *limits in rows:
            try:
                origins[number] = (_text("version", version), Limits(*limits))
            except ValueError as error:
                raise StoreError(f"{self.name}: the store is damaged: its table retry: {error}") from None
        return origins

    def _origin_of(self, version: str, limits: Limits) -> int | None:
        """The value of the column ``retry`` for rows of ``version`` and ``limits``: None if they are those of
        the header, otherwise the id in the table ``retry``, where they are added if missing."""
        for number, origin in self._origins().items():
            if origin == (version, limits):
                return number
        values = (version, *_values(limits))
        return self.connection.execute("INSERT INTO retry VALUES (NULL, ?, ?, ?, ?, ?)", values).lastrowid

    def versions(self, ranges: Sequence[range] | None = None) -> dict[str, int]:
        """The number of rows made by each version, the header's version first."""
        origins = self._origins()
        counts = [f"TOTAL(retry IS {number or 'NULL'})" for number in origins]
        (found,) = self.select(", ".join(counts), ranges, "ORDER BY 1")
        versions: dict[str, int] = {}
        for (version, _), count in zip(origins.values(), found, strict=True):
            if count:
                versions[version] = versions.get(version, 0) + int(count)
        return versions

    @classmethod
    def read(cls, path: str) -> Store:
        """Open the store at ``path`` for reading, also while another process writes to it. Raises StoreError
        if it is not a store or damaged."""
        with _errors_named(path):
            if not os.path.isfile(path):
                raise StoreError(f"{path}: {'not a file' if os.path.exists(path) else 'no such file'}")
            from pathlib import Path

            uri = Path(path).absolute().as_uri()
            for mode in ("mode=ro", "mode=ro&immutable=1"):  # the second for folders that cannot be written
                connection = sqlite3.connect(f"{uri}?{mode}", timeout=5, isolation_level=None, uri=True)
                store = cls(connection, path, f"{uri}?{mode}")
                try:
                    store._check_format()
                    store._check_rows()
                    return store
                except BaseException as error:
                    store.connection.close()
                    if not isinstance(error, sqlite3.OperationalError) or mode != "mode=ro":
                        raise
            raise AssertionError

    @classmethod
    def merge(cls, paths: Sequence[str]) -> Store:
        """Merge the stores at ``paths`` into one store for reading. A decided row of a seed is preferred.

        Raises StoreError if the stores are of different variants, rule options or dealers, or contradict one
        another.
        """
        if len(paths) == 1:
            return cls.read(paths[0])
        merged: Store | None = None
        for path in paths:
            with cls.read(path) as shard:
                header = shard.header
                if merged is None:
                    merged = cls.write(None, header)
                    merged.connection.execute("COMMIT")
                there = merged.header
                if problem := replace(header, limits=there.limits).difference(there):
                    raise StoreError(f"{path}: it cannot be combined with {paths[0]}: {problem}")
                merged._take_in(shard)
        assert merged is not None
        return merged

    def _take_in(self, shard: Store) -> None:
        """Add the rows of ``shard``. Raises StoreError if one contradicts a row that is there."""
        with _errors_named(shard.name):
            origins = {old: self._origin_of(*made) or "NULL" for old, made in shard._origins().items()}
            cases = "".join(f" WHEN {old} THEN {new}" for old, new in origins.items() if old)
            origin = f"CASE deal.retry{cases or ' WHEN 0 THEN 0'} ELSE {origins[None]} END"
            self.connection.execute("ATTACH ? AS shard", (shard.uri,))
            same = "deal.reason + known.reason = 0" if shard.header.player else "deal.exact AND known.exact"
            contradiction = self.connection.execute(
                f"SELECT seed FROM shard.deal AS deal JOIN main.deal AS known USING (seed)"
                " WHERE deal.verdict + known.verdict = 1"
                f" OR ({same} AND deal.score <> known.score)"
            ).fetchone()
            if contradiction:
                raise StoreError(f"{shard.name}: seed {contradiction[0]} contradicts the stores before it")
            self.connection.execute(
                f"INSERT OR REPLACE INTO main.deal SELECT {COLUMNS}, {origin}"
                " FROM shard.deal AS deal"
                " LEFT JOIN main.deal AS known USING (seed)"
                f" WHERE known.seed IS NULL OR known.verdict = {UNDECIDED}"
            )
            self._spend(shard.wall_seconds, shard.peak_memory)
            self.connection.execute("DETACH shard")

    def _check_format(self) -> None:
        if self._value("PRAGMA application_id") != APPLICATION:
            raise StoreError(f"{self.name}: expected a file of stored results")
        if self._value("PRAGMA user_version") != FORMAT:
            raise StoreError(f"{self.name}: this store was made by another version of winnable")

    def _check_rows(self) -> None:
        """Raise StoreError for a header, a row or a retry with impossible values, which is damaged."""
        header = self.header
        for column, value in (("wall_seconds", self.wall_seconds), ("peak_memory", self.peak_memory or 0)):
            if value < 0:
                raise StoreError(f"{self.name}: the store is damaged: its header: {column}")
        wrong = impossible(header, (number for number in self._origins() if number is not None))
        row = self.connection.execute(
            f"SELECT seed FROM main.deal WHERE {' OR '.join(wrong)} LIMIT 1"
        ).fetchone()
        if row is not None:
            raise StoreError(f"{self.name}: the store is damaged: the row of seed {row[0]}")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Uncommitted rows are discarded."""
        with suppress(sqlite3.Error):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if self.is_writer:
                self.connection.execute("PRAGMA journal_mode = DELETE")  # leaves a single file
        self.connection.close()

    # --- Rows -----------------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """The parameters of the rows. Raises StoreError if they are damaged."""
        with _errors_named(self.name):
            rows = self.connection.execute(
                "SELECT variant, dealer, max_nodes, max_seconds, max_memory, max_work, choices, shortest,"
                " engine, version, scored FROM header LIMIT 2"
            ).fetchall()
        if len(rows) != 1:
            raise StoreError(f"{self.name}: the store is damaged: it has {'two' if rows else 'no'} headers")
        variant, dealer, *limits, choices, shortest, engine, version, is_scored = rows[0]
        try:
            given = json.loads(choices)
            game = find_variant(variant)
            if not {shortest, is_scored} <= {0, 1}:
                raise ValueError(f"shortest {shortest}, scored {is_scored}: expected 0 or 1")
            names = (_text("engine", engine), _text("version", version))
            if names[0] not in ENGINES and not names[0].startswith(Header.engine_of("")):
                raise ValueError(f"engine: expected {', '.join(ENGINES)} or a player")
            return Header(
                *(game.name, _text("dealer", dealer), Limits(*limits), given, bool(shortest)),
                *(*names, bool(is_scored)),
            )
        except (TypeError, ValueError) as error:
            raise StoreError(f"{self.name}: the store is damaged: its header: {error}") from None

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The words of the column ``verdict`` by number: verdicts, or outcomes of games of a player."""
        return OUTCOMES if self.header.player else VERDICTS

    @property
    def wall_seconds(self) -> float:
        """The wall time spent on the rows in seconds."""
        return self._number("wall_seconds") or 0.0

    @property
    def peak_memory(self) -> float | None:
        """The greatest peak memory in megabytes of a process that made rows; None if not known."""
        with _errors_named(self.name):
            return self._number("peak_memory")

    def _number(self, column: str) -> float | None:
        """The number in ``column`` of the header, or None. Raises StoreError if it is not a number."""
        with _errors_named(self.name):
            value: float | str | bytes | None = self._value(f"SELECT {column} FROM header")
        if isinstance(value, (str, bytes)):
            raise StoreError(f"{self.name}: the store is damaged: its header: {column}")
        return value

    @property
    def deals_per_second(self) -> float | None:
        """Rows made per second of wall time; None if no time was spent."""
        with _errors_named(self.name):
            seconds = self.wall_seconds
            rows = self._value("SELECT COUNT(*) FROM deal") + self.passed
            return round(rows / seconds, 1) if seconds else None

    def add(self, records: Records, wall_seconds: float, peak_memory: float | None = None) -> None:
        """Commit the records of a chunk. Raises StoreError, keeping nothing of the chunk, if it cannot be
        written.

        ``wall_seconds`` is added to the time spent; ``peak_memory`` is in megabytes. If ``keeps_rows`` is
        False, only time and memory are stored.
        """
        self.check_kept()
        with _errors_named(self.name):
            if not self.keeps_rows:
                self.passed += len(records)
            elif self.is_retry:
                rows = [(*record, self.origin, record.verdict, record.seed) for record in records]
                self.connection.executemany(INSERT_AGAIN, rows)
            else:
                whole = len(records) // _AT_ONCE * _AT_ONCE
                if whole:
                    self._insert_at_once(records[:whole])
                self.connection.executemany(insert({}, 1, self.origin), records[whole:])
            self._spend(wall_seconds, peak_memory)
            self._commit()

    def check_kept(self) -> None:
        """Raise StoreError if the file that is written is not at its path any more."""
        if self.place is not None and _place_of(self.name) != self.place:
            why = "it was removed, moved or replaced during the run"
            raise StoreError(f"{self.name}: {why}, whose results are not there")

    def _spend(self, wall_seconds: float, peak_memory: float | None) -> None:
        self.connection.execute(
            "UPDATE main.header SET wall_seconds = wall_seconds + ?,"
            " peak_memory = MAX(COALESCE(peak_memory, ?), COALESCE(?, peak_memory))",
            (wall_seconds, peak_memory, peak_memory),
        )

    def _insert_at_once(self, records: Records) -> None:
        """Insert rows, _AT_ONCE by each statement. Fields that are equal in all rows are part of the
        statement instead of parameters."""
        import numpy as np

        array = records.array
        columns = {name: array[name].astype(np.int64) for name in Record._fields}
        varying = {name: column for name, column in columns.items() if name == "seed" or np.ptp(column)}
        same = {name: str(column[0]) for name, column in columns.items() if name not in varying}
        values = np.column_stack([*varying.values()]).reshape(len(array) // _AT_ONCE, -1)
        self.connection.executemany(insert(same, _AT_ONCE, self.origin), values.tolist())

    def _commit(self) -> None:
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN IMMEDIATE")

    def missing(self, piece: Piece) -> list[Piece]:
        """The deals of ``piece`` without a row, in order."""
        if isinstance(piece, range):
            return [*_gaps(piece, self._seeds("1", piece))] if piece else []
        there = set(self._seeds("1"))
        return kept(piece, lambda number: number not in there)

    def undecided(self, piece: Piece) -> list[Piece]:
        """The deals of ``piece`` ended by a limit that were not tried with the present limits, in order."""
        if isinstance(piece, range):
            return [*_runs(self._seeds(self.is_open, piece))]
        return kept(piece, set(self._seeds(self.is_open)).__contains__)

    @property
    def is_open(self) -> str:
        """The SQL condition of `undecided` for a row of the view ``result``."""
        tried = ", ".join(map(str, self.tried))
        return f"(reason IS NOT NULL AND COALESCE(retry, 0) NOT IN ({tried}))"

    def _seeds(self, condition: str, seeds: range | None = None) -> Iterator[int]:
        """The seeds of the rows that satisfy the SQL ``condition``, ascending, within ``seeds`` if given."""
        rows = self.select("seed", None if seeds is None else [seeds], f"AND {condition} ORDER BY seed")
        return (seed for (seed,) in rows)

    def select(
        self, columns: str, ranges: Sequence[range] | None = None, tail: str = ""
    ) -> Iterator[tuple[Any, ...]]:
        """Yield ``columns``, SQL, of the rows of the view ``result`` with seeds in ``ranges``. ``tail`` is
        SQL after the condition for seeds, by default to order rows by seed."""
        query = f"SELECT {columns} FROM result WHERE {_within(ranges)} {tail or 'ORDER BY seed'}"
        with _errors_named(self.name):
            rows = self.connection.execute(query)
            yield from (row for row in rows)  # a generator, since closing ``rows`` after the connection fails

    @property
    def columns(self) -> list[str]:
        """The keys of `rows`. The first is ``seed``, or ``deal`` for deals of a file, ``pysol`` for PySolFC's
        deals."""
        place = {"file": "deal", "pysol": "pysol"}.get(self.header.dealer.split()[0], "seed")
        names = {"moves": "length", "microseconds": "cpu_seconds"}  # names in the table: public names
        own = [names.get(name, name) for name in RESULT_COLUMNS[1:]]
        return [place, *own, "game", *self.header.choices, "version", *_LIMITS]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The results as public JSON objects, each with its game, the version that decided it, and the limits
        that held for it."""
        place = self.columns[0]
        for row in self._rows():
            row[place] = str(row[place]) if place == "pysol" else seed_value(row[place])
            yield row

    def to_frame(self) -> pandas.DataFrame:
        """The results as a table of pandas, a row a deal, with the columns `columns`; its ``attrs`` say the
        game, choices, dealer, limits and version of the store. Raises ImportError without pandas."""
        import pandas

        header, names = self.header, self.columns
        rows = list(map(tuple, map(dict.values, self._rows())))
        found = pandas.DataFrame.from_records(rows, columns=names)
        found = found.astype({name: _KINDS.get(name, "string") for name in names})
        if names[0] != "pysol":
            found = found.astype({names[0]: "Int64"})
        limits = dict(zip(_LIMITS, _values(header.limits), strict=True))
        found.attrs = {"game": header.variant, **header.choices, "dealer": header.dealer, **limits}
        found.attrs |= {"engine": header.engine, "version": header.version}
        return found

    def _rows(self) -> Iterator[dict[str, Any]]:
        """The results by the names of `columns`, numbers of deals as whole numbers."""
        header, names = self.header, self.columns
        rules = (header.variant, *header.choices.values())
        origins = {
            number: (version, *_values(limits)) for number, (version, limits) in self._origins().items()
        }
        for *values, origin in self.select(", ".join((*RESULT_COLUMNS, "retry"))):
            row = dict(zip(names, (*values, *rules, *origins[origin]), strict=True))
            row["shortest"] = bool(row["shortest"])
            row["cpu_seconds"] = row["cpu_seconds"] / 1e6
            is_claimed = row["score"] is not None and row["exact"] is not None
            row["exact"] = bool(row["exact"]) if is_claimed else None
            yield row

    def seeds_of(self, kind: str, count: int | None = None) -> Iterator[int]:
        """The first ``count`` seeds with the verdict ``kind``, by default all; for ``hardest`` the ``count``
        seeds with the most states, by default 100. Raises ValueError for another ``kind``."""
        if kind not in (*self.verdicts, "hardest"):
            raise ValueError(f"{kind}: expected {', '.join(self.verdicts)} or hardest")
        if kind == "hardest":
            tail = f"ORDER BY expanded DESC, seed LIMIT {count or 100}"
        else:
            tail = f"AND verdict = '{kind}' ORDER BY seed LIMIT {count or -1}"
        return (seed for (seed,) in self.select("seed", tail=tail))

    def column(self, name: str, verdict: int | None = None) -> NDArray[np.float64]:
        """The values of the column ``name`` in the order of seeds; of the rows whose verdict has the number
        ``verdict`` if that is given."""
        condition = "1" if verdict is None else f"verdict = '{self.verdicts[verdict]}'"
        import numpy as np

        rows = self.select(name, tail=f"AND {condition} ORDER BY seed")
        return np.fromiter((value for (value,) in rows), np.float64)

    def has_verdict(self, verdict: int) -> NDArray[np.float64]:
        """In the order of seeds, 1 for each row whose verdict has the number ``verdict``, 0 for the
        others."""
        return self.column(f"verdict = '{self.verdicts[verdict]}'")

    def _value(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self.connection.execute(query, values).fetchone()[0]


def _place_of(path: str) -> tuple[int, int] | None:
    """The device and the inode of the file at ``path``; None if there is none."""
    with suppress(OSError):
        there = os.stat(path)
        return there.st_dev, there.st_ino
    return None


def _text(name: str, value: object) -> str:
    """``value``, of the column ``name``. Raises ValueError if it is not a text of words."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name}: expected a text")
    return value


def kept(piece: Sequence[tuple[int, Any]], is_kept: Callable[[int], bool]) -> list[Piece]:
    """The deals of ``piece`` whose numbers satisfy ``is_kept``."""
    if isinstance(piece, PysolDeals | CardDeals):
        return piece.kept(is_kept)
    return [[deal for deal in piece if is_kept(deal[0])]]


def _values(limits: Limits) -> tuple[float | None, ...]:
    """The limits in the order of their columns."""
    return limits.nodes, limits.seconds, limits.megabytes, limits.work


def _within(ranges: Sequence[range] | None) -> str:
    """The SQL condition that a seed is in ``ranges``; true for None."""
    if ranges is None:
        return "1"
    tests = [f"seed BETWEEN {seeds.start} AND {seeds.stop - 1}" for seeds in ranges]
    return f"({' OR '.join(tests) or '0'})"


def _gaps(wanted: range, there: Iterable[int]) -> Iterator[range]:
    """The parts of ``wanted`` without the numbers ``there``, which must ascend."""
    start = wanted.start
    for number in chain(there, [wanted.stop]):
        if start < number:
            yield range(start, number)
        start = number + 1


def _runs(numbers: Iterable[int]) -> Iterator[range]:
    """The ranges of consecutive numbers in ascending ``numbers``."""
    run = range(0)
    for number in numbers:
        if number != run.stop:
            if run:
                yield run
            run = range(number, number)
        run = range(run.start, number + 1)
    if run:
        yield run


@contextmanager
def _errors_named(name: str) -> Iterator[None]:
    """Convert errors of SQLite to StoreError, with ``name`` in the message."""
    try:
        yield
    except UnicodeDecodeError:  # SQLite's message quotes bytes of the file
        raise StoreError(f"{name}: the store is damaged") from None
    except sqlite3.Error as error:
        text = str(error)
        for part, problem in _PROBLEMS.items():
            if part in text:
                text = problem
        raise StoreError(f"{name}: {text}") from None


_PROBLEMS = {
    "locked": "another process is writing to it",
    "disk is full": "the disk is full; what was stored before is kept",
    "disk I/O": "it cannot be written any further; what was stored before is kept",
    "not a database": "expected a file of stored results",
    "malformed": "the store is damaged",
    "no such table": "the store is damaged: a table is missing",
    "no such column": "the store is damaged: a column is missing",
    "readonly": "it may not be written here",
    "unable to open": "it cannot be opened, or its folder may not be written",
}
