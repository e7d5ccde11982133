"""Players of tables: the information set includes every known card, also face-down ones."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from tests.solver.player.games import after

from winnable.rules import find_variant
from winnable.rules.cards import UNKNOWN
from winnable.rules.hidden_cards import STOCK, WASTE
from winnable.rules.tables import card_at, filled, hidden, missing_cards, put, showing, unknown_places
from winnable.solver import Limits
from winnable.solver.player import trials
from winnable.solver.player.chances import (
    calibrated,
    calibration_name,
    chances_of_tiers,
    known_cards,
    tier_names,
)
from winnable.solver.player.player import Player, find_player_kernel

pytest.importorskip("winnable.solver.core.border")

GAMES = (
    ("klondike", None),
    ("klondike-draw-one", None),
    ("klondike-vegas", None),
    ("klondike-vegas-one", None),
    ("klondike-one-pass", None),
    ("joker", {"exchange": "turned"}),
    ("joker", {"exchange": "exposed"}),
)
RULE = Player("rule")


def kernel_of(game, player=RULE):
    return find_player_kernel(game)(Limits(), player)


def covered(state):
    """The places of the cards that may be unknown in a table."""
    places = [(column, depth) for column, count in enumerate(state.hidden) for depth in range(count)]
    places += [(STOCK, depth) for depth in range(len(state.stock))]
    return places + [(WASTE, depth) for depth in range(len(state.waste) - 1)]


def tables(game, choices, seeds):
    """Tables from random play, each with a state that it may stand for."""
    variant, kernel = find_variant(game), kernel_of(game)
    for seed in seeds:
        chance = random.Random(seed)
        state = variant.deal(seed, choices=choices)
        for _ in range(chance.randrange(60)):
            if moves := [each for each, _ in kernel.choices(hidden(state))]:
                state = after(state, chance.choice(moves))
        places = covered(state)
        if len(places) > 1:
            chosen = chance.sample(places, chance.randint(2, len(places)))
            yield state, put(state, chosen, [UNKNOWN] * len(chosen))


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_samples_agree_with_every_known_card(game, choices):
    kernel, seen = kernel_of(game, Player(seed=3)), set()
    for _, table in tables(game, choices, range(40)):
        places = unknown_places(table)
        for _ in range(3):
            cards = kernel.sample(table)
            assert sorted(cards) == missing_cards(table)
            sampled = filled(table, cards)
            assert put(sampled, places, [UNKNOWN] * len(places)) == table
        seen |= {pile for pile, _ in places}
    assert {STOCK, WASTE, 6} <= seen


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_choices_are_legal_and_draw_no_card_twice(game, choices):
    kernel = kernel_of(game)
    made = 0
    for state, table in tables(game, choices, range(40)):
        for moves, _ in kernel.choices(table):
            after(state, moves)
            made += 1
        if hasattr(kernel, "draw_to_the_end"):
            assert kernel.draw_to_the_end(table)
    assert made > 20


@pytest.mark.quick("klondike-vegas-None", "joker-choices5")
@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_games_of_tables_are_played_to_the_end(game, choices):
    """Cards that a move turns up are written on the table."""
    for truth, start in tables(game, choices, range(6)):
        kernel = kernel_of(game, Player(visits=40))
        kernel.begin_deal()
        state, table, made = truth, start, 0
        while moves := kernel.choose(table):
            for move in moves:
                table = after(showing(table, state, move), [move])
                state = after(state, [move])
            made += 1
            assert made < 1000


@pytest.mark.quick(1)
@pytest.mark.parametrize(("game", "choices"), [*GAMES[:2], *GAMES[5:]])
def test_a_table_that_is_known_is_played_as_such(game, choices):
    """With all cards known more cards go up than otherwise."""
    won = {}
    for is_known in (False, True):
        won[is_known] = 0
        for seed in range(1, 11):
            kernel = kernel_of(game, Player(visits=60))
            kernel.begin_deal()
            state = find_variant(game).deal(seed, choices=choices)
            while moves := kernel.choose(state if is_known else hidden(state)):
                state = after(state, moves)
            won[is_known] += sum(state.foundations)
    assert won[True] > 1.2 * won[False]


def test_trials_go_on_with_what_is_known(monkeypatch):
    """The player of a trial knows the cards that the table shows."""
    seen = []
    truth = find_variant("joker").deal(4)
    table = put(truth, [(6, 0), (5, 0)], [UNKNOWN] * 2)
    monkeypatch.setattr(trials, "play_game", lambda *_, table: seen.append(table) or fake_game())
    moves = kernel_of("joker").choices(table)[0][0]
    list(trials.Trials(table, [moves], 2, workers=1).run())
    assert len(seen) == 2
    assert {len(unknown_places(each)) for each in seen} <= {1, 2}


def fake_game():
    return SimpleNamespace(tier="none")


@pytest.mark.quick(3)
@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_chances_depend_on_the_numbers_of_unknown_and_of_known_cards(game, choices):
    """Cards that were not turned up count as known, but for a stock that was seen in an earlier pass."""
    names, compared = tier_names(game), 0
    reached = [40, 30, 20][: len(names)]
    for state, table in tables(game, choices, range(40)):
        assert known_cards(hidden(state)) == 0
        counts = UNKNOWN in table.stock or game == "joker"
        below = sum(table.hidden) + counts * len(table.stock)
        for place in unknown_places(table):
            if place[0] == STOCK and table.stock.count(UNKNOWN) == 1:
                break
            unknown = unknown_places(table)
            known = below - sum(pile != WASTE for pile, _ in unknown)
            stated = chances_of_tiers(table, reached, 100)[names[-1]]
            name = calibration_name(table)
            assert stated == calibrated(name, names[-1], reached[-1], 100, len(unknown), known)
            table = put(table, [place], [card_at(state, place)])
            compared += 1
    assert compared > 100
