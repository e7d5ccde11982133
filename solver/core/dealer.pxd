"""The dealer for batches; see dealer.pyx."""

from libc.stdint cimport uint8_t, uint64_t

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

cdef void shuffle(uint8_t* cards, int count, uint64_t seed) noexcept nogil
cdef void lay_out(Dealt* dealt, const uint8_t* cards, int count, const uint8_t* sizes,
                  int columns) noexcept nogil

cdef inline uint64_t draw(SplitMix* chance) noexcept nogil:
    """The next 64 bits of the generator."""
    chance.state += <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t z = chance.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)
