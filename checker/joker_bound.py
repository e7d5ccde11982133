"""Upper bound of the score in Joker and one-pass Klondike by relaxed reachability: what was once possible
stays possible.

Marks are derived until no more follow. A card is *bare* if it may at some time be on top of a column or of
the waste, a *holder* if it may be on top of a column, *filled* if it may be on its foundation. The bound is
the number of filled cards. It is the number of all places if a joker without a rank may be bare, or a card
for which a joker stands (with `exchange` "turned" only if that is not turned up yet). Theorem J7
of docs/theory/joker.md has the rules, and the proof that no line fills more places.
"""

from ..rules import joker, klondike
from ..rules.cards import JOKERS, colour_of, is_joker, make_card, rank_of, suit_of, suits_of_colour
from ..rules.joker_board import Joker, stands_for

State = joker.State | klondike.State
"""A position of Joker, or of Klondike in one pass."""


def jokers_of(state: State) -> tuple[Joker, ...]:
    """Return the conditions of the jokers, none in Klondike."""
    return state.jokers if isinstance(state, joker.State) else ()


def effective_rank(state: State, card: int) -> int | None:
    """Return the rank of a natural or of a declared joker; None for an undeclared joker."""
    return jokers_of(state)[colour_of(card)].rank if is_joker(card) else rank_of(card)


def bound(state: State) -> int:
    """Return an upper bound of the score that lines from ``state`` reach."""
    marks = _Marks(state)
    while not marks.says_nothing() and marks.widen():
        pass
    return state.deck.places if marks.says_nothing() else len(marks.filled)


class _Marks:
    """The marks derived so far from ``state``."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.suits = ["CDHS".index(suit) for suit in state.deck.suits]
        self.filled = {make_card(r, suit) for suit in self.suits for r in range(state.foundations[suit])}
        for colour, each in enumerate(jokers_of(state)):
            if each.is_open_ace:
                self.filled |= {make_card(0, suit) for suit in suits_of_colour(colour, state.deck.suits)}
        tops = [column[-1] for column in state.columns if column]
        self.bare = {*tops, *state.stock, *state.waste[-1:]}
        self.holders = set(tops)
        self.gone: set[int] = set()  # jokers that may go up or out of play
        self.emptied = not all(state.columns)
        self.face_down: set[int] = set()
        # By card of a column: the card beneath it, None if it is the deepest.
        self.covered: dict[int, int | None] = {}
        for column, hidden in zip(state.columns, state.hidden, strict=True):
            self.face_down.update(column[:hidden])
            for depth, card in enumerate(column):
                self.covered[card] = column[depth - 1] if depth else None
        self.in_waste = dict(zip(state.waste[1:], state.waste, strict=False))

    def says_nothing(self) -> bool:
        """Test if a joker may be in play without a rank, so that the bound is the number of all places."""
        state = self.state
        if not isinstance(state, joker.State):
            return False
        for colour, each in enumerate(state.jokers):
            if each.is_out:
                continue
            if each.rank is None and each.place is None and not each.is_open_ace:
                freeing: tuple[int, ...] = (JOKERS[colour],)
            else:
                freeing = stands_for(state, colour)
                if state.choices.exchange == "turned":  # cards are exchanged only when they are turned up
                    freeing = tuple(card for card in freeing if card in self.face_down or card in state.stock)
            if not self.bare.isdisjoint(freeing):
                return True
        return False

    def widen(self) -> bool:
        """Derive further marks. Returns whether there were any."""
        before = len(self.bare), len(self.holders), len(self.filled), self.emptied
        for card in list(self.bare):
            self._fill(card)
        fitted = {(colour_of(card), self._rank(card)) for card in self.holders}
        for card in (*self.covered, *self.state.waste, *self.state.stock):
            fits = self._fits(card, fitted)
            if fits and card in self.bare:
                self.holders.add(card)
            if fits or card in self.filled or card in self.gone:
                self._uncover(card)
        return before != (len(self.bare), len(self.holders), len(self.filled), self.emptied)

    def _rank(self, card: int) -> int | None:
        return effective_rank(self.state, card)

    def _fill(self, card: int) -> None:
        """Add to ``filled`` the foundation places that the bare ``card`` may fill, and to ``gone`` a joker
        that may go to a foundation or out of play."""
        rank = self._rank(card)
        if not is_joker(card):
            if rank == 0 or make_card(rank_of(card) - 1, suit_of(card)) in self.filled:
                self.filled.add(card)
        elif rank is not None:
            suits = suits_of_colour(colour_of(card), self.state.deck.suits)
            places = {
                make_card(rank, suit)
                for suit in suits
                if not rank or make_card(rank - 1, suit) in self.filled
            }
            self.filled |= places
            if places or (isinstance(self.state, joker.State) and self.state.choices.removal == "exposed"):
                self.gone.add(card)

    def _fits(self, card: int, fitted: set[tuple[int, int | None]]) -> bool:
        """Test if ``card`` fits on a holder, of which ``fitted`` has the colours and ranks, or is a king and
        some column may be empty."""
        rank = self._rank(card)
        if rank is None:
            return False
        if rank == self.state.deck.ranks - 1:
            return self.emptied
        return (1 - colour_of(card), rank + 1) in fitted

    def _uncover(self, card: int) -> None:
        """Mark the card beneath ``card``, which may leave its place, as bare; for a face-down card or one of
        the waste only if it is bare itself."""
        if card in self.covered:
            if card in self.face_down and card not in self.bare:
                return
            beneath = self.covered[card]
            if beneath is None:
                self.emptied = True
            else:
                self.bare.add(beneath)
                self.holders.add(beneath)
        elif card in self.in_waste and card in self.bare:
            self.bare.add(self.in_waste[card])
