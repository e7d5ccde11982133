"""Fit and check the mapping that calibrates the chances of the search player.

    python -m benchmarks.calibrate_player GAME FILE [--fit TABLES] [--check TABLES]

GAME is joker, joker-exposed (exchange: exposed) or a game of Klondike. Tables are of two kinds: *openings*,
and *partly known* ones, random positions from games of the rule player in which 7 to 24 of the unseen cards,
drawn at random, are unknown, and the others known. Moves that the player makes without a search, such as
those through a stock that may be seen first, are made before. The search player states the chances of its
first move, and plays on in a random arrangement of the unknown cards. FILE stores the games, one JSON list
per line; a later run continues with it.

The mapping, see CALIBRATION of solver/player/chances.py, is fitted to the tables of the seeds from FIT on,
each played in REPLAYS arrangements: to their first decisions, and to those of the first arrangement with less
than LEAST unknown cards, which together weigh at most as much as one. The products of the errors in two
arrangements of a table give the spread, see SPREAD there: how far the chances of tables lie from what is
stated for them. What is printed then is for tables of the seeds from CHECK on, played once each, by the
mapping in CALIBRATION.
"""

import argparse
import json
import random
from itertools import chain, combinations, count, islice, pairwise, product
from pathlib import Path

import numpy as np

from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import UNKNOWN
from winnable.rules.hidden_cards import STOCK
from winnable.rules.tables import filled, hidden, missing_cards, put
from winnable.rules.tiers import TIERS
from winnable.solver import Limits
from winnable.solver.engine import find_kernel
from winnable.solver.player.chances import Mapping, calibrated, known_cards, tier_names
from winnable.solver.player.player import Player, decisions, find_player_kernel, table_after
from winnable.solver.player.weights import GAMES

KINDS = ("openings", "partly known")
FIT, CHECK, REPLAYS = 20_001, 30_001, 4
LEAST, MOST = 7, 24
PROOF = Limits(work=20_000)
PLAYER = Player()

RATES = {
    "joker": {"win": 0.5695, "double": 0.4520, "triple": 0.3760},
    "joker-exposed": {"win": 0.6060, "double": 0.5370, "triple": 0.5230},
    "klondike": {"win": 0.5095},
    "klondike-draw-one": {"win": 0.7086},
    "klondike-vegas": {"win": 0.1370},
}
"""The rates of the search player in benchmarks/RESULTS.md, from 2,000 to 15,000 deals."""


# --- Games --------------------------------------------------------------------------------------------------


def partly_known(state, chance):
    """Return a table of a random position of the rule player's game from ``state``; None if too few cards
    are hidden there."""
    state = chance.choice([decision.state for decision in decisions(state, Player("rule"))])
    places = [(column, depth) for column, count in enumerate(state.hidden) for depth in range(count)]
    if not state.is_stock_known:
        places += [(STOCK, depth) for depth in range(len(state.stock))]
    if len(places) < LEAST:
        return None
    chosen = chance.sample(places, chance.randint(LEAST, min(MOST, len(places))))
    return put(state, chosen, [UNKNOWN] * len(chosen))


def moved(table, state, moves):
    """Return ``table`` and ``state``, the same position with all cards known, after ``moves``."""
    table = table_after(table, state, moves)
    for move in moves:
        state = find_variant(state.variant).family.apply(state, move)
    return table, state


def arranged(table, chance):
    """Return ``table`` with its unknown cards in a random arrangement."""
    cards = missing_cards(table)
    chance.shuffle(cards)
    return filled(table, cards)


def first_decision(table, kernel, chance):
    """Return the table of the first decision that ``kernel`` evaluates from ``table`` on; None without."""
    state = arranged(table, chance)
    kernel.begin_deal()
    while moves := kernel.choose(table, True):
        if kernel.ranked()[0][1]:
            return table
        table, state = moved(table, state, moves)
    return None


def is_lost(state):
    """Test whether it is proved quickly that ``state`` cannot be won; never with tiers."""
    variant = find_variant(state.variant)
    return not variant.scoring and find_kernel(variant, state.choices)(PROOF).solve(state).won is False


