"""``winnable solve``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path

import click

from ..rules import Variant
from ..rules.text import Deal, FormatError
from ..solver import ENGINES, Limits, Verdict, make_shorter, solve
from .colour import say
from .main import UNDECIDED
from .options import (
    choice_options,
    json_option,
    limit_options,
    make_choices,
    make_limits,
    seed_options,
    take_deals,
    variant_argument,
)
from .output import result_body, result_head, result_line, result_object


@click.command("solve")
@variant_argument
@click.argument("file", required=False, type=click.Path())
@seed_options
@limit_options
@choice_options
@click.option(
    "--shorten",
    type=click.FloatRange(min=0, max=10**9),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Simon games: seconds spent on a shorter line, after the verdict.",
)
@click.option("--engine", type=click.Choice(ENGINES), default="auto", help="Which search to use.")
@json_option
@click.option(
    "--html", "html_path", type=click.Path(), metavar="FILE", help="Also write a page as replay does."
)
@click.option("--quiet", is_flag=True, help="Print the verdict alone.")
def command(
    variant: Variant,
    file: str | None,
    seed: int | None,
    pysol: str | None,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: float,
    exchange: str | None,
    removal: str | None,
    shorten: float,
    engine: str,
    as_json: bool,
    html_path: str | None,
    quiet: bool,
) -> int:
    """Decide a deal of VARIANT, or many.

    The deal is that of a seed or of a PySolFC number, or it is read from FILE ('-' for standard input), as
    text or JSON, those of other programs too; a position in mid-game will do as well. "winnable" comes with a
    line of play that was replayed by the rules, "unwinnable" is proved, and what a limit ended is
    "undecided". A file of several deals gives one line each, in order.

    \b
    Examples:
      winnable solve chessboard --seed 8
      winnable solve fortress deal.txt --json
      winnable deal fortress --seed 1 --count 100 --format jsonl | winnable solve fortress -

    Exit status: 0 decided either way, 3 undecided, 2 bad usage or input.
    """
    limits = make_limits(max_nodes, max_seconds, max_memory)
    deals = take_deals(variant, file, seed, pysol, make_choices(variant, exchange, removal))
    first = list(islice(deals, 2))
    if html_path is not None and len(first) != 1:
        raise click.UsageError("--html shows one deal, and here are several")
    style = "json" if as_json else "quiet" if quiet else "page" if len(first) == 1 else "line"
    try:
        return _solve_all(variant, chain(first, deals), limits, engine, style, shorten, html_path)
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        raise click.UsageError(str(error)) from None


def _solve_all(
    variant: Variant,
    deals: Iterable[Deal],
    limits: Limits,
    engine: str,
    style: str,
    shorten: float,
    html_path: str | None,
) -> int:
    """Print one answer a deal, each as soon as it is known, until the end or Ctrl-C.

    A page shows the verdict at once, before the line is made shorter; the verdict alone needs no line.
    """
    status = 0
    deals = iter(deals)
    for number, deal in enumerate(_with_bar(deals, style), 1):
        result = solve(variant, deal.state, limits, engine=engine, shorten=0)
        if style == "page":
            say(result_head(variant, deal, result))
        if style != "quiet" and shorten:
            result = make_shorter(variant, deal.state, result, shorten, limits)
        if style == "json":
            text = json.dumps(result_object(variant, deal, result))
        elif style == "quiet":
            text = str(result.verdict.value)
        elif style == "page":
            text = result_body(variant, deal, result)
        else:
            text = result_line(number, variant, deal, result)
        (click.echo if style == "json" else say)(text)
        if html_path is not None:
            from .page import play_page

            html = play_page(variant, deal, list(result.moves or ()), result.verdict.value)
            Path(html_path).write_text(html, encoding="utf-8")
        if result.verdict is Verdict.UNDECIDED:
            status = UNDECIDED
        if result.reason == "interrupted":
            click.echo("winnable: interrupted", err=True)
            return status if next(deals, None) is None else UNDECIDED
    return status


def _with_bar(deals: Iterable[Deal], style: str) -> Iterable[Deal]:
    """``deals`` with a progress bar, if stderr is a terminal and the answers go elsewhere."""
    if style == "page" or sys.stdout.isatty() or not sys.stderr.isatty():
        return deals
    from tqdm import tqdm

    return tqdm(deals, unit=" deals")
