"""Tables: what a player sees, without the order of the cards that were not turned, and back to states."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

from winnable.rules import find_variant, has_unknown, klondike
from winnable.rules.cards import UNKNOWN, format_card
from winnable.rules.formats.json_deals import table_object
from winnable.rules.formats.partial import read_table
from winnable.rules.formats.text import format_table
from winnable.rules.tables import (
    SEES,
    check_table,
    draws_unknown,
    filled,
    hidden,
    missing_cards,
    put,
    seen,
    showing,
    turned_up,
    unknown_places,
)

NAMES = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
KNOWN = {"klondike": 2, "klondike-draw-one": 2, "klondike-vegas": 2}
"""More positions than these, of those below, have a stock that is known."""


def played(name, seed, moves, **choices):
    """A position after random moves, few of them draws."""
    rng, state = random.Random(seed), find_variant(name).deal(seed, choices=choices)
    family, eagerness = find_variant(name).family, 0.3 if name in NAMES else 0.7
    for _ in range(moves):
        legal = family.legal_moves(state)
        eager = [move for move in legal if move.source != klondike.DRAW.source]
        if not legal:
            break
        state = family.apply(state, rng.choice(eager if eager and rng.random() < eagerness else legal))
    return state


def held(table):
    """All that ``table`` holds, also in fields that are not compared, without its class and game."""
    return repr({name: value for name, value in vars(table).items() if name not in ("variant", "deck")})


@pytest.mark.quick("klondike-vegas")
@pytest.mark.parametrize("name", [*NAMES, "joker", "klondike-one-pass"])
def test_hiding_forgets_the_order_of_the_unseen_cards_and_nothing_else(name):
    known = 0
    for seed in range(0, 60, 3):
        state, rng = played(name, seed, 3 * seed), random.Random(seed)
        table = hidden(state)
        below = [card for column, n in zip(state.columns, state.hidden, strict=True) for card in column[:n]]
        unseen = [*below, *(() if state.is_stock_known else state.stock)]
        places = unknown_places(table)
        assert missing_cards(table) == sorted(unseen)
        assert put(state, places, [UNKNOWN] * len(unseen)) == table
        assert UNKNOWN not in table.stock or not state.is_stock_known
        cards = missing_cards(table)
        rng.shuffle(cards)
        other = filled(table, cards)
        assert not has_unknown(other)
        assert held(hidden(other)) == held(table), "no field tells the cards apart"
        assert table.seed is None
        assert filled(hidden(other), unseen) == state
        legal_moves = find_variant(name).family.legal_moves
        assert set(legal_moves(state)) == set(legal_moves(other))
        known += state.is_stock_known and bool(state.stock)
    assert known > KNOWN.get(name, -1)


@pytest.mark.quick("klondike-vegas")
@pytest.mark.parametrize("name", [*NAMES, "joker", "klondike-one-pass"])
def test_a_table_that_is_played_on_is_the_table_of_the_state(name):
    family, moves = find_variant(name).family, 0
    for seed in range(0, 30, 3):
        state, rng = played(name, seed, 2 * seed), random.Random(seed)
        table = hidden(state)
        while (legal := family.legal_moves(state)) and moves < 60 * (seed + 1):
            move = rng.choice(legal)
            is_draw = move.source == klondike.STOCK
            assert draws_unknown(table, move) == (is_draw and bool(turned_up(table, move)))
            table = family.apply(showing(table, state, move), move)
            state = family.apply(state, move)
            assert table == hidden(state)
            moves += 1
    assert moves > 100


def test_the_stock_is_known_after_the_first_pass():
    state = find_variant("klondike").deal(1)
    for draw in range(1, 10):
        assert draws_unknown(hidden(state), klondike.DRAW) == (draw <= 8)
        state = klondike.apply(state, klondike.DRAW)
    table = hidden(state)
    assert table.stock == state.stock == find_variant("klondike").deal(1).stock[3:]
    assert len(missing_cards(table)) == 21
    assert state == replace(state, was_turned_over=False), "it changes nothing in play"


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("name", "choices"),
    [
        *((name, {}) for name in (*NAMES, "klondike-one-pass")),
        *((name, {"worrying_back": "no", "draw": "2"}) for name in NAMES),
        ("joker", {"exchange": "exposed"}), ("joker", {"exchange": "turned", "removal": "exposed"}),
    ],
)  # fmt: skip
def test_tables_are_written_and_read_again(name, choices):
    for seed in range(0, 30, 2):
        table = hidden(played(name, seed, 3 * seed, **choices))
        assert hidden(filled(table)) == table
        if len(missing_cards(table)) < 2:
            continue  # its text would be a position with all cards known
        assert read_table(None, format_table(table), "here").state == table
        assert read_table(None, json.dumps(table_object(table)), "here").state == table
        assert read_table(None, str(table), "printed").state == table


def test_a_player_may_see_the_stock_or_all():
    state = played("joker", 5, 20)
    assert (seen(state, "table"), seen(state, "all")) == (hidden(state), state)
    assert seen(state, "stock") == replace(hidden(state), stock=state.stock) != hidden(state)
    with pytest.raises(ValueError, match="sees 'waste': expected table, stock, all"):
        seen(state, "waste")
    open_deal = find_variant("fortress").deal(1)
    assert all(seen(open_deal, sees) is open_deal for sees in SEES)


def test_a_stock_that_is_written_is_known_where_other_cards_are_not():
    state = played("klondike", 5, 20)
    table = seen(state, "stock")
    assert len(table.stock) > 0
    assert read_table(None, format_table(table), "here").state == table
    partly = format_table(table).replace(f"Stock: {format_table(table).split('Stock: ')[1][:2]}", "Stock: ??")
    assert read_table(None, partly, "here").state.stock == (UNKNOWN, *state.stock[1:])


def test_a_table_prints_no_card_that_is_unknown():
    table = hidden(find_variant("joker").deal(1))
    shown = repr(table) + table._repr_html_()
    assert shown.count("<??>") == 21
    named = {*map(format_card, missing_cards(table))} - {"XB", "XR"}
    assert not [card for card in named if re.search(rf"\b{card}\b", shown)]


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("klondike", {"ranks": 5}, "full deck"),
        ("joker", {"ranks": 5}, "full deck"),
        ("fortress", {}, "fortress: expected a state of a game with hidden cards"),
        ("klondike", {"hidden": (0, 1, 2, 3, 4, 6, 6)}, "0 1 2 3 4 6 6 cards face down"),
        ("joker", {"hidden": (0, 1, 2, 3, 4, 6, 6)}, "0 1 2 3 4 6 6 cards face down"),
        ("klondike", {"redeals": 1}, "redeals"),
        ("joker", {"stock": (UNKNOWN,) * 26}, "with all cards known, got unknown ones"),
    ],
)
def test_what_a_player_does_not_play_is_refused(name, change, problem):
    variant = find_variant(name)
    state = variant.deal(1, **change) if "ranks" in change else replace(variant.deal(1), **change)
    with pytest.raises(ValueError, match=problem):
        hidden(state)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"stock": (UNKNOWN,) * 23}, "expected each card once"),
        ({"stock": (0,) * 24}, "expected each card once"),
        ({"columns": ((UNKNOWN,),) + ((),) * 6, "hidden": (0,) * 7, "stock": (UNKNOWN,) * 51}, "face up"),
        ({"variant": "joker"}, "expected a state of klondike"),
        ({"foundations": (0, 0, 0, 14)}, "expected each card once|foundations"),
    ],
)
def test_what_is_no_table_is_refused(changes, problem):
    variant = find_variant("klondike")
    table = hidden(variant.deal(1))
    check_table(variant, table)
    with pytest.raises(ValueError, match=problem):
        check_table(variant, replace(table, **changes))
