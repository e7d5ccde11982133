"""``winnable report``."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import chain, islice
from typing import Any

import click

from ...solver.batch.schema import RESULT_COLUMNS, Header
from ...solver.batch.statistics import summary
from ...solver.batch.store import Store, StoreError
from ..arguments import NameType
from ..console import say
from ..files import Output
from ..options import json_option
from ..output import rate_text
from ..terminal import columns, fit

_LINES = 1000  # printed at a time
_KINDS = ("winnable", "unwinnable", "undecided", "won", "lost", "unfinished", "hardest")


@click.command("report")
@click.argument("files", nargs=-1, required=True, type=NameType(), metavar="FILE...")
@json_option
@click.option("--csv", "style", flag_value="csv", help="One line a deal, after a line of column names.")
@click.option("--jsonl", "style", flag_value="jsonl", help="One JSON object a deal.")
@click.option(
    "--seeds",
    "kind",
    type=click.Choice(_KINDS),
    metavar="KIND",
    help=f"The seeds of such deals, one a line: {', '.join(_KINDS[:-1])} or {_KINDS[-1]}.",
)
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

    Deals that a player played are won, lost or, where a limit broke the game off, unfinished; all others are
    winnable, unwinnable or undecided.

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
    plot = None if picture is None else Output("--plot", picture, _files_of(files))
    draw = None if plot is None else _drawing(plot)
    try:
        with Store.merge(files) as store, plot or nullcontext():
            if plot is not None and draw is not None:
                plot.write(draw(store))
            lines = _lines(store, style, kind, count, as_json)
            while part := list(islice(lines, _LINES)):
                say("\n".join(part), is_plain=True)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _files_of(stores: tuple[str, ...]) -> list[str]:
    """The files that stores consist of, while they are written."""
    return [f"{store}{ending}" for store in stores for ending in ("", "-wal", "-shm", "-journal")]


def _lines(
    store: Store, style: str | None, kind: str | None, count: int | None, as_json: bool
) -> Iterator[str]:
    """The printed rows."""
    if style == "csv":
        writer = csv.writer(_Lines(), lineterminator="")
        yield from map(
            writer.writerow, chain([_columns(store.header)], (row.values() for row in _rows(store)))
        )
    elif style == "jsonl":
        yield from map(json.dumps, _rows(store))
    elif kind:
        yield from map(str, _seeds(store, kind, count))
    else:
        answer = summary(store)
        yield json.dumps(answer) if as_json else fit(rate_text(answer, columns()))


class _Lines:
    """A target of csv.writer that hands out its rows as text."""

    def write(self, line: str) -> str:
        """The ``line`` itself."""
        return line


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
        is_claimed = row["score"] is not None and row["exact"] is not None
        row["exact"] = bool(row["exact"]) if is_claimed else None
        yield row


def _seeds(store: Store, kind: str, count: int | None) -> Iterator[int]:
    """The seeds of the deals of a ``kind``. Raises UsageError for one that the store cannot have."""
    if kind not in (*store.verdicts, "hardest"):
        made = "games of a player" if store.header.player else "deals that were decided"
        words = ", ".join(store.verdicts)
        raise click.UsageError(f"--seeds {kind}: these are {made}: expected {words} or hardest")
    if kind == "hardest":
        tail = f"ORDER BY expanded DESC, seed LIMIT {count or 100}"
    else:
        tail = f"AND verdict = '{kind}' ORDER BY seed LIMIT {count or -1}"
    return (seed for (seed,) in store.select("seed", tail=tail))


def _drawing(plot: Output) -> Callable[[Store], bytes]:
    """The function that draws a store for ``plot``. Raises UsageError if nothing can draw, or not in such a
    format."""
    try:
        from ..plots import draw, format_of
    except ImportError:
        raise click.UsageError("--plot: matplotlib is not installed; see the extra 'plot'") from None
    try:
        style = format_of(plot.path)
    except ValueError as error:
        raise click.UsageError(f"--plot {plot.path}: {error}") from None

    def drawn(store: Store) -> bytes:
        try:
            return draw(store, style)
        except ValueError as error:
            raise click.UsageError(f"--plot {plot.path}: {error}") from None

    return drawn
