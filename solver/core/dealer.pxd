"""Compiled dealer for batches: the same deals as `rules.deals`, 100 times as fast."""

from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memcpy, memset

cdef enum:
    MOST_CARDS = 104
    MOST_COLUMNS = 14

cdef struct Dealt:          # a layout, before any move
    int columns
    uint8_t size[MOST_COLUMNS]
    uint8_t card[MOST_COLUMNS][MOST_CARDS]      # bottom card first
    int stock_size
    uint8_t stock[MOST_CARDS]                   # in the order of turning

cdef struct SplitMix:   # state of the pseudorandom generator SplitMix64; see rules/deals.py
    uint64_t state


cdef inline uint64_t draw(SplitMix* chance) noexcept nogil:
    """The next 64 bits of the generator."""
    chance.state += <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t z = chance.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int below(SplitMix* chance, uint64_t bound) noexcept nogil:
    """An unbiased number below ``bound`` < 2^32, by multiply-high with rejection.

    A draw is rejected if the low half of its product is below 2^64 mod bound. That modulus is smaller than
    ``bound``, so it is computed only if the low half is below ``bound``.
    """
    cdef uint64_t x, low
    while True:
        x = draw(chance)
        low = x * bound
        if low >= bound or low >= (0 - bound) % bound:
            return <int>(((x >> 32) * bound + ((x & <uint64_t>0xFFFFFFFF) * bound >> 32)) >> 32)


cdef inline void shuffle(uint8_t* cards, int count, uint64_t seed) noexcept nogil:
    """Shuffle ``count`` cards in place by Fisher-Yates from the last position down, with ``seed``."""
    cdef SplitMix chance = SplitMix(seed)
    cdef int i, j
    cdef uint8_t card
    for i in range(count - 1, 0, -1):
        j = below(&chance, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


cdef inline void lay_out(Dealt* dealt, const uint8_t* cards, int count, const uint8_t* sizes,
                         int columns) noexcept nogil:
    """Deal ``count`` shuffled cards row by row into columns of ``sizes``; the rest becomes the stock.

    If the cards run out, the columns stay shorter than their sizes.
    """
    cdef int row = 0, column, next_card = 0, before = -1
    dealt.columns = columns
    memset(dealt.size, 0, columns)
    while next_card > before:
        before = next_card
        for column in range(columns):
            if row < sizes[column] and next_card < count:
                dealt.card[column][row] = cards[next_card]
                dealt.size[column] = row + 1
                next_card += 1
        row += 1
    dealt.stock_size = count - next_card
    memcpy(dealt.stock, cards + next_card, dealt.stock_size)
