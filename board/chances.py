"""A player's chances with hidden cards, in the page's JSON."""

from typing import Any

from ..solver.player.advice import chance_text, chances_object, moves_texts
from ..solver.player.chances import Chance
from ..solver.player.player import Advice
from . import evaluation
from .analyst import Work
from .session import Session


def found_object(
    game: Session, node: int, found: tuple[Advice, ...], work: Work | None, hints: bool
) -> dict[str, Any]:
    """The chances of each move of ``node``, best first, or without ``hints`` those of the position, as JSON.
    Without chances it has the reason. With ``hints`` it also says if the position is won or lost for
    certain."""
    entries = [_entry(game, advice) for advice in found if advice.tiers or advice.reason]
    text = _text(entries[0]) if entries else "nothing is left to be weighed"
    certain = game.certain_of(game.here) if hints else None
    if certain is not None:
        text = evaluation.certain_text(game.variant, game.here.state.deck, certain)
    if not hints:
        entries = [entry | {"moves": []} for entry in entries[:1]]
    samples = sum(advice.visits for advice in found)
    seconds = 0.0 if work is None else round(work.seconds, 3)
    told = {"type": "chances", "node": node, "state": "searching", "samples": samples, "seconds": seconds}
    return told | {"advice": entries, "certain": certain, "text": text}


def _entry(game: Session, advice: Advice) -> dict[str, Any]:
    moves = moves_texts(game.variant, game.view(game.here), advice.moves)
    tiers = chances_object(advice.tiers)
    return {"moves": moves, "visits": advice.visits, "tiers": tiers, "reason": advice.reason}


def _text(entry: dict[str, Any]) -> str:
    if not entry["tiers"]:
        return f"not weighed: the next move {entry['reason']}"
    chances = {tier: chance_text(Chance(**chance)) for tier, chance in entry["tiers"].items()}
    return ", ".join(f"{tier} {text.strip()}" for tier, text in chances.items())
