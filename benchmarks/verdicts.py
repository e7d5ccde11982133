"""Whether a new version of the search says of each deal what an earlier one said.

    python -m benchmarks.verdicts DIRECTORY EARLIER

DIRECTORY holds the stores of the published runs, EARLIER is a checkout of the earlier version, whose tables
in seeds/ are compared with the stores deal by deal, and the sums of its results.json with those of the same
deals. Prints a table and leaves its figures as verdicts.json in DIRECTORY, for the page of results. Exit
status 1 if a verdict has turned, a proved score or a proved bound is contradicted, or sums do not fit.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path

from winnable.cli import files
from winnable.solver.batch.store import StoreError

from .published.page import table
from .published.reading import opened
from .published.runs import VARIANTS, find_run

DECIDED = ("winnable", "unwinnable")


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path, help="where the stores are")
    parser.add_argument("earlier", type=Path, help="a checkout of the earlier version")
    options = parser.parse_args(arguments)
    for folder in (options.directory, options.earlier / "seeds" / "first"):
        if not folder.is_dir():
            parser.error(f"{folder}: there is no such folder")
    try:
        data = compare(options.directory, options.earlier)
    except StoreError as error:
        sys.exit(str(error))
    files.write(str(options.directory / "verdicts.json"), json.dumps(data, indent=1) + "\n")
    print(markdown(data))
    return int(any(map(is_refuted, data["games"].values())))


def compare(directory, earlier):
    """What is told of all games whose stores are there, and that the earlier version knew."""
    results = json.loads((earlier / "benchmarks" / "results.json").read_text())
    games = {}
    for variant in VARIANTS:
        run = find_run(variant)
        if (directory / run.store).is_file() and (earlier / "seeds" / "first" / f"{variant}.csv").is_file():
            with opened(run, directory) as (store, seeds):
                games[variant] = compare_game(store, seeds, earlier / "seeds", variant, results["runs"])
    return {"version": results["made"]["winnable"], "games": games}


def compare_game(store, seeds, tables, variant, results):
    """The rows of the earlier tables beside those of ``store``, and the sums of all deals."""
    rows = {row["seed"]: row for row in earlier_rows(tables, variant) if row["seed"] in seeds}
    told = {"compared": len(rows), "decided": 0, "newly_decided": 0, "proved": 0, "newly_proved": 0}
    told["against"] = []
    tail = f"AND seed IN ({', '.join(map(str, rows))}) ORDER BY seed"
    for seed, verdict, score, bound in store.select("seed, verdict, score, score_bound", None, tail):
        row = rows[seed]
        was_proved = row["score"] is not None and row["score"] == row["score_bound"]
        told["decided"] += row["verdict"] in DECIDED and verdict == row["verdict"]
        told["newly_decided"] += row["verdict"] not in DECIDED and verdict in DECIDED
        told["proved"] += was_proved and row["score"] == score == bound
        told["newly_proved"] += row["score"] is not None and not was_proved and score == bound
        if contradicts(row, verdict, score, bound):
            told["against"].append(seed)
    return {**told, **compare_sums(store, seeds, results.get(variant))}


def earlier_rows(tables, variant):
    """What the earlier tables say of deals of a game: of the hardest, and of the first ones."""
    for line in (tables / "hardest.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["variant"] == variant:
            score = row.get("score")
            yield {"seed": row["seed"], "verdict": row["verdict"], "score": score, "score_bound": score}
    with (tables / "first" / f"{variant}.csv").open() as file:
        for row in csv.DictReader(file):
            scores = {name: int(row[name]) if row[name] else None for name in ("score", "score_bound")}
            yield {"seed": int(row["seed"]), "verdict": row["verdict"], **scores}


def contradicts(row, verdict, score, bound):
    """Whether one of two answers must be wrong."""
    is_turned = {verdict, row["verdict"]} == set(DECIDED)
    if row["score"] is None or score is None:
        return is_turned
    return is_turned or row["score"] > bound or score > row["score_bound"]


def compare_sums(store, seeds, then):
    """The sums of the earlier results, and of the same deals now; empty if they are not all there."""
    if then is None or then["deals"] not in seeds:
        return {}
    rows = store.select("verdict, COUNT(*)", [range(1, then["deals"] + 1)], "GROUP BY 1 ORDER BY 1")
    now = {**dict.fromkeys((*DECIDED, "undecided"), 0), **dict(rows)}
    return {"deals": then["deals"], "then": {name: then[name] for name in now}, "now": now}


def is_refuted(row):
    """Whether something of a game does not fit: a deal, or a sum, which may only gain what was undecided."""
    fewer = any(row["now"][name] < row["then"][name] for name in DECIDED) if "now" in row else False
    return bool(row["against"]) or fewer


def markdown(data):
    """The section of the page of results."""
    refuted = [name for name, row in data["games"].items() if is_refuted(row)]
    text = (
        f"What version {data['version']} said of the first 1,000 deals of each game and of the 20 hardest,"
        " beside what the runs of this page say (`python -m benchmarks.verdicts DIRECTORY EARLIER`), and the"
        " sums of all its deals beside those of the same deals now."
    )
    verdict = f"Contradictions: {', '.join(refuted)}." if refuted else "No verdict has turned."
    head = ["game", "deals compared", "same verdict", "decided only now", "same proved score"]
    head += ["score proved only now", "contradicted", "all deals then", "winnable", "unwinnable", "undecided"]
    return "\n\n".join([f"{text} {verdict}", table(head, map(cells, data["games"].items()))]) + "\n"


def cells(item):
    """The row of a game."""
    name, row = item
    counts = ("compared", "decided", "newly_decided", "proved", "newly_proved")
    yield from (VARIANTS[name], *(f"{row[count]:,}" for count in counts), f"{len(row['against'])}")
    yield f"{row['deals']:,}" if "deals" in row else ""
    for verdict in (*DECIDED, "undecided"):
        yield f"{row['then'][verdict]:,} then, {row['now'][verdict]:,} now" if "now" in row else ""


if __name__ == "__main__":
    sys.exit(main())
