"""Views of players: they show the cards of the stock that were turned, but not the order of unseen cards."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from winnable.rules import find_variant, joker_view, klondike, views
from winnable.rules.formats.partial import format_view, read_view, view_object
from winnable.rules.klondike import shows_unseen, turned_place, view_of

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


@pytest.mark.quick("klondike-vegas")
@pytest.mark.parametrize("name", [*NAMES, "joker", "klondike-one-pass"])
def test_a_view_forgets_the_order_of_the_unseen_cards_and_nothing_else(name):
    known = 0
    for seed in range(0, 60, 3):
        state, rng = played(name, seed, 3 * seed), random.Random(seed)
        view = views.view_of(state)
        hidden = [card for column, n in zip(state.columns, state.hidden, strict=True) for card in column[:n]]
        is_known = getattr(state, "is_stock_known", False)
        unseen = [*hidden, *(() if is_known else state.stock)]
        assert view.unseen() == sorted(unseen)
        assert getattr(view, "known_stock", ()) == (state.stock if is_known else ())
        cards = view.unseen()
        rng.shuffle(cards)
        other = views.state_of(view, cards)
        assert views.view_of(other) == view
        assert (other.stock == state.stock) or not is_known
        assert views.state_of(views.view_of(other), unseen) == state
        legal_moves = find_variant(name).family.legal_moves
        assert set(legal_moves(state)) == set(legal_moves(other))
        known += is_known and bool(state.stock)
    assert known > KNOWN.get(name, -1)


def test_the_stock_is_known_after_the_first_pass():
    state = find_variant("klondike").deal(1)
    for draw in range(1, 10):
        assert shows_unseen(state, klondike.DRAW) == (draw <= 8)
        assert turned_place(state, klondike.DRAW) == ((None, 2) if draw <= 8 else None)
        state = klondike.apply(state, klondike.DRAW)
    view = view_of(state)
    assert view.known_stock == state.stock == find_variant("klondike").deal(1).stock[3:]
    assert len(view.unseen()) == 21
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
def test_views_are_written_and_read_again(name, choices):
    for seed in range(0, 30, 2):
        state = played(name, seed, 3 * seed, **choices)
        view = views.view_of(state)
        assert views.view_of(views.state_of(view, view.unseen())) == view
        if not view.unseen():
            continue  # its text would be a position with all cards known
        assert read_view(None, format_view(view), "here") == view
        assert read_view(None, json.dumps(view_object(view)), "here") == view
        if name not in NAMES:
            assert read_view(None, str(state), "known") == view


def test_a_stock_that_is_written_is_known_where_other_cards_are_not():
    state = played("klondike", 5, 20)
    view = view_of(state, knows_stock=True)
    assert len(view.known_stock) == view.stock > 0
    assert read_view(None, format_view(view), "here").known_stock == view.known_stock
    partly = format_view(view).replace(f"Stock: {format_view(view).split('Stock: ')[1][:2]}", "Stock: ??")
    assert read_view(None, partly, "here").known_stock == ()


@pytest.mark.parametrize("name", ["klondike", "joker"])
def test_other_cards_are_refused(name):
    view = views.view_of(find_variant(name).deal(1))
    with pytest.raises(ValueError, match="not the unseen cards"):
        views.state_of(view, view.unseen()[1:])


@pytest.mark.parametrize(
    ("family", "name", "change", "problem"),
    [
        (klondike, "klondike", {"ranks": 5}, "full deck"),
        (joker_view, "joker", {"ranks": 5}, "full deck"),
        (klondike, "joker", {}, "a state of klondike"),
        (klondike, "klondike", {"hidden": (0, 1, 2, 3, 4, 6, 6)}, "0 1 2 3 4 6 6 cards face down"),
        (joker_view, "joker", {"hidden": (0, 1, 2, 3, 4, 6, 6)}, "0 1 2 3 4 6 6 cards face down"),
        (klondike, "klondike", {"redeals": 1}, "redeals"),
    ],
)
def test_what_a_player_does_not_play_is_refused(family, name, change, problem):
    variant = find_variant(name)
    state = variant.deal(1, **change) if "ranks" in change else replace(variant.deal(1), **change)
    with pytest.raises(ValueError, match=problem):
        family.view_of(state)
