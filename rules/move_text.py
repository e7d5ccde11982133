"""Moves and their side effects in English."""

from typing import Any

from .variants import Move, State, Variant


def count_moves(count: int) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} move" if count == 1 else f"{count} moves"


def sentence(variant: Variant, state: State, move: Move) -> str:
    """A legal move in words: ``7S from column 10 to its foundation``. Raises ValueError for another game."""
    variant.check(state)
    return variant.family.sentence(state, move)


def effects(variant: Variant, state: State, move: Move) -> list[str]:
    """The side effects of a legal move, in words: cards turned up, runs that leave. Raises ValueError if the
    move is illegal, or for a state of another game."""
    variant.check(state)
    return variant.family.effects(state, move, variant.family.apply(state, move))


def move_keys(variant: Variant, state: State, move: Move) -> dict[str, Any]:
    """The keys of a legal move in JSON: its text, a sentence, and its effects."""
    text = variant.family.format_move(state, move)
    return {"move": text, "does": sentence(variant, state, move), "effects": effects(variant, state, move)}
