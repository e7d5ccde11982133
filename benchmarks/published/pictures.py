"""The pictures of the page, drawn from the stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, PercentFormatter
from PIL import Image  # matplotlib needs it too

from winnable.solver.batch.statistics import wilson
from winnable.solver.batch.store import Store

from .reading import Figures, opened
from .runs import PLAYED, VARIANTS, find_run

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"  # told apart by colour-blind people
PURPLE, GREY = "#cc79a7", "#8a8a8a"
POINTS = 400
COLOURS = 128


def draw_all(directory: Path, figures: Figures, plots: Path) -> None:
    """Draw the rates of all games, and a picture of each, into the folder ``plots``."""
    runs = figures["runs"]
    if any(name in runs for name in VARIANTS):
        draw_rates(runs, plots / "rates.png")
    for variant in VARIANTS:
        if variant in runs or f"{variant}-shortest" in runs:
            draw_game(directory, runs, variant, plots / f"{variant}.png")


def save(figure: Figure, path: Path) -> None:
    """Write a picture that is the same whenever it is drawn again."""
    figure.savefig(path, dpi=100, metadata={"Software": None})
    shrink(path)


def shrink(path: Path) -> None:
    """Make the file of a picture smaller, by a palette."""
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def tidy(axes: Any) -> None:
    """Frame and grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)


