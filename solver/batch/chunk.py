"""Solver of a chunk of deals on one thread, of this process or of a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, overload

from ... import __version__
from ...rules import find_variant
from ...rules.deals import lay_out
from ...rules.formats.foreign import pysol
from .. import diagnostics
from ..core.record import OUTCOMES, VERDICTS, WINNABLE, Record, Records
from ..engine import (
    check_score,
    check_shortest_ends,
    decide,
    find_kernel,
    find_score,
    lack_of_kernel,
    prove_optimal,
    remaining_limits,
    slowly,
    without_kernel,
)
from ..progress import Watch
from ..result import REASONS, Limits, Result, Verdict

if TYPE_CHECKING:
    from ...rules.variants import Choices
    from ..player.player import Game, Player

Piece = range | Sequence[tuple[int, Any]]
"""A sequence of deals: a range of seeds, or pairs of a number and a position."""


@dataclass(frozen=True)
class PysolDeals(Sequence[tuple[int, Any]]):
    """The deals with some of PySolFC's numbers, dealt on access."""

    variant: str
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> tuple[int, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> PysolDeals: ...
    def __getitem__(self, at: int | slice) -> tuple[int, Any] | PysolDeals:
        if isinstance(at, slice):
            return replace(self, numbers=self.numbers[at])
        number = self.numbers[at]
        return number, pysol.deal(find_variant(self.variant), str(number))

    def kept(self, is_kept: Callable[[int], bool]) -> list[Piece]:
        """The deals whose numbers satisfy ``is_kept``, as one piece."""
        return [replace(self, numbers=list(filter(is_kept, self.numbers)))]


@dataclass(frozen=True)
class CardDeals(Sequence[tuple[int, Any]]):
    """Fresh deals of the full deck, numbered from ``first`` on.

    ``cards`` has one byte a card, deal after deal, in the order of dealing. ``choices`` are rule options by
    name.
    """

    variant: str
    choices: Mapping[str, str]
    first: int
    cards: bytes

    @cached_property
    def size(self) -> int:
        """The number of cards of a deal."""
        return len(find_variant(self.variant).deck().cards())

    def __len__(self) -> int:
        return len(self.cards) // self.size

    @overload
    def __getitem__(self, at: int) -> tuple[int, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> CardDeals: ...
    def __getitem__(self, at: int | slice) -> tuple[int, Any] | CardDeals:
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            cards = self.cards[start * self.size : max(start, stop) * self.size]
            return replace(self, first=self.first + start, cards=cards)
        number = range(len(self))[at]
        cards = self.cards[number * self.size : (number + 1) * self.size]
        variant = find_variant(self.variant)
        state = variant.start(variant.deck(), *lay_out(cards, variant.sizes), self.choices)
        return self.first + number, state

    def kept(self, is_kept: Callable[[int], bool]) -> list[Piece]:
        """The deals whose numbers satisfy ``is_kept``, in pieces of consecutive numbers."""
        numbers = filter(is_kept, range(self.first, self.first + len(self)))
        runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
        kept = ([number for _, number in run] for _, run in runs)
        return [self[run[0] - self.first : run[-1] + 1 - self.first] for run in kept]


@dataclass(frozen=True)
class Task:
    """Parameters common to all chunks of a batch.

    All lines are replayed by the compiled replay; winnable deals whose seeds are divisible by ``check_every``
    are also solved again from the readable dealer and replayed through `rules`, if it is not 0. If
    ``shortest`` is true, shortest lines are searched for within the limits. If ``player`` is not None, the
    deals are played instead of decided. If ``score`` is true, deals of a game without tiers get scores by
    `engine.find_score`. ``version`` is that of the program that made the task.
    """

    variant: str
    limits: Limits
    choices: Choices | None = None
    check_every: int = 1000
    shortest: bool = False
    version: str = __version__
    player: Player | None = None
    score: bool = False


class ClusterError(Exception):
    """A failure of the cluster."""


class ChunkSolver:
    """Solver of chunks of a task, on one thread. Another thread may call `stop`.

    Raises ClusterError if the task was made by another version; ValueError for ``shortest`` or ``score`` in
    a game without such a search.
    """

    def __init__(self, task: Task) -> None:
        if task.version != __version__:
            raise ClusterError(f"a worker has version {__version__} of winnable, not {task.version}")
        self.task = task
        self.variant = find_variant(task.variant)
        self.is_stopped = False
        self.kernel = self._make_kernel(task.limits)
        self.checker = self.kernel and self._make_kernel(replace(task.limits, seconds=None))
        self.improver = self.kernel
        self.watch = Watch()
        if task.shortest and task.player is not None:
            raise ValueError(f"there is no compiled search for shortest lines of {task.variant}")
        if task.shortest and self.kernel is None:
            raise ValueError(lack_of_kernel("a search for shortest lines", self.variant, task.choices))
        if task.shortest:
            check_shortest_ends(self.variant, task.limits)
        if task.score:
            check_score(self.variant, choices=task.choices)

    def _make_kernel(self, limits: Limits) -> Any:
        """A kernel or player for the task; None if no engine is compiled."""
        if self.task.player is not None:
            from ..player.player import find_player_kernel

            return find_player_kernel(self.variant, self.task.choices)(limits, self.task.player)
        kernel = find_kernel(self.variant, self.task.choices)
        return kernel and kernel(limits)

    def stop(self) -> None:
        """Stop the running search and every later one."""
        self.is_stopped = True
        self.watch.stop()
        if self.kernel is not None:
            for kernel in (self.kernel, self.checker, self.improver):
                kernel.stop()

    def solve(self, piece: Piece) -> Records:
        """Solve the deals of ``piece``; return their records, fewer if it was stopped.

        Raises RuntimeError if a line fails its replay.
        """
        task = self.task
        if self.kernel is None or task.score or not isinstance(piece, range | CardDeals):
            return self._solve_positions(piece)
        first, choices, cards = getattr(piece, "start", 0), task.choices, None
        if isinstance(piece, CardDeals):
            first, choices, cards = piece.first, self.variant.agreed(piece.choices), piece.cards
            if self._is_by_reference(choices):
                return self._solve_positions(piece)
        records: Records = self.kernel.solve_seeds(
            task.variant, first, len(piece), choices, task.shortest, cards
        )
        if task.check_every:
            for at in range(-first % task.check_every, len(records), task.check_every):
                (record,) = records[at : at + 1]
                if record.verdict == WINNABLE:
                    deal = piece[at]
                    self._check(record, self._deal(deal) if isinstance(deal, int) else deal[1])
        return records

    def _solve_positions(self, piece: Piece) -> Records:
        records = []
        for deal in piece:
            number, state = (deal, self._deal(deal)) if isinstance(deal, int) else deal
            began = time.thread_time_ns()
            result = self._decide(state)
            if self.is_stopped:
                break
            records.append(_record(number, result, (time.thread_time_ns() - began) // 1000))
        return Records.pack(records)

    def _is_by_reference(self, choices: Any) -> bool:
        """Test if the reference engine decides deals under the rule options ``choices``."""
        if self.task.player is not None:
            return False
        return self.kernel is None or without_kernel(self.variant, choices) != ""

    def _decide(self, state: Any) -> Result | Game:
        choices = state.choices
        if self._is_by_reference(choices):
            from .. import reference

            stop = slowly(self.variant, choices, lambda: self.is_stopped)
            return reference.solve(self.variant, state, self.task.limits, is_stopped=stop)
        return self._scored(state, self._improved(state, self._answer(state, self.kernel)))

    def _answer(self, state: Any, kernel: Any) -> Result | Game:
        if self.task.player is not None:
            from ..player.player import play_game

            return play_game(state, kernel)
        return decide(self.variant, state, kernel, name_cards=False)

    def _improved(self, state: Any, result: Result | Game) -> Result | Game:
        """Search for a shortest line within the rest of the limits, if the task requests it."""
        if not self.task.shortest or not isinstance(result, Result) or result.verdict is not Verdict.WINNABLE:
            return result
        self.improver = type(self.kernel)(remaining_limits(self.task.limits, result))
        return result if self.is_stopped else prove_optimal(self.variant, state, result, self.improver)

    def _scored(self, state: Any, result: Result | Game) -> Result | Game:
        """Search for the best score of a deal, if the task requests it; an undecided deal gets its present
        score and the greatest possible one as bounds."""
        if not self.task.score or not isinstance(result, Result) or self.variant.scoring is not None:
            return result
        if result.verdict is not Verdict.UNDECIDED:
            return find_score(self.variant, state, result, self.task.limits, self.watch)
        return replace(result, score=self.variant.cards_up(state), score_bound=state.deck.places, exact=False)

    def _deal(self, seed: int) -> Any:
        return self.variant.deal(seed, choices=self.task.choices)

    def _check(self, record: Record, state: Any) -> None:
        """Solve the deal of ``record`` again from ``state``, dealt by the readable dealer, and compare.

        Raises RuntimeError if the results differ. Lengths of lines must agree, but with ``shortest`` only if
        both are proved shortest.
        """
        result = self._answer(state, self.checker)
        if record.shortest:
            result = self._improved(state, result)
        verdict, moves = _verdict(result), len(result.moves or ())
        is_same_line = result.shortest if self.task.shortest and isinstance(result, Result) else True
        differs = verdict != record.verdict or (is_same_line and moves != record.moves)
        if differs and not self.is_stopped:
            raise diagnostics.WrongAnswer(
                f"deal {record.seed} of {self.variant.name}: a batch and a single search differ"
            )


def _verdict(result: Result | Game) -> int:
    """The verdict of ``result`` as an index of `VERDICTS` or `OUTCOMES`."""
    words = VERDICTS if isinstance(result, Result) else OUTCOMES
    return words.index(result.verdict.value)


def _record(number: int, result: Result | Game, microseconds: int) -> Record:
    """The record of ``result``, of the deal ``number``."""
    if not isinstance(result, Result):
        return Record(
            *(number, result.samples, result.decisions, microseconds, len(result.moves), -1),
            *(result.score, -1, _verdict(result), REASONS.index(result.reason), 0, -1),
        )
    length = None if result.moves is None else len(result.moves)
    moves, bound, score, most = (
        -1 if value is None else value
        for value in (length, result.lower_bound, result.score, result.score_bound)
    )
    return Record(
        *(number, result.expanded, result.generated, microseconds, moves, bound, score, most),
        *(_verdict(result), REASONS.index(result.reason), int(result.shortest), int(bool(result.exact))),
    )
