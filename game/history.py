"""The games played, in an SQLite file that may be deleted at any time.

Each game is one row, written in one transaction, so that several boards may share the file. A file that is
not a history, or is damaged, is refused and left as it is.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from ..rules import VARIANTS
from .storage import Storage, data_folder

_COLUMNS = (
    *("game", "name", "mode", "began", "ended", "outcome", "moves", "winnable", "fewest", "fewest_proved"),
    *("mistakes", "score", "tier", "could", "link", "seconds", "hints", "turned_back"),
)


@dataclass(frozen=True)
class Played:
    """A stored game.

    ``key`` identifies it. ``outcome`` is ``won``, ``lost``, ``left``, or ``shown`` if it was won but all
    moves were made with help; ``winnable`` is None if unknown. ``fewest`` is the length of the shortest line
    known from the deal, ``could`` the best tier that could be reached. ``saved`` reopens the game, including
    hidden cards. ``began`` is the start time, None for now. ``hints`` counts the moves made with help,
    ``turned_back`` the hidden cards that were turned up and taken back.
    """

    key: str
    game: str
    name: str
    mode: str
    outcome: str
    moves: int
    saved: dict[str, Any]
    began: datetime | None = None
    winnable: bool | None = None
    fewest: int | None = None
    fewest_proved: bool = False
    mistakes: int = 0
    score: int | None = None
    tier: str | None = None
    could: str | None = None
    link: str | None = None
    seconds: float | None = None
    hints: int = 0
    turned_back: int = 0


def usual_path() -> Path:
    """Default path of the history."""
    return data_folder() / "history.sqlite"


class History(Storage):
    """A history file. Methods raise StorageError."""

    APPLICATION = 0x57494E42
    FORMAT = 1
    TABLE = """
CREATE TABLE game (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL, name TEXT NOT NULL,
  mode TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, outcome TEXT NOT NULL,
  moves INTEGER NOT NULL, winnable INTEGER, fewest INTEGER, fewest_proved INTEGER NOT NULL,
  mistakes INTEGER NOT NULL, score INTEGER, tier TEXT, could TEXT, link TEXT, saved TEXT NOT NULL,
  seconds REAL, hints INTEGER NOT NULL, turned_back INTEGER NOT NULL)"""
    NAMES = ("game", frozenset({*_COLUMNS, "id", "key", "saved"}))
    WHAT = "history of games"

    def keep(self, played: Played) -> None:
        """Insert or replace a game."""
        now = datetime.now(UTC)
        began, ended = (time.isoformat(timespec="seconds") for time in (played.began or now, now))
        row = {name: getattr(played, name) for name in _COLUMNS if name not in ("began", "ended")}
        row |= {"key": played.key, "saved": json.dumps(played.saved), "began": began, "ended": ended}
        names = ", ".join(row)
        news = ", ".join(f"{name} = excluded.{name}" for name in row if name not in ("key", "began"))
        marks = ", ".join("?" * len(row))
        with self._writing() as connection:
            connection.execute(
                f"INSERT INTO game ({names}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {news}",
                [*row.values()],
            )

    def games(self) -> list[dict[str, Any]]:
        """All games, latest first, without the data that reopens them."""
        names = ("id", *_COLUMNS)
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT {', '.join(names)} FROM game ORDER BY ended DESC, id DESC"
            ).fetchall()
        games = [dict(zip(names, row, strict=True)) for row in rows]
        for game in games:
            game["winnable"] = None if game["winnable"] is None else bool(game["winnable"])
            game["fewest_proved"] = bool(game["fewest_proved"])
        return games

    def saved(self, number: object) -> dict[str, Any]:
        """The data that reopens game ``number``, including hidden cards. Raises ValueError."""
        with self._reading() as connection:
            row = None
            if type(number) is int and 0 < number < 1 << 62:
                row = connection.execute("SELECT saved FROM game WHERE id = ?", [number]).fetchone()
        if row is None:
            raise ValueError("no such game in the history")
        saved: dict[str, Any] = json.loads(row[0])
        return saved

    def forget(self, number: int | None) -> int:
        """Delete one game, or all for None; return the number deleted."""
        with self._writing() as connection:
            if number is None:
                return connection.execute("DELETE FROM game").rowcount
            return connection.execute("DELETE FROM game WHERE id = ?", [number]).rowcount


def history_object(history: "History | None") -> dict[str, Any]:
    """The games and totals of a history in the page's JSON. Raises StorageError."""
    games = [
        game | {"title": VARIANTS[game["game"]].title}
        for game in (history.games() if history is not None else ())
        if game["game"] in VARIANTS
    ]
    sums = [total | {"title": VARIANTS[total["game"]].title} for total in totals(games)]
    return {"kept": history is not None, "games": games, "totals": sums}


def totals(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Totals of ``games``, latest first, for each game."""
    names = dict.fromkeys(game["game"] for game in games)
    return [{"game": name} | _total([g for g in games if g["game"] == name][::-1]) for name in names]


def _is_thrown(game: dict[str, Any]) -> bool:
    """True if a winnable game was lost by a mistake or played to a dead end."""
    return game["outcome"] == "lost" or (game["outcome"] == "left" and bool(game["mistakes"]))


def _total(games: list[dict[str, Any]]) -> dict[str, Any]:
    """Totals of ``games`` of one kind, earliest first. Games with the outcome ``shown`` do not count; the
    fewest moves are those of games won without help."""
    games = [game for game in games if game["outcome"] != "shown"]
    won = [game["outcome"] == "won" for game in games]
    whole = [game for game in games if game["outcome"] == "won" and game["tier"] in (None, "triple")]
    alone = [game["moves"] for game in whole if not game["hints"] and not game["turned_back"]]
    above = [game["moves"] - game["fewest"] for game in whole if game["fewest"] is not None]
    winnable = [game for game in games if game["winnable"]]
    runs = [0]
    for is_won in won:
        runs.append(runs[-1] + 1 if is_won else 0)
    of_winnable = sum(game["outcome"] == "won" for game in winnable)
    return {
        "played": len(games),
        "won": sum(won),
        "winnable": len(winnable),
        "won_of_winnable": of_winnable,
        "thrown": sum(map(_is_thrown, winnable)),
        "streak": runs[-1],
        "longest_streak": max(runs),
        "best": min(alone, default=None),
        "moves_above_fewest": round(fmean(above), 2) if above else None,
    }
