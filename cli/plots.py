"""Plots of stored results; requires matplotlib."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Any

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, NullFormatter, PercentFormatter

from ..solver.batch.store import Store
from ..solver.core.intervals import wilson
from ..solver.core.record import UNDECIDED, UNWINNABLE, WINNABLE
from .output import CLASS_NAMES

_BLUE, _ORANGE, _GREY = "#0072b2", "#d55e00", "#8a8a8a"  # distinguishable by colour-blind people
_POINTS = 2000
_FIRST_DEALS = 1000  # the rates of the first deals say little, and would fill the picture


def format_of(path: str) -> str:
    """The format for the name of a picture, by its extension; png without one. Raises ValueError for a format
    that cannot be drawn."""
    name = PurePath(path).suffix[1:].lower() or "png"
    known = FigureCanvasBase.get_supported_filetypes()
    if name not in known:
        raise ValueError(f"format {name!r}: expected one of {', '.join(sorted(known))}")
    return name


def draw(answer: Mapping[str, Any], store: Store, style: str) -> bytes:
    """A picture, as bytes in the format ``style``: the rate as deals accumulate, lengths, work and, where the
    ``answer``, the summary of ``store``, has them, tiers, scores and classes of lost deals. Raises ValueError
    for a store without deals."""
    if not answer["deals"]:
        raise ValueError("no deals in the store")
    drawings = [_draw_rate, _draw_moves, _draw_work]
    if "tiers" in answer:
        drawings.append(_draw_tiers)
    if answer.get("scores"):
        drawings.append(_draw_scores)
    if answer.get("classes", {}).get("deals"):
        drawings.append(_draw_classes)
    rows = (len(drawings) + 1) // 2
    figure = Figure(figsize=(11, 4 * rows), layout="constrained")
    grid = figure.add_gridspec(rows, 2)
    player = f", player {answer['player']}" if "player" in answer else ""
    figure.suptitle(f"{answer['game']}: {answer['deals']:,} deals{player}", fontsize=14)
    for number, drawing in enumerate(drawings):
        is_wide = number % 2 == 0 and number == len(drawings) - 1
        axes = figure.add_subplot(grid[number // 2, slice(None) if is_wide else number % 2])
        drawing(axes, store, answer)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#dddddd", linewidth=0.7)
        axes.set_axisbelow(True)
    picture = BytesIO()
    figure.savefig(picture, format=style, dpi=120)
    return picture.getvalue()


def _draw_rate(axes: Any, store: Store, answer: Mapping[str, Any]) -> None:
    won = np.cumsum(store.has_verdict(WINNABLE))
    open_too = won + np.cumsum(store.has_verdict(UNDECIDED))
    deals = np.arange(1, len(won) + 1)
    first = min(_FIRST_DEALS, (len(won) + 1) // 2)
    shown = np.unique(np.geomspace(first, len(won), _POINTS).astype(np.int64)) - 1
    deals = deals[shown]
    low = [wilson(*pair)[0] for pair in zip(won[shown].tolist(), deals.tolist(), strict=True)]
    high = [wilson(*pair)[1] for pair in zip(open_too[shown].tolist(), deals.tolist(), strict=True)]
    axes.fill_between(deals, low, high, color=_BLUE, alpha=0.25, linewidth=0)
    axes.plot(deals, won[shown] / deals, color=_BLUE)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.xaxis.set_minor_formatter(EngFormatter() if len(won) < 10 * first else NullFormatter())
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_title(
        f"{store.verdicts[WINNABLE]}: {answer['rate']:.3%} ({answer['low']:.3%} to {answer['high']:.3%})"
    )
    axes.set_xlabel("deals, in the order of their seeds; with the 95 % interval")


def _draw_moves(axes: Any, store: Store, answer: Mapping[str, Any]) -> None:
    moves, longer = store.column("moves", WINNABLE), 0
    if len(moves):
        first, last = int(moves.min()), int(np.quantile(moves, 0.995))
        step = max(1, (last - first) // 60)
        axes.hist(moves, bins=np.arange(first, last + 2 * step, step) - 0.5, color=_BLUE)
        longer = int(np.count_nonzero(moves > last + step))
        axes.axvline(np.median(moves), color=_ORANGE)
        axes.annotate(
            f"median {np.median(moves):.0f}",
            (np.median(moves), 1),
            (3, 1),
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            color=_ORANGE,
        )
    axes.yaxis.set_major_formatter(EngFormatter())
    title = "moves of the games won" if "player" in answer else "moves of the lines found"
    axes.set_title(title, pad=16)
    axes.set_xlabel(f"moves ({longer:,} longer lines are not shown)" if longer else "moves")
    axes.set_ylabel("deals")


def _draw_work(axes: Any, store: Store, answer: Mapping[str, Any]) -> None:
    work = {verdict: np.maximum(store.column("expanded", verdict), 1) for verdict in _VERDICT_COLOURS}
    work = {verdict: part for verdict, part in work.items() if len(part)}
    least, most = min(map(np.min, work.values())), max(map(np.max, work.values()))
    bins = np.geomspace(least, max(most, least + 1) * 1.01, 60)
    colours = [_VERDICT_COLOURS[verdict] for verdict in work]
    names = [store.verdicts[verdict] for verdict in work]
    axes.hist(list(work.values()), bins=bins, stacked=True, color=colours, label=names)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.yaxis.set_major_formatter(EngFormatter())
    axes.set_title("work", pad=20)
    axes.set_xlabel("samples" if "player" in answer else "states expanded")
    axes.set_ylabel("deals")
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, borderaxespad=0)


_VERDICT_COLOURS = {WINNABLE: _BLUE, UNWINNABLE: _ORANGE, UNDECIDED: _GREY}


def _draw_tiers(axes: Any, store: Store, answer: Mapping[str, Any]) -> None:
    tiers = answer["tiers"]
    names = [f"{tier['tier']}\n{tier['score']} cards or more" for tier in tiers]
    names[-1] = f"{tiers[-1]['tier']}\nall {tiers[-1]['score']} cards"
    _draw_rates(axes, names, tiers)
    reached = "reached" if "player" in answer else "can reach"
    axes.set_title(f"deals that {reached} a tier, with 95 % intervals")


def _draw_rates(axes: Any, names: Sequence[str], found: Sequence[Mapping[str, Any]]) -> None:
    """Draw a bar for each rate with its interval."""
    rates = np.array([each["rate"] for each in found])
    ends = np.array([[each["low"] for each in found], [each["high"] for each in found]])
    axes.bar(names, rates, color=_BLUE, width=0.6)
    axes.errorbar(names, rates, abs(ends - rates), fmt="none", color="black", capsize=4)
    for name, rate, high in zip(names, rates, ends[1], strict=True):
        axes.annotate(f"{rate:.1%}", (name, max(rate, high)), (0, 3), textcoords="offset points", ha="center")
    axes.set_ylim(0, 1.1)
    axes.yaxis.set_major_formatter(PercentFormatter(1))


def _draw_scores(axes: Any, store: Store, answer: Mapping[str, Any]) -> None:
    most = answer["cards_up"]["cards"]
    counts = {int(score): count for score, count in answer["scores"].items()}
    full = counts.pop(most, 0)
    axes.bar(list(counts), list(counts.values()), color=_BLUE, width=0.9)
    axes.yaxis.set_major_formatter(EngFormatter())
    axes.set_title(f"cards up ({full:,} deals with all {most} are not shown)" if full else "cards up")
    axes.set_xlim(-1, most)
    axes.set_xlabel("cards up" if "player" in answer else "most cards that can go up")
    axes.set_ylabel("deals")


def _draw_classes(axes: Any, store: Store, answer: Mapping[str, Any]) -> None:
    classes = answer["classes"]
    shown = [
        (title.replace(" ", "\n", 1), classes[name]) for name, title in CLASS_NAMES.items() if name in classes
    ]
    _draw_rates(axes, [title for title, _ in shown], [found for _, found in shown])
    axes.set_title(
        f"why {classes['deals']:,} of {classes['lost']:,} lost deals are lost, with 95 % intervals"
    )
