"""Control of the searches for the game shown on a page: start, cancel, and report to the page."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

from ..game import evaluation
from ..game.session import Session
from ..game.tree import Node
from ..solver import Limits
from ..solver.player.player import Advice
from . import analysis, chances, serialize
from .analyst import Analyst, Tell

Send = Callable[[dict[str, Any]], None]
_WAY = 500  # positions judged beside the one shown
_KNOWN = 20_000  # positions whose results are remembered
log = logging.getLogger("winnable.board")


class SearchControl:
    """Searches for the position shown; restarted after each change of the game. Findings are reported through
    ``send``. Methods are called on the event loop; findings arrive from the analyst's thread."""

    def __init__(self, limits: Limits, send: Send, analyst: Callable[[Tell], Analyst] = Analyst) -> None:
        self.limits = limits
        self.hints = False
        self.is_on = True
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._analyst = analyst(self._tell_from_thread)
        self._task: analysis.Task | None = None
        self._game: Session | None = None
        self._marked: tuple[analysis.Task, analysis.Marked] | None = None  # the last marks, with their task
        self._chances: dict[str, Any] | None = None  # the latest chances of the position shown
        self._advice: tuple[Advice, ...] = ()  # the latest advice for the position shown

    def think(self, game: Session | None) -> None:
        """Cancel the current search and search for the position of ``game`` that is shown."""
        self._game = game
        self._chances = self._marked = None
        self._advice = ()
        if game is None or not self.is_on:
            self.stop()
            return
        if len(game.known) > _KNOWN:
            game.known = {state: known for state, known in game.known.items() if game.tree.at(state)}
            game.to_tier = {state: line for state, line in game.to_tier.items() if game.tree.at(state)}
            game.most_up = {state: found for state, found in game.most_up.items() if game.tree.at(state)}
        self._note_end(game)
        self._task = self._task_of(game)
        if not game.is_hidden:
            self._send(serialize.analysis_object(game, "searching", None))
        self._analyst.ask(self._task)

    def review(self, game: Session) -> None:
        """Judge the moves that led to the position of ``game`` shown by what their player saw, instead of the
        search for it, which then goes on. Raises ValueError for a game whose hidden cards this would show."""
        node, start = game.here, game.tree.nodes[0]
        if game.variant.hiding is None or game.mode == "table" or (game.is_hidden and not node.over):
            raise ValueError("finish the game first; then moves can be judged by what was seen")
        if node.parent is None:
            raise ValueError("no move to review")
        self._game = game
        moves = _moves_made(node)
        self._task = analysis.Task(
            node.number,
            game.variant,
            start.state,
            self.limits,
            is_hidden=game.is_hidden,
            moves=moves,
            is_review=True,
        )
        self._analyst.ask(self._task)

    def _note_end(self, game: Session) -> None:
        """If the position shown is won, record that, and that all positions before it are winnable."""
        if game.here.over == "won" and not game.is_hidden:
            changed = game.note(game.here.state, evaluation.won(game.variant, game.here.state))
            if changed:
                self._send({"type": "nodes", "nodes": serialize.nodes_objects(game, changed)})

    def stop(self) -> None:
        """Cancel the search."""
        self._task = None
        self._analyst.stop()

    async def close(self) -> None:
        """Cancel all searches and wait for their thread to end."""
        self.stop()
        await asyncio.to_thread(self._analyst.close)

    def tell_progress(self) -> None:
        """Send the progress of the current search, if there is one. The same message has the verdicts of the
        moves found so far, so that a page never shows progress and verdicts of different moments."""
        work, game = self._analyst.now(), self._game
        if game is None or work is None or work.task is not self._task:
            return
        if work.task.is_review:
            told = {"type": "fair", "node": work.task.node, "state": "judging"}
            self._send(told | {"part": work.watch.part or None})
            return
        if game.is_hidden:
            return
        told = serialize.analysis_object(game, "waiting" if work.began is None else "searching", work)
        if self._marked is not None and self._marked[0] is self._task:
            told["marks"] = serialize.marks_object(game, self._marked[1])["marks"]
        self._send(told)

    def _task_of(self, game: Session) -> analysis.Task:
        node = game.here
        game.result_of(node)  # derives what follows from neighbouring positions
        way = () if game.is_hidden else _open_positions(game, node)
        game.tier_line(node)
        start = game.tree.nodes[0].state
        is_end = not game.is_hidden and (node.over or (game.revealed and start not in game.known))
        compared = start if is_end and node.parent is not None else None
        moves = () if compared is None else _moves_made(node)
        known, to_tier = game.known.copy(), game.to_tier.copy()
        if not self.hints:
            wanted = (node.state, compared, *(state for _, state in moves))
            known = {state: known[state] for state in wanted if state in known}
        return analysis.Task(
            node.number,
            game.variant,
            node.state,
            self.limits,
            self.hints,
            game.is_hidden,
            way,
            known,
            to_tier,
            compared,
            game.table(node) if game.is_hidden else None,
            node.number in game.certain or game.certain_of(node) is not None,
            node.state in game.most_up,
            moves,
        )

    # --- Updates --------------------------------------------------------------------------------------------

    def _tell_from_thread(self, task: analysis.Task, update: analysis.AnalysisUpdate) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and no page is connected
            self._loop.call_soon_threadsafe(self._take_in, task, update)

    def _take_in(self, task: analysis.Task, update: analysis.AnalysisUpdate) -> None:
        """Record an update and report it; an outdated one is only recorded."""
        game = self._game
        if game is None or game.is_hidden != task.is_hidden or game.variant is not task.variant:
            return
        if isinstance(update, analysis.Judged):
            self._note(game, update)
        elif isinstance(update, analysis.MostUp):
            game.most_up[update.state] = update.result
        if task is not self._task:
            return
        if isinstance(update, analysis.Judged | analysis.MostUp) and update.state == task.state:
            self.tell_progress()
        elif isinstance(update, analysis.Marked):
            self._marked = (task, update)
            self._send(serialize.marks_object(game, update))
        elif isinstance(update, analysis.Weighed):
            self._tell_chances(game, update.advice)
        elif isinstance(update, analysis.Settled):
            game.certain[task.node] = update.certain
            self._tell_chances(game, self._advice)
        elif isinstance(update, analysis.Reviewed):
            self._send(serialize.fair_object(game, update.review))
            self.think(game)
        elif isinstance(update, analysis.Finished):
            self._tell_done(game)
        elif isinstance(update, analysis.Failed):
            log.error("a search failed: %s", update.why)
            self._send({"type": "error", "why": f"the search failed: {update.why}"})

    def _note(self, game: Session, update: analysis.Judged) -> None:
        if update.to_tier:
            game.note_tier_line(update.state, update.result)
        elif changed := game.note(update.state, update.result):
            self._send({"type": "nodes", "nodes": serialize.nodes_objects(game, changed)})

    def _tell_chances(self, game: Session, advice: tuple[Advice, ...]) -> None:
        work, self._advice = self._analyst.now(), advice
        self._chances = chances.found_object(game, game.here.number, advice, work, self.hints)
        self._send(self._chances)

    def _tell_done(self, game: Session) -> None:
        """Report the end of a search with all its findings, since earlier reports may not have been sent."""
        if game.is_hidden:
            if self._chances is None:
                self._tell_chances(game, ())
            assert self._chances is not None
            self._send(self._chances | {"state": "done"})
        else:
            self._send(serialize.analysis_object(game, "done", self._analyst.now()))


def _moves_made(node: Node) -> tuple[tuple[Any, Any], ...]:
    """The moves that led to ``node``, each with its resulting position."""
    made: list[tuple[Any, Any]] = []
    while node.parent is not None:
        made.append((node.move, node.state))
        node = node.parent
    return tuple(reversed(made))


def _open_positions(game: Session, here: Node) -> tuple[Any, ...]:
    """The positions of the tree that are not judged yet, those that led to the position shown first."""
    way = game.tree.way(here)[-2::-1]
    on_way = {node.number for node in (*way, here)}
    others = [node for node in game.tree.nodes.values() if node.number not in on_way]
    states = [node.state for node in [*way, *others] if game.result_of(node) is None]
    return tuple(dict.fromkeys(states))[:_WAY]
