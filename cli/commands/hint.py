"""The command ``winnable hint``: the moves of a position, ranked."""

from typing import Any

import click

from ...game.evaluation import is_final
from ...rules import Variant, has_unknown
from ...solver import Limits, Verdict
from ...solver.analysis.hint import PROVE, WORK, has_proofs, hint, usual_proofs
from ...solver.engine import SHORTEN
from ...solver.player.trials import SAMPLES
from ...solver.unknown_cards import is_computed
from ..arguments import CountType, as_usage
from ..console import complain, say, stamped
from ..deals import Source, deal_arguments, hidden_deal
from ..main import UNDECIDED
from ..moves import hint_object, hint_text
from ..options import (
    FOR_DECIDING,
    LOAD,
    UNITS,
    check_has_player,
    check_not_given,
    check_shorten,
    choice_options,
    first_given,
    is_given,
    json_option,
    make_player,
    moves_option,
    player_options,
    seconds_option,
    seed_options,
    sees_option,
    work_option,
)
from ..player_advice import Asked, tell_advice, tell_table
from ..progress import ProgressLine
from ..terminal import fit

_ALL = 10**9
_MEGABYTES = 1000.0


@click.command("hint")
@deal_arguments("[GAME] [POSITION]")
@seed_options
@moves_option
@click.option(
    "--count",
    "-n",
    type=CountType(min=1),
    default=5,
    show_default=True,
    metavar="K",
    help="Print the K best moves.",
)
@click.option("--all", "show_all", is_flag=True, help="Print all moves, a line each.")
@work_option("--work", WORK, f"Work to decide the position, and as much for all moves, {UNITS}.")
@seconds_option("--max-seconds", None, f"Seconds by the clock for all of it, {LOAD}.  [default: no limit]")
@work_option("--shorten", SHORTEN, "Simon games: work to shorten the solution, as in solve.")
@work_option(
    "--prove",
    None,
    f"Work to prove fewest moves; 0 for none.  [default: {PROVE} in chessboard, fortress, simple-simon and "
    "Klondike with redeals, else 0]",
)
@player_options("Joker, Klondike: ask a player who sees only the visible cards.")
@sees_option(
    "Joker, Klondike: what you see: the table, the order of the stock too, or all cards.  [default: table "
    "where cards are unknown or a player is asked, else all]"
)
@click.option("--think", is_flag=True, help="Let this player play its best moves out to the end.")
@click.option(
    "--samples",
    type=CountType(1, 10**6),
    metavar="K",
    help=f"With --think: number of shuffles.  [default: {SAMPLES}]",
)
@choice_options
@json_option
def command(
    source: Source,
    count: int,
    show_all: bool,
    work: int,
    max_seconds: float | None,
    shorten: int,
    prove: int | None,
    player: str | None,
    visits: int | None,
    think_seconds: float | None,
    sees: str | None,
    think: bool,
    samples: int | None,
    as_json: bool,
) -> int:
    """Rank the next moves in a position of GAME, and name those that lose.

    POSITION is a file ('-' for standard input) in any format that solve reads, or the deal of --seed or
    --pysol; with --moves it is the position after them. GAME may be left out where the file names its game.
    The position is solved first, as by solve. Each move is printed with the best result after it: the win or,
    in scored games, the score and tier. Moves after which the game is lost or, in scored games, the best tier
    cannot be reached any more are listed at the end. In a lost position of Chessboard, Fortress and Klondike
    with redeals moves are ranked by the most cards that can still reach the foundations. Of several moves
    that lead to the same position only one is listed; --all and --json list every one. Ctrl-C prints the
    results so far.

    Moves with equal results are ordered by the number of moves still needed. "in 68 moves (shortest)" is
    proved; "in 98 to 109 moves" has a solution of 109, and fewer than 98 are proved impossible. In
    chessboard, fortress, simple-simon and Klondike with redeals these proofs take about a second; see
    --prove.

    In joker and the Klondike games a position may be partly known, as on the table: <??> is a face-down card,
    and the stock is given by its number of cards, or by its cards with ?? for unknown ones. With up to six
    unknown cards the best chance of a win after each move is computed, or bounded. With more, a
    computer player who sees no more than you samples the unseen cards and estimates the chance of each tier.
    --player, --visits and --think ask this player about fully known positions too. --think plays the best
    moves out to the end in the same shuffles, for better estimates in some seconds. --all estimates the
    chance after each legal move.

    \b
    Examples:
      winnable hint chessboard position.txt
      winnable hint joker --seed 1 --count 3
      winnable hint simple-simon --seed 6 --prove 20M --all
      winnable hint fortress --seed 8 --moves played.txt
      winnable hint joker table.txt
      winnable hint joker table.txt --think --samples 400
      winnable hint simon-jester - --json < position.txt

    Exit status: 0 decided either way, or advised; 3 undecided, or moves left undecided by Ctrl-C; 2 bad
    usage or input.
    """
    if show_all and is_given("count"):
        raise click.UsageError("expected --count or --all, got both")
    deal = source.position()
    variant = deal.variant
    if samples is not None and not think:
        raise click.UsageError("--samples requires --think")
    count = _ALL if show_all else count
    asks = player is not None or visits or think_seconds is not None or think or sees in ("table", "stock")
    is_table = has_unknown(deal.state)
    if is_table and sees in ("stock", "all"):
        raise click.UsageError(f"--sees {sees}: expected table for a position with unknown cards")
    if is_table and not asks and is_computed(deal.state):
        check_not_given(("work", "shorten", "prove"), FOR_DECIDING)
        return tell_table(deal, deal.state, None if show_all else count, max_seconds, as_json)
    if is_table or asks:
        if think or not is_table:
            check_not_given(("max_seconds",), FOR_DECIDING)
        who = make_player(player or "search", visits, think_seconds)
        tried = (samples or SAMPLES) if think else None
        asked = Asked(deal, who, count, tried, as_json, max_seconds, show_all)
        return _ask_player(source, asked, sees or "table")
    check_shorten(variant, shorten, "--prove")
    proofs = _proofs(variant, prove, deal.state.choices)
    with ProgressLine(as_json) as line:
        limits = Limits(seconds=max_seconds, megabytes=_MEGABYTES)
        advice = hint(variant, deal.state, work, shorten, limits, proofs, line.watch)
    if as_json:
        click.echo(stamped(hint_object(deal, advice)))
    else:
        say(fit(hint_text(variant, deal, advice, None if show_all else count)))
    if advice.interrupted:
        complain("interrupted")
    is_partial = any(not is_final(o.after) and o.after.reason == "interrupted" for o in advice.options)
    return UNDECIDED if is_partial or advice.answer.verdict is Verdict.UNDECIDED else 0


def _proofs(variant: Variant, work: int | None, choices: Any) -> Limits | None:
    """The limits on proofs of fewest moves. Raises UsageError for a game, or rule options ``choices``,
    without such proofs."""
    if work is None:
        return usual_proofs(variant, choices)
    if work and not has_proofs(variant, choices):
        raise click.UsageError(f"--prove: not supported in {variant.name}")
    return Limits(work=work) if work else None


def _ask_player(source: Source, asked: Asked, sees: str) -> int:
    """Print the advice of a player who ``sees`` that much of a known position. Raises UsageError for options
    that do not apply to it."""
    deal = asked.deal
    given = first_given("player", "visits", "think_seconds", "think", "sees")
    check_has_player(deal.variant, given or "--player")
    check_not_given(("work", "shorten", "prove"), FOR_DECIDING)
    table = deal.state if has_unknown(deal.state) else hidden_deal(deal, source.file, sees)
    with as_usage():
        return tell_advice(deal.variant, table, asked)
