"""The command ``winnable review``: the mistakes of a game."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from ...board.page import review_page
from ...game.evaluation import is_final
from ...rules.formats.text import Deal, FormatError, deal_keys
from ...rules.move_text import count_moves
from ...solver import Limits, Result
from ...solver.analysis.review import Step, review
from ...solver.verify import WrongMove
from ..console import complain, say, stamped
from ..deals import Source, deal_arguments
from ..files import Output
from ..main import UNDECIDED
from ..options import choice_options, html_option, json_option, limit_options, seed_options
from ..output import verdict_text
from ..progress import ProgressLine
from ..terminal import fit

if TYPE_CHECKING:
    from ...rules import answers


@click.command("review")
@deal_arguments("[GAME] [DEAL] MOVES", several=True)
@seed_options
@limit_options
@choice_options
@html_option
@json_option
def command(source: Source, limits: Limits, html_path: str | None, as_json: bool) -> int:
    """Go through a played game and mark the mistakes.

    MOVES is one move a line, or the output of solve or simulate. It is played on DEAL, on the deal of --seed
    or --pysol, or on the deal in MOVES itself, and need not reach the end. GAME may be left out where the
    deal names its game. A move is marked if the win (in scored games, a score) could be reached before it and
    provably not after it; a move that would have kept it is shown. The limits apply to each position. After
    Ctrl-C the remaining positions stay undecided. --html shows the game move by move, with its mistakes.

    \b
    Examples:
      winnable review chessboard deal.txt moves.txt
      winnable review joker --seed 1 moves.txt --max-seconds 2 --json
      winnable simulate joker --seed 1 | winnable review -
      winnable review deal.txt moves.txt --html game.html

    Exit status: 0 all decided, 3 some position is undecided, 2 bad usage or input, or an illegal move.
    """
    page = None if html_path is None else Output("--html", html_path)
    deal, moves, name = source.line("MOVES")
    if not moves:
        raise FormatError(name, 1, "no move to review")
    with page or nullcontext():
        steps = _review(deal, moves, name, limits, as_json)
        if page is not None:
            page.write(review_page(deal, steps))
        if as_json:
            click.echo(stamped(_object(deal, steps)))
        else:
            say(fit(_text(deal, steps)))
    answers = [answer for step in steps for answer in (step.before, step.after)]
    if any(answer.reason == "interrupted" for answer in answers):
        complain("interrupted")
    return 0 if all(map(is_final, answers)) else UNDECIDED


def _review(deal: Deal, moves: list[str], name: str, limits: Limits, is_silent: bool) -> list[Step]:
    """Review the moves of the file ``name``; return a step for each, with the results before and after it.
    Raises FormatError for an illegal move."""
    try:
        with ProgressLine(is_silent) as line:
            return review(deal.variant, deal.state, moves, limits, line.watch)
    except WrongMove as error:
        raise FormatError(name, None, f"illegal {error}") from None


def _object(deal: Deal, steps: list[Step]) -> "answers.Review":
    return {
        **deal_keys(deal),
        **_reached(steps[0].before),
        "steps": [
            {"number": number, "move": step.move, **_reached(step.after), "better": step.better}
            for number, step in enumerate(steps, 1)
        ],
        "mistakes": [number for number, step in enumerate(steps, 1) if step.better is not None],
    }


def _reached(answer: Result) -> "answers.Reached":
    return {
        "verdict": answer.verdict.value,
        "score": answer.score,
        "tier": answer.tier,
        "score_bound": answer.score_bound,
        "exact": answer.exact,
        "reason": answer.reason,
    }


def _text(deal: Deal, steps: list[Step]) -> str:
    variant, places = deal.variant, deal.state.deck.places
    lines = [f"Before move 1: {verdict_text(steps[0].before, variant, places)}"]
    for number, step in enumerate(steps, 1):
        if step.better is not None:
            lines.append(f"Move {number}, {step.move}: {step.mistake}")
    lines.append(f"After {count_moves(len(steps))}: {verdict_text(steps[-1].after, variant, places)}")
    return "\n".join(lines)
