"""The games that a person played, in an SQLite file of their own that may be deleted at any time.

Each game is one row, written whole in one transaction, so that several boards may write to one file. A file
that is no history, or is damaged, is refused and left as it is.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

_APPLICATION = 0x57494E42  # tells our files from other SQLite files
_FORMAT = 1
_PATIENCE = 5.0  # seconds to wait for another board that writes
_COLUMNS = (
    *("game", "name", "mode", "began", "ended", "outcome", "moves", "winnable", "fewest", "fewest_proved"),
    *("mistakes", "score", "tier", "could", "link"),
)
_TABLE = """
CREATE TABLE game (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL, name TEXT NOT NULL,
  mode TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, outcome TEXT NOT NULL,
  moves INTEGER NOT NULL, winnable INTEGER, fewest INTEGER, fewest_proved INTEGER NOT NULL,
  mistakes INTEGER NOT NULL, score INTEGER, tier TEXT, could TEXT, link TEXT, saved TEXT NOT NULL)"""


class HistoryError(ValueError):
    """A history cannot be used; one line that names the file."""


@dataclass(frozen=True)
class Played:
    """A game as it is kept. ``key`` tells it from all others; ``outcome`` is ``won``, ``lost`` or ``left``;
    ``winnable`` is None where nobody knows; ``fewest`` is the length of the shortest line known from the
    deal; ``could`` is the best tier that could be reached; ``saved`` opens it again, hidden cards and all."""

    key: str
    game: str
    name: str
    mode: str
    outcome: str
    moves: int
    saved: dict[str, Any]
    winnable: bool | None = None
    fewest: int | None = None
    fewest_proved: bool = False
    mistakes: int = 0
    score: int | None = None
    tier: str | None = None
    could: str | None = None
    link: str | None = None


def usual_path() -> Path:
    """Where a history lies: in the folder for data of the user."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return folder / "winnable" / "history.sqlite"


class History:
    """The history in a file, which is made where there is none. Any thread may use it.

    Raises HistoryError for a file that is none, or cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not path.exists() or path.stat().st_size == 0
            self._connection = sqlite3.connect(
                path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            if is_new:
                self._make()
            self._check()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite or the system finds, in one line."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise HistoryError(f"{self.path}: no history of games can be kept there: {why}") from None

    def _make(self) -> None:
        """Make the table, unless another board was first."""
        with self._transaction() as connection:
            if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_FORMAT}")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _check(self) -> None:
        def value(pragma: str) -> Any:
            return self._connection.execute(f"PRAGMA {pragma}").fetchone()[0]

        if value("application_id") != _APPLICATION:
            raise HistoryError(f"{self.path}: this is no history of games; it is left as it is")
        if value("user_version") != _FORMAT:
            raise HistoryError(f"{self.path}: the history is of another version of winnable")
        if value("quick_check(1)") != "ok":
            raise HistoryError(f"{self.path}: the history is damaged; it is left as it is")
        names = {row[1] for row in self._connection.execute("PRAGMA table_info(game)")}
        if not {*_COLUMNS, "id", "key", "saved"} <= names:
            raise HistoryError(f"{self.path}: the history is damaged; it is left as it is")

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def keep(self, played: Played) -> None:
        """Note a game, in the place of what was noted of it before. Raises HistoryError."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = {name: getattr(played, name) for name in _COLUMNS if name not in ("began", "ended")}
        row |= {"key": played.key, "saved": json.dumps(played.saved), "began": now, "ended": now}
        names = ", ".join(row)
        news = ", ".join(f"{name} = excluded.{name}" for name in row if name not in ("key", "began"))
        marks = ", ".join("?" * len(row))
        with self._lock, self._told(), self._transaction() as connection:
            connection.execute(
                f"INSERT INTO game ({names}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {news}",
                [*row.values()],
            )

    def games(self) -> list[dict[str, Any]]:
        """All games, the last one first, without what opens them again. Raises HistoryError."""
        names = ("id", *_COLUMNS)
        with self._lock, self._told():
            rows = self._connection.execute(
                f"SELECT {', '.join(names)} FROM game ORDER BY ended DESC, id DESC"
            ).fetchall()
        games = [dict(zip(names, row, strict=True)) for row in rows]
        for game in games:
            game["winnable"] = None if game["winnable"] is None else bool(game["winnable"])
            game["fewest_proved"] = bool(game["fewest_proved"])
        return games

    def saved(self, number: object) -> dict[str, Any]:
        """What opens the game ``number`` again, hidden cards and all. Raises ValueError, HistoryError."""
        with self._lock, self._told():
            row = None
            if type(number) is int and 0 < number < 1 << 62:
                row = self._connection.execute("SELECT saved FROM game WHERE id = ?", [number]).fetchone()
        if row is None:
            raise ValueError("there is no such game in the history")
        saved: dict[str, Any] = json.loads(row[0])
        return saved

    def forget(self, number: int | None) -> int:
        """Take out one game, or all for None; how many there were. Raises HistoryError."""
        with self._lock, self._told(), self._transaction() as connection:
            if number is None:
                return connection.execute("DELETE FROM game").rowcount
            return connection.execute("DELETE FROM game WHERE id = ?", [number]).rowcount


def totals(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What ``games``, the last one first, come to for each game."""
    names = dict.fromkeys(game["game"] for game in games)
    return [{"game": name} | _total([g for g in games if g["game"] == name][::-1]) for name in names]


def _total(games: list[dict[str, Any]]) -> dict[str, Any]:
    """What ``games`` of one kind, the first one first, come to."""
    won = [game["outcome"] == "won" for game in games]
    winnable = [game for game in games if game["winnable"]]
    above = [
        game["moves"] - game["fewest"]
        for game in games
        if game["outcome"] == "won" and game["fewest"] is not None and game["tier"] in (None, "triple")
    ]
    runs = [0]
    for is_won in won:
        runs.append(runs[-1] + 1 if is_won else 0)
    of_winnable = sum(game["outcome"] == "won" for game in winnable)
    return {
        "played": len(games),
        "won": sum(won),
        "winnable": len(winnable),
        "won_of_winnable": of_winnable,
        "thrown": len(winnable) - of_winnable,
        "streak": runs[-1],
        "longest_streak": max(runs),
        "moves_above_fewest": round(fmean(above), 2) if above else None,
    }
