"""Observations: a position, as far as the player sees it, as arrays of small whole numbers.

A card is 1 to 52, the suits C, D, H, S for each rank from the ace, a joker 53 (XB) or 54 (XR), a card that is
not seen 55, and 0 an empty place. The manual has the arrays (docs/training.md).
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from ..rules import Variant
from ..rules.cards import RANKS, SUITS, UNKNOWN, rank_of, suit_of

_UNSEEN, _OUT = 55, 67
_CODES = bytes(_UNSEEN if card == UNKNOWN else (card + 1) % 256 for card in range(256))


class Part(NamedTuple):
    """An array of an observation: its ``space``, and a function of a position that returns its rows."""

    space: Box
    rows: Callable[[Any], Iterable[Iterable[int]]]

    def array(self, table: Any) -> NDArray[np.int8]:
        """The array for a position, filled up with zeros."""
        shape = self.space.shape
        filled = b"".join(bytes(row).ljust(shape[-1], b"\0") for row in self.rows(table))
        return np.frombuffer(filled, np.int8).reshape(shape).copy()


def parts_of(variant: Variant) -> dict[str, Part]:
    """The arrays of the observations of a game, by name."""
    count, ranks, up = len(variant.sizes), len(RANKS), variant.family.foundations_of
    left = len(variant.deck().cards()) - sum(variant.sizes)

    def part(rows: Callable[[Any], Iterable[Iterable[int]]], most: int, *shape: int) -> Part:
        return Part(Box(0, most, shape, np.int8), rows)

    deepest = max(variant.sizes) + ranks - 1  # a run that goes on a column as it was dealt
    parts = {
        "columns": part(lambda table: map(_codes, table.columns), _UNSEEN, count, deepest),
        "foundations": part(lambda table: [_heights(up(table))], ranks * variant.copies, len(SUITS)),
    }
    if variant.free_base:
        parts["base"] = part(lambda table: [{rank_of(pile[0]) + 1 for pile in up(table) if pile}], ranks, 1)
    if variant.hiding:
        parts["face_down"] = part(lambda table: [table.hidden], max(variant.sizes), count)
        parts["stock"] = part(lambda table: [_codes(table.stock)], _UNSEEN, left)
        parts["waste"] = part(lambda table: [_codes(table.waste)], _UNSEEN, left)
    if "passes" in variant.choices:
        parts["redeals"] = part(lambda table: [[table.redeals]], ranks, 1)
    if variant.jokers:
        parts["jokers"] = part(lambda table: [map(_condition, table.jokers)], _OUT, 2)
    return parts


def _codes(cards: Iterable[int]) -> bytes:
    return bytes(cards).translate(_CODES)


def _heights(piles: Iterable[list[int]]) -> list[int]:
    """The number of cards of each suit in ``piles``, each of one suit."""
    suits = [suit_of(card) for pile in piles for card in pile]
    return [suits.count(suit) for suit in range(len(SUITS))]


def _condition(joker: Any) -> int:
    """The condition of a joker as a number."""
    if joker.rank is not None:
        return int(joker.rank) + 1
    if joker.place is not None:
        return int(joker.place) + len(RANKS) + 1
    return _OUT - joker.is_open_ace if joker.is_open_ace or joker.is_out else 0
