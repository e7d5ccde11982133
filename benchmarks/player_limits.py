"""Limits of a player who does not see the hidden cards: decisions that lose, and the value of knowing cards.

    python -m benchmarks.player_limits FILE [--game GAME] [--lost DEALS] [--shown DEALS] [--visits N]
    python -m benchmarks.player_limits FILE --draw PICTURE.png

Of the games that the player plays of --lost, 20001-20100, an exact search tells up to where one who sees all
cards could still bring out all 52, and which decision threw that away. Of --shown, 70001-70300, the player's
search plays each deal as it is and with some of the hidden cards shown to it
(benchmarks/native/ablation.pyx). GAME is joker, joker-exposed (exchange: exposed) or klondike-one-pass. FILE,
JSON, keeps the figures by game; --draw draws them.
"""

import argparse
import json
import time
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.figures import parse_deals
from benchmarks.native import load

from winnable.rules import find_variant, joker
from winnable.solver import Limits
from winnable.solver.engine import find_kernel
from winnable.solver.player.player import Player, decisions
from winnable.solver.player.weights import GAMES, network_of, packed

ALL = 99
SHOWN = {
    "nothing": (0, 0), "next stock card": (1, 0), "next 3 stock cards": (3, 0), "whole stock": (ALL, 0),
    "next card of each column": (0, 1), "whole tableau": (0, ALL),
    "next stock card and next of each column": (1, 1), "everything": (ALL, ALL),
}  # fmt: skip
STOCKS = (26, 24, 20, 16, 14, 12, 10, 8, 6, 4, 2, 0)
NODES = 2_000_000


def reachable(kernel, state):
    """Test if 52 cards can be brought out of ``state``, all cards known; None where the search was ended."""
    found = kernel.solve(state)
    if found.score == 52:
        return True
    return None if found.score_bound == 52 else False


def lost_in(deal, seed, player, kernel):
    """Of the game of a seed: stock left before each decision, the number of the decision that threw the win
    away, None if none did, -1 if it was never there, and what that decision was."""
    game = list(decisions(deal(seed), player))
    last = game[-1].state
    for move in game[-1].moves:
        last = joker.apply(last, move)
    states = [*(decision.state for decision in game), last]
    stocks = [len(state.stock) for state in states]
    if joker.score(last) == 52:
        return {"seed": seed, "stocks": stocks, "lost": None}
    low, high, is_open = -1, len(states) - 1, False  # states[high] is lost; all up to low are not
    while high - low > 1:
        middle = (low + high) // 2
        can = reachable(kernel, states[middle])
        is_open |= can is None
        if can or can is None:
            low = middle
        else:
            high = middle
    if high == 0:
        return {"seed": seed, "stocks": stocks, "lost": -1, "open": is_open}
    decision = game[high - 1]
    choice = {"kind": kind_of(decision), "options": len(decision.advice)}
    return {"seed": seed, "stocks": stocks, "lost": high - 1, "open": is_open, **choice}


def kind_of(decision):
    """A decision in a few words."""
    moves = decision.moves
    if moves[0].source == joker.STOCK:
        return "turned the stock"
    if len(moves) > 1:
        return "several moves at once"
    if moves[0].target == joker.FOUNDATION:
        return "put a card up"
    return "put the waste onto a column" if moves[0].source == joker.WASTE else "moved cards of a column"


def still_there(games):
    """The share of games in which the win is there when so many stock cards are left, by that number."""
    shares, most = {}, max(game["stocks"][0] for game in games)
    for stock in (stock for stock in STOCKS if stock <= most):
        there = 0
        for game in games:
            first = next((i for i, left in enumerate(game["stocks"]) if left <= stock), None)
            lost = game["lost"]
            there += lost is None or (first is not None and lost >= first and lost >= 0)
        shares[stock] = there / len(games)
    return shares


def measure_lost(game, seeds, visits):
    variant, choices = find_variant(GAMES[game][0]), GAMES[game][1]
    kernel = find_kernel(variant)(Limits(nodes=NODES))
    deal = partial(variant.deal, choices=choices)
    games = [lost_in(deal, seed, Player(visits=visits), kernel) for seed in seeds]
    thrown = [entry for entry in games if entry["lost"] not in (None, -1)]
    late = sum(entry["stocks"][entry["lost"]] <= 10 for entry in thrown)
    kinds = {}
    for entry in thrown:
        kinds[entry["kind"]] = kinds.get(entry["kind"], 0) + 1
    return {
        "games": len(games),
        "won": sum(entry["lost"] is None for entry in games),
        "never_there": sum(entry["lost"] == -1 for entry in games),
        "thrown_away": len(thrown),
        "with_10_stock_cards_or_fewer": late,
        "undecided": sum(entry.get("open", False) for entry in games),
        "kinds": kinds,
        "still_there": still_there(games),
    }


