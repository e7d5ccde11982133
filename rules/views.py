"""Views of positions with hidden cards, as a player sees them, for all games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .board import Board, Position
from .cards import UNKNOWN
from .tables import filled, missing_cards
from .variants import Move, State, View, find_variant

if TYPE_CHECKING:
    from .family import Hiding


def view_of(state: Position, knows_stock: bool = False) -> View:
    """The view of ``state``. With ``knows_stock`` it is the view of a player who has gone through the stock,
    in games where that is possible. Raises ValueError for a game without hidden cards, and for a position
    that play cannot reach."""
    check_hides(state)
    find_variant(state.variant).check(state)
    view: View = _hiding(state.variant).view_of(state, knows_stock)
    return view


def view_of_table(table: Any) -> View:
    """The view of a state with `cards.UNKNOWN` in the places of unknown cards; all other cards are known.
    Raises ValueError for a position that play cannot reach."""
    check_hides(table)
    if table.deck.is_full:
        plain = view_of(filled(table, missing_cards(table)), UNKNOWN not in table.stock)
        if table_of(plain) == table:  # no card is known beyond those that a player sees
            return plain
    view: View = _hiding(table.variant).view_of_table(table)
    return view


def table_of(view: View) -> Any:
    """The state with `cards.UNKNOWN` in the places of the cards that ``view`` does not show."""
    if view.table is not None:
        return view.table
    state: Any = state_of(view)
    unseen = set(view.unseen())
    columns = tuple(
        tuple(UNKNOWN if depth < hidden else card for depth, card in enumerate(column))
        for column, hidden in zip(state.columns, state.hidden, strict=True)
    )
    stock = tuple(UNKNOWN if card in unseen else card for card in state.stock)
    return replace(state, columns=columns, stock=stock)


def check_hides(state: object) -> None:
    """Raise ValueError unless ``state`` is a state of a game with hidden cards."""
    name = getattr(state, "variant", None)
    if not isinstance(name, str) or find_variant(name).hiding is None:
        subject = name if isinstance(name, str) else f"a {type(state).__name__}"
        raise ValueError(f"{subject}: expected a state of a game with hidden cards")


def state_of(view: View, cards: Sequence[int] | None = None) -> State:
    """Return a state that looks like ``view``. ``cards`` are its unseen cards in the order in which they lie:
    column by column, the deepest first, then the stock; without them the order is arbitrary."""
    state: State = _hiding(view.variant).state_of(view, view.unseen() if cards is None else cards)
    return state


def board_of(view: View) -> Board:
    """The board of ``view``, with `cards.UNKNOWN` for each card that is not seen."""
    return _hiding(view.variant).board_of_view(view)


def cards_up(variant: str, board: Board) -> list[int]:
    """The cards that lie on the foundations of a board. Raises BoardError."""
    return _hiding(variant).cards_up(board)


def shows_unseen(position: State | View, move: Move) -> bool:
    """Return whether the card of ``move``, legal in ``position``, is not seen before the move is made."""
    return _hiding(position.variant).shows_unseen(position, move)


def turned_place(state: State, move: Move) -> tuple[int | None, int] | None:
    """The column, None for the stock, and depth of the card that a legal ``move`` turns up, or None."""
    return _hiding(state.variant).turned_place(state, move)


def _hiding(name: str) -> Hiding[Any, Any, View]:
    variant = find_variant(name)
    if variant.hiding is None:
        raise ValueError(f"{variant.name}: all cards lie face up")
    return variant.hiding
