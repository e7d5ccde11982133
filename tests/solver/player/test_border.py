"""Tables that a player sees: what no position of a game has does not reach the compiled player."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnable.rules import find_variant, joker
from winnable.rules.cards import UNKNOWN
from winnable.rules.tables import hidden
from winnable.solver import Limits
from winnable.solver.player.player import Player, find_player_kernel

pytest.importorskip("winnable.solver.core.border")

EMPTY = ((),) * 6
DOWN = (UNKNOWN,) * 6


@pytest.mark.parametrize("game", ["joker", "klondike"])
@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"columns": ((0,),) * 6}, "expected 7 columns, got 6"),
        ({"columns": (tuple(range(17)), *EMPTY), "hidden": (0,) * 7}, "at most 16 on them, got 0 and 17"),
        ({"hidden": (7, 0, 0, 0, 0, 0, 0)}, "column 1: expected fewer than 7 face-down .*, got 7 and -6"),
        ({"hidden": (-1, 0, 0, 0, 0, 0, 0)}, "got another number"),
        ({"columns": (*((*DOWN, card) for card in range(4)), *EMPTY[:3]), "hidden": (6, 6, 6, 6, 0, 0, 0)},
         "expected at most 21 face-down cards, got 24"),
        ({"stock": (UNKNOWN,) * 27}, "expected at most 2[46] cards in stock and waste, got 27"),
        ({"waste": (0,)}, "expected at most 2[46] cards in stock and waste, got 2[57]"),
        ({"columns": ((54,), *EMPTY), "hidden": (0,) * 7}, "cards of the deck"),
        ({"columns": ((-1,), *EMPTY), "hidden": (0,) * 7}, "got another number"),
        ({"columns": (tuple(range(52)) * 2, *EMPTY), "hidden": (0,) * 7}, "at most 54 cards in a place"),
        ({"columns": ((0,),) * 7, "hidden": (0,) * 7}, "expected each card once"),
        ({"foundations": (0, 14, 0, 0)}, "expected heights up to 13, got 14"),
        ({"foundations": (0, 0, 0)}, "expected four heights"),
    ],
)  # fmt: skip
def test_tables_of_no_game_are_refused(game, changes, problem):
    refuses(replace(hidden(find_variant(game).deal(1)), **changes), problem)


@pytest.mark.parametrize(
    ("game", "changes", "problem"),
    [
        ("joker", {"jokers": (joker.Joker(rank=13), joker.UNDECLARED)}, "expected a possible joker"),
        ("joker", {"jokers": (joker.Joker(place=52), joker.UNDECLARED)}, "expected a possible joker"),
        ("joker", {"jokers": ()}, "expected two jokers"),
        ("klondike", {"redeals": 256}, "got another number"),
    ],
)
def test_what_only_one_game_has_is_checked(game, changes, problem):
    refuses(replace(hidden(find_variant(game).deal(1)), **changes), problem)


def test_an_unknown_card_face_up_is_refused():
    state = find_variant("klondike").deal(1)
    refuses(replace(state, columns=((UNKNOWN,), *state.columns[1:])), "known cards face up")
    refuses(replace(state, stock=state.stock[1:], waste=(UNKNOWN,)), "known cards face up")


def test_a_short_deck_is_refused():
    refuses(find_variant("joker").deal(1, 5), "expected the full deck for a player")


def refuses(table, problem):
    for player in (Player("rule"), Player(visits=100)):
        kernel = find_player_kernel(table.variant)(Limits(), player)
        with pytest.raises(ValueError, match=problem):
            kernel.choose(table)
