"""Growth of the work with ranks, columns and workers, and of undecided deals with a limit on memory.

    python -m benchmarks.growth [--part PART]... [--json FILE] [--figure FILE]

Short decks leave out the highest ranks; all else of a game stays. States are those whose successors were
produced. CPU time is that of a search with packing and making the line, all in one process; of easy deals
much of it is the interpreter's share. A search ends at so many states or megabytes, so that means and the
greatest figures are lower bounds where deals are undecided. A point takes as many seeds from 1 on as fit into
its time. With --part only some parts are measured, and FILE keeps what else it has.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from winnable.rules import VARIANTS, Variant
from winnable.solver import Limits
from winnable.solver.core.record import UNDECIDED

from .figures import (
    INTERRUPTED,
    ask_winnable,
    check_writable,
    circumstances,
    decide_seed,
    fail,
    kernel_of,
    milliseconds,
    parser,
    percentiles,
    positive,
    shown_number,
    write_json,
)

LIMITS = Limits(nodes=300_000, megabytes=400)
RANKS = range(5, 14)
COLUMNS = {
    "chessboard": (10, range(6, 11)), "fortress": (10, range(6, 11)), "simon-jester": (10, range(8, 15)),
    "simple-simon": (10, range(6, 11)), "joker": (10, range(4, 8)), "klondike-one-pass": (10, range(4, 8)),
}  # fmt: skip
"""The ranks of the short decks that are dealt in other numbers of columns, and those numbers."""

MEGABYTES = (1, 2, 5, 10, 20, 50, 100, 200)
MEMORY = ("joker", "klondike-one-pass", "simon-jester", "simon-jester-triangular")
WORKERS = {"chessboard": 20_000, "simple-simon": 3_000, "klondike-one-pass": 400}
"""Deals of each run with 1 or 2 workers."""

OPEN = 0.01  # share of undecided deals from which on a point is no part of a fit


def main(arguments: Sequence[str] | None = None) -> int:
    words = parser(__doc__)
    words.add_argument("--part", action="append", choices=list(PARTS), help="by default all")
    words.add_argument("--variant", action="append", choices=list(VARIANTS), help="by default all")
    words.add_argument("--ranks", type=positive, nargs="+", default=RANKS, choices=range(1, 14), metavar="N")
    words.add_argument("--deals", type=positive, default=1000, help="at most, of a point")
    words.add_argument("--seconds", type=positive, default=6, help="processor time of a point, about")
    words.add_argument("--figure", metavar="FILE", help="draw them too, as PNG")
    options = words.parse_args(arguments)
    data = _read(options.json) | {"benchmark": "growth", **circumstances()}
    for path in (options.json, options.figure):
        check_writable(path)
    names = options.variant or list(VARIANTS)
    status = 0
    try:
        for part in options.part or PARTS:
            data[part] = []
            for point in PARTS[part](names, options):
                data[part].append(point)
                print(f"{part}: {_told(point)}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; what is done is kept", file=sys.stderr)
        status = INTERRUPTED
    write_json(options.json, data)
    if options.figure:
        figure(data, options.figure)
    print(markdown(data))
    return status


def _read(path: str | None) -> dict[str, Any]:
    """The figures that are there already."""
    if path is None or not Path(path).is_file() or not Path(path).stat().st_size:
        return {}
    try:
        data: dict[str, Any] = json.loads(Path(path).read_text())
        if data["benchmark"] != "growth":
            raise ValueError
    except (ValueError, KeyError, TypeError):
        fail(f"{path}: these are no figures of this program")
    return data


def _told(point: dict[str, Any]) -> str:
    names = ("variant", "ranks", "columns", "workers", "deals", "undecided", "deals_per_second")
    return ", ".join(f"{name} {point[name]}" for name in names if name in point)


# --- Ranks and columns ----------------------------------------------------------------------------------


def _measure_ranks(names: Sequence[str], options: Any) -> Iterator[dict[str, Any]]:
    for name in names:
        for ranks in options.ranks:
            yield {"variant": name, "ranks": ranks} | _point(VARIANTS[name], ranks, None, options)


def _measure_columns(names: Sequence[str], options: Any) -> Iterator[dict[str, Any]]:
    for name in names:
        ranks, counts = COLUMNS.get(name, (0, range(0)))
        for count in counts:
            sizes = column_sizes(VARIANTS[name], ranks, count)
            yield {"variant": name, "ranks": ranks, "columns": count} | _point(
                VARIANTS[name], ranks, sizes, options
            )


def column_sizes(variant: Variant, ranks: int, count: int) -> tuple[int, ...]:
    """The sizes of ``count`` columns of a short deck: the usual ones where there is a stock, elsewhere as
    even as can be."""
    if sum(variant.sizes) < len(variant.deck().cards()):
        return variant.sizes[:count]
    cards = len(variant.deck(ranks).cards())
    return tuple((cards + count - 1 - i) // count for i in range(count))


def _point(variant: Variant, ranks: int, sizes: tuple[int, ...] | None, options: Any) -> dict[str, Any]:
    """States and times of the first seeds of a short deck, in ``sizes`` if they are not the usual ones."""
    kernel = kernel_of(variant, LIMITS)
    kernel.solve(variant.deal(0, ranks=ranks, sizes=sizes))  # the first search also pays for the memory
    states: list[int] = []
    times: list[float] = []
    undecided = 0
    while len(states) < options.deals and sum(times) < options.seconds:
        state = variant.deal(len(states) + 1, ranks=ranks, sizes=sizes)
        began = time.thread_time()
        kernel.solve(state)
        times.append(time.thread_time() - began)
        if kernel.was_stopped:
            raise KeyboardInterrupt
        states.append(kernel.expanded)
        undecided += kernel.limit_met is not None
    return {
        "deals": len(states),
        "undecided": undecided,
        "states": percentiles(states),
        "milliseconds": milliseconds(times),
    }


# --- Memory and workers ---------------------------------------------------------------------------------


def _measure_memory(names: Sequence[str], options: Any) -> Iterator[dict[str, Any]]:
    for name in names:
        if name in MEMORY:
            yield {"variant": name} | _memory(VARIANTS[name], options)


def _memory(variant: Variant, options: Any) -> dict[str, Any]:
    """The deals that stay undecided, and those with an unproved greatest score, at each limit."""
    undecided, unproved = [0] * len(MEGABYTES), [0] * len(MEGABYTES)
    deals, began = 0, time.process_time()
    while deals < options.deals and time.process_time() - began < 4 * options.seconds:
        deals += 1
        for i, megabytes in enumerate(MEGABYTES):
            kernel = kernel_of(variant, Limits(megabytes=megabytes))  # new: none of its memory is taken
            record = decide_seed(kernel, variant, deals)
            if not record["reason"]:
                break  # nor does it need more of a greater limit
            undecided[i] += int(record["verdict"] == UNDECIDED)
            unproved[i] += 1
    return {"deals": deals, "megabytes": list(MEGABYTES), "undecided": undecided, "unproved": unproved}


def _measure_workers(names: Sequence[str], options: Any) -> Iterator[dict[str, Any]]:
    """`winnable rate` with 1, 2, 2 and 1 workers, so that a change of the machine's load hits both alike."""
    for name in names:
        deals = min(WORKERS.get(name, 0), 20 * options.deals)
        for workers in (1, 2, 2, 1) if deals else ():
            answer, _ = ask_winnable("rate", name, "--deals", f"1-{deals}", "--workers", str(workers))
            keys = ("workers", "deals", "seconds", "cpu_seconds", "deals_per_second")
            yield {"variant": name} | {key: answer[key] for key in keys}


