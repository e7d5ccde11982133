"""Sets of cards that meet all cores of a pool; see hitting.pyx."""

from libc.stdint cimport uint64_t

from .capacity cimport KINDS

cdef enum:
    MOST_CORES = 63         # of a pool

cdef struct Pool:
    int count
    uint64_t core[MOST_CORES]   # sets of cards
    uint64_t hits[KINDS]        # by card: the cores that hold it, a bit each

cdef struct Meeting:            # a search for a set
    const Pool* pool
    uint64_t attached           # cards that count twice
    uint64_t chosen             # the set found
    int tried                   # cards

cdef void begin_pool(Pool* pool) noexcept nogil
cdef bint add_core(Pool* pool, uint64_t core) noexcept nogil
cdef void remove_last(Pool* pool) noexcept nogil
cdef bint meet(Meeting* meeting, uint64_t cores, uint64_t allowed, int most) noexcept nogil


cdef inline uint64_t first_cores(int count) noexcept nogil:
    """The first so many cores of a pool, a bit each."""
    return (<uint64_t>1 << count) - 1
