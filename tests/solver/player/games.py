"""Tests shared by the players of all games."""

from __future__ import annotations

import random
from collections import Counter

from winnable.rules import find_variant
from winnable.rules.tables import filled, hidden, missing_cards
from winnable.solver import Limits
from winnable.solver.core.record import OUTCOMES, UNFINISHED
from winnable.solver.player.player import Outcome, Player, play_game


def after(state, moves):
    """The state after ``moves``."""
    for move in moves:
        state = state.apply(move)
    return state


def check_that_nothing_is_peeked(make_kernel, game, decisions, choices=None):
    """Permute the unseen cards before every decision, and continue in the permuted deal: decisions must not
    change."""
    made, seed = 0, 0
    rng = random.Random(0)
    while made < decisions:
        seed += 1
        one, other = make_kernel(), make_kernel()
        state = find_variant(game).deal(seed, choices=choices)
        one.begin_deal()
        other.begin_deal()
        while True:
            unseen = missing_cards(hidden(state))
            rng.shuffle(unseen)
            permuted = filled(hidden(state), unseen)
            moves = one.choose(hidden(state))
            assert moves == other.choose(hidden(permuted))
            assert one.ranked() == other.ranked()
            if not moves:
                break
            made += len(one.choices(hidden(state))) > 1
            state = after(permuted, moves)


def replayed_batch(kernel, game, deals, choices=None):
    """Play a batch, and the same games by the rules; both must agree. Returns the records and the results."""
    records = kernel.solve_seeds(game, 1, deals, choices).array
    variant = find_variant(game)
    results = [play_game(variant.deal(int(seed), choices=choices), kernel) for seed in records["seed"]]
    for record, result in zip(records, results, strict=True):
        told = (result.score, len(result.moves), result.samples)
        assert told == (record["score"], record["moves"], record["expanded"])
        assert result.verdict == OUTCOMES[record["verdict"]]
        assert (record["score_bound"], record["exact"], result.decisions) == (-1, -1, record["generated"])
    return records, results


def check_that_equal_seeds_play_equal_games(make_kernel, game):
    """Kernels made by ``make_kernel(seed)``, with a player of that seed, must play equal games."""
    first = make_kernel(0).solve_seeds(game, 1, 5).array
    kernel = make_kernel(0)
    kernel.solve_seeds(game, 30, 2)
    again = kernel.solve_seeds(game, 1, 5).array
    for name in ("score", "moves", "expanded"):
        assert (first[name] == again[name]).all()
    other = make_kernel(1).solve_seeds(game, 1, 5).array
    assert (first["expanded"] != other["expanded"]).any()


def check_that_samples_are_uniform(kernel, table, places):
    """Samples must consist of the unseen cards, each equally often in each of the ``places``."""
    kernel.begin_deal()
    draws = [kernel.sample(table) for _ in range(4000)]
    assert all(sorted(draw) == missing_cards(table) for draw in draws)
    expected = 4000 / len(missing_cards(table))
    for place in (*places, len(missing_cards(table)) - 1):
        counts = Counter(draw[place] for draw in draws)
        assert len(counts) == len(missing_cards(table))
        # 38 degrees of freedom at most
        assert sum((count - expected) ** 2 / expected for count in counts.values()) < 85


def check_that_limits_end_a_game(make_kernel, game, nodes, player):
    """Limits must end a game; ``make_kernel(limits, player)`` makes a kernel of the player of ``game``."""
    played = make_kernel(Limits(nodes=nodes), player).solve_seeds(game, 1, 3).array
    assert (played["reason"] == 1).all()
    assert (played["verdict"] == UNFINISHED).all()
    assert (played["expanded"] < 2.2 * nodes).all()
    one = play_game(find_variant(game).deal(1), make_kernel(Limits(nodes=nodes), player))
    assert (one.verdict, one.tier, one.reason) == (Outcome.UNFINISHED, "none", "nodes")
    assert make_kernel(Limits(seconds=0), Player("rule")).solve_seeds(game, 1, 1).array["moves"] == [0]
