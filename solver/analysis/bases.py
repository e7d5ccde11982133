"""Comparison of the base ranks that a game of Chessboard may choose."""

from collections.abc import Iterator
from dataclasses import replace

from ...rules import Position, chessboard, find_variant
from ..engine import search_shortest
from ..progress import Watch
from ..result import Limits, Result, check_limits


def solve_bases(
    state: Position, limits: Limits | None = None, engine: str = "auto", watch: Watch | None = None
) -> Iterator[tuple[int, Result]]:
    """Yield each rank of the deck with the answer, and a shortest line, for it as the base rank of ``state``.

    The lines are lines from ``state`` too. ``limits`` hold for each rank. ``watch`` lets another thread see
    how far it is. Raises ValueError at once for a game that leaves no choice, and for a position where it was
    made.
    """
    variant = find_variant("chessboard")
    variant.check(state, cards=True)
    limits = check_limits(limits, watch)
    assert isinstance(state, chessboard.State)
    if state.base is not None:
        raise ValueError("expected a position without a base rank, got one with cards up")
    ranks = range(state.deck.ranks)
    return (
        (rank, search_shortest(variant, replace(state, base=rank), limits, engine, watch=watch))
        for rank in ranks
    )
