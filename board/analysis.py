"""What is searched for a position that is shown: its verdict, its moves, the way to it, then shorter lines.

Nothing here knows of threads: `do` searches and tells, and the watch that it is given ends it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..rules import Variant
from ..rules.views import view_of
from ..solver import Limits, Result, Verdict, solve
from ..solver.core.processors import count_processors
from ..solver.player.player import Advice, Player, think
from ..solver.progress import Watch
from . import evaluation
from .shortening import Shortening

_ROUNDS = (0.25, 0.5, 1.0, 2.0, 4.0)  # seconds of the rounds in which a line is made shorter
_TURNS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  # the same, where several lines take turns
_THOUGHT = 0.25  # seconds between two answers of the player
_MARK = 2.0  # seconds for one move, when all are judged
_WAY = 2.0  # seconds for one position of the way that led here


class Stopped(Exception):  # noqa: N818 - it is no error
    """The watch has ended the work."""


@dataclass(frozen=True)
class Judged:
    """What is known of ``state``; ``to_tier`` says that the line reaches no more than the tier of the
    score."""

    state: Any
    result: Result
    to_tier: bool = False


@dataclass(frozen=True)
class Marked:
    """What is known after each legal move of the position, by its text; ``to_tier`` has lines from there that
    reach no more than the tier; ``is_done`` says that every move is judged."""

    after: Mapping[str, Result]
    to_tier: Mapping[str, Result]
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
    mistakes; ``known`` is what is known of all of them by now, and ``to_tier`` has lines that reach no more
    than the tier. ``hints`` asks for every legal move. ``compared`` is a position whose line is to be made
    shorter in place of that of ``state``: where the game is over, its deal. With ``is_hidden`` only what a
    person sees is looked at.
    """

    node: int
    variant: Variant
    state: Any
    limits: Limits
    hints: bool = False
    is_hidden: bool = False
    way: tuple[Any, ...] = ()
    known: Mapping[Any, Result] = field(default_factory=dict)
    to_tier: Mapping[Any, Result] = field(default_factory=dict)
    compared: Any = None


def do(task: Task, watch: Watch, tell: Tell) -> None:
    """Find out what ``task`` asks, telling each finding when it is made. Raises Stopped if ``watch`` ended
    it."""
    if task.is_hidden:
        _weigh(task, watch, tell)
        return
    began = time.monotonic()
    result = _judged(task, watch, task.state, task.limits, tell)
    marks = _Marks(task, watch, tell) if task.hints else None
    if marks is not None:
        marks.judge(result)
    compared = None if task.compared is None else _compared(task, watch, tell)
    for state in task.way:
        _judged(task, watch, state, _at_most(task.limits, _WAY), tell)
    budget = _Budget(task.limits, began)
    if compared is not None:
        _shorten(_shortening(task, task.compared, compared, tell), budget, watch)
    elif marks is not None:
        marks.shorten(result, budget)
    else:
        _shorten(_shortening(task, task.state, result, tell), budget, watch)


def _compared(task: Task, watch: Watch, tell: Tell) -> Result:
    """What can be reached from the position with which the game is compared. That a person came there too may
    be all that is known of it, by a line that is far from short. Raises Stopped."""
    known = task.known.get(task.compared)
    if known is not None and (known.shortest or known.verdict is Verdict.UNWINNABLE):
        return known
    found = _decided(task, watch, task.compared, task.limits)
    if known is not None and evaluation.is_final(known) and not evaluation.is_better(known, found):
        return known
    tell(Judged(task.compared, found))
    return found


def _judged(task: Task, watch: Watch, state: Any, limits: Limits, tell: Tell) -> Result:
    """What can be reached from ``state``, which is told if it is new. Raises Stopped."""
    known = task.known.get(state)
    if known is not None and evaluation.is_final(known):
        return known
    result = _decided(task, watch, state, limits)
    tell(Judged(state, result))
    return result


def _decided(task: Task, watch: Watch, state: Any, limits: Limits) -> Result:
    """What can be reached from ``state``. Raises Stopped."""
    if task.variant.family.is_won(state):
        return evaluation.won(task.variant, state)
    result = solve(task.variant, state, limits, shorten=0, watch=watch)
    _check(watch)
    return result


def _check(watch: Watch) -> None:
    if watch.was_stopped:
        raise Stopped


def _at_most(limits: Limits, seconds: float) -> Limits:
    return replace(limits, seconds=seconds if limits.seconds is None else min(seconds, limits.seconds))


@dataclass(frozen=True)
class _Budget:
    """What is left of ``limits`` for searches that ``began`` at some time."""

    limits: Limits
    began: float

    def left(self, most: float | None = None) -> Limits:
        """The limits of the next search, which may take up to ``most`` seconds."""
        spent = time.monotonic() - self.began
        seconds = None if self.limits.seconds is None else max(0.0, self.limits.seconds - spent)
        limits = Limits(seconds=seconds, megabytes=self.limits.megabytes)
        return limits if most is None else _at_most(limits, most)


