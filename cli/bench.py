"""``winnable bench``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from ..solver.benchmark import DEALS, Row, run, signature
from .arguments import NameType
from .main import BAD_INPUT
from .options import check_not_given, json_option

_COLUMNS = "{:<24} {:>8} {:>10} {:>9} {:>12} {:>9} {:>13} {:>11}"


@click.command("bench")
@click.option("--check", is_flag=True, help="Compare the nodes expanded with the signature file.")
@click.option("--write", is_flag=True, help="Write the signature file.")
@click.option(
    "--file",
    "path",
    type=NameType(),
    default="benchmarks/signature.txt",
    show_default=True,
    metavar="FILE",
    help="The signature file.",
)
@json_option
def command(check: bool, write: bool, path: str, as_json: bool) -> int:
    """Measure the search: deal, decide and replay seeds 1-300 of every game that has a compiled engine.

    The rows called -shortest are those of the search for shortest lines, which the verdict is a part of.

    The nodes expanded never depend on the machine; they are the signature of the searches. Times are
    processor times, the median of several rounds.

    \b
    Examples:
      winnable bench
      winnable bench --check

    Exit status: 0 done, 2 the signature differs, or bad usage or input.
    """
    if not (check or write):
        check_not_given(("path",), "it belongs to --check and --write")
    expected = Path(path).read_text(encoding="utf-8") if check else None
    rows = list(run())
    if not rows:
        raise click.UsageError("no compiled engine is installed, so there is nothing to measure")
    click.echo(json.dumps([_object(row) for row in rows], indent=2) if as_json else _table(rows))
    if write:
        Path(path).write_text(signature(rows), encoding="utf-8")
    if expected is not None and expected != signature(rows):
        click.echo(f"winnable: {path}: the signature differs:\n{_difference(expected, rows)}", err=True)
        return BAD_INPUT
    return 0


def _object(row: Row) -> dict[str, object]:
    speeds = {
        "nodes_per_second": round(row.nodes_per_second),
        "deals_per_second": round(row.deals_per_second),
    }
    return asdict(row) | speeds


def _table(rows: list[Row]) -> str:
    head = _COLUMNS.format(
        "variant", "winnable", "unwinnable", "undecided", "nodes", "cpu ms", "nodes/s", "deals/s"
    )
    lines = [
        _COLUMNS.format(
            row.variant,
            row.winnable,
            row.unwinnable,
            row.undecided,
            f"{row.expanded:,}",
            f"{1000 * row.cpu_seconds:.1f}",
            f"{row.nodes_per_second:,.0f}",
            f"{row.deals_per_second:,.0f}",
        )
        for row in rows
    ]
    return "\n".join([head, *lines, f"{DEALS} deals each, dealing and replays included"])


def _difference(expected: str, rows: list[Row]) -> str:
    there, here = expected.splitlines(), signature(rows).splitlines()
    gone = [f"- {line}" for line in there if line not in here]
    return "\n".join(gone + [f"+ {line}" for line in here if line not in there])
