"""The player's evaluation of moves with hidden cards, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from ...rules import Move, Variant, View
from ...rules.views import shows_unseen, state_of
from ..verify import format_line
from .chances import Chance
from .player import Advice


def moves_texts(variant: Variant, view: View, moves: Sequence[Move]) -> list[str]:
    """``moves`` that can be made in ``view``, as text; a card that is turned and was not seen is ``??``."""
    texts = format_line(variant, state_of(view), moves)
    return [
        f"?? {text.partition(' ')[2]}" if shows_unseen(view, move) else text
        for move, text in zip(moves, texts, strict=True)
    ]


def advice_object(moves: list[str], advice: Advice) -> dict[str, Any]:
    """The public JSON of ``advice``, whose moves are given as text."""
    answer = {"moves": moves, "visits": advice.visits, **chances_object(advice.tiers)}
    return answer if advice.reason is None else answer | {"reason": advice.reason}


def chances_object(tiers: dict[str, Chance]) -> dict[str, Any]:
    """The public JSON of the chances of each tier."""
    return {
        tier: {"probability": round(chance.probability, 4), "error": round(chance.error, 4)}
        for tier, chance in tiers.items()
    }