PARTS: dict[str, Callable[[Sequence[str], Any], Iterator[dict[str, Any]]]] = {
    "ranks": _measure_ranks,
    "columns": _measure_columns,
    "memory": _measure_memory,
    "workers": _measure_workers,
}


# --- Tables ---------------------------------------------------------------------------------------------


def growth_factor(points: Sequence[dict[str, Any]], name: str) -> float | None:
    """By how much the ``name`` (median, mean, ...) of states grows with each rank: a straight line through
    its logarithms, where at most `OPEN` of the deals are undecided. None for fewer than three such points."""
    used = [point for point in points if not is_open(point)]
    if len(used) < 3:
        return None
    slope, _ = np.polyfit([p["ranks"] for p in used], np.log([max(1, p["states"][name]) for p in used]), 1)
    return float(np.exp(slope))


def markdown(data: dict[str, Any]) -> str:
    """The figures as tables, each with what is seen in it; the argument is what `--json` writes."""
    sections = {
        "ranks": _ranks_text,
        "columns": _columns_text,
        "memory": _memory_text,
        "workers": _workers_text,
    }
    lines = [line for part, text in sections.items() if data.get(part) for line in text(data[part])]
    return "\n".join(lines).rstrip() + "\n"


def by_variant(points: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {name: part for name in VARIANTS if (part := [p for p in points if p["variant"] == name])}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)] + [""]


