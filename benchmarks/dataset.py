"""Write the verdicts of the published runs as a data set for an archive.

    python -m benchmarks.dataset DIRECTORY TARGET [--certificates FOLDER]

DIRECTORY holds the stores, named as in published/runs.py. TARGET gets a file of each run that decides deals
or shortens lines, compressed CSV, a README, and datacite.json, which must be valid by the schema of
DataCite. FOLDER holds certificates made by `benchmarks.certificates`: the first 1,000 of each game, by
seed, are packed into GAME-certificates.tar. Needs the extra 'dataset'.
"""

import argparse
import csv
import gzip
import hashlib
import importlib.util
import io
import json
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from winnable.cli import files
from winnable.rules import VARIANTS as GAMES
from winnable.rules import find_variant
from winnable.rules.deals import DEALER
from winnable.solver.batch.store import Store, StoreError

from .published.reading import made_on, opened
from .published.runs import RUNS, TITLES, Run

COLUMNS: dict[str, tuple[str, str, str]] = {
    "seed": ("int64", "", "number of the deal, which the dealer makes of it"),
    "verdict": ("string", "", "`winnable`, `unwinnable`, or `undecided` within the limits of the run"),
    "moves": ("int64", "moves", "length of the line found; empty where there is none"),
    "shortest": ("int64", "", "1 where `moves` is proved to be the fewest, else 0"),
    "lower_bound": ("int64", "moves", "no winning line (where there are tiers: to `tier`) has fewer moves"),
    "score": ("int64", "cards", "greatest score for which a line was found, in games with scores"),
    "score_bound": ("int64", "cards", "no line has a greater score; where it is `score`, that is proved"),
    "tier": ("string", "", "what `score` is worth: `none`, `win`, `double`, `triple`"),
    "expanded": ("int64", "states", "states that the search expanded: of this version, not of the deal"),
    "generated": ("int64", "states", "states that it generated: likewise"),
    "reason": ("string", "", "of undecided deals: the limit that ended the search"),
}
"""Types, units and meanings. What is empty does not apply."""

SCORED = ("score", "score_bound", "tier")
LENGTHS = ("shortest", "lower_bound")
CERTIFICATES = 1000  # of a game, at most
FORMAT = "text/csv, compressed by gzip"
_ROWS = 100_000  # held at a time

README = """\
# Which deals of some solitaire games can be won, and in how few moves

A row is a deal, all of whose cards are known, and a file a game; the rows are in the order of the seeds.
`winnable` was decided by a line of play, replayed by the rules; `unwinnable` by a complete search that
found none. A file called `-shortest` has short lines, and bounds on the moves that win.

| file | game | seeds | made by | version |
|---|---|---|---|---|
{files}
{archives}
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

A verdict other than `undecided` is true whatever program finds it, as are `score` and `tier` where
`score_bound` is `score`, and `moves` where `shortest` is 1; the rest is that of one version.

## Sums

```
{sums}
```
"""

ARCHIVES = """
Certificates are proofs that others can check, of the first deals by seed that are unwinnable, or whose
greatest score is proved and below that of the best tier: `winnable check SEED.gz`, or with the checker in C.

| file | certificates | seeds |
|---|---|---|
{files}
"""


def columns_of(run: Run) -> list[str]:
    """The columns of the file of a run: those that can have a value."""
    without = () if find_variant(run.variant).scoring else SCORED
    return [name for name in COLUMNS if name not in without + (() if run.shortest else LENGTHS)]


def write_dataset(directory: Path, target: Path, certificates: Path | None = None) -> dict[str, Any]:
    """Write the data set of the stores in ``directory``, and of the folder ``certificates``, into the folder
    ``target``; return the facts of each file. Raises StoreError for stores that are not of the runs,
    ValueError if the metadata are not valid by the schema of DataCite."""
    target.mkdir(parents=True, exist_ok=True)
    parts = {}
    for run in RUNS:
        if run.player is None and (directory / run.store).is_file():
            with opened(run, directory) as (store, seeds):
                if seeds:
                    parts[run.name] = _write_run(run, store, seeds, directory, target / f"{run.name}.csv.gz")
    if parts:
        archives = [] if certificates is None else _pack_all(certificates, target)
        files.write(str(target / "README.md"), readme(parts, archives))
        described = metadata(parts, archives)
        files.write(str(target / "datacite.json"), json.dumps(described, indent=1) + "\n")
        from datacite import schema45

        for error in schema45.validator.iter_errors(described):
            raise ValueError(f"datacite.json: {error.json_path}: {error.message}")
    return parts


