"""Scores of single positions; see beam_score.pyx."""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from .common cimport KINDS, MAX_CARDS, MAX_COLUMNS, MAX_RANKS

cdef struct BeamPosition:
    uint64_t key
    int32_t score
    uint32_t entry               # its entry in the history
    uint8_t heads               # runs that do not begin with a king
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_CARDS + 8]     # column by column; `class_key` reads eight at a time

cdef struct Scores:
    int on_card[KINDS][KINDS]         # [beneath][card]; 0 for a continued run
    int on_floor[KINDS]
    int over_own[KINDS]            # its next higher card lies deeper in its column
    int by_breaks[MAX_CARDS + 1]
    int by_tops[MAX_RANKS][4]          # of a rank, by the number of its exposed cards, 3 for more
    int by_empty[3]

cdef void copy_scores(Scores* copy, uint64_t seed) noexcept nogil
cdef void rate(const Scores* table, BeamPosition* position, int columns, int king) noexcept nogil
cdef void make_child(const BeamPosition* position, int columns, int ranks, int source, int target, int count,
                     BeamPosition* child) noexcept nogil
cdef bint has_complete_run(const uint8_t* card, int size, int ranks) noexcept nogil
cdef uint64_t class_key(const BeamPosition* position, int columns) noexcept nogil

cdef inline int end_of(const BeamPosition* position, int column) noexcept nogil:
    """Index after the last card of a column."""
    cdef int i, end = 0
    for i in range(column + 1):
        end += position.size[i]
    return end

cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit
