"""Comparison of the possible base ranks of a Chessboard position."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...rules import Position, chessboard
from ...rules.variants import variant_of
from ..engine import check_score, search_shortest
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits


def solve_bases(
    state: Position,
    limits: Limits | None = None,
    engine: str = "auto",
    watch: Watch | None = None,
    score: bool = False,
) -> Iterator[tuple[int, Result]]:
    """Yield each rank of the deck, and the result of `find_shortest` if it is chosen as base rank of
    ``state``. If ``score`` is true, the results of base ranks that lose have the most cards that can go up.

    The lines are valid from ``state``, too. ``limits`` apply to each rank. ``watch`` reports progress to
    another thread. Raises ValueError at once for a state of another game than Chessboard, if a base rank is
    chosen already, or for ``score`` without the compiled engine.
    """
    variant = variant_of(state)
    if not variant.free_base:
        raise ValueError(f"expected a game whose foundations begin at any rank, got {variant.name}")
    variant.check(state, cards=True)
    limits = check_limits(limits, watch)
    assert isinstance(state, chessboard.State)
    if state.base is not None:
        raise ValueError("expected a position without a base rank, got one with cards up")
    if score:
        check_score(variant, engine)
    ranks = range(state.deck.ranks)
    return (
        (rank, search_shortest(variant, replace(state, base=rank), limits, engine, None, watch, score))
        for rank in ranks
    )


def of_all_bases(result: Result, bases: Sequence[tuple[int, Result]], ranks: int) -> Result:
    """The answer for a position after `solve_bases`, for a deck of ``ranks`` ranks: the shortest of the
    solutions with a lower bound for all base ranks, None if one is undecided. Unwinnable if all base ranks
    lose. ``result``, the answer without them, is returned if none wins otherwise, or if one is missing."""
    answers = [answer for _, answer in bases]
    won = [answer for answer in answers if answer.verdict is Verdict.WINNABLE]
    open_ = [answer for answer in answers if answer.verdict is not Verdict.UNWINNABLE]
    if len(answers) < ranks:
        return result
    if won:
        best = min(won, key=lambda answer: len(answer.moves or ()))
        bounds = [answer.lower_bound for answer in open_ if answer.lower_bound is not None]
        bound = min(bounds) if len(bounds) == len(open_) else None
        return replace(best, lower_bound=bound, shortest=bound == len(best.moves or ()))
    if result.verdict is Verdict.UNDECIDED and not open_:
        best = max(answers, key=lambda answer: answer.score or 0)
        if best.score is None:
            return best
        most = max(answer.score_bound or 0 for answer in answers)
        is_best = best.score == most
        return replace(best, score_bound=most, exact=is_best, shortest=False, lower_bound=None)
    return result