@dataclass
class _Group:
    """The moves to one position, up to the order of columns, with the states to which they lead."""

    moves: list[tuple[Any, Any]]
    found: Result | None = None
    to_tier: Result | None = None

    @property
    def state(self) -> Any:
        """The state that is searched."""
        return self.moves[0][1]


class _Marks:
    """What is known after each legal move of the position of a task."""

    def __init__(self, task: Task, watch: Watch, tell: Tell) -> None:
        self.task = task
        self.watch = watch
        self.tell = tell
        groups: dict[Any, _Group] = {}
        family = task.variant.family
        for move in family.legal_moves(task.state):
            at = family.apply(task.state, move)
            groups.setdefault(family.canonical(at), _Group([])).moves.append((move, at))
        self.groups = list(groups.values())

    def tell_marks(self, is_done: bool) -> None:
        """Tell what is known by now."""
        after, to_tier = {}, {}
        for group in self.groups:
            for move, _ in group.moves:
                text = self.task.variant.family.format_move(self.task.state, move)
                if group.found is not None:
                    after[text] = group.found
                if group.to_tier is not None:
                    to_tier[text] = group.to_tier
        self.tell(Marked(after, to_tier, is_done))

    def judge(self, here: Result) -> None:
        """Judge every legal move, those that need no search first."""
        for group in self.groups:
            group.found = next(
                (found for move, at in group.moves if (found := self._known(here, move, at)) is not None),
                None,
            )
        is_open = [group for group in self.groups if group.found is None]
        self.tell_marks(not is_open)
        told = time.monotonic()
        for group in is_open:
            group.found = _decided(self.task, self.watch, group.state, _at_most(self.task.limits, _MARK))
            self.tell(Judged(group.state, group.found))
            if group is is_open[-1] or time.monotonic() - told > _THOUGHT:
                told = time.monotonic()
                self.tell_marks(group is is_open[-1])

    def _known(self, here: Result, move: Any, at: Any) -> Result | None:
        known = self.task.known.get(at)
        if known is not None and evaluation.is_final(known):
            return known
        return evaluation.after_move(self.task.variant, here, move, at)

    def shorten(self, here: Result, budget: _Budget) -> None:
        """Make the line from the position and those after the moves that keep what can be reached shorter, in
        turn. Raises Stopped."""
        first = _shortening(self.task, self.task.state, here, self.tell)
        others = [
            (group, _shortening(self.task, group.state, group.found, self.tell))
            for group in self.groups
            if group.found is not None and evaluation.keeps(here, group.found)
        ]
        for seconds in _TURNS:
            _take_turn(first, budget.left(seconds), self.watch)
            for group, line in others:
                self._follow(first.result, group, line)
                _take_turn(line, budget.left(seconds), self.watch)
                if group.found is not line.result or group.to_tier is not line.to_tier:
                    group.found, group.to_tier = line.result, line.to_tier
                    self._lead(first, group)
                    self.tell_marks(True)
            if budget.left().seconds == 0:
                return

    def _follow(self, here: Result, group: _Group, line: Shortening) -> None:
        """Take in that the line from the position, which may begin with a move of ``group``, is better."""
        for move, at in group.moves:
            if here.moves and here.moves[0] == move and at == group.state:
                line.learn(evaluation.after_move(self.task.variant, here, move, at))

    def _lead(self, first: Shortening, group: _Group) -> None:
        """Take in that the line after a move is better."""
        assert group.found is not None
        move, _ = group.moves[0]
        better = evaluation.before_move(self.task.variant, first.result, move, group.found)
        if better is not None:
            first.learn(better)
            self.tell(Judged(self.task.state, better))


def _shortening(task: Task, state: Any, result: Result, tell: Tell) -> Shortening:
    def tell_line(better: Result, to_tier: bool) -> None:
        tell(Judged(state, better, to_tier))

    return Shortening(task.variant, state, result, task.to_tier.get(state), tell_line)


def _take_turn(line: Shortening, limits: Limits, watch: Watch) -> None:
    """Make a line shorter for the seconds of ``limits``. Raises Stopped."""
    if limits.seconds:
        line.shorten(limits.seconds, limits, watch)
        _check(watch)
        line.prove(limits, watch)
        _check(watch)


def _shorten(line: Shortening, budget: _Budget, watch: Watch) -> None:
    """Make one line shorter until it is proved to be shortest, or the limits are spent. Raises Stopped."""
    for seconds in _ROUNDS:
        left = budget.left()
        if left.seconds is not None and left.seconds <= seconds:
            break
        line.shorten(seconds, left, watch)
        _check(watch)
    line.prove(budget.left(), watch)
    _check(watch)


def _weigh(task: Task, watch: Watch, tell: Tell) -> None:
    """Weigh the moves by samples of the unseen cards, better and better."""
    view = view_of(task.state)
    ends = None if task.limits.seconds is None else time.monotonic() + task.limits.seconds
    for advice in think(view, Player("search", seconds=_THOUGHT), watch, count_processors()):
        _check(watch)
        tell(Weighed(tuple(advice)))
        if ends is not None and time.monotonic() >= ends:
            return