def draw_rates(runs: Figures, path: Path) -> None:
    """The rate of each game, with its interval."""
    names = [name for name in reversed(VARIANTS) if name in runs]
    figure = Figure(figsize=(8, 0.55 * len(names) + 1), layout="constrained")
    axes = figure.add_subplot()
    for row, name in enumerate(names):
        run = runs[name]
        axes.plot(
            [run["low"], run["high"]], [row, row], color=BLUE, linewidth=6, alpha=0.35, solid_capstyle="butt"
        )
        axes.plot(run["rate"], row, "o", color=BLUE, markersize=5)
        text = f"{run['rate']:.2%} of {run['deals']:,}"
        is_right = run["rate"] > 0.6
        offset = (-12, 0) if is_right else (12, 0)
        axes.annotate(
            text,
            (run["rate"], row),
            offset,
            textcoords="offset points",
            va="center",
            ha="right" if is_right else "left",
        )
    axes.set_yticks(range(len(names)), [VARIANTS[name] for name in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlim(0, 1.01)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("deals that can be won, with 95 % intervals")
    tidy(axes)
    save(figure, path)


def draw_game(directory: Path, runs: Figures, variant: str, path: Path) -> None:
    """Rate, work and lengths of one game; scores, if hidden cards make the players worth drawing."""
    drawings = []
    if variant in runs:
        drawings += [draw_rate, draw_work]
    drawings.append(draw_lengths)
    if variant in PLAYED and variant in runs:
        drawings.append(draw_scores)
    columns = 2 if len(drawings) == 4 else len(drawings)
    rows = len(drawings) // columns
    figure = Figure(figsize=(4.2 * columns, 3.4 * rows), layout="constrained")
    for number, drawing in enumerate(drawings, 1):
        axes = figure.add_subplot(rows, columns, number)
        drawing(axes, directory, runs, variant)
        tidy(axes)
    save(figure, path)


def counted(store: Store, seeds: range, expression: str, condition: str = "1") -> tuple[Any, Any]:
    """The values of an SQL expression and how many rows have each, ascending."""
    tail = f"AND {condition} GROUP BY 1 ORDER BY 1"
    rows = list(store.select(f"{expression}, COUNT(*)", [seeds], tail))
    values, counts = np.array(rows, np.int64).reshape(-1, 2).T
    return values, counts


def draw_rate(axes: Any, directory: Path, runs: Figures, variant: str) -> None:
    """The rate as deals accumulate."""
    with opened(find_run(variant), directory) as (store, seeds):
        block = max(1, len(seeds) // 5000)
        columns = f"(seed - 1) / {block}, COUNT(*), SUM(verdict = 'winnable'), SUM(verdict = 'undecided')"
        rows = np.array(list(store.select(columns, [seeds], "GROUP BY 1 ORDER BY 1")), np.int64)
    deals, won, undecided = rows[:, 1:].cumsum(0).T
    shown = np.unique(np.geomspace(1, len(deals), POINTS).astype(int)) - 1
    triples = list(zip(deals[shown].tolist(), won[shown].tolist(), undecided[shown].tolist(), strict=True))
    low = [wilson(count, of)[0] for of, count, _ in triples]
    high = [wilson(count + open_too, of)[1] for of, count, open_too in triples]
    axes.fill_between(deals[shown], low, high, color=BLUE, alpha=0.25, linewidth=0, label="95 % interval")
    axes.plot(deals[shown], won[shown] / deals[shown], color=BLUE, label="rate")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_title("rate as deals accumulate")
    axes.set_xlabel("deals, in the order of their seeds")
    axes.legend(frameon=False)


def draw_work(axes: Any, directory: Path, runs: Figures, variant: str) -> None:
    """How many deals need more than so many states."""
    colours = {"winnable": BLUE, "unwinnable": ORANGE, "undecided": GREY}
    with opened(find_run(variant), directory) as (store, seeds):
        for verdict, colour in colours.items():
            values, counts = counted(store, seeds, "MAX(expanded, 1)", f"verdict = '{verdict}'")
            if len(values):
                left = counts[::-1].cumsum()[::-1] / len(seeds)
                shown = np.unique(np.linspace(0, len(values) - 1, 2000).astype(int))
                axes.step(values[shown], left[shown], color=colour, where="post", label=verdict)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.set_title("work")
    axes.set_xlabel("states expanded")
    axes.set_ylabel("share of deals with as many or more")
    axes.legend(frameon=False)


def draw_lengths(axes: Any, directory: Path, runs: Figures, variant: str) -> None:
    """Lengths of first lines, of the shortest known, and lower bounds."""
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
        with opened(find_run(name), directory) as (store, seeds):
            condition = f"verdict = 'winnable' AND {column} IS NOT NULL"
            drawn.append((*counted(store, seeds, column, condition), label, colour))
    drawn = [part for part in drawn if len(part[0])]
    if not drawn:
        return
    last = max(
        int(values[np.searchsorted(counts.cumsum(), 0.98 * counts.sum())]) for values, counts, _, _ in drawn
    )
    first = min(int(values[0]) for values, _, _, _ in drawn)
    step = max(1, (last - first) // 60)
    bins = np.arange(first, last + 2 * step, step) - 0.5
    for values, counts, label, colour in drawn:
        axes.hist(
            values, bins=bins, weights=counts / counts.sum() / step, color=colour, alpha=0.6, label=label
        )
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_title("lengths of lines")
    axes.set_xlabel("moves")
    axes.set_ylabel("share of deals won, a move")
    axes.legend(frameon=False)


def draw_scores(axes: Any, directory: Path, runs: Figures, variant: str) -> None:
    """The share of deals in which a score is reached, by one who sees all cards and by the players."""
    parts = (
        (variant, "all cards known", BLUE),
        (f"{variant}-search", "player, search", GREEN),
        (f"{variant}-quick", "player, quick", PURPLE),
        (f"{variant}-rule", "player, by rule", ORANGE),
    )
    for name, label, colour in parts:
        if name not in runs:
            continue
        with opened(find_run(name), directory) as (store, seeds):
            scores, counts = counted(store, seeds, "score")
        reached = counts[::-1].cumsum()[::-1] / len(seeds)
        axes.step(
            np.append(0, scores),
            np.append(1, reached),
            color=colour,
            where="pre",
            label=f"{label}, {len(seeds):,}",
        )
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xticks([0, 15, 25, 52])
    axes.set_title("scores reached")
    axes.set_xlabel("cards on foundations, or more")
    axes.legend(frameon=False)
