"""Certificates of Klondike with redeals: the notation of positions, and their check.

A position is written as the tops of the four foundations, the number of dealt cards left in each column, the
places of the stock that were not played (a hexadecimal number, the first place its lowest bit), and the
waste: its number of cards, preceded by the redeals and a dot if passes are limited, or ``*`` for the relaxed
stock: ``A-2- 1203456 fe3fff 0``. All other cards lie face up in columns, on some card of the next rank and
the other colour.

The lemmas are theorems K1 to K5 and K11 of docs/theory/klondike.md; see `klondike_classes` and
`klondike_dead_ends`.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from ..rules.cards import shown
from ..rules.choices import Implemented
from ..rules.klondike import State
from . import closed_set
from .claim import UNWINNABLE, Claim
from .klondike_classes import DIGITS, Deal, Position
from .klondike_dead_ends import is_dead_end
from .piles import PileReader

_VALUES = {
    "draw": ("1", "2", "3", "4", "5", "6", "7"),
    "passes": ("unlimited", "1", "2", "3", "4", "5"),
    "worrying_back": ("yes", "no"),
    "spaces": ("kings",),
}
IMPLEMENTS: Implemented = dict.fromkeys(
    ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one"), _VALUES
)
"""Games and values of rule options whose certificates are checked here: see `rules.choices.Implemented`."""
CLAIMS = (UNWINNABLE,)
LEMMAS = ("classes", "draws", "relaxed stock", "safe move up", "dead end", "late parking")
ALWAYS = LEMMAS
IS_DEALT_IN_FULL = True


class Game(closed_set.Game):
    """Checks certificates of one deal; implements `closed_set.Game`."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        empty: Any = claim.variant.start(claim.deck, (), (), claim.choices)
        self.choices = empty.choices
        self.has_redeals = self.choices.most_passes is not None
        self.front_words = 4 if self.has_redeals else 3
        self.piles = PileReader(claim.deck)
        self.dead: set[str] = set()

    @cached_property
    def deal(self) -> Deal:
        """The classes of the deal. Its position must have been checked."""
        return Deal(self.position(), lambda: self.tick())

    def position(self) -> State:
        """Return the position of the claim."""
        tops, *words = self.claim.position.split(" ")
        redeals = 0
        if self.has_redeals:
            word = words.pop(0) if words else ""
            if len(word) != 2 or word[0] != "r" or not word[1].isdigit():
                raise ValueError(f"expected the redeals, such as r0, got {shown(word)}")
            redeals = int(word[1])
        columns, hidden, stock, waste = self.piles.table(words, self.claim.columns)
        return State(
            *(self.claim.variant.name, self.claim.deck, columns, hidden, stock, waste),
            *(self.piles.heights(tops), redeals, self.choices),
        )

    def of_state(self, state: State) -> Position:
        """Return the class of a state of `rules`."""
        return self.deal.class_of(state)

    # --- Notation -------------------------------------------------------------------------------------------

    def read(self, text: str) -> Position:
        """Return the class written as ``text``. Raises ValueError unless it is consistent with the deal."""
        deal, words = self.deal, text.split(" ")
        if len(words) != 4 or len(words[1]) != self.claim.columns:
            raise ValueError("expected foundations, columns, stock and waste")
        heights = self.piles.heights(words[0])
        up = sum(sum(suit[:height]) for suit, height in zip(deal.suits, heights, strict=True))
        left = tuple(map(DIGITS.index, words[1]))
        for number, (count, dealt) in enumerate(zip(left, deal.columns, strict=True)):
            if count > len(dealt) or count != deal.without_king(number, count):
                raise ValueError(f"column {number + 1}: expected what was dealt, and no king alone")
        places = int(words[2], 16)
        if places >> len(deal.stock):
            raise ValueError(f"expected {len(deal.stock)} places of the stock")
        position = Position(up, left, places, self._waste(words[3], places.bit_count()))
        if not deal.is_consistent(position):
            raise ValueError("expected each card in one place, and on one that it may lie on")
        return position

    def _waste(self, text: str, count: int) -> tuple[int, int] | None:
        if text == "*":
            return None
        redeals, _, held = text.rpartition(".")
        if bool(redeals) != self.has_redeals or not held.isdigit() or not (redeals or "0").isdigit():
            raise ValueError("expected the redeals where passes are limited")
        if int(held) > count or int(redeals or 0) >= (self.choices.most_passes or 1):
            raise ValueError(f"expected up to {count} cards in the waste, and redeals that there can be")
        return self.deal.waste(count, int(held), int(redeals or 0))

    def write(self, state: Position) -> str:
        """Return ``state`` as text."""
        up, left, places, waste = state
        held = "*" if waste is None else f"{waste[0]}." * self.has_redeals + str(waste[1])
        return f"{self.deal.foundations(up).text} {self.deal.columns_with(left).text} {places:x} {held}"

    # --- The check ------------------------------------------------------------------------------------------

    def meets_goal(self, state: Position) -> bool:
        """Test if all cards are on the foundations."""
        return state.up == self.deal.deck

    def named(self, state: Position, reason: str) -> Iterator[tuple[Any, Position]]:
        """Return the positions after each move, with the name of the card moved. Raises ValueError for a
        ``reason`` other than ``moves``."""
        if reason != "moves":
            raise ValueError(f"unknown reason {shown(reason)}")
        return self.deal.followers(state)

    def is_settled(self, state: Position, listed: Mapping[str, str]) -> bool:
        """Test if ``state``, with its own or with the relaxed stock, and after safe moves up, is listed or a
        dead end."""
        state = self.deal.closed(state)
        forms = [state]
        if state.waste is not None:
            forms.append(self.deal.closed(state._replace(waste=None)))
        texts = [self.write(form) for form in forms]
        if any(text in listed or text in self.dead for text in texts):
            return True
        for form, text in zip(forms, texts, strict=True):
            if is_dead_end(self.deal, form):
                self.dead.add(text)
                return True
        return False


game_of = Game
"""The constructor of the check of a claim."""
