"""Store of results in an SQLite file: one row a deal, one header, one transaction a chunk.

A killed process loses only its unfinished chunks. One process writes at a time: it holds the write lock from
one commit to the next, so that a second writer gets an error; readers are not blocked.
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
from ..core.record import OUTCOMES, UNDECIDED, VERDICTS, WINNABLE, Record, Records
from ..result import REASONS, Limits
from .chunk import CardDeals, Piece, PysolDeals
from .schema import (
    ADDED,
    APPLICATION,
    FORMAT,
    INSERT_AGAIN,
    RESULT_COLUMNS,
    TABLES,
    Header,
    columns_of,
    has_scores,
    insert,
    upgrade,
    view,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEEDS = (1 << 63) - 1  # numbers of SQLite end there
_AT_ONCE = 64  # rows that a statement inserts


class StoreError(Exception):
    """A store that cannot be read or written; the message names the file."""


class Store:
    """An open store, made by `write`, `read` or `merge`; a context manager.

    Rows are selected by ranges of seeds; without ranges, all of them. Errors of SQLite raise StoreError.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, uri: str = "") -> None:
        self.connection = connection
        self.name = name
        self.uri = uri
        self.origin: int | None = None  # of new rows, in the table `retry`; None is the header
        self.tried: list[int] = [0]  # the origins of rows with the limits of now; 0 is the header
        self.is_retry = False
        self.keeps_rows = True
        self.passed = 0  # rows that were not kept
        self.is_writer = False

    def _repr_html_(self) -> str:
        """The rate with its interval, in notebooks."""
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
        """Open or create the store at ``path`` for writing; a temporary one without a path.

        With ``retry`` the rows that follow replace undecided ones and may have other limits. Rows keep the
        version that made them where it differs from that of the header. Raises
        StoreError if the store was made with another header, is written by another process, or is damaged.
        """
        if path == "":
            raise StoreError("'': expected the name of a file")
        name = path or "temporary store"
        with _errors_named(name):
            folder = os.path.dirname(name) or "."
            if path and not os.path.isdir(folder):
                raise StoreError(f"{name}: no such folder: {folder}")
            place = os.path.abspath(path) if path else ""  # even if it is called ``:memory:``
            store = cls(sqlite3.connect(place, timeout=0.2, isolation_level=None, uri=not path), name)
            try:
                store._open_to_write(header, retry)
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
        if self._format < FORMAT:
            for statement in upgrade(self._format, there):
                self.connection.execute(statement)
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
        row = (header.variant, json.dumps(dict(header.choices)), header.dealer, header.engine)
        limits = header.limits
        self.connection.execute(
            "INSERT INTO header VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, NULL, ?)",
            (*row, header.version, header.shortest, *_values(limits), header.scored),
        )

    def _origins(self) -> dict[int | None, tuple[str, Limits]]:
        """The version and the limits of rows, by the number in their column ``retry``; None is the header."""
        header = self.header
        work = "NULL" if self._format < 3 else "max_work"
        rows = self.connection.execute(
            f"SELECT id, version, max_nodes, max_seconds, max_memory, {work} FROM main.retry ORDER BY id"
        )
        others = {number: (version, Limits(*limits)) for number, version, *limits in rows}
        return {None: (header.version, header.limits), **others}

    def _origin_of(self, version: str, limits: Limits) -> int | None:
        """The number for rows of that version and those limits, which is added if it is missing; None for the
        header."""
        for number, origin in self._origins().items():
            if origin == (version, limits):
                return number
        values = (version, *_values(limits))
        return self.connection.execute("INSERT INTO retry VALUES (NULL, ?, ?, ?, ?, ?)", values).lastrowid

    def versions(self, ranges: Sequence[range] | None = None) -> dict[str, int]:
        """The number of rows that each version made, those of the header's version first."""
        with _errors_named(self.name):
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
        """Open the store at ``path`` for reading, even while another process writes to it."""
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
                    if store._format < FORMAT:
                        connection.execute(view(store.header, store._format))
                    return store
                except BaseException as error:
                    store.connection.close()
                    if not isinstance(error, sqlite3.OperationalError) or mode != "mode=ro":
                        raise
            raise AssertionError

    @classmethod
    def merge(cls, paths: Sequence[str]) -> Store:
        """Merge all ``paths`` into one store for reading. Of rows for one seed a decided one counts.

        Raises StoreError if they are of different variants, rules or dealers, or contradict one another.
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
                if problem := there.difference(replace(header, limits=there.limits)):
                    raise StoreError(f"{path}: it cannot be combined with {paths[0]}: {problem}")
                merged._take_in(shard)
        assert merged is not None
        return merged

    def _take_in(self, shard: Store) -> None:
        """Add the rows of ``shard``."""
        with _errors_named(shard.name):
            origins = {old: self._origin_of(*made) or "NULL" for old, made in shard._origins().items()}
            cases = "".join(f" WHEN {old} THEN {new}" for old, new in origins.items() if old)
            origin = f"CASE deal.retry{cases or ' WHEN 0 THEN 0'} ELSE {origins[None]} END"
            score = "deal.score" if has_scores(shard._format, shard.header) else "NULL"
            self.connection.execute("ATTACH ? AS shard", (shard.uri,))
            same = "deal.reason + known.reason = 0" if shard.header.player else "deal.exact AND known.exact"
            contradiction = self.connection.execute(
                f"SELECT seed FROM shard.deal AS deal JOIN main.deal AS known USING (seed)"
                " WHERE deal.verdict + known.verdict = 1"
                f" OR ({same} AND {score} <> known.score)"
            ).fetchone()
            if contradiction:
                raise StoreError(f"{shard.name}: seed {contradiction[0]} contradicts the stores before it")
            self.connection.execute(
                f"INSERT OR REPLACE INTO main.deal SELECT {columns_of(score)}, {origin}"
                " FROM shard.deal AS deal"
                " LEFT JOIN main.deal AS known USING (seed)"
                f" WHERE known.seed IS NULL OR known.verdict = {UNDECIDED}"
            )
            self._spend(shard.wall_seconds, shard.peak_memory)
            self.connection.execute("DETACH shard")

    @property
    def _format(self) -> int:
        number: int = self._value("PRAGMA user_version")
        return number

    def _check_format(self) -> None:
        if self._value("PRAGMA application_id") != APPLICATION:
            raise StoreError(f"{self.name}: expected a store of winnable")
        if self._format not in range(min(ADDED) - 1, FORMAT + 1):
            raise StoreError(f"{self.name}: this store was made by another version of winnable")

    def _check_rows(self) -> None:
        """Raise StoreError for a row with impossible values: a damaged one."""
        numbers = ["expanded", "generated", "microseconds", "verdict", "reason", "shortest"]
        if self.header.scored or find_variant(self.header.variant).scoring:
            numbers.append("score")
        wrong = [f"typeof({name}) <> 'integer'" for name in numbers]
        optional = ("moves", "lower_bound", "score", "score_bound", "exact", "retry")
        wrong += [f"typeof({name}) NOT IN ('integer', 'null')" for name in optional]
        wrong += [f"verdict NOT BETWEEN 0 AND {UNDECIDED}", f"reason NOT BETWEEN 0 AND {len(REASONS) - 1}"]
        wrong += [f"(verdict = {WINNABLE} AND moves IS NULL)"]
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
        """Close the file; uncommitted rows are dropped."""
        with suppress(sqlite3.Error):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if self.is_writer:
                self.connection.execute("PRAGMA journal_mode = DELETE")  # so that it can be read anywhere
        self.connection.close()

    # --- Rows -----------------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """Parameters of the rows."""
        with _errors_named(self.name):
            work = "NULL" if self._format < 3 else "max_work"
            scored = "0" if self._format < 5 else "scored"
            row = self.connection.execute(
                f"SELECT variant, dealer, max_nodes, max_seconds, max_memory, {work}, choices, shortest,"
                f" engine, version, {scored} FROM header"
            ).fetchone()
        if row is None:
            raise StoreError(f"{self.name}: the store is damaged: it has no header")
        variant, dealer, *limits, choices, shortest, engine, version, is_scored = row
        try:
            given = json.loads(choices)
            game = find_variant(variant)
            game.agreed(given)
            # Stores of version 1 do not state it: its usual choice was the last.
            given = {name: game.choices[name][-1] for name in game.stated} | given
            names = (str(engine), str(version))
            return Header(
                game.name, str(dealer), Limits(*limits), given, bool(shortest), *names, bool(is_scored)
            )
        except (TypeError, ValueError) as error:
            raise StoreError(f"{self.name}: the store is damaged: its header: {error}") from None

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The words of the column ``verdict``, by their numbers: what was proved, or how games ended."""
        return OUTCOMES if self.header.player else VERDICTS

    @property
    def wall_seconds(self) -> float:
        """Wall time spent on the rows."""
        return self._number("wall_seconds") or 0.0

    @property
    def peak_memory(self) -> float | None:
        """The most megabytes that a process held that made rows here; None if that is not known."""
        with _errors_named(self.name):
            return self._number("peak_memory") if self._format > 3 else None

    def _number(self, column: str) -> float | None:
        """A number of the header. Raises StoreError if it is none."""
        with _errors_named(self.name):
            value: float | str | bytes | None = self._value(f"SELECT {column} FROM header")
        if isinstance(value, (str, bytes)):
            raise StoreError(f"{self.name}: the store is damaged: its header: {column}")
        return value

    @property
    def deals_per_second(self) -> float | None:
        """Rows made per second of wall time; None if there are none."""
        with _errors_named(self.name):
            seconds = self.wall_seconds
            rows = self._value("SELECT COUNT(*) FROM deal") + self.passed
            return round(rows / seconds, 1) if seconds else None

    def add(self, records: Records, wall_seconds: float, peak_memory: float | None = None) -> None:
        """Commit a chunk. Raises StoreError, with nothing of the chunk kept, if it cannot be written.

        ``peak_memory`` is in megabytes. A store that does not keep rows takes in times and memory alone.
        """
        with _errors_named(self.name):
            if not self.keeps_rows:
                self.passed += len(records)
            elif self.is_retry:
                rows = [(*record, self.origin) for record in records]
                self.connection.executemany(INSERT_AGAIN, rows)
            else:
                whole = len(records) // _AT_ONCE * _AT_ONCE
                if whole:
                    self._insert_at_once(records[:whole])
                self.connection.executemany(insert({}, 1, self.origin), records[whole:])
            self._spend(wall_seconds, peak_memory)
            self._commit()

    def _spend(self, wall_seconds: float, peak_memory: float | None) -> None:
        self.connection.execute(
            "UPDATE main.header SET wall_seconds = wall_seconds + ?1,"
            " peak_memory = MAX(COALESCE(peak_memory, ?2), COALESCE(?2, peak_memory))",
            (wall_seconds, peak_memory),
        )

    def _insert_at_once(self, records: Records) -> None:
        """Insert rows, many by one statement, and what is the same in all of them as a part of it."""
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
        """The deals of ``piece`` that have no row, in order."""
        if isinstance(piece, range):
            return [*_gaps(piece, self._seeds("1", piece))] if piece else []
        there = set(self._seeds("1"))
        return _kept(piece, lambda number: number not in there)

    def undecided(self, piece: Piece) -> list[Piece]:
        """The deals of ``piece`` that a limit ended, and that were not yet tried with the limits of now."""
        if isinstance(piece, range):
            return [*_runs(self._seeds(self.is_open, piece))]
        return _kept(piece, set(self._seeds(self.is_open)).__contains__)

    @property
    def is_open(self) -> str:
        """The SQL condition of `undecided` for a row of the view ``result``."""
        tried = ", ".join(map(str, self.tried))
        return f"(reason IS NOT NULL AND COALESCE(retry, 0) NOT IN ({tried}))"

    def _seeds(self, condition: str, seeds: range | None = None) -> Iterator[int]:
        """The seeds of the rows that meet an SQL ``condition``, ascending."""
        rows = self.select("seed", None if seeds is None else [seeds], f"AND {condition} ORDER BY seed")
        return (seed for (seed,) in rows)

    def select(
        self, columns: str, ranges: Sequence[range] | None = None, tail: str = ""
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of ``result`` with seeds in ``ranges``, by seed or as an SQL ``tail`` has them."""
        query = f"SELECT {columns} FROM result WHERE {_within(ranges)} {tail or 'ORDER BY seed'}"
        with _errors_named(self.name):
            rows = self.connection.execute(query)
            yield from (row for row in rows)  # not from rows, which fail to close after the connection

    @property
    def columns(self) -> list[str]:
        """The keys of `rows`; a deal's number is ``deal`` in a file, as in `solve`, ``pysol`` in PySolFC."""
        place = {"file": "deal", "pysol": "pysol"}.get(self.header.dealer.split()[0], "seed")
        names = {"moves": "length", "microseconds": "cpu_seconds"}  # in the table, and in answers
        own = [names.get(name, name) for name in RESULT_COLUMNS[1:]]
        return [place, *own, "game", *self.header.choices, "version"]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The results as public JSON objects, each with its game and the version that decided it."""
        header, names = self.header, self.columns
        place = names[0]
        rules = (header.variant, *header.choices.values())
        for *values, version in self.select(", ".join((*RESULT_COLUMNS, "version"))):
            row = dict(zip(names, (*values, *rules, version), strict=True))
            row[place] = str(row[place]) if place == "pysol" else seed_value(row[place])
            row["shortest"] = bool(row["shortest"])
            row["cpu_seconds"] = row["cpu_seconds"] / 1e6
            is_claimed = row["score"] is not None and row["exact"] is not None
            row["exact"] = bool(row["exact"]) if is_claimed else None
            yield row

    def seeds_of(self, kind: str, count: int | None = None) -> Iterator[int]:
        """The first ``count`` seeds with the verdict ``kind``, or for ``hardest``, by default 100, of the
        most states. Raises ValueError for a verdict that the store cannot have."""
        if kind not in (*self.verdicts, "hardest"):
            raise ValueError(f"{kind}: expected {', '.join(self.verdicts)} or hardest")
        if kind == "hardest":
            tail = f"ORDER BY expanded DESC, seed LIMIT {count or 100}"
        else:
            tail = f"AND verdict = '{kind}' ORDER BY seed LIMIT {count or -1}"
        return (seed for (seed,) in self.select("seed", tail=tail))

    def column(self, name: str, verdict: int | None = None) -> NDArray[np.float64]:
        """The values of the column ``name``, by seed, of the rows with the number ``verdict`` or of all."""
        condition = "1" if verdict is None else f"verdict = '{self.verdicts[verdict]}'"
        import numpy as np

        rows = self.select(name, tail=f"AND {condition} ORDER BY seed")
        return np.fromiter((value for (value,) in rows), np.float64)

    def has_verdict(self, verdict: int) -> NDArray[np.float64]:
        """By seed, 1 for the rows with the number ``verdict``, 0 for all others."""
        return self.column(f"verdict = '{self.verdicts[verdict]}'")

    def _value(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self.connection.execute(query, values).fetchone()[0]


def _kept(piece: Sequence[tuple[int, Any]], is_kept: Callable[[int], bool]) -> list[Piece]:
    """The deals of ``piece`` whose numbers are kept."""
    if isinstance(piece, PysolDeals | CardDeals):
        return piece.kept(is_kept)
    return [[deal for deal in piece if is_kept(deal[0])]]


def _values(limits: Limits) -> tuple[float | None, ...]:
    """The limits in the order of their columns."""
    return limits.nodes, limits.seconds, limits.megabytes, limits.work


def _within(ranges: Sequence[range] | None) -> str:
    """An SQL condition for seeds."""
    if ranges is None:
        return "1"
    tests = [f"seed BETWEEN {seeds.start} AND {seeds.stop - 1}" for seeds in ranges]
    return f"({' OR '.join(tests) or '0'})"


def _gaps(wanted: range, there: Iterable[int]) -> Iterator[range]:
    """The parts of ``wanted`` between the numbers ``there``, which ascend."""
    start = wanted.start
    for number in chain(there, [wanted.stop]):
        if start < number:
            yield range(start, number)
        start = number + 1


def _runs(numbers: Iterable[int]) -> Iterator[range]:
    """Ascending ``numbers`` as ranges."""
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
    """Convert errors of SQLite to StoreError."""
    try:
        yield
    except UnicodeDecodeError:  # what SQLite says quotes bytes of the file
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
    "not a database": "expected a store of winnable",
    "malformed": "the store is damaged",
    "no such table": "the store is damaged: a table is missing",
    "readonly": "it may not be written here",
    "unable to open": "it cannot be opened, or its folder may not be written",
}
