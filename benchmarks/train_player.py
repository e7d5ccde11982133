"""Trains the network of the quick player for one more round, on games of the player as it is.

    python benchmarks/train_player.py FIRST GAMES FILE

The player, at VISITS visits, plays the deals FIRST, FIRST + 1, ...; most games begin with some decisions made
by chance, so that positions are met which it would avoid. From then on each decision with a choice is an
example: the features of the position, the shares of the samples that its search took to reach each tier, and
the score that the game ended with. What is fitted is OWN times the former and 1 - OWN times the latter, from
the weights there are. Each tenth game is held out; its loss is that of the outcomes. FILE gets the new
weights, in the form of solver/player/value.npz.
"""

from __future__ import annotations

import random
import sys

import numpy as np

from winnable.rules import find_variant, joker
from winnable.rules.joker_view import view_of
from winnable.solver import Limits
from winnable.solver.player.player import Player, find_player_kernel
from winnable.solver.player.weights import layers

VISITS = 300
OWN = 0.6
EPOCHS, BATCH, RATE, DECAY = 3, 512, 0.0015, 1.0
FEATURES = len(layers()["first"])


def random_choice(choices, rng):
    """The moves of the highest score with noise: mostly little of it, sometimes much."""
    noise = 400 if rng.random() < 1 / 12 else 20
    return max(choices, key=lambda choice: choice[1] + noise * rng.random())[0]


def examples_of(variant, seed, kernel, rng):
    """Counts of features, shares of the search and outcomes of the decisions of one game."""
    state, number, found = variant.deal(seed), 0, []
    by_chance = rng.randrange(70) if rng.random() < 0.7 else 0
    kernel.begin_deal()
    while True:
        view = view_of(state)
        choices = kernel.choices(view)
        if number < by_chance and choices:
            moves = random_choice(choices, rng)
        else:
            moves = kernel.choose(view)
            if len(choices) > 1 and moves:
                counts = np.bincount(kernel.features(view), minlength=FEATURES).astype(np.uint8)
                samples = np.array([[visits, *reached] for _, visits, reached in kernel.ranked()]).sum(0)
                found.append((counts, samples[1:] / samples[0]))
        if not moves:
            break
        for move in moves:
            state = joker.apply(state, move)
        number += 1
    score = joker.score(state)
    outcome = np.array([score >= 15, score >= 25, score == 52, score / 52], np.float32)
    return [(counts, shares, outcome) for counts, shares in found]


def outputs(weights, rows):
    """Both hidden layers and the outputs for ``rows`` of counts."""
    first = np.maximum(rows @ weights[0] + weights[1], 0)
    second = np.maximum(first @ weights[2] + weights[3], 0)
    return first, second, 1 / (1 + np.exp(-(second @ weights[4] + weights[5])))


def losses(weights, rows, outcomes):
    """Log loss and Brier score of each output."""
    blocks = [rows[i : i + 4096].astype(np.float32) for i in range(0, len(rows), 4096)]
    stated = np.clip(np.concatenate([outputs(weights, block)[2] for block in blocks]), 1e-6, 1 - 1e-6)
    log = -(outcomes * np.log(stated) + (1 - outcomes) * np.log(1 - stated)).mean(0)
    return f"log loss {log.round(4)}, Brier {((stated - outcomes) ** 2).mean(0).round(4)}"


def gradients(weights, rows, wanted):
    first, second, stated = outputs(weights, rows)
    last = (stated - wanted) * np.array([1, 1, 1.5, 1], np.float32) / len(rows)
    middle = (last @ weights[4].T) * (second > 0)
    outer = (middle @ weights[2].T) * (first > 0)
    return rows.T @ outer, outer.sum(0), first.T @ middle, middle.sum(0), second.T @ last, last.sum(0)


def fit(weights, rows, wanted, rng):
    """Adam with decay of the weights and a rate that falls by a cosine to 0."""
    means = [np.zeros_like(layer) for layer in weights]
    squares = [np.zeros_like(layer) for layer in weights]
    steps, step = EPOCHS * (len(rows) // BATCH), 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(rows))
        for begin in range(0, len(rows) - BATCH + 1, BATCH):
            batch = order[begin : begin + BATCH]
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            found = gradients(weights, rows[batch].astype(np.float32), wanted[batch])
            for i, gradient in enumerate(found):
                means[i] += 0.1 * (gradient - means[i])
                squares[i] += 0.001 * (gradient**2 - squares[i])
                scale = np.sqrt(squares[i] / (1 - 0.999**step)) + 1e-8
                weights[i] -= rate * (means[i] / (1 - 0.9**step) / scale)
                if weights[i].ndim == 2:
                    weights[i] -= rate * DECAY * weights[i]


def main(first, games, file):
    variant, rng = find_variant("joker"), random.Random(int(first))
    kernel = find_player_kernel()(Limits(), Player("quick", visits=VISITS))
    played = [examples_of(variant, seed, kernel, rng) for seed in range(int(first), int(first) + int(games))]
    kept = [example for number, game in enumerate(played) if number % 10 != 9 for example in game]
    held = [example for number, game in enumerate(played) if number % 10 == 9 for example in game]
    rows, shares, outcomes = (np.array(column) for column in zip(*kept, strict=True))
    others, _, ends = (np.array(column) for column in zip(*held, strict=True))
    wanted = outcomes.copy()
    wanted[:, :3] = (1 - OWN) * outcomes[:, :3] + OWN * shares
    weights = [layer.copy() for layer in layers().values()]
    print(f"{len(rows)} examples, {len(others)} held out; before: {losses(weights, others, ends)}")
    fit(weights, rows, wanted, np.random.default_rng(0))
    print(
        f"after: {losses(weights, others, ends)}; constant {((wanted.mean(0) - ends) ** 2).mean(0).round(4)}"
    )
    halves = [layer.astype(np.float16) for layer in weights]
    np.savez_compressed(file, **dict(zip(layers(), halves, strict=True)))


if __name__ == "__main__":
    main(*sys.argv[1:])
