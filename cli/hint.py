"""``winnable hint``."""

from __future__ import annotations

import json
from typing import Any

import click

from ..rules import Variant
from ..rules.joker_view import View
from ..rules.text import Deal
from ..rules.words import count_moves, sentence
from ..solver import Verdict
from ..solver.advice import Hint, Option, hint
from ..solver.player import KINDS, VARIANTS, Player
from ..solver.trials import SAMPLES
from ..solver.verify import format_line
from .advice import Asked, tell_advice
from .arguments import NumberType, game_arguments
from .colour import say
from .main import UNDECIDED
from .options import (
    check_shorten,
    choice_options,
    json_option,
    make_choices,
    moves_option,
    seed_options,
    take_position,
    view_of_deal,
)
from .output import deal_keys, score_text, verdict_text


@click.command("hint")
@game_arguments("[VARIANT] [POSITION]", "position")
@seed_options
@moves_option
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
    type=NumberType(min=0, max=10**9),
    default=5.0,
    show_default=True,
    metavar="N",
    help="Seconds to decide the moves in, all together.",
)
@click.option(
    "--shorten",
    type=NumberType(min=0, max=10**9),
    default=0.05,
    show_default=True,
    metavar="SECONDS",
    help="Simon games: seconds spent on shorter lines, all together.",
)
@click.option(
    "--player",
    type=click.Choice(KINDS),
    help="Joker, Klondike: ask a player who sees what you see; quick is of joker alone.",
)
@click.option(
    "--visits", type=click.IntRange(1, 10**9), metavar="N", help="Samples of the player.  [default: 2500]"
)
@click.option("--think", is_flag=True, help="The player plays its best moves out to the end.")
@click.option(
    "--samples",
    type=click.IntRange(1, 10**6),
    metavar="K",
    help=f"With --think: how often, in as many shuffles of the cards.  [default: {SAMPLES}]",
)
@choice_options
@json_option
def command(
    variant: Variant | None,
    position: str | None,
    seed: int | None,
    pysol: str | None,
    moves_path: str | None,
    count: int,
    max_seconds: float,
    shorten: float,
    player: str | None,
    visits: int | None,
    think: bool,
    samples: int | None,
    exchange: str | None,
    removal: str | None,
    as_json: bool,
) -> int:
    """Say which next move is best in a position of VARIANT, and which ones throw the win away.

    POSITION is a file ('-' for standard input) in any format that solve reads, or the deal of --seed or
    --pysol; with --moves it is the position after them. VARIANT may be left out where the file names its
    game. Each move is printed with what can be reached after it, the win, or in scored games the score and
    tier, and in how many moves at most: those of the best line known. Moves that lead to the same position
    are told once. With --json all moves are printed.

    In joker and klondike-one-pass a position may be known in part, as on the table: <??> for a card that lies
    face down, and the stock by the number of its cards. Then a player who sees no more than that weighs the
    moves by samples of the unseen cards and states the chance of each tier. --player, --visits and --think
    ask it about positions that are known, too. --think takes its best moves and plays each to the end in the
    same shuffles: better estimates, in some seconds. Ctrl-C ends it with what there is.

    \b
    Examples:
      winnable hint chessboard position.txt
      winnable hint joker --seed 1 --count 3
      winnable hint fortress --seed 8 --moves played.txt
      winnable hint joker table.txt
      winnable hint joker table.txt --think --samples 400
      winnable hint simon-jester - --json < position.txt

    Exit status: 0 decided either way, or advised; 3 undecided or interrupted; 2 bad usage or input.
    """
    choices = make_choices(variant, exchange, removal)
    deal = take_position(variant, position, seed, pysol, choices, moves_path)
    variant = deal.variant
    if samples is not None and not think:
        raise click.UsageError("--samples: it belongs to --think")
    if isinstance(deal.state, View) or player is not None or visits is not None or think:
        trials = (samples or SAMPLES) if think else None
        return _ask_player(variant, deal, position, player or "search", visits, count, trials, as_json)
    check_shorten(variant, shorten)
    advice = hint(variant, deal.state, max_seconds, shorten)
    if as_json:
        click.echo(json.dumps(_object(variant, deal, advice)))
    else:
        say(_text(variant, deal, advice, count))
    if any(option.after.reason == "interrupted" for option in advice.options):
        click.echo("winnable: interrupted", err=True)
    return UNDECIDED if advice.answer.verdict is Verdict.UNDECIDED else 0


def _ask_player(
    variant: Variant,
    deal: Deal,
    path: str | None,
    kind: str,
    visits: int | None,
    count: int,
    samples: int | None,
    as_json: bool,
) -> int:
    """Print what a player says. Raises UsageError for what does not go together."""
    if variant.name not in VARIANTS:
        raise click.UsageError(f"there is no player for {variant.name}, but for {' and '.join(VARIANTS)}")
    given = click.get_current_context().get_parameter_source
    for name in ("max_seconds", "shorten"):
        if given(name) is click.core.ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option}: it is for deciding, and a player has --visits")
    view = deal.state if isinstance(deal.state, View) else view_of_deal(deal, path)
    try:
        return tell_advice(variant, view, Asked(deal, Player(kind, visits), count, samples, as_json))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _object(variant: Variant, deal: Deal, advice: Hint) -> dict[str, Any]:
    answer = advice.answer
    line = None if answer.moves is None else format_line(variant, deal.state, answer.moves)
    return {
        **deal_keys(deal),
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
    if variant.family.is_won(deal.state):
        return head
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
