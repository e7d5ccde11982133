"""Contract of the module of a variant family, such as `chessboard`, `simon` and `joker`.

Every such module implements `Family`. The other protocols are optional: a module that has the first name of
one must have all its names. `Variant` offers them as ``scoring``, ``choosing``, ``building`` and ``hiding``.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar

from .board import Board
from .cards import Deck
from .choices import Implemented

S = TypeVar("S")
M = TypeVar("M")
S_contra = TypeVar("S_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)


class Family(Protocol[S, M]):
    """The contract of the module of a variant family; its docstring is the rules in prose.

    Its states ``S``, of the class ``State``, and its moves ``M``, of the class ``Move``, are immutable and
    hashable. `canonical` is equal for two states of one game exactly if they are interchangeable. `apply`
    and `parse_move` raise ValueError, `from_board` raises BoardError. These functions assume that states and
    moves belong to the family; `Variant.check` and `verify.replay` check it. ``LEGEND`` explains the notation
    of moves in one line; ``PROVED_FOR`` lists the games and values of rule options for which safe moves and
    the proofs of other modules about these rules hold.
    """

    __doc__: str | None
    LEGEND: str
    PROVED_FOR: Implemented

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
        """Return whether the game is won; with scores, whether the score is the greatest possible."""

    def canonical(self, state: S) -> Hashable:
        """The hashable identity of a state."""

    def format_move(self, state: S, move: M) -> str:
        """A legal move as text."""

    def with_card(self, state: S, move: M) -> M:
        """A legal move with the card that it moves, as its text names it."""

    def parse_move(self, state: S, text: str) -> M:
        """The move that a text names."""

    def move_between(self, state: S, source: str, target: str, count: int) -> M:
        """The move, legal or not, that takes the top ``count`` cards of one place to another, both as in
        `Step.places`; a foundation has its suit, ``fS``. Raises ValueError with the reason if there is no
        such kind of move."""

    def safe_move(self, state: S) -> M | None:
        """A safe foundation move: one that never loses anything, so that a program may make it unasked. None
        if none is known. It depends on no card that is not seen; the proofs are those of the searches."""

    def from_board(self, variant: str, board: Board) -> S:
        """The state on a board."""

    def to_board(self, state: S) -> Board:
        """The board of a state."""

    def marked_board(self, state: S) -> Board:
        """The board of a state with each face-down card marked, which `to_board` need not do in a deal."""

    def foundations_of(self, state: S) -> list[list[int]]:
        """The cards of each foundation, or of each run that left the game, in the order in which they were
        put there; jokers as the cards they stand for."""

    def foundation_top(self, variant: str, cards: Sequence[int]) -> str | None:
        """The notation of boards for a foundation of ``cards``, which ascend in suit from the lowest; None if
        boards do not write it. Raises ValueError for a foundation that the game cannot have."""

    def sentence(self, state: S, move: M) -> str:
        """A legal move in words."""

    def effects(self, before: S, move: M, after: S) -> list[str]:
        """The side effects of a legal move, in words."""

    def piles(self, state: S) -> list[dict[str, str]]:
        """The places beside the columns, each made by `board.pile`."""

    def notes(self, state: S, as_seen: bool) -> list[str]:
        """Notes in words on facts that the cards on the table do not show; with ``as_seen`` nothing about
        face-down cards."""


class Scoring(Protocol[S_contra]):
    """Optional part of the contract, for families some of whose games have scores."""

    def score(self, state: S_contra) -> int:
        """The number of foundation places filled; it never falls."""

    def tier_of(self, score: int, places: int) -> str:
        """The name of ``score`` in a deck of ``places`` foundation places."""


class Choosing(Protocol[S]):
    """Optional part of the contract, for families in which some game has rule options."""

    def choices_of(self, state: S) -> dict[str, str]:
        """The rule options whose values are not the usual ones, by name."""

    @property
    def Choices(self) -> type[Any]:  # noqa: N802 - it is a class
        """The class of a set of rule options, with their names as keywords. It raises ValueError."""

    def start(self, variant: str, deck: Deck, columns: Any, stock: tuple[int, ...], choices: Any) -> S:
        """The state before the first move under such rules. Raises ValueError for a game without them."""

    def from_board(self, variant: str, board: Board, choices: Any) -> S:
        """The state on a board under such rules. Raises ValueError for a game without them, or BoardError."""


class Building(Protocol[S_contra]):
    """Optional part of the contract, for families in which two cards alone decide whether one goes on the
    other: what the proof that cards block each other asks of the rules."""

    @property
    def LEAVES_IN_RUNS(self) -> bool:  # noqa: N802 - it is a constant
        """True if cards leave the columns as complete runs, not one by one to foundations."""

    def goes_on(self, state: S_contra, card: int, other: int | None) -> bool:
        """Return whether ``card`` may go on ``other``, the top of a column, or for None to an empty one."""

    def moves_together(self, state: S_contra, column: int, depth: int) -> bool:
        """Return whether the card at ``depth`` of a column and the next one on it move as one run."""

    def loose_cards(self, state: S_contra) -> tuple[int, ...]:
        """The cards outside the columns that may come to the columns some time."""

    def possible_bases(self, state: S_contra) -> range:
        """The ranks that the foundations may begin at."""


class Hiding(Protocol[S_contra, M_contra]):
    """Optional part of the contract, for families with face-down cards, whose states may have unknown cards:
    see `tables`."""

    def impossibility(self, state: S_contra) -> str | None:
        """Return the reason why play cannot reach a state, judged by its numbers of cards, None if these do
        not exclude it. Its cards may be unknown."""

    def lifted(self, state: S_contra, move: M_contra) -> tuple[int, ...]:
        """The cards that a move takes up, deepest first, or turns, in that order; empty if they are not
        there."""
