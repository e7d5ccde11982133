"""Views of positions with hidden cards in Joker; the rules are in `joker`.

Views do not contain the order of the unseen cards: two positions that differ only in it have equal views.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import hidden_cards
from .board import Board, Position
from .cards import JOKERS, UNKNOWN, Deck, format_card
from .choices import SIZES
from .hidden_cards import (
    IN_PLACE,
    HiddenView,
    board_unseen,
    cards_below,
    hidden_problem,
    placed,
    seen_of,
    uncovered_place,
)
from .joker_board import USUAL, Choices, Move, State, marked_board, read_joker
from .joker_move import TURN, lifted
from .tables import board_of_table, fields_seen, filled_table, missing_cards, turned_up


@dataclass(frozen=True)
class View(HiddenView):
    """A position as it lies on the table; ``jokers`` as in `joker_board.State`. If some cards that lie face
    down or in the stock are known, ``table`` is the state with `cards.UNKNOWN` in the unknown places."""

    jokers: tuple[Any, ...]
    choices: Choices = USUAL
    table: State | None = None

    def unseen(self) -> list[int]:
        """The cards that are face down or in the stock and not known, in ascending order."""
        if self.table is not None:
            return missing_cards(self.table)
        places = {joker.place for joker in self.jokers}
        seen = (cards_below(self.foundations) - places).union(self.waste, *self.columns)
        conditions = zip(JOKERS, self.jokers, strict=True)
        deck = [*range(JOKERS[0])]
        deck += [card for card, j in conditions if not (j.is_open_ace or j.is_out or j.place is not None)]
        return [card for card in deck if card not in seen]


def view_of(state: Position, knows_stock: bool = False) -> View:
    """Return the view of ``state``. ``knows_stock`` has no effect, since there is only one pass through the
    stock. Raises ValueError for a state of another family, a short deck, or a position that cannot occur in
    play."""
    fields = seen_of(state, State, "joker")
    assert isinstance(state, State)
    problem = impossibility(state)
    if problem is not None:
        raise ValueError(problem)
    return View(*fields, state.jokers, state.choices)


def impossibility(state: State) -> str | None:
    """Return the reason why ``state`` cannot occur in play, judged by its numbers of cards; None if these do
    not exclude it."""
    problem = hidden_problem(state)
    if problem is not None:
        return problem
    turned = len(state.deck.cards()) - sum(SIZES) - len(state.stock)
    if turned < 0:
        return f"stock: {len(state.stock)} cards, a deal has {turned + len(state.stock)} there"
    if len(state.waste) > turned:
        return f"waste: {len(state.waste)} cards, but only {turned} have been turned"
    return None


def state_of(view: View, cards: Sequence[int]) -> State:
    """Return the state that looks like ``view``, with ``cards`` in the unseen places: face down column by
    column, the deepest first, then in the stock. Raises ValueError unless they are its unseen cards in some
    order."""
    if view.table is not None:
        found: State = filled_table(view.table, cards)
        return found
    columns, left = placed(view, cards, view.unseen())
    return State(
        *(view.variant, Deck(jokers=True), columns, view.hidden, tuple(left), view.waste),
        *(view.foundations, view.jokers, view.choices),
    )


def board_of_view(view: View) -> Board:
    """The board of ``view``, with `cards.UNKNOWN` for each card that is not seen."""
    if view.table is not None:
        return board_of_table(marked_board(state_of(view, view.unseen())), view.table)
    return board_unseen(marked_board(state_of(view, view.unseen())), (UNKNOWN,) * view.stock)


def view_of_table(table: State) -> View:
    """Return the view of a state with `cards.UNKNOWN` in the places of unknown cards. The other cards are
    known."""
    return View(*fields_seen(table), table.jokers, table.choices, table)


def cards_up(board: Board) -> list[int]:
    """The cards that lie on the foundations of ``board``, naturals and jokers. Raises BoardError."""
    naturals = hidden_cards.cards_up(board)
    jokers = [card for card in JOKERS if format_card(card) in (board.foundations or {})]
    places = [read_joker(board, card).place for card in jokers]
    return [natural for natural in naturals if natural not in places] + jokers


def shows_unseen(position: State | View, move: Move) -> bool:
    """Return whether ``move`` turns an unseen card: a turn of the stock, unless a table names its card."""
    table = position.table if isinstance(position, View) else None
    return move == TURN and (table is None or bool(turned_up(table, move)))


def turned_place(state: State, move: Move) -> tuple[int | None, int] | None:
    """The column, None for the stock, and depth of the card that ``move`` turns up; None if there is none."""
    if move == TURN:
        return None, 0
    count = 0 if move.target == IN_PLACE else len(lifted(state, move))
    return uncovered_place(state, move.source, count)
