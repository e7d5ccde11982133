"""Views of hidden-card positions in Klondike with redeals; the rules are in `klondike`.

The order of the unseen cards is in no view: two positions that differ only in it have equal views. Cards of
the stock are unseen until they are turned; once the waste was turned over, the whole stock is known in its
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .board import Board, BoardError, Position, Seen
from .cards import UNKNOWN, Deck, make_card
from .hidden_cards import board_unseen, columns_with, naturals_up, supply_of
from .klondike_board import Choices, State, check_counts, face_up, marked_board
from .klondike_move import DRAW, STOCK, Move, lifted
from .variants import check_family


@dataclass(frozen=True)
class View(Seen):
    """A position as it lies on the table.

    ``columns`` are the face-up cards of each column, deepest first, ``hidden`` the numbers of face-down cards
    under them. ``stock`` is the number of its cards, ``known_stock`` are these cards where they have been
    seen, and empty where not. The other fields are those of `klondike_board.State`.
    """

    variant: str
    columns: tuple[tuple[int, ...], ...]
    hidden: tuple[int, ...]
    stock: int
    known_stock: tuple[int, ...]
    waste: tuple[int, ...]
    foundations: tuple[int, ...]
    redeals: int
    choices: Choices

    def unseen(self) -> list[int]:
        """The cards that are face down, or in the stock and not known, in ascending order."""
        up = {make_card(rank, suit) for suit, height in enumerate(self.foundations) for rank in range(height)}
        seen = up.union(self.waste, self.known_stock, *self.columns)
        return [card for card in sorted(Deck().cards()) if card not in seen]


def view_of(state: Position, knows_stock: bool = False) -> View:
    """The view of ``state``, with the stock known if it says so: see `klondike_board.State.is_stock_known`,
    or if ``knows_stock`` says it.

    Raises ValueError for a state of another family, a short deck, or a position that no play leads to.
    """
    from . import klondike  # the family, of which this is a part

    check_family(state, klondike)
    assert isinstance(state, State)
    if not state.deck.is_full:
        raise ValueError("a player needs the full deck")
    try:
        check_counts(state)
    except BoardError as error:
        raise ValueError(str(error)) from None
    is_known = knows_stock or state.is_stock_known
    return View(
        state.variant,
        tuple(face_up(state, column) for column in range(len(state.columns))),
        state.hidden,
        len(state.stock),
        state.stock if is_known else (),
        state.waste,
        state.foundations,
        state.redeals,
        state.choices,
    )


def state_of(view: View, cards: Sequence[int]) -> State:
    """The state that looks like ``view`` and has ``cards``, its unseen cards in any order, face down column
    by column, the deepest first, and then in the stock. Raises ValueError if they are others."""
    supply = supply_of(view.unseen(), cards)
    columns = columns_with(view.columns, view.hidden, supply)
    return State(
        *(view.variant, Deck(), columns, view.hidden, view.known_stock or tuple(supply), view.waste),
        *(view.foundations, view.redeals, view.choices, bool(view.known_stock)),
    )


def board_of_view(view: View) -> Board:
    """The board of ``view``, with `cards.UNKNOWN` for each card that is not seen."""
    stock = view.known_stock or (UNKNOWN,) * view.stock
    return board_unseen(marked_board(state_of(view, view.unseen())), stock)


def cards_up(board: Board) -> list[int]:
    """The cards that lie on the foundations of ``board``. Raises BoardError."""
    return naturals_up(board)


def shows_unseen(position: State | View, move: Move) -> bool:
    """Return whether ``move`` turns cards of the stock that nobody has seen."""
    is_known = bool(position.known_stock) if isinstance(position, View) else position.is_stock_known
    return move == DRAW and bool(position.stock) and not is_known


def turned_place(state: State, move: Move) -> tuple[int | None, int] | None:
    """The column, None for the stock, and the depth there of the card that ``move`` turns up, on top if it
    turns several; None if it turns none that is not known."""
    if move.source == STOCK:
        return (None, len(lifted(state, move)) - 1) if shows_unseen(state, move) else None
    if move.source < 0 or not state.hidden[move.source]:
        return None
    if len(lifted(state, move)) < len(face_up(state, move.source)):
        return None
    return move.source, state.hidden[move.source] - 1
