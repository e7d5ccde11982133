"""Cores of positions of one deck, and the extra-move cards they ask for; see landmarks.pyx."""

from libc.stdint cimport uint64_t, uint8_t

from .common cimport KINDS, MAX_COLUMNS
from .position cimport Position

# --- Hitting sets -------------------------------------------------------------------------------------------

cdef enum:
    MOST_CORES = 63         # of a pool

cdef struct Pool:
    int count
    uint64_t core[MOST_CORES]   # sets of cards
    uint64_t hits[KINDS]        # by card: the cores that hold it, a bit each

cdef void begin_pool(Pool* pool) noexcept nogil
cdef bint add_core(Pool* pool, uint64_t core) noexcept nogil
cdef void remove_last(Pool* pool) noexcept nogil

cdef inline uint64_t first_cores(int count) noexcept nogil:
    """The first so many cores of a pool, a bit each."""
    return (<uint64_t>1 << count) - 1

# --- Landmarks ----------------------------------------------------------------------------------------------

cdef struct Runs:               # a position as the relaxed game needs it; sets of cards
    uint64_t present, heads, attached, kings
    int columns
    bint has_empty              # column
    uint64_t deepest[MAX_COLUMNS][KINDS + 1]    # card of each run of a column, from the top; 0 after the last
    uint64_t top[MAX_COLUMNS][KINDS + 1]        # card of the same
    uint8_t column_of[KINDS]    # of the deepest card of each run

cdef enum Judgement:
    HOPELESS = 0                # no line wins
    EXCEEDS = 1                 # every line that wins has more extra moves
    FITS = 2                    # nothing says so

cdef void find_runs(Runs* runs, const Position* position) noexcept nogil
cdef Judgement judge(Pool* pool, const Runs* runs, uint64_t cores, uint64_t* extra_moves,
                     int most) noexcept nogil
cdef int least_moves(const Position* position) noexcept nogil
