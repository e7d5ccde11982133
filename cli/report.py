"""``winnable report``."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from ..solver.statistics import summary
from ..solver.store import RESULT_COLUMNS, Header, Store, StoreError
from .arguments import NameType
from .options import json_option
from .output import rate_text

_KINDS = ("winnable", "unwinnable", "undecided", "hardest")


@click.command("report")
@click.argument("files", nargs=-1, required=True, type=NameType(), metavar="FILE...")
@json_option
@click.option("--csv", "style", flag_value="csv", help="One line a deal, after a line of column names.")
@click.option("--jsonl", "style", flag_value="jsonl", help="One JSON object a deal.")
@click.option("--seeds", "kind", type=click.Choice(_KINDS), help="The seeds of such deals, one a line.")
@click.option(
    "--count", type=click.IntRange(min=1), metavar="N", help="With --seeds: the first N.  [hardest: 100]"
)
@click.option("--plot", "picture", metavar="FILE", help="Draw the results into FILE, such as rate.png.")
def command(
    files: tuple[str, ...],
    as_json: bool,
    style: str | None,
    kind: str | None,
    count: int | None,
    picture: str | None,
) -> None:
    """Show what is in the FILEs of winnable rate; several of one game are taken together.

    The hardest deals are those that took the most states, the hardest first. Files may be read while they are
    written. Plots need matplotlib, the extra 'plot'.

    \b
    Examples:
      winnable report chessboard.sqlite
      winnable report shard1.sqlite shard2.sqlite --csv > deals.csv
      winnable report joker.sqlite --seeds hardest --count 10
      winnable report joker.sqlite --plot joker.png
    """
    if bool(as_json) + bool(style) + bool(kind) > 1:
        raise click.UsageError("only one of --json, --csv, --jsonl and --seeds can be had at a time")
    if count and not kind:
        raise click.UsageError("--count: it belongs to --seeds")
    try:
        with Store.merge(files) as store:
            if style == "csv":
                writer = csv.writer(sys.stdout, lineterminator="\n")
                writer.writerow(_columns(store.header))
                writer.writerows(row.values() for row in _rows(store))
            elif style == "jsonl":
                for row in _rows(store):
                    click.echo(json.dumps(row))
            elif kind:
                for seed in _seeds(store, kind, count):
                    click.echo(seed)
            else:
                answer = summary(store)
                click.echo(json.dumps(answer) if as_json else rate_text(answer))
            if picture:
                _draw(store, picture)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _columns(header: Header) -> list[str]:
    """The keys of `_rows`. Of deals that came from a file ``deal`` is the number in it, as `solve` has it."""
    place = "deal" if header.dealer.startswith("file ") else "seed"
    return [place, *RESULT_COLUMNS[1:], "variant", *header.choices, "version"]


def _rows(store: Store) -> Iterator[dict[str, Any]]:
    """The stored results as public JSON objects, each with its game and the version that decided it."""
    header = store.header
    names, made = _columns(header), (header.variant, *header.choices.values(), header.version)
    for values in store.select(", ".join(RESULT_COLUMNS)):
        row = dict(zip(names, (*values, *made), strict=True))
        row["shortest"] = bool(row["shortest"])
        row["exact"] = None if row["score"] is None else bool(row["exact"])
        yield row


def _seeds(store: Store, kind: str, count: int | None) -> Iterator[int]:
    if kind == "hardest":
        tail = f"ORDER BY expanded DESC, seed LIMIT {count or 100}"
    else:
        tail = f"AND verdict = '{kind}' ORDER BY seed LIMIT {count or -1}"
    return (seed for (seed,) in store.select("seed", tail=tail))


def _draw(store: Store, path: str) -> None:
    try:
        from .plots import draw
    except ImportError:
        raise click.UsageError("--plot: matplotlib is not installed; see the extra 'plot'") from None
    try:
        draw(store, path)
    except ValueError as error:  # matplotlib does not know the format
        raise click.UsageError(f"--plot {path}: {error}") from None
