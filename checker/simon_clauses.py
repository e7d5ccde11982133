"""Certificates of a lower bound on the moves of a game of the Simon family, by clauses; see `clauses`.

Cards are told apart by their *places* in ``dealt``, which count from 0, column by column from the deepest
card. The unknowns are truths about a line that wins:

- ``wasteful x``: more moves belong to x than there must: to a head two, to another card one;
- ``restless x``: still one more, so that to a head three belong, to a king two, to another card three;
- ``back x``, x attached: it is wasteful, and ends on the card that it lies on now;
- ``ends C``, of a card that is there twice: its first copy ends on the first copy of the next higher card of
  its suit, and so the second on the second; ``leaves C``: its first copy leaves with the first king;
- ``stays x``, ``visit x ..``, ``before x ..``, ``sooner x y``: see `simon_order`.

Wasteful, restless and coming back cost a move each, beside one for each head (Theorem S9 of
docs/theory/simon.md). A condition that accepts a clause accepts all clauses that contain it (S14).
"""

from collections.abc import Callable, Iterator

from ..rules.cards import format_card, rank_of, shown
from ..rules.simon import State
from .claim import Claim
from .clauses import Name, Truth
from .simon_columns import Columns
from .simon_order import Order
from .simon_places import Places
from .simon_room import Room
from .simon_singles import may_visit, may_visit_column, singles

CONDITIONS = {"single": "wasted moves", "room": "room", "order": "order of moves"}
"""The lemma of each."""


def lemmas_of(claim: Claim) -> tuple[str, ...]:
    """The lemmas of this kind of certificate."""
    return tuple(CONDITIONS.values())


class Game(Columns):
    """The check of one deal; see `clauses.Conditions`."""

    def write(self, state: State) -> str:
        """The columns with cards, in the order of their texts."""
        return self.text_of(state.columns)

    def conditions(self) -> "Wasted":
        """The conditions of clauses."""
        return Wasted(Places(self.position()), self.claim.lemmas)


class Wasted:
    """The conditions on wasted moves."""

    def __init__(self, places: Places, lemmas: tuple[str, ...]) -> None:
        self.places = places
        self.lemmas = lemmas
        self.twice = {format_card(card): card for card, found in places.copies.items() if len(found) == 2}
        self.judges: dict[str, Callable[[frozenset[Truth]], bool]] = {
            "single": set(singles(places)).__contains__,
            "room": Room(places).holds,
            "order": Order(places).holds,
        }

    def knows(self, name: Name) -> bool:
        """Test if ``name`` is an unknown, of places, columns and cards that exist."""
        places, count = self.places, len(self.places.card)
        word, *of = name if name else ("",)
        match word, *of:
            case (("wasteful" | "restless"), int(x)):
                return x < count
            case (("back" | "stays"), int(x)):
                return x in places.attached
            case (("ends" | "leaves"), str(card)):
                lowest = 1 if word == "ends" else 2
                return card in self.twice and rank_of(self.twice[card]) < places.deck.ranks - lowest
            case "visit", int(x), "card", int(target):
                return x < count and target < count and may_visit(places, x, target)
            case "visit", int(x), "column", int(column):
                return x < count and column < len(places.columns) and may_visit_column(places, x, column)
            case ("before", int(x), ("first" | "last"), int(y)) | ("sooner", int(x), int(y)):
                return x < count and y < count
            case "sum", int(core), int(), int(size), int(least):
                return core >= 1 and 1 <= least <= size
        return False

    def least(self) -> int:
        """The heads: each moves once."""
        return len(self.places.heads)

    def costs(self) -> Iterator[Name]:
        """The unknowns that cost a move."""
        for place in range(len(self.places.card)):
            yield "wasteful", place
            yield "restless", place
            if place in self.places.attached:
                yield "back", place

    def condition(self, name: str) -> Callable[[frozenset[Truth]], bool]:
        """A predicate for clauses that meet a condition. Raises ValueError if it or its lemma is unnamed."""
        if name not in CONDITIONS:
            raise ValueError(f"unknown condition {shown(name)}")
        if CONDITIONS[name] not in self.lemmas:
            raise ValueError(f"expected the lemma {CONDITIONS[name]!r} in the header")
        return self.judges[name]
