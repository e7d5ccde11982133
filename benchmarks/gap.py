"""The gap between the shortest line known and the lower bound, against time.

    python -m benchmarks.gap [--variant NAME]... [--deals N] [--seconds S] [--json FILE] [--figure FILE]

The seeds from 1 on are solved with `find_shortest`, each until its line is proved or it has had so many
seconds of processor time, the verdict among them. Another thread looks again and again how far the search is;
what a deal has at a mark is what was seen last before. Deals without a line to shorten are left out: those
that are lost, and those whose verdict alone took all the time. The search is not told when it will end, and
shares its time between lines and bound as it does without a limit.
"""

import sys
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from winnable.rules import State, Variant
from winnable.solver import Limits, Result, find_shortest
from winnable.solver.progress import Progress, Watch

from .figures import check_writable, fail, kernel_of, measure_games, parser, positive, write_json
from .published.page import table

VARIANTS = ("joker", "klondike-one-pass", "simon-jester", "simple-simon")
MARKS = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds of processor time."""

BETWEEN = 0.004  # seconds of wall time between two looks
PATIENCE = 100  # seconds of wall time for each of processor time, on a machine that does other things


class Seen(NamedTuple):
    """The length of the best line and the lower bound from some second of processor time on."""

    seconds: float
    moves: int
    lower_bound: int


def main(arguments: Sequence[str] | None = None) -> int:
    words = parser(__doc__)
    words.add_argument("--variant", action="append", choices=VARIANTS, help="by default all")
    words.add_argument("--deals", type=positive, default=24, help="of each game")
    words.add_argument("--seconds", type=positive, default=10, help="processor time of a deal")
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


def _measure(variant: Variant, deals: int, seconds: float) -> dict[str, Any]:
    """The figures of a game at each mark, as means over its deals."""
    kernel_of(variant, Limits())
    tracks = []
    for seed in range(1, deals + 1):
        track = _track(variant, seed, seconds)
        if track:
            last = track[-1]
            print(f"{variant.name} {seed}: {last.moves} >= {last.lower_bound}", file=sys.stderr)
            tracks.append(track)
    if not tracks:
        fail(f"{variant.name}: none of {deals} deals has a line to shorten")
    marks = [mark for mark in MARKS if mark <= seconds]
    return {"variant": variant.name, "deals": len(tracks), "points": [_point(tracks, mark) for mark in marks]}


def _track(variant: Variant, seed: int, seconds: float) -> list[Seen]:
    """The progress of the search for a shortest line of a deal; empty if it has no line."""
    track: list[Seen] = []

    def see(spent: float, now: Progress) -> None:
        if now.moves is not None and now.lower_bound is not None:
            _note(track, Seen(spent, now.moves, now.lower_bound))

    begun = time.process_time()
    result = shortest_within(variant, variant.deal(seed), seconds, see)
    if not result.moves or result.lower_bound is None:
        return []
    _note(track, Seen(time.process_time() - begun, len(result.moves), result.lower_bound))
    return track


def shortest_within(
    variant: Variant, state: State, seconds: float, see: Callable[[float, Progress], None] | None = None
) -> Result:
    """The result of `find_shortest` after so many seconds of processor time. ``see`` is called again and
    again, on another thread, with the seconds spent and the progress. Raises KeyboardInterrupt after
    Ctrl-C."""
    watch, ended = Watch(), threading.Event()
    begun = time.process_time()

    def look() -> None:
        while not ended.wait(BETWEEN):
            now, spent = watch.progress(), time.process_time() - begun
            if see is not None and now is not None:
                see(spent, now)
            if spent > seconds:
                watch.stop()

    looker = threading.Thread(target=look)
    looker.start()
    try:
        result = find_shortest(variant, state, Limits(seconds=PATIENCE * seconds), watch=watch)
    finally:
        ended.set()
        looker.join()
    if result.reason == "interrupted" and not watch.was_stopped:
        raise KeyboardInterrupt
    return result


def _note(track: list[Seen], seen: Seen) -> None:
    """Add what was seen, if it is news: lines never get longer, nor does the bound fall."""
    if track:
        last = track[-1]
        seen = Seen(seen.seconds, min(last.moves, seen.moves), max(last.lower_bound, seen.lower_bound))
    if not track or seen[1:] != track[-1][1:]:
        track.append(seen)


def _point(tracks: list[list[Seen]], mark: float) -> dict[str, Any]:
    """The means at a mark over the deals that have a line and a bound by then."""
    at = [bisect_right([seen.seconds for seen in track], mark) for track in tracks]
    known = [track[i - 1] for track, i in zip(tracks, at, strict=True) if i > 0]
    point: dict[str, Any] = {"seconds": mark, "known": len(known)}
    if known:
        lines, bounds = np.array([seen[1:] for seen in known]).T
        point |= {"moves": float(lines.mean()), "lower_bound": float(bounds.mean())}
        point |= {"gap": float((lines - bounds).mean()), "proved": int((lines == bounds).sum())}
    return point


# --- Tables ---------------------------------------------------------------------------------------------


def markdown(data: dict[str, Any]) -> str:
    """The figures as a table."""
    head = ("variant", "deals", "CPU seconds", "shortest line", "lower bound", "gap", "proved")
    rows = []
    for game in data["games"]:
        for point in game["points"]:
            means = [f"{point[key]:.2f}" if point["known"] else "" for key in ("moves", "lower_bound", "gap")]
            cells = [game["variant"], str(point["known"]), f"{point['seconds']:g}", *means]
            rows.append([*cells, str(point.get("proved", ""))])
    text = (
        "The shortest line found and the lower bound after some seconds of processor time, as means over "
        "the first deals of a game that can be won; deals are those that have both by then. "
        f"Measured with version {data['version']} on {data['processor']}."
    )
    return f"{text}\n\n{table(head, rows)}"


def figure(data: dict[str, Any], path: str | Path) -> None:
    """Draw the mean gap of each game against processor time into the PNG file ``path``."""
    import matplotlib
    from matplotlib.figure import Figure

    from .published.pictures import BLUE, GREEN, LOOK, ORANGE, PURPLE, WIDTH, save, tidy

    looks = dict(zip(VARIANTS, ((ORANGE, "s"), (GREEN, "^"), (BLUE, "o"), (PURPLE, "D")), strict=True))
    with matplotlib.rc_context(LOOK):
        drawing = Figure(figsize=(WIDTH, 2.4), layout="constrained")
        axes = drawing.subplots()
        for game in data["games"]:
            colour, marker = looks[game["variant"]]
            known = [point for point in game["points"] if point["known"]]
            times, gaps = ([point[key] for point in known] for key in ("seconds", "gap"))
            axes.plot(times, gaps, f"{marker}-", color=colour, markersize=3, label=game["variant"])
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("CPU seconds")
        axes.set_ylabel("moves between line and bound, mean")
        axes.legend(frameon=False)
        tidy(axes)
        save(drawing, path)


if __name__ == "__main__":
    sys.exit(main())
