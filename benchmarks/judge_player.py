"""Check the fair review of games: how often it finds mistakes of players, and planted blunders.

    python -m benchmarks.judge_player [GAME [GAMES [VISITS]]]

The search player with VISITS samples, the rule player and one who moves at random play the same deals, and
`fair_review` judges their moves with VISITS samples. A planted blunder is a move that loses 30 points of
winning chance or more, by a search with other random numbers and six times the samples, and by games played
to the end after both moves, in a game of the search player at a decision drawn at random; the search player
goes on after it. It is found if the review calls it a blunder.
"""

import argparse
import random
from collections import Counter
from dataclasses import replace

from winnable.rules import VARIANTS, find_variant
from winnable.rules.tables import hidden
from winnable.solver import Limits
from winnable.solver.analysis.fair import BEST, GOOD, VISITS, WORDS, fair_review
from winnable.solver.analysis.move_chances import chances_after, worth_of
from winnable.solver.player.player import Player, decisions
from winnable.solver.player.trials import PLAYERS, Trials

FIRST = 860001  # deal
LONGEST = 100  # moves of a player who moves at random
LEAST_LOSS = 0.3
GAMES = 200  # after each move, to measure what it loses
TRIED = 20  # decisions of a game, in search of one with a planted blunder
UNSEEN = Limits(work=1)  # nothing is asked about results with all cards seen
NAMES = (BEST, GOOD, *(word for word, _ in reversed(WORDS)))


def moves_of(state, player):
    """The moves of a player from a state to the end of the game."""
    return [move for decision in decisions(state, player) for move in decision.moves]


def random_moves(family, state, seed):
    """Moves at random, at most LONGEST."""
    chance, moves = random.Random(seed), []
    while len(moves) < LONGEST and not family.is_won(state) and (legal := family.legal_moves(state)):
        moves.append(chance.choice(legal))
        state = family.apply(state, moves[-1])
    return moves


def ranked(family, table, player):
    """The chances after the legal moves of a table, the best first."""
    return sorted(chances_after(table, family.legal_moves(table), player), key=lambda each: -each.worth)


def played_apart(table, best, worst, seed):
    """The chance that ``worst`` loses against ``best``, by games after both in the same arrangements."""
    player = replace(PLAYERS[table.variant], seed=seed)
    trials = Trials(table, [[best], [worst]], GAMES, player, workers=1).play()
    return worth_of(trials[0].tiers) - worth_of(trials[1].tiers)


def with_blunder(family, state, seed, visits):
    """The moves of a game of the search player with a planted blunder, and its index; None if none of TRIED
    decisions has one."""
    moves, states = moves_of(state, Player(visits=visits)), [state]
    for move in moves:
        states.append(family.apply(states[-1], move))
    chance, judge = random.Random(seed), Player(visits=6 * visits, seed=seed)
    for number in chance.sample(range(len(moves)), min(TRIED, len(moves))):
        at = states[number]
        if len(family.legal_moves(at)) < 2:
            continue
        best, *_, worst = ranked(family, hidden(at), Player(visits=visits // 5, seed=seed))
        if worst.behind(best)[0] < LEAST_LOSS:
            continue
        best, *_, worst = ranked(family, hidden(at), judge)
        if min(worst.behind(best)[0], played_apart(hidden(at), best.move, worst.move, seed)) >= LEAST_LOSS:
            after = family.apply(at, worst.move)
            return [*moves[:number], worst.move, *moves_of(after, Player(visits=visits))], number
    return None


def judged(name, kind, games, visits):
    """Print the shares of words for the moves of a player that were not forced."""
    variant = find_variant(name)
    counts, lost = Counter(), 0.0
    for seed in range(FIRST, FIRST + games):
        state = variant.deal(seed)
        if kind == "random":
            moves = random_moves(variant.family, state, seed)
        else:
            moves = moves_of(state, Player(kind, visits if kind == "search" else None))
        found = fair_review(variant, state, moves, Player(visits=visits, seed=1), UNSEEN)
        counts.update({word: found.count(word) for word in NAMES})
        lost += found.lost
    shares = [f"{counts[word] / counts.total():.2%}" for word in NAMES]
    print(f"| {name}, {kind} | {counts.total()} | {' | '.join(shares)} | {lost / games:.3f} |", flush=True)


def planted(name, games, visits):
    """Print how many planted blunders are called so."""
    variant, tried, found, words = find_variant(name), 0, 0, Counter()
    seed = FIRST + games
    while tried < games:
        state = variant.deal(seed)
        if (game := with_blunder(variant.family, state, seed, visits)) is not None:
            moves, number = game
            step = fair_review(variant, state, moves, Player(visits=visits, seed=1), UNSEEN).steps[number]
            words[step.word] += 1
            tried += 1
        seed += 1
    found = words[WORDS[0][0]]
    print(
        f"\n{name}: {found} of {tried} planted blunders are called blunders; words: {dict(words)}", flush=True
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    among = [name for name, variant in VARIANTS.items() if variant.hiding]
    parser.add_argument("game", nargs="?", default="klondike", choices=among)
    parser.add_argument("games", nargs="?", type=int, default=100)
    parser.add_argument("visits", nargs="?", type=int, default=VISITS)
    given = parser.parse_args()
    print(f"| player | moves | {' | '.join(NAMES)} | lost a game |\n|---|---|{'---|' * (len(NAMES) + 1)}")
    for kind in ("search", "rule", "random"):
        judged(given.game, kind, given.games, given.visits)
    planted(given.game, given.games, given.visits)