def _states(point: dict[str, Any] | None) -> str:
    """The median of states; with the share of deals that are undecided, if there are such."""
    if point is None:
        return "-"
    median = shown_number(point["states"]["median"])
    if not point["undecided"]:
        return median
    least = "at least " if 2 * point["undecided"] >= point["deals"] else ""
    return f"{least}{median} ({point['undecided'] / point['deals']:.1%} open)"


def _ranks_text(points: list[dict[str, Any]]) -> list[str]:
    ranks = sorted({point["ranks"] for point in points})
    games = by_variant(points)
    rows, times = [], []
    for name, part in games.items():
        at = {point["ranks"]: point for point in part}
        factors = [growth_factor(part, mark) for mark in ("median", "mean")]
        told = ["-" if factor is None else f"{factor:.2f}" for factor in factors]
        rows.append([name, *(_states(at.get(number)) for number in ranks), *told])
        last, took = part[-1], part[-1]["milliseconds"]
        marks = [shown_number(took[mark]) for mark in ("median", "mean", "p90", "max")]
        states = [shown_number(last["states"][mark]) for mark in ("mean", "p90", "max")]
        open_deals = f"{last['undecided']} of {last['deals']}"
        times.append([name, str(last["ranks"]), *marks, *states, open_deals])
    head = [
        "median of states",
        *(f"{number} ranks" for number in ranks),
        "factor a rank",
        "factor of the mean",
    ]
    marks = ["CPU ms: median", "mean", "90 %", "most", "states: mean", "90 %", "most", "undecided"]
    return [
        _seen_in_ranks(games),
        "",
        *_table(head, rows),
        "The deepest decks, in detail:",
        "",
        *_table(["variant", "ranks", *marks], times),
    ]


def _seen_in_ranks(games: dict[str, list[dict[str, Any]]]) -> str:
    fits = {name: growth_factor(part, "median") for name, part in games.items()}
    known = {name: factor for name, factor in fits.items() if factor is not None}
    text = f"At most {LIMITS.nodes:,} states and {LIMITS.megabytes} MB a deal. "
    if known:
        least, most = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
        text += (
            f"With each rank the median of the states grows by a factor of {known[least]:.2f} ({least}) to "
            f"{known[most]:.2f} ({most}), fitted where at most {OPEN:.0%} of the deals are undecided. "
        )
    falling = [name for name, part in games.items() if _falls(part)]
    if falling:
        text += f"It is no clean exponential: in {', '.join(falling)} the median also falls on the way. "
    hard = [
        f"{name} with {', '.join(str(p['ranks']) for p in part if is_open(p))} ranks"
        for name, part in games.items()
        if any(map(is_open, part))
    ]
    if hard:
        text += f"More is undecided in {'; '.join(hard)}. "
    return (
        f"{text}Short decks keep the columns (five ranks of Chessboard are two cards in each of ten), but "
        "Joker and Klondike lose some with the ranks, so that their steps are uneven. The mean is ruled by "
        "the few hardest deals."
    )


