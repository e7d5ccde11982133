"""The games: what a deal, a position and a move are. No search, no packing; read `chessboard` first."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from . import chessboard, joker, simon
from .board import Board, BoardError
from .cards import Deck, shown
from .deals import lay_out, shuffled
from .joker_board import CHOICES, Choices

__all__ = [
    "CHOICES",
    "VARIANTS",
    "Board",
    "BoardError",
    "Choices",
    "Deck",
    "Family",
    "Variant",
    "find_variant",
]


class Family(Protocol):
    """What the module of a variant family offers; its docstring is the rules in prose.

    States and moves are immutable and hashable. `canonical` is equal for two states of one game exactly when
    they are interchangeable. `apply` and `parse_move` raise ValueError, `from_board` raises BoardError.
    ``LEGEND`` explains the notation of moves in one line.
    """

    __doc__: str | None
    LEGEND: str

    def start(self, variant: str, deck: Deck, columns: Any, stock: tuple[int, ...] = ()) -> Any:
        """The state before the first move."""

    def legal_moves(self, state: Any) -> list[Any]:
        """All legal moves."""

    def apply(self, state: Any, move: Any) -> Any:
        """The state after a move."""

    def is_won(self, state: Any) -> bool:
        """Whether nothing is left to play for."""

    def canonical(self, state: Any) -> Any:
        """The hashable identity of a state."""

    def format_move(self, state: Any, move: Any) -> str:
        """A legal move as text."""

    def parse_move(self, state: Any, text: str) -> Any:
        """The move that a text names."""

    def from_board(self, variant: str, board: Board) -> Any:
        """The state on a board."""

    def to_board(self, state: Any) -> Board:
        """The board of a state."""


class Scoring(Protocol):
    """What a family offers beside, if its games are more than won or lost."""

    def score(self, state: Any) -> int:
        """The number of foundation places filled; it never falls."""

    def tier_of(self, score: int, places: int) -> str:
        """The name of a score in a deck of so many foundation places."""


@dataclass(frozen=True)
class Variant:
    """A game under one name: its family's rules, its deck and its layout.

    ``sizes`` are the column sizes of the full deck. ``scoring`` is there if a line of play has a score and a
    tier; a deal is winnable then if it can reach any tier but ``none``.
    """

    name: str
    summary: str
    family: Family
    sizes: tuple[int, ...]
    copies: int = 1
    jokers: bool = False
    scoring: Scoring | None = None

    def score(self, state: Any) -> int:
        """The score of ``state``; where the game has none, 1 if it is won and 0 otherwise."""
        return self.scoring.score(state) if self.scoring else int(self.family.is_won(state))

    def greatest_score(self, deck: Deck) -> int:
        """The score beyond which there is nothing."""
        return deck.places if self.scoring else 1

    def tiers(self) -> dict[str, int]:
        """The least score of each tier with the full deck, the best tier first; empty without scores."""
        least: dict[str, int] = {}
        if self.scoring:
            places = self.deck().places
            for score in range(places, -1, -1):
                least[self.scoring.tier_of(score, places)] = score
        return least

    def deck(self, ranks: int = 13, suits: str = "CDHS") -> Deck:
        """The deck of this variant, short if ``ranks`` or ``suits`` are given."""
        return Deck(ranks, suits, self.copies, self.jokers)

    def layout(self, deck: Deck) -> tuple[int, ...]:
        """The column sizes of ``deck``; for a short one the usual columns as far as the cards go, and where
        there is a stock only so many of them that its share stays about the same."""
        cards, full = len(deck.cards()), len(self.deck().cards())
        dealt = sum(self.sizes)
        if dealt == full:
            return self.sizes
        count = max(n for n in range(len(self.sizes) + 1) if sum(self.sizes[:n]) * full <= dealt * cards)
        return self.sizes[: max(1, count)]

    def deal(
        self,
        seed: int,
        ranks: int = 13,
        suits: str = "CDHS",
        sizes: Sequence[int] | None = None,
        choices: Choices | None = None,
    ) -> Any:
        """The start position of ``seed``; see `deals` for the dealer.

        ``sizes`` are the column sizes of a short deck, by default those of `layout`; ``choices`` the rules
        agreed on, in games that leave a choice. Raises ValueError for a seed, a deck, sizes or choices that
        cannot be.
        """
        deck = self.deck(ranks, suits)
        cards = shuffled(deck, seed)
        if sizes is None:
            sizes = self.layout(deck)
        elif deck.is_full and tuple(sizes) != self.sizes:
            raise ValueError(f"sizes {shown(list(sizes))}: only a short deck has a choice")
        elif not 1 <= len(sizes) <= len(self.sizes) or min(sizes) < 0 or sum(sizes) > len(cards):
            raise ValueError(f"sizes {shown(list(sizes))}: they do not fit {len(cards)} cards of {self.name}")
        columns, stock = lay_out(cards, sizes)
        if choices is None:
            return self.family.start(self.name, deck, columns, stock)
        self._check_has_choices()
        return joker.start(self.name, deck, columns, stock, choices)

    def from_board(self, board: Board, choices: Mapping[str, str] | None = None) -> Any:
        """The state on ``board`` under the rules agreed on, by name. Raises ValueError for choices that are
        none, BoardError for a board that is no position."""
        if not choices:
            return self.family.from_board(self.name, board)
        self._check_has_choices()
        return joker.from_board(self.name, board, Choices(**choices))

    def choices_of(self, state: Any) -> dict[str, str]:
        """The rules agreed on in the game of ``state`` that are not the usual ones, by name."""
        choices: dict[str, str] = state.choices.changed() if self.family is joker else {}
        return choices

    def _check_has_choices(self) -> None:
        if self.family is not joker:
            raise ValueError(f"{self.name} leaves no choice of rules")


_TRIANGLE = (1, 2, 3, 4, 5, 6, 7)

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant(
            "chessboard",
            "one deck, ten columns, build up or down in suit round the corner",
            chessboard,
            (6, 5, 5, 5, 5, 6, 5, 5, 5, 5),
        ),
        Variant(
            "fortress",
            "as Chessboard, foundations from the ace, no turning the corner",
            chessboard,
            (6, 5, 5, 5, 5, 6, 5, 5, 5, 5),
        ),
        Variant(
            "simon-jester",
            "two decks, fourteen even columns, same-suit runs move, K to A runs leave",
            simon,
            (8,) * 6 + (7,) * 8,
            copies=2,
        ),
        Variant(
            "simon-jester-triangular",
            "Simon Jester in columns of 13, 13, 12, ... 1, as PySolFC deals it",
            simon,
            (13, *range(13, 0, -1)),
            copies=2,
        ),
        Variant(
            "simple-simon",
            "one deck, ten columns of 8, 8, 8, 7, ... 1, same-suit runs move",
            simon,
            (8, 8, *range(8, 0, -1)),
        ),
        Variant(
            "joker",
            "Klondike, one card at a time, one pass, two wild jokers; win, double, triple",
            joker,
            _TRIANGLE,
            jokers=True,
            scoring=joker,
        ),
        Variant(
            "klondike-one-pass",
            "Klondike, one card at a time, one pass, nothing back from the foundations",
            joker,
            _TRIANGLE,
            scoring=joker,
        ),
    )
}


def find_variant(name: str) -> Variant:
    """The variant called ``name``. Raises ValueError, naming the nearest ones, if there is none."""
    try:
        return VARIANTS[name]
    except KeyError:
        near = difflib.get_close_matches(name.lower(), VARIANTS, n=2, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "see: winnable describe"
        raise ValueError(f"variant {shown(name)}: no such game; {hint}") from None
