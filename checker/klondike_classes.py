"""Classes of positions of Klondike with redeals, and the moves between them.

Positions are of one class if they agree in the foundations, the dealt cards that have not left each column,
the cards of the stock that were not played and the waste (theorem K1 of docs/theory/klondike.md). A set of
cards is an integer. The bit of a card is 4 * rank + 2 * chain + the index of its suit among the two of its
colour; a card and the cards that it may lie on are of one *chain* (0 or 1). Two cards of one rank and chain
are alike and form a *type*.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from ..rules.cards import RANKS, SUITS, colour_of, format_card, make_card, rank_of, suit_of, suits_of_colour
from ..rules.klondike import State

_KEPT = 1 << 14
"""Size of the caches of properties of a part of a position, such as its stock; many positions share it."""
_FIRST = sum(1 << bit for bit in range(0, 64, 2))
"""The first card of each type."""


class Position(NamedTuple):
    """A class of positions: the set of cards ``up``, the number of dealt cards ``left`` in each column (the
    last of them is its base), and the ``places`` of the stock that were not played, the first as the lowest
    bit. ``waste`` has the number of redeals (0 without a limit on passes) and of cards in the waste; it is
    None for the relaxed stock."""

    up: int
    left: tuple[int, ...]
    places: int
    waste: tuple[int, int] | None


class Foundations(NamedTuple):
    """Properties of the cards up: the next cards (``due``), the top cards, those next cards that are safe to
    go up, and the text."""

    due: int
    tops: int
    safe: int
    text: str


class Columns(NamedTuple):
    """Properties of the dealt cards left: the face-down cards, the bases, the number of columns without dealt
    cards, and the text."""

    hidden: int
    bases: int
    free: int
    text: str


class Relaxed(NamedTuple):
    """Properties of the places left, with the relaxed stock: the open cards, and the opening ones."""

    opened: int
    opening: int


class View(NamedTuple):
    """Properties of a position: the bases, all face-up cards, the types with a bare card, the types with two,
    and the number of empty columns. A type is represented by its first card."""

    bases: int
    face_up: int
    bare: int
    twice: int
    empty: int

    def bare_cards(self) -> int:
        """Return all cards of the types with a bare card."""
        return 3 * self.bare

    def fitting(self, kings: int) -> int:
        """Return the cards that may land in a column; ``kings`` are those of the highest rank."""
        return 3 * self.bare >> 4 | (kings if self.empty > 0 else 0)


def bit_of(card: int) -> int:
    """Return the set that contains one card of `rules`."""
    rank, colour = rank_of(card), colour_of(card)
    return 1 << 4 * rank + 2 * (colour ^ rank & 1) + suits_of_colour(colour).index(suit_of(card))


def each(cards: int) -> Iterator[int]:
    """Return the cards of ``cards``, each as a set."""
    while cards:
        yield cards & -cards
        cards &= cards - 1


def some(cards: int) -> int:
    """Return the types of which one or both cards are in ``cards``."""
    return (cards | cards >> 1) & _FIRST


def both(cards: int) -> int:
    """Return the types of which both cards are in ``cards``."""
    return cards & cards >> 1 & _FIRST


class Deal:
    """The classes of positions that can be reached from ``state``, and the moves between them. ``tick`` is
    called in loops that may take long."""

    def __init__(self, state: State, tick: Callable[[], None] = lambda: None) -> None:
        self.tick = tick
        choices = state.choices
        self.draw, self.passes = choices.cards_drawn, choices.most_passes
        self.comes_back = choices.has_worrying_back
        self.ranks = state.deck.ranks
        self.suits = [
            [bit_of(make_card(rank, suit)) for rank in range(self.ranks)] if name in state.deck.suits else []
            for suit, name in enumerate(SUITS)
        ]
        self.deck = sum(map(sum, self.suits))
        self.kings = 15 << 4 * (self.ranks - 1)
        self.after = {bit: over for suit in self.suits if suit for bit, over in pairwise([*suit, 0])}
        self.names = {bit_of(card): format_card(card) for card in state.deck.cards()}
        self.columns = [
            [bit_of(card) for card in column[: hidden + 1]]
            for column, hidden in zip(state.columns, state.hidden, strict=True)
        ]
        self.column_of = {bit: number for number, column in enumerate(self.columns) for bit in column}
        self.stock = [bit_of(card) for card in (*state.waste, *state.stock)]
        self.place_of = {bit: 1 << place for place, bit in enumerate(self.stock)}
        full = len(state.waste) == len(self.stock)
        self.lead = 0 if full else -len(state.waste) % self.draw
        self.start = self.class_of(state)
        self.foundations = lru_cache(_KEPT)(self._foundations)
        self.columns_with = lru_cache(_KEPT)(self._columns_with)
        self.cards_at = lru_cache(_KEPT)(self._cards_at)
        self.relaxed = lru_cache(_KEPT)(self._relaxed)
        self.plays = lru_cache(_KEPT)(self._plays)

    def class_of(self, state: State) -> Position:
        """Return the class of ``state``, which must be reached from the state of the deal."""
        up = sum(sum(suit[:height]) for suit, height in zip(self.suits, state.foundations, strict=True))
        left = tuple(
            self.without_king(number, hidden + 1) if hidden or self._is_dealt(number, state) else 0
            for number, hidden in enumerate(state.hidden)
        )
        places = sum(self.place_of[bit_of(card)] for card in (*state.waste, *state.stock))
        return Position(up, left, places, self.waste(places.bit_count(), len(state.waste), state.redeals))

    def _is_dealt(self, column: int, state: State) -> bool:
        """Test if the deepest card of a column was dealt there."""
        return [bit_of(card) for card in state.columns[column][:1]] == self.columns[column][:1] != []

    def without_king(self, column: int, left: int) -> int:
        """Return ``left``, or 0 if that is 1 and the card a king: it is treated like a king moved there."""
        return 0 if left == 1 and self.columns[column][0] & self.kings else left

    def waste(self, count: int, held: int, redeals: int) -> tuple[int, int]:
        """Return the normal form of a waste of ``held`` cards after ``redeals``, if waste and stock have
        ``count`` cards: redeals and cards of an equivalent waste (theorem K2)."""
        if count == 0 or (self.passes is None and (held % self.draw == 0 or held == count)):
            return 0, 0
        return redeals, held

    # --- Properties of a part of a position -----------------------------------------------------------------

    def _foundations(self, up: int) -> Foundations:
        heights = [sum(up & bit > 0 for bit in suit) for suit in self.suits]
        reached = list(zip(self.suits, heights, strict=True))
        due = sum(suit[height] for suit, height in reached if height < len(suit))
        tops = sum(suit[height - 1] for suit, height in reached if height)
        text = "".join([RANKS[height - 1] if height else "-" for height in heights])
        return Foundations(due, tops, self._safe(heights), text)

    def _safe(self, heights: list[int]) -> int:
        """Return the next cards that go up at once wherever they can (theorem K4). Suits that the deck lacks
        count as complete."""
        reached = [height if suit else self.ranks for suit, height in zip(self.suits, heights, strict=True)]
        safe = 0
        for suit, cards in enumerate(self.suits):
            height = reached[suit]
            if height < len(cards):
                twin = sum(reached[each] for each in suits_of_colour(colour_of(suit))) - height
                others = min(reached[each] for each in suits_of_colour(1 - colour_of(suit)))
                is_free = others >= height - 1 and twin >= height - 2
                if is_free or (not self.comes_back and others >= height):
                    safe |= cards[height]
        return safe

    def _columns_with(self, left: tuple[int, ...]) -> Columns:
        dealt = [cards[:count] for cards, count in zip(self.columns, left, strict=True) if count]
        hidden, bases = sum(sum(cards[:-1]) for cards in dealt), sum(cards[-1] for cards in dealt)
        return Columns(hidden, bases, left.count(0), "".join([DIGITS[count] for count in left]))

    def _cards_at(self, places: int) -> int:
        return sum(bit for place, bit in enumerate(self.stock) if places >> place & 1)

    def _relaxed(self, places: int) -> Relaxed:
        """Return the open cards of the relaxed stock (theorem K3), and those that can open others (theorem
        K11)."""
        opened = shut = 0
        gone = self.lead
        for place in range(len(self.stock)):
            if not places >> place & 1:
                gone += 1
            elif (
                (place + 1 + self.lead) % self.draw <= gone
                or place == len(self.stock) - 1
                or not places >> place + 1 & 1
            ):
                opened |= 1 << place
            else:
                shut |= 1 << place
        below_shut = (1 << shut.bit_length()) - 1
        return Relaxed(self.cards_at(opened), self.cards_at(opened & (below_shut | shut << 1)))

    def _plays(self, places: int, waste: tuple[int, int]) -> tuple[tuple[int, tuple[int, int]], ...]:
        """Return the cards that draws bring to the top of the waste, each with the normal form of the waste
        after it was played, with the fewest redeals."""
        cards = [bit for place, bit in enumerate(self.stock) if places >> place & 1]
        count, (redeals, held) = len(cards), waste
        first: dict[int, int] = {}
        seen = set()
        while (held, redeals) not in seen:
            seen.add((held, redeals))
            if held:
                first.setdefault(held, redeals)
            if held < count:
                held = min(held + self.draw, count)
            elif count > self.draw and redeals + 1 != self.passes:
                redeals, held = redeals + (self.passes is not None), self.draw
        plays = first.items()
        return tuple((cards[held - 1], self.waste(count - 1, held - 1, times)) for held, times in plays)

    def view(self, position: Position) -> View:
        """Return the properties of a position, in which each placed card lies on one of its chain (theorem
        K1)."""
        hidden, bases, free, _ = self.columns_with(position.left)
        face_up = self.deck & ~(position.up | self.cards_at(position.places) | hidden)
        placed = face_up & ~bases
        covered = placed & ~self.kings
        once, twice = some(covered) << 4, both(covered) << 4
        bare = (some(face_up) & ~once) | (both(face_up) & ~twice)
        return View(bases, face_up, bare, both(face_up) & ~once, free - (placed & self.kings).bit_count())

    def is_consistent(self, position: Position) -> bool:
        """Test if each card is in one place, and the placed cards have cards or columns to lie on."""
        hidden, bases, free, _ = self.columns_with(position.left)
        stock = self.cards_at(position.places)
        face_up = self.deck & ~(position.up | stock | hidden)
        placed = face_up & ~bases
        covered = placed & ~self.kings
        return (
            not position.up & (stock | hidden | bases)
            and not some(covered) << 4 & ~some(face_up)
            and not both(covered) << 4 & ~both(face_up)
            and (placed & self.kings).bit_count() <= free
        )

    # --- Moves ----------------------------------------------------------------------------------------------

    def followers(self, position: Position) -> Iterator[tuple[str, Position]]:
        """Return the positions after each move, with the name of the card moved. With the relaxed stock a
        move is one that is not deferrable, together with a least set of deferrable ones (theorem K11)."""
        view = self.view(position)
        fits = view.fitting(self.kings)
        up, left, places, waste = position
        foundations = self.foundations(up)
        for card in each(view.bases & fits):
            yield self.names[card], self.base_moved(position, card)
        for card in each(foundations.due & view.face_up & view.bare_cards()):
            yield self.names[card], self.raised(position, card)
        if waste is None:
            relaxed = self.relaxed(places)
            for card in each(relaxed.opened & foundations.due):
                yield self.names[card], Position(up | card, left, places & ~self.place_of[card], None)
            for card in each(relaxed.opening & fits):
                yield self.names[card], Position(up, left, places & ~self.place_of[card], None)
            yield from self.after_parking(position, view, relaxed)
            return
        for card, after in self.plays(places, waste):
            if card & foundations.due:
                yield self.names[card], Position(up | card, left, places & ~self.place_of[card], after)
            if card & fits:
                yield self.names[card], Position(up, left, places & ~self.place_of[card], after)
        if self.comes_back:
            for card in each(foundations.tops & fits):
                yield self.names[card], Position(up & ~card, left, places, waste)

    def base_moved(self, position: Position, card: int) -> Position:
        """Return the position after the base ``card`` moved to another column."""
        up, left, places, waste = position
        column = self.column_of[card]
        count = self.without_king(column, left[column] - 1)
        return Position(up, (*left[:column], count, *left[column + 1 :]), places, waste)

    def raised(self, position: Position, card: int) -> Position:
        """Return the position after ``card`` went up from a column."""
        up, left, places, waste = position
        if card & self.columns_with(left).bases:
            left = self.base_moved(position, card).left
        return Position(up | card, left, places, waste)

    def after_parking(
        self, position: Position, view: View, relaxed: Relaxed
    ) -> Iterator[tuple[str, Position]]:
        """Return the positions after moves that first need parked cards, with the name of the card moved: a
        base or an opening card lands on a type without a bare card, or a covered card goes up."""
        landing = (view.bases | relaxed.opening) & ~view.fitting(self.kings) & ~self.kings
        rising = self.foundations(position.up).due & view.face_up & ~view.bare_cards()
        parkable = relaxed.opened & ~relaxed.opening | (position.up if self.comes_back else 0)
        for kind in each(some(landing) << 4 | some(rising)):
            rank, chain = divmod(kind.bit_length() - 1, 4)
            wanted = (1, 0) if chain == 0 else (0, 1)
            for parked in self.parked_sets(rank, wanted, 0, parkable, position.up, view):
                up, left, places, _ = position
                places &= ~sum(self.place_of[card] for card in each(parked & ~up))
                after = Position(up & ~parked, left, places, None)
                for card in each(landing & view.bases & 3 * kind >> 4):
                    yield self.names[card], self.base_moved(after, card)
                for card in each(landing & relaxed.opening & 3 * kind >> 4):
                    yield self.names[card], after._replace(places=places & ~self.place_of[card])
                for card in each(rising & 3 * kind):
                    yield self.names[card], self.raised(after, card)

    def parked_sets(
        self, rank: int, wanted: tuple[int, int], forced: int, parkable: int, up: int, view: View
    ) -> Iterator[int]:
        """Return the least sets of ``parkable`` cards of ``rank`` and above, each including the ``forced``
        ones, that make as many cards of the two chains of ``rank`` bare as are ``wanted``, and above as many
        as these lie on."""
        self.tick()
        if not (any(wanted) or forced):
            yield 0
            return
        if rank == self.ranks:
            if sum(wanted) <= view.empty:
                yield 0
            return
        groups = [3 << 4 * rank, 12 << 4 * rank]
        choices = []
        for group, number in zip(groups, wanted, strict=True):
            number -= (view.bare & group > 0) + (view.twice & group > 0) + (forced & group).bit_count()
            more = combinations(each(parkable & group & ~forced), max(0, number))
            choices.append([sum(cards) for cards in more])
        for one in choices[0]:
            for other in choices[1]:
                cards = forced | one | other
                coming = sum(self.after[card] for card in each(cards & up)) & up
                holding = (cards & groups[0]).bit_count(), (cards & groups[1]).bit_count()
                for others in self.parked_sets(rank + 1, holding, coming, parkable, up, view):
                    yield cards | others

    def closed(self, position: Position) -> Position:
        """Return the position after all safe cards went up (theorem K4), from columns and, with the relaxed
        stock, from there too."""
        while safe := self.foundations(position.up).safe & ~self.columns_with(position.left).hidden:
            if position.waste is not None and not (safe := safe & ~self.cards_at(position.places)):
                break
            view = self.view(position)
            cards = safe & view.face_up & view.bare_cards()
            if cards:
                position = self.raised(position, cards & -cards)
                continue
            cards = safe & self.relaxed(position.places).opened if position.waste is None else 0
            if not cards:
                break
            up, left, places, _ = position
            card = cards & -cards
            position = Position(up | card, left, places & ~self.place_of[card], None)
        return position


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The digits that stand for the number of dealt cards left in a column."""
