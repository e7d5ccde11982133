"""The picture of how the work grows: a column of a paper wide, each game in panels of its own."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from winnable.rules import VARIANTS

from ..growth import OPEN, by_variant, is_open
from .pictures import BLUE, DOTS_AN_INCH, LOOK, ORANGE, WIDTH, metadata_of, round_numbers, start_at_zero, tidy

KINDS = (("states", "median", "states of a deal, median"), ("milliseconds", "mean", "CPU ms of a deal, mean"))


def draw(data: dict[str, Any], style: str) -> bytes:
    """A picture, in the format ``style``: states and processor time by ranks, and what a limit on memory
    leaves."""
    games, memory = by_variant(data.get("ranks", [])), data.get("memory", [])
    heights = [0.75 * len(games) + 0.5, 0.9 * ((len(memory) + 1) // 2) + 0.5]
    with matplotlib.rc_context(LOOK):
        drawing = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        upper, lower = drawing.subfigures(2, 1, height_ratios=heights)
        _draw_ranks(upper, games)
        _draw_memory(lower, memory)
        picture = BytesIO()
        drawing.savefig(picture, format=style, dpi=DOTS_AN_INCH, metadata=metadata_of(style))
    return picture.getvalue()


def _draw_ranks(panel: Any, games: dict[str, list[dict[str, Any]]]) -> None:
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
