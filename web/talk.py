"""The server side of the board in a worker of the page, in place of `winnable.board.server`."""

import asyncio
import json
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from pyodide.ffi import create_once_callable, to_js

from winnable.board import analysis
from winnable.board.analyst import Analyst, Work
from winnable.board.new_game import Wanted
from winnable.board.socket_session import Settings, SocketSession
from winnable.game.history import History, Played, history_object
from winnable.game.session import Opening
from winnable.protocol.server import RequestError, read_json
from winnable.solver.progress import Progress, Watch

HISTORY = Path("/kept/history.sqlite")
_PROGRESS = 0.3  # seconds between two reports


class RemoteWork(Work):
    """A task of the other worker, with the latest progress that it reported."""

    latest: Progress | None = None

    def progress(self) -> Progress | None:
        """Progress of the search; None before it starts."""
        return self.latest


class Searches:
    """The searches of the other worker, one at a time. A search for the position shown stops the one before;
    while a deal is looked for, it waits."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self._number = 0  # number of the latest search
        self._take: Callable[[Any], None] | None = None  # called with its updates while it runs
        self._wanted: tuple[object, Callable[[Any], None]] | None = None
        self._deal: asyncio.Future[Opening | analysis.Failed | None] | None = None

    def begin(self, task: object, take: Callable[[Any], None]) -> None:
        """Search for ``task``; ``take`` gets each update that `search.run` posts."""
        self.stop()
        self._wanted = (task, take)
        if self._deal is None:
            self._start(task, take)

    def stop(self) -> None:
        """Stop the search of the position that is shown."""
        self._wanted = None
        if self._deal is None:
            self._halt()

    async def look_for(self, wanted: Wanted, tell: Callable[[int], None]) -> Opening:
        """Look for a deal as `new_game.look_for` does; raises KeyboardInterrupt after `stop_looking`."""
        self._halt()
        deal = self._deal = asyncio.get_running_loop().create_future()

        def take(update: int | Opening | analysis.Failed) -> None:
            if isinstance(update, int):
                tell(update)
            elif not deal.done():
                deal.set_result(update)

        self._start(wanted, take)
        try:
            found = await deal
        finally:
            if self._deal is deal:
                self._deal = None
                if self._wanted is not None:
                    self._start(*self._wanted)
        if found is None:
            raise KeyboardInterrupt
        if isinstance(found, analysis.Failed):
            raise ValueError(found.why)
        return found

    def stop_looking(self) -> None:
        """Stop looking for a deal."""
        if self._deal is not None and not self._deal.done():
            self._halt()
            self._deal.set_result(None)

    def found(self, number: int, update: Any) -> None:
        """Handle an update of search ``number``; updates of earlier searches are ignored."""
        if self._take is not None and number == self._number:
            self._take(update)

    def _start(self, task: object, take: Callable[[Any], None]) -> None:
        self._number += 1
        self._take = take
        self._port.ask(self._number, _bytes(pickle.dumps(task)), _network(task))

    def _halt(self) -> None:
        if self._take is not None:
            self._take = None
            self._port.stop(self._number)


class RemoteAnalyst:
    """The interface of `Analyst` for the other worker: one task at a time, cancelled by the next."""

    def __init__(self, tell: Callable[[analysis.Task, Any], None], searches: Searches) -> None:
        self._tell = tell
        self._searches = searches
        self._work: RemoteWork | None = None

    def ask(self, task: analysis.Task) -> None:
        """Cancel the current task and start ``task``."""
        work = self._work = RemoteWork(task, Watch())
        self._searches.begin(task, lambda update: self._found(work, update))

    def stop(self) -> None:
        """Cancel the current task."""
        if self._work is not None:
            self._work = None
            self._searches.stop()

    def close(self, seconds: float = 0.0) -> None:
        """Cancel everything."""
        self.stop()

    def now(self) -> Work | None:
        """The task running or about to run."""
        return self._work

    def _found(self, work: RemoteWork, update: Any) -> None:
        if work.began is None:
            work.began = time.monotonic()
        if isinstance(update, tuple):
            work.latest, work.watch.part = update
        else:
            self._tell(work.task, update)


class PageSession(SocketSession):
    """A page and its game; deals are looked for in the other worker."""

    def __init__(
        self, settings: Settings, send: Callable[[dict[str, Any]], None], searches: Searches
    ) -> None:
        super().__init__(settings, send)
        self._searches = searches

    async def _look_for(self, wanted: Wanted) -> Opening:
        return await self._searches.look_for(
            wanted, lambda tried: self._tell({"type": "dealing", "tried": tried})
        )

    def _end_errand(self) -> None:
        self._searches.stop_looking()


class KeptHistory(History):
    """A history in the page's storage, shared by all its pages. ``port.keep`` reads the stored history,
    applies the pending changes and writes it back."""

    def __init__(self, path: Path, port: Any) -> None:
        super().__init__(path)
        self._port = port
        self._changes: list[Callable[[], object]] = []
        self._kept: asyncio.Future[None] | None = None

    def keep(self, played: Played) -> None:
        """Insert or replace a game."""
        super().keep(played)
        self._later(lambda: History.keep(self, played))

    def forget(self, number: int | None) -> int:
        """Delete one game, or all for None; return the number deleted."""
        count = super().forget(number)
        self._later(lambda: History.forget(self, number))
        return count

    async def flush(self) -> None:
        """Wait until all is written."""
        if self._kept is not None:
            await self._kept

    def _later(self, change: Callable[[], object]) -> None:
        self._changes.append(change)
        if self._kept is None or self._kept.done():
            self._kept = asyncio.ensure_future(self._write())

    async def _write(self) -> None:
        while self._changes:
            await self._port.keep(create_once_callable(self._change))

    def _change(self) -> None:
        changes, self._changes = self._changes, []
        for change in changes:
            change()


class Talk:
    """The conversation with the page. ``port`` has the methods ``send(text)``, ``ask(number, task,
    network)``, ``stop(number)`` and ``keep(change)``, and ``isKept``, whether the page can store a
    history."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self._session: PageSession | None = None
        self._searches = Searches(port)
        self._errands: set[asyncio.Future[Any]] = set()
        self._history = KeptHistory(HISTORY, port) if port.isKept else None
        self._settings = Settings(
            history=self._history, analyst=lambda tell: cast(Analyst, RemoteAnalyst(tell, self._searches))
        )
        self._reports = asyncio.ensure_future(self._report())

    def begin(self) -> None:
        """Begin a conversation; the earlier one, if any, ends."""
        if self._session is not None:
            self._do(self._session.close())
        self._session = PageSession(self._settings, self._send, self._searches)
        self._session.begin()

    def take(self, text: str) -> None:
        """Handle a message of the page."""
        if self._session is None:
            return
        try:
            message = read_json(text)
        except RequestError as error:
            self._session.refuse(error)
        else:
            self._do(self._handle(self._session, message))

    async def _handle(self, session: PageSession, message: object) -> None:
        """Handle a message and save the game, since closing the page gives no notice."""
        await session.handle(message)
        session.keep()

    def found(self, number: int, update: Any) -> None:
        """Handle an update of search ``number`` from the other worker."""
        self._searches.found(number, pickle.loads(update.to_bytes()))

    async def history(self, text: str) -> str:
        """The history as JSON, after deleting what ``text`` names: ``{"game": 12}``, ``{"all": true}``, or
        null for nothing."""
        what = json.loads(text)
        if self._session is not None:
            self._session.keep()
            await self._session.history_writer.flush()
        if self._history is not None and what:
            self._history.forget(None if what.get("all") is True else int(what["game"]))
        if self._history is not None:
            await self._history.flush()
        return json.dumps(history_object(self._history))

    def _send(self, message: dict[str, Any]) -> None:
        self._port.send(json.dumps(message, separators=(",", ":")))

    def _do(self, work: Any) -> None:
        errand = asyncio.ensure_future(work)
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(_PROGRESS)
            if self._session is not None:
                self._session.search_control.tell_progress()


def _network(task: object) -> str:
    """The name of the file of the value network that ``task`` needs; empty for none."""
    if not isinstance(task, analysis.Task) or not (task.is_hidden or task.is_review):
        return ""
    from winnable.solver.player.weights import GAMES, network_name, network_of

    game, choices = task.variant.name, getattr(task.state, "choices", None)
    return network_of(game, choices).name if network_name(game, choices) in GAMES else ""


def _bytes(data: bytes) -> Any:
    return to_js(data)
