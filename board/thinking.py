"""The searches for a game that is shown on a page: what is asked of the analyst, and what is told of it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

from ..solver import Limits
from . import analysis, chances, telling
from .analyst import Analyst
from .session import Session
from .tree import Node

Send = Callable[[dict[str, Any]], None]
_WAY = 500  # positions that are judged beside the one that is shown
_KNOWN = 20_000  # positions of which something is remembered
log = logging.getLogger("winnable.board")


class Thinker:
    """Searches for the position of a game that is shown, from one change to the next, and tells by ``send``.

    It lives on the loop; its analyst has a thread, from which findings come over.
    """

    def __init__(self, limits: Limits, send: Send) -> None:
        self.limits = limits
        self.hints = False
        self.is_on = True
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._analyst = Analyst(self._tell_from_thread)
        self._task: analysis.Task | None = None
        self._game: Session | None = None

    def think(self, game: Session | None) -> None:
        """End what is being searched; search for the position of ``game`` that is shown."""
        self._game = game
        if game is None or not self.is_on:
            self.stop()
            return
        if len(game.known) > _KNOWN:
            game.known = {state: known for state, known in game.known.items() if game.tree.at(state)}
        self._task = self._task_of(game)
        if not game.is_hidden:
            self._send(telling.analysis_object(game, "searching", None))
        self._analyst.ask(self._task)

    def stop(self) -> None:
        """End what is being searched."""
        self._task = None
        self._analyst.stop()

    async def close(self) -> None:
        """End all searches, and wait until their thread is gone."""
        self.stop()
        await asyncio.to_thread(self._analyst.close)

    def tell_progress(self) -> None:
        """Tell how far the search is, if there is one."""
        work, game = self._analyst.now(), self._game
        if game is None or game.is_hidden or work is None or work.task is not self._task:
            return
        self._send(telling.analysis_object(game, "waiting" if work.began is None else "searching", work))

    def _task_of(self, game: Session) -> analysis.Task:
        node = game.here
        game.result_of(node)  # so that what follows from the positions around it is known
        way = () if game.is_hidden else _open_positions(game, node)
        wanted = game.known.copy() if self.hints else game.known
        known = wanted if self.hints else {state: wanted[state] for state in [node.state] if state in wanted}
        return analysis.Task(
            node.number, game.variant, node.state, self.limits, self.hints, game.is_hidden, way, known
        )

    # --- Findings -------------------------------------------------------------------------------------------

    def _tell_from_thread(self, task: analysis.Task, finding: analysis.Finding) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody is there to be told
            self._loop.call_soon_threadsafe(self._take_in, task, finding)

    def _take_in(self, task: analysis.Task, finding: analysis.Finding) -> None:
        """Take in a finding and tell the page; one that is out of date is only remembered."""
        game = self._game
        if game is None or game.is_hidden != task.is_hidden or game.variant is not task.variant:
            return
        if isinstance(finding, analysis.Judged) and (changed := game.note(finding.state, finding.result)):
            self._send({"type": "nodes", "nodes": telling.nodes_objects(game, changed)})
        if task is not self._task:
            return
        if isinstance(finding, analysis.Judged) and finding.state == task.state:
            self.tell_progress()
        elif isinstance(finding, analysis.Marked):
            self._send(telling.marks_object(game, finding.after, finding.is_done))
        elif isinstance(finding, analysis.Weighed):
            self._send(chances.found_object(game, task.node, finding.advice, self._analyst.now(), self.hints))
        elif isinstance(finding, analysis.Finished):
            self._tell_done(game)
        elif isinstance(finding, analysis.Failed):
            log.error("a search failed: %s", finding.why)
            self._send({"type": "error", "why": f"the search failed: {finding.why}"})

    def _tell_done(self, game: Session) -> None:
        if game.is_hidden:
            self._send(chances.finished_object(game.here.number))
        else:
            self._send(telling.analysis_object(game, "done", self._analyst.now()))


def _open_positions(game: Session, here: Node) -> tuple[Any, ...]:
    """The positions of the tree that nobody has judged, those that led here first."""
    way = game.tree.way(here)[-2::-1]
    on_way = {node.number for node in (*way, here)}
    others = [node for node in game.tree.nodes.values() if node.number not in on_way]
    states = [node.state for node in [*way, *others] if game.result_of(node) is None]
    return tuple(dict.fromkeys(states))[:_WAY]
