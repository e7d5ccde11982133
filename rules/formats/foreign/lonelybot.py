"""Numbers of deals of lonelybot, ``Lonelybot: N`` and ``Lonelybot seed: N``, and its lines of play, which are
those of MinimalKlondike with the foundations in another order."""

from collections.abc import Iterator
from math import factorial

from ..partial_board import Draft
from . import CARDS, minimal_klondike
from .shuffles import WORD, by_ranks, from_columns, number_in, permuted

_SUITS = "HDCS"


class Line(minimal_klondike.Line):
    """A game that is played along a line of lonelybot."""

    foundations = _SUITS


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number to ``draft``: one that lonelybot calls exact, the number of a permutation, or
    a seed. Raises ValueError."""
    if field == "lonelybot":
        number = number_in(field, text, 0, factorial(CARDS) - 1, "52! - 1")
        cards = permuted(by_ranks(_SUITS), number, range(1, CARDS))
    else:
        cards = _of_seed(number_in(field, text, 0, (1 << 64) - 1, "2^64 - 1"))
    draft.add_cards(line, field, from_columns(cards))


def _of_seed(number: int) -> list[int]:
    """The deal of a seed of the kind ``default`` (since 2025), column by column and then the stock: each
    place is swapped with a random earlier one or itself. Several random numbers are taken from one word of
    xoshiro256++."""
    cards = by_ranks(_SUITS)
    words = _xoshiro(number)
    chunk, left = 0, 0
    for i in range(1, CARDS):
        size = i + 1
        if not left:
            bound, left = size, 1
            while bound * (size + left) < WORD:
                bound *= size + left
                left += 1
            product = next(words) * bound
            chunk = product >> 32
            if product % WORD > WORD - bound:
                chunk += product % WORD + (next(words) * bound >> 32) >= WORD
        left -= 1
        chunk, j = divmod(chunk, size) if left else (0, chunk)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _xoshiro(seed: int) -> Iterator[int]:
    """The upper 32 bits of successive words of xoshiro256++, whose state SplitMix64 fills from ``seed``."""
    most = (1 << 64) - 1
    words = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & most
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & most
        word = (word ^ word >> 27) * 0x94D049BB133111EB & most
        words.append(word ^ word >> 31)
    a, b, c, d = words
    while True:
        total = (a + d) & most
        yield ((((total << 23 | total >> 41) & most) + a) & most) >> 32
        shifted = b << 17 & most
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << 45 | d >> 19) & most
