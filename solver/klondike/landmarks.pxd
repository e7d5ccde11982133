"""Disjunctive action landmarks of a delete relaxation; see landmarks.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .position cimport ExactLayout, Position

cdef enum:
    MOST_LANDMARKS = 52

cdef struct Landmarks:      # pairwise disjoint landmarks
    int count
    int moves               # number of the first ones, which are met by moves alone; the others also by draws
    uint32_t games          # relaxed games run to find them
    uint64_t cards[MOST_LANDMARKS]

cdef enum:
    MOST_RECENT = 24

cdef struct Recent:         # the landmarks found last, tried first: those met by moves alone, and the others
    uint64_t cards[2][MOST_RECENT]

cdef enum:
    CHUNK_BITS = 18         # bits of the index of a word in its chunk
    CHUNK_BYTES = 1 << 21   # a page, see core/pages.pxd

cdef struct Pool:           # landmarks of positions, in chunks that never move
    uint64_t** chunks
    uint64_t first_chunk    # earlier chunks are freed
    uint64_t chunk_count, chunk_room
    uint64_t count          # words used
    uint64_t max_bytes

cdef enum Completion:
    LOST = 0                # the position cannot reach the goal
    ENOUGH = 1              # the bound is as large as requested
    COMPLETE = 2            # no further landmark is disjoint from those found

cdef Completion find_landmarks(const ExactLayout* start, const Position* t, Landmarks* found,
                               int enough, Recent* recent) noexcept nogil
cdef uint64_t inherit_landmarks(const Position* t, Landmarks* found, const Landmarks* earlier,
                                uint32_t code) noexcept nogil
cdef void open_pool(Pool* pool, uint64_t max_bytes) noexcept nogil
cdef void free_pool(Pool* pool) noexcept nogil
cdef uint64_t pool_bytes(const Pool* pool) noexcept nogil
cdef bint forget_oldest(Pool* pool) noexcept nogil
cdef uint32_t keep_landmarks(Pool* pool, const Landmarks* found, uint64_t without) noexcept nogil
cdef void load_landmarks(const Pool* pool, uint32_t place, Landmarks* found) noexcept nogil

cdef inline int landmarks_bound(const ExactLayout* start, int redeals, const Landmarks* found) noexcept nogil:
    """Return the lower bound that the landmarks ``found`` give for the moves that are neither a first draw
    nor the last move of a card, after ``redeals``."""
    cdef int drawn = start.draw
    if start.passes > 0 and redeals + 1 >= start.passes:
        drawn = 1           # no card is drawn again
    return found.moves + (found.count - found.moves + drawn - 1) // drawn
