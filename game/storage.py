"""An SQLite file in the user's data folder: created if missing, refused and left as it is if foreign or
damaged."""

import contextlib
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..rules.cards import shown

_PATIENCE = 5.0  # seconds to wait for another board that writes


class StorageError(ValueError):
    """An unusable file, or no folder for it; one line that names it."""


def data_folder() -> Path:
    """The user's data folder. Raises StorageError if the home folder is needed and there is none."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = _home() / "Library" / "Application Support"
    else:
        named = os.environ.get("XDG_DATA_HOME", "")
        folder = Path(named) if os.path.isabs(named) else _home() / ".local" / "share"
    return folder / "winnable"


def _home() -> Path:
    """The user's home folder. Raises StorageError if HOME names no folder, or is missing for a user whom the
    system does not know."""
    named, home = os.environ.get("HOME"), os.path.expanduser("~")
    if named == "" or not os.path.isabs(home):
        got = "nothing" if named is None else shown(named)
        raise StorageError(f"HOME: expected the absolute path of the home folder, got {got}")
    return Path(home)


class Storage:
    """The file at ``path``, which holds one table. Threads and several boards may share it. Only the user can
    read it and its folder.

    A subclass defines ``APPLICATION``, the id that distinguishes it from other SQLite files, the version of
    its ``FORMAT``, the statement that creates its ``TABLE``, the ``NAMES`` of table and columns, and
    ``WHAT``, its name in messages. Raises StorageError for a foreign, damaged or inaccessible file.
    """

    APPLICATION: int
    FORMAT: int
    TABLE: str
    NAMES: tuple[str, frozenset[str]]
    WHAT: str

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._told():
            self._open()

    def _open(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_new = not self.path.exists() or self.path.stat().st_size == 0
        if is_new:
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
        self._connection = sqlite3.connect(
            self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        if is_new:
            self._make()
        self._check()
        self._file = self._identity()
        self._make_private()

    def _make_private(self) -> None:
        """Remove the permissions of others on the file and its folder, where the user owns them."""
        if os.name == "nt":
            return  # the user's data folder is private there
        for path, mode in ((self.path.parent, 0o700), (self.path, 0o600)):
            with contextlib.suppress(PermissionError):
                if path.stat().st_mode & 0o777 & ~mode:
                    path.chmod(mode)

    def _identity(self) -> tuple[int, int] | None:
        """Device and inode of the file; None if there is none."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Convert errors of SQLite and the system into StorageError."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise StorageError(f"{self.path}: cannot store a {self.WHAT} there: {why}") from None

    def _make(self) -> None:
        """Create the table, unless another board has just created it."""
        with self._transaction() as connection:
            if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                connection.execute(self.TABLE)
                connection.execute(f"PRAGMA application_id = {self.APPLICATION}")
                connection.execute(f"PRAGMA user_version = {self.FORMAT}")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for reading; reopened if the file was deleted. Raises StorageError."""
        with self._lock, self._told():
            if self._identity() != self._file:
                self._connection.close()
                self._open()
            yield self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The connection, in one write transaction. Raises StorageError."""
        with self._reading(), self._transaction() as connection:
            yield connection

    def _check(self) -> None:
        def value(pragma: str) -> Any:
            return self._connection.execute(f"PRAGMA {pragma}").fetchone()[0]

        if value("application_id") != self.APPLICATION:
            raise StorageError(f"{self.path}: expected a {self.WHAT}; the file was left unchanged")
        if value("user_version") != self.FORMAT:
            raise StorageError(f"{self.path}: the {self.WHAT} was made by another version of winnable")
        damaged = StorageError(f"{self.path}: the {self.WHAT} is damaged; it is left as it is")
        if value("quick_check(1)") != "ok":
            raise damaged
        table, columns = self.NAMES
        found = {row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")}
        if not columns <= found:
            raise damaged

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
