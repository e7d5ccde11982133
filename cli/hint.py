"""``winnable hint``."""

from __future__ import annotations

import json
from typing import Any

import click

from ..rules import Variant
from ..rules.text import Deal
from ..rules.words import count_moves, sentence
from ..solver import Verdict
from ..solver.advice import Hint, Option, hint
from ..solver.verify import format_line
from .colour import say
from .main import UNDECIDED
from .options import choice_options, json_option, make_choices, seed_options, take_deal, variant_argument
from .output import score_text, verdict_text


@click.command("hint")
@variant_argument
@click.argument("position", required=False, type=click.Path())
@seed_options
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="K",
    help="Print the K best moves.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, max=10**9),
    default=5.0,
    show_default=True,
    metavar="N",
    help="Seconds to decide the moves in, all together.",
)
@click.option(
    "--shorten",
    type=click.FloatRange(min=0, max=10**9),
    default=0.05,
    show_default=True,
    metavar="SECONDS",
    help="Simon games: seconds spent on shorter lines, all together.",
)
@choice_options
@json_option
def command(
    variant: Variant,
    position: str | None,
    seed: int | None,
    pysol: str | None,
    count: int,
    max_seconds: float,
    shorten: float,
    exchange: str | None,
    removal: str | None,
    as_json: bool,
) -> int:
    """Say which next move is best in a position of VARIANT, and which ones throw the win away.

    POSITION is a file ('-' for standard input) in any format that solve reads, or the deal of --seed or
    --pysol. Each move is printed with what can be reached after it, the win, or in scored games the score
    and tier, and in how many moves at most: those of the best line known. Moves that lead to the same
    position are told once. With --json all moves are printed.

    \b
    Examples:
      winnable hint chessboard position.txt
      winnable hint joker --seed 1 --count 3
      winnable hint simon-jester - --json < position.txt

    Exit status: 0 decided either way, 3 undecided, 2 bad usage or input.
    """
    deal = take_deal(variant, position, seed, pysol, make_choices(variant, exchange, removal))
    advice = hint(variant, deal.state, max_seconds, shorten)
    if as_json:
        click.echo(json.dumps(_object(variant, deal, advice)))
    else:
        say(_text(variant, deal, advice, count))
    if any(option.after.reason == "interrupted" for option in advice.options):
        click.echo("winnable: interrupted", err=True)
    return UNDECIDED if advice.answer.verdict is Verdict.UNDECIDED else 0


def _object(variant: Variant, deal: Deal, advice: Hint) -> dict[str, Any]:
    answer = advice.answer
    line = None if answer.moves is None else format_line(variant, deal.state, answer.moves)
    return {
        "variant": variant.name,
        **variant.choices_of(deal.state),
        "seed": deal.seed,
        **({} if deal.pysol is None else {"pysol": deal.pysol}),
        "verdict": answer.verdict.value,
        "score": answer.score,
        "tier": answer.tier,
        "score_bound": answer.score_bound,
        "exact": answer.exact,
        "solution": line,
        "options": [_option_object(variant, deal.state, option) for option in advice.options],
        "seconds": round(answer.seconds, 6),
        "reason": answer.reason,
    }


def _option_object(variant: Variant, state: Any, option: Option) -> dict[str, Any]:
    after = option.after
    return {
        "move": variant.family.format_move(state, option.move),
        "does": sentence(variant, state, option.move),
        "keeps": option.keeps,
        "verdict": after.verdict.value,
        "moves_left": None if after.moves is None else len(after.moves),
        "score": after.score,
        "tier": after.tier,
        "score_bound": after.score_bound,
        "exact": after.exact,
        "reason": after.reason,
    }


def _text(variant: Variant, deal: Deal, advice: Hint, count: int) -> str:
    head = f"Verdict: {verdict_text(advice.answer)}"
    if advice.answer.score is not None:
        head += f"\nScore: {score_text(advice.answer, deal.state.deck.places)}"
    if not advice.options:
        return f"{head}\nThere is no legal move."
    shown = advice.options[:count]
    names = [variant.family.format_move(deal.state, option.move) for option in shown]
    width = max(map(len, names))
    lines = [f"  {name:<{width}}  {_worth(deal, option)}" for name, option in zip(names, shown, strict=True)]
    rest = advice.options[count:]
    kept, lost = (sum(option.keeps is keeps for option in rest) for keeps in (True, False))
    if rest:
        lines.append(f"  and {count_moves(len(rest))} more: {kept} keep it, {lost} throw it away")
    return "\n".join([head, *lines, variant.family.LEGEND])


def _worth(deal: Deal, option: Option) -> str:
    after = option.after
    worth = (
        verdict_text(after) if after.score is None else f"score {score_text(after, deal.state.deck.places)}"
    )
    if not after.moves:
        return worth
    return f"{worth} in {'' if after.shortest else 'at most '}{count_moves(len(after.moves))}"
