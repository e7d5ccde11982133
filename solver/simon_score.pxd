"""Scores of single positions; see simon_score.pyx."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from .simon_class cimport MAX_CARDS, MAX_COLUMNS

cdef enum:
    MANY_BREAKS = 104

cdef struct Position:
    uint64_t key
    int32_t score
    uint32_t link               # its entry in the history
    uint8_t heads               # runs that do not begin with a king
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_CARDS]     # column by column

cdef struct Scores:
    int on_card[52][52]         # [beneath][card]; 0 for a continued run
    int on_floor[52]
    int over_own[52]            # its next higher card lies deeper in its column
    int by_breaks[MANY_BREAKS + 1]
    int by_tops[13][4]          # of a rank, by the number of its exposed cards, 3 for more
    int by_empty[3]

cdef const Scores* scores() noexcept nogil
cdef void rate(Position* position, int columns, int king) noexcept nogil
cdef void make_child(
    const Position* position, int columns, int ranks, int source, int target, int count, Position* child
) noexcept nogil
cdef uint64_t class_key(const Position* position, int columns) noexcept nogil


cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit
