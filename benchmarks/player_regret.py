"""What settings of the player cost in points a game, found in a minute: the regret of single decisions.

    python -m benchmarks.player_regret [--deals 71001-71030] [--every 9] [--deep 20000] SETTING...

A SETTING is a kind of player and its budget, such as search:500, search:0.02s or rule; with
search:500:FILE the network is that of FILE. Each deal is played by the first setting. At each ``every``-th
decision with a choice all settings think anew, and a search of ``deep`` visits, with another seed, judges the
choices of all of them: what it expects of its own choice, less what it expects of the one made, is the
regret. All settings are judged in the same decisions by the same search, so that their differences are known
better than the regrets themselves. A game has ``every`` times as many decisions as are looked at.

What the network gets wrong for every search is not seen: games must confirm what this accepts. Intervals are
of 95 %, by games, whose decisions are not independent.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from winnable.rules import find_variant, joker
from winnable.rules.joker_view import view_of
from winnable.solver import Limits
from winnable.solver.player.player import Player, find_player_kernel
from winnable.solver.player.weights import packed

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

    def kernel(self, game, **changes):
        """A kernel that plays so, or with other visits and another seed."""
        player = Player(self.player.kind, **changes) if changes else self.player
        kernel = find_player_kernel()(Limits(), player)
        if self.network is not None:
            kernel.learn(game, packed(self.network))
        return kernel


def worths(ranked):
    """What a search expects of each choice, by its moves: utility and triples."""
    found = {}
    for moves, visits, reached in ranked:
        shares = np.array(reached) / max(visits, 1)
        found[tuple(moves)] = np.array([shares @ UTILITY, shares[2]])
    return found


def regrets_of(variant, seed, kernels, judge, every):
    """Of a game: for each decision looked at, the regret of each setting in utility and triples."""
    state, number, found = variant.deal(seed), seed, []
    leader = kernels[0]
    leader.begin_deal()
    while moves := leader.choose(view := view_of(state)):
        if len(leader.choices(view)) > 1:
            number += 1
            if number % every == 0:
                found.append(regrets_at(view, kernels, judge))
                leader.begin_deal()
        for move in moves:
            state = joker.apply(state, move)
    return found


def regrets_at(view, kernels, judge):
    """The regrets of all settings in one position."""
    made = []
    for kernel in kernels:
        kernel.begin_deal()
        made.append(tuple(kernel.choose(view)))
    judge.begin_deal()
    best = tuple(judge.choose(view))
    worth = worths(judge.ranked())
    return [np.append(worth[best] - worth[choice], choice == best) for choice in made]


def interval(games):
    """The mean of what games came to, and half the width of its interval."""
    return games.mean(), 1.96 * games.std(ddof=1) / len(games) ** 0.5


def measure(settings, game, seeds, every, deep):
    """Regrets by game, decision and setting, in points; what was looked at in each decision is the last."""
    variant = find_variant(game)
    kernels = [setting.kernel(game) for setting in settings]
    judge = max(settings, key=lambda setting: setting.player.kind != "rule").kernel(
        game, visits=deep, seed=JUDGE_SEED
    )
    return [regrets_of(variant, seed, kernels, judge, every) for seed in seeds]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="joker")
    parser.add_argument("--deals", default="71001-71030")
    parser.add_argument("--every", type=int, default=9)
    parser.add_argument("--deep", type=int, default=20_000)
    parser.add_argument("settings", nargs="+", type=Setting.parse)
    asked = parser.parse_args()
    first, _, last = asked.deals.partition("-")
    began = time.process_time()
    found = measure(asked.settings, asked.game, range(int(first), int(last) + 1), asked.every, asked.deep)
    count = sum(map(len, found))
    print(f"{len(found)} games, {count} decisions, {time.process_time() - began:.0f} s of processor time")
    print("| setting | choice of the judge | regret, points of 52 a game | of utility |\n|---|---|---|---|")
    sums = np.array([np.sum(game, axis=0) if game else np.zeros((len(asked.settings), 3)) for game in found])
    points = 100 * asked.every * sums[:, :, :2]
    for i, setting in enumerate(asked.settings):
        (loss, width), (utility, breadth) = interval(points[:, i, 1]), interval(points[:, i, 0])
        same = sums[:, i, 2].sum() / count
        print(f"| {setting.text} | {same:.0%} | {loss:.1f} +- {width:.1f} | {utility:.1f} +- {breadth:.1f} |")
    for i, setting in enumerate(asked.settings[1:], 1):
        gain, width = interval(points[:, 0, 0] - points[:, i, 0])
        print(
            f"{setting.text} against {asked.settings[0].text}: {gain:+.1f} +- {width:.1f} points of utility"
        )


if __name__ == "__main__":
    main()
