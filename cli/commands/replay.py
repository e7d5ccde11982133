"""The command ``winnable replay``: a page that shows a line of play."""

import sys
from contextlib import nullcontext
from dataclasses import replace

import click

from ...board.page import play_object, play_page
from ...rules.formats import read_solution
from ...rules.formats.text import FormatError
from ...solver import Limits, Verdict, solve
from ...solver.verify import WrongMove, follow
from ..console import say, stamped
from ..deals import Source, deal_arguments, read_file
from ..files import Output
from ..main import UNDECIDED
from ..options import check_not_given, choice_options, json_option, limit_options, moves_option, seed_options
from ..progress import ProgressLine


@click.command("replay")
@deal_arguments("[GAME] [DEAL] [SOLUTION]", several=True)
@seed_options
@moves_option
@click.option(
    "--output", "-o", type=click.Path(), metavar="FILE", help="Write to FILE instead of standard output."
)
@limit_options
@choice_options
@json_option
def command(source: Source, limits: Limits, output: str | None, as_json: bool) -> int:
    """Write an HTML page that plays a solution move by move, forward and back.

    SOLUTION is the output of solve, as text or JSON, or one move a line; without it the deal is solved within
    the limits. It is played on DEAL ('-' for standard input) or on the deal of --seed or --pysol, with
    --moves on the position after them; GAME may be left out where DEAL names its game. A deal without a
    solution is shown as dealt. The page needs no network. With --json the positions are written as
    data, each in the form that hint reads.

    \b
    Examples:
      winnable replay chessboard --seed 8 --output chessboard-8.html
      winnable replay joker deal.txt solution.txt > joker.html

    Exit status: 0 written, 3 written but undecided, 2 bad usage or input, or an illegal move.
    """
    files = source.files
    wanted = 0 if source.is_dealt else 1
    if not wanted <= len(files) <= wanted + 1:
        raise click.UsageError("expected DEAL, or --seed or --pysol, and optionally SOLUTION")
    if files.count("-") > 1:
        raise click.UsageError("only one of DEAL and SOLUTION can be standard input")
    if source.moves == "-" in files:
        raise click.UsageError("only one of DEAL, SOLUTION and --moves can be standard input")
    if output == "-":
        output = None
    page = None if output is None else Output("--output", output)
    if page is None and not as_json and sys.stdout.isatty():
        raise click.UsageError("expected a file for the page, such as --output page.html, got a terminal")
    deal = replace(source, files=files[:wanted]).deal()
    variant = deal.variant
    verdict = None
    if len(files) > wanted:
        data, name = read_file(files[-1])
        check_not_given(("work", "max_seconds", "max_memory"), "has no effect with SOLUTION")
        texts = read_solution(data, name, deal)
        try:
            moves = [move for move, _ in follow(variant, deal.state, texts)]
        except WrongMove as error:
            raise FormatError(name, None, f"illegal {error}") from None
    else:
        with ProgressLine(as_json) as line:
            result = solve(variant, deal.state, limits, watch=line.watch)
        moves, verdict = list(result.moves or ()), result.verdict.value
    if as_json:
        text = stamped(play_object(variant, deal, moves, verdict)) + "\n"
    else:
        text = play_page(variant, deal, moves, verdict)
    with page or nullcontext():
        if page is None:
            say(text, end="", is_plain=True)
        else:
            page.write(text)
    return UNDECIDED if verdict == Verdict.UNDECIDED.value else 0
