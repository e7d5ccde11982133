"""Landmark heuristic for positions of one deck; see landmarks.pyx."""

from libc.stdint cimport uint64_t, uint8_t

from .common cimport KINDS, MAX_COLUMNS
from .position cimport Position

# --- Hitting sets -------------------------------------------------------------------------------------------

cdef enum:
    MOST_CORES = 63         # cores of a pool

cdef struct Pool:
    int count
    uint64_t core[MOST_CORES]   # sets of cards
    uint64_t hits[KINDS]        # by card: set of the cores, by index, that contain it

cdef void begin_pool(Pool* pool) noexcept nogil
cdef bint add_core(Pool* pool, uint64_t core) noexcept nogil
cdef void remove_last(Pool* pool) noexcept nogil

cdef inline uint64_t first_cores(int count) noexcept nogil:
    """The set of the first ``count`` cores of a pool."""
    return (<uint64_t>1 << count) - 1

# --- Landmarks ----------------------------------------------------------------------------------------------

cdef struct Runs:               # a position for the relaxed game, as sets of cards
    uint64_t present, heads, attached, kings
    int columns
    bint has_empty              # a column is empty
    uint64_t deepest[MAX_COLUMNS][KINDS + 1]    # deepest card of each run, top run first; 0 after the last
    uint64_t top[MAX_COLUMNS][KINDS + 1]        # top card of each run, likewise
    uint8_t column_of[KINDS]    # column of a card that is the deepest of a run

cdef enum Judgement:
    HOPELESS = 0                # proved: no line wins
    EXCEEDS = 1                 # proved: every winning line has more extra moves
    FITS = 2                    # neither was proved

cdef void find_runs(Runs* runs, const Position* position) noexcept nogil
cdef Judgement judge(Pool* pool, const Runs* runs, uint64_t cores, uint64_t* extra_moves,
                     int most) noexcept nogil
cdef int least_moves(const Position* position) noexcept nogil
