"""What a player expects who sees no more than a person does, as the page gets it."""

from __future__ import annotations

from typing import Any

from ..rules import joker
from ..solver.player.player import Advice
from ..solver.verify import format_line
from .analyst import Work
from .places import TURN_TEXT
from .session import Session

TIERS = ("win", "double", "triple")


def chances_object(
    game: Session, node: int, found: tuple[Advice, ...], work: Work | None, hints: bool
) -> dict[str, Any]:
    """The chances after each move, the best first; without ``hints`` only those of the position."""
    entries = [_entry(game, advice) for advice in found if advice.tiers]
    text = _text(entries[0]) if entries else "there is one move"
    if not hints:
        entries = [entry | {"moves": []} for entry in entries[:1]]
    samples = sum(advice.visits for advice in found)
    seconds = 0.0 if work is None else round(work.seconds, 3)
    told = {"type": "chances", "node": node, "state": "searching", "samples": samples, "seconds": seconds}
    return told | {"advice": entries, "text": text}


def finished_object(node: int) -> dict[str, Any]:
    """That more samples would change nothing, or that the limits forbid them."""
    return {"type": "chances", "node": node, "state": "done"}


def _entry(game: Session, advice: Advice) -> dict[str, Any]:
    tiers = {
        tier: {"probability": round(chance.probability, 4), "error": round(chance.error, 4)}
        for tier, chance in advice.tiers.items()
    }
    return {"moves": _texts(game, advice.moves), "visits": advice.visits, "tiers": tiers}


def _texts(game: Session, moves: tuple[joker.Move, ...]) -> list[str]:
    """``moves`` as text; a card that is turned and was not seen is ``??``."""
    texts = format_line(game.variant, game.seen(game.here.state), moves)
    return [TURN_TEXT if move == joker.TURN else text for move, text in zip(moves, texts, strict=True)]


def _text(entry: dict[str, Any]) -> str:
    chances = [
        f"{tier} {chance['probability']:.0%} +-{chance['error']:.0%}"
        for tier, chance in entry["tiers"].items()
    ]
    return ", ".join(chances)
