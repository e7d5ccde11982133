"""The command ``winnable review``: the mistakes of a game."""

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ...board.page import review_page
from ...game.evaluation import is_final
from ...rules import Variant
from ...rules.formats.text import Deal, FormatError, deal_keys
from ...rules.move_text import count_moves
from ...solver import Limits
from ...solver.analysis.review import Step, review
from ...solver.verify import WrongMove
from ..arguments import CountType
from ..console import complain, say, stamped
from ..deals import Source, deal_arguments
from ..files import Output
from ..main import UNDECIDED
from ..options import (
    check_has_player,
    choice_options,
    first_given,
    html_option,
    json_option,
    limit_options,
    seed_options,
    sees_option,
)
from ..output import verdict_text
from ..progress import ProgressLine
from ..terminal import fit

if TYPE_CHECKING:
    from ...solver.analysis.fair import FairReview, FairStep


@click.command("review")
@deal_arguments("[GAME] [DEAL] MOVES", several=True)
@seed_options
@click.option("--fair", is_flag=True, help="Joker, Klondike: judge each move by what its player saw.")
@sees_option("What the player saw: the table, the order of the stock too (both with --fair), or all cards.")
@click.option(
    "--visits",
    type=CountType(1, 10**9),
    metavar="N",
    help="With --fair: samples per position.  [default: 500]",
)
@limit_options
@choice_options
@html_option
@json_option
def command(
    source: Source,
    fair: bool,
    sees: str | None,
    visits: int | None,
    limits: Limits,
    html_path: str | None,
    as_json: bool,
) -> int:
    """Go through a played game and mark the mistakes.

    MOVES is one move a line, or the output of solve or simulate. It is played on DEAL, on the deal of --seed
    or --pysol, or on the deal in MOVES itself, and need not reach the end. GAME may be left out where the
    deal names its game. A move is marked if the win (in scored games, a score) could be reached before it and
    provably not after it; a move that would have kept it is shown. The limits apply to each position. After
    Ctrl-C the remaining positions stay undecided. --html shows the game move by move, with its mistakes.

    With --fair, or --sees table or stock, moves are judged by what the player could know: the winning chance
    after the move against that after the best one. Where another move is estimated to be better, both are
    played to the end with the unseen cards in many orders. A loss of 5 percentage points is an inaccuracy, 10
    a mistake, 20 a blunder; a difference within twice its standard error does not count. The losses add up to
    what was lost by play; the rest is luck. --max-seconds and --work apply to each position that is solved
    with all cards seen, to tell when the game was lost.

    \b
    Examples:
      winnable review chessboard deal.txt moves.txt
      winnable review joker --seed 1 moves.txt --max-seconds 2 --json
      winnable simulate joker --seed 1 | winnable review -
      winnable simulate klondike --seed 1 --player rule | winnable review - --fair
      winnable review deal.txt moves.txt --html game.html

    Exit status: 0 all decided, 3 some position is undecided or Ctrl-C, 2 bad usage or input, or an illegal
    move.
    """
    is_fair = fair or sees in ("table", "stock")
    if fair and sees == "all":
        raise click.UsageError("--fair: expected --sees table or stock, got all")
    if visits and not is_fair:
        raise click.UsageError("--visits requires --fair")
    page = None if html_path is None else Output("--html", html_path)
    deal, moves, name = source.line("MOVES")
    if not moves:
        raise FormatError(name, 1, "no move to review")
    if is_fair:
        check_has_player(deal.variant, "--fair" if fair else "--sees")
    with page or nullcontext():
        if is_fair:
            return _tell_fair(deal, moves, name, sees or "table", visits, limits, page, as_json)
        return _tell(deal, moves, name, limits, page, as_json)


def _tell(deal: Deal, moves: list[str], name: str, limits: Limits, page: Output | None, as_json: bool) -> int:
    """Print the review of the ``moves`` of the file ``name``, and return the exit status. Raises FormatError
    for an illegal move."""
    try:
        with ProgressLine(as_json) as line:
            steps = review(deal.variant, deal.state, moves, limits, line.watch)
    except WrongMove as error:
        raise FormatError(name, None, f"illegal {error}") from None
    if page is not None:
        page.write(review_page(deal, [step.move for step in steps], [(s.mistake, s.better) for s in steps]))
    if as_json:
        from ...solver.analysis.review_answers import review_object

        click.echo(stamped({**deal_keys(deal), **review_object(steps)}))
    else:
        say(fit(_text(deal, steps)))
    answers = [answer for step in steps for answer in (step.before, step.after)]
    if any(answer.reason == "interrupted" for answer in answers):
        complain("interrupted")
    return 0 if all(map(is_final, answers)) else UNDECIDED


def _text(deal: Deal, steps: list[Step]) -> str:
    variant, places = deal.variant, deal.state.deck.places
    lines = [f"Before move 1: {verdict_text(steps[0].before, variant, places)}"]
    for number, step in enumerate(steps, 1):
        if step.better is not None:
            lines.append(f"Move {number}, {step.move}: {step.mistake}")
    lines.append(f"After {count_moves(len(steps))}: {verdict_text(steps[-1].after, variant, places)}")
    return "\n".join(lines)


def _tell_fair(
    deal: Deal,
    moves: list[str],
    name: str,
    sees: str,
    visits: int | None,
    limits: Limits,
    page: Output | None,
    as_json: bool,
) -> int:
    """Print the review of the ``moves`` of the file ``name`` by what the player saw, and return the exit
    status. Raises FormatError for an illegal move, and for a position that there is no player for."""
    from ...solver.analysis.fair import VISITS, WORK, fair_review
    from ...solver.analysis.review_answers import fair_object
    from ...solver.player.player import Player

    if not first_given("work", "max_seconds"):
        limits = replace(limits, work=WORK)
    player = Player(visits=visits or VISITS)
    try:
        with ProgressLine(as_json) as line:
            found = fair_review(deal.variant, deal.state, moves, player, limits, line.watch, sees)
    except WrongMove as error:
        raise FormatError(name, None, f"illegal {error}") from None
    except ValueError as error:
        raise FormatError(name, None, error) from None
    if page is not None:
        losses = [(f"is {text}" if (text := _loss_text(step)) else "", step.better) for step in found.steps]
        page.write(review_page(deal, [step.move for step in found.steps], losses))
    if as_json:
        click.echo(stamped({**deal_keys(deal), **fair_object(found, sees)}))
    else:
        say(fit(_fair_text(deal.variant, found)))
    if found.interrupted:
        complain(f"interrupted after {count_moves(len(found.steps))}")
    return UNDECIDED if found.interrupted else 0


def _fair_text(variant: Variant, found: "FairReview") -> str:
    from ...solver.analysis.review_answers import fair_figures

    lines = []
    for number, step in enumerate(found.steps, 1):
        if loss := _loss_text(step):
            lines.append(f"Move {number}, {step.move}: {loss}")
    return "\n".join([*lines, *fair_figures(variant, found)])


def _loss_text(step: "FairStep") -> str:
    """The loss by a move and the better one, such as ``a mistake, 62% -> 48%; better 9H w-3``."""
    from ...solver.analysis.review_answers import fair_loss

    loss = fair_loss(step)
    return loss and f"{loss}; better {step.better}"
