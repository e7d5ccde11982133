"""Pictures of the results page, drawn from the stores as PNG files as wide as a column of a paper."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FixedLocator, MaxNLocator, NullFormatter, PercentFormatter
from PIL import Image  # matplotlib needs it too

from winnable.cli import files
from winnable.solver.batch.store import Store
from winnable.solver.core.intervals import wilson

from .page import tiers_in
from .reading import Figures, is_there, opened
from .runs import PLAYED, TITLES, find_run

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"  # distinguishable by colour-blind people
PURPLE, GREY = "#cc79a7", "#8a8a8a"
STRIP = "#f0f0f0"
WIDTH = 8.5 / 2.54  # inches
DOTS_AN_INCH = 200
POINTS = 400
COLOURS = 128
FACTORS = (range(1, 10), (1, 2, 5), (1, 3))
FIRST_DEALS = 1000  # the rates of the first deals say little, and would fill the picture
LOOK = {
    "font.size": 7, "axes.titlesize": 7, "axes.linewidth": 0.6, "lines.linewidth": 1.0,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.minor.width": 0.4, "ytick.minor.width": 0.4,
}  # fmt: skip


def draw_all(directory: Path, figures: Figures, plots: Path) -> None:
    """Draw the rates of all games, and a picture of each whose stores are all there, into the folder
    ``plots``."""
    runs = figures["runs"]
    with matplotlib.rc_context(LOOK):
        if any(name in runs for name in TITLES):
            draw_rates(runs, plots / "rates.png")
        for variant in TITLES:
            shown = [name for name in (variant, f"{variant}-shortest") if name in runs]
            if shown and all(is_there(name, directory) for name in shown):
                draw_game(directory, runs, variant, plots / f"{variant}.png")


def save(figure: Figure, path: str | Path) -> None:
    """Write a PNG file with a palette, byte for byte the same for the same figures."""
    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, dpi=DOTS_AN_INCH, metadata={"Software": None})
    with Image.open(drawn) as picture:
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    files.write(str(path), small.getvalue())


def tidy(axes: Any) -> None:
    """Remove the frame except for the axes, and draw a grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)


def start_at_zero(axis: Any, end: float, ticks: Sequence[float]) -> None:
    """Make a logarithmic x or y axis begin with a shaded linear strip from zero to ``end``."""
    axes, name = axis.axes, axis.axis_name
    getattr(axes, f"set_{name}scale")("symlog", linthresh=end, linscale=0.4)
    shade = axes.axvspan if name == "x" else axes.axhspan
    shade(0, end, color=STRIP, linewidth=0, zorder=0)
    axis.set_major_locator(FixedLocator([0, *ticks]))
    axis.set_minor_formatter(NullFormatter())


