"""Positions of Chessboard and the Simon family written in columns, and random play, for tests of rules."""

from dataclasses import fields
from functools import partial
from itertools import product, starmap

from tests.deals import states_of_play

from winnable.rules import Board, Deck, find_variant
from winnable.rules.board import Slot
from winnable.rules.cards import RANKS, SUITS, parse_card

CARDS = [rank + suit for rank in RANKS for suit in SUITS]


def cells(text):
    """``6H 5C / - / KH`` as columns; ``-`` is an empty one."""
    columns = (column.replace("-", "").split() for column in text.split("/"))
    return tuple(tuple(parse_card(name) for name in column) for column in columns)


def board(text, deck=None, foundations=None, **piles):
    columns = tuple(tuple(Slot(card) for card in column) for column in cells(text))
    return Board(deck or Deck(3, "CD"), columns, foundations=foundations, **piles)


def family_of(state):
    return find_variant(state.variant).family


def score_of(state):
    return family_of(state).score(state)


def moves_of(state):
    return {family_of(state).format_move(state, move) for move in family_of(state).legal_moves(state)}


def listed(text):
    return {entry.strip() for entry in text.split(",")} - {""}


def play(state, *texts):
    for text in texts:
        state = family_of(state).apply(state, family_of(state).parse_move(state, text))
    return state


def is_accepted(state, move):
    try:
        family_of(state).apply(state, move)
    except ValueError:
        return False
    return True


VALUES = {"count": range(6), "suit": (None, *range(-1, 4)), "rank": (None, -1, 0, 1, 4, 12)}


def check_what_applies(state):
    """Check that exactly the legal moves apply, among all moves that can be written, also with invalid places
    and cards."""
    family, places = family_of(state), range(-6, len(state.columns) + 1)
    written = {field.name: VALUES.get(field.name, places) for field in fields(family.Move) if field.compare}
    moves = filter(partial(is_accepted, state), starmap(family.Move, product(*written.values())))
    legal = family.legal_moves(state)
    assert all(is_accepted(state, move) for move in legal)
    assert set(moves) == {
        move for move in legal if all(getattr(move, name) in values for name, values in written.items())
    }


def playouts(variant, ranks=13, suits="CDHS", games=2, length=40, preferred=lambda move: False):
    """Yield the states of random lines of play; for short lines more than ``games``."""
    count = 0
    for seed in range(30 * games):
        if seed >= games and count >= 30 * games:
            break
        deal = find_variant(variant).deal(seed, ranks, suits)
        for state in states_of_play(deal, length, seed, lambda moves: [*filter(preferred, moves)]):
            yield state
            count += 1


FULL = "AC 2C 3C / AD 2D 3D"
BAD_BOARDS = [
    (board("AC 2C 3C / AD 2D"), "^missing card: 3D$"),
    (board(FULL + " 2C"), "^column 2: duplicate card 2C .also in column 1.$"),
    (board(FULL + " 2H"), "^column 2: card 2H does not belong to this deck$"),
    (board(FULL + " 4C"), "^column 2: card 4C does not belong to this deck$"),
    (board(FULL + " XB"), "^column 2: card XB does not belong to this deck$"),
    (board(FULL, stock=(9,)), "^stock: this game has none$"),
    (board(FULL, waste=(9,)), "^waste: this game has none$"),
    (board(FULL, removed=(52,)), "^removed: this game has none$"),
    (Board(Deck(3, "CD"), ()), "^no column of cards$"),
    (Board(Deck(1, "C"), ((Slot(0, face_down=True),),)), "^column 1: card AC: all cards lie face up here$"),
    (Board(Deck(1, "C"), ((Slot(0, rank=3),),)), "^column 1: card AC: all cards lie face up here$"),
]
"""Boards that are none of any of these games, and why."""
