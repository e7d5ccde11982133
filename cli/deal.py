"""``winnable deal``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, chain, repeat

import click

from ..rules import Choices, Variant
from ..rules.deals import SEEDS
from ..rules.formats import STYLES, write_deals
from ..rules.pysol import next_number
from ..rules.text import Deal, FormatError
from .options import (
    choice_options,
    json_option,
    make_choices,
    pysol_deal,
    seed_options,
    take_deals,
    variant_argument,
)
from .output import say


@click.command("deal")
@variant_argument
@click.argument("file", required=False, type=click.Path())
@seed_options
@click.option("--count", type=click.IntRange(min=1), metavar="K", help="Deal K seeds or numbers in a row.")
@click.option(
    "--format",
    "style",
    type=click.Choice(STYLES),
    default="text",
    help="Text, one JSON document, one JSON object a line, Solvitaire's JSON, or fc-solve's boards.",
)
@json_option
@click.option("--ranks", type=int, default=13, metavar="N", help="Short deck: the number of ranks.")
@click.option("--suits", default="CDHS", metavar="CDHS", help="Short deck: the suits in it.")
@choice_options
@click.option("--sizes", metavar="N,N,...", help="Short deck: the column sizes.")
def command(
    variant: Variant,
    file: str | None,
    seed: int | None,
    pysol: str | None,
    count: int | None,
    style: str,
    as_json: bool,
    ranks: int,
    suits: str,
    exchange: str | None,
    removal: str | None,
    sizes: str | None,
) -> None:
    """Print the deal of a seed of VARIANT, or several, or those in FILE in another format.

    A variant and a seed mean the same cards for ever; see: winnable describe --dealer. A PySolFC number means
    the cards that PySolFC deals; it needs the package pysol-cards.

    \b
    Examples:
      winnable deal chessboard --seed 8
      winnable deal joker --seed 1 --count 100 --format jsonl > deals.jsonl
      winnable deal simple-simon --pysol 12345 --format fc-solve
      winnable deal fortress board.txt --format solvitaire
      winnable deal fortress --seed 3 --ranks 5 --suits CDH --sizes 5,5,5
    """
    style = "json" if as_json else style
    choices = make_choices(variant, exchange, removal)
    is_short = (ranks, suits, sizes) != (13, "CDHS", None)
    if seed is None and (is_short or (file is not None and count is not None)):
        raise click.UsageError("--count goes with --seed or --pysol, a short deck with --seed")
    if seed is not None and file is None and pysol is None:
        deals = _of_seeds(variant, seed, count or 1, (ranks, suits, sizes), choices)
    elif pysol is not None and file is None and seed is None:
        numbers = accumulate(repeat(pysol, count or 1), lambda number, _: next_number(number))
        deals = (pysol_deal(variant, number) for number in numbers)
    else:
        deals = take_deals(variant, file, seed, pysol, choices)
    try:
        first = [deal for _, deal in zip(range(2), deals, strict=False)]
        for text in write_deals(variant, chain(first, deals), style, alone=len(first) == 1):
            if style == "text":
                say(text, end="")
            else:
                click.echo(text, nl=False)
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        raise click.UsageError(str(error)) from None


def _of_seeds(
    variant: Variant,
    seed: int,
    count: int,
    deck: tuple[int, str, str | None],
    choices: dict[str, str],
) -> Iterator[Deal]:
    if seed + count > SEEDS:
        raise click.UsageError(f"count {count}: there are no seeds beyond 2^64 - 1")
    ranks, suits, sizes = deck
    columns, agreed = _parse_sizes(sizes), Choices(**choices) if choices else None
    for number in range(seed, seed + count):
        yield Deal(variant.deal(number, ranks, suits, columns, agreed), number)


def _parse_sizes(text: str | None) -> list[int] | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,3}(,[0-9]{1,3})*", text):
        raise ValueError(f"sizes {text!r}: numbers such as 5,5,5 are needed")
    return [int(size) for size in text.split(",")]
