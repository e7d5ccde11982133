"""Joker: moves and boards as they are written."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.rules.joker_positions import (
    EXPOSED,
    build,
    make_board,
    read_parts,
)

from winnable.rules import find_variant, joker
from winnable.rules.board import BoardError
from winnable.rules.cards import Deck, parse_card
from winnable.rules.joker import FOUNDATION, IN_PLACE, OUT, TURN, WASTE, Joker, Move


def test_a_position_like_a_deal_of_other_sizes_round_trips():
    state = find_variant("joker").deal(3)
    turned = replace(state, columns=state.columns[::-1], hidden=state.hidden[::-1])
    assert joker.from_board("joker", joker.to_board(turned)) == turned


NOTATION = build(read_parts("P [-9D XB] [-KH 8S XR=7 6C] [5H] [] W[8D 2S] S[3H 4H]"))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3H s-w", TURN), ("2S w-3", Move(WASTE, 2)), ("2S w-f", Move(WASTE, FOUNDATION)),
        ("6c 2-f", Move(1, FOUNDATION)), ("XR 2-4", Move(1, 3, 2)), ("8S 2-3", Move(1, 2, 3)),
        ("XB 1-4", Move(0, 3)), ("XB 1-f", Move(0, FOUNDATION)), ("XB 1-fS", Move(0, FOUNDATION, suit=3)),
        ("XB 1=10", Move(0, IN_PLACE, rank=9)), ("XB 1=A", Move(0, IN_PLACE, rank=0)),
        ("XB 1-x", Move(0, OUT)),
    ],
)  # fmt: skip
def test_parse_move(text, move):
    assert joker.parse_move(NOTATION, text) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2S w3", "cannot read"), ("2S w-0", "cannot read"), ("2S w-03", "cannot read"),
        ("2S f-3", "cannot read"), ("XB 1-fs", "cannot read"), ("XB 1=", "cannot read"),
        ("XB 1=14", "'14' is not a rank"), ("14S w-3", "'14S' is not a card"),
        ("4H s-w", "the draw shows 3H"), ("8D w-3", "the waste shows 2S"),
        ("9D 1-3", "9D does not lie face up in column 1"),
        ("7S 2-3", "7S does not lie face up in column 2"),
        ("7S 4-3", "7S does not lie face up in column 4"), ("7S 9-3", "no column 9"),
    ],
)  # fmt: skip
def test_parse_move_refuses(text, reason):
    with pytest.raises(ValueError, match=reason):
        joker.parse_move(NOTATION, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3H s-3", "goes to the waste"), ("XB 1-w", "goes to the waste"),
        ("2S w-3", "2S does not go on 5H"), ("2S w-4", "2S does not go to an empty column"),
        ("8S 2-2", "lies on column 2 already"), ("8S 2-5", "there is no column 5"),
        ("8S 2-f", "one card at a time"), ("6C 2-f", "6C is not next on its foundation"),
        ("6C 2-fC", "only for a joker"), ("6C 2-x", "is not an undeclared joker"),
        ("XR 2=7", "is not an undeclared joker"), ("XB 1-fC", "empty or complete"),
        ("XB 1-fH", "cannot be of that suit"), ("XB 1-2", "XB does not go on 6C"),
        ("2S w-1", "nothing goes on XB until it is declared"),
    ],
)  # fmt: skip
def test_apply_tells_why(text, reason):
    with pytest.raises(ValueError, match=reason):
        joker.apply(NOTATION, joker.parse_move(NOTATION, text))


def test_nothing_goes_on_an_ace():
    state = build(read_parts("P [-9D XB] [-KC AH] [5H] []"))
    assert joker.refusal(state, Move(0, 1)) == "XB does not go on AH"


def test_an_empty_stock_and_waste_are_named():
    state = replace(NOTATION, stock=(), waste=())
    with pytest.raises(ValueError, match="the stock is empty"):
        joker.apply(state, TURN)
    for text in ("3H s-w", "2S w-3"):
        with pytest.raises(ValueError, match="is empty"):
            joker.parse_move(state, text)


def test_a_board_with_everything_is_read():
    state = joker.from_board(
        "joker", make_board("[-9D XR=7 6C] [-2D 8S]", "KC KD", "", {"C": "4", "XB": "3C"})
    )
    assert state.hidden == (1, 1, 0, 0, 0, 0, 0)
    assert state.jokers == (Joker(place=parse_card("3C")), Joker(rank=6))
    assert parse_card("3C") in state.stock
    assert state.foundations == (4, 0, 0, 0)


def test_without_marks_a_waste_makes_a_position():
    state = joker.from_board("joker", make_board("[9D 8S]", "KC"))
    assert state.hidden == (0,) * 7


BAD = Path(__file__).with_name("joker_bad_boards.txt").read_text(encoding="utf-8").partition("\n\n")[2]


def read_board(text):
    """The state of a board in text."""
    piles = dict(re.findall(r"([WXFS])\[(.*?)\]", text))
    deck = re.search(r" (\d+)([CDHS]+)(-?)$", text)
    return make_board(
        re.sub(r"[WXFS]\[.*?\]", "", text),
        piles.get("W", ""),
        piles.get("X", ""),
        dict(part.split(":") for part in piles["F"].split()) if "F" in piles else None,
        Deck(int(deck[1]), deck[2], jokers=not deck[3]) if deck else None,
        tuple(map(parse_card, piles["S"].split())) if "S" in piles else None,
    )


ROWS = (re.split(": | => ", row, maxsplit=2) for row in BAD.strip().splitlines())
BAD_BOARDS = {name: (read_board(text), problem) for name, text, problem in ROWS}


@pytest.mark.parametrize("name", BAD_BOARDS)
def test_bad_board_is_refused(name):
    board, problem = BAD_BOARDS[name]
    with pytest.raises(BoardError, match=problem):
        joker.from_board("joker", board, EXPOSED)
    if "(I3)" not in name:
        with pytest.raises(BoardError, match=problem):
            joker.from_board("joker", board)


@pytest.mark.parametrize("name", [name for name in BAD_BOARDS if "(I3)" in name])
def test_a_joker_may_stand_for_what_is_up_where_turned_cards_alone_are_exchanged(name):
    board, _ = BAD_BOARDS[name]
    assert joker.to_board(joker.from_board("joker", board)).columns[: len(board.columns)] == board.columns


def test_joker_is_played_with_jokers():
    with pytest.raises(BoardError, match=r"^joker is played with jokers$"):
        joker.from_board("joker", make_board("[2C]", deck=Deck()))
