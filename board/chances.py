"""What a player expects who sees no more than a person does, as the page gets it."""

from __future__ import annotations

from typing import Any

from ..rules.views import view_of
from ..solver.player.player import Advice
from .advice import chances_object, moves_texts
from .analyst import Work
from .session import Session


def found_object(
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
    moves = moves_texts(game.variant, view_of(game.here.state), advice.moves)
    return {"moves": moves, "visits": advice.visits, "tiers": chances_object(advice.tiers)}


def _text(entry: dict[str, Any]) -> str:
    chances = [
        f"{tier} {chance['probability']:.0%} +-{chance['error']:.0%}"
        for tier, chance in entry["tiers"].items()
    ]
    return ", ".join(chances)
