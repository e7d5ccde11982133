"""The cards of a deal of the Simon family by their places.

A card that is no king is *attached* if it lies on the next higher card of its suit, and a *head* if not.
*Vertices* are the heads, and the kings that lie on another card. Of two copies of a card the *first* is that
of the lower place.
"""

from ..rules.cards import Deck, format_card, make_card, rank_of, suit_of
from ..rules.simon import State
from .clauses import Truth

Guards = frozenset[Truth]
ALWAYS: Guards = frozenset()


class Places:
    """A deal. Places count from 0, column by column from the deepest card; so do columns."""

    def __init__(self, state: State) -> None:
        self.deck: Deck = state.deck
        self.columns: list[range] = []
        self.card: list[int] = []
        for column in state.columns:
            self.columns.append(range(len(self.card), len(self.card) + len(column)))
            self.card += column
        self.column_of = [number for number, places in enumerate(self.columns) for _ in places]
        self.copies: dict[int, list[int]] = {}
        for place, card in enumerate(self.card):
            self.copies.setdefault(card, []).append(place)
        self.kings = {place for place, card in enumerate(self.card) if rank_of(card) == self.deck.ranks - 1}
        self.attached = {place for place in range(len(self.card)) if self._is_attached(place)}
        self.heads = set(range(len(self.card))) - self.kings - self.attached
        self.vertices = self.heads | {king for king in self.kings if not self.is_deepest(king)}
        self.above = [self._vertices_above(place) for place in range(len(self.card))]
        """The vertices above each card in its column, the lowest first."""

    def is_deepest(self, place: int) -> bool:
        """Test if a card is the deepest of its column."""
        return place == self.columns[self.column_of[place]].start

    def _is_attached(self, place: int) -> bool:
        return (place not in self.kings and not self.is_deepest(place)) and self.card[
            place - 1
        ] == self.next_higher(place)

    def _vertices_above(self, place: int) -> list[int]:
        column = self.columns[self.column_of[place]]
        return [other for other in range(place + 1, column.stop) if other in self.vertices]

    def next_higher(self, place: int) -> int:
        """The next higher card of the suit of one that is no king."""
        card = self.card[place]
        return make_card(rank_of(card) + 1, suit_of(card))

    def ends(self, place: int) -> list[int]:
        """The copies of the next higher card of the suit: on one of them a card that is no king ends."""
        return self.copies[self.next_higher(place)]

    def attached_to(self, place: int) -> int | None:
        """The card attached to one, if any."""
        return place + 1 if place + 1 in self.attached else None

    def lies_on(self, place: int, end: int) -> Guards:
        """That a card ends on this copy; always so if there is but one."""
        card = self.card[place]
        if len(self.copies[card]) == 1:
            return ALWAYS
        is_straight = self._is_first(place) == self._is_first(end)
        return frozenset({(("ends", format_card(card)), is_straight)})

    def leaves_with(self, place: int, king: int) -> Guards:
        """That a card that is no king leaves with this king of its suit; always so if there is but one."""
        card = self.card[place]
        if len(self.copies[card]) == 1:
            return ALWAYS
        word = "ends" if rank_of(card) == self.deck.ranks - 2 else "leaves"
        return frozenset({((word, format_card(card)), self._is_first(place) == self._is_first(king))})

    def _is_first(self, place: int) -> bool:
        return self.copies[self.card[place]][0] == place


def wasteful(place: int) -> Truth:
    """That a card is wasteful."""
    return ("wasteful", place), True


def opposite(truth: Truth) -> Truth:
    """That something is not so, or is."""
    return truth[0], not truth[1]


def opposites(truths: Guards) -> Guards:
    """The same of each."""
    return frozenset(map(opposite, truths))
