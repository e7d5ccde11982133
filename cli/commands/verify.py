"""The command ``winnable verify``: a line of play replayed by the rules."""

from typing import TYPE_CHECKING, Any

import click

from ...rules import Variant, has_unknown
from ...rules.formats import read_solution
from ...rules.formats.foreign.lines import WrongToken
from ...rules.formats.text import FormatError
from ...rules.move_text import count_moves
from ...rules.tiers import score_text
from ...solver.unknown_cards import WrongPlan, check_plan
from ...solver.verify import WrongMove, replay
from ..console import printable, say, stamped
from ..deals import Source, deal_arguments, plan_in
from ..main import WRONG
from ..options import choice_options, json_option, seed_options
from ..terminal import fit

if TYPE_CHECKING:
    from ...rules import answers


@click.command("verify")
@deal_arguments("[GAME] [DEAL] SOLUTION", several=True)
@seed_options
@choice_options
@click.option(
    "--score", is_flag=True, help="Accept a line that does not win, and count its cards on the foundations."
)
@json_option
def command(source: Source, score: bool, as_json: bool) -> int:
    """Replay the line of play in SOLUTION on DEAL by the rules of GAME.

    --seed or --pysol replaces DEAL. SOLUTION is the output of solve, as text or JSON, or one move a line; '-'
    is standard input. DEAL may be left out if SOLUTION contains it, and GAME if the deal names it. For a
    wrong line, the move at which it fails is printed with the reason. --score is for answers of solve
    --score. The plan of a table with unknown cards, from solve --json, is replayed for every arrangement of
    them; DEAL is the table.

    \b
    Examples:
      winnable verify chessboard deal.txt solution.txt
      winnable solve chessboard --seed 8 | winnable verify -

    Exit status: 0 the line wins (in scored games and with --score: is legal), 1 it does not, 2 bad usage or
    input.
    """
    deal, data, name = source.deal_and_line("SOLUTION", tables=True)
    if has_unknown(deal.state):
        return _verify_plan(deal, plan_in(data, name), as_json)
    try:
        answer = _judge(deal.variant, deal.state, read_solution(data, name, deal), score)
    except FormatError as error:
        if not isinstance(error.problem, WrongToken):
            raise
        answer = _illegal(deal.variant, error.problem)
    if as_json:
        click.echo(stamped(answer))
    else:
        say(fit(_text(deal.state, answer)))
    return 0 if answer["correct"] else WRONG


def _verify_plan(deal: Any, plan: Any, as_json: bool) -> int:
    """Replay the plan of a certain win for every arrangement of the unknown cards. Returns the exit
    status."""
    answer: answers.VerifiedPlan = {
        "game": deal.variant.name,
        "correct": True,
        "arrangements": None,
        "reason": None,
    }
    try:
        answer["arrangements"] = check_plan(deal.state, plan)
    except WrongPlan as error:
        answer = {**answer, "correct": False, "reason": str(error)}
    if as_json:
        click.echo(stamped(answer))
    else:
        count = answer["arrangements"]
        say(
            f"correct: won in all {count:,} arrangements"
            if count
            else fit(f"wrong: {printable(answer['reason'] or '')}")
        )
    return 0 if answer["correct"] else WRONG


def _judge(variant: Variant, start: Any, moves: list[str], counts: bool) -> "answers.VerifiedLine":
    """Replay ``moves`` from ``start``, and return the keys of the JSON answer. If ``counts`` is true, the
    line need not win: the cards on the foundations at its end are counted."""
    answer = _wrong(variant, moves)
    try:
        last = replay(variant, start, moves)
    except WrongMove as error:
        return {**answer, "failed_move": error.number, "failed_text": error.text, "reason": error.why}
    if variant.scoring:
        score = variant.score(last)
        tier = variant.scoring.tier_of(score, start.deck.places)
        return {**answer, "correct": True, "score": score, "tier": tier}
    if counts:
        up = sum(map(len, variant.family.foundations_of(last)))
        return {**answer, "correct": True, "score": up}
    if not variant.family.is_won(last):
        left = sum(map(len, last.columns))
        return {**answer, "reason": f"{left} card{' is' if left == 1 else 's are'} left in the columns"}
    return {**answer, "correct": True}


def _illegal(variant: Variant, error: WrongToken) -> "answers.VerifiedLine":
    """The keys of the JSON answer for a line in the notation of another program with an illegal move."""
    return {
        **_wrong(variant, error.tokens),
        "failed_move": error.number,
        "failed_text": error.token,
        "reason": error.why,
    }


def _wrong(variant: Variant, moves: list[str]) -> "answers.VerifiedLine":
    """The keys of the JSON answer for a line of ``moves`` that is wrong for no stated reason."""
    return {
        "game": variant.name,
        "correct": False,
        "moves": moves,
        "length": len(moves),
        "score": None,
        "tier": None,
        "failed_move": None,
        "failed_text": None,
        "reason": None,
    }


def _text(start: Any, answer: "answers.VerifiedLine") -> str:
    count = count_moves(answer["length"])
    if answer["failed_move"] is not None:
        move = printable(answer["failed_text"] or "")
        return f"illegal move {answer['failed_move']} ({move}): {answer['reason']}"
    if answer["score"] is not None:
        score, places = answer["score"], start.deck.places
        told = score_text(score, places) if answer["tier"] else f"{score} of {places}"
        return f"correct: {count}, score {told}"
    if answer["correct"]:
        return f"correct: won in {count}"
    return f"not a win: {answer['reason']} after {count}; --score counts the cards that are up"
