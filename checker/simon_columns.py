"""Columns of the Simon family in the notation of certificates, shared by its kinds of certificates."""

from collections import Counter
from collections.abc import Iterable

from ..rules import simon
from ..rules.cards import format_card, make_card, rank_of, suit_of
from ..rules.simon import State
from . import closed_set
from .claim import Claim
from .piles import column_of

Stem = tuple[int, ...]


def tail_length(stem: Stem) -> int:
    """Return the number of cards at the top of a stem that descend rank by rank, in any suits."""
    length = 1
    while length < len(stem) and rank_of(stem[-length - 1]) == rank_of(stem[-length]) + 1:
        length += 1
    return length


def run_length(stem: Stem) -> int:
    """Return the number of cards at the top of a stem that descend rank by rank in one suit."""
    tail, length = tail_length(stem), 1
    while length < tail and suit_of(stem[-length - 1]) == suit_of(stem[-1]):
        length += 1
    return length


class Columns(closed_set.Game):
    """Base class of the checks of the Simon family: reads, writes and validates columns of the deck of a
    claim."""

    front_words = 0

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.deck = claim.deck
        self.cards = {format_card(card): card for card in self.deck.cards()}
        self.names = {card: name for name, card in self.cards.items()}
        self.copies = 1 if claim.counts_moves else self.deck.copies

    def columns_of(self, text: str) -> list[Stem]:
        """Return the columns, or lower parts of columns, written as ``text``, in which ``-`` is an empty one.
        Raises ValueError for malformed text."""
        words = text.split(" ") if text else []
        if len(words) > self.claim.columns:
            raise ValueError(f"expected at most {self.claim.columns} columns, got {len(words)}")
        return [column_of(word, self.cards) if word != "-" else () for word in words]

    def text_of(self, columns: Iterable[Stem]) -> str:
        """Return the columns that hold cards as text, sorted by their texts."""
        names = self.names
        return " ".join(sorted(["".join([names[card] for card in column]) for column in columns if column]))

    def check_suits(self, columns: Iterable[Stem], may_lack: bool = False) -> None:
        """Raise ValueError unless each card occurs as often in ``columns`` as the king of its suit, or with
        ``may_lack`` less often, and at most as often as in the deck."""
        held = Counter([card for column in columns for card in column])
        for card in self.names:
            kings = held[make_card(self.deck.ranks - 1, suit_of(card))]
            if kings > self.copies or held[card] > kings or (held[card] < kings and not may_lack):
                raise ValueError(
                    f"card {self.names[card]}: {held[card]} in the columns, of its king {kings}, "
                    f"in the deck {self.copies}"
                )

    def state_of(self, columns: list[Stem]) -> State:
        """Return the position with these columns, the others empty. Raises ValueError unless whole suits are
        in play and no complete run is on top of a column."""
        self.check_suits(columns)
        if any(run_length(column) == self.deck.ranks for column in columns if column):
            raise ValueError("expected no complete run on top of a column")
        empty = [()] * (self.claim.columns - len(columns))
        return State(self.claim.variant.name, self.deck, (*columns, *empty))

    def position(self) -> State:
        """Return the position of the claim, with its columns as dealt. Raises ValueError if it is invalid."""
        return self.state_of(self.columns_of(self.claim.position))

    def holds_line(self, state: State) -> bool:
        """Test if the line of the claim ends in ``state`` with a win, in the number of moves claimed."""
        return simon.is_won(state) and len(self.claim.line) == self.claim.value
