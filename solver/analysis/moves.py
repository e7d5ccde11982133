"""Moves from a position, and search results for the positions after them."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...rules import Variant
from ..engine import (
    find_kernel,
    find_score,
    optimize,
    optimizes,
    prove_optimal,
    remaining_limits,
    searches_scores,
    unknown,
)
from ..progress import Watch
from ..result import Limits, Result, Verdict
from ..solving import solve

ORDER = (Verdict.WINNABLE, Verdict.UNDECIDED, Verdict.UNWINNABLE)
"""Verdicts, the best first."""

_LEAST_WORK = 50_000
_ROUNDS = 2


class _EnoughError(Exception):
    """Ends a search: its line is as short as a known lower bound."""


@dataclass
class Move:
    """A move, the position ``at`` after it, the result ``after`` it so far, and the moves ``alike`` that lead
    to an equivalent position. ``is_decided`` means that the result follows from that of the position
    before."""

    move: Any
    at: Any
    after: Result
    alike: list[Any] = field(default_factory=list)
    is_decided: bool = False

    @property
    def length(self) -> int:
        """The length of the line from ``at``; 0 if there is no line."""
        return len(self.after.moves or ())

    def begin(self, move: Any, at: Any, after: Result) -> None:
        """Set the move, the position after it and its result. ``move`` must be this move or one of those
        alike."""
        if move != self.move:
            self.alike = [self.move, *(other for other in self.alike if other != move)]
        self.move, self.at, self.after = move, at, after

    def raise_bound(self, lower_bound: int) -> None:
        """Add a lower bound on the length of lines from ``at``."""
        after = self.after
        if after.verdict is Verdict.UNWINNABLE:
            return
        known = max(lower_bound, after.lower_bound or 0)
        is_shortest = after.verdict is Verdict.WINNABLE and self.length == known
        reason = None if is_shortest else after.reason
        self.after = replace(after, lower_bound=known, shortest=is_shortest, reason=reason)


class Moves:
    """The moves from a position, one for each class of moves that lead to equivalent positions.

    Each stage, from `solve` to `prove`, improves their results. Ctrl-C ends a stage with KeyboardInterrupt;
    the results so far are kept.
    """

    def __init__(self, variant: Variant, state: Any, limits: Limits, watch: Watch | None = None) -> None:
        self.variant = variant
        self.state = state
        self.limits = limits
        self.ends = None if limits.seconds is None else time.monotonic() + limits.seconds
        self.watch = watch
        self.answer = unknown(variant, state)  # result of `solve` for ``state``
        self.here: Result | None = None  # result of the search for a shortest line from ``state``
        self.left = Limits()  # rest of the budget of proofs
        self.moves: dict[Any, Move] = {}
        for move in variant.family.legal_moves(state):
            at = variant.family.apply(state, move)
            key = variant.family.canonical(at)
            if key in self.moves:
                self.moves[key].alike.append(move)
            else:
                self.moves[key] = Move(move, at, unknown(variant, at))

    def solve(self, work: int | None) -> None:
        """Solve the position within ``work``, and set the results of moves that follow from it: all moves of
        a lost position lose, and the rest of a line wins after its first move."""
        within = replace(self._capped(self.limits), work=work)
        self.answer = search(partial(solve, self.variant, self.state, within, shorten=0, watch=self.watch))
        answer, line = self.answer, self.answer.moves
        if answer.reason == "interrupted":
            raise KeyboardInterrupt
        is_lost = answer.score is None and answer.verdict is Verdict.UNWINNABLE
        known = replace(answer, expanded=0, generated=0, work=0, seconds=0.0, cpu_seconds=0.0)
        for move in self.moves.values():
            if is_lost or (answer.exact and answer.score == self.variant.score(move.at)):
                move.after, move.is_decided = replace(known, moves=None if is_lost else ()), True
        if line:
            move, bound = self._begun_by(line), answer.lower_bound
            rest = replace(known, moves=line[1:], lower_bound=None if bound is None else bound - 1)
            move.begin(line[0], self.variant.family.apply(self.state, line[0]), rest)
            move.is_decided = True

    def _begun_by(self, line: tuple[Any, ...]) -> Move:
        """The entry of the first move of ``line``, or of one that leads to an equivalent position."""
        at = self.variant.family.apply(self.state, line[0])
        return self.moves[self.variant.family.canonical(at)]

    def _adopt(self, line: tuple[Any, ...]) -> None:
        """Use the rest of the winning ``line`` as line after its first move, if that has none as short."""
        begun, rest = self._begun_by(line), line[1:]
        if begun.after.verdict is not Verdict.WINNABLE or len(rest) < begun.length:
            after = replace(begun.after, verdict=Verdict.WINNABLE, moves=rest, shortest=False, reason=None)
            begun.begin(line[0], self.variant.family.apply(self.state, line[0]), after)

    def decide(self, work: int | None) -> None:
        """Decide the positions after the other moves. They share ``work``, and later ones get what is unused;
        if it is None, only the limits apply."""
        for number, move in enumerate(self.moves.values()):
            if move.is_decided:
                continue
            within = self._capped(self.limits)
            if work is not None:
                within = replace(within, work=max(work // (len(self.moves) - number), _LEAST_WORK))
            self._report(number, len(self.moves))
            self._note(move, partial(solve, self.variant, move.at, within, shorten=0, watch=self.watch))
            if work is not None:
                work -= move.after.work

    def score_lost(self, work: int | None) -> None:
        """In a lost position of a game without tiers, find the most cards that can go up: from it within
        ``work``, then after each move, within as much together. Does nothing without a search for them."""
        if self.answer.verdict is not Verdict.UNWINNABLE or self.answer.score is not None:
            return
        if not searches_scores(self.variant, self.state.choices):
            return
        lost = replace(self.answer, moves=None)
        self.answer = self._scored(self.state, lost, work)
        if self.answer.reason == "interrupted":
            raise KeyboardInterrupt
        known = replace(lost, expanded=0, generated=0, work=0, seconds=0.0, cpu_seconds=0.0)
        for number, move in enumerate(self.moves.values()):
            share = None if work is None else max(work // (len(self.moves) - number), _LEAST_WORK)
            self._report(number, len(self.moves))
            self._note(move, partial(self._scored, move.at, known, share))
            if work is not None:
                work -= move.after.work

    def _scored(self, state: Any, lost: Result, work: int | None) -> Result:
        """``lost``, the result of ``state``, with its best score, within ``work`` more."""
        within = None if work is None else work + lost.work
        limits = replace(self._capped(self.limits), work=within)
        return search(partial(find_score, self.variant, state, lost, limits, self.watch))

    def shorten(self, work: int, work_of_moves: int) -> None:
        """Shorten the line of the position for ``work``, so that it is not longer than that of ``winnable
        solve``; then those after the moves, each for an equal part of ``work_of_moves``. Does nothing if the
        engine cannot shorten lines."""
        if not work or not optimizes(self.variant, self.state.choices):
            return
        if self.watch is not None:
            self.watch.part = ""
        limits, solved = self._capped(self.limits), replace(self.answer, seconds=0.0)
        found = search(partial(optimize, self.variant, self.state, solved, work, limits, self.watch))
        self.answer = replace(found, seconds=found.seconds + self.answer.seconds)
        if self.answer.moves:
            self._adopt(self.answer.moves)
        if self.answer.reason == "interrupted":
            raise KeyboardInterrupt
        for number, move in enumerate(self.moves.values()):
            if not move.after.moves:
                continue
            within = self._capped(self.limits)
            self._report(number, len(self.moves))
            after = replace(move.after, seconds=0.0, cpu_seconds=0.0)
            share = work_of_moves // len(self.moves)
            self._note(move, partial(optimize, self.variant, move.at, after, share, within, self.watch))

    def bound_scores(self) -> None:
        """Apply the score bound of the position to the results after its moves."""
        most = self.answer.score_bound
        for move in self.moves.values():
            after = move.after
            if most is not None and most < (after.score_bound or 0):
                is_exact = after.score == most
                reason = None if is_exact else after.reason
                move.after = replace(after, score_bound=most, exact=is_exact, reason=reason)

    def _capped(self, limits: Limits) -> Limits:
        """``limits`` with at most the seconds that are left for all moves together."""
        left = None if self.ends is None else max(0.0, self.ends - time.monotonic())
        if left is None or (limits.seconds is not None and limits.seconds <= left):
            return limits
        return replace(limits, seconds=left)

    def _report(self, number: int, count: int) -> None:
        """Report to ``watch`` that the search after move ``number``, from 0, of ``count`` begins."""
        if self.watch is not None:
            self.watch.at("move", number + 1, count)

    def _note(self, move: Move, begin: Callable[[], Result]) -> None:
        move.after = search(begin)
        if move.after.reason == "interrupted":
            raise KeyboardInterrupt

    # --- Proofs ---------------------------------------------------------------------------------------------

    def prove(self, limits: Limits) -> None:
        """Search for a shortest line from the position, then for one after each move, within ``limits``.

        The lower bound of the position minus one applies after each move; a line of that length is proved
        shortest without a search. Unused budget is given to the other moves, which are then searched again.
        """
        if not self._open():
            return
        self.left = limits
        try:
            self._prove_here()
        finally:
            least = (self.here.lower_bound or 1) - 1 if self.here else 0
            for move in self.moves.values():
                move.raise_bound(least)
        shares: dict[int, Limits] = {}
        for _ in range(_ROUNDS):
            moves = self._open()
            for number, move in enumerate(moves):
                within = self._share(len(moves) - number)
                if _is_worth_it(within, shares.get(id(move))):
                    self._report(number, len(moves))
                    shares[id(move)] = within
                    try:
                        self._note(move, partial(self._improve, move.at, move.after, within, least))
                    finally:
                        move.raise_bound(least)

    def _open(self) -> list[Move]:
        """The winning moves whose lines are not proved shortest, the best first."""
        moves = [m for m in self.moves.values() if m.after.verdict is Verdict.WINNABLE]
        return sorted((m for m in moves if not m.after.shortest), key=lambda m: worth(m.after))

    def _prove_here(self) -> None:
        """Search for a shortest line from the position, and use the rest of it as line of its first move."""
        moves = self._open()
        if self.watch is not None:
            self.watch.part = ""
        line = (moves[0].move, *(moves[0].after.moves or ()))
        solved = Result(Verdict.WINNABLE, line, engine="compiled")
        self.here = self._improve(self.state, solved, self._share(min(2, len(moves))), 0)
        if not self.here.moves:  # the position is won already, though there are legal moves
            return
        self._adopt(self.here.moves)
        if self.here.reason == "interrupted":
            raise KeyboardInterrupt

    def _improve(self, state: Any, solved: Result, within: Limits, enough: int) -> Result:
        """Search for a shorter line than that of ``solved``, and a greater bound, within the limits
        ``within``. Ends when the line has ``enough`` moves or fewer. Charges the search to the budget of
        proofs."""
        kind = find_kernel(self.variant, self.state.choices)
        assert kind is not None
        kernel = kind(within)
        began, best = time.monotonic(), solved

        def report(result: Result) -> None:
            nonlocal best
            best = result
            if len(result.moves or ()) <= enough:
                raise _EnoughError

        with contextlib.suppress(_EnoughError):
            best = search(partial(prove_optimal, self.variant, state, solved, kernel, report, self.watch))
        seconds = time.monotonic() - began
        spent = Result(Verdict.WINNABLE, expanded=kernel.expanded, work=kernel.work, seconds=seconds)
        self.left = remaining_limits(self.left, spent)
        return best

    def _share(self, count: int) -> Limits:
        """The share of the rest of the budget of proofs for one of ``count`` searches."""
        nodes, work, seconds = self.left.nodes, self.left.work, self.left.seconds
        limits = Limits(
            None if nodes is None else nodes // count,
            None if seconds is None else seconds / count,
            self.limits.megabytes,
            None if work is None else work // count,
        )
        return self._capped(limits)


def _is_worth_it(within: Limits, before: Limits | None) -> bool:
    """Test if a search is worthwhile: if there was none before, or if one of its limits ``within`` is more
    than twice that of ``before``."""
    if before is None:
        return True
    return any(
        (getattr(within, name) or 0) > 2 * (getattr(before, name) or 0)
        for name in ("nodes", "work", "seconds")
    )


def search(begin: Callable[[], Result]) -> Result:
    """Run a search. All searches of hints and reviews are run by this function, so that tests can replace
    it."""
    return begin()


def worth(after: Result) -> tuple[int, int, int, bool, int]:
    """Sort key of results that puts the best one first."""
    length = len(after.moves) if after.moves is not None else 0
    if after.score is not None:
        return -after.score, -(after.score_bound or 0), length, False, 0
    return ORDER.index(after.verdict), 0, length, not after.shortest, after.lower_bound or 0
