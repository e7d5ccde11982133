"""Trials: the moves of a position, each played to the end on the same shuffles."""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.positions import ENDGAME

from winnable.rules import find_variant, joker
from winnable.rules.formats.partial import read_table
from winnable.rules.tables import filled, hidden, missing_cards
from winnable.rules.tiers import TIERS
from winnable.solver import Limits
from winnable.solver.player.player import VARIANTS, Player, advise, find_player_kernel, play_game
from winnable.solver.player.trials import PLAYERS, Trial, Trials

pytest.importorskip("winnable.solver.core.border")

JOKER = find_variant("joker")
FAST = Player(visits=20)


def best_moves(table, count):
    return [advice.moves for advice in advise(table, Player(visits=300))[:count]]


def finished(trials):
    assert list(trials.run()) == list(range(1, trials.samples + 1))
    return trials.results()


@pytest.mark.full
def test_the_estimates_are_those_of_all_orders_of_the_unseen_cards():
    table = read_table(JOKER, ENDGAME, "endgame").state
    moves = best_moves(table, 2)
    kernel = find_player_kernel()(Limits(), PLAYERS["joker"])
    truth = {}
    for each in moves:
        scores = []
        for order in permutations(missing_cards(table)):
            state = filled(table, order)
            for move in each:
                state = state.apply(move)
            scores.append(play_game(state, kernel).score)
        truth[each] = [sum(score >= least for score in scores) / len(scores) for least in (15, 25, 52)]
    assert sorted(shares[2] * 24 for shares in truth.values()) == [3, 4]
    for trial in finished(Trials(table, moves, 500)):
        for tier, share in zip(TIERS, truth[trial.moves], strict=True):
            chance = trial.tiers[tier]
            assert abs(chance.probability - share) <= 4 * chance.error


def test_neither_workers_nor_the_order_of_moves_change_them():
    table = hidden(JOKER.deal(5))
    moves = best_moves(table, 3)
    one = finished(Trials(table, moves, 6, FAST, workers=1))
    two = finished(Trials(table, moves[::-1], 6, FAST, workers=2))
    assert {trial.moves: trial.reached for trial in one} == {trial.moves: trial.reached for trial in two}
    assert one[0].reached == two[0].reached
    here = Trials(table, moves, 6, FAST).play()
    assert [trial.moves for trial in here] == moves
    assert {trial.moves: trial.reached for trial in here} == {trial.moves: trial.reached for trial in one}
    assert list(Trials(table, moves, 6, Player(seed=1)).shuffles) != list(Trials(table, moves, 6).shuffles)


def test_every_game_with_a_player_has_trials():
    assert tuple(PLAYERS) == VARIANTS
    table = hidden(find_variant("klondike-one-pass").deal(1))
    trials = Trials(table, best_moves(table, 1), 2)
    assert trials.player.kind == "search"
    assert len(finished(trials)[0].reached) == 2


def test_what_is_hidden_has_no_part_in_them():
    state = JOKER.deal(4)
    permuted = filled(hidden(state), missing_cards(hidden(state)))
    assert state != permuted
    moves = best_moves(hidden(state), 2)
    trials = [Trials(hidden(each), moves, 3, FAST) for each in (state, permuted)]
    assert finished(trials[0]) == finished(trials[1])


def test_when_it_is_stopped_it_keeps_what_is_finished():
    table = hidden(JOKER.deal(4))
    moves = best_moves(table, 2)
    whole = Trials(table, moves, 4, FAST, workers=1)
    trials = Trials(table, moves, 10**6, FAST, workers=2)
    finished(whole)
    assert trials.results() == [Trial(each, ()) for each in moves]
    for count in trials.run():
        if count == 2:
            trials.stop()
    assert 2 <= len(trials.played) < 10**6
    first = [number for number in trials.played if number < 4]
    assert first
    assert [trials.played[number] for number in first] == [whole.played[number] for number in first]
    assert {len(trial.reached) for trial in trials.results()} == {len(trials.played)}


def test_shares_and_paired_errors():
    best, other = Trial((joker.TURN,), (3, 0, 3, 3)), Trial((), (3, 0, 0, 1))
    assert [chance.probability for chance in best.tiers.values()] == [0.75, 0.75, 0.75]
    assert [chance.probability for chance in other.tiers.values()] == [0.5, 0.25, 0.25]
    assert all(0 < chance.error < 0.3 for chance in best.tiers.values())
    mean, error = other.behind(best)
    assert (mean, round(error, 6)) == (1.25, 0.75)
    assert Trial((), (0,)).behind(Trial((), (3,))) is None
    assert Trial((), ()).tiers == {}
    assert 0 < Trial((), (0, 0)).tiers["win"].error < 0.3
