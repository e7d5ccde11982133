"""Moves and their side effects in English."""

from typing import TYPE_CHECKING, Any

from .cards import format_card
from .variants import Move, State, Variant

if TYPE_CHECKING:
    from .answers import Told


def count_moves(count: int) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} move" if count == 1 else f"{count} moves"


def sentence(variant: Variant, state: State, move: Move) -> str:
    """A legal move in words: ``7S from column 10 to its foundation``. Raises ValueError for another game."""
    variant.check(state)
    return variant.family.sentence(state, move)


def effects(variant: Variant, state: State, move: Move) -> list[str]:
    """Return the side effects of a legal move, in words: cards turned up, runs that leave. Raises ValueError
    if the move is illegal, or for a state of another game."""
    variant.check(state)
    return variant.family.effects(state, move, variant.family.apply(state, move))


def move_keys(variant: Variant, state: State, move: Move) -> "Told":
    """The keys of a legal move in JSON. Raises ValueError as `effects` does."""
    variant.check(state)
    family: Any = variant.family
    here: Any = state
    after: Any = family.apply(state, move)
    text = family.format_move(state, move)
    source, target = move.places
    is_draw = variant.hiding is not None and source == "s"
    told = variant.jokers
    return {
        "move": text,
        "does": family.sentence(state, move),
        "effects": family.effects(state, move, after),
        "card": text.partition(" ")[0],
        "from": source,
        "to": target,
        "count": len(family.lifted(state, move)) if is_draw else getattr(move, "count", 1),
        "declares": family.declared_rank(state, move) if told else None,
        "turns_up": _turned_up(here, after) if variant.hiding else None,
        "exchanges": family.exchanges(state, move, after) if told else [],
    }


def _turned_up(before: Any, after: Any) -> str | None:
    """The card that a move turned up in a column."""
    pairs = enumerate(zip(before.hidden, after.hidden, strict=True))
    turned = (before.columns[column][left] for column, (hidden, left) in pairs if left < hidden)
    return next(map(format_card, turned), None)
