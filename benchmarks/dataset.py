"""Write the verdicts of the published runs as a data set for an archive.

    python -m benchmarks.dataset DIRECTORY TARGET [--parquet]

DIRECTORY holds the stores, named as in published/runs.py. TARGET gets a file a game, compressed CSV or
Parquet (which needs pyarrow, the extra 'dataset'), a README and datacite.json.
"""

import argparse
import csv
import gzip
import hashlib
import importlib.util
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from winnable.cli import files
from winnable.rules import find_variant
from winnable.rules.deals import DEALER
from winnable.solver.batch.store import Store, StoreError

from .published.reading import made_on, opened
from .published.runs import TITLES, Run, find_run

COLUMNS: dict[str, tuple[str, str, str]] = {
    "seed": ("int64", "", "number of the deal, which the dealer makes of it"),
    "verdict": ("string", "", "`winnable`, `unwinnable`, or `undecided` within the limits of the run"),
    "moves": ("int64", "moves", "length of the line found, not of the shortest; empty where there is none"),
    "score": ("int64", "cards", "greatest score for which a line was found, in games with scores"),
    "score_bound": ("int64", "cards", "no line has a greater score; where it is `score`, that is proved"),
    "tier": ("string", "", "what `score` is worth: `none`, `win`, `double`, `triple`"),
    "expanded": ("int64", "states", "states that the search expanded: of this version, not of the deal"),
    "reason": ("string", "", "of undecided deals: the limit that ended the search"),
}
"""Types, units and meanings. What is empty does not apply."""

SCORED = ("score", "score_bound", "tier")
FORMATS = {"csv.gz": "text/csv, compressed by gzip", "parquet": "application/vnd.apache.parquet"}
_ROWS = 100_000  # held at a time

README = """\
# Which deals of some solitaire games can be won

A row is a deal, all of whose cards are known, and a file a game; the rows are in the order of the seeds.
`winnable` was decided by a line of play, replayed by the rules; `unwinnable` by a complete search that
found none.

| file | game | seeds | made by | version |
|---|---|---|---|---|
{files}

| column | type | unit | what it says |
|---|---|---|---|
{columns}

Files have the columns that apply to their game.

## To check a row

The program is `winnable`, under the MIT licence, in the version of the table. A seed is a deal of its dealer,
`{dealer}`, which the manual describes:

```sh
winnable deal {first} --seed 1    # the cards
winnable solve {first} --seed 1   # the verdict, and the moves
```

`verdict`, `score` and `tier` are true whatever program finds them; `moves` and `expanded` are those of
one version.

## Sums

```
{sums}
```
"""

Rows = Iterator[list[tuple[Any, ...]]]


def columns_of(variant: str) -> list[str]:
    """The columns of the file of a game: those that can have a value."""
    return [name for name in COLUMNS if find_variant(variant).scoring or name not in SCORED]


def write_dataset(directory: Path, target: Path, style: str = "csv.gz") -> dict[str, Any]:
    """Write the data set of the stores in ``directory`` into the folder ``target``; return the facts of each
    game. ``style`` is one of `FORMATS`; ``parquet`` needs pyarrow. Raises StoreError for stores that are not
    of the runs."""
    target.mkdir(parents=True, exist_ok=True)
    parts = {}
    for variant in TITLES:
        run = find_run(variant)
        if (directory / run.store).is_file():
            with opened(run, directory) as (store, seeds):
                if seeds:
                    parts[variant] = _write_game(run, store, seeds, directory, target / f"{variant}.{style}")
    if parts:
        files.write(str(target / "README.md"), readme(parts))
        files.write(str(target / "datacite.json"), json.dumps(metadata(parts, style), indent=1) + "\n")
    return parts


def _write_game(run: Run, store: Store, seeds: range, directory: Path, path: Path) -> dict[str, Any]:
    """Write the file of one game; return its facts."""
    names = columns_of(run.variant)
    write: Callable[[Path, list[str], Rows], int] = (
        _write_parquet if path.suffix == ".parquet" else _write_csv
    )
    count = write(path, names, _rows(store, seeds, names))
    return {
        "file": path.name,
        "rows": count,
        "columns": names,
        "bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "command": " ".join(run.command()),
        "version": store.header.version,
        "date": made_on(directory / run.store),
    }


