"""Joker and Klondike in one pass: moves and boards as they are written."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from tests.rules.joker_positions import (
    ANY_REMOVAL,
    EXPOSED,
    build,
    choose,
    make_board,
    read_parts,
)

from winnable.rules import find_variant, joker
from winnable.rules.board import BoardError
from winnable.rules.cards import Deck, parse_card
from winnable.rules.joker import FOUNDATION, IN_PLACE, OUT, TURN, WASTE, Choices, Joker, Move


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
        ("", "is no move"), ("2S", "is no move"), ("2S w-3 ", "is no move"), ("2S  w-3", "is no move"),
        ("2S w3", "is no move"), ("2S w-0", "is no move"), ("2S w-03", "is no move"),
        ("2S f-3", "is no move"), ("XB 1-fs", "is no move"), ("XB 1=", "is no move"),
        ("3H s-w\n", "is no move"), ("XB 1=1", "no such rank"), ("1S w-3", "no such rank"),
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
        ("6C 2-fC", "only for a joker"), ("6C 2-x", "no undeclared joker"),
        ("XR 2=7", "no undeclared joker"), ("XB 1-fC", "empty or complete"),
        ("XB 1-fH", "cannot be of that suit"), ("XB 1-2", "XB does not go on 6C"),
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


# Columns, W waste, X removed, F foundations, S stock, of which the default is all other cards; ranks and
# suits of the deck, without jokers after a "-".
BAD = """
size of a deal: [9D] [8S] => column 2: 1 cards, a deal has 2
columns of a deal: [9D] [8S 7S] => column 3: 0 cards, a deal has 3
too many columns: [9D] [9D] [9D] [9D] [9D] [9D] [9D] [9D] F[] => column 8: this game has 7 columns
missing card (I4): [9D] F[] S[] => card AC is missing
doubled card (I4): [9D] [-9D 8S] F[] => column 2: card 9D once too often
doubled on a foundation: [2C] F[C:3] => column 1: card 2C once too often
natural under a joker missing: [3H] F[C:3 XB:3C] S[XR AH 2H] 3CH => ^card 3C is missing$
joker twice: [XB] F[XB:A] => column 1: card XB once too often
removed natural: [9D] X[8S] => removed: card 8S is no joker
hidden above face up: [9D -8S] => column 1: card 8S is face down above
hidden top: [-9D -8S] [2C] => column 1: card 8S is the top
rank of a natural: [9D=7] => column 1: card 9D: only a face-up joker
rank of a hidden joker: [-XB=7 2C] => column 1: card XB: only a face-up joker
rank beyond the deck: [XB=7] 5CDHS => column 1: card XB: this deck ends at 5
undeclared joker in a run (I1): [-9D XB 6H] => column 1: card XB is undeclared
undeclared joker on a card (I1): [2C] [9D XB] W[3C] => column 2: card XB is undeclared
same colour (I2): [-2C 9D 8H] => column 1: card 8H cannot lie on 9D
wrong rank (I2): [-2C 9D 7S] => column 1: card 7S cannot lie on 9D
wrong rank of a joker (I2): [-2C 9D XB=7] => column 1: card XB cannot lie on 9D
on an ace (I2): [-2C AD KC] => column 1: card KC cannot lie on AD
joker for no card (I3): [XR=7] [7D] [7H] => column 1: card XR stands for no card
open ace for no card (I3): [AC] [AS] F[XB:A] => foundations: card XB stands for no card
natural on the waste (I3): [XR=7] W[2C 7D] => waste: card 7D would have changed places
ace on the waste (I3): [2C] W[AS] F[XB:A] => waste: card AS would have
place on the waste (I3): [9D] W[3C] F[C:4 XB:3C] => waste: card 3C would
place face up (I3): [3C] F[C:4 XB:3C] => column 1: card 3C lies face
place above the top: [9D] F[C:2 XB:3C] => 3C lies above the top
place of the other colour: [9D] F[D:4 XB:3D] => XB cannot be 3D
place of a joker: [9D] F[XB:XR] => XB cannot be XR
settled ace without deuce: [9D] F[C:A XB:AC] => it is an open ace
place that is no card: [9D] F[XB:123] => foundations: card XB as card '123'
unknown foundation: [9D] F[XX:A] => foundations: 'XX': no such suit
suit beyond the deck: [2C] F[H:A] 4CD => foundations: 'H': no such suit
no jokers: [2C] 4CDHS- => joker is played with jokers
"""


def read_board(text):
    """A board that is written so."""
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


def test_klondike_refuses_jokers():
    with pytest.raises(BoardError, match="without jokers"):
        joker.from_board("klondike-one-pass", make_board("[2C]"))
    for piles in ({"foundations": {"XB": "A"}}, {"foundations": {}, "removed": "XB"}, {"waste": "XB"}):
        with pytest.raises(BoardError, match=r"XB.*this deck"):
            joker.from_board("klondike-one-pass", make_board("[2C]", deck=Deck(), **piles))


@pytest.mark.parametrize("choices", [EXPOSED, ANY_REMOVAL, Choices("exposed", "exposed")])
def test_boards_round_trip_under_choices(choices):
    for seed in range(25):
        rng, state = random.Random(seed), find_variant("joker").deal(seed, 4, "CDHS", (2, 3), choices=choices)
        for _ in range(60):
            assert joker.from_board("joker", joker.to_board(state), choices) == state
            moves = joker.legal_moves(state)
            if not moves:
                break
            after = joker.apply(state, choose(rng, moves))
            assert joker.score(state) <= joker.score(after) <= state.deck.places
            state = after
