"""The dealer for batches; see dealer.pyx."""

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    MOST_CARDS = 104
    MOST_COLUMNS = 14

cdef struct Dealt:          # cards laid out, before any move
    int columns
    uint8_t size[MOST_COLUMNS]
    uint8_t card[MOST_COLUMNS][MOST_CARDS]      # the deepest of a column first
    int stock_size
    uint8_t stock[MOST_CARDS]                   # the one turned first comes first

cdef void shuffle(uint8_t* cards, int count, uint64_t seed) noexcept nogil
cdef void lay_out(Dealt* dealt, const uint8_t* cards, int count, const uint8_t* sizes,
                  int columns) noexcept nogil
