"""Compare the chances that the player states with its results, and fit the mapping that calibrates them.

    python benchmarks/calibrate_player.py [GAME [FILE]]

GAME is joker, joker-exposed (exchange: exposed) or a game of Klondike. The search player plays the deals FIT
and CHECK. FILE stores its games, one JSON object per line; a later run continues with it.

The mapping of CALIBRATION in solver/player/chances.py, logit p' = a + b logit p + c n with n cards not turned
up, which are the unseen ones, is fitted to the decisions of FIT by logistic regression. Each decision counts
once, although decisions of one game are not independent. The tables are those of CHECK: the opening
decisions, one per deal, and all decisions. The Brier score is the mean squared difference of the stated
chance and the outcome, 0 or 1; the constant states the mean outcome of FIT. The gain of the stated chances
over the constant has a standard error over the deals.
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np

from winnable.rules import VARIANTS, find_variant
from winnable.rules.tables import hidden, missing_cards
from winnable.rules.tiers import TIERS
from winnable.solver.player.chances import calibrated, tier_names
from winnable.solver.player.player import Player, decisions
from winnable.solver.player.weights import GAMES

FIT, CHECK = range(10001, 10401), range(10501, 10901)
SHARES = np.array([0, 0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98, 1.0001])


def play(variant, choices, seed, player):
    """Play the deal of ``seed``. Returns its score, and for each decision the number of samples of the chosen
    moves, of those that reached each tier, and of unseen cards."""
    state, found = variant.deal(seed, choices=choices), []
    for decision in decisions(state, player):
        if decision.advice:
            best, unseen = decision.advice[0], len(missing_cards(hidden(decision.state)))
            found.append([best.visits, *best.reached, unseen])
        state = decision.state
        for move in decision.moves:
            state = variant.family.apply(state, move)
    return {"seed": seed, "score": variant.score(state), "decisions": found}


def games_of(variant, choices, path, player):
    """The games of FIT and CHECK by seed; games missing in the file ``path`` are played and added to it."""
    known = {}
    if path and path.exists():
        known = {game["seed"]: game for game in map(json.loads, path.read_text().splitlines())}
    for seed in (*FIT, *CHECK):
        if seed not in known:
            known[seed] = play(variant, choices, seed, player)
            if path:
                with path.open("a") as file:
                    file.write(json.dumps(known[seed]) + "\n")
    return known


def rows_of(games, seeds, tier, least, only_first):
    """Arrays of counts, samples, unseen cards and outcomes (0 or 1), of the decisions of ``seeds`` that were
    not forced. ``least`` is the lowest score of ``tier``; with ``only_first`` each game has only its first
    decision."""
    rows = [
        (decision[1 + TIERS.index(tier)], decision[0], decision[-1], games[seed]["score"] >= least)
        for seed in seeds
        for decision in [d for d in games[seed]["decisions"] if d[0]][: 1 if only_first else None]
    ]
    return np.array(rows, float).T


def logit(counts, samples):
    shares = np.clip((counts + 0.5) / (samples + 1), 0.005, 0.995)
    return np.log(shares / (1 - shares))


def fitted(counts, samples, unseen, outcomes):
    """The parameters a, b and c of the mapping, by Newton's method."""
    columns = np.stack([np.ones_like(counts), logit(counts, samples), unseen])
    weights = np.zeros(3)
    for _ in range(50):
        stated = 1 / (1 + np.exp(-weights @ columns))
        slopes = columns * (stated * (1 - stated))
        weights += np.linalg.solve(slopes @ columns.T, columns @ (outcomes - stated))
    return weights


def show(name, games, tier, least, only_first):
    """Print the tables for one tier."""
    counts, samples, unseen, outcomes = rows_of(games, CHECK, tier, least, only_first)
    cases = zip(*(row.astype(int).tolist() for row in (counts, samples, unseen)), strict=True)
    stated = np.array([calibrated(name, tier, *case).probability for case in cases])
    constant = rows_of(games, FIT, tier, least, only_first)[3].mean()
    scores = [((guess - outcomes) ** 2).mean() for guess in (counts / samples, stated, constant)]
    print(f"\n{'opening decisions' if only_first else 'all decisions'}, {tier}: stated {stated.mean():.3f},")
    print(
        f"observed {outcomes.mean():.3f}; Brier score of the shares {scores[0]:.4f}, stated {scores[1]:.4f},"
    )
    print(f"constant {scores[2]:.4f}")
    if only_first:
        gains = (constant - outcomes) ** 2 - (stated - outcomes) ** 2
        print(
            f"gain on the constant {gains.mean():.4f}, standard error {gains.std() / len(gains) ** 0.5:.4f}"
        )
    print("\n| share of samples | decisions | stated | observed |\n|---|---|---|---|")
    edges = np.quantile(stated, [0, 0.25, 0.5, 0.75, 1]) if only_first else SHARES
    edges[-1] += 0.0001
    for low, high in pairwise(edges):
        here = (stated >= low) & (stated < high)
        if here.any():
            means = f"{stated[here].mean():.3f} | {outcomes[here].mean():.3f}"
            print(f"| {(counts / samples)[here].mean():.3f} | {here.sum()} | {means} |")


def main(name, path):
    game, choices = GAMES.get(name, (name, None))
    variant = find_variant(game)
    games = games_of(variant, choices, path, Player())
    least = {tier: variant.tiers().get(tier, 1) for tier in tier_names(game)}
    for tier in least:
        a, b, c = fitted(*rows_of(games, FIT, tier, least[tier], False))
        print(f"{tier}: {a:.2f}, {b:.2f}, {c:.4f}")
    for tier in least:
        for only_first in (True, False):
            show(name, games, tier, least[tier], only_first)


if __name__ == "__main__":
    names = GAMES.keys() | {name for name, variant in VARIANTS.items() if variant.hiding}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", metavar="GAME", nargs="?", default="joker", choices=sorted(names))
    parser.add_argument("path", metavar="FILE", nargs="?", type=Path)
    main(**vars(parser.parse_args()))
