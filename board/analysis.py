"""Analysis of the position shown: its verdict, its moves, the positions leading to it, then shorter lines.

Thread-free: `do` searches and reports through a callback until its `Watch` stops it.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..game import evaluation
from ..rules import Variant
from ..solver import Limits, Result, Verdict, solve
from ..solver.analysis.fair import WORK, FairReview, fair_review
from ..solver.core.processors import count_processors
from ..solver.engine import find_score, searches_scores
from ..solver.player.player import Advice, Player, think
from ..solver.progress import Watch
from ..solver.unknown_cards import certainty
from .shortening import Shortening

_ROUNDS = (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)  # work of the rounds that shorten a line
_TURNS = (100_000, *_ROUNDS)  # work of the rounds where several lines take turns
_THOUGHT = 0.25  # seconds between two answers of the player
_CERTAIN = 5.0  # seconds for the proof that a position with hidden cards is won or lost
_MARK = 2_000_000  # work for one move when all moves are judged
_MOST_UP = 2_000_000  # work for the most cards that can go up in a lost position
_WAY = 2_000_000  # work for one position among those that led to the position shown


class Stopped(Exception):  # noqa: N818 - it is no error
    """The analysis was stopped by its watch."""


@dataclass(frozen=True)
class Judged:
    """A search result for ``state``. With ``to_tier`` its line reaches only the tier of the best score, not
    the score."""

    state: Any
    result: Result
    to_tier: bool = False


@dataclass(frozen=True)
class MostUp:
    """The most cards that can go up in the lost position ``state``: the score of ``result``, whose line leads
    to them."""

    state: Any
    result: Result


@dataclass(frozen=True)
class Marked:
    """Search results after each legal move, by move text. ``to_tier`` has results whose lines reach only the
    tier; ``is_done`` is true once every move is judged."""

    after: Mapping[str, Result]
    to_tier: Mapping[str, Result]
    is_done: bool


@dataclass(frozen=True)
class Weighed:
    """The player's evaluation of the moves in a position with hidden cards, the best first."""

    advice: tuple[Advice, ...]


@dataclass(frozen=True)
class Settled:
    """Certainty with hidden cards: ``won`` or ``lost`` if that is proved, else None."""

    certain: str | None


@dataclass(frozen=True)
class Reviewed:
    """The review of a game by what its player saw."""

    review: FairReview


@dataclass(frozen=True)
class Finished:
    """The end of an analysis: nothing more can be found within the limits."""


@dataclass(frozen=True)
class Failed:
    """A search that raised an exception: a refusal, such as of rules that no player knows, or a bug of the
    program. ``why`` says it in words, of a bug with the class of the exception."""

    why: str


AnalysisUpdate = Judged | MostUp | Marked | Weighed | Settled | Reviewed | Finished | Failed
Tell = Callable[[AnalysisUpdate], None]


