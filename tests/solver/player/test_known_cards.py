"""Players of tables: the information set includes every known card, also face-down ones."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tests.solver.player.games import after

from winnable.rules import find_variant
from winnable.rules.cards import UNKNOWN
from winnable.rules.hidden_cards import STOCK, WASTE
from winnable.rules.tables import put, showing, unknown_places
from winnable.rules.views import state_of, table_of, view_of, view_of_table
from winnable.solver import Limits
from winnable.solver.player import trials
from winnable.solver.player.chances import chances_of_tiers, not_turned_up, tier_names
from winnable.solver.player.player import Player, advise, find_player_kernel

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
            if moves := [each for each, _ in kernel.choices(view_of(state))]:
                state = after(state, chance.choice(moves))
        places = covered(state)
        if len(places) > 1:
            chosen = chance.sample(places, chance.randint(2, len(places)))
            yield state, put(state, chosen, [UNKNOWN] * len(chosen))


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_samples_agree_with_every_known_card(game, choices):
    kernel, seen = kernel_of(game, Player(seed=3)), set()
    for _, table in tables(game, choices, range(40)):
        view, places = view_of_table(table), unknown_places(table)
        for _ in range(3):
            cards = kernel.sample(view)
            assert sorted(cards) == view.unseen()
            sampled = state_of(view, cards)
            assert put(sampled, places, [UNKNOWN] * len(places)) == table
        seen |= {pile for pile, _ in places}
    assert {STOCK, WASTE, 6} <= seen


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_choices_are_legal_and_draw_no_card_twice(game, choices):
    kernel = kernel_of(game)
    made = 0
    for state, table in tables(game, choices, range(40)):
        view = view_of_table(table)
        for moves, _ in kernel.choices(view):
            after(state, moves)
            made += 1
        if hasattr(kernel, "draw_to_the_end"):
            assert kernel.draw_to_the_end(view)
    assert made > 20


@pytest.mark.quick("klondike-vegas-None", "joker-choices5")
@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_games_of_tables_are_played_to_the_end(game, choices):
    """Cards that a move turns up are written on the table."""
    for truth, start in tables(game, choices, range(6)):
        kernel = kernel_of(game, Player(visits=40))
        kernel.begin_deal()
        state, table, made = truth, start, 0
        while moves := kernel.choose(view_of_table(table)):
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
            while moves := kernel.choose((view_of_table if is_known else view_of)(state)):
                state = after(state, moves)
            won[is_known] += sum(state.foundations)
    assert won[True] > 1.2 * won[False]


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_a_table_with_all_cards_unknown_is_the_view(game, choices):
    """A table that shows no more than a view gets the same advice."""
    state = after(find_variant(game).deal(3, choices=choices), [])
    for moves, _ in kernel_of(game).choices(view_of(state))[:1]:
        state = after(state, moves)
    plain = view_of(state)
    table = view_of(state).__class__(**{**vars(plain), "table": table_of(plain)})
    kernel = kernel_of(game, Player(visits=60))
    kernel.begin_deal()
    first = kernel.choose(plain), kernel.ranked()
    kernel.begin_deal()
    assert (kernel.choose(table), kernel.ranked()) == first


def test_a_table_of_another_view_is_refused():
    state = find_variant("klondike").deal(1)
    table = put(state, [(6, 0), (6, 1)], [UNKNOWN] * 2)
    other = replace(view_of_table(table), table=put(find_variant("klondike").deal(2), [(6, 0)], [UNKNOWN]))
    with pytest.raises(ValueError, match="expected the table of the view"):
        advise(other, RULE)
    twice = replace(view_of_table(table), table=put(table, [(6, 2)], [state.columns[6][-1]]))
    with pytest.raises(ValueError, match="expected each card once"):
        advise(twice, RULE)


def test_trials_go_on_with_what_is_known(monkeypatch):
    """The player of a trial knows the cards that the table shows."""
    seen = []
    truth = find_variant("joker").deal(4)
    table = put(truth, [(6, 0), (5, 0)], [UNKNOWN] * 2)
    monkeypatch.setattr(trials, "play_game", lambda *_, table: seen.append(table) or fake_game())
    moves = kernel_of("joker").choices(view_of_table(table))[0][0]
    list(trials.Trials(view_of_table(table), [moves], 2, workers=1).run())
    assert len(seen) == 2
    assert {len(unknown_places(each)) for each in seen} <= {1, 2}


def fake_game():
    return SimpleNamespace(tier="none")


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_a_chance_is_stated_as_if_no_face_down_card_were_known(game, choices):
    """The mapping was fitted to games, in which all cards not turned up are unseen."""
    reached = [40, 30, 20][: len(tier_names(game))]
    compared = 0
    for state, table in tables(game, choices, range(40)):
        assert not_turned_up(view_of(state)) == len(view_of(state).unseen())
        places = [place for place in unknown_places(table) if place[0] >= 0]
        stated = chances_of_tiers(view_of_table(table), reached, 100)
        for column, depth in places:
            table = put(table, [(column, depth)], [state.columns[column][depth]])
            if unknown_places(table):
                compared += 1
                assert chances_of_tiers(view_of_table(table), reached, 100) == stated
        stock = [(pile, depth) for pile, depth in unknown_places(table) if pile == STOCK]
        for _, depth in stock[1:]:
            compared += 1
            table = put(table, [(STOCK, depth)], [state.stock[depth]])
            assert chances_of_tiers(view_of_table(table), reached, 100) == stated
    assert compared > 100
