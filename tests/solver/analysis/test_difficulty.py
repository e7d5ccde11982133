"""Difficulty: the losing move found is the first after which no win is left, and levels follow the
thresholds."""

from itertools import chain

import pytest
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS, find_variant
from winnable.rules.deals import SplitMix64
from winnable.rules.formats.text import Deal
from winnable.solver import Limits, Verdict, solve
from winnable.solver.analysis import difficulty
from winnable.solver.analysis.difficulty import STEPS, CarelessJudge, judge_of, level_of, of_level
from winnable.solver.player.player import Player, decisions, find_player_kernel

pytestmark = needs_kernels


def test_bisection_finds_the_fatal_move():
    variant = find_variant("chessboard")
    judge = CarelessJudge(variant)
    chance, compared = SplitMix64(7), 0
    for seed in (1, 2, 3, 4):
        state = variant.deal(seed)
        for _ in range(4):
            walk = judge._walk(state, chance)
            won = [solve(variant, step).verdict is Verdict.WINNABLE for step in walk]
            assert won == sorted(won, reverse=True)
            expected = sum(won) - 1 if not won[-1] else STEPS
            if won[0]:
                assert judge._survived(walk) == expected
                compared += 1
    assert compared >= 8


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["fortress", "simple-simon"])
def test_a_walk_takes_the_last_move_back_only_if_it_must(name):
    variant = find_variant(name)
    family = variant.family
    steps = taken_back = 0
    for seed in range(1, 31):
        walk = CarelessJudge(variant)._walk(variant.deal(seed), SplitMix64(seed))
        assert len(walk) == STEPS + 1 or not family.legal_moves(walk[-1])
        for before, here, after in zip(walk, walk[1:], walk[2:], strict=False):
            steps += 1
            if family.canonical(after) == family.canonical(before):
                following = {family.canonical(family.apply(here, move)) for move in family.legal_moves(here)}
                assert following == {family.canonical(before)}
                taken_back += 1
    assert steps > 50
    assert taken_back or name == "fortress"  # in fortress that move never occurs


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("variant", "most"),
    [
        ("chessboard", STEPS), ("simple-simon", STEPS), ("joker", 52), ("klondike-one-pass", 52),
        ("klondike", 52),
    ],
)  # fmt: skip
def test_ease_is_always_the_same_for_a_deal(variant, most):
    game = find_variant(variant)
    deal = next(deal for deal in map(game.deal, range(20)) if solve(game, deal).verdict is Verdict.WINNABLE)
    judge = judge_of(game)
    ease = judge.ease(deal)
    assert judge.ease(deal) == judge_of(game).ease(deal) == ease
    assert 0 <= ease <= most


@pytest.mark.parametrize("variant", ["joker", "klondike-one-pass"])
def test_ease_is_the_mean_score_of_games_of_a_player(variant, monkeypatch):
    monkeypatch.setattr(difficulty, "GAMES", 3)
    monkeypatch.setattr(difficulty, "VISITS", 20)
    game, kernel = find_variant(variant), find_player_kernel(variant)
    scores = [
        kernel(Limits(), Player(visits=20, seed=seed)).solve_seeds(variant, 1, 4).array["score"]
        for seed in range(3)
    ]
    judge = judge_of(game)
    assert [judge.ease(game.deal(seed)) for seed in (1, 2, 3, 4)] == (sum(scores) / 3).tolist()


def test_ease_is_the_mean_of_the_places_filled_where_there_are_no_scores(monkeypatch):
    monkeypatch.setattr(difficulty, "GAMES", 3)
    monkeypatch.setattr(difficulty, "VISITS", 20)
    game, places = find_variant("klondike"), []
    for chance in range(3):
        state = game.deal(2)
        for decision in decisions(state, Player(visits=20, seed=chance)):
            state = decision.state
            for move in decision.moves:
                state = game.family.apply(state, move)
        places.append(sum(state.foundations))
    assert judge_of(game).ease(game.deal(2)) == sum(places) / 3


def test_every_game_has_marks_and_every_level_deals():
    for variant in filter(lambda each: each.levels, VARIANTS.values()):
        hard, easy = variant.levels
        assert [level_of(variant, value) for value in (hard / 2, hard, easy)] == ["hard", "medium", "easy"]
    variant = find_variant("chessboard")
    deals = [Deal(variant.deal(seed), seed) for seed in (1, 2, 3, 4, 8)]
    chosen = {level: [deal.seed for deal in of_level(variant, deals, level)] for level in difficulty.LEVELS}
    assert sorted(chain.from_iterable(chosen.values())) == [1, 2, 3, 4, 8]
