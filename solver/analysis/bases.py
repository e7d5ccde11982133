"""Comparison of the base ranks that a game of Chessboard may choose."""

from collections.abc import Iterator
from dataclasses import replace

from ...rules import Position, check_family, chessboard, find_variant
from ..engine import find_shortest
from ..progress import Watch
from ..result import Limits, Result


def solve_bases(
    state: Position, limits: Limits | None = None, engine: str = "auto", watch: Watch | None = None
) -> Iterator[tuple[int, Result]]:
    """Yield each rank of the deck with the answer, and a shortest line, for it as the base rank of ``state``.

    The lines are lines from ``state`` too. ``limits`` hold for each rank. ``watch`` lets another thread see
    how far it is. Raises ValueError at once for a game that leaves no choice, and for a position where it was
    made.
    """
    check_family(state, chessboard)
    assert isinstance(state, chessboard.State)
    if state.variant != "chessboard":
        raise ValueError(f"base ranks: expected chessboard, got {state.variant}")
    if state.base is not None:
        raise ValueError("base ranks: expected a position without a base rank, got one with cards up")
    variant = find_variant("chessboard")
    ranks = range(state.deck.ranks)
    return (
        (rank, find_shortest(variant, replace(state, base=rank), limits, engine, watch=watch))
        for rank in ranks
    )
