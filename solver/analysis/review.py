"""Review of a line of play: finding its mistakes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...rules import Move, State, Variant, find_variant, of_state
from .. import verify
from ..engine import unknown
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits
from ..solving import solve
from .moves import search


@dataclass(frozen=True, repr=False)
class Step:
    """A move of a line, with the results ``before`` and ``after`` it. For a mistake ``better`` is a move that
    does not worsen the result, and ``loss`` the loss in words; otherwise both are None."""

    move: str
    before: Result
    after: Result
    better: str | None
    loss: str | None

    @property
    def mistake(self) -> str:
        """The loss and the better move, in words; nothing if the move is no mistake."""
        if self.loss is None:
            return ""
        return mistake_text(self.before, self.loss, self.better or "")

    def __str__(self) -> str:
        return f"{self.move}: {self.mistake or self.after}"

    def __repr__(self) -> str:
        return f"<{self}>"


def mistake_text(before: Result, loss: str, better: str) -> str:
    """A mistake in words: the ``loss`` from the result ``before`` it, and a ``better`` move."""
    return f"{loss}; {better} {'still wins' if before.score is None else 'keeps it'}"


def loss_of(variant: Variant, places: int, before: Result, after: Result) -> str:
    """The loss by a mistake in words, from the results ``before`` and ``after`` it. ``places`` is the number
    of foundation places."""
    if before.score is None or variant.scoring is None:
        return "makes the deal unwinnable"
    most = after.score_bound or 0
    scores = f"the best score falls from {before.score} to {most}"
    is_tier_lost = variant.scoring.tier_of(most, places) != before.tier
    return f"gives up the {before.tier}, {scores}" if is_tier_lost else scores


@of_state
def review(
    variant: Variant | str,
    state: State,
    moves: Iterable[Move | str],
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> list[Step]:
    """Review ``moves`` from ``state`` of ``variant``, which may be left out: return a step for each, with the
    results before and after it.

    ``limits`` apply to each position; a move along the best line found needs no new search. After Ctrl-C the
    remaining results have the reason ``interrupted``. ``watch`` reports progress to another thread. Raises
    WrongMove if a move is illegal, ValueError for a state of another game.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    limits = check_limits(limits, watch)
    played = list(verify.follow(variant, state, moves))
    answer = _answer(variant, state, limits, watch)
    steps: list[Step] = []
    at = state
    for move, after in played:
        before = answer
        if watch is not None:
            watch.at("move", len(steps) + 1, len(played))
        answer = _answer_after(variant, before, move, after, limits, watch)
        better = loss = None
        if before.moves and _loses(before, answer):
            better = variant.family.format_move(at, before.moves[0])
            loss = loss_of(variant, state.deck.places, before, answer)
        steps.append(Step(variant.family.format_move(at, move), before, answer, better, loss))
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
    """Test if it is proved that the best result ``after`` a move is worse than ``before``."""
    if before.score is None:
        return before.verdict is Verdict.WINNABLE and after.verdict is Verdict.UNWINNABLE
    return after.score_bound is not None and after.score_bound < before.score
