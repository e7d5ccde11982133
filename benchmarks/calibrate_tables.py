"""Compare the player's estimates for tables with unknown cards with its results on them.

    python benchmarks/calibrate_tables.py [GAME [TABLES [VISITS]]]

A table is a random position from a game of the rule player. From 7 to 24 of its unseen cards, drawn at
random, are unknown, and the others are known. The estimate is the chance of a win that the search player
states for its first move. Then it plays on in a random arrangement of the unknown cards. Tables in which the
player has nothing to evaluate are left out.
"""

import argparse
import random
from itertools import pairwise

from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import UNKNOWN
from winnable.rules.hidden_cards import STOCK
from winnable.rules.tables import filled, missing_cards, put
from winnable.rules.tiers import NO_TIER
from winnable.solver import Limits
from winnable.solver.core.intervals import wilson
from winnable.solver.player.player import Player, advise, decisions, find_player_kernel, play_game

LEAST, MOST = 7, 24
ENDS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)


def tables(variant, seeds):
    """Yield a seed and its table, at most one per seed."""
    for seed in seeds:
        chance = random.Random(seed)
        states = [decision.state for decision in decisions(variant.deal(seed), Player("rule"))]
        state = chance.choice(states)
        places = [(column, depth) for column, count in enumerate(state.hidden) for depth in range(count)]
        if not getattr(state, "is_stock_known", False):
            places += [(STOCK, depth) for depth in range(len(state.stock))]
        if len(places) >= LEAST:
            chosen = chance.sample(places, chance.randint(LEAST, min(MOST, len(places))))
            yield seed, put(state, chosen, [UNKNOWN] * len(chosen))


def compared(variant, count, visits):
    """Pairs of the estimate and whether the game was won."""
    player, pairs = Player(visits=visits), []
    kernel = find_player_kernel(variant)(Limits(), player)
    for seed, table in tables(variant, range(1, 100 * count)):
        best = next(iter(advise(table, player)), None)
        if best is None or not best.tiers:
            continue
        unknown = missing_cards(table)
        random.Random(seed).shuffle(unknown)
        game = play_game(filled(table, unknown), kernel, table=table)
        pairs.append((best.tiers["win"].probability, game.tier != NO_TIER))
        if len(pairs) == count:
            break
    return pairs


def report(pairs):
    """Print the pairs in bins of the estimate, with the rate of wins and its 95 % interval."""
    print("| stated | tables | mean stated | reached |\n|---|---|---|---|")
    bounds = [0, *ENDS, 1.0001]
    for low, high in pairwise(bounds):
        part = [(stated, won) for stated, won in pairs if low <= stated < high]
        if part:
            stated, won = (sum(map(float, each)) for each in zip(*part, strict=True))
            least, most = wilson(round(won), len(part))
            row = [f"{low:.0%} to {min(high, 1):.0%}", len(part), f"{stated / len(part):.1%}"]
            row += [f"{won / len(part):.1%} ({least:.1%}-{most:.1%})"]
            print(f"| {' | '.join(map(str, row))} |")
    mean = [sum(map(float, each)) / len(pairs) for each in zip(*pairs, strict=True)]
    brier = sum((stated - won) ** 2 for stated, won in pairs) / len(pairs)
    print(f"\n{len(pairs)} tables: stated {mean[0]:.1%}, reached {mean[1]:.1%}, Brier score {brier:.4f}")


def main(name, count, visits):
    """Compare ``count`` tables of a game."""
    print(f"{name}, {visits} visits")
    report(compared(find_variant(name), count, visits))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    games = [name for name, variant in VARIANTS.items() if variant.hiding]
    parser.add_argument("game", nargs="?", default="klondike", choices=games)
    parser.add_argument("tables", nargs="?", type=int, default=300)
    parser.add_argument("visits", nargs="?", type=int, default=1000)
    given = parser.parse_args()
    main(given.game, given.tables, given.visits)
