"""The dealer of winnable: a variant and a seed give the same cards in all versions.

Generator
    SplitMix64. The 64-bit state starts at the seed. A draw adds 0x9E3779B97F4A7C15 to it (modulo 2^64), then
    mixes a copy z of it: z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB;
    z ^= z >> 31 (products modulo 2^64). z is the draw. The first draw of seed 0 is 0xE220A8397B1DCDAF.

Bounded draw
    For a number below n: draw x and form the 128-bit product m = x * n. If the low 64 bits of m are less than
    2^64 mod n, draw again. The number is the high 64 bits of m. Every number is equally likely.

Deck
    Suits C, D, H, S, each A 2 3 4 5 6 7 8 9 T J Q K; two decks are that order twice; Joker Solitaire adds XB
    and then XR at the end. A short deck leaves out ranks and suits and keeps the order.

Shuffle
    Fisher-Yates from the last position down: for i = last .. 1, swap the cards at i and at a bounded draw
    below i + 1 (positions count from 0).

Deal
    From the start of the shuffled list, row by row, left to right, one card a column, skipping columns that
    are full. What is left is the stock; its first card is turned first.
"""

from collections.abc import Sequence
from itertools import chain

from .cards import Deck, check_whole

SEEDS = 1 << 64
DEALER = "winnable 1"  # name of the dealer in stores of results
_MASK = SEEDS - 1


class SplitMix64:
    """The generator of the dealer. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
    Generators", 2014."""

    def __init__(self, seed: int) -> None:
        self.state = check_seed(seed)

    def draw(self) -> int:
        """The next number, 0 to 2^64 - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1, each equally likely."""
        while True:
            product = self.draw() * bound
            if product & _MASK >= SEEDS % bound:
                return product >> 64


def random_seed() -> int:
    """A seed drawn at random, below 2^32: short enough to be read out."""
    import secrets

    return secrets.randbelow(1 << 32)


def check_seed(seed: int) -> int:
    """``seed`` as an int. Raises ValueError unless it is a whole number from 0 to 2^64 - 1."""
    return check_whole("seed", seed, range(SEEDS), "from 0 to 2^64 - 1")


def shuffled(deck: Deck, seed: int) -> list[int]:
    """The cards of ``deck`` in the order in which they are dealt for ``seed``."""
    cards = deck.cards()
    generator = SplitMix64(seed)
    for i in range(len(cards) - 1, 0, -1):
        j = generator.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


Columns = tuple[tuple[int, ...], ...]


IN_PLAY = "in play"
BY_COLUMNS = "in play, by columns"
"""Marks of a written position that moves were made in; the other one also says that its lines are columns."""


def row_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The number of cards in each row of columns of ``sizes``, the row of their deepest cards first."""
    return tuple(sum(size > row for size in sizes) for row in range(max(sizes, default=0)))


def lay_out(cards: Sequence[int], sizes: Sequence[int]) -> tuple[Columns, tuple[int, ...]]:
    """Deal ``cards`` row by row into columns of ``sizes``. Returns the columns, deepest card first, and the
    stock. If the cards run out, as with short decks, columns stay shorter."""
    columns: list[list[int]] = [[] for _ in sizes]
    supply = iter(cards)
    for row in range(max(sizes, default=0)):
        for column, size in zip(columns, sizes, strict=True):
            card = next(supply, None) if row < size else None
            if card is not None:
                column.append(card)
    return tuple(map(tuple, columns)), tuple(supply)


def dealt_order(cards: bytes, count: int, sizes: Sequence[int]) -> bytes:
    """Return decks, each ``count`` bytes of ``cards`` written column by column with the stock last, in the
    order in which `lay_out` deals their cards into columns of ``sizes``."""
    columns, stock = lay_out(range(count), sizes)
    ordered = bytearray(len(cards))
    for written, dealt in enumerate((*chain.from_iterable(columns), *stock)):
        ordered[dealt::count] = cards[written::count]
    return bytes(ordered)


def may_be_rows(sizes: Sequence[int], columns: Sequence[Sequence[int]], in_play: bool = False) -> bool:
    """Test if ``columns`` may as well be the rows of a position in play, in a game that deals columns of
    ``sizes`` and has no stock. Rows typed without their empty places never get longer from one to the next.
    Columns in the sizes of a deal count only if they are said to be ``in_play``."""
    lengths = [len(column) for column in columns]
    ordered = sorted(lengths, reverse=True)
    is_deal = not in_play and ordered == sorted(sizes, reverse=True)
    return lengths == ordered and not is_deal and 1 < lengths[0] <= len(sizes)
