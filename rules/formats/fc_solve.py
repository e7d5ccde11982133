"""Writer of the board text of fc-solve and PySolFC; `text_reader` reads it.

    Foundations: H-0 C-K D-0 S-0
    4C 2C 9C 8C QS 4S 2H 5H
    ...

One line a column, deepest card first. The foundations, in the order H C D S, hold in Simple Simon the runs
that left; they are left out while no card is up.
"""

from __future__ import annotations

from .. import State, Variant
from ..board import format_top
from ..cards import SUITS, suit_of
from .text import format_slot

_SUITS = "HCDS"


def format_fc_solve(variant: Variant, state: State) -> str:
    """``state`` as fc-solve writes it, with a final newline.

    Raises ValueError for what the format cannot express: jokers, a stock, short decks, two decks of which
    runs have left, and a Chessboard of which cards are up; and for a state of another game.
    """
    variant.check(state)
    family = variant.family
    if variant.has_stock:
        raise ValueError(f"format fc-solve: expected a game without a stock, got {variant.name}")
    if not state.deck.is_full:
        raise ValueError("format fc-solve: expected the full deck, got a short one")
    lines = [" ".join(map(format_slot, column)) for column in family.to_board(state).columns]
    up = [cards for cards in family.foundations_of(state) if cards]
    if up:
        if state.deck.copies > 1 or any(":" in (family.foundation_top(variant.name, c) or "") for c in up):
            raise ValueError(f"format fc-solve: it has no foundations such as those of {variant.name}")
        heights = {SUITS[suit_of(cards[0])]: len(cards) for cards in up}
        lines.insert(0, f"Foundations: {' '.join(f'{s}-{format_top(heights.get(s, 0))}' for s in _SUITS)}")
    return "\n".join(line or ":" for line in lines) + "\n"
