"""The picture of how the gap between line and lower bound closes: a column of a paper wide, a line a game."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from .pictures import BLUE, DOTS_AN_INCH, GREEN, LOOK, ORANGE, PURPLE, WIDTH, metadata_of, tidy

LOOKS = {
    "joker": (ORANGE, "s"),
    "klondike-one-pass": (GREEN, "^"),
    "simon-jester": (BLUE, "o"),
    "simple-simon": (PURPLE, "D"),
}


def draw(data: dict[str, Any], style: str) -> bytes:
    """A picture, in the format ``style``: the mean gap of each game by seconds of processor time."""
    with matplotlib.rc_context(LOOK):
        drawing = Figure(figsize=(WIDTH, 2.4), layout="constrained")
        axes = drawing.subplots()
        for game in data["games"]:
            colour, marker = LOOKS[game["variant"]]
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
        picture = BytesIO()
        drawing.savefig(picture, format=style, dpi=DOTS_AN_INCH, metadata=metadata_of(style))
    return picture.getvalue()
