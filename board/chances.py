"""A player's chances with hidden cards, in the page's JSON."""

from typing import Any

from ..game import evaluation
from ..game.session import Session
from ..solver.player.advice import chance_text, chances_object, moves_texts
from ..solver.player.chances import Chance
from ..solver.player.player import Advice
from .analyst import Work


def found_object(
    game: Session, node: int, found: tuple[Advice, ...], work: Work | None, hints: bool
) -> dict[str, Any]:
    """The chances of each move of ``node``, best first, or without ``hints`` those of the position, as JSON.
    Without chances it has the reason. With ``hints`` it also says if the position is won or lost for certain;
    in a lost one no move is advised."""
    certain = game.certain_of(game.here) if hints else None
    entries = [_entry(game, advice) for advice in found if advice.tiers or advice.reason]
    if certain == "lost":
        entries = []
    text = _text(game, entries[0], certain) if entries else "nothing is left to be weighed"
    if certain == "lost" or (certain == "won" and (game.variant.scoring is None or not entries)):
        text = evaluation.certain_text(game.variant, game.here.state, certain)
    if not hints:
        entries = [entry | {"moves": []} for entry in entries[:1]]
    samples = sum(advice.visits for advice in found)
    seconds = 0.0 if work is None else round(work.seconds, 3)
    told = {"type": "chances", "node": node, "state": "searching", "samples": samples, "seconds": seconds}
    return told | {"advice": entries, "certain": certain, "text": text}


def _entry(game: Session, advice: Advice) -> dict[str, Any]:
    moves = moves_texts(game.variant, game.table(game.here), advice.moves)
    tiers = chances_object(advice.tiers)
    return {"moves": moves, "visits": advice.visits, "tiers": tiers, "reason": advice.reason}


def _text(game: Session, entry: dict[str, Any], certain: str | None) -> str:
    """The tiers that are reached or ``certain``, and the chances of the others, in words."""
    if not entry["tiers"]:
        return f"not weighed: the next move {entry['reason']}"
    reached = evaluation.reached_tiers(game.variant, game.here.state)
    words = {tier: chance_text(Chance(**chance)).strip() for tier, chance in entry["tiers"].items()}
    words |= {"win": "certain"} if certain == "won" else {}
    words |= dict.fromkeys(reached, "reached")
    return ", ".join(f"{tier} {text}" for tier, text in words.items())
