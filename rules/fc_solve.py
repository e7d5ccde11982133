"""The board text of fc-solve and PySolFC: its writer. `text` reads it, as it is much the same format.

    Foundations: H-0 C-K D-0 S-0
    4C 2C 9C 8C QS 4S 2H 5H
    ...

One line a column, deepest card first. The foundations, in the order H C D S, hold in Simple Simon the runs
that left; they are left out while no card is up.
"""

from __future__ import annotations

from typing import Any

from . import Variant, chessboard, simon
from .board import format_top
from .cards import SUITS, make_card
from .text import format_slot

_SUITS = "HCDS"


def format_fc_solve(variant: Variant, state: Any) -> str:
    """``state`` as fc-solve writes it, with a final newline.

    Raises ValueError for what the format does not know: jokers, a stock, short decks, two decks of which runs
    have left, and a Chessboard of which cards are up; and for a state of another game.
    """
    variant.check(state)
    if not (variant.is_of(chessboard) or variant.is_of(simon)):
        raise ValueError(f"format fc-solve: it is for games without a stock, and {variant.name} has one")
    if not state.deck.is_full:
        raise ValueError("format fc-solve: it knows no short decks")
    heights = _gone(state) if variant.is_of(simon) else state.foundations
    if any(heights) and (state.deck.copies > 1 or variant.name == "chessboard"):
        raise ValueError(f"format fc-solve: it has no foundations such as those of {variant.name}")
    lines = [" ".join(map(format_slot, column)) for column in variant.family.to_board(state).columns]
    if any(heights):
        tops = [f"{suit}-{format_top(heights[SUITS.index(suit)])}" for suit in _SUITS]
        lines.insert(0, f"Foundations: {' '.join(tops)}")
    return "\n".join(line or ":" for line in lines) + "\n"


def _gone(state: simon.State) -> list[int]:
    """The cards of each suit that left the game."""
    held = [card for column in state.columns for card in column]
    ranks = state.deck.ranks
    return [
        ranks * (state.deck.copies - held.count(make_card(ranks - 1, suit))) for suit in range(len(SUITS))
    ]
