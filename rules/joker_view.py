"""Views of positions with hidden cards in Joker or Klondike in one pass; the rules are in `joker`.

The order of the unseen cards is in no view: two positions that differ only in it have equal views.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import hidden_cards
from .board import Board, Position
from .cards import JOKERS, UNKNOWN, Deck, format_card
from .choices import SIZES
from .hidden_cards import (
    HiddenView,
    board_unseen,
    cards_below,
    hidden_problem,
    placed,
    seen_of,
    uncovered_place,
)
from .joker_board import USUAL, Choices, State, marked_board, read_joker
from .joker_move import IN_PLACE, TURN, Move, lifted


@dataclass(frozen=True)
class View(HiddenView):
    """A position as it lies on the table; ``jokers`` as in `joker_board.State`."""

    jokers: tuple[Any, ...]
    choices: Choices = USUAL

    def unseen(self) -> list[int]:
        """The cards that are face down or in the stock, in ascending order."""
        places = {joker.place for joker in self.jokers}
        seen = (cards_below(self.foundations) - places).union(self.waste, *self.columns)
        deck = [*range(JOKERS[0])]
        if self.variant == "joker":
            conditions = zip(JOKERS, self.jokers, strict=True)
            deck += [card for card, j in conditions if not (j.is_open_ace or j.is_out or j.place is not None)]
        return [card for card in deck if card not in seen]


def view_of(state: Position, knows_stock: bool = False) -> View:
    """The view of ``state``; ``knows_stock`` means nothing, as nobody goes through the stock twice. Raises
    ValueError for a state of another family, a short deck, or a position that no play leads to."""
    fields = seen_of(state, State, "joker or klondike-one-pass")
    assert isinstance(state, State)
    problem = impossibility(state)
    if problem is not None:
        raise ValueError(problem)
    return View(*fields, state.jokers, state.choices)


def impossibility(state: State) -> str | None:
    """The reason, by counts of cards, why no play of a deal leads to ``state``; None if they tell none."""
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
    """The state that looks like ``view`` and has ``cards``, its unseen cards in any order, face down column
    by column, the deepest first, and then in the stock. Raises ValueError if they are others."""
    columns, left = placed(view, cards, view.unseen())
    deck = Deck(jokers=view.variant == "joker")
    return State(
        *(view.variant, deck, columns, view.hidden, tuple(left), view.waste),
        *(view.foundations, view.jokers, view.choices),
    )


def board_of_view(view: View) -> Board:
    """The board of ``view``, with `cards.UNKNOWN` for each card that is not seen."""
    return board_unseen(marked_board(state_of(view, view.unseen())), (UNKNOWN,) * view.stock)


def cards_up(board: Board) -> list[int]:
    """The cards that lie on the foundations of ``board``, naturals and jokers. Raises BoardError."""
    naturals = hidden_cards.cards_up(board)
    jokers = [card for card in JOKERS if format_card(card) in (board.foundations or {})]
    places = [read_joker(board, card).place for card in jokers]
    return [natural for natural in naturals if natural not in places] + jokers


def shows_unseen(position: State | View, move: Move) -> bool:
    """Return whether ``move`` turns a card of the stock, which nobody has seen, whatever the ``position``."""
    return move == TURN


def turned_place(state: State, move: Move) -> tuple[int | None, int] | None:
    """The column, None for the stock, and depth of the card that ``move`` turns up; None if there is none."""
    if move == TURN:
        return None, 0
    count = 0 if move.target == IN_PLACE else len(lifted(state, move))
    return uncovered_place(state, move.source, count)