def round_numbers(low: float, high: float, most: int = 4) -> list[float]:
    """Round numbers as marks for a logarithmic axis from ``low`` to ``high``, at most ``most``."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    choices = [[(power, factor) for power in powers for factor in factors] for factors in FACTORS]
    choices += [[(power, 1) for power in powers[::stride]] for stride in range(1, len(powers) + 1)]
    for choice in choices:
        marks = [factor * 10.0**power for power, factor in choice if low <= factor * 10.0**power <= high]
        if len(marks) <= most:
            break
    return marks


def draw_rates(runs: Figures, path: Path) -> None:
    """Draw the rate of each game, and its interval on a scale of its own in percentage points around the
    rate."""
    names = [name for name in TITLES if name in runs]
    figure = Figure(figsize=(WIDTH, 0.36 * len(names) + 0.7), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for row, name in enumerate(names):
        run = runs[name]
        left.plot(run["rate"], row, "o", color=BLUE, markersize=3)
        ends = [100 * (run[end] - run["rate"]) for end in ("low", "high")]
        right.plot(ends, [row, row], "-|", color=BLUE, linewidth=1.2, markersize=6)
        right.plot(0, row, "o", color=BLUE, markersize=3)
        title = left.annotate(TITLES[name], (0, row), (0, 5), textcoords="offset points")
        text, edge = f"{run['rate']:.2%} of {run['deals']:,}", right.get_yaxis_transform()
        count = right.annotate(text, (1, row), (0, 5), xycoords=edge, textcoords="offset points", ha="right")
        for label in (title, count):  # which may be wider than its panel
            label.set_in_layout(False)
    left.set_ylim(len(names) - 0.6, -0.75)
    left.set_xlim(0, 1.03)
    left.xaxis.set_major_formatter(PercentFormatter(1))
    left.set_xlabel("deals that can be won")
    right.set_xscale("symlog", linthresh=0.01, linscale=0.4)
    right.axvspan(-0.01, 0.01, color=STRIP, linewidth=0, zorder=0)
    right.set_xticks([-1, -0.1, 0, 0.1, 1], ["-1", "-0.1", "0", "0.1", "1"])
    right.xaxis.set_minor_formatter(NullFormatter())
    right.set_xlabel("95 % interval, points")
    for axes in (left, right):
        axes.set_yticks([])
        tidy(axes)
        axes.spines["left"].set_visible(False)
    save(figure, path)


def draw_game(directory: Path, runs: Figures, variant: str, path: Path) -> None:
    """Draw rate, work and lengths of one game, one below the other, and tiers if players have played it."""
    drawings = []
    if is_there(variant, directory):
        drawings += [draw_rate, draw_work]
    parts = lengths_of(directory, runs, variant)
    heights = [1.5] * len(drawings) + [0.3 + 0.6 * len(parts)] * bool(parts)
    drawings += [lambda part, *_: draw_lengths(part, parts)] * bool(parts)
    if variant in PLAYED and variant in runs:
        drawings.append(draw_tiers)
        heights.append(0.5 + 0.13 * sum(len(group) for group in tiers_of(runs, variant).values()))
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.3), layout="constrained")
    figure.suptitle(TITLES[variant], fontsize=9)
    panels = figure.subfigures(len(drawings), 1, height_ratios=heights, squeeze=False)[:, 0]
    for panel, drawing in zip(panels, drawings, strict=True):
        drawing(panel, directory, runs, variant)
    save(figure, path)


def counted(store: Store, seeds: range, expression: str, condition: str = "1") -> tuple[Any, Any]:
    """The values of an SQL expression in ascending order, and the number of rows with each."""
    tail = f"AND {condition} GROUP BY 1 ORDER BY 1"
    rows = list(store.select(f"{expression}, COUNT(*)", [seeds], tail))
    values, counts = np.array(rows, np.int64).reshape(-1, 2).T
    return values, counts


def draw_rate(panel: Any, directory: Path, runs: Figures, variant: str) -> None:
    """Draw the rate as deals accumulate."""
    with opened(find_run(variant), directory) as (store, seeds):
        block = max(1, len(seeds) // 5000)
        columns = f"(seed - 1) / {block}, COUNT(*), SUM(verdict = 'winnable'), SUM(verdict = 'undecided')"
        rows = np.array(list(store.select(columns, [seeds], "GROUP BY 1 ORDER BY 1")), np.int64)
    deals, won, undecided = rows[:, 1:].cumsum(0).T
    first = min(int(np.searchsorted(deals, FIRST_DEALS)), len(deals) // 2) + 1
    shown = np.unique(np.geomspace(first, len(deals), POINTS).astype(int)) - 1
    triples = list(zip(deals[shown].tolist(), won[shown].tolist(), undecided[shown].tolist(), strict=True))
    low = [wilson(count, of)[0] for of, count, _ in triples]
    high = [wilson(count + open_too, of)[1] for of, count, open_too in triples]
    axes = panel.add_subplot()
    axes.fill_between(deals[shown], low, high, color=BLUE, alpha=0.25, linewidth=0)
    axes.plot(deals[shown], won[shown] / deals[shown], color=BLUE)
    axes.set_xscale("log")
    axes.set_xlim(deals[shown[0]], deals[-1])
    axes.margins(y=0.05)
    axes.set_xticks(round_numbers(deals[shown[0]], deals[-1], 6))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_title("rate as deals accumulate, with its 95 % interval")
    axes.set_xlabel("deals, in the order of their seeds")
    tidy(axes)


def draw_work(panel: Any, directory: Path, runs: Figures, variant: str) -> None:
    """Draw the share of deals that need at least a given number of states."""
    colours = {"winnable": BLUE, "unwinnable": ORANGE, "undecided": GREY}
    axes, most = panel.add_subplot(), 1
    with opened(find_run(variant), directory) as (store, seeds):
        for verdict, colour in colours.items():
            values, counts = counted(store, seeds, "expanded", f"verdict = '{verdict}'")
            if len(values):
                left = counts[::-1].cumsum()[::-1] / len(seeds)
                few = np.geomspace(1, len(values), POINTS).astype(int)
                evenly = np.linspace(1, len(values), POINTS).astype(int)
                shown = np.unique([*few, *evenly, *(len(values) + 1 - few)]) - 1
                x, y = np.append(0, values[shown]), np.append(left[0], left[shown])
                axes.step(x, y, color=colour, where="pre", label=verdict)
                most = max(most, int(values[-1]))
    axes.set_yscale("log")
    start_at_zero(axes.xaxis, 1, [10**n for n in range(9) if 10**n <= most])
    axes.set_xlim(0, 1.3 * most)
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlabel("states expanded")
    axes.set_ylabel("deals with as many or more")
    above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}  # outside the axes
    axes.legend(frameon=False, ncols=3, handlelength=1.5, **above)
    tidy(axes)


def lengths_of(directory: Path, runs: Figures, variant: str) -> list[tuple[Any, Any, str, str]]:
    """Distributions to draw, each with lengths, numbers of lines, a label and a colour: of first lines, of
    the shortest known, and of lower bounds, where they exist."""
    short = runs.get(f"{variant}-shortest")
    parts = [(variant, "moves", "first line found", GREY)] if variant in runs else []
    if short:
        is_proved = short["proved_shortest"] == short["winnable"]
        parts.append(
            (f"{variant}-shortest", "moves", "fewest moves" if is_proved else "shortest known", BLUE)
        )
        if not is_proved:
            parts.append((f"{variant}-shortest", "lower_bound", "lower bound", ORANGE))
    drawn = []
    for name, column, label, colour in parts:
        if not is_there(name, directory):
            continue
        with opened(find_run(name), directory) as (store, seeds):
            condition = f"verdict = 'winnable' AND {column} IS NOT NULL"
            drawn.append((*counted(store, seeds, column, condition), label, colour))
    return [part for part in drawn if len(part[0])]


def draw_lengths(panel: Any, parts: list[tuple[Any, Any, str, str]]) -> None:
    """Draw the distributions of lengths."""
    last = max(
        int(values[np.searchsorted(counts.cumsum(), 0.98 * counts.sum())]) for values, counts, *_ in parts
    )
    first = min(int(values[0]) for values, *_ in parts)
    step = max(1, (last - first) // 60)
    bins = np.arange(first, last + 2 * step, step) - 0.5
    rows = panel.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (values, counts, label, colour) in zip(rows, parts, strict=True):
        axes.hist(values, bins=bins, weights=counts / counts.sum() / step, color=colour)
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.yaxis.set_major_locator(MaxNLocator(3))
        axes.set_title(f"{label}: {counts.sum():,}", loc="left", pad=2)
        tidy(axes)
    rows[-1].set_xlabel("moves; shares of the deals won, a move")


def tiers_of(runs: Figures, variant: str) -> dict[str, list[tuple[str, str, Any]]]:
    """The rates of the solver and of the players by tier, each with a label and a colour."""
    parts = (
        (variant, "all cards known", BLUE),
        (f"{variant}-search", "player, search", GREEN),
        (f"{variant}-rule", "player, by rule", ORANGE),
    )
    groups: dict[str, list[tuple[str, str, Any]]] = {}
    for name, label, colour in parts:
        for tier in tiers_in(runs[name]) if name in runs else ():
            title = f"{tier['tier']}, {tier['score']} cards"
            groups.setdefault(title, []).append((label, colour, tier))
    return groups


def draw_tiers(panel: Any, directory: Path, runs: Figures, variant: str) -> None:
    """Draw the rates of each tier for the solver and the players."""
    axes, row, rows, labels = panel.add_subplot(), 0.0, [], []
    for title, group in tiers_of(runs, variant).items():
        axes.annotate(title, (0, row), xycoords=axes.get_yaxis_transform(), va="center")
        for label, colour, tier in group:
            row += 1
            axes.plot([tier["low"], tier["high"]], [row, row], "-|", color=colour, linewidth=1.2)
            axes.plot(tier["rate"], row, "o", color=colour, markersize=3)
            rows.append(row)
            labels.append(label)
        row += 1.3
    axes.set_yticks(rows, labels)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(row - 0.7, -0.8)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("deals in which a tier is reached, with 95 % intervals")
    tidy(axes)
