"""Moves and their side effects in English, and the phrases that families share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .board import Position
from .cards import format_card

if TYPE_CHECKING:
    from .variants import Move, State, Variant

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def count_moves(count: int) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} move" if count == 1 else f"{count} moves"


def sentence(variant: Variant, state: State, move: Move) -> str:
    """A legal move in words: ``7S from column 10 to its foundation``. Raises ValueError for a state of
    another game."""
    variant.check(state)
    return variant.family.sentence(state, move)


def effects(variant: Variant, state: State, move: Move) -> list[str]:
    """The side effects of a legal move, in words: cards turned up, runs that leave.

    Raises ValueError if the move is illegal, or for a state of another game.
    """
    variant.check(state)
    return variant.family.effects(state, move, variant.family.apply(state, move))


def cards_text(cards: Sequence[int]) -> str:
    """Cards that move together: ``7S``, ``7S to 5S``."""
    return format_card(cards[0]) + (f" to {format_card(cards[-1])}" if len(cards) > 1 else "")


def column_text(state: Position, column: int) -> str:
    """``column 3``, or ``empty column 3``."""
    return f"column {column + 1}" if state.columns[column] else f"empty column {column + 1}"
