"""Cards that block each other for good: the reason, short enough to be shown, why some lost positions are
lost.

Theorem B1 of docs/theory/blocking.md has the relaxed game that is played here, and its proof: what cannot
happen there never happens. What may lie on what is asked of the rules, `rules.family.Building`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...rules import Variant
from ...rules.cards import format_card, make_card, rank_of, suit_of
from ...rules.choices import not_implemented
from ...rules.family import Building

_Spot = tuple[int, int]  # a column, and the depth of a card in it


@dataclass(frozen=True)
class Block:
    """A card that never leaves its place, ``spot``; every card it could go to, or needs on its foundation,
    is one of ``waits`` and lies under such a card."""

    spot: _Spot
    waits: tuple[_Spot, ...]


def is_proved_for(variant: Variant, choices: Any = None) -> bool:
    """Test if cards that block each other prove a loss in ``variant`` under the rule options ``choices``."""
    if variant.building is None or variant.scoring is not None:
        return False
    return not not_implemented(variant.family.PROVED_FOR, variant.name, choices)


def blocks(variant: Variant, state: Any) -> list[Block]:
    """The cards of ``state`` that block each other, in each column that is never emptied the one that keeps
    it; none if there is no such proof that it is lost."""
    if variant.building is None or not is_proved_for(variant, state.choices):
        return []
    found: list[Block] = []
    for base in variant.building.possible_bases(state):
        found = _Relaxed(variant.building, state, base).blocks()
        if not found:
            break
    return found


@dataclass
class _Relaxed:
    """The relaxed game from ``state`` on, foundations beginning at ``base``: what is ``bare`` and ``gone``
    some time, and the cards that are ``up``."""

    rules: Building[Any]
    state: Any
    base: int
    bare: set[_Spot] = field(default_factory=set)
    gone: set[_Spot] = field(default_factory=set)
    up: set[int] = field(default_factory=set)

    def blocks(self) -> list[Block]:
        """The cards that keep their columns, if a card stays that has to go."""
        while self._advance():
            pass
        if not any(self._stays(spot) for spot in self._spots()):
            return []
        fronts = [(column, self._front(column)) for column in range(len(self.columns))]
        return [self._block(spot) for spot in fronts if spot[1] >= 0]

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The columns of the position."""
        columns: tuple[tuple[int, ...], ...] = self.state.columns
        return columns

    def _spots(self) -> Iterator[_Spot]:
        return ((column, depth) for column, cards in enumerate(self.columns) for depth in range(len(cards)))

    def _card(self, spot: _Spot) -> int:
        return self.columns[spot[0]][spot[1]]

    def _is_reached(self, spot: _Spot) -> bool:
        """True if the card at ``spot`` can be taken up some time, with a run on it or without."""
        column, depth = spot
        above = range(depth, self._end_of_run(spot) + 1)
        return any(last + 1 == len(self.columns[column]) or (column, last + 1) in self.gone for last in above)

    def _front(self, column: int) -> int:
        """The depth of the deepest card of a column that some time can be taken up and stays, or -1."""
        if all((column, depth) in self.gone for depth in range(len(self.columns[column]))):
            return -1
        return min(depth for depth in range(len(self.columns[column])) if self._is_reached((column, depth)))

    def _advance(self) -> bool:
        """Take in what follows from what is known; True if that is something."""
        before = len(self.bare), len(self.gone), len(self.up)
        self.up |= {card for card in self._loose if self._is_next(card)}
        for column, cards in enumerate(self.columns):
            for depth in reversed(range(len(cards))):
                spot = column, depth
                if not self._is_reached(spot):
                    break
                if depth + 1 == len(cards) or (column, depth + 1) in self.gone:
                    self.bare.add(spot)
                    self.up |= {cards[depth]} if self._is_next(cards[depth]) else set()
                if spot not in self.gone and self._may_go(spot):
                    self.gone.add(spot)
        return before != (len(self.bare), len(self.gone), len(self.up))

    def _end_of_run(self, spot: _Spot) -> int:
        """The depth of the last card that can move with the one at ``spot``."""
        column, depth = spot
        last = len(self.columns[column]) - 1
        while depth < last and self.rules.moves_together(self.state, column, depth):
            depth += 1
        return depth

    def _may_go(self, spot: _Spot) -> bool:
        card = self._card(spot)
        if card in self.up or (self.rules.LEAVES_IN_RUNS and self._has_run(suit_of(card))):
            return True
        is_emptied = any(not cards or (at, 0) in self.gone for at, cards in enumerate(self.columns))
        if is_emptied and self._accepts(card, None):
            return True
        return any(self._accepts(card, self._card(other)) for other in self.bare if other != spot) or any(
            self._accepts(card, other) for other in self._loose
        )

    @cached_property
    def _loose(self) -> tuple[int, ...]:
        """Cards at hand from the start: of stock and waste, and of foundations that give them back."""
        return self.rules.loose_cards(self.state)

    def _is_next(self, card: int) -> bool:
        """True if a bare card can go up some time; complete runs leave otherwise."""
        if self.rules.LEAVES_IN_RUNS:
            return False
        ranks, suit = self.state.deck.ranks, suit_of(card)
        above = (rank_of(card) - self.base) % ranks
        before = make_card((rank_of(card) - 1) % ranks, suit)
        return above <= self.state.foundations[suit] or before in self.up

    def _is_at_hand(self, spot: _Spot) -> bool:
        """True if a card can be in a complete run that leaves: it moved, or lies so on the next one."""
        column, depth = spot
        is_king = rank_of(self._card(spot)) == self.state.deck.ranks - 1
        return (
            spot in self.gone
            or is_king
            or (depth > 0 and self.rules.moves_together(self.state, column, depth - 1))
        )

    def _has_run(self, suit: int) -> bool:
        cards = {self._card(spot) for spot in self._spots() if self._is_at_hand(spot)}
        return len({card for card in cards if suit_of(card) == suit}) == len(range(self.state.deck.ranks))

    def _stays(self, spot: _Spot) -> bool:
        if self.rules.LEAVES_IN_RUNS:
            return not self._is_at_hand(spot)
        return self._card(spot) not in self.up

    def _accepts(self, card: int, other: int | None) -> bool:
        """True if ``card`` may go on ``other``, or to an empty column for None, by the rules."""
        return card != other and self.rules.goes_on(self.state, card, other)

    def _block(self, spot: _Spot) -> Block:
        """The card at ``spot``, with the cards that it waits for."""
        card, ranks = self._card(spot), self.state.deck.ranks
        before = make_card((rank_of(card) - 1) % ranks, suit_of(card))
        if self.rules.LEAVES_IN_RUNS:
            before = card
        names = [(other, self._card(other)) for other in self._spots() if other not in self.bare]
        waits = [other for other, name in names if name == before or self._accepts(card, name)]
        return Block(spot, tuple(other for other in waits if other != spot))


def sentence(state: Any, block: Block) -> str:
    """``block`` in words."""
    (column, depth), waits = block.spot, []
    for other, below in block.waits:
        waits.append(f"{format_card(state.columns[other][below])} in column {other + 1}")
    what = f"waits for {' or '.join(waits)}" if waits else "needs an empty column"
    return f"{format_card(state.columns[column][depth])} in column {column + 1} {what}"
