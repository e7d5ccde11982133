"""What the next moves from a position are worth, and where a line of play threw something away."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..rules import Variant
from . import Limits, Result, Verdict, Watch, make_shorter, solve, verify

_LEAST_SECONDS = 0.05
_ORDER = (Verdict.WINNABLE, Verdict.UNDECIDED, Verdict.UNWINNABLE)
_TIERS = ("none", "win", "double", "triple")


@dataclass(frozen=True)
class Option:
    """A legal move and the answer for the position after it. ``keeps`` says whether the win, or in a scored
    game the best tier, can still be reached; None where that is undecided."""

    move: Any
    after: Result
    keeps: bool | None


@dataclass(frozen=True)
class Hint:
    """``answer`` is that for the position itself, with the best line known; ``options`` are its moves, the
    best first, and of moves that lead to the same position one."""

    answer: Result
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Step:
    """A move of a line: the answer ``before`` and ``after`` it, and the move that ``better`` kept what it
    lost, None if it lost nothing."""

    move: str
    before: Result
    after: Result
    better: str | None


def hint(
    variant: Variant,
    state: Any,
    seconds: float,
    shorten: float,
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> Hint:
    """The moves from ``state``, each with the answer for the position after it.

    ``seconds`` are shared out among the moves; ``shorten`` is what may be spent on shorter lines, in games
    whose engine can shorten them. Of ``limits`` the nodes and megabytes hold for each move. The line of the
    best move makes the line of the answer. Ctrl-C raises KeyboardInterrupt while the moves are decided;
    later it ends the shortening, and the answer of the move it was at has the reason ``interrupted``.
    ``watch`` lets another thread see how far it is.
    """
    limits = limits or Limits()
    family = variant.family
    positions: dict[Any, tuple[Any, Any]] = {}
    for move in family.legal_moves(state):
        after = family.apply(state, move)
        positions.setdefault(family.canonical(after), (move, after))
    answers = _solved(variant, list(positions.values()), seconds, limits, watch)
    if shorten and answers:
        answers = _shortened(variant, answers, shorten / len(answers), limits, watch)
    answers.sort(key=lambda answer: _worth(answer[2]))
    answer = _combined(variant, state, [(move, after) for move, _, after in answers])
    options = [Option(move, after, _keeps(variant, at, answer, after)) for move, at, after in answers]
    return Hint(answer, tuple(options))


def _solved(
    variant: Variant,
    positions: list[tuple[Any, Any]],
    seconds: float,
    limits: Limits,
    watch: Watch | None,
) -> list[tuple[Any, Any, Result]]:
    """The answers for the positions after the moves; who is quick leaves the time to the others."""
    ends, answers = time.monotonic() + seconds, []
    for number, (move, after) in enumerate(positions):
        share = (ends - time.monotonic()) / (len(positions) - number)
        within = replace(limits, seconds=max(share, _LEAST_SECONDS))
        _note_part(watch, "move", number, len(positions))
        answers.append((move, after, _solve(variant, after, within, watch)))
    return answers


def _shortened(
    variant: Variant,
    answers: list[tuple[Any, Any, Result]],
    seconds: float,
    limits: Limits,
    watch: Watch | None,
) -> list[tuple[Any, Any, Result]]:
    """The ``answers`` with shorter lines, ``seconds`` spent on each, as far as it went without Ctrl-C."""
    shortened = []
    for number, (move, at, after) in enumerate(answers):
        _note_part(watch, "move", number, len(answers))
        shorter = make_shorter(variant, at, after, seconds, limits, watch)
        shortened.append((move, at, shorter))
        if shorter.reason == "interrupted":
            break
    return shortened + answers[len(shortened) :]


def _note_part(watch: Watch | None, name: str, done: int, count: int) -> None:
    if watch is not None:
        watch.part = f"{name} {done + 1} of {count}"


def _solve(variant: Variant, state: Any, limits: Limits, watch: Watch | None) -> Result:
    """The answer for one of several positions; Ctrl-C ends them all."""
    result = solve(variant, state, limits, shorten=0, watch=watch)
    if result.reason == "interrupted":
        raise KeyboardInterrupt
    return result


def _worth(after: Result) -> tuple[int, int, int]:
    """The key by which the best answer comes first."""
    length = len(after.moves) if after.moves is not None else 0
    if after.score is not None:
        return -after.score, -(after.score_bound or 0), length
    return _ORDER.index(after.verdict), 0, length


def _combined(variant: Variant, state: Any, options: list[tuple[Any, Result]]) -> Result:
    """The answer for a position from those after its moves, the best first."""
    results = [after for _, after in options]
    best = None
    if options and options[0][1].moves is not None:
        best = (options[0][0], *options[0][1].moves)
    total = Result(
        Verdict.UNWINNABLE,
        expanded=sum(result.expanded for result in results),
        generated=sum(result.generated for result in results),
        seconds=sum(result.seconds for result in results),
        reason=next((result.reason for result in results if result.reason), None),
        engine=results[0].engine if results else "reference",
    )
    if variant.scoring is None:
        verdicts = {result.verdict for result in results}
        if variant.family.is_won(state):
            return replace(total, verdict=Verdict.WINNABLE, moves=(), reason=None)
        verdict = next((v for v in _ORDER if v in verdicts), Verdict.UNWINNABLE)
        is_won = verdict is Verdict.WINNABLE
        if is_won:
            return replace(total, verdict=verdict, moves=best, reason=None)
        return replace(total, verdict=verdict)
    return _combined_score(variant, state, total, results, best)


def _combined_score(
    variant: Variant, state: Any, total: Result, results: list[Result], best: tuple[Any, ...] | None
) -> Result:
    assert variant.scoring is not None
    here, places = variant.score(state), state.deck.places
    score = max([here, *(result.score or 0 for result in results)])
    bound = max([here, *(result.score_bound or 0 for result in results)])
    tier, exact = variant.scoring.tier_of(score, places), bound == score
    is_open = tier == "none" and variant.scoring.tier_of(bound, places) != "none"
    lost = Verdict.UNDECIDED if is_open else Verdict.UNWINNABLE
    return replace(
        total,
        verdict=lost if tier == "none" else Verdict.WINNABLE,
        moves=best if score > here else (),
        score=score,
        score_bound=bound,
        tier=tier,
        exact=exact,
        reason=None if exact else total.reason,
    )


def _keeps(variant: Variant, state: Any, before: Result, after: Result) -> bool | None:
    """Whether what could be reached ``before`` can still be ``after`` the move to ``state``."""
    if variant.scoring is None:
        return {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}.get(after.verdict)
    most = variant.scoring.tier_of(after.score_bound or 0, state.deck.places)
    if _TIERS.index(after.tier or "none") >= _TIERS.index(before.tier or "none"):
        return True
    return False if _TIERS.index(most) < _TIERS.index(before.tier or "none") else None


def review(
    variant: Variant,
    state: Any,
    moves: Iterable[str],
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> list[Step]:
    """The moves of a line from ``state`` on, each with the answers before and after it.

    ``limits`` hold for each position; where a move follows the best line known, nothing is searched again.
    ``watch`` lets another thread see how far it is. Raises WrongMove if a move is illegal.
    """
    limits = limits or Limits()
    played = list(moves)
    answer = _solve(variant, state, limits, watch)
    steps: list[Step] = []
    at = state
    for move, after in verify.follow(variant, state, played):
        before = answer
        _note_part(watch, "move", len(steps), len(played))
        answer = _answer_after(variant, before, move, after, limits, watch)
        better = None
        if before.moves and _loses(before, answer):
            better = variant.family.format_move(at, before.moves[0])
        steps.append(Step(variant.family.format_move(at, move), before, answer, better))
        at = after
    return steps


def _answer_after(
    variant: Variant, before: Result, move: Any, after: Any, limits: Limits, watch: Watch | None
) -> Result:
    if before.moves and before.moves[0] == move:
        return replace(before, moves=before.moves[1:])
    is_over = before.exact and before.score == variant.score(after)
    if is_over or (before.verdict is Verdict.UNWINNABLE and before.score is None):
        return replace(before, moves=() if is_over else None)
    return _solve(variant, after, limits, watch)


def _loses(before: Result, after: Result) -> bool:
    """Whether it is proved that less can be reached ``after`` than ``before``."""
    if before.score is None:
        return before.verdict is Verdict.WINNABLE and after.verdict is Verdict.UNWINNABLE
    return after.score_bound is not None and after.score_bound < before.score
