"""``winnable deal``."""

from __future__ import annotations

import json
import re
from typing import Any

import click

from ..rules import Choices, Variant
from ..rules.deals import SEEDS
from ..rules.json_deals import deal_object
from ..rules.text import format_board
from .options import SeedType, choice_options, json_option, make_choices, variant_argument


@click.command("deal")
@variant_argument
@click.option("--seed", type=SeedType(), required=True, metavar="N", help="The first seed, 0 to 2^64-1.")
@click.option("--count", type=click.IntRange(min=1), default=1, metavar="K", help="Deal K seeds in a row.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "jsonl"]),
    default="text",
    help="Text, one JSON document, or one JSON object a line.",
)
@json_option
@click.option("--ranks", type=int, default=13, metavar="N", help="Short deck: the number of ranks.")
@click.option("--suits", default="CDHS", metavar="CDHS", help="Short deck: the suits in it.")
@choice_options
@click.option("--sizes", metavar="N,N,...", help="Short deck: the column sizes.")
def command(
    variant: Variant,
    seed: int,
    count: int,
    style: str,
    as_json: bool,
    ranks: int,
    suits: str,
    exchange: str | None,
    removal: str | None,
    sizes: str | None,
) -> None:
    """Print the deal of a seed of VARIANT, or several.

    A variant and a seed mean the same cards for ever; see: winnable describe --dealer

    \b
    Examples:
      winnable deal chessboard --seed 8
      winnable deal joker --seed 1 --count 100 --format jsonl > deals.jsonl
      winnable deal fortress --seed 3 --ranks 5 --suits CDH --sizes 5,5,5
    """
    if seed + count > SEEDS:
        raise click.UsageError(f"count {count}: there are no seeds beyond 2^64 - 1")
    seeds = range(seed, seed + count)
    try:
        columns = _parse_sizes(sizes)
        choices = make_choices(variant, exchange, removal)
        agreed = Choices(**choices) if choices else None
        variant.deal(seed, ranks, suits, columns, agreed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    states = ((number, variant.deal(number, ranks, suits, columns, agreed)) for number in seeds)
    if style == "text" and not as_json:
        for number, state in states:
            gap = "\n" if number > seed else ""
            click.echo(gap + format_board(variant, state, number), nl=False)
    elif style == "jsonl":
        for number, state in states:
            click.echo(json.dumps(deal_object(variant, state, number)))
    else:
        deals: list[Any] = [deal_object(variant, state, number) for number, state in states]
        click.echo(json.dumps(deals[0] if count == 1 else deals, indent=2))


def _parse_sizes(text: str | None) -> list[int] | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,3}(,[0-9]{1,3})*", text):
        raise ValueError(f"sizes {text!r}: numbers such as 5,5,5 are needed")
    return [int(size) for size in text.split(",")]
