"""The command ``winnable bench``: speed and signature of the searches."""

from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

import click

from ...rules.cards import shown
from ...solver.batch.bench import SIGNATURE, Row, run, signature
from ...solver.engine import what_is_missing
from ..arguments import NameType
from ..console import complain, say, stamped, tell
from ..files import Output
from ..main import BAD_INPUT, UNDECIDED, Interrupted
from ..options import check_not_given, json_option
from ..terminal import USUAL, fit, table

_HEADS = ("search", "deals", "winnable", "unwinnable", "undecided", "nodes", "work", "cpu ms", "nodes/s")


@click.command("bench")
@click.option("--check", is_flag=True, help="Compare with the signature file.")
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
    """Measure the searches: deal, decide and replay seeds 1-300 of every game that has a compiled engine.

    Rows with a suffix, such as -shortest, measure other searches, mostly on few deals: for shortest and for
    shorter lines, certificates of lost deals and of numbers of moves, most cards up, players, and the
    reference engine.

    What a search does depends neither on the machine nor on the time: the states expanded and generated, the
    work and the lengths and bounds found are its signature. Times are processor time, of verdicts the median
    of several rounds.

    \b
    Examples:
      winnable bench
      winnable bench --check

    Exit status: 0 done, 2 the signature differs, or bad usage or input, 3 interrupted after some games.
    """
    if not (check or write):
        check_not_given(("path",), "requires --check or --write")
    if check and write:
        raise click.UsageError("expected --check or --write, got both")
    file = _signature_file(path) if write else None
    expected = _read(path) if check else None
    lacking = what_is_missing()
    rows: list[Row] = []
    is_interrupted = False
    try:
        rows.extend(run())
    except KeyboardInterrupt:
        is_interrupted = True
    if not rows and is_interrupted:
        raise Interrupted("interrupted")
    if not rows:
        raise click.UsageError(f"nothing to measure: {lacking}")
    if lacking:
        complain(lacking)
    with file or nullcontext():
        if file is not None and not is_interrupted:
            file.write(signature(rows))
        answer = {"rows": [_object(row) for row in rows]}
        say(stamped(answer, indent=2) if as_json else _table(rows), is_plain=True)
    if is_interrupted:
        complain("interrupted")
        return UNDECIDED
    if expected is not None and expected != signature(rows):
        tell(f"winnable: {path}: the signature differs:\n{_difference(expected, rows)}")
        return BAD_INPUT
    return 0


def _signature_file(path: str) -> Output:
    """The signature file as output file. Raises UsageError if a file of this name has other content."""
    file = Output("--file", path)
    if Path(path).is_file() and (there := _read(path)) and not there.startswith(SIGNATURE):
        raise click.UsageError(f"--file {path}: expected a signature file to overwrite, got another file")
    return file


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="replace")


def _object(row: Row) -> dict[str, object]:
    speeds = {
        "nodes_per_second": round(row.nodes_per_second),
        "deals_per_second": round(row.deals_per_second),
    }
    return {"game": row.variant} | {k: v for k, v in asdict(row).items() if k != "variant"} | speeds


def _table(rows: list[Row]) -> str:
    cells = []
    for row in rows:
        counts = (str(getattr(row, name)) for name in _HEADS[1:5])
        times = (f"{1000 * row.cpu_seconds:.1f}", f"{row.nodes_per_second:,.0f}")
        cells.append((row.variant, *counts, f"{row.expanded:,}", f"{row.work:,}", *times))
    return "\n".join([*table(_HEADS, cells), fit("dealing and replays included")])


def _difference(expected: str, rows: list[Row]) -> str:
    there, here = expected.splitlines(), signature(rows).splitlines()
    gone = [f"- {_printable(line)}" for line in there if line not in here]
    return "\n".join(gone + [f"+ {line}" for line in here if line not in there])


def _printable(line: str) -> str:
    return line if line.isprintable() and len(line) < USUAL else shown(line)
