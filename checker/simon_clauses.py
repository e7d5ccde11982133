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
docs/theory/simon.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..rules import simon
from ..rules.cards import Deck, format_card
from ..rules.simon import State
from .clauses import Name, Truth
from .reading import Header
from .simon_columns import DealtColumns
from .simon_order import Order
from .simon_places import Places
from .simon_room import Room
from .simon_singles import singles

CONDITIONS = {"single": "wasted moves", "room": "room", "order": "order of moves"}
"""The lemma of each."""


class Game(DealtColumns):
    """The check of one deal; see `clauses.Conditions`."""

    is_unwinnable = False

    def __init__(self, header: Header, deck: Deck) -> None:
        super().__init__(header, deck)
        self.needs_line = header.claim == "fewest moves"

    def position(self) -> State:
        """The position of the header. Raises ValueError if a complete run is on top."""
        state = super().position()
        if any(simon.run_length(column) == self.deck.ranks for column in state.columns):
            raise ValueError("a complete run leaves at once")
        return state

    def read(self, _text: str) -> State:
        """The position that the moves of a line begin with, that of the header."""
        return self.position()

    def of_state(self, state: State) -> State:
        """The positions of the rules are written."""
        return state

    def write(self, state: State) -> str:
        """The columns with cards, in the order of their texts."""
        texts = ["".join(map(format_card, column)) for column in state.columns if column]
        return " ".join(sorted(texts))

    def holds_line(self, state: State) -> bool:
        """Whether the line comes to a win with the number of moves that the claim says."""
        return simon.is_won(state) and len(self.header.line) == self.header.value

    def conditions(self) -> Wasted:
        """The conditions that clauses may be of."""
        return Wasted(Places(self.position()), self.header.lemmas)


class Wasted:
    """The conditions on wasted moves."""

    def __init__(self, places: Places, lemmas: tuple[str, ...]) -> None:
        self.places = places
        self.lemmas = lemmas
        self.judges: dict[str, Callable[[frozenset[Truth]], bool]] = {
            "single": set(singles(places)).__contains__,
            "room": Room(places).holds,
            "order": Order(places).holds,
        }

    def least(self) -> int:
        """The heads: each moves once."""
        return len(self.places.heads)

    def costs(self) -> Iterator[Name]:
        """What costs a move."""
        for place in range(len(self.places.card)):
            yield "wasteful", place
            yield "restless", place
            if place in self.places.attached:
                yield "back", place

    def condition(self, name: str) -> Callable[[frozenset[Truth]], bool]:
        """What tells whether a clause is one of a condition. Raises ValueError if there is none, or its lemma
        is not named."""
        if name not in CONDITIONS:
            raise ValueError(f"there is no condition {name!r}")
        if CONDITIONS[name] not in self.lemmas:
            raise ValueError(f"the header does not name the lemma {CONDITIONS[name]!r}")
        return self.judges[name]
