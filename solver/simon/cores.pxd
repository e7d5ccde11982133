"""Cores of positions of one deck, and the wasteful cards they ask for; see cores.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from .capacity cimport KINDS, MAX_COLUMNS
from .hitting cimport Pool
from .position cimport Position

cdef struct Runs:               # a position as the relaxed game needs it; sets of cards
    uint64_t present
    uint64_t heads
    uint64_t attached
    uint64_t kings
    int columns
    bint has_empty              # column
    uint64_t deepest[MAX_COLUMNS][KINDS + 1]    # card of each run of a column, from the top; 0 after the last
    uint64_t top[MAX_COLUMNS][KINDS + 1]        # card of the same
    uint8_t column_of[KINDS]    # of the deepest card of each run

cdef enum Judgement:
    HOPELESS = 0                # no line wins
    EXCEEDS = 1                 # every line that wins wastes more
    FITS = 2                    # nothing says so

cdef void find_runs(Runs* runs, const Position* position) noexcept nogil
cdef bint is_met(const Pool* pool, const Runs* runs, uint64_t cores, uint64_t cards, int most) noexcept nogil
cdef Judgement judge(
    Pool* pool, const Runs* runs, uint64_t cores, uint64_t* wasteful, int most
) noexcept nogil
cdef int least_moves(const Position* position) noexcept nogil
