"""Write the tables of seeds/ from the stores of the published runs.

    python -m benchmarks.seed_tables DIRECTORY

DIRECTORY holds the stores, named as in published/runs.py. Writes seeds/first/NAME.csv, the first 1,000 seeds
of each game and of the other reading of Joker Solitaire, where they exist, and seeds/hardest.jsonl, the deals
that took the most states.
"""

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

from winnable.cli import files
from winnable.rules import find_variant
from winnable.rules.formats.json_deals import deal_object
from winnable.solver.batch.store import StoreError

from .published.reading import is_there, opened
from .published.runs import READINGS, VARIANTS, find_run

TABLES = tuple(dict.fromkeys([*VARIANTS, *READINGS]))
"""The names of the runs that have tables."""

FIRST = 1000
HARDEST = 20
COLUMNS = (
    *("seed", "verdict", "score", "score_bound", "tier"),
    *("moves", "best", "lower_bound", "expanded"),
)
"""The columns of a table of first seeds; seeds/README.md says what they mean."""

_PLAIN = "seed, verdict, score, score_bound, tier, moves, expanded"
_SHORT = "seed, tier, moves, lower_bound"


def write_first(directory: Path, variant: str, target: Path) -> bool:
    """Write the answers for the first seeds of the run ``variant`` to the file ``target``. Shorter lines,
    greater bounds and proved scores in the present file are kept. Returns False if the plain run does not
    have all these seeds."""
    rows = first_rows(directory, variant)
    if len(rows) < FIRST:
        return False
    if target.is_file():
        with target.open() as file:
            for row, earlier in zip(rows, csv.DictReader(file), strict=True):
                keep_best(row, earlier)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([row[name] for name in COLUMNS] for row in rows)
    files.write(str(target), text.getvalue())
    return True


def first_rows(directory: Path, variant: str) -> list[dict[str, Any]]:
    """The first deals of the plain run, with the lengths from the run for shortest lines. That run may have
    reached only a lower tier; then its line says nothing about lines to the better one, and is not used."""
    if not is_there(variant, directory):
        return []
    with opened(find_run(variant), directory) as (store, seeds):
        names = _PLAIN.split(", ")
        rows = [dict(zip(names, row, strict=True)) for row in store.select(_PLAIN, [seeds[:FIRST]])]
    lengths: dict[int, tuple[Any, ...]] = {}
    if is_there(name := f"{variant}-shortest", directory):
        with opened(find_run(name), directory) as (store, seeds):
            condition = "AND verdict = 'winnable' ORDER BY seed"
            lengths = {row[0]: row[1:] for row in store.select(_SHORT, [seeds[:FIRST]], condition)}
    for row in rows:
        tier, best, bound = lengths.get(row["seed"], (None, None, None))
        if best is not None and row["verdict"] == "unwinnable":
            where = f"{directory}: seed {row['seed']} of {variant}"
            raise StoreError(f"{where}: the run for shortest lines won what the plain run proved lost")
        is_same = best is not None and tier == row["tier"] and row["moves"] is not None
        row["best"], row["lower_bound"] = (min(best, row["moves"]), bound) if is_same else (None, None)
    return rows


def keep_best(row: dict[str, Any], earlier: dict[str, str]) -> None:
    """Keep the row of an ``earlier`` table whose score is proved if that of ``row`` is not. Merge its lengths
    into ``row``, if they are of lines to the same tier."""
    if row["score"] != row["score_bound"] and earlier["score"] == earlier["score_bound"]:
        row.update(earlier)
        return
    if (
        earlier["best"]
        and earlier["lower_bound"]
        and earlier["tier"] == (row["tier"] or "")
        and row["verdict"] == earlier["verdict"]
    ):
        best, bound = int(earlier["best"]), int(earlier["lower_bound"])
        row["best"] = min(best, row["best"] or best, row["moves"])
        row["lower_bound"] = max(bound, row["lower_bound"] or 0)


def hardest_rows(directory: Path, variant: str) -> list[dict[str, Any]]:
    """The deals of the plain run that took the most states, in descending order, as JSON objects."""
    if not is_there(variant, directory):
        return []
    run = find_run(variant)
    game = find_variant(run.variant)
    with opened(run, directory) as (store, seeds):
        tail = f"ORDER BY expanded DESC, seed LIMIT {HARDEST}"
        found = list(store.select("seed, verdict, score, score_bound, tier, expanded", [seeds], tail))
    rows = []
    for seed, verdict, score, bound, tier, expanded in found:
        row = {**deal_object(game, game.deal(seed, choices=dict(run.choices)), seed), "verdict": verdict}
        if score is not None and score == bound:
            row |= {"score": score, "tier": tier}
        rows.append(row | {"note": f"{expanded} states expanded, of {len(seeds)} deals"})
    return rows


def table_of(row: dict[str, Any]) -> str:
    """The name of the run that an entry of hardest.jsonl belongs to."""
    for name in reversed(TABLES):
        run = find_run(name)
        if {"game": run.variant, **dict(run.choices)}.items() <= row.items():
            return name
    raise KeyError(row["game"])


def write_all(directory: Path, target: Path) -> list[str]:
    """Write all tables whose stores exist into the folder ``target``; return the names of the tables
    written."""
    (target / "first").mkdir(exist_ok=True)
    written = []
    for name in TABLES:
        path = target / "first" / f"{name}.csv"
        if write_first(directory, name, path):
            written.append(str(path.relative_to(target)))
    path = target / "hardest.jsonl"
    earlier = [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []
    found = {name: hardest_rows(directory, name) for name in TABLES}
    if any(found.values()):
        kept = {name: [row for row in earlier if table_of(row) == name] for name in TABLES}
        lines = [json.dumps(row) for name in TABLES for row in found[name] or kept[name]]
        files.write(str(path), "\n".join(lines) + "\n")
        written.append("hardest.jsonl")
    return written


def main(arguments):
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.exit("usage: python -m benchmarks.seed_tables DIRECTORY, the folder of the stores")
    try:
        written = write_all(Path(arguments[0]), Path(__file__).parents[1] / "seeds")
    except StoreError as error:
        sys.exit(str(error))
    if not written:
        sys.exit(f"{arguments[0]}: there are no stores of published runs")
    print("\n".join(written))


if __name__ == "__main__":
    main(sys.argv[1:])
