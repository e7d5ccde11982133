"""Train the networks of the player from scratch, alternating self-play and fitting.

    python -m benchmarks.train_player FOLDER GAME [SECONDS]

GAME is joker, joker-exposed (exchange: exposed) or klondike-one-pass. Each round plays the deals of its entry
in ROUNDS: the first round by play-outs, each later one with the network of the round before. It then fits a
new network to the examples of its games (benchmarks/native/selfplay.pyx) and those of some earlier rounds.
FOLDER keeps examples and networks; a run that was interrupted, or ended after SECONDS, continues where it
was. The last line of output says how to use the network.

The targets are the shares of the samples of a search that reached each tier, mixed with a little of the
game's outcome. Every tenth game is held out; the Brier scores there, of the network and of the shares
themselves, are about the outcomes. The fit uses NumPy.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.native import load

from winnable.solver.player.weights import GAMES, LAYERS, network_of, packed

selfplay = load("selfplay")
EXAMPLE, POSITION = selfplay.example_bytes()
NUMBERS = ("win", "double", "triple", "score", "visits", "game")
DTYPE = np.dtype([("position", f"V{POSITION}"), *((name, "<f4") for name in NUMBERS)], align=True)
PIECE = 250  # games per file
FIRST, COLUMN_UNITS, CARD_UNITS, SECOND = 64, 32, 16, 32
COLUMNS, MOST_CARDS = 7, 30
BATCH, RATE, DECAY = 512, 0.002, 1.0
OUTCOME = 0.15  # weight of the game's outcome in the target of a decision
IMPORTANCE = np.array([0.7, 0.7, 1.6, 1.0], np.float32)  # of the outputs: three tiers and the cards


@dataclass(frozen=True)
class Round:
    """A round of ``games`` deals from the seed ``first`` on, with ``visits`` per decision. Search nodes with
    at least ``least`` visits are examples, too. A network is fitted to these examples and those of ``others``
    earlier rounds in ``epochs`` passes."""

    first: int
    games: int
    visits: int
    least: int
    epochs: int
    others: int = 0


ROUNDS = {
    "joker": (Round(4_000_000, 2000, 100, 40, 3), Round(4_100_000, 4000, 250, 40, 3),
     Round(4_200_000, 6000, 300, 40, 2, others=1), Round(4_300_000, 16000, 600, 80, 2),
     Round(4_400_000, 30000, 300, 50, 2, others=1)),
    "klondike-one-pass": (Round(5_000_000, 1500, 60, 30, 3), Round(5_100_000, 3000, 150, 30, 3),
     Round(5_200_000, 12000, 300, 60, 2)),
}  # fmt: skip


def play(name, number, weights, folder, until):
    """The files with the examples of a round; missing ones are played first. None if the time ``until`` is
    over before."""
    game, choices = GAMES[name]
    line, files = ROUNDS[game][number], []
    kernel = selfplay.SelfPlayKernel(game, choices, line.visits, line.least, weights)
    for begin in range(line.first, line.first + line.games, PIECE):
        files.append(folder / f"{name}-{number}-{begin}.npy")
        if not files[-1].exists():
            if time.monotonic() > until:
                return None
            found, scores = kernel.play(begin, min(PIECE, line.first + line.games - begin))
            part = files[-1].with_suffix(".part")
            with part.open("wb") as file:
                np.save(file, np.frombuffer(found, DTYPE))
            part.rename(files[-1])
            print(
                f"round {number}, deals from {begin}: {np.mean(np.array(scores) == 52):.3f} triples",
                flush=True,
            )
    return files


def counts_of(chosen):
    """Feature counts of the examples ``chosen``: arrays for the whole position, for each column and for each
    card of the waste, and the index where the cards of each example begin. A dummy card ends each waste, so
    that no example is without cards."""
    n = len(chosen)
    whole, column, card = selfplay.sizes()
    counts = np.zeros((n, whole), np.float32)
    columns = np.zeros((n * COLUMNS, column), np.float32)
    cards = np.zeros((n * MOST_CARDS, card), np.float32)
    starts = np.zeros(n + 1, np.int64)
    total = selfplay.fill_counts(
        chosen.tobytes(), *(array.ctypes.data for array in (counts, columns, cards, starts))
    )
    starts[n] = total
    return counts, columns, cards[:total], starts


def summed(rows, starts):
    """The sums of ``rows`` for each example, whose rows begin at ``starts``."""
    running = np.concatenate([np.zeros((1, rows.shape[1]), np.float32), np.cumsum(rows, axis=0)])
    return np.diff(running[starts], axis=0)


def forward(weights, counts):
    """The outputs of every layer for the feature ``counts``."""
    w = dict(zip(LAYERS, weights, strict=True))
    whole, columns, cards, starts = counts
    column = np.maximum(columns @ w["column"] + w["column_bias"], 0)
    card = np.maximum(cards @ w["waste"] + w["waste_bias"], 0)
    pooled = np.hstack([column.reshape(len(whole), COLUMNS, -1).sum(1), summed(card, starts)])
    first = np.maximum(whole @ w["first"] + pooled @ w["pooled"] + w["first_bias"], 0)
    second = np.maximum(first @ w["second"] + w["second_bias"], 0)
    return column, card, pooled, first, second, 1 / (1 + np.exp(-(second @ w["last"] + w["last_bias"])))


def gradients(weights, counts, wanted, importance):
    """The gradients of the logarithmic loss by layer."""
    w = dict(zip(LAYERS, weights, strict=True))
    whole, columns, cards, starts = counts
    column, card, pooled, first, second, stated = forward(weights, counts)
    last = (stated - wanted) * importance / len(whole)
    middle = (last @ w["last"].T) * (second > 0)
    outer = (middle @ w["second"].T) * (first > 0)
    inner = outer @ w["pooled"].T
    of_columns = np.repeat(inner[:, :COLUMN_UNITS], COLUMNS, 0) * (column > 0)
    of_cards = np.repeat(inner[:, COLUMN_UNITS:], np.diff(starts), 0) * (card > 0)
    return (
        *(whole.T @ outer, outer.sum(0), columns.T @ of_columns, of_columns.sum(0)),
        *(cards.T @ of_cards, of_cards.sum(0), pooled.T @ outer),
        *(first.T @ middle, middle.sum(0), second.T @ last, last.sum(0)),
    )


def beginning(rng):
    """The initial, random weights of a network."""
    whole, column, card = selfplay.sizes()
    pooled = COLUMN_UNITS + CARD_UNITS
    shapes = (
        *((whole, FIRST, 0.04), (column, COLUMN_UNITS, 0.2), (card, CARD_UNITS, 0.3)),
        *((pooled, FIRST, 0.05), (FIRST, SECOND, (2 / FIRST) ** 0.5), (SECOND, 4, (1 / SECOND) ** 0.5)),
    )
    made = []
    for rows, units, size in shapes:
        made.append(rng.normal(0, size, (rows, units)).astype(np.float32))
        if rows != pooled:
            made.append(np.zeros(units, np.float32))
    return made


def targets(chosen):
    """The targets of the outputs for the examples ``chosen``, and the weight of each."""
    wanted = np.stack([chosen[name] for name in NUMBERS[:3]] + [np.maximum(chosen["score"], 0) / 52], 1)
    importance = np.tile(IMPORTANCE, (len(chosen), 1))
    is_played = chosen["score"] >= 0
    for i, least in enumerate((15, 25, 52)):
        ends = (chosen["score"] >= least).astype(np.float32)
        wanted[:, i] += np.where(is_played, OUTCOME * (ends - wanted[:, i]), 0)
    importance[~is_played, 3] = 0
    return wanted.astype(np.float32), importance


def stated_of(weights, chosen):
    """The outputs of the network for the examples ``chosen``."""
    parts = range(0, len(chosen), 2048)
    return np.concatenate([forward(weights, counts_of(chosen[i : i + 2048]))[-1] for i in parts])


def judge(weights, held):
    """Brier scores of the tiers for the held-out decisions: of the network and of the search's shares, as
    text."""
    if not len(held):
        return "unknown, nothing was held out"
    stated = stated_of(weights, held)
    ends = np.stack([held["score"] >= least for least in (15, 25, 52)], 1)
    shares = np.stack([held[name] for name in NUMBERS[:3]], 1)
    rms = ((stated[:, :3] - shares) ** 2).mean(0) ** 0.5
    brier, of_shares = (((found - ends) ** 2).mean(0).round(4) for found in (stated[:, :3], shares))
    return f"{brier}, of the shares {of_shares}, apart by {rms.round(4)}"


def mapped(weights, held):
    """The network with its tiers calibrated to the outcomes of the held-out decisions, logit p' = a + b logit
    p by logistic regression: the shares of a search that trusts a pessimistic network are pessimistic
    themselves."""
    stated = stated_of(weights, held)
    *layers, last, bias = weights
    last, bias = last.copy(), bias.copy()
    for tier, least in enumerate((15, 25, 52)):
        ends = (held["score"] >= least).astype(float)
        chances = np.clip(stated[:, tier].astype(float), 1e-4, 1 - 1e-4)
        columns = np.stack([np.ones(len(held)), np.log(chances / (1 - chances))])
        a_and_b = np.array([0.0, 1.0])
        for _ in range(20):
            now = 1 / (1 + np.exp(-a_and_b @ columns))
            slopes = (columns * (now * (1 - now))) @ columns.T + 1e-6 * np.eye(2)
            a_and_b += np.linalg.solve(slopes, columns @ (ends - now))
        last[:, tier] *= a_and_b[1]
        bias[tier] = a_and_b[0] + a_and_b[1] * bias[tier]
    return [*layers, last, bias]


def fit(examples, epochs):
    """A network fitted to ``examples`` in ``epochs`` passes by Adam with weight decay and a rate that falls
    to 0 by a cosine; then calibrated."""
    rng = np.random.default_rng(0)
    is_held = examples["game"] % 10 == 9
    taught = examples[~is_held]
    held = examples[is_held & (examples["score"] >= 0)][:20000]
    weights = beginning(rng)
    means, squares = ([np.zeros_like(layer) for layer in weights] for _ in range(2))
    steps, step, began = epochs * (len(taught) // BATCH), 0, time.process_time()
    print(f"{len(taught)} examples, {len(held)} decisions held out", flush=True)
    for epoch in range(epochs):
        order = rng.permutation(len(taught))
        for begin in range(0, len(taught) - BATCH + 1, BATCH):
            chosen = taught[order[begin : begin + BATCH]]
            step += 1
            rate = RATE * min(1, step / 200) * 0.5 * (1 + np.cos(np.pi * step / steps))
            for i, gradient in enumerate(gradients(weights, counts_of(chosen), *targets(chosen))):
                means[i] += 0.1 * (gradient - means[i])
                squares[i] += 0.001 * (gradient**2 - squares[i])
                scale = np.sqrt(squares[i] / (1 - 0.999**step)) + 1e-8
                weights[i] -= rate * (means[i] / (1 - 0.9**step) / scale)
                if weights[i].ndim == 2:
                    weights[i] -= rate * DECAY * weights[i]
        print(f"epoch {epoch}: Brier {judge(weights, held)}; {time.process_time() - began:.0f} s", flush=True)
    if len(held) > 1000:
        weights = mapped(weights, held)
        print(f"mapped: Brier {judge(weights, held)}", flush=True)
    return weights


def main(folder, game, seconds=1e9):
    until = time.monotonic() + seconds
    folder.mkdir(exist_ok=True)
    path, rounds = None, []
    for number, line in enumerate(ROUNDS[GAMES[game][0]]):
        weights, path = packed(path) if path else None, folder / f"{game}-{number}.npz"
        played = play(game, number, weights, folder, until)
        if played is None:
            return
        rounds.append(played)
        if path.exists():
            continue
        files = [file for files in rounds[number - line.others :] for file in files]
        found = fit(np.concatenate([np.load(file) for file in files]), line.epochs)
        halves = [layer.astype(np.float16) for layer in found]
        np.savez_compressed(path, **dict(zip(LAYERS, halves, strict=True)))
    print(f"cp {path} {network_of(*GAMES[game])}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("seconds", nargs="?", type=float, default=1e9)
    main(**vars(parser.parse_args()))
