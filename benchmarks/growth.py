"""Growth of the work with ranks, columns and workers, and of undecided deals with a limit on memory.

    python -m benchmarks.growth [--part PART]... [--json FILE] [--figure FILE]

Short decks leave out the highest ranks; the rest of a game is unchanged. States are expanded states. CPU time
is that of a search including packing and making the line, all in one process; for easy deals much of it is
the interpreter's share. A search ends at a limit on states or megabytes, so that means and maxima are lower
bounds if deals are undecided. A point uses as many seeds, from 1 on, as fit into its time. With --part only
some parts are measured, and the other parts in FILE are kept.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
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
    parser,
    percentiles,
    positive,
    shown_number,
    write_json,
)
from .published.page import table

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

OPEN = 0.01  # greatest share of undecided deals of a point used in a fit


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
            for point in PARTS[part][0](names, options):
                data[part].append(point)
                print(f"{part}: {_point_text(point)}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; what is done is kept", file=sys.stderr)
        status = INTERRUPTED
    write_json(options.json, data)
    if options.figure:
        figure(data, options.figure)
    print(markdown(data))
    return status


def _read(path: str | None) -> dict[str, Any]:
    """The figures in the file ``path``; empty if there is none."""
    if path is None or not Path(path).is_file() or not Path(path).stat().st_size:
        return {}
    try:
        data: dict[str, Any] = json.loads(Path(path).read_text())
        if data["benchmark"] != "growth":
            raise ValueError
    except (ValueError, KeyError, TypeError):
        fail(f"{path}: these are no figures of this program")
    return data


def _point_text(point: dict[str, Any]) -> str:
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
    """The sizes of ``count`` columns of a short deck: the usual ones in a game with a stock, else even
    ones."""
    if sum(variant.sizes) < len(variant.deck().cards()):
        return variant.sizes[:count]
    cards = len(variant.deck(ranks).cards())
    return tuple((cards + count - 1 - i) // count for i in range(count))


def _point(variant: Variant, ranks: int, sizes: tuple[int, ...] | None, options: Any) -> dict[str, Any]:
    """States and times of the first seeds of a short deck, with columns of ``sizes``, or the usual ones for
    None."""
    kernel = kernel_of(variant, LIMITS)
    kernel.solve(variant.deal(0, ranks=ranks, sizes=sizes))  # the first search includes allocating memory
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
        "milliseconds": {name: 1000 * value for name, value in percentiles(times).items()},
    }


# --- Memory and workers ---------------------------------------------------------------------------------


def _measure_memory(names: Sequence[str], options: Any) -> Iterator[dict[str, Any]]:
    """Yield for each game the numbers of undecided deals, and of those with an unproved score, at each memory
    limit."""
    for name in filter(MEMORY.__contains__, names):
        undecided, unproved = [0] * len(MEGABYTES), [0] * len(MEGABYTES)
        deals, began = 0, time.process_time()
        while deals < options.deals and time.process_time() - began < 4 * options.seconds:
            deals += 1
            for i, megabytes in enumerate(MEGABYTES):
                kernel = kernel_of(VARIANTS[name], Limits(megabytes=megabytes))  # nothing allocated yet
                record = decide_seed(kernel, VARIANTS[name], deals)
                if not record.reason:
                    break  # a greater limit is not reached either
                undecided[i] += record.verdict == UNDECIDED
                unproved[i] += 1
        point = {"variant": name, "deals": deals, "megabytes": list(MEGABYTES)}
        yield point | {"undecided": undecided, "unproved": unproved}


def _measure_workers(names: Sequence[str], options: Any) -> Iterator[dict[str, Any]]:
    """Run `winnable rate` with 1, 2, 2 and 1 workers, so that a change of the machine's load affects both
    alike."""
    for name in names:
        deals = min(WORKERS.get(name, 0), 20 * options.deals)
        for workers in (1, 2, 2, 1) if deals else ():
            answer, _ = ask_winnable("rate", name, "--deals", f"1-{deals}", "--workers", str(workers))
            keys = ("workers", "deals", "seconds", "cpu_seconds", "deals_per_second")
            yield {"variant": name} | {key: answer[key] for key in keys}


# --- Tables ---------------------------------------------------------------------------------------------


def growth_factor(points: Sequence[dict[str, Any]], name: str) -> float | None:
    """The factor by which the ``name`` (median, mean, ...) of states grows per rank: from a straight line
    fitted to the logarithms, using points with at most `OPEN` undecided deals. None with fewer than three
    such points."""
    used = [point for point in points if not is_open(point)]
    if len(used) < 3:
        return None
    slope, _ = np.polyfit([p["ranks"] for p in used], np.log([max(1, p["states"][name]) for p in used]), 1)
    return float(np.exp(slope))


def markdown(data: dict[str, Any]) -> str:
    """The figures as Markdown tables; ``data`` is what `--json` writes."""
    texts = []
    for part, (_, made) in PARTS.items():
        if data.get(part):
            text, head, rows = made(data[part])
            texts += [text, table(head, rows)]
    return "\n\n".join(texts) + "\n"


def by_variant(points: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {name: part for name in VARIANTS if (part := [p for p in points if p["variant"] == name])}


def is_open(point: dict[str, Any]) -> bool:
    """Test if too many deals of a point are undecided to use it in a fit."""
    return bool(point["undecided"] > OPEN * point["deals"])


def _states(point: dict[str, Any] | None) -> str:
    """The median of states, with the share of undecided deals if there are any."""
    if point is None:
        return "-"
    median = shown_number(point["states"]["median"])
    if not point["undecided"]:
        return median
    least = "at least " if 2 * point["undecided"] >= point["deals"] else ""
    return f"{least}{median} ({point['undecided'] / point['deals']:.1%} open)"


Table = tuple[str, Sequence[str], list[list[str]]]
"""A sentence, the head of a table, and its rows."""


def _ranks(points: list[dict[str, Any]]) -> Table:
    ranks, rows = sorted({point["ranks"] for point in points}), []
    for name, part in by_variant(points).items():
        at = {point["ranks"]: point for point in part}
        factors = [growth_factor(part, mark) for mark in ("median", "mean")]
        shown = ["-" if factor is None else f"{factor:.2f}" for factor in factors]
        times = [shown_number(part[-1]["milliseconds"][mark]) for mark in ("median", "mean", "max")]
        rows.append([name, *(_states(at.get(number)) for number in ranks), *shown, *times])
    head = ["median of states", *(f"{number} ranks" for number in ranks)]
    head += ["factor a rank", "factor of the mean", "CPU ms of the deepest: median", "mean", "most"]
    text = (
        f"At most {LIMITS.nodes:,} states and {LIMITS.megabytes:g} MB a deal. The factors are fitted where "
        f"at most {OPEN:.0%} of the deals are undecided. The growth is not a clean exponential: the game "
        "itself changes with the ranks, and a few hard deals dominate the mean."
    )
    return text, head, rows


def _columns(points: list[dict[str, Any]]) -> Table:
    rows = []
    for name, part in by_variant(points).items():
        counts = "; ".join(f"{p['columns']}: {_states(p)}" for p in part)
        times = "; ".join(f"{p['columns']}: {shown_number(p['milliseconds']['mean'])}" for p in part)
        rows.append([name, str(part[0]["ranks"]), counts, times])
    text = "The number of columns is fixed in every game. Only short decks can be dealt in fewer columns."
    return text, ["variant", "ranks", "columns: median of states", "columns: mean of CPU ms"], rows


def _memory_rows(points: list[dict[str, Any]]) -> Table:
    rows = []
    for point in points:
        kinds = {point["variant"]: "undecided"}
        if VARIANTS[point["variant"]].scoring:
            kinds[f"{point['variant']}: greatest score unproved"] = "unproved"
        for name, kind in kinds.items():
            shares = [f"{count / point['deals']:.1%}" for count in point[kind]]
            rows.append([name, str(point["deals"]), *shares])
    text = "Full decks that stay undecided when a search may store so many megabytes:"
    return text, ["variant", "deals", *(f"{limit:g} MB" for limit in points[0]["megabytes"])], rows


def _workers(points: list[dict[str, Any]]) -> Table:
    rows = []
    for name, part in by_variant(points).items():
        cells = [name, str(part[0]["deals"])]
        for key in ("seconds", "cpu_seconds"):
            for workers in (1, 2):
                runs = [point for point in part if point["workers"] == workers]
                spent = sum(run[key] for run in runs)
                cells.append(f"{sum(run['deals'] for run in runs) / spent:,.0f}" if spent else "-")
        rows.append(cells)
    head = ["variant", "deals a run", "deals a second, 1 worker", "2 workers"]
    text = "`winnable rate` with one worker and two, in wall and processor time, in the order 1, 2, 2, 1."
    return text, [*head, "deals a CPU second, 1 worker", "2 workers"], rows


Measure = Callable[[Sequence[str], Any], Iterator[dict[str, Any]]]

PARTS: dict[str, tuple[Measure, Callable[[list[dict[str, Any]]], Table]]] = {
    "ranks": (_measure_ranks, _ranks),
    "columns": (_measure_columns, _columns),
    "memory": (_measure_memory, _memory_rows),
    "workers": (_measure_workers, _workers),
}
"""For each part the function that measures, and the one that makes its table."""


# --- The picture ----------------------------------------------------------------------------------------


def figure(data: dict[str, Any], path: str | Path) -> None:
    """Draw the states per deal by ranks, and the deals left undecided by memory limits, into the PNG file
    ``path``."""
    import matplotlib
    from matplotlib.figure import Figure

    from .published.pictures import LOOK, WIDTH, save, tidy

    with matplotlib.rc_context(LOOK):
        drawing = Figure(figsize=(WIDTH, 5.6), layout="constrained")
        upper, lower = drawing.subplots(2)
        upper.set_prop_cycle(color=[*matplotlib.colormaps["tab10"].colors, "black"])
        for name, part in by_variant(data.get("ranks", [])).items():
            medians = [point["states"]["median"] for point in part]
            upper.plot([point["ranks"] for point in part], medians, "o-", ms=3, label=name)
        for point in data.get("memory", []):
            shares = [100 * count / point["deals"] for count in point["undecided"]]
            lower.plot(point["megabytes"], shares, "s-", ms=3, label=point["variant"])
        upper.set(yscale="log", xlabel="ranks of the deck", ylabel="median of states")
        lower.set(xscale="log", xlabel="megabytes of a search", ylabel="undecided, % of full decks")
        for axes in (upper, lower):
            tidy(axes)
            axes.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
        save(drawing, path)


if __name__ == "__main__":
    sys.exit(main())
