"""The command ``winnable report``: stored results, summarized and exported."""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from importlib.util import find_spec
from io import BytesIO
from itertools import chain, islice
from types import SimpleNamespace
from typing import Any

import click

from ...solver.batch.classes import USUAL, LostRun
from ...solver.batch.statistics import Counts, histogram, summary
from ...solver.batch.store import Store, StoreError
from ..arguments import CountType, NameType, as_usage
from ..console import say, stamped
from ..files import Output
from ..main import UNDECIDED
from ..options import json_option
from ..output import rate_text
from ..runs import finish
from ..terminal import columns, fit

_LINES = 1000  # lines printed at a time
_CLASS = "class"  # the column of classes
_KINDS = ("winnable", "unwinnable", "undecided", "won", "lost", "unfinished", "hardest")


@click.command("report")
@click.argument("files", nargs=-1, type=NameType(), metavar="FILE...")
@json_option
@click.option("--csv", "style", flag_value="csv", help="One line a deal, after a line of column names.")
@click.option("--jsonl", "style", flag_value="jsonl", help="One JSON object a deal.")
@click.option("--scores", is_flag=True, help="With --csv: one line a score instead of a deal.")
@click.option(
    "--seeds",
    "kind",
    type=click.Choice(_KINDS),
    metavar="KIND",
    help=f"Print the seeds of these deals, one a line: {', '.join(_KINDS[:-1])} or {_KINDS[-1]}.",
)
@click.option(
    "--count",
    "-n",
    type=CountType(min=1),
    metavar="N",
    help="With --seeds: the first N.  [hardest: 100]",
)
@click.option("--classes", is_flag=True, help="Say why lost deals are lost; see winnable rate.")
@click.option(
    "--sample",
    type=CountType(min=1),
    metavar="N",
    help=f"With --classes: take N lost deals, spread evenly.  [default: {USUAL}]",
)
@click.option(
    "--parquet", metavar="FILE", help="Write one row a deal to FILE, a table for pandas and others."
)
@click.option("--plot", "picture", metavar="FILE", help="Plot the results to FILE, such as rate.png.")
def command(
    files: tuple[str, ...],
    as_json: bool,
    style: str | None,
    scores: bool,
    kind: str | None,
    count: int | None,
    classes: bool,
    sample: int | None,
    parquet: str | None,
    picture: str | None,
) -> int:
    """Summarize the results in FILEs of winnable rate; several files of one game are merged.

    The hardest deals are those that took the most states, the hardest first. Files may be read while they are
    being written. Plots require matplotlib, the extra 'plot', and Parquet pandas, the extra 'dataframe'.

    With --classes lost deals are dealt again and searched with the limits of the store; --csv, --jsonl and
    --parquet then have a column "class", empty for other deals. A store of deals of a file has no cards: give
    the file to winnable rate, with the store as --output.

    Deals played by a player are won, lost or, if a limit ended the game, unfinished; all others are winnable,
    unwinnable or undecided.

    \b
    Examples:
      winnable report chessboard.sqlite
      winnable report shard1.sqlite shard2.sqlite --csv > deals.csv
      winnable report joker.sqlite --csv --scores > scores.csv
      winnable report joker.sqlite --seeds hardest --count 10
      winnable report joker.sqlite --plot joker.png
      winnable report joker.sqlite --parquet joker.parquet
      winnable report fortress.sqlite --classes

    Exit status: 0 done, 3 interrupted, 2 bad usage or input.
    """
    if not files:
        raise click.UsageError("Missing argument 'FILE': expected a file of results, such as rate stores")
    if bool(as_json) + bool(style) + bool(kind) > 1:
        raise click.UsageError("expected only one of --json, --csv, --jsonl and --seeds")
    if scores and style != "csv":
        raise click.UsageError("--scores requires --csv")
    if classes and (kind or scores):
        raise click.UsageError(f"--classes excludes {'--seeds' if kind else '--scores'}")
    if count and not kind:
        raise click.UsageError("--count requires --seeds")
    if sample and not classes:
        raise click.UsageError("--sample requires --classes")
    read = [f"{store}{ending}" for store in files for ending in ("", "-wal", "-shm", "-journal")]
    plot = None if picture is None else Output("--plot", picture, read)
    table = None if parquet is None else Output("--parquet", parquet, read)
    draw = None if plot is None else _drawing(plot)
    if table is not None:
        _check_tables()
    try:
        with Store.merge(files) as store, plot or nullcontext(), table or nullcontext():
            run = _lost_run(store, sample or USUAL) if classes else None
            is_finished = run is None or finish(run, "lost deals")
            if table is not None:
                table.write(_parquet(store, run))
            if plot is not None and draw is not None:
                plot.write(draw(_summary(store, run), store))
            lines = _score_lines(store) if scores else _lines(store, run, style, kind, count, as_json)
            while part := list(islice(lines, _LINES)):
                say("\n".join(part), is_plain=True)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    return 0 if is_finished else UNDECIDED


