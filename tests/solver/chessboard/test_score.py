"""Greatest scores of lost deals of Chessboard and Fortress: against brute force over the readable rules."""

import random
from dataclasses import replace

import pytest
from tests.deals import sizes, wander
from tests.solver.chessboard.test_kernel import SHAPES, VARIANTS, deal
from tests.solver.kernels import make
from tests.solver.scores import brute_score, compare

from winnable import hint
from winnable.rules import find_variant
from winnable.solver import Limits, find_shortest, solve
from winnable.solver.analysis.bases import solve_bases
from winnable.solver.engine import find_kernel

pytestmark = pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")

# The most cards that can go up in deals of Fortress from the first on; 52: it can be won.
FORTRESS = [
    0, 3, 2, 6, 1, 2, 3, 52, 3, 0, 5, 3, 2, 2, 52, 1, 3, 1, 1, 2, 3, 3, 2, 0, 0, 3, 2, 1, 10, 52, 6, 0, 0, 6,
    52, 0, 52, 2, 0, 52,
]  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@sizes(300, full=3000, slow=100_000)
def test_short_decks_score_as_much_as_brute_force_finds(variant, deals):
    states = (deal(variant, seed, SHAPES[seed % len(SHAPES)]) for seed in range(deals))
    assert compare(find_variant(variant), states, 3000) > 0.1 * deals


@pytest.mark.parametrize("variant", VARIANTS)
@sizes(300, full=3000, slow=100_000)
def test_positions_in_play_score_as_much_as_brute_force_finds(variant, deals):
    """Some cards are up, bases are chosen, and columns are empty."""
    game = find_variant(variant)
    starts = (deal(variant, seed, SHAPES[seed % len(SHAPES)]) for seed in range(deals))
    states = (wander(start, 12, seed) for seed, start in enumerate(starts))
    assert compare(game, states, 3000) > 0.1 * deals


def test_full_decks_score_as_brute_force_over_the_rules_found():
    game = find_variant("fortress")
    found = [solve(game, game.deal(seed), score=True) for seed in range(1, len(FORTRESS) + 1)]
    assert [result.score for result in found] == FORTRESS
    assert all(result.exact for result in found)


@sizes(2, full=30)
def test_full_decks_of_chessboard_score_as_brute_force_finds(deals):
    game = find_variant("chessboard")
    assert compare(game, (game.deal(seed) for seed in range(1, 8 * deals)), 4000) >= deals


def test_a_limit_leaves_bounds_and_a_line():
    game = find_variant("fortress")
    state = game.deal(29)
    assert solve(game, state, score=True).score == 10
    scores = set()
    for nodes in range(1, 3000, 37):
        result = solve(game, state, Limits(nodes=nodes), score=True)
        if result.verdict != "unwinnable":
            continue
        assert result.score <= 10 <= result.score_bound <= 52
        assert result.exact is (result.reason is None) is result.shortest is (result.score_bound == 10)
        scores.add(result.score)
    assert len(scores) > 3
    kernel = make(game, Limits(seconds=0))
    found = kernel.solve_score(state)
    assert (found.exact, found.score, found.score_bound, found.reason) == (False, 0, 52, "seconds")
    kernel = make(game, Limits(megabytes=0))
    assert kernel.solve_score(state).reason == "memory"


def test_a_position_that_can_be_won_scores_all_cards():
    game = find_variant("fortress")
    found = make(game, Limits()).solve_score(game.deal(8))
    assert (found.score, found.score_bound, found.exact) == (52, 52, True)


def test_a_line_to_fewer_cards_is_shortened():
    game = find_variant("fortress")
    state = game.deal(29)
    line = list(solve(game, state, score=True).moves)
    kernel, told = make(game, Limits()), []
    detour = [line[0], *line]  # its first move is illegal twice
    with pytest.raises(ValueError, match="legal"):
        kernel.prove_optimal(state, detour, lambda *_: None)
    longer = _with_detour(game, state, line)
    kernel.prove_optimal(state, longer, lambda moves, bound: told.append((len(moves), bound)))
    assert told[0] == (len(longer), 0)
    assert told[-1] == (len(line), len(line))
    kernel = make(game, Limits(nodes=50))
    kernel.prove_optimal(state, longer, lambda moves, bound: told.append((len(moves), bound)))
    assert kernel.limit_met == "nodes"
    assert told[-1][0] == len(longer) > told[-1][1] > 0


def _with_detour(game, state, line):
    """``line`` with a move made and taken back before it."""
    for move in game.family.legal_moves(state):
        if move.target >= 0:
            after = game.family.apply(state, move)
            for back in game.family.legal_moves(after):
                if game.family.apply(after, back) == state:
                    return [move, back, *line]
    raise AssertionError("expected a move that can be taken back")


def test_bases_that_lose_have_scores():
    game = find_variant("chessboard")
    state = game.deal(9)
    results = dict(solve_bases(state, score=True))
    assert {result.verdict.value for result in results.values()} == {"winnable", "unwinnable"}
    for result in results.values():
        assert result.exact
        assert (result.score == 52) is (result.verdict == "winnable")
    lost = {rank: result for rank, result in results.items() if result.score < 52}
    for rank in random.Random(1).sample(sorted(lost), 3):
        best = brute_score(game.family, replace(state, base=rank), 100_000)
        assert best == (lost[rank].score, len(lost[rank].moves))


@pytest.mark.parametrize(("name", "seed"), [("fortress", 2), ("fortress", 12), ("klondike", 29)])
def test_hints_in_a_lost_position_rank_moves_by_the_most_cards_up(name, seed):
    game = find_variant(name)
    state = game.deal(seed)
    advice = hint(game, state)
    found = find_shortest(game, state, score=True)
    assert (advice.answer.verdict, advice.answer.score, advice.answer.exact) == (
        "unwinnable",
        found.score,
        True,
    )
    scores = [option.after.score for option in advice.options]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == found.score
    for option in advice.options:
        after = find_shortest(game, game.family.apply(state, option.move), score=True)
        assert (option.after.score, option.keeps) == (after.score, False)
