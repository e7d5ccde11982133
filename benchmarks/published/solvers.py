"""The tables of docs/peers.md, made from benchmarks/peers.json, which `benchmarks.peers` writes."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ..figures import shown_number
from .page import table

Row = dict[str, Any]
"""A comparison with a solver in one game: the figures of both sides, ``theirs`` and ``ours``."""

FIGURES = Path(__file__).parents[1] / "peers.json"
GAMES = ("klondike", "klondike-draw-one", "klondike-one-pass", "simple-simon")
TITLES = {
    "lonelybot": "lonelybot",
    "sigoden": "sigoden/klondike",
    "sigoden-fewest": "sigoden/klondike",
    "ksolve": "KSolve",
    "klondike-solver": "Klondike-Solver",
    "pyksolve": "pyksolve",
    "fc-solve": "fc-solve",
    "kpat": "KPat",
    "solvitaire": "Solvitaire",
    "resolvitaire": "ReSolvitaire",
}
"""The names of the solvers by those of `benchmarks.peers`, in the order of the tables."""

TRAITS = ("median", "mean", "p99", "sum")
CUT_FROM = {"median": 0.5, "p99": 0.01, "mean": 0.0, "sum": 0.0}
"""The share of deals ended by the limit above which a figure of times is only a lower bound."""


def published() -> list[Row]:
    """The comparisons in benchmarks/peers.json; none if there is no such file."""
    rows: list[Row] = json.loads(FIGURES.read_text())["comparisons"] if FIGURES.exists() else []
    return rows


def as_json(rows: Iterable[Row]) -> str:
    """The comparisons as a text of JSON, each in a line."""
    lines = ",\n".join(map(json.dumps, rows))
    return f'{{"comparisons": [\n{lines}\n]}}\n'


def find(rows: Iterable[Row], game: str, peer: str, deals: int) -> Row | None:
    """The row for a game, a peer and a number of deals; None if ``rows`` has none."""
    for row in rows:
        if (row["game"], row["peer"], row["deals"]) == (game, peer, deals):
            return row
    return None


def merged(rows: Iterable[Row], new: Row) -> list[Row]:
    """``rows`` with ``new`` in place of that of the same game and peer, in the order of the tables."""
    others = [row for row in rows if (row["game"], row["peer"]) != (new["game"], new["peer"])]
    return sorted([*others, new], key=lambda row: (GAMES.index(row["game"]), [*TITLES].index(row["peer"])))


def verdicts(rows: Iterable[Row]) -> str:
    """The table of the solvers that decide deals; times in milliseconds, sums in seconds."""
    head = ["game", "deals", "program", "decides", "leaves open: won, lost", "median, ms", "mean, ms"]
    head += ["99 %, ms", "sum, s", "ratio: median; mean", "MB"]
    return _table(head, [row for row in rows if not row["fewest"]], 1000, _decided)


def fewest(rows: Iterable[Row]) -> str:
    """The table of the solvers that look for fewest moves, beside our search for them; times in seconds."""
    head = ["game", "deals", "program", "proves", "lengths: refuted", "median, s", "mean, s", "99 %, s"]
    head += ["sum, s", "ratio: median; mean", "MB"]
    return _table(head, [row for row in rows if row["fewest"]], 1, _proved)


def _table(
    head: Sequence[str], rows: Iterable[Row], per_second: int, counts: Callable[[Row], list[str]]
) -> str:
    lines = [
        [row["game"], f"{row['deals']:,}", TITLES[row["peer"]], *counts(row)]
        + [_times(row, trait, 1 if trait == "sum" else per_second) for trait in TRAITS]
        + [_ratios(row), _pair(row, lambda side: f"{side['megabytes']:.0f}" if "megabytes" in side else "-")]
        for row in rows
    ]
    return table(head, lines) if lines else ""


def _decided(row: Row) -> list[str]:
    if not row["claims"]:
        return ["another game", ""]
    won, lost = row["open"]
    return [_pair(row, lambda side: f"{side['decided']:,}"), f"{won:,} + {lost:,}"]


def _proved(row: Row) -> list[str]:
    refuted = f"{row['lengths']}: {len(row['contradictions']) or 'none'}"
    return [_pair(row, lambda side: f"{side['decided']:,}"), refuted]


def _pair(row: Row, text: Callable[[Row], str]) -> str:
    return f"{text(row['theirs'])} / {text(row['ours'])}"


def _times(row: Row, trait: str, per_second: int) -> str:
    def text(side: Row) -> str:
        if trait not in side:
            return "-"
        return _at_least(row, side, trait) + shown_number(per_second * side[trait])

    return _pair(row, text)


def _at_least(row: Row, side: Row, trait: str) -> str:
    cut = row["deals"] - side["decided"] if row["fewest"] else side["undecided"]
    return "≥ " if cut > CUT_FROM[trait] * row["deals"] else ""


def _ratios(row: Row) -> str:
    if row["ratio"] is None:
        return "-"
    of_means = row["theirs"]["mean"] / row["ours"]["mean"]
    mark = _at_least(row, row["theirs"], "mean")
    return f"{shown_number(row['ratio'])}; {mark}{shown_number(of_means)}"


def called_lost(rows: Iterable[Row]) -> str:
    """The table of the deals that solvers give up or call lost, but that can be won."""
    head = ["program", "game", "deals, all winnable"]
    lines = [
        [TITLES[row["peer"]], row["game"], f"`{_field(row)}` {', '.join(map(str, row['called_lost']))}"]
        for row in rows
        if row["claims"] and row["called_lost"] and row["game"] == "simple-simon"
    ]
    return table(head, lines) if lines else ""


def _field(row: Row) -> str:
    return "KPat:" if row["peer"] == "kpat" else "--seed"


def circumstances(rows: Iterable[Row]) -> str:
    """When, where and with which version each row was measured."""
    runs: dict[str, list[str]] = {}
    for row in rows:
        machine = f"{row['processor']}, {row['processors']} processors"
        run = f"{row['made']} on {machine}, winnable {row['version']}"
        titles = runs.setdefault(run, [])
        if TITLES[row["peer"]] not in titles:
            titles.append(TITLES[row["peer"]])
    return "\n".join(f"- {', '.join(titles)}: {run}" for run, titles in runs.items())


def contradictions(rows: Iterable[Row]) -> str:
    """The list of the contradictions between solvers and winnable."""
    return "\n".join(
        f"- {row['game']}, {TITLES[row['peer']]}: deal {seed}: {why}"
        for row in rows
        for seed, why in row["contradictions"].items()
    )


def text_of(rows: Sequence[Row]) -> str:
    """All tables and lists for ``rows``."""
    parts = (verdicts, fewest, contradictions, called_lost, circumstances)
    return "\n\n".join(filter(None, (part(rows) for part in parts))) + "\n"


QUOTES: dict[str, Callable[[Sequence[Row]], str]] = {
    "solvers": verdicts,
    "solvers for fewest moves": fewest,
    "solvers that give up": called_lost,
    "when solvers were measured": circumstances,
}
"""The parts of docs/peers.md that are made from rows, by name."""