def _lost_run(store: Store, sample: int) -> LostRun:
    """A run that finds the classes of lost deals of a store, which are dealt again."""
    if store.columns[0] == "deal":
        remedy = f"give the file to winnable rate, with --classes --output {store.name}"
        raise StoreError(f"{store.name}: the store has no cards, its deals are from a file; {remedy}")
    return LostRun(store, store.header.limits, sample)


def _summary(store: Store, run: LostRun | None) -> dict[str, Any]:
    """The summary of a store, with the classes of lost deals that ``run`` found."""
    return {**summary(store), **({} if run is None else {"classes": run.summary()})}


def _rows(store: Store, run: LostRun | None) -> Iterator[dict[str, Any]]:
    """The rows of a store, with the classes of lost deals that ``run`` found."""
    place = store.columns[0]
    for row in store.rows():
        yield row if run is None else {**row, _CLASS: run.found.get(int(row[place]))}


def _lines(
    store: Store, run: LostRun | None, style: str | None, kind: str | None, count: int | None, as_json: bool
) -> Iterator[str]:
    """Yield the lines to print: rows as CSV or JSON, or seeds. ``run`` found the classes of lost deals."""
    if style == "csv":
        names = [*store.columns, *([] if run is None else [_CLASS])]
        yield from _csv([names], (row.values() for row in _rows(store, run)))
    elif style == "jsonl":
        yield from map(stamped, _rows(store, run))
    elif kind:
        with as_usage("--seeds "):
            yield from map(str, store.seeds_of(kind, count))
    else:
        answer = _summary(store, run)
        yield stamped(answer) if as_json else fit(rate_text(answer, columns()))


def _csv(*rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """The lines of CSV for ``rows``, given in parts."""
    writer = csv.writer(SimpleNamespace(write=str), lineterminator="")  # writerow returns the line
    return map(writer.writerow, chain.from_iterable(rows))


def _score_lines(store: Store) -> Iterator[str]:
    """The number of deals by score as lines of CSV. Raises StoreError for a store without scores."""
    found = histogram(Counts.of_store(store))
    if not found:
        raise StoreError(f"{store.name}: it has no scores; see winnable rate --score")
    return _csv([("score", "deals", "exact")], found)


def _check_tables() -> None:
    """Raise UsageError if pandas or pyarrow is not installed."""
    if not (find_spec("pandas") and find_spec("pyarrow")):
        raise click.UsageError("--parquet requires pandas and pyarrow: pip install 'winnable[dataframe]'")


def _parquet(store: Store, run: LostRun | None) -> bytes:
    """The rows of a store, with the classes of lost deals that ``run`` found, as the bytes of a Parquet
    file."""
    content, table = BytesIO(), store.to_frame()
    if run is not None:
        table[_CLASS] = [run.found.get(int(number)) for number in table[table.columns[0]]]
        table = table.astype({_CLASS: "string"})
    table.to_parquet(content)
    return content.getvalue()


def _drawing(plot: Output) -> Callable[[dict[str, Any], Store], bytes]:
    """A function that returns the picture of a summary and its store for the file ``plot``. Raises UsageError
    if matplotlib is missing, or does not support the format."""
    try:
        from ..plots import draw, format_of
    except ImportError:
        raise click.UsageError("--plot requires matplotlib: pip install 'winnable[plot]'") from None
    with as_usage(f"--plot {plot.path}: "):
        style = format_of(plot.path)

    def drawn(answer: dict[str, Any], store: Store) -> bytes:
        with as_usage(f"--plot {plot.path}: "):
            return draw(answer, store, style)

    return drawn