@dataclass(frozen=True)
class Task:
    """A request to analyse ``state``, the position of tree node ``node``.

    ``is_counted`` is true if the most cards that can go up in it are known, should it be lost.

    ``way`` has the positions that led to it, which are to be judged too, and others whose moves may be marked
    as mistakes. ``known`` has the results found so far, ``to_tier`` the lines that reach only the tier.
    ``hints`` requests a result for every legal move. ``compared`` is a position whose line is to be shortened
    instead of that of ``state``: the deal, once the game is over; ``moves`` are then the moves of the game,
    each with its resulting position. If ``is_hidden`` is true, only ``table`` is used, a state with unknown
    cards; ``is_settled`` is true if no proof that it is won or lost is wanted. If ``is_review`` is true,
    ``moves`` from ``state`` are judged by what their player saw, and nothing else.
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
    table: Any = None
    is_settled: bool = False
    is_counted: bool = False
    moves: tuple[tuple[Any, Any], ...] = ()
    is_review: bool = False


def do(task: Task, watch: Watch, tell: Tell) -> None:
    """Run the analysis ``task``; ``tell`` is called with each finding. Raises Stopped if ``watch`` ends
    it."""
    if task.is_review:
        _review(task, watch, tell)
        return
    if task.is_hidden:
        _weigh(task, watch, tell)
        return
    began = time.monotonic()
    result = _judged(task, watch, task.state, task.limits, tell)
    _tell_most_up(task, watch, result, tell)
    marks = _Marks(task, watch, tell) if task.hints else None
    if marks is not None:
        result = marks.judge(result)
    compared = None if task.compared is None else _compared(task, watch, tell)
    way = {state: _judged(task, watch, state, replace(task.limits, work=_WAY), tell) for state in task.way}
    budget = _Budget(task.limits, began)
    if compared is not None:
        line = _shortening(task, task.compared, compared, tell)
        _shorten(line, budget, watch)
        if task.variant.family.is_won(task.state):
            _judge_moves(task, watch, tell, line.result, budget)
        else:
            known = {**task.known, **way, task.state: result}
            _shorten_last_win(task, watch, tell, known, budget)
    elif marks is not None:
        marks.shorten(result, budget)
    else:
        _shorten(_shortening(task, task.state, result, tell), budget, watch)


def _compared(task: Task, watch: Watch, tell: Tell) -> Result:
    """The result for the position that the game is compared with. If the known result comes from the player's
    own line, which is rarely short, the position is searched again. Raises Stopped."""
    known = task.known.get(task.compared)
    if known is not None and (known.shortest or known.verdict is Verdict.UNWINNABLE):
        return known
    found = _decided(task, watch, task.compared, task.limits)
    if known is not None and evaluation.is_final(known) and not evaluation.is_better(known, found):
        return known
    tell(Judged(task.compared, found))
    return found


def _judged(task: Task, watch: Watch, state: Any, limits: Limits, tell: Tell) -> Result:
    """The result for ``state``, reported if it is new. Raises Stopped."""
    known = task.known.get(state)
    if known is not None and evaluation.is_final(known):
        return known
    result = _decided(task, watch, state, limits)
    tell(Judged(state, result))
    return result


def _decided(task: Task, watch: Watch, state: Any, limits: Limits) -> Result:
    """The result for ``state`` by search. Raises Stopped."""
    if task.variant.family.is_won(state):
        return evaluation.won(task.variant, state)
    result: Result = solve(task.variant, state, limits, shorten=0, watch=watch)
    _check(watch)
    return result


def _tell_most_up(task: Task, watch: Watch, result: Result, tell: Tell) -> None:
    """Report the most cards that can go up if ``result``, that of the position shown, is a loss, in games
    that have a search for them. Raises Stopped."""
    if result.verdict is not Verdict.UNWINNABLE or result.score is not None or task.is_counted:
        return
    if searches_scores(task.variant, task.state.choices):
        lost, limits = Result(Verdict.UNWINNABLE), replace(task.limits, work=_MOST_UP)
        found = find_score(task.variant, task.state, lost, limits, watch)
        _check(watch)
        tell(MostUp(task.state, found))


def _check(watch: Watch) -> None:
    if watch.was_stopped:
        raise Stopped


@dataclass(frozen=True)
class _Budget:
    """The time left for a sequence of searches that began at ``began`` and shares the seconds of
    ``limits``."""

    limits: Limits
    began: float

    def left(self, work: int | None = None) -> Limits:
        """The limits of the next search, with at most ``work`` units."""
        spent = time.monotonic() - self.began
        seconds = None if self.limits.seconds is None else max(0.0, self.limits.seconds - spent)
        return Limits(seconds=seconds, megabytes=self.limits.megabytes, work=work)


@dataclass
class _Group:
    """Moves that lead to the same position up to column order, each with its resulting state."""

    moves: list[tuple[Any, Any]]
    found: Result | None = None
    to_tier: Result | None = None

    @property
    def state(self) -> Any:
        """The representative state that is searched."""
        return self.moves[0][1]


class _Marks:
    """The results after each legal move of a task's position."""

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
        """Report the results so far."""
        after, to_tier = {}, {}
        for group in self.groups:
            for move, _ in group.moves:
                text = self.task.variant.family.format_move(self.task.state, move)
                if group.found is not None:
                    after[text] = group.found
                if group.to_tier is not None:
                    to_tier[text] = group.to_tier
        self.tell(Marked(after, to_tier, is_done))

    def judge(self, here: Result) -> Result:
        """Judge every legal move, starting with those that need no search. Returns the result for the
        position, which is ``here`` or a better one that begins with one of the moves."""
        for group in self.groups:
            group.found = next(
                (found for move, at in group.moves if (found := self._known(here, move, at)) is not None),
                None,
            )
            here = self._improved(here, group)
        is_open = [group for group in self.groups if group.found is None]
        self.tell_marks(not is_open)
        told = time.monotonic()
        for group in is_open:
            group.found = _decided(self.task, self.watch, group.state, replace(self.task.limits, work=_MARK))
            self.tell(Judged(group.state, group.found))
            here = self._improved(here, group)
            if group is is_open[-1] or time.monotonic() - told > _THOUGHT:
                told = time.monotonic()
                self.tell_marks(group is is_open[-1])
        return here

    def _improved(self, here: Result, group: _Group) -> Result:
        """The result for the position, improved and reported if the moves of ``group`` have a better one than
        ``here``."""
        if group.found is None:
            return here
        better = evaluation.before_move(self.task.variant, here, group.moves[0][0], group.found)
        if better is None:
            return here
        self.tell(Judged(self.task.state, better))
        return better

    def _known(self, here: Result, move: Any, at: Any) -> Result | None:
        known = self.task.known.get(at)
        if known is not None and evaluation.is_final(known):
            return known
        return evaluation.after_move(self.task.variant, here, move, at)

    def shorten(self, here: Result, budget: _Budget) -> None:
        """Shorten in turn the line of the position and those after moves that keep the result. Raises
        Stopped."""
        first = _shortening(self.task, self.task.state, here, self.tell)
        others = [
            (group, _shortening(self.task, group.state, group.found, self.tell))
            for group in self.groups
            if group.found is not None and evaluation.keeps(here, group.found)
        ]
        for work in _TURNS:
            _take_turn(first, budget.left(work), self.watch)
            for group, line in others:
                self._follow(first.result, group, line)
                _take_turn(line, budget.left(work), self.watch)
                if group.found is not line.result or group.to_tier is not line.to_tier:
                    group.found, group.to_tier = line.result, line.to_tier
                    self._lead(first, group)
                    self.tell_marks(True)
            if budget.left().seconds == 0:
                return

    def _follow(self, here: Result, group: _Group, line: Shortening) -> None:
        """Use an improved line of the position for the move of ``group`` that it begins with."""
        for move, at in group.moves:
            if here.moves and here.moves[0] == move and at == group.state:
                line.learn(evaluation.after_move(self.task.variant, here, move, at))

    def _lead(self, first: Shortening, group: _Group) -> None:
        """Use an improved line after a move of ``group`` for the position itself."""
        better = self._improved(first.result, group)
        if better is not first.result:
            first.learn(better)


