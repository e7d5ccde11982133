"""Tests of the players of all games."""

from __future__ import annotations

import random

from winnable.rules import find_variant
from winnable.rules.views import state_of, view_of
from winnable.solver.core.record import OUTCOMES
from winnable.solver.player.player import play_game


def after(state, moves):
    """The state after ``moves``."""
    for move in moves:
        state = find_variant(state.variant).family.apply(state, move)
    return state


def check_that_nothing_is_peeked(make_kernel, game, decisions, choices=None):
    """Before every decision the unseen cards are permuted, and the game goes on in the permuted deal."""
    made, seed = 0, 0
    rng = random.Random(0)
    while made < decisions:
        seed += 1
        one, other = make_kernel(), make_kernel()
        state = find_variant(game).deal(seed, choices=choices)
        one.begin_deal()
        other.begin_deal()
        while True:
            unseen = view_of(state).unseen()
            rng.shuffle(unseen)
            permuted = state_of(view_of(state), unseen)
            moves = one.choose(view_of(state))
            assert moves == other.choose(view_of(permuted))
            assert one.ranked() == other.ranked()
            if not moves:
                break
            made += len(one.choices(view_of(state))) > 1
            state = after(permuted, moves)


def replayed_batch(kernel, game, deals, choices=None):
    """The records of a batch and the results of the same games played on by the rules, which agree."""
    records = kernel.solve_seeds(game, 1, deals, choices)
    variant = find_variant(game)
    results = [play_game(variant.deal(int(seed), choices=choices), kernel) for seed in records["seed"]]
    for record, result in zip(records, results, strict=True):
        told = (result.score, len(result.moves), result.samples)
        assert told == (record["score"], record["moves"], record["expanded"])
        assert result.verdict == OUTCOMES[record["verdict"]]
        assert (record["score_bound"], record["exact"], result.decisions) == (-1, -1, record["generated"])
    return records, results


def check_that_equal_seeds_play_equal_games(make_kernel, game):
    """``make_kernel(seed)`` is a kernel with a player of that seed."""
    first = make_kernel(0).solve_seeds(game, 1, 5)
    kernel = make_kernel(0)
    kernel.solve_seeds(game, 30, 2)
    again = kernel.solve_seeds(game, 1, 5)
    for name in ("score", "moves", "expanded"):
        assert (first[name] == again[name]).all()
    other = make_kernel(1).solve_seeds(game, 1, 5)
    assert (first["expanded"] != other["expanded"]).any()
