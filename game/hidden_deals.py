"""Deals of games with hidden cards, kept on the server under names that a page can ask for.

They are stored in an SQLite file, which survives a restart, or in memory if no file is given. When there are
too many, the oldest deals are deleted.
"""

import json
import logging
import secrets
import threading
from collections import OrderedDict
from pathlib import Path

from ..rules.formats import read_table
from ..rules.formats.json_deals import object_of
from ..rules.formats.text import Deal
from .storage import Storage, StorageError, data_folder

_MOST = 200
_LONGEST = 100  # greatest length of a name in characters
log = logging.getLogger("winnable.board")


class _File(Storage):
    """Texts in an SQLite file."""

    APPLICATION = 0x57494E48
    FORMAT = 1
    TABLE = "CREATE TABLE deal (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, deal TEXT NOT NULL)"
    NAMES = ("deal", frozenset({"id", "name", "deal"}))
    WHAT = "file of hidden deals"

    def put(self, name: str, text: str) -> None:
        """Store ``text``."""
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO deal (name, deal) VALUES (?, ?)", [name, text])
            connection.execute("DELETE FROM deal WHERE id <= (SELECT max(id) FROM deal) - ?", [_MOST])

    def get(self, name: str) -> str | None:
        """The text of ``name``, or None."""
        with self._reading() as connection:
            row = connection.execute("SELECT deal FROM deal WHERE name = ?", [name]).fetchone()
        return None if row is None else str(row[0])


class HiddenDeals:
    """Deals under unguessable names."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: _File | None = None
        self._known: OrderedDict[str, Deal] = OrderedDict()  # deals requested since the start
        self._lock = threading.Lock()
        if path is not None:
            try:
                self._file = _File(path)
            except StorageError as error:
                _warn(error)

    def put(self, deal: Deal) -> str:
        """Store ``deal`` and return its name."""
        with self._lock:
            known = next((name for name, there in self._known.items() if there is deal), None)
        if known is not None:
            return known
        name = secrets.token_urlsafe(12)
        try:
            if self._file is not None:
                self._file.put(name, json.dumps(object_of(deal)))
        except StorageError as error:
            log.warning("%s", error)
        self._note(name, deal)
        return name

    def get(self, name: object) -> Deal:
        """The deal stored under ``name``. Raises ValueError if there is none."""
        if not isinstance(name, str) or len(name) > _LONGEST:
            raise ValueError("the deal of this game has no name")
        with self._lock:
            deal = self._known.get(name)
        if deal is not None:
            return deal
        text = None if self._file is None else self._file.get(name)
        if text is None:
            raise ValueError("the deal of this game is no longer stored")
        deal = read_table(None, text.encode(), "deal")
        self._note(name, deal)
        return deal

    def _note(self, name: str, deal: Deal) -> None:
        with self._lock:
            self._known[name] = deal
            while len(self._known) > _MOST:
                self._known.popitem(last=False)


def usual_path() -> Path | None:
    """Default path of the file; None, with a warning, if there is no home folder."""
    try:
        return data_folder() / "hidden.sqlite"
    except StorageError as error:
        _warn(error)
        return None


def _warn(error: StorageError) -> None:
    log.warning("%s; games with hidden cards end with the board", error)
