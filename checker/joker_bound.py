"""The bound of Joker and one-pass Klondike by relaxed reachability: nothing is ever taken away.

Marks are derived until no more follow: *bare*, once on top of a column or of the waste; *holder*, so in a
column; *filled*, once on its foundation. docs/certificates.md has the rules, Theorem J7 of
docs/theory/joker.md the proof that no line fills more places. Where a joker without a rank may be bare, or a
card for which a joker stands (one not turned up yet, where only such are exchanged), it is the number of all
places.
"""

from ..rules.cards import JOKERS, colour_of, is_joker, make_card, rank_of, suit_of, suits_of_colour
from ..rules.joker import State
from ..rules.joker_board import effective_rank, stands_for


def bound(state: State) -> int:
    """An upper bound on the foundation places filled from ``state``."""
    marks = _Marks(state)
    while not marks.says_nothing() and marks.widen():
        pass
    return state.deck.places if marks.says_nothing() else len(marks.filled)


class _Marks:
    """The marks made so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.suits = ["CDHS".index(suit) for suit in state.deck.suits]
        self.filled = {make_card(r, suit) for suit in self.suits for r in range(state.foundations[suit])}
        for colour, joker in enumerate(state.jokers):
            if joker.is_open_ace:
                self.filled |= {make_card(0, suit) for suit in suits_of_colour(colour, state.deck.suits)}
        tops = [column[-1] for column in state.columns if column]
        self.bare = {*tops, *state.stock, *state.waste[-1:]}
        self.holders = set(tops)
        self.gone: set[int] = set()  # jokers that may go up or out of play
        self.emptied = not all(state.columns)
        self.face_down: set[int] = set()
        # What a card of a column lies on; None is the floor.
        self.covered: dict[int, int | None] = {}
        for column, hidden in zip(state.columns, state.hidden, strict=True):
            self.face_down.update(column[:hidden])
            for depth, card in enumerate(column):
                self.covered[card] = column[depth - 1] if depth else None
        self.in_waste = dict(zip(state.waste[1:], state.waste, strict=False))

    def says_nothing(self) -> bool:
        """Test if a joker may become undeclared."""
        state = self.state
        for colour, joker in enumerate(state.jokers if state.deck.jokers else ()):
            if joker.is_out:
                continue
            if joker.rank is None and joker.place is None and not joker.is_open_ace:
                freeing: tuple[int, ...] = (JOKERS[colour],)
            else:
                freeing = stands_for(state, colour)
                if state.choices.exchange == "turned":  # only cards that are not turned up yet are exchanged
                    freeing = tuple(card for card in freeing if card in self.face_down or card in state.stock)
            if not self.bare.isdisjoint(freeing):
                return True
        return False

    def widen(self) -> bool:
        """Derive further marks; true if there were any."""
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
        """Mark the places that a bare card may fill, and a joker that may go up, or out of play, itself."""
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
            if places or self.state.choices.removal == "exposed":
                self.gone.add(card)

    def _fits(self, card: int, fitted: set[tuple[int, int | None]]) -> bool:
        """Test if some holder or an empty column takes ``card``."""
        rank = self._rank(card)
        if rank is None:
            return False
        if rank == self.state.deck.ranks - 1:
            return self.emptied
        return (1 - colour_of(card), rank + 1) in fitted

    def _uncover(self, card: int) -> None:
        """Mark what lies beneath a card that may go, if it is where it can go from."""
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
