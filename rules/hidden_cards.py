"""Helpers shared by the views of all games with hidden cards; see `joker_view` and `klondike_view`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from .board import Board, Slot, parse_top, suit_tops
from .cards import UNKNOWN, make_card


def supply_of(unseen: list[int], cards: Sequence[int]) -> Iterator[int]:
    """``cards``, one after the other. Raises ValueError unless they are the ``unseen`` ones in some order."""
    if sorted(cards) != unseen:
        raise ValueError("these are not the unseen cards of the position")
    return iter(cards)


def columns_with(
    shown: Sequence[tuple[int, ...]], hidden: Sequence[int], supply: Iterator[int]
) -> tuple[tuple[int, ...], ...]:
    """Columns whose face-up cards are ``shown``, with so many ``hidden`` ones from the supply beneath."""
    return tuple(tuple(islice(supply, count)) + up for up, count in zip(shown, hidden, strict=True))


def board_unseen(board: Board, stock: tuple[int, ...]) -> Board:
    """``board`` with `cards.UNKNOWN` for each card that is face down, and ``stock``."""
    unseen = Slot(UNKNOWN, face_down=True)
    columns = tuple(tuple(unseen if slot.face_down else slot for slot in column) for column in board.columns)
    return board._replace(columns=columns, stock=stock)


def naturals_up(board: Board) -> list[int]:
    """The cards from the aces up to the tops of the foundations of ``board``. Raises BoardError."""
    return [
        make_card(rank, suit)
        for suit, top in suit_tops(board).items()
        for rank in range(parse_top(top, board.deck))
    ]
