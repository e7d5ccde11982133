"""Writer of a page's games into the history, off the event loop."""

import asyncio
import logging

from ..game.history import History, Played
from ..game.storage import StorageError

log = logging.getLogger("winnable.board")


class HistoryWriter:
    """Writes games to ``history`` in a thread, one at a time, logging failures. For the event loop."""

    def __init__(self, history: History | None) -> None:
        self._history = history
        self._waiting: dict[str, Played] = {}  # the newest version of each game, by its key
        self._task: asyncio.Task[None] | None = None

    def keep(self, played: Played | None) -> None:
        """Schedule a game for writing; None is ignored."""
        if played is None or self._history is None:
            return
        self._waiting[played.key] = played
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())

    async def flush(self) -> None:
        """Wait until everything is written."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _write(self) -> None:
        assert self._history is not None
        while self._waiting:
            played = self._waiting.pop(next(iter(self._waiting)))
            try:
                await asyncio.to_thread(self._history.keep, played)
            except StorageError as error:
                log.warning("%s", error)
