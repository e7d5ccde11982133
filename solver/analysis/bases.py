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


def shortest_of(bases: Sequence[tuple[int, Result]], ranks: int) -> Result | None:
    """The result with the shortest solution among those of `solve_bases`, for a deck of ``ranks`` ranks, with
    a lower bound for all base ranks, None if one is undecided. Returns None if no base rank wins, or if the
    result of one is missing."""
    won = [result for _, result in bases if result.verdict is Verdict.WINNABLE]
    if not won or len(bases) < ranks:
        return None
    best = min(won, key=lambda result: len(result.moves or ()))
    kept = [result.lower_bound for _, result in bases if result.verdict is not Verdict.UNWINNABLE]
    bounds = [bound for bound in kept if bound is not None]
    bound = min(bounds) if len(bounds) == len(kept) else None
    return replace(best, lower_bound=bound, shortest=bound == len(best.moves or ()))
