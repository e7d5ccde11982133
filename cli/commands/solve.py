"""``winnable solve``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import NamedTuple

import click

from ...rules import Variant
from ...rules.formats.text import Deal, FormatError
from ...solver import Limits, Result, Verdict, find_shortest, solve
from ...solver.engine import ENGINES, optimize
from ..arguments import NumberType, game_arguments
from ..console import complain, say, tell
from ..deals import peek, take_deals
from ..files import Output
from ..main import UNDECIDED
from ..options import (
    check_choices,
    check_shorten,
    choice_options,
    is_given,
    json_option,
    limit_options,
    make_limits,
    moves_option,
    seed_options,
)
from ..output import (
    Bases,
    bases_line,
    bases_object,
    bases_table,
    moves_text,
    result_body,
    result_head,
    result_line,
    result_object,
)
from ..progress import ProgressLine


class Asked(NamedTuple):
    """The options of the command."""

    limits: Limits
    engine: str
    style: str
    shorten: float
    shortest: bool
    bases: bool
    page: Output | None
    certificate: Output | None
    plain: bool
    clauses: bool
    is_one: bool
    tell_game: bool


@click.command("solve")
@game_arguments("[VARIANT] [FILE]")
@seed_options
@moves_option
@limit_options
@choice_options
@click.option(
    "--shorten",
    type=NumberType(min=0, max=10**9),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Simon games: seconds spent on a shorter line, after the verdict.",
)
@click.option(
    "--shortest", is_flag=True, help="Look for a shortest line, until that is proved or a limit met."
)
@click.option("--bases", is_flag=True, help="Chessboard: what each base rank leads to, with shortest lines.")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", help="Which search to use.")
@json_option
@click.option(
    "--html", "html_path", type=click.Path(), metavar="FILE", help="Also write a page as replay does."
)
@click.option(
    "--certificate",
    "certificate_path",
    type=click.Path(),
    metavar="FILE",
    help="Also write what proves the claim, for winnable check.",
)
@click.option("--plain", is_flag=True, help="A certificate with as few lemmas as there can be.")
@click.option(
    "--clauses", is_flag=True, help="A certificate of moves by clauses, for any LRAT checker, not positions."
)
@click.option("--quiet", is_flag=True, help="Print the verdict alone.")
def command(
    variant: Variant | None,
    file: str | None,
    seed: int | None,
    pysol: str | None,
    moves_path: str | None,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: float,
    choices: dict[str, str],
    shorten: float,
    shortest: bool,
    bases: bool,
    engine: str,
    as_json: bool,
    html_path: str | None,
    certificate_path: str | None,
    plain: bool,
    clauses: bool,
    quiet: bool,
) -> int:
    """Decide a deal of VARIANT, or many.

    The deal is that of a seed or of a PySolFC number, or it is read from FILE ('-' for standard input), as
    text or JSON, those of other programs too; a position in mid-game will do as well, or a deal with --moves.
    VARIANT may be left out where FILE names its game. "winnable" comes with a
    line of play that was replayed by the rules, "unwinnable" is proved, and what a limit ended is
    "undecided". A file of several deals gives one line each, in order.

    With --shortest the verdict comes first; where a limit ends the search for a shortest line, the best one
    comes with the number of moves that are needed at least. With --bases limits hold for each base rank.

    \b
    Examples:
      winnable solve chessboard --seed 8
      winnable solve deal.txt --json
      winnable solve chessboard --seed 8 --shortest --max-seconds 10
      winnable deal fortress --seed 1 --count 100 --format jsonl | winnable solve -

    Exit status: 0 decided either way, 3 undecided, 2 bad usage or input.
    """
    limits = make_limits(max_nodes, max_seconds, max_memory)
    page = None if html_path is None else _page_of(html_path)
    certificate = None if certificate_path is None else Output("--certificate", certificate_path)
    if plain and certificate is None:
        raise click.UsageError("--plain: it belongs to --certificate")
    if clauses and not (certificate and shortest):
        raise click.UsageError("--clauses: it belongs to --certificate with --shortest")
    if variant is not None:
        check_shorten(variant, shorten)
    deals = take_deals(variant, file, seed, pysol, check_choices(variant, choices), moves_path)
    if shortest and is_given("shorten"):
        raise click.UsageError("--shorten: with --shortest it means nothing; see --max-seconds")
    if quiet and (shortest or bases):
        raise click.UsageError("--quiet prints the verdict alone, without --shortest and --bases")
    if shorten and is_given("shorten") and (quiet or engine == "reference"):
        other = "--quiet" if quiet else "--engine reference"
        raise click.UsageError(f"--shorten: with {other} it means nothing")
    first, is_one, deals = peek(deals)
    check_shorten(first.variant, shorten)
    if page is not None and not is_one:
        raise click.UsageError("--html shows one deal, and here are several")
    if certificate is not None and not is_one:
        raise click.UsageError("--certificate is that of one deal, and here are several")
    if certificate is not None and engine == "reference":
        raise click.UsageError("--certificate: the compiled engine makes it")
    style = "json" if as_json else "quiet" if quiet else "page" if is_one else "line"
    asked = Asked(
        limits,
        engine,
        style,
        shorten,
        shortest,
        bases,
        page,
        certificate,
        plain,
        clauses,
        is_one=is_one,
        tell_game=variant is None,
    )
    try:
        with page or nullcontext(), certificate or nullcontext(), ProgressLine(as_json) as line:
            return _solve_all(deals, asked, line)
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        raise click.UsageError(str(error)) from None


def _page_of(path: str) -> Output:
    """The page to write. What fills it is imported now: in an import Ctrl-C could keep nothing."""
    importlib.import_module("...board.page", __package__)
    return Output("--html", path)


def _solve_all(deals: Iterable[Deal], asked: Asked, line: ProgressLine) -> int:
    """Print one answer a deal, each as soon as it is known, until the end or Ctrl-C."""
    status = 0
    deals = iter(deals)
    for number, deal in enumerate(deals, 1):
        variant = deal.variant
        if line.watch is not None and not asked.is_one:
            line.watch.part = f"deal {number}"
        answers = _bases_of(deal, asked, line) if asked.bases else None
        result = _answer(variant, deal, asked, line)
        bases = [] if answers is None or result.reason == "interrupted" else _until_interrupted(answers)
        if asked.page is not None:  # before the talk, whose reader may leave
            from ...board.page import play_page

            asked.page.write(play_page(variant, deal, list(result.moves or ()), result.verdict.value))
        with line.hidden():
            say(_format(number, variant, deal, result, bases, asked), is_plain=asked.style == "json")
        if asked.certificate is not None:
            with line.hidden():
                status = _write_certificate(deal, result, asked, line)
        results = [result, *(answer for _, answer in bases)]
        if any(answer.verdict is Verdict.UNDECIDED for answer in results):
            status = UNDECIDED
        if any(answer.reason == "interrupted" for answer in results):
            line.end()
            complain("interrupted")
            return status if next(deals, None) is None else UNDECIDED
    return status


def _write_certificate(deal: Deal, result: Result, asked: Asked, line: ProgressLine) -> int:
    from ..certificates import Wanted, write_certificate

    assert asked.certificate is not None
    wanted = Wanted(asked.plain, asked.shortest, asked.clauses)
    return write_certificate(deal, result, asked.limits, wanted, asked.certificate, line)


def _answer(variant: Variant, deal: Deal, asked: Asked, line: ProgressLine) -> Result:
    """Solve one deal. A page shows the verdict at once; the verdict alone needs no short line."""
    if asked.shortest:
        tell = _Teller(variant, deal, line).tell if asked.style == "page" else None
        return find_shortest(variant, deal.state, asked.limits, asked.engine, tell, line.watch)
    result = solve(variant, deal.state, asked.limits, engine=asked.engine, shorten=0, watch=line.watch)
    if asked.style == "page":
        with line.hidden():
            say(result_head(variant, deal, result))
    if asked.style != "quiet" and asked.shorten:
        result = optimize(variant, deal.state, result, asked.shorten, asked.limits, line.watch)
    return result


class _Teller:
    """Prints the verdict on stdout as soon as it is there, and improvements on stderr if it is a terminal."""

    def __init__(self, variant: Variant, deal: Deal, line: ProgressLine) -> None:
        self.variant = variant
        self.deal = deal
        self.line = line
        self.has_printed = False

    def tell(self, result: Result) -> None:
        if not self.has_printed:
            with self.line.hidden():
                say(result_head(self.variant, self.deal, result))
            self.has_printed = True
        elif sys.stderr.isatty():
            with self.line.hidden(to_stderr=True):
                tell(moves_text(result))


def _bases_of(deal: Deal, asked: Asked, line: ProgressLine) -> Iterator[tuple[int, Result]]:
    from ...solver.analysis.bases import solve_bases

    return solve_bases(deal.state, asked.limits, asked.engine, line.watch)


def _until_interrupted(bases: Iterator[tuple[int, Result]]) -> Bases:
    answered = []
    for rank, result in bases:
        answered.append((rank, result))
        if result.reason == "interrupted":
            break
    return answered


def _format(number: int, variant: Variant, deal: Deal, result: Result, bases: Bases, asked: Asked) -> str:
    if asked.style == "quiet":
        return str(result.verdict.value)
    if asked.style == "json":
        import json

        answer = result_object(variant, deal, result, None if asked.is_one else number)
        return json.dumps(answer | {"bases": bases_object(bases)} if asked.bases else answer)
    if asked.style == "page":
        text = result_body(variant, deal, result)
        return f"{bases_table(bases)}\n\n{text}" if asked.bases else text
    text = result_line(number, variant, deal, result, asked.tell_game)
    return f"{text}; {bases_line(bases)}" if asked.bases else text