def _shortening(task: Task, state: Any, result: Result, tell: Tell) -> Shortening:
    def tell_line(better: Result, to_tier: bool) -> None:
        tell(Judged(state, better, to_tier))

    return Shortening(task.variant, state, result, task.to_tier.get(state), tell_line)


def _take_turn(line: Shortening, limits: Limits, watch: Watch) -> None:
    """Shorten one line with the work of ``limits``. Raises Stopped."""
    if limits.seconds != 0:
        line.shorten(limits.work or 0, limits, watch)
        _check(watch)
        line.prove(limits, watch)
        _check(watch)


def _shorten(line: Shortening, budget: _Budget, watch: Watch) -> None:
    """Shorten one line until it is proved shortest or the limits are spent. Raises Stopped."""
    for work in _ROUNDS:
        line.shorten(work, budget.left(), watch)
        _check(watch)
    line.prove(budget.left(), watch)
    _check(watch)


def _review(task: Task, watch: Watch, tell: Tell) -> None:
    """Judge the moves of a game by what its player saw. Raises Stopped."""
    moves = [move for move, _ in task.moves]
    limits = replace(task.limits, work=WORK)
    found = fair_review(task.variant, task.state, moves, limits=limits, watch=watch)
    _check(watch)
    tell(Reviewed(found))


def _certainty(task: Task, watch: Watch) -> str | None:
    """``won`` or ``lost`` if the table is that for certain, else None. Raises Stopped."""
    try:
        seconds = min(_CERTAIN, task.limits.seconds or _CERTAIN)
        return certainty(task.table, replace(task.limits, work=None, seconds=seconds), watch)
    except KeyboardInterrupt:
        raise Stopped from None


def _shorten_last_win(
    task: Task, watch: Watch, tell: Tell, known: Mapping[Any, Result], budget: _Budget
) -> None:
    """Shorten the line of the last position of a finished game that could still be won. Raises Stopped."""
    for _, state in reversed(task.moves):
        result = known.get(state)
        if result is not None and result.verdict is Verdict.WINNABLE:
            _shorten(_shortening(task, state, result, tell), budget, watch)
            return


def _judge_moves(task: Task, watch: Watch, tell: Tell, result: Result, budget: _Budget) -> None:
    """Search for a shortest line after each move of a won game, starting with ``result``, the result of the
    deal. Ends when a line cannot be proved shortest, or when the rest of the game is as short as the line.
    Raises Stopped."""
    for left, (move, state) in zip(range(len(task.moves) - 1, 0, -1), task.moves, strict=False):
        if not result.shortest or len(result.moves or ()) == left + 1 or budget.left().seconds == 0:
            return
        following = evaluation.after_move(task.variant, result, move, state)
        if following is None:
            found = _decided(task, watch, state, budget.left(_WAY))
            known = task.known.get(state)
            if known is not None and evaluation.is_final(known) and not evaluation.is_better(known, found):
                found = known
            line = _shortening(task, state, found, tell)
            _shorten(line, budget, watch)
            following = line.result
        result = following


def _weigh(task: Task, watch: Watch, tell: Tell) -> None:
    """Evaluate the moves by sampling the unseen cards, with a growing number of samples. With hints, also try
    to prove that the position is won or lost for certain."""
    is_settled = task.is_settled or not task.hints
    if not task.table.deck.is_full:  # there is no player for short decks
        tell(Weighed(()))
        if not is_settled:
            tell(Settled(_certainty(task, watch)))
        return
    ends = None if task.limits.seconds is None else time.monotonic() + task.limits.seconds
    for advice in think(task.table, Player("search", seconds=_THOUGHT), watch, count_processors()):
        _check(watch)
        tell(Weighed(tuple(advice)))
        if not is_settled:
            is_settled = True
            certain = _certainty(task, watch)
            tell(Settled(certain))
            if certain == "lost":  # no move is better than another
                return
        if ends is not None and time.monotonic() >= ends:
            return
