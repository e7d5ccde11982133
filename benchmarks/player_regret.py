"""Compare settings of the player, in points a game, in a minute.

    python -m benchmarks.player_regret [--deals 71001-71500] [--every 3] [--deep 8000] SETTING SETTING...

A SETTING is a kind of player and its budget, such as search:500, search:0.02s or rule; with
search:500:FILE the network is that of FILE. Each deal is played by the first setting. At each ``every``-th
decision with a choice all settings think anew. Where they do not choose alike, a search of ``deep`` visits,
with another seed, tells what it expects of each choice: that of a setting, less that of the first setting, is
what the one gains on the other. Where they choose alike, which is nine times in ten, there is nothing to
judge, and no time is spent on it. A game has ``every`` times as many decisions as are looked at.

With a first setting of so many visits as the judge has, what the others lose on it is their regret. What the
network gets wrong for every search is not seen: games must confirm what this accepts. Intervals are of 95 %,
by games, whose decisions are not independent.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from benchmarks.figures import parse_deals

from winnable.rules import find_variant, joker
from winnable.rules.joker_view import view_of
from winnable.solver import Limits
from winnable.solver.player.player import Player, find_player_kernel
from winnable.solver.player.weights import GAMES, packed

UTILITY = np.array([0.20, 0.15, 0.60])  # of each tier, as in search.pyx
JUDGE_SEED = 987_654_321


@dataclass(frozen=True)
class Setting:
    """A player, and the network it has, if not the usual one."""

    text: str
    player: Player
    network: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Setting:
        """The setting written as ``text``."""
        kind, _, rest = text.partition(":")
        budget, _, file = rest.partition(":")
        if budget.endswith("s"):
            player = Player(kind, seconds=float(budget[:-1]))
        else:
            player = Player(kind, visits=int(budget) if budget else None)
        return cls(text, player, Path(file) if file else None)

    def kernel(self, **changes):
        """A kernel that plays so, or with other visits and another seed."""
        player = Player(self.player.kind, **changes) if changes else self.player
        kernel = find_player_kernel()(Limits(), player)
        if self.network is not None:
            kernel.learn(packed(self.network))
        return kernel


def worths(ranked):
    """Utility and triples that a search expects of each choice, by its moves."""
    found = {}
    for moves, visits, reached in ranked:
        shares = np.array(reached) / max(visits, 1)
        found[tuple(moves)] = np.array([shares @ UTILITY, shares[2]])
    return found


def gains_of(state, seed, kernels, judge, every):
    """Of a game from ``state`` on: for each decision looked at, the gain of each setting on the first in
    utility and triples, and whether it chose alike."""
    number, found = seed, []
    leader = kernels[0]
    leader.begin_deal()
    while moves := leader.choose(view := view_of(state)):
        if len(leader.choices(view)) > 1:
            number += 1
            if number % every == 0:
                found.append(gains_at(view, kernels, judge))
                leader.begin_deal()
        for move in moves:
            state = joker.apply(state, move)
    return found


def gains_at(view, kernels, judge):
    """The gains of all settings in one position."""
    made = []
    for kernel in kernels:
        kernel.begin_deal()
        made.append(tuple(kernel.choose(view)))
    if len(set(made)) == 1:
        return [np.array([0.0, 0.0, 1.0])] * len(made)
    judge.begin_deal()
    judge.choose(view)
    worth = worths(judge.ranked())
    return [np.append(worth[choice] - worth[made[0]], choice == made[0]) for choice in made]


def interval(games):
    """The mean of what games came to, and half the width of its interval."""
    return games.mean(), 1.96 * games.std(ddof=1) / len(games) ** 0.5


@cache
def players_of(settings, deep):
    """The kernels of the settings and the judge, once a process."""
    judge = max(settings, key=lambda setting: setting.player.kind != "rule")
    return [setting.kernel() for setting in settings], judge.kernel(visits=deep, seed=JUDGE_SEED)


def gains_of_seed(settings, game, deep, every, seed):
    """`gains_of` a deal, and the seconds of processor time that they took."""
    began = time.process_time()
    name, choices = GAMES[game]
    state = find_variant(name).deal(seed, choices=choices)
    found = gains_of(state, seed, *players_of(settings, deep), every)
    return found, time.process_time() - began


def measure(settings, game, seeds, every, deep):
    """Gains by game, decision and setting, whether the choice was the same being the last of each; and the
    seconds of processor time. All processors work."""
    task = partial(gains_of_seed, tuple(settings), game, deep, every)
    with ProcessPoolExecutor() as pool:
        found, seconds = zip(*pool.map(task, seeds, chunksize=4), strict=True)
    return found, sum(seconds)


def tell(settings, found, every):
    """Print the table."""
    count = sum(map(len, found))
    sums = np.array([np.sum(game, axis=0) if game else np.zeros((len(settings), 3)) for game in found])
    print(f"against {settings[0].text}, points a game, 95 %:\n")
    print("| setting | same choice | 52 cards | utility |\n|---|---|---|---|")
    for i, setting in enumerate(settings[1:], 1):
        same = sums[:, i, 2].sum() / count
        gains = [interval(100 * every * sums[:, i, j]) for j in (1, 0)]
        cells = [setting.text, f"{same:.1%}", *(f"{gain:+.1f} +- {width:.1f}" for gain, width in gains)]
        print(f"| {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="joker", choices=GAMES)
    parser.add_argument("--deals", type=parse_deals, default=range(71001, 71501))
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--deep", type=int, default=8_000)
    parser.add_argument("first", type=Setting.parse)
    parser.add_argument("others", nargs="+", type=Setting.parse)
    asked = parser.parse_args()
    settings, began = [asked.first, *asked.others], time.monotonic()
    found, spent = measure(settings, asked.game, asked.deals, asked.every, asked.deep)
    print(f"{len(found)} games, {sum(map(len, found))} decisions, {time.monotonic() - began:.0f} s, ", end="")
    print(f"{spent:.0f} s of processor time, ", end="")
    tell(settings, found, asked.every)


if __name__ == "__main__":
    main()
