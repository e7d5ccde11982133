"""Decks, shuffles and orders of dealing that several programs have in common."""

import re
from collections.abc import Iterable, Iterator
from random import Random

from ...cards import RANKS, SUITS, make_card, shown

WORD = 1 << 32
LAST = WORD // 2 - 1
"""The greatest number of a deal in programs whose numbers have a sign."""


def number_in(field: str, text: str, least: int, most: int, words: str = "") -> int:
    """The number of a deal under ``field``, from ``least`` to ``most``, which messages may call ``words``.
    Raises ValueError."""
    if not re.fullmatch("[0-9]{1,68}", text) or not least <= int(text) <= most:
        name = field.replace("_", " ")
        raise ValueError(f"{name} {shown(text)}: expected a number from {least} to {words or most}")
    return int(text)


def by_suits(suits: str) -> list[int]:
    """A deck suit by suit."""
    return [make_card(rank, SUITS.index(suit)) for suit in suits for rank in range(len(RANKS))]


def by_ranks(suits: str) -> list[int]:
    """A deck rank by rank, each with its ``suits`` in this order."""
    return [make_card(rank, SUITS.index(suit)) for rank in range(len(RANKS)) for suit in suits]


def from_columns(cards: list[int]) -> list[int]:
    """The cards of a deal of Klondike in the order of dealing, given ``cards`` column by column and then the
    stock."""
    rows = [column * (column + 1) // 2 + row for row in range(7) for column in range(row, 7)]
    return [cards[at] for at in rows] + cards[len(rows) :]


def permuted(cards: list[int], number: int, places: Iterable[int]) -> list[int]:
    """The permutation of ``cards`` with this ``number``: it says with which lower place, or itself, each of
    the ``places`` is swapped in turn."""
    for i in places:
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def mersenne(number: int) -> Iterator[int]:
    """The words of the Mersenne twister MT19937 seeded with one word, as C++ seeds it and Python does not."""
    state = [number % WORD]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) % WORD)
    twister = Random()
    twister.setstate((3, (*state, 624), None))
    while True:
        yield twister.getrandbits(32)