def _rows(store: Store, seeds: range, names: list[str]) -> Rows:
    for first in range(seeds.start, seeds.stop, _ROWS):
        part = range(first, min(first + _ROWS, seeds.stop))
        yield list(store.select(", ".join(names), [part]))


def _write_csv(path: Path, names: list[str], parts: Rows) -> int:
    """Write a compressed CSV file, the same whenever it is written again; the number of rows."""
    count = 0
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        for part in parts:
            writer.writerows(part)
            count += len(part)
        text.flush()
        text.detach()
    return count


def _write_parquet(path: Path, names: list[str], parts: Rows) -> int:
    """Write a Parquet file; the number of rows."""
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([(name, COLUMNS[name][0]) for name in names])
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for part in parts:
            columns = list(zip(*part, strict=True)) if part else [()] * len(names)
            arrays = [
                pyarrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            count += len(part)
    return count


def readme(parts: dict[str, Any]) -> str:
    """The README of the data set."""
    told = (
        (f"`{part['file']}`", TITLES[name], f"1 to {part['rows']:,}", f"`{part['command']}`", part["version"])
        for name, part in parts.items()
    )
    columns = ((f"`{name}`", *about) for name, about in COLUMNS.items())
    return README.format(
        files="\n".join(f"| {' | '.join(row)} |" for row in told),
        columns="\n".join(f"| {' | '.join(row)} |" for row in columns),
        dealer=DEALER,
        first=next(iter(parts)),
        sums="\n".join(f"{part['sha256']}  {part['file']}" for part in parts.values()),
    )


def metadata(parts: dict[str, Any], style: str) -> dict[str, Any]:
    """The metadata of the data set as DataCite's schema 4 has them; the DOI is given by the archive."""
    versions = sorted({part["version"] for part in parts.values()})
    rows = sum(part["rows"] for part in parts.values())
    return {
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Verdicts of deals"},
        "creators": [{"name": "The winnable developers", "nameType": "Organizational"}],
        "titles": [{"title": "Which deals of some solitaire games can be won"}],
        "publisher": "The winnable developers",
        "publicationYear": max(part["date"] for part in parts.values())[:4],
        "language": "en",
        "subjects": [{"subject": word} for word in ("solitaire", "patience", "winnability", "card games")],
        "version": ", ".join(versions),
        "formats": [FORMATS[style]],
        "sizes": [f"{rows} rows", f"{sum(part['bytes'] for part in parts.values())} bytes"],
        "rightsList": [
            {
                "rights": "MIT License",
                "rightsIdentifier": "MIT",
                "rightsIdentifierScheme": "SPDX",
                "schemeUri": "https://spdx.org/licenses/",
            }
        ],
        "descriptions": [
            {
                "descriptionType": "Abstract",
                "description": "For each deal whether it can be won with all cards known: by a line of play "
                "that was replayed, or by a complete search. "
                f"Games: {', '.join(TITLES[name] for name in parts)}.",
            },
            {
                "descriptionType": "Methods",
                "description": "; ".join(part["command"] for part in parts.values()),
            },
        ],
        "schemaVersion": "http://datacite.org/schema/kernel-4",
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", type=Path, help="where the stores are")
    parser.add_argument("target", type=Path, help="the folder to write")
    parser.add_argument("--parquet", action="store_true", help="Parquet in place of CSV")
    options = parser.parse_args(arguments)
    if options.parquet and importlib.util.find_spec("pyarrow") is None:
        parser.error("--parquet: pyarrow is not installed; see the extra 'dataset'")
    try:
        parts = write_dataset(options.directory, options.target, "parquet" if options.parquet else "csv.gz")
    except StoreError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if not parts:
        sys.exit(f"{options.directory}: there are no stores of published runs")
    for part in parts.values():
        print(f"{options.target / part['file']}: {part['rows']:,} rows, {part['bytes']:,} bytes")


if __name__ == "__main__":
    main()
