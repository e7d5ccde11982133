"""The condition *room* of clauses: cards need targets; see `simon_clauses`.

Let a clause be false, and let all happen that can, if what is open once stays open. If heads remain where
they lie, no line wins: so the clause holds for every line that does (Theorem S12 of docs/theory/simon.md).
"""

from ..rules.cards import make_card, rank_of, suit_of
from .clauses import Truth
from .simon_places import Guards, Places, opposites, wasteful


class Room:
    """The check of clauses of one deal."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def holds(self, clause: frozenset[Truth]) -> bool:
        """Test if heads remain if ``clause`` is false."""
        gone = self._gone(opposites(clause))
        return not gone.issuperset(self.places.heads)

    def _gone(self, known: Guards) -> set[int]:
        """The cards that have left their places once nothing more can happen."""
        places, gone = self.places, set[int]()
        thrifty = {place for place in range(len(places.card)) if (wasteful(place)[0], False) in known}
        while True:
            is_open = {place for place in range(len(places.card)) if self._is_open(place, gone)}
            ranks = {rank_of(places.card[place]) for place in is_open}
            has_empty = any(self._is_empty(column, gone) for column in places.columns)
            more = set()
            for place in range(len(places.card)):
                if place in gone or not gone.issuperset(places.above[place]):
                    continue
                has_target = has_empty or rank_of(places.card[place]) + 1 in ranks
                if (
                    (has_target and place not in thrifty)
                    or (place in places.heads and self._can_end(place, is_open, known))
                    or (place in places.kings and self._is_complete(place, gone))
                ):
                    more.add(place)
            if not more:
                return gone
            gone |= more

    def _is_open(self, place: int, gone: set[int]) -> bool:
        """Test if a card may be on top: all cards above have left."""
        attached = self.places.attached_to(place)
        return gone.issuperset(self.places.above[place]) and (attached is None or attached in gone)

    def _is_empty(self, column: range, gone: set[int]) -> bool:
        """Test if a column may be empty."""
        return gone.issuperset((self.places.vertices | self.places.kings).intersection(column))

    def _can_end(self, head: int, is_open: set[int], known: Guards) -> bool:
        """Test if a head can go where it ends."""
        places = self.places
        return any(
            end in is_open and not opposites(places.lies_on(head, end)) & known for end in places.ends(head)
        )

    def _is_complete(self, king: int, gone: set[int]) -> bool:
        """Test if a king can leave: of each lower card of its suit a copy is attached, or has left."""
        places = self.places
        suit = suit_of(places.card[king])
        return all(
            any(place in places.attached or place in gone for place in places.copies[make_card(rank, suit)])
            for rank in range(places.deck.ranks - 1)
        )
