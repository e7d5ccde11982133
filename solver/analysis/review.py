"""Review of a line: the moves that gave something away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...rules import Move, State, Variant, find_variant
from .. import verify
from ..engine import solve
from ..progress import Watch
from ..result import Limits, Result, Verdict
from .moves import search, unknown


@dataclass(frozen=True)
class Step:
    """A move of a line: the answer ``before`` and ``after`` it, and the move that ``better`` kept what it
    lost, None if it lost nothing."""

    move: str
    before: Result
    after: Result
    better: str | None

    @property
    def loss(self) -> str | None:
        """The loss by the move, in words; None if it lost nothing."""
        if self.better is None:
            return None
        before, after = self.before, self.after
        if before.score is None:
            return "throws the win away"
        scores = f"from {before.score} to {after.score_bound}"
        if before.tier != after.tier and after.exact:
            return f"throws the {before.tier} away, the score that can be reached falls {scores}"
        return f"lets the score that can be reached fall {scores}"


def review(
    variant: Variant | str,
    state: State,
    moves: Iterable[Move | str],
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> list[Step]:
    """The moves of a line from ``state`` on, each with the answers before and after it.

    ``limits`` hold for each position; where a move follows the best line known, nothing is searched again.
    After Ctrl-C no position is searched, and what follows has the reason ``interrupted``. ``watch`` lets
    another thread see how far it is. Raises WrongMove if a move is illegal, ValueError for a state that is
    none of the variant's.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    limits = limits or Limits()
    played = list(moves)
    answer = _answer(variant, state, limits, watch)
    steps: list[Step] = []
    at = state
    for move, after in verify.follow(variant, state, played):
        before = answer
        if watch is not None:
            watch.at("move", len(steps) + 1, len(played))
        answer = _answer_after(variant, before, move, after, limits, watch)
        better = None
        if before.moves and _loses(before, answer):
            better = variant.family.format_move(at, before.moves[0])
        steps.append(Step(variant.family.format_move(at, move), before, answer, better))
        at = after
    return steps


def _answer(variant: Variant, state: Any, limits: Limits, watch: Watch | None) -> Result:
    try:
        return search(partial(solve, variant, state, limits, shorten=0, watch=watch))
    except KeyboardInterrupt:
        return unknown(variant, state)


def _answer_after(
    variant: Variant, before: Result, move: Any, after: Any, limits: Limits, watch: Watch | None
) -> Result:
    if before.reason == "interrupted":
        return unknown(variant, after)
    if before.moves and before.moves[0] == move:
        return replace(before, moves=before.moves[1:])
    is_over = before.exact and before.score == variant.score(after)
    if is_over or (before.verdict is Verdict.UNWINNABLE and before.score is None):
        return replace(before, moves=() if is_over else None)
    return _answer(variant, after, limits, watch)


def _loses(before: Result, after: Result) -> bool:
    """Test if it is proved that less can be reached ``after`` than ``before``."""
    if before.score is None:
        return before.verdict is Verdict.WINNABLE and after.verdict is Verdict.UNWINNABLE
    return after.score_bound is not None and after.score_bound < before.score