def is_open(point: dict[str, Any]) -> bool:
    """Test if too many deals are undecided for a fit."""
    return bool(point["undecided"] > OPEN * point["deals"])


def _falls(part: Sequence[dict[str, Any]]) -> bool:
    """Test if the median falls by more than a tenth from one rank to the next, among points of a fit."""
    medians = [point["states"]["median"] for point in part if not is_open(point)]
    return any(after < 0.9 * before for before, after in pairwise(medians))


def _columns_text(points: list[dict[str, Any]]) -> list[str]:
    rows = []
    for name, part in by_variant(points).items():
        counts = "; ".join(f"{point['columns']}: {_states(point)}" for point in part)
        times = "; ".join(
            f"{point['columns']}: {shown_number(point['milliseconds']['mean'])}" for point in part
        )
        rows.append([name, str(part[0]["ranks"]), counts, times])
    return [
        "The number of columns is fixed in every game. Only short decks can be dealt in fewer columns, and "
        "none in more. The triangular Simon Jester, which lives by its columns, is left out.",
        "",
        *_table(["variant", "ranks", "columns: median of states", "columns: mean of CPU ms"], rows),
    ]


def _memory_text(points: list[dict[str, Any]]) -> list[str]:
    limits = points[0]["megabytes"]
    rows = []
    for point in points:
        shares = [f"{count / point['deals']:.1%}" for count in point["undecided"]]
        rows.append([point["variant"], str(point["deals"]), *shares])
        if VARIANTS[point["variant"]].scoring:
            shares = [f"{count / point['deals']:.1%}" for count in point["unproved"]]
            rows.append([f"{point['variant']}: greatest score unproved", "", *shares])
    return [
        "Full decks that stay undecided when a search may store so many megabytes:",
        "",
        *_table(["variant", "deals", *(f"{limit:g} MB" for limit in limits)], rows),
    ]


def _workers_text(points: list[dict[str, Any]]) -> list[str]:
    rows, got = [], []
    for name, part in by_variant(points).items():
        one, two = (_total(part, workers) for workers in (1, 2))
        if not one["seconds"] or not two["seconds"]:
            continue  # it was interrupted
        walls, works = ([run["deals"] / run[key] for run in (one, two)] for key in ("seconds", "cpu_seconds"))
        shares = [run["cpu_seconds"] / run["seconds"] for run in (one, two)]
        got.append(shares)
        cells = [*(f"{rate:,.0f}" for rate in walls), f"{walls[1] / walls[0]:.2f}"]
        cells += [*(f"{share:.2f}" for share in shares), *(f"{rate:,.0f}" for rate in works)]
        rows.append([name, str(part[0]["deals"]), *cells])
    is_busy = any(one < 0.9 or two < 1.8 for one, two in got)
    load = (
        " It had to share the machine, so that the ratio of wall times says little here." if is_busy else ""
    )
    head = ["variant", "deals a run", "deals a second, 1 worker", "2 workers", "ratio"]
    head += ["processors got by 1", "by 2", "deals a CPU second, 1 worker", "2 workers"]
    return [
        "`winnable rate` with one worker and two, in wall time, in the order 1, 2, 2, 1. The processors got "
        f"are the processor time over the wall time.{load}",
        "",
        *_table(head, rows),
    ]


def _total(part: Sequence[dict[str, Any]], workers: int) -> dict[str, float]:
    """The sums of the runs with so many workers."""
    runs = [point for point in part if point["workers"] == workers]
    return {key: sum(run[key] for run in runs) for key in ("deals", "seconds", "cpu_seconds")}


