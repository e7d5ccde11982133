"""Certificates of the Simon family that list positions of the game itself, and all moves of them: that a deal
is unwinnable, or, with one deck, the moves that it needs.

A position is written as its columns that hold cards, each from its deepest card on, in the order of their
texts: ``3H9SKD 5C 8DQH``. Cards in none have left, always whole runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..rules import simon
from ..rules.cards import Deck, format_card, make_card, suit_of
from ..rules.simon import State
from .reading import Header
from .simon_bound import bound


class Game:
    """The check of one deal; see `closed_set.Game`, and `fewest`."""

    def __init__(self, header: Header, deck: Deck) -> None:
        self.header = header
        self.deck = deck
        self.is_unwinnable = header.claim == "unwinnable"
        self.copies = deck.copies if self.is_unwinnable else 1
        self.cards = {format_card(card): card for card in deck.cards()}
        self.names = {card: name for name, card in self.cards.items()}

    def read(self, text: str) -> State:
        """The state of ``text``. Raises ValueError for what is none, or where moves are counted and a card is
        there twice."""
        columns = [self._column(word) if word != "-" else () for word in text.split(" ")] if text else []
        if len(columns) > self.header.columns:
            raise ValueError(f"{len(columns)} columns")
        columns += [()] * (self.header.columns - len(columns))
        held = Counter(card for column in columns for card in column)
        kings = [held[make_card(self.deck.ranks - 1, suit_of(card))] for card in self.names]
        if [held[card] for card in self.names] != kings or max(kings) > self.copies:
            raise ValueError(f"each card is needed as often as its king, and at most {self.copies} of them")
        if any(simon.run_length(column) == self.deck.ranks for column in columns):
            raise ValueError("a complete run leaves at once")
        return State(self.header.game, self.deck, tuple(columns))

    def _column(self, text: str) -> tuple[int, ...]:
        if not text:
            raise ValueError("a column without cards")
        try:
            return tuple([self.cards[text[at : at + 2]] for at in range(0, len(text), 2)])
        except KeyError as error:
            raise ValueError(f"card {error}: the deck has none such") from None

    def write(self, state: State) -> str:
        """``state`` as text. States that differ in the order of the columns alone have the same moves, up to
        their numbers."""
        names = self.names
        texts = ["".join([names[card] for card in column]) for column in state.columns if column]
        return " ".join(sorted(texts))

    def position(self) -> State:
        """The position of the header: its columns as they were dealt."""
        return self.read(self.header.dealt or "")

    def of_state(self, state: State) -> State:
        """Positions of the rules are what is listed."""
        return state

    def meets_goal(self, state: State) -> bool:
        """Whether all cards have left."""
        return simon.is_won(state)

    @property
    def needs_line(self) -> bool:
        """Whether a line belongs to the claim."""
        return self.header.claim == "fewest moves"

    def holds_line(self, state: State) -> bool:
        """Whether the line comes to a win with the number of moves that the claim says."""
        return simon.is_won(state) and len(self.header.line) == self.header.value

    def bound(self, state: State) -> int:
        """How many moves ``state`` needs at least, by the lemma. Raises ValueError if it is not named."""
        if "bound" not in self.header.lemmas:
            raise ValueError("the header does not name the lemma 'bound'")
        return bound(state)

    def with_bases(self, state: State) -> Iterator[tuple[str, State]]:
        """No base rank is chosen in these games. Raises ValueError."""
        raise ValueError("there is no reason 'base'")

    def named(self, state: State, reason: str) -> Iterator[tuple[str, State]]:
        """What follows by every legal move. Raises ValueError for another reason."""
        if reason != "moves":
            raise ValueError(f"there is no reason {reason!r}")
        for move in simon.legal_moves(state):
            yield str(move), simon.apply(state, move)