def _write_run(run: Run, store: Store, seeds: range, directory: Path, path: Path) -> dict[str, Any]:
    """Write the file of a run; return its facts."""
    names = columns_of(run)
    count = _write_csv(path, names, store, seeds)
    return {
        **facts(path),
        "variant": run.variant,
        "title": TITLES[run.name.removesuffix("-shortest")] + (", short lines" if run.shortest else ""),
        "rows": count,
        "columns": names,
        "command": " ".join(run.command()),
        "version": ", ".join(store.versions([seeds])),
        "date": made_on(directory / run.store),
    }


def facts(path: Path) -> dict[str, Any]:
    """Name, size and sum of a file."""
    content = path.read_bytes()
    return {"file": path.name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _pack_all(folder: Path, target: Path) -> list[dict[str, Any]]:
    """Pack the first certificates of each game in ``folder``; the facts of each archive."""
    packed = []
    for game in GAMES:
        found = {
            int(path.name.split(".")[0].rpartition("-")[2]): path for path in folder.glob(f"{game}-[0-9]*.gz")
        }
        if seeds := sorted(found)[:CERTIFICATES]:
            path = target / f"{game}-certificates.tar"
            with tarfile.open(path, "w") as archive:
                for seed in seeds:
                    content = found[seed].read_bytes()
                    member = tarfile.TarInfo(f"{seed}.gz")  # without owner and time: it is always the same
                    member.size = len(content)
                    archive.addfile(member, io.BytesIO(content))
            packed.append({**facts(path), "certificates": len(seeds), "seeds": f"{seeds[0]} to {seeds[-1]}"})
    return packed


def _write_csv(path: Path, names: list[str], store: Store, seeds: range) -> int:
    """Write a compressed CSV file, the same whenever it is written again; the number of rows."""
    count = 0
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        for first in range(seeds.start, seeds.stop, _ROWS):
            rows = list(store.select(", ".join(names), [range(first, min(first + _ROWS, seeds.stop))]))
            writer.writerows(rows)
            count += len(rows)
        text.flush()
        text.detach()
    return count


def readme(parts: dict[str, Any], archives: list[dict[str, Any]]) -> str:
    """The README of the data set."""
    runs = (
        (f"`{run['file']}`", run["title"], f"1 to {run['rows']:,}", f"`{run['command']}`", run["version"])
        for run in parts.values()
    )
    packed = ((f"`{part['file']}`", f"{part['certificates']:,}", part["seeds"]) for part in archives)
    columns = ((f"`{name}`", *about) for name, about in COLUMNS.items())
    return README.format(
        files=_lines(runs),
        archives=ARCHIVES.format(files=_lines(packed)) if archives else "",
        columns=_lines(columns),
        dealer=DEALER,
        first=next(iter(parts.values()))["variant"],
        sums="\n".join(f"{part['sha256']}  {part['file']}" for part in [*parts.values(), *archives]),
    )


def _lines(rows: Iterable[Iterable[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def metadata(parts: dict[str, Any], archives: list[dict[str, Any]]) -> dict[str, Any]:
    """The metadata of the data set as DataCite's schema 4 has them; the DOI is given by the archive."""
    versions = sorted({version for part in parts.values() for version in part["version"].split(", ")})
    rows = sum(part["rows"] for part in parts.values())
    size = sum(part["bytes"] for part in [*parts.values(), *archives])
    titles = dict.fromkeys(part["title"] for part in parts.values())
    return {
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Verdicts of deals"},
        "creators": [{"name": "The winnable developers", "nameType": "Organizational"}],
        "titles": [{"title": "Which deals of some solitaire games can be won"}],
        "publisher": {"name": "The winnable developers"},
        "publicationYear": max(part["date"] for part in parts.values())[:4],
        "language": "en",
        "subjects": [{"subject": word} for word in ("solitaire", "patience", "winnability", "card games")],
        "version": ", ".join(versions),
        "formats": [FORMAT, *(["application/x-tar"] if archives else [])],
        "sizes": [f"{rows} rows", f"{size} bytes"],
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
                f"Games: {', '.join(titles)}.",
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
    parser.add_argument("--certificates", type=Path, metavar="FOLDER", help="pack those of FOLDER, too")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("datacite") is None:
        parser.error("datacite is not installed; see the extra 'dataset'")
    try:
        parts = write_dataset(options.directory, options.target, options.certificates)
    except (StoreError, ValueError) as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if not parts:
        sys.exit(f"{options.directory}: there are no stores of published runs")
    for part in parts.values():
        print(f"{options.target / part['file']}: {part['rows']:,} rows, {part['bytes']:,} bytes")


if __name__ == "__main__":
    main()
