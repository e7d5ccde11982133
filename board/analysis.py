"""What is searched for a position that is shown: its verdict, its moves, the way to it, then shorter lines.

Nothing here knows of threads: `do` searches and tells, and the watch that it is given ends it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..rules import Variant
from ..rules.joker_view import view_of
from ..solver import Limits, Result, Verdict, solve
from ..solver.engine import find_kernel, improve, make_shorter
from ..solver.player.player import Advice, Player, think
from ..solver.progress import Watch
from . import judgement

_SHORTEN = (0.25, 0.5, 1.0, 2.0, 4.0)  # seconds of the rounds in which lines are made shorter
_THOUGHT = 0.25  # seconds between two answers of the player
_MARK = 2.0  # seconds for one move, when all are judged
_WAY = 2.0  # seconds for one position of the way that led here


class Stopped(Exception):  # noqa: N818 - it is no error
    """The watch has ended the work."""


@dataclass(frozen=True)
class Judged:
    """What is known of ``state``."""

    state: Any
    result: Result


@dataclass(frozen=True)
class Marked:
    """What is known after each legal move of the position, by its text; ``is_done`` if no more will come."""

    after: Mapping[str, Result]
    is_done: bool


@dataclass(frozen=True)
class Weighed:
    """What a player who sees what a person sees expects of each move, the best first."""

    advice: tuple[Advice, ...]


@dataclass(frozen=True)
class Finished:
    """There is nothing more to be found within the limits."""


@dataclass(frozen=True)
class Failed:
    """A search failed, which is a fault of the program."""

    why: str


Finding = Judged | Marked | Weighed | Finished | Failed
Tell = Callable[[Finding], None]


@dataclass(frozen=True)
class Task:
    """What to find out about ``state``, which is shown as position ``node``.

    ``way`` are the positions that led to it, which are judged too, and others whose moves are to be marked as
    mistakes; ``known`` is what is known of all of them by now. ``hints`` asks for every legal move. With
    ``is_hidden`` only what a person sees is looked at.
    """

    node: int
    variant: Variant
    state: Any
    limits: Limits
    hints: bool = False
    is_hidden: bool = False
    way: tuple[Any, ...] = ()
    known: Mapping[Any, Result] = field(default_factory=dict)


def do(task: Task, watch: Watch, tell: Tell) -> None:
    """Find out what ``task`` asks, telling each finding when it is made. Raises Stopped if ``watch`` ended
    it."""
    if task.is_hidden:
        _weigh(task, watch, tell)
        return
    began = time.monotonic()
    result = task.known.get(task.state)
    if result is None or not judgement.is_final(result):
        result = _decided(task, watch, task.state, task.limits)
        tell(Judged(task.state, result))
    marks = _Marks(task, watch, tell)
    if task.hints:
        marks.judge(result)
    for state in task.way:
        if state not in task.known:
            tell(Judged(state, _decided(task, watch, state, _at_most(task.limits, _WAY))))
    _shorten(task, watch, result, began, lambda better: _tell_better(task, tell, marks, better))


def _tell_better(task: Task, tell: Tell, marks: _Marks, better: Result) -> None:
    tell(Judged(task.state, better))
    if task.hints:
        marks.follow(better)


def _decided(task: Task, watch: Watch, state: Any, limits: Limits) -> Result:
    """What can be reached from ``state``. Raises Stopped."""
    if task.variant.family.is_won(state):
        return judgement.won(task.variant, state)
    result = solve(task.variant, state, limits, shorten=0, watch=watch)
    _check(watch)
    return result


def _check(watch: Watch) -> None:
    if watch.was_stopped:
        raise Stopped


def _at_most(limits: Limits, seconds: float) -> Limits:
    return replace(limits, seconds=seconds if limits.seconds is None else min(seconds, limits.seconds))


class _Marks:
    """What is known after each legal move of the position of a task."""

    def __init__(self, task: Task, watch: Watch, tell: Tell) -> None:
        self.task = task
        self.watch = watch
        self.tell = tell
        self.after: dict[str, Result] = {}
        self.names: dict[Any, str] = {}

    def judge(self, here: Result) -> None:
        """Judge every legal move, those that need no search first. Moves to one position are judged once."""
        variant, state = self.task.variant, self.task.state
        groups: dict[Any, list[Any]] = {}
        for move in variant.family.legal_moves(state):
            at = variant.family.apply(state, move)
            self.names[move] = variant.family.format_move(state, move)
            groups.setdefault(variant.family.canonical(at), []).append((move, at))
        open_groups = []
        for moves in groups.values():
            found = next((r for move, at in moves if (r := self._known(here, move, at)) is not None), None)
            if found is None:
                open_groups.append(moves)
            else:
                self._note(moves, found)
        self.tell(Marked(dict(self.after), not open_groups))
        told = time.monotonic()
        for number, moves in enumerate(open_groups, 1):
            at = moves[0][1]
            found = _decided(self.task, self.watch, at, _at_most(self.task.limits, _MARK))
            self.tell(Judged(at, found))
            self._note(moves, found)
            if number == len(open_groups) or time.monotonic() - told > _THOUGHT:
                told = time.monotonic()
                self.tell(Marked(dict(self.after), number == len(open_groups)))

    def _known(self, here: Result, move: Any, at: Any) -> Result | None:
        known = self.task.known.get(at)
        if known is not None and judgement.is_final(known):
            return known
        return judgement.after_move(self.task.variant, here, move, at)

    def _note(self, moves: list[Any], found: Result) -> None:
        for move, _ in moves:
            self.after[self.names[move]] = found

    def follow(self, here: Result) -> None:
        """Take in that the line from the position has become better."""
        if here.moves and here.moves[0] in self.names:
            move = here.moves[0]
            at = self.task.variant.family.apply(self.task.state, move)
            after = judgement.after_move(self.task.variant, here, move, at)
            if after is not None:
                self.after[self.names[move]] = after
                self.tell(Marked(dict(self.after), True))


def _shorten(task: Task, watch: Watch, result: Result, began: float, tell: Callable[[Result], None]) -> None:
    """Look for shorter lines within what the limits leave, telling each. Raises Stopped."""
    kernel = find_kernel(task.variant)
    is_whole = task.variant.scoring is None or result.score == task.state.deck.places
    if kernel is None or result.verdict is not Verdict.WINNABLE or not is_whole:
        return
    if not result.moves or result.shortest:
        return
    if kernel.SHORTENS:
        result = _made_shorter(task, watch, result, began, tell)
    if kernel.IMPROVES and not result.shortest:
        limits = Limits(seconds=_left(task.limits, began), megabytes=task.limits.megabytes)
        improve(task.variant, task.state, replace(result, reason=None), kernel(limits), tell, watch)
        _check(watch)


def _made_shorter(
    task: Task, watch: Watch, result: Result, began: float, tell: Callable[[Result], None]
) -> Result:
    for seconds in _SHORTEN:
        left = _left(task.limits, began)
        if left is not None and left <= seconds:
            break
        shorter = make_shorter(task.variant, task.state, result, seconds, task.limits, watch)
        _check(watch)
        if len(shorter.moves or ()) < len(result.moves or ()):
            result = shorter
            tell(result)
    return result


def _left(limits: Limits, began: float) -> float | None:
    return None if limits.seconds is None else max(0.0, limits.seconds - (time.monotonic() - began))


def _weigh(task: Task, watch: Watch, tell: Tell) -> None:
    """Weigh the moves by samples of the unseen cards, better and better."""
    view = view_of(task.state)
    kind = "quick" if task.variant.name == "joker" else "search"
    ends = None if task.limits.seconds is None else time.monotonic() + task.limits.seconds
    for advice in think(view, Player(kind, seconds=_THOUGHT), watch):
        _check(watch)
        tell(Weighed(tuple(advice)))
        if ends is not None and time.monotonic() >= ends:
            return