# --- The picture ----------------------------------------------------------------------------------------

KINDS = (("states", "median", "states of a deal, median"), ("milliseconds", "mean", "CPU ms of a deal, mean"))


def figure(data: dict[str, Any], path: str | Path) -> None:
    """Draw states and processor time by ranks, and what a memory limit leaves, into the PNG file ``path``."""
    import matplotlib
    from matplotlib.figure import Figure

    from .published import pictures

    games, memory = by_variant(data.get("ranks", [])), data.get("memory", [])
    heights = [0.75 * len(games) + 0.5, 0.9 * ((len(memory) + 1) // 2) + 0.5]
    with matplotlib.rc_context(pictures.LOOK):
        drawing = Figure(figsize=(pictures.WIDTH, sum(heights)), layout="constrained")
        upper, lower = drawing.subfigures(2, 1, height_ratios=heights)
        _draw_ranks(upper, games)
        _draw_memory(lower, memory)
        pictures.save(drawing, path)


def _draw_ranks(panel: Any, games: dict[str, list[dict[str, Any]]]) -> None:
    from matplotlib.ticker import EngFormatter

    from .published.pictures import BLUE, round_numbers, tidy

    rows = panel.subplots(max(1, len(games)), 2, sharex=True, squeeze=False)
    for axes_of_row, (name, part) in zip(rows, games.items(), strict=False):
        ranks = [point["ranks"] for point in part]
        for axes, (kind, mark, _) in zip(axes_of_row, KINDS, strict=True):
            values = [point[kind][mark] for point in part]
            axes.plot(ranks, values, "o-", color=BLUE, markersize=3)
            cut = [i for i, point in enumerate(part) if is_open(point)]
            axes.plot([ranks[i] for i in cut], [values[i] for i in cut], "o", color="white", ms=1.8, zorder=3)
            axes.set_yscale("log")
            axes.margins(y=0.15)
            axes.set_xticks(range(5, 14, 2))
            axes.set_yticks(round_numbers(*axes.get_ylim()))
            axes.yaxis.set_major_formatter(EngFormatter(sep="") if kind == "states" else "{x:g}")
            axes.yaxis.set_minor_formatter("")
            tidy(axes)
        axes_of_row[0].set_title(name, loc="left", pad=2)
    for axes, (_, _, title) in zip(rows[-1], KINDS, strict=True):
        axes.set_xlabel(f"ranks of the deck\n{title}")
    panel.supxlabel(f"white dots: more than {OPEN:.0%} undecided, lower bounds", fontsize=7)


def _draw_memory(panel: Any, memory: list[dict[str, Any]]) -> None:
    from .published.pictures import BLUE, ORANGE, start_at_zero, tidy

    if not memory:
        return
    rows = panel.subplots((len(memory) + 1) // 2, 2, sharex=True, sharey=True, squeeze=False)
    for axes in rows.flat[len(memory) :]:
        axes.set_visible(False)
    for axes, point in zip(rows.flat, memory, strict=False):
        name = point["variant"]
        lines = [("undecided", BLUE, "o-")]
        if VARIANTS[name].scoring:
            lines.append(("unproved", ORANGE, "s--"))
        for kind, colour, style in lines:
            shares = [100 * count / point["deals"] for count in point[kind]]
            axes.plot(point["megabytes"], shares, style, color=colour, markersize=2.5, clip_on=False)
        axes.set_title(name, loc="left", pad=2)
        axes.set_xscale("log")
        axes.set_ylim(0, 110)
        start_at_zero(axes.yaxis, 0.1, [0.1, 1, 10, 100])
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter("")
        axes.yaxis.set_major_formatter("{x:g}")
        tidy(axes)
    panel.supxlabel("megabytes of a search; squares: whose best score is not proved", fontsize=7)
    panel.supylabel("undecided, % of deals", fontsize=7)


if __name__ == "__main__":
    sys.exit(main())