def play(table, kernel, chance, is_whole):
    """Play ``table`` in a random arrangement. Returns the score, and for each decision the number of samples
    of the chosen moves, of those that reached each tier, of unknown cards and of known ones not turned up.
    Unless ``is_whole``, only the first decision is noted, and the game ends where it is lost."""
    state, found = arranged(table, chance), []
    kernel.begin_deal()
    while moves := kernel.choose(table, not found):
        _, samples, reached = next(iter(kernel.ranked()), (moves, 0, ()))
        if samples and (is_whole or not found):
            found.append([samples, *reached, len(missing_cards(table)), known_cards(table)])
        if not is_whole and is_lost(state):
            break
        table, state = moved(table, state, moves)
    return find_variant(state.variant).score(state), found


def games_of(variant, choices, path, numbers):
    """Yield the kind, the seed, the score and the decisions of the games of as many tables of FIT and CHECK,
    of each kind, as ``numbers`` has. Those that the file ``path`` lacks are played and added to it."""
    kernel = find_player_kernel(variant, choices)(Limits(), PLAYER)
    stored = {}
    for game in map(json.loads, path.read_text().splitlines() if path.exists() else ()):
        stored.setdefault((game[0], game[1]), []).append(game)

    def games(kind, seed):
        if (kind, seed) not in stored:
            stored[kind, seed] = [*played(variant, choices, kind, seed, kernel)]
            with path.open("a") as file:
                file.writelines(json.dumps(game) + "\n" for game in stored[kind, seed])
        return stored[kind, seed]

    for kind, (first, number) in product(KINDS, zip((FIT, CHECK), numbers, strict=True)):
        evaluated = (found for seed in count(first) if (found := games(kind, seed))[0][3])
        yield from chain.from_iterable(islice(evaluated, number))


def played(variant, choices, kind, seed, kernel):
    """Yield the games of the table of a seed; one without decisions if there is nothing to evaluate."""
    chance = random.Random(seed)
    state = variant.deal(seed, choices=choices)
    table = hidden(state) if kind == KINDS[0] else partly_known(state, chance)
    if table is not None:
        table = first_decision(table, kernel, chance)
    if table is None:
        yield kind, seed, 0, []
        return
    for number in range(REPLAYS if seed < CHECK else 1):
        yield kind, seed, *play(table, kernel, chance, seed < CHECK and number == 0)


# --- The mapping --------------------------------------------------------------------------------------------


def rows_of(games, tier, least):
    """Arrays of counts, samples, unknown and known cards, outcomes and weights of the decisions of ``games``
    that are the first ones or have less than LEAST unknown cards, and of whether they are the first ones, and
    from openings. ``least`` is the lowest score of ``tier``."""
    rows = [
        (
            *(row[1 + TIERS.index(tier)], row[0], *row[-2:], score >= least),
            *(1 / len(found) if number else 1, number == 0, kind == KINDS[0]),
        )
        for kind, _, score, found in games
        for number, row in enumerate(found)
        if number == 0 or row[-2] < LEAST
    ]
    return np.array(rows, float).T


def columns_of(counts, samples, unknown, known):
    """The terms of the mapping: those of its level, then those of its slope."""
    shares = np.clip((counts + 0.5) / (samples + 1), 0.005, 0.995)
    logits, one = np.log(shares / (1 - shares)), np.ones_like(counts)
    size = np.log(1 + unknown)
    return np.stack([one, size, known / (10 + unknown), logits, size * logits])


def regression(columns, outcomes, weights):
    """The coefficients of a logistic regression, by Newton's method; a weak ridge keeps them finite."""
    found, ridge = np.zeros(len(columns)), 1e-3 * np.eye(len(columns))
    for _ in range(30):
        stated = 1 / (1 + np.exp(-found @ columns))
        slopes = columns * (stated * (1 - stated) * weights)
        step = columns @ ((outcomes - stated) * weights) - ridge @ found
        found += np.linalg.solve(slopes @ columns.T + ridge, step)
    return found