def measure_shown(game, seeds, visits):
    weights = packed(network_of(*GAMES[game]))
    rows, first = {}, None
    for name, (stock, columns) in SHOWN.items():
        kernel = load("ablation").AblationKernel(*GAMES[game], visits, weights, stock, columns)
        scores = np.array(kernel.scores(seeds.start, len(seeds)))
        first = scores if first is None else first
        row = {"deals": len(scores), "15": float((scores >= 15).mean()), "52": float((scores == 52).mean())}
        for least in (15, 52):
            gain = (scores >= least).astype(int) - (first >= least)
            row[f"gain{least}"] = float(gain.mean())
            row[f"error{least}"] = float(gain.std() / len(gain) ** 0.5)
        rows[name] = row
        gains = f"{100 * row['gain15']:+.1f} and {100 * row['gain52']:+.1f} points"
        print(f"{name}: {row['15']:.1%} with 15 or more, {row['52']:.1%} with 52; {gains}", flush=True)
    return rows


def draw(data, path):
    """The decisions that lose the win, and under them the value of knowing cards, for each game."""
    import matplotlib
    from matplotlib.figure import Figure

    from .published.pictures import LOOK, WIDTH, save

    parts = [
        (part, f"{game}: {title}", figures[name])
        for game, figures in data.items()
        for name, part, title in (
            ("lost", draw_lost, "% with the win still there, by stock left"),
            ("shown", draw_shown, "points of 52 gained by seeing cards"),
        )
        if name in figures
    ]
    with matplotlib.rc_context(LOOK):
        drawing = Figure(figsize=(WIDTH, 1.6 * len(parts)), layout="constrained")
        for axes, (part, title, figures) in zip(
            drawing.subplots(len(parts), 1, squeeze=False)[:, 0], parts, strict=True
        ):
            part(axes, figures)
            axes.set_title(title, loc="left")
        save(drawing, Path(path))


def draw_lost(axes, figures):
    """The share of games that can still be won, by cards left in the stock."""
    from .published.pictures import BLUE, tidy

    shares = figures["still_there"]
    percent = [100 * share for share in shares.values()]
    axes.plot([int(stock) for stock in shares], percent, "o-", color=BLUE, markersize=3)
    axes.set_xlim(max(map(int, shares)) + 1, -1)
    axes.set_ylim(0, 100)
    tidy(axes)


def draw_shown(axes, figures):
    """The gain of seeing some cards."""
    from .published.pictures import ORANGE, tidy

    shown = {name: row for name, row in figures.items() if name != "nothing"}
    places = range(len(shown))[::-1]
    gains = [100 * row["gain52"] for row in shown.values()]
    errors = [196 * row["error52"] for row in shown.values()]
    axes.barh(places, gains, xerr=errors, color=ORANGE, height=0.6, error_kw={"linewidth": 0.6})
    for place, name, gain, error in zip(places, shown, gains, errors, strict=True):
        axes.text(max(gain + error, 0) + 1, place, name, va="center")
    axes.set_xlim(min(0, *(gain - error for gain, error in zip(gains, errors, strict=True))) - 1, 60)
    axes.set_yticks([])
    tidy(axes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", default="joker", choices=GAMES)
    parser.add_argument("--lost", type=parse_deals)
    parser.add_argument("--shown", type=parse_deals)
    parser.add_argument("--visits", type=int, default=500)
    parser.add_argument("--draw")
    asked = parser.parse_args()
    data = json.loads(asked.file.read_text()) if asked.file.exists() else {}
    if asked.draw:
        draw(data, asked.draw)
        return
    figures = data.setdefault(asked.game, {})
    began = time.process_time()
    for name, seeds, measure in (("lost", asked.lost, measure_lost), ("shown", asked.shown, measure_shown)):
        if seeds:
            figures[name] = measure(asked.game, seeds, asked.visits)
            figures[f"{name}_deals"] = [seeds.start, seeds.stop - 1, asked.visits]
            asked.file.write_text(json.dumps(data, indent=1) + "\n")
    print(f"{time.process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
