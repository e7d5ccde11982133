"""Contract of the module of a variant family, such as `chessboard`, `simon` and `joker`.

`Family` is what each of them has. What only some games need stands in the other protocols: a module that has
the first name of one has them all. `Variant` tells which: ``scoring``, ``choosing`` and ``hiding``.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar

from .board import Board
from .cards import Deck

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")
S_contra = TypeVar("S_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)


class Family(Protocol[S, M]):
    """The contract of the module of a variant family; its docstring is the rules in prose.

    Its states ``S``, of the class ``State``, and its moves ``M``, of the class ``Move``, are immutable and
    hashable. `canonical` is equal for two states of one game exactly when they are interchangeable. `apply`
    and `parse_move` raise ValueError, `from_board` raises BoardError. They take states and moves of the
    family for granted; `Variant.check` and `verify.replay` do not. ``LEGEND`` explains the notation of moves
    in one line.
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
        """Return whether nothing is left to play for."""

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

    def marked_board(self, state: S) -> Board:
        """The board of a state with each face-down card marked, which `to_board` need not do in a deal."""

    def foundations_of(self, state: S) -> list[list[int]]:
        """The cards of each foundation, or of each run that left the game, in the order of their building;
        jokers as the cards they stand for."""

    def foundation_top(self, variant: str, cards: Sequence[int]) -> str | None:
        """The notation of boards for a foundation of ``cards``, which begin at the lowest and go up in suit;
        None where they write nothing of it. Raises ValueError for a foundation that the game cannot have."""

    def sentence(self, state: S, move: M) -> str:
        """A legal move in words."""

    def effects(self, before: S, move: M, after: S) -> list[str]:
        """The side effects of a legal move, in words."""

    def piles(self, state: S) -> list[dict[str, str]]:
        """The places beside the columns, each made by `board.pile`."""

    def notes(self, state: S, as_seen: bool) -> list[str]:
        """Notes in words on what the cards do not show; ``as_seen``, nothing of cards face down."""


class Scoring(Protocol[S_contra]):
    """Optional part of the contract, for families whose games are more than won or lost."""

    def score(self, state: S_contra) -> int:
        """The number of foundation places filled; it never falls."""

    def tier_of(self, score: int, places: int) -> str:
        """The name of a score in a deck of so many foundation places."""


class Choosing(Protocol[S]):
    """Optional part of the contract, for families of which some game leaves players a choice of rules."""

    def choices_of(self, state: S) -> dict[str, str]:
        """The rules agreed on that are not the usual ones, by name."""

    @property
    def Choices(self) -> type[Any]:  # noqa: N802 - it is a class
        """The class of the rules agreed on, made of their names and values. It raises ValueError."""

    def start(self, variant: str, deck: Deck, columns: Any, stock: tuple[int, ...], choices: Any) -> S:
        """The state before the first move under such rules. Raises ValueError for a game without them."""

    def from_board(self, variant: str, board: Board, choices: Any) -> S:
        """The state on a board under such rules. Raises ValueError for a game without them, or BoardError."""


class Hiding(Protocol[S, M_contra, V]):
    """Optional part of the contract, for families with face-down cards: positions as a player sees them."""

    def view_of(self, state: S, knows_stock: bool = False) -> V:
        """The view of a state, with the stock if known. Raises ValueError for what nobody can meet."""

    def state_of(self, view: V, cards: Sequence[int]) -> S:
        """The state that looks like ``view`` and has ``cards`` where it shows none. Raises ValueError."""

    def board_of_view(self, view: V) -> Board:
        """The board of a view, with `cards.UNKNOWN` for each card that is not seen."""

    def cards_up(self, board: Board) -> list[int]:
        """The cards that lie on the foundations of a board. Raises BoardError."""

    def shows_unseen(self, position: S | V, move: M_contra) -> bool:
        """Return whether the card of a legal move is not seen before the move is made."""

    def turned_place(self, state: S, move: M_contra) -> tuple[int | None, int] | None:
        """The column, None for the stock, and depth of the card that a legal move turns up, or None."""
