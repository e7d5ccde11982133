"""The gap between the shortest line known and the lower bound, by work.

    python -m benchmarks.gap [--variant NAME]... [--deals N] [--work N] [--json FILE] [--figure FILE]

The seeds from 1 on are solved with `find_shortest`, with ever more work: what is found after so much is the
same on every machine. Deals that are lost are left out, and of a mark those whose verdict took all the work.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from winnable.rules import Variant
from winnable.solver import Limits, Result, find_shortest

from .figures import check_writable, fail, kernel_of, measure_games, parser, positive, write_json
from .published.page import table

VARIANTS = ("joker", "klondike-one-pass", "klondike", "klondike-draw-one", "simon-jester", "simple-simon")
MARKS = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
"""Units of work."""

MEGABYTES = 4000


def main(arguments: Sequence[str] | None = None) -> int:
    words = parser(__doc__)
    words.add_argument("--variant", action="append", choices=VARIANTS, help="by default all")
    words.add_argument("--deals", type=positive, default=24, help="of each game")
    words.add_argument("--work", type=positive, default=MARKS[-1], help="units for a deal, at most")
    words.add_argument("--figure", metavar="FILE", help="draw them too, as PNG")
    options = words.parse_args(arguments)
    for path in (options.json, options.figure):
        check_writable(path)
    data, status = measure_games("gap", options, VARIANTS, _measure)
    write_json(options.json, data)
    if options.figure:
        figure(data, options.figure)
    print(markdown(data))
    return status


# --- Measuring ------------------------------------------------------------------------------------------


def _measure(variant: Variant, deals: int, work: int) -> dict[str, Any]:
    """The figures of a game at each mark, as means over its deals that can be won."""
    kernel_of(variant, Limits())
    marks = [mark for mark in MARKS if mark <= work]
    found: list[list[tuple[Result, float]]] = []
    for seed in range(1, deals + 1):
        results: list[tuple[Result, float]] = []
        for mark in marks:
            if results and results[-1][0].shortest:
                results.append((results[-1][0], results[-1][1]))
                continue
            begun = time.process_time()
            result = find_shortest(variant, variant.deal(seed), Limits(megabytes=MEGABYTES, work=mark))
            results.append((result, time.process_time() - begun))
            if result.verdict == "unwinnable":
                break
        else:
            last = results[-1][0]
            print(f"{variant.name} {seed}: {len(last.moves or ())} >= {last.lower_bound}", file=sys.stderr)
            found.append(results)
    if not any(results[-1][0].moves for results in found):
        fail(f"{variant.name}: none of {deals} deals has a line to shorten")
    points = [_point([results[i] for results in found], mark) for i, mark in enumerate(marks)]
    return {"variant": variant.name, "deals": len(found), "points": points}


def _point(found: Sequence[tuple[Result, float]], mark: int) -> dict[str, Any]:
    """The means at a mark over the deals that have a line and a bound by then."""
    known = [
        (len(result.moves), result.lower_bound, seconds)
        for result, seconds in found
        if result.moves and result.lower_bound is not None
    ]
    point: dict[str, Any] = {"work": mark, "known": len(known)}
    if known:
        lines, bounds, seconds = np.array(known).T
        point |= {"moves": float(lines.mean()), "lower_bound": float(bounds.mean())}
        point |= {"gap": float((lines - bounds).mean()), "proved": int((lines == bounds).sum())}
        point |= {"cpu_seconds": float(seconds.mean())}
    return point


# --- Tables ---------------------------------------------------------------------------------------------


def markdown(data: dict[str, Any]) -> str:
    """The figures as a table."""
    marks = sorted({point["work"] for game in data["games"] for point in game["points"]})
    rows = []
    for game in data["games"]:
        cells = {
            point["work"]: f"{point['lower_bound']:.2f} to {point['moves']:.2f}; "
            f"{point['proved']} of {point['known']}; {point['cpu_seconds']:.2f} s"
            for point in game["points"]
            if point["known"]
        }
        rows.append([game["variant"], *(cells.get(mark, "") for mark in marks)])
    head = ("variant", *(f"{mark:,}" for mark in marks))
    text = (
        "Mean lower bound and mean length of the shortest line found after that many units of work, over the "
        "first winnable deals of a game that have both by then; the number of these deals in which the two "
        "are equal; and the CPU seconds of the search, which ends there or with a proof. "
        f"Measured with version {data['version']} on {data['processor']}."
    )
    return f"{text}\n\n{table(head, rows)}"


def figure(data: dict[str, Any], path: str | Path) -> None:
    """Draw the mean gap of each game against work into the PNG file ``path``."""
    import matplotlib
    from matplotlib.figure import Figure

    from .published.pictures import BLUE, GREEN, LOOK, ORANGE, PURPLE, WIDTH, save, tidy

    colours = (ORANGE, GREEN, GREEN, GREEN, BLUE, PURPLE)
    looks = dict(zip(VARIANTS, zip(colours, "s^v<oD", strict=True), strict=True))
    with matplotlib.rc_context(LOOK):
        drawing = Figure(figsize=(WIDTH, 2.4), layout="constrained")
        axes = drawing.subplots()
        for game in data["games"]:
            colour, marker = looks[game["variant"]]
            known = [point for point in game["points"] if point["known"]]
            times, gaps = ([point[key] for point in known] for key in ("work", "gap"))
            axes.plot(times, gaps, f"{marker}-", color=colour, markersize=3, label=game["variant"])
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_xlabel("units of work")
        axes.set_ylabel("moves between line and bound, mean")
        drawing.legend(loc="outside right upper", frameon=False)
        tidy(axes)
        save(drawing, path)


if __name__ == "__main__":
    sys.exit(main())
