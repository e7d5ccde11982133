"""Views of positions with hidden cards, as a player sees them, for all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import Move, Position, State, View, find_variant
from .board import Board

if TYPE_CHECKING:
    from .family import Hiding


def view_of(state: Position, knows_stock: bool = False) -> View:
    """The view of ``state``; with ``knows_stock`` that of a player who has gone through the stock, in games
    where that is possible. Raises ValueError for a game whose cards lie face up, and for a position that no
    play leads to."""
    check_hides(state)
    find_variant(state.variant).check(state)
    view: View = _hiding(state.variant).view_of(state, knows_stock)
    return view


def check_hides(state: object) -> None:
    """Raise ValueError unless ``state`` is one of a game with hidden cards."""
    name = getattr(state, "variant", None)
    if not isinstance(name, str) or find_variant(name).hiding is None:
        subject = name if isinstance(name, str) else f"a {type(state).__name__}"
        raise ValueError(f"{subject}: expected a state of a game with hidden cards")


def state_of(view: View, cards: Sequence[int] | None = None) -> State:
    """The state that looks like ``view`` and has ``cards``, its unseen ones in any order, where nobody sees
    them: the deepest of the first column first, the stock last; without, a state that looks like it."""
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
