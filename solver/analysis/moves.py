"""Moves from a position, and search results for the positions after them."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...rules import Variant
from ..engine import find_kernel, optimize, optimizes, prove_optimal, solve, unknown, what_is_left
from ..progress import Watch
from ..result import Limits, Result, Verdict

ORDER = (Verdict.WINNABLE, Verdict.UNDECIDED, Verdict.UNWINNABLE)
"""Verdicts, the best first."""

_LEAST_WORK = 50_000
_ROUNDS = 2


class _EnoughError(Exception):
    """A line meets the lower bound."""


@dataclass
class Move:
    """A move, the position ``at`` after it, what is known of that, and the moves that lead to an equivalent
    position. With ``is_decided`` that follows from the answer for the position before the move."""

    move: Any
    at: Any
    after: Result
    alike: list[Any] = field(default_factory=list)
    is_decided: bool = False

    @property
    def length(self) -> int:
        """The moves of the line known from ``at``, of which there is one."""
        return len(self.after.moves or ())

    def begin(self, move: Any, at: Any, after: Result) -> None:
        """Make ``move``, which is this one or one of those alike, the one that leads ``at`` the position of
        the result ``after``."""
        if move != self.move:
            self.alike = [self.move, *(other for other in self.alike if other != move)]
        self.move, self.at, self.after = move, at, after

    def raise_bound(self, lower_bound: int) -> None:
        """Note that no line from ``at`` is shorter than ``lower_bound``."""
        after = self.after
        if after.verdict is Verdict.UNWINNABLE:
            return
        known = max(lower_bound, after.lower_bound or 0)
        is_shortest = after.verdict is Verdict.WINNABLE and self.length == known
        reason = None if is_shortest else after.reason
        self.after = replace(after, lower_bound=known, shortest=is_shortest, reason=reason)


class Moves:
    """The moves from a position, one of those that lead to the same position.

    Each stage adds to what is known of them, which is kept when Ctrl-C ends it with KeyboardInterrupt.
    """

    def __init__(self, variant: Variant, state: Any, limits: Limits, watch: Watch | None = None) -> None:
        self.variant = variant
        self.state = state
        self.limits = limits
        self.ends = None if limits.seconds is None else time.monotonic() + limits.seconds
        self.watch = watch
        self.answer = unknown(variant, state)  # what `solve` finds from ``state``
        self.here: Result | None = None  # what the search for a shortest line from ``state`` itself found
        self.left = Limits()  # what may still be spent on proofs
        self.moves: dict[Any, Move] = {}
        for move in variant.family.legal_moves(state):
            at = variant.family.apply(state, move)
            key = variant.family.canonical(at)
            if key in self.moves:
                self.moves[key].alike.append(move)
            else:
                self.moves[key] = Move(move, at, unknown(variant, at))

    def solve(self, work: int | None) -> None:
        """Solve the position as `engine.solve` does, and note what follows for its moves: no move of a lost
        position wins, and a line leads on after its first move."""
        within = replace(self._capped(self.limits), work=work)
        self.answer = search(partial(solve, self.variant, self.state, within, shorten=0, watch=self.watch))
        answer, line = self.answer, self.answer.moves
        if answer.reason == "interrupted":
            raise KeyboardInterrupt
        is_lost = answer.score is None and answer.verdict is Verdict.UNWINNABLE
        known = replace(answer, expanded=0, generated=0, work=0, seconds=0.0)
        for move in self.moves.values():
            if is_lost or (answer.exact and answer.score == self.variant.score(move.at)):
                move.after, move.is_decided = replace(known, moves=None if is_lost else ()), True
        if line:
            move, bound = self._begun_by(line), answer.lower_bound
            rest = replace(known, moves=line[1:], lower_bound=None if bound is None else bound - 1)
            move.begin(line[0], self.variant.family.apply(self.state, line[0]), rest)
            move.is_decided = True

    def _begun_by(self, line: tuple[Any, ...]) -> Move:
        """The entry of the move that ``line`` begins with, or of one that leads to an equivalent position."""
        at = self.variant.family.apply(self.state, line[0])
        return self.moves[self.variant.family.canonical(at)]

    def _adopt(self, line: tuple[Any, ...]) -> None:
        """Note ``line``, which wins, if none as short is known after its first move."""
        begun, rest = self._begun_by(line), line[1:]
        if begun.after.verdict is not Verdict.WINNABLE or len(rest) < begun.length:
            after = replace(begun.after, verdict=Verdict.WINNABLE, moves=rest, shortest=False, reason=None)
            begun.begin(line[0], self.variant.family.apply(self.state, line[0]), after)

    def decide(self, work: int | None) -> None:
        """Decide the positions that are not, by the limits alone if ``work`` is None; later ones get what is
        unused."""
        for number, move in enumerate(self.moves.values()):
            if move.is_decided:
                continue
            within = self._capped(self.limits)
            if work is not None:
                within = replace(within, work=max(work // (len(self.moves) - number), _LEAST_WORK))
            self._tell(number, len(self.moves))
            self._note(move, partial(solve, self.variant, move.at, within, shorten=0, watch=self.watch))
            if work is not None:
                work -= move.after.work

    def shorten(self, work: int, work_of_moves: int) -> None:
        """Shorten the line of the position for ``work``, as `engine.solve` does, so that it is no longer than
        that of ``winnable solve``; then those after the moves, each for the same part of ``work_of_moves``.
        Do nothing if the engine cannot."""
        if not work or not optimizes(self.variant):
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
            self._tell(number, len(self.moves))
            after = replace(move.after, seconds=0.0)
            share = work_of_moves // len(self.moves)
            self._note(move, partial(optimize, self.variant, move.at, after, share, within, self.watch))

    def bound_scores(self) -> None:
        """Let the greatest score from the position bound those after its moves."""
        most = self.answer.score_bound
        for move in self.moves.values():
            after = move.after
            if most is not None and most < (after.score_bound or 0):
                is_exact = after.score == most
                reason = None if is_exact else after.reason
                move.after = replace(after, score_bound=most, exact=is_exact, reason=reason)

    def _capped(self, limits: Limits) -> Limits:
        """``limits`` within the seconds that are left for all moves together."""
        left = None if self.ends is None else max(0.0, self.ends - time.monotonic())
        if left is None or (limits.seconds is not None and limits.seconds <= left):
            return limits
        return replace(limits, seconds=left)

    def _tell(self, number: int, count: int) -> None:
        """Report to ``watch`` that the search after one of ``count`` moves begins."""
        if self.watch is not None:
            self.watch.at("move", number + 1, count)

    def _note(self, move: Move, begin: Callable[[], Result]) -> None:
        move.after = search(begin)
        if move.after.reason == "interrupted":
            raise KeyboardInterrupt

    # --- Proofs ---------------------------------------------------------------------------------------------

    def prove(self, limits: Limits) -> None:
        """Look for a shortest line from the position, then for one after each move, within ``limits``.

        The bound for the position holds, less one move, after each move; a line that meets it is proved to
        be shortest without a search. Unused budget passes on to the others, which then try again.
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
                    self._tell(number, len(moves))
                    shares[id(move)] = within
                    try:
                        self._note(move, partial(self._improve, move.at, move.after, within, least))
                    finally:
                        move.raise_bound(least)

    def _open(self) -> list[Move]:
        """The moves that win, but not by a line that is proved to be shortest; the best first."""
        moves = [m for m in self.moves.values() if m.after.verdict is Verdict.WINNABLE]
        return sorted((m for m in moves if not m.after.shortest), key=lambda m: worth(m.after))

    def _prove_here(self) -> None:
        """Look for a shortest line from the position, and let the move that it begins with have the rest."""
        moves = self._open()
        if self.watch is not None:
            self.watch.part = ""
        line = (moves[0].move, *(moves[0].after.moves or ()))
        solved = Result(Verdict.WINNABLE, line, engine="compiled")
        self.here = self._improve(self.state, solved, self._share(min(2, len(moves))), 0)
        if not self.here.moves:  # the position is won, and cards may come back all the same
            return
        self._adopt(self.here.moves)
        if self.here.reason == "interrupted":
            raise KeyboardInterrupt

    def _improve(self, state: Any, solved: Result, within: Limits, enough: int) -> Result:
        """``solved`` with a shorter line, down to ``enough`` moves, and a greater bound."""
        kind = find_kernel(self.variant)
        assert kind is not None
        kernel = kind(within)
        began, best = time.monotonic(), solved

        def tell(result: Result) -> None:
            nonlocal best
            best = result
            if len(result.moves or ()) <= enough:
                raise _EnoughError

        with contextlib.suppress(_EnoughError):
            best = search(partial(prove_optimal, self.variant, state, solved, kernel, tell, self.watch))
        seconds = time.monotonic() - began
        spent = Result(Verdict.WINNABLE, expanded=kernel.expanded, work=kernel.work, seconds=seconds)
        self.left = what_is_left(self.left, spent)
        return best

    def _share(self, count: int) -> Limits:
        """An equal share of the rest of the budget for each of ``count`` searches."""
        nodes, work, seconds = self.left.nodes, self.left.work, self.left.seconds
        limits = Limits(
            None if nodes is None else nodes // count,
            None if seconds is None else seconds / count,
            self.limits.megabytes,
            None if work is None else work // count,
        )
        return self._capped(limits)


def _is_worth_it(within: Limits, before: Limits | None) -> bool:
    """Test if a search that ended at the limits ``before`` may get further ``within`` others."""
    if before is None:
        return True
    return any(
        (getattr(within, name) or 0) > 2 * (getattr(before, name) or 0)
        for name in ("nodes", "work", "seconds")
    )


def search(begin: Callable[[], Result]) -> Result:
    """Run a search. Every search of hints and reviews begins here."""
    return begin()


def worth(after: Result) -> tuple[int, int, int, bool, int]:
    """The key by which the best answer comes first."""
    length = len(after.moves) if after.moves is not None else 0
    if after.score is not None:
        return -after.score, -(after.score_bound or 0), length, False, 0
    return ORDER.index(after.verdict), 0, length, not after.shortest, after.lower_bound or 0