def fitted(games, tier, least, rate=None):
    """The mapping for ``tier`` that fits ``games``, and the spread about it, see SPREAD. Games of openings
    are weighted so that they reach the tier at the ``rate`` of many more deals, if that is known."""
    *cases, outcomes, weights, is_first, is_opening = rows_of(games, tier, least)
    if rate is not None:
        here = outcomes[(is_first * is_opening) == 1].mean()
        factors = np.where(outcomes == 1, rate / here, (1 - rate) / (1 - here))
        weights = np.where(is_opening == 1, weights * factors, weights)
    columns = columns_of(*cases)
    found = regression(columns, outcomes, weights)
    stated = 1 / (1 + np.exp(-found @ columns))
    errors, squares = (outcomes - stated)[is_first == 1], (columns[[0, 2]] * (stated * (1 - stated)) ** 2).T
    tables = {}
    for number, (kind, seed, *_) in enumerate(games):
        tables.setdefault((kind, seed), []).append(number)
    pairs = np.array([pair for numbers in tables.values() for pair in combinations(numbers, 2)]).T
    products = errors[pairs[0]] * errors[pairs[1]]
    spread = np.linalg.lstsq(squares[is_first == 1][pairs[0]], products)[0]
    found = found.round(4).tolist()
    return Mapping(tuple(found[:3]), tuple(found[3:])), spread.round(2).tolist()


# --- Checks -------------------------------------------------------------------------------------------------


def check(name, kind, games, tier, least):
    """Print how the chances stated for the first decisions of ``games`` hold."""
    counts, samples, unknown, known, outcomes, *_ = rows_of(games, tier, least)
    cases = zip(*(row.astype(int).tolist() for row in (counts, samples, unknown, known)), strict=True)
    chances = [calibrated(name, tier, *case) for case in cases]
    stated, low, high = (
        np.array([getattr(chance, field) for chance in chances]) for field in ("probability", "low", "high")
    )
    terms = np.stack([np.ones_like(stated), np.log(stated / (1 - stated))])
    bias, slope = (stated - outcomes).mean(), regression(terms, outcomes, np.ones_like(stated))[1]
    error = ((stated - outcomes) ** 2).mean()
    print(f"\n{kind}, {tier}: {len(games)} tables, stated {stated.mean():.1%}, reached {outcomes.mean():.1%}")
    print(f"bias {100 * bias:+.1f} points; slope {slope:.2f}; Brier score {error:.4f}")
    print("\n| stated | tables | mean | reached | interval |\n|---|---|---|---|---|")
    for first, last in pairwise(np.linspace(0, 1, 11)):
        here = (stated >= first) & (stated < last)
        if here.any():
            means = [f"{row[here].mean():.1%}" for row in (stated, outcomes, low, high)]
            row = f"{first:.0%} to {last:.0%} | {here.sum()} | {means[0]} | {means[1]}"
            print(f"| {row} | {means[2]} to {means[3]} |")


def main(name, path, numbers):
    game, choices = GAMES.get(name, (name, None))
    variant = find_variant(game)
    games = [*games_of(variant, choices, path, numbers)]
    fit = [game for game in games if game[1] < CHECK]
    for tier in tier_names(game):
        least = variant.tiers().get(tier, 1)
        if fit:
            mapping, spread = fitted(fit, tier, least, RATES.get(name, {}).get(tier))
            print(f"{tier}: {mapping}; spread {spread}")
        for kind in KINDS if numbers[1] else ():
            checked = [game for game in games if game[0] == kind and game[1] >= CHECK]
            check(name, kind, checked, tier, least)


if __name__ == "__main__":
    names = GAMES.keys() | {name for name, variant in VARIANTS.items() if variant.hiding}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", metavar="GAME", choices=sorted(names))
    parser.add_argument("path", metavar="FILE", type=Path)
    parser.add_argument("--fit", metavar="TABLES", type=int, default=200)
    parser.add_argument("--check", metavar="TABLES", type=int, default=2000)
    given = parser.parse_args()
    main(given.name, given.path, (given.fit, given.check))
