"""Evaluation of positions in a beam; see beam_score.pyx."""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from .common cimport KINDS, MAX_CARDS, MAX_COLUMNS, MAX_RANKS

cdef struct BeamPosition:
    uint64_t key
    int32_t score
    uint32_t entry              # entry of the history with the move that led to it
    uint8_t heads               # number of heads
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_CARDS + 8]     # column by column; `class_key` reads eight at a time

cdef struct Scores:
    int on_card[KINDS][KINDS]       # [beneath][card]: a card on another one; 0 if it continues a run
    int on_floor[KINDS]             # a card as the deepest of its column
    int over_own[KINDS]             # a card above the next higher card of its suit in its column, not on it
    int by_breaks[MAX_CARDS + 1]    # a column, by the number of its breaks
    int by_tops[MAX_RANKS][4]       # a rank, by the number of its exposed cards; 3 stands for more, too
    int by_empty[3]                 # by the number of empty columns; 2 stands for more, too

cdef void make_scores(Scores* table, uint64_t seed) noexcept nogil
cdef void rate(const Scores* table, BeamPosition* position, int columns, int king) noexcept nogil
cdef void make_child(const BeamPosition* position, int columns, int ranks, int source, int target, int count,
                     BeamPosition* child) noexcept nogil
cdef bint has_complete_run(const uint8_t* card, int size, int ranks) noexcept nogil
cdef uint64_t class_key(const BeamPosition* position, int columns) noexcept nogil

cdef inline int end_of(const BeamPosition* position, int column) noexcept nogil:
    """The index after the last card of ``column`` in ``position.card``."""
    cdef int i, end = 0
    for i in range(column + 1):
        end += position.size[i]
    return end

cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit
