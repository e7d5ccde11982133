"""``winnable hint``."""

from __future__ import annotations

import json

import click

from ...rules import Variant, View
from ...rules.formats.text import Deal
from ...solver import Limits, Verdict
from ...solver.analysis.hint import has_proofs, hint, usual_proofs
from ...solver.player.player import VARIANTS, Player
from ...solver.player.trials import SAMPLES
from ..arguments import NumberType, game_arguments
from ..console import complain, say
from ..deals import take_position, view_of_deal
from ..main import UNDECIDED
from ..moves import hint_object, hint_text, is_open
from ..options import (
    PlayerType,
    check_choices,
    check_shorten,
    choice_options,
    is_given,
    json_option,
    moves_option,
    seed_options,
    think_seconds_option,
)
from ..player_advice import Asked, tell_advice
from ..progress import ProgressLine
from ..terminal import fit

_ALL = 10**9
_MEGABYTES = 1000.0


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
@click.option("--all", "show_all", is_flag=True, help="Print all moves, a line each.")
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
    "--prove",
    type=NumberType(min=0, max=10**9),
    metavar="SECONDS",
    help="Seconds to prove fewest moves in, all together; 0: none.  [default: 1 in simple-simon, about 1, "
    "in states, in chessboard, fortress and Klondike with redeals, else 0]",
)
@click.option("--player", type=PlayerType(), help="Joker, Klondike: ask a player who sees what you see.")
@click.option(
    "--visits", type=click.IntRange(1, 10**9), metavar="N", help="Samples of the player.  [default: 2500]"
)
@think_seconds_option
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
    show_all: bool,
    max_seconds: float,
    shorten: float,
    prove: float | None,
    player: str | None,
    visits: int | None,
    think_seconds: float | None,
    think: bool,
    samples: int | None,
    choices: dict[str, str],
    as_json: bool,
) -> int:
    """Say which next move is best in a position of VARIANT, and which ones throw the win away.

    POSITION is a file ('-' for standard input) in any format that solve reads, or the deal of --seed or
    --pysol; with --moves it is the position after them. VARIANT may be left out where the file names its
    game. Each move is printed with what can be reached after it: the win, or in scored games the score and
    tier. The moves that lose it are named at the end. Moves that lead to the same position are told once.
    With --json all moves are printed.

    Moves that reach as much stand in the order of the moves still needed. "in 68 moves, none shorter" is
    proved; "in at most 109 moves" is the best line known, and "at least 98" what is proved of all lines.
    Chessboard, Fortress, Simple Simon and Klondike with redeals prove as much as they can in about a second;
    see --prove. Ctrl-C prints what is known by then.

    In joker and the Klondike games a position may be known in part, as on the table: <??> for a card that
    lies face down, and the stock by the number of its cards. Then a player who sees no more than that
    weighs the moves by samples of the unseen cards and states the chance of each tier. --player, --visits
    and --think ask it about positions that are known, too. --think takes its best moves and plays each to
    the end in the same shuffles: better estimates, in some seconds. Ctrl-C ends it with what there is.

    \b
    Examples:
      winnable hint chessboard position.txt
      winnable hint joker --seed 1 --count 3
      winnable hint simple-simon --seed 6 --prove 20 --all
      winnable hint fortress --seed 8 --moves played.txt
      winnable hint joker table.txt
      winnable hint joker table.txt --think --samples 400
      winnable hint simon-jester - --json < position.txt

    Exit status: 0 decided either way, or advised; 3 undecided, or moves left undecided by Ctrl-C; 2 bad
    usage or input.
    """
    if show_all and is_given("count"):
        raise click.UsageError("--count and --all: only one of them can be had")
    check_choices(variant, choices)
    deal = take_position(variant, position, seed, pysol, choices, moves_path)
    variant = deal.variant
    if samples is not None and not think:
        raise click.UsageError("--samples: it belongs to --think")
    count = _ALL if show_all else count
    if isinstance(deal.state, View) or player is not None or visits or think_seconds is not None or think:
        trials = (samples or SAMPLES) if think else None
        who = _player(player or "search", visits, think_seconds)
        return _ask_player(variant, deal, position, who, count, trials, as_json)
    check_shorten(variant, shorten, "--prove")
    proofs = _proofs(variant, prove)
    with ProgressLine(as_json) as line:
        limits = Limits(megabytes=_MEGABYTES)
        advice = hint(variant, deal.state, max_seconds, shorten, limits, proofs, line.watch)
    if as_json:
        click.echo(json.dumps(hint_object(variant, deal, advice)))
    else:
        say(fit(hint_text(variant, deal, advice, None if show_all else count)))
    if advice.interrupted:
        complain("interrupted")
    is_partial = any(is_open(o.after) and o.after.reason == "interrupted" for o in advice.options)
    return UNDECIDED if is_partial or advice.answer.verdict is Verdict.UNDECIDED else 0


def _proofs(variant: Variant, seconds: float | None) -> Limits | None:
    """The limits on proofs. Raises UsageError if it is asked for in vain."""
    if seconds is None:
        return usual_proofs(variant)
    if seconds and not has_proofs(variant):
        raise click.UsageError(f"--prove: no engine here proves fewest moves of {variant.name} for each move")
    return Limits(seconds=seconds) if seconds else None


def _player(kind: str, visits: int | None, seconds: float | None) -> Player:
    """The player asked for. Raises UsageError if there is none such."""
    try:
        return Player(kind, visits, seconds)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _ask_player(
    variant: Variant,
    deal: Deal,
    path: str | None,
    player: Player,
    count: int,
    samples: int | None,
    as_json: bool,
) -> int:
    """Print what a player says. Raises UsageError for what does not go together."""
    if variant.name not in VARIANTS:
        raise click.UsageError(f"there is no player for {variant.name}, but for {', '.join(VARIANTS)}")
    given = click.get_current_context().get_parameter_source
    for name in ("max_seconds", "shorten", "prove"):
        if given(name) is click.core.ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(
                f"{option}: it is for deciding, and a player has --visits and --think-seconds"
            )
    view = deal.state if isinstance(deal.state, View) else view_of_deal(deal, path)
    try:
        return tell_advice(variant, view, Asked(deal, player, count, samples, as_json))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
