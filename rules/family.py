"""What the module of a variant family offers: the contract of `chessboard`, `simon` and `joker`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol, TypeVar

from .board import Board
from .cards import Deck

S = TypeVar("S")
M = TypeVar("M")
S_contra = TypeVar("S_contra", contravariant=True)


class Family(Protocol[S, M]):
    """What the module of a variant family offers; its docstring is the rules in prose.

    Its states ``S``, of the class ``State``, and its moves ``M``, of the class ``Move``, are immutable and
    hashable. `canonical` is equal for two states of one game exactly when they are interchangeable. `apply`
    and `parse_move` raise ValueError, `from_board` raises BoardError. ``LEGEND`` explains the notation of
    moves in one line.
    """

    __doc__: str | None
    LEGEND: str

    @property
    def State(self) -> type[S]:  # noqa: N802 - it is a class
        """The class of its states."""

    @property
    def Move(self) -> type[M]:  # noqa: N802 - it is a class
        """The class of its moves."""

    def start(self, variant: str, deck: Deck, columns: Any, stock: tuple[int, ...] = ()) -> S:
        """The state before the first move."""

    def legal_moves(self, state: S) -> list[M]:
        """All legal moves, each with its card."""

    def apply(self, state: S, move: M) -> S:
        """The state after a move."""

    def is_won(self, state: S) -> bool:
        """Whether nothing is left to play for."""

    def canonical(self, state: S) -> Hashable:
        """The hashable identity of a state."""

    def format_move(self, state: S, move: M) -> str:
        """A legal move as text."""

    def with_card(self, state: S, move: M) -> M:
        """A legal move with the card that it moves, as its text names it."""

    def parse_move(self, state: S, text: str) -> M:
        """The move that a text names."""

    def from_board(self, variant: str, board: Board) -> S:
        """The state on a board."""

    def to_board(self, state: S) -> Board:
        """The board of a state."""


class Scoring(Protocol[S_contra]):
    """What a family offers beside, if its games are more than won or lost."""

    def score(self, state: S_contra) -> int:
        """The number of foundation places filled; it never falls."""

    def tier_of(self, score: int, places: int) -> str:
        """The name of a score in a deck of so many foundation places."""
