"""The player of Klondike with redeals without sight of the hidden cards."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from tests.solver.player import games
from tests.solver.player.games import after

from winnable.rules import find_variant, klondike
from winnable.rules.cards import UNKNOWN
from winnable.rules.tables import hidden
from winnable.solver import Limits
from winnable.solver.engine import find_kernel
from winnable.solver.player.chances import calibration_name
from winnable.solver.player.player import Player, advise, decisions, find_player_kernel, play_game, think
from winnable.solver.player.trials import Trials

pytest.importorskip("winnable.solver.core.border")

GAMES = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
RULE, FAST = Player("rule"), Player(visits=30)
KLONDIKE = find_variant("klondike")


def kernel_of(player):
    return find_player_kernel("klondike")(Limits(), player)


# --- It does not peek ---------------------------------------------------------------------------------------


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", [RULE, FAST], ids=["rule", "search"])
def test_permuting_the_hidden_cards_changes_no_move(game, player):
    games.check_that_nothing_is_peeked(lambda: kernel_of(player), game, 250)


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", ["klondike", "klondike-vegas-one"])
def test_samples_are_the_unseen_cards_in_uniform_order(game):
    table = hidden(after(find_variant(game).deal(3), [klondike.DRAW] * 5))
    games.check_that_samples_are_uniform(kernel_of(Player(seed=7)), table, (0, 10, 20))


def test_nothing_is_played_before_the_stock_is_seen():
    for game, draws in (("klondike", 8), ("klondike-draw-one", 24)):
        game_made = [decision.moves for decision in decisions(find_variant(game).deal(1), RULE)]
        assert game_made[:draws] == [(klondike.DRAW,)] * draws
        assert game_made[draws] != (klondike.DRAW,)


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_advised_has_chances_or_a_reason(game):
    """The best move comes first; if nothing was evaluated, there is only one continuation."""
    reasons = Counter()
    for seed in range(8):
        rng, state = random.Random(seed), find_variant(game).deal(seed)
        for _ in range(60):
            advice = advise(state, FAST)
            if not advice:
                break
            assert bool(advice[0].tiers) != bool(advice[0].reason)
            assert advice[0].tiers or len(advice) == 1
            assert all(entry.reason is None for entry in advice if entry.tiers)
            reasons[advice[0].reason] += 1
            state = after(state, rng.choice(advice[:2]).moves)
    has_endless_stock = game in ("klondike", "klondike-draw-one")
    assert ("costs nothing; the stock comes round again with its cards known" in reasons) == (
        has_endless_stock
    )
    assert "cannot hurt, since no other card will need this one" in reasons
    assert reasons[None] > 50


# --- It plays by the rules ----------------------------------------------------------------------------------


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_legal_on_the_way_of_random_play(game):
    kernel, compared, backs = kernel_of(RULE), 0, 0
    for seed in range(40):
        rng, state = random.Random(seed), find_variant(game).deal(seed)
        while choices := kernel.choices(hidden(state)):
            ends = [after(state, moves) for moves, _ in choices]
            assert len({klondike.canonical(end) for end in ends}) == len(ends)
            compared += len(ends)
            backs += sum(moves[0].source == klondike.FOUNDATION for moves, _ in choices)
            state = rng.choice(ends)
    assert compared > 1000
    assert backs > 1


def test_nothing_comes_back_where_that_is_not_agreed():
    kernel = kernel_of(RULE)
    for seed in range(40):
        rng, state = random.Random(seed), KLONDIKE.deal(seed, choices={"worrying_back": "no"})
        while choices := kernel.choices(hidden(state)):
            assert all(moves[0].source != klondike.FOUNDATION for moves, _ in choices)
            state = after(state, rng.choice(choices)[0])


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("player", "deals"), [(RULE, 60), (FAST, 6)], ids=["rule", "search"])
def test_batches_play_the_games_that_the_rules_replay(game, player, deals):
    """The compiled game updates its own position; the other player is given each position by the rules."""
    games.replayed_batch(kernel_of(player), game, deals)


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", GAMES)
def test_no_game_is_won_that_is_proved_lost(game):
    variant = find_variant(game)
    proved = find_kernel(variant)(Limits(nodes=20_000)).solve_seeds(game, 1, 150).array
    played = kernel_of(RULE).solve_seeds(game, 1, 150).array
    assert (proved["verdict"] == 0).sum() > 8
    assert not ((played["verdict"] == 1) & (proved["verdict"] == 0)).any()


def test_other_rules_are_played():
    """With draws of two in two passes: more passes and smaller draws win more."""
    kernel, won = kernel_of(RULE), []
    for choices in ({"draw": "5"}, {}, {"draw": "2"}, {"draw": "1"}):
        won.append(
            (kernel.solve_seeds("klondike", 1, 150, KLONDIKE.agreed(choices)).array["verdict"] == 1).sum()
        )
    assert won == sorted(won)
    assert won[0] < won[1] < won[3]
    few = kernel.solve_seeds("klondike", 1, 150, KLONDIKE.agreed({"passes": "2"})).array
    assert (few["verdict"] == 1).sum() < won[1]


@pytest.mark.parametrize(
    ("game", "deal", "seed"), [("klondike-vegas", 54, 0), ("klondike-vegas-one", 350, 5)]
)
def test_positions_are_told_apart_at_all_moments(game, deal, seed):
    """By passes, even if more cards were in the stock when the tree reached them, and by the order of the
    waste, which differs between samples."""
    played = play_game(find_variant(game).deal(deal), kernel_of(Player(visits=100, seed=seed)))
    assert played.reason is None


# --- How well -----------------------------------------------------------------------------------------------


def test_the_rule_player_wins_more_than_a_fifth_of_draw_three_and_half_of_draw_one():
    for game, least in (("klondike", 0.2), ("klondike-draw-one", 0.5)):
        assert (kernel_of(RULE).solve_seeds(game, 1, 400).array["verdict"] == 1).mean() > least


# Won games, moves and decisions of 1,000 games by rule; won games, moves and samples of 20 by search.
MEASURED = {
    "klondike": ((239, 98_541, 42_566), (9, 2489, 11_680)),
    "klondike-draw-one": ((540, 221_434, 69_841), (11, 4534, 15_788)),
    "klondike-vegas": ((38, 40_185, 30_446), (3, 1038, 7657)),
    "klondike-vegas-one": ((35, 53_174, 52_026), (3, 1273, 10_858)),
}


@pytest.mark.quick("klondike-vegas")
@pytest.mark.parametrize("game", MEASURED)
def test_games_are_those_that_were_measured(game):
    rule = kernel_of(RULE).solve_seeds(game, 1, 1000).array
    search = kernel_of(FAST).solve_seeds(game, 1, 20).array
    assert tuple(rule[name].sum() for name in ("verdict", "moves", "generated")) == MEASURED[game][0]
    assert tuple(search[name].sum() for name in ("verdict", "moves", "expanded")) == MEASURED[game][1]


def test_thinking_is_better_than_not_to():
    rule, search = (kernel_of(player).solve_seeds("klondike", 1, 60).array for player in (RULE, FAST))
    assert (search["verdict"] == 1).sum() > (rule["verdict"] == 1).sum()


def test_equal_seeds_play_equal_games():
    games.check_that_equal_seeds_play_equal_games(
        lambda seed: kernel_of(Player(visits=30, seed=seed)), "klondike"
    )


def test_limits_end_a_game():
    games.check_that_limits_end_a_game(find_player_kernel("klondike"), "klondike", 100, FAST)
    none = find_player_kernel("klondike")(Limits(megabytes=0), FAST)
    assert play_game(KLONDIKE.deal(3), none).reason == "memory"


# --- Advice -------------------------------------------------------------------------------------------------


def some_table():
    """A table with several choices, a known stock and unknown cards."""
    for decision in decisions(KLONDIKE.deal(3), RULE):
        table = hidden(decision.state)
        if table.stock and UNKNOWN not in table.stock and len(kernel_of(RULE).choices(table)) > 3:
            return table
    raise AssertionError


def test_advice_ranks_the_choices_with_their_chances():
    table = some_table()
    ranked = advise(table, Player(visits=300))
    assert 100 < sum(advice.visits for advice in ranked) <= 300
    choices = {tuple(moves) for moves, _ in kernel_of(RULE).choices(table)}
    assert {advice.moves for advice in ranked} == choices
    assert all(list(advice.tiers) == ["win"] for advice in ranked if advice.visits)
    assert len(advise(table, RULE)) == len(ranked)
    rounds = think(table, Player(visits=50), workers=2)
    assert 50 < sum(advice.visits for advice in next(rounds)) <= 100


def test_a_thread_that_cannot_be_started_ends_the_others(started):
    with pytest.raises(RuntimeError, match="can't start new thread"):
        next(think(some_table(), Player(visits=10**9), workers=3))
    assert not started[0].is_alive()


def test_chances_are_calibrated_for_the_usual_rules_alone():
    table = some_table()
    assert calibration_name(table) == "klondike"
    assert calibration_name(replace(table, choices=replace(table.choices, worrying_back="no"))) == ""


def test_what_is_forced_is_advised_without_chances():
    (advice,) = advise(KLONDIKE.deal(1))
    assert (advice.moves, advice.visits, advice.tiers) == ((klondike.DRAW,), 0, {})


def test_trials_play_the_moves_out():
    table = some_table()
    moves = [advice.moves for advice in advise(table, RULE)[:2]]
    trials = Trials(table, moves, 3, player=Player(visits=10), workers=1)
    assert list(trials.run()) == [1, 2, 3]
    assert all(list(trial.tiers) == ["win"] and len(trial.reached) == 3 for trial in trials.results())


def test_a_game_that_is_over_has_no_advice():
    won = replace(KLONDIKE.deal(1), columns=((),) * 7, hidden=(0,) * 7, stock=(), foundations=(13,) * 4)
    assert advise(won, RULE) == []
