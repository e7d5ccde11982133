"""``winnable play``."""

from __future__ import annotations

import json
from typing import Any

import click

from ..rules import Variant, joker
from ..rules.text import format_board
from ..solver.player import KINDS, VARIANTS, Decision, Player, decisions
from ..solver.verify import format_line
from .advice import advice_object
from .options import SeedType, json_option, variant_argument


@click.command("play")
@variant_argument
@click.option("--seed", required=True, type=SeedType(), metavar="N", help="Play the deal of this seed.")
@click.option("--player", type=click.Choice(KINDS), default="search", show_default=True, help="Who plays.")
@click.option(
    "--visits", type=click.IntRange(1, 10**9), metavar="N", help="Samples of a decision.  [default: 2500]"
)
@json_option
def command(variant: Variant, seed: int, player: str, visits: int | None, as_json: bool) -> None:
    """Play a game of VARIANT, joker or klondike-one-pass, without seeing the hidden cards.

    Each line is a decision: moves that belong together and, where the player weighed several, the chances
    that it gives itself to come to 15 cards (win), to 25 (double) and to all 52 (triple). With --json all
    that it weighed is told.

    \b
    Examples:
      winnable play joker --seed 1
      winnable play joker --seed 1 --player rule
      winnable play joker --seed 1 --json | winnable verify joker --seed 1 -
    """
    if variant.name not in VARIANTS:
        raise click.UsageError(f"there is no player for {variant.name}, but for {' and '.join(VARIANTS)}")
    try:
        who = Player(player, visits)
        _play(variant, seed, who, as_json)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _play(variant: Variant, seed: int, player: Player, as_json: bool) -> None:
    """Play and print, each decision as it is made unless it is JSON."""
    state = variant.deal(seed)
    made = []
    if not as_json:
        click.echo(f"{format_board(variant, state, seed)}\nPlayer: {player.name}\n")
    for decision in decisions(state, player):
        made.append(decision)
        if not as_json:
            click.echo(_line(variant, len(made), decision))
        for move in decision.moves:
            state = joker.apply(state, move)
    score, tier = joker.score(state), joker.tier(state)
    moves = [text for decision in made for text in _texts(variant, decision, decision.moves)]
    if not as_json:
        click.echo(f"\n{score} of {state.deck.places} ({tier}) in {len(moves)} moves")
        return
    answer: dict[str, Any] = {
        "variant": variant.name,
        "seed": seed,
        "player": player.name,
        "score": score,
        "tier": tier,
    }
    answer |= {"decisions": [_object(variant, decision) for decision in made], "solution": moves}
    click.echo(json.dumps(answer))


def _texts(variant: Variant, decision: Decision, moves: tuple[Any, ...]) -> list[str]:
    return format_line(variant, decision.state, moves)


def _line(variant: Variant, number: int, decision: Decision) -> str:
    """One decision, with the chances of what was chosen."""
    text = f"{number:>4}  {'; '.join(_texts(variant, decision, decision.moves))}"
    if not decision.advice or not decision.advice[0].tiers:
        return text
    chances = decision.advice[0].tiers.items()
    told = "  ".join(f"{tier} {chance.probability:4.0%} +-{chance.error:3.0%}" for tier, chance in chances)
    return f"{text:<34}  {told}"


def _object(variant: Variant, decision: Decision) -> dict[str, Any]:
    """The public JSON of one decision."""
    advice = [advice_object(_texts(variant, decision, entry.moves), entry) for entry in decision.advice]
    return {"moves": _texts(variant, decision, decision.moves), "advice": advice}
