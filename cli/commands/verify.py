"""``winnable verify``."""

from typing import Any

import click

from ...rules import Variant
from ...rules.move_text import count_moves
from ...solver.verify import WrongMove, replay
from ..console import printable, say, stamped
from ..deals import Source, deal_arguments
from ..main import WRONG
from ..options import choice_options, json_option, seed_options
from ..terminal import fit


@click.command("verify")
@deal_arguments("[VARIANT] [DEAL] SOLUTION", several=True)
@seed_options
@choice_options
@click.option("--score", is_flag=True, help="Accept a line that does not win, and count the cards up.")
@json_option
def command(source: Source, score: bool, as_json: bool) -> int:
    """Replay the line of play in SOLUTION on DEAL by the rules of VARIANT.

    --seed or --pysol replaces DEAL. SOLUTION is the output of solve, as text or JSON, or one move a line; '-'
    is standard input. DEAL may be left out if SOLUTION contains it, and VARIANT if the deal names it. For a
    wrong line, the move at which it fails is printed with the reason. --score is for answers of solve
    --score.

    \b
    Examples:
      winnable verify chessboard deal.txt solution.txt
      winnable solve chessboard --seed 8 | winnable verify -

    Exit status: 0 the line wins (in scored games and with --score: is legal), 1 it does not, 2 bad usage or
    input.
    """
    deal, moves, _ = source.line("SOLUTION")
    variant, start = deal.variant, deal.state
    answer = _judge(variant, start, moves, score)
    if as_json:
        click.echo(stamped(answer))
    else:
        say(fit(_text(start, answer)))
    return 0 if answer["correct"] else WRONG


def _judge(variant: Variant, start: Any, moves: list[str], counts: bool) -> dict[str, Any]:
    """The result of `replay` for ``moves``, in the keys of the JSON answer; if it ``counts`` the cards that
    are up at the end, the line need not win."""
    answer: dict[str, Any] = {"game": variant.name, "correct": False, "moves": moves, "length": len(moves)}
    answer |= {"score": None, "tier": None, "failed_move": None, "failed_text": None, "reason": None}
    try:
        last = replay(variant, start, moves)
    except WrongMove as error:
        return answer | {"failed_move": error.number, "failed_text": error.text, "reason": error.why}
    if variant.scoring:
        score = variant.score(last)
        tier = variant.scoring.tier_of(score, start.deck.places)
        return answer | {"correct": True, "score": score, "tier": tier}
    if counts:
        up = sum(map(len, variant.family.foundations_of(last)))
        return answer | {"correct": True, "score": up}
    if not variant.family.is_won(last):
        left = sum(map(len, last.columns))
        return answer | {
            "reason": f"not won: {left} card{' is' if left == 1 else 's are'} left in the columns"
        }
    return answer | {"correct": True}


def _text(start: Any, answer: dict[str, Any]) -> str:
    count = count_moves(answer["length"])
    if answer["failed_move"] is not None:
        move = printable(answer["failed_text"])
        return f"wrong at move {answer['failed_move']} ({move}): {answer['reason']}"
    if answer["score"] is not None:
        tier = f" ({answer['tier']})" if answer["tier"] else ""
        return f"correct: {count}, score {answer['score']} of {start.deck.places}{tier}"
    return f"correct: won in {count}" if answer["correct"] else f"wrong after {count}: {answer['reason']}"
