"""Growing arrays."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from .pages cimport prefer_huge

cdef inline bint resize(void* array, uint64_t count, uint64_t size) noexcept nogil:
    """Have room for ``count`` things of ``size`` bytes; false, with nothing changed, if there is no memory.

    ``array`` is the address of the pointer to the first of them, NULL where there is none yet. What was there
    stays; what is new is not cleared.
    """
    cdef void* block
    memcpy(&block, array, sizeof(block))    # pointers to things of any kind
    block = realloc(block, count * size)
    if block == NULL:
        return False
    prefer_huge(block, count * size)
    memcpy(array, &block, sizeof(block))
    return True

cdef inline bint more_room(void* array, uint64_t* room, uint64_t least, uint64_t size,
                           uint64_t max_bytes) noexcept nogil:
    """Have ``room`` for twice as many things, or, where that is 0, for ``least``; false, with nothing
    changed, if old and new ones together pass ``max_bytes``, or without memory."""
    cdef uint64_t more = 2 * room[0] if room[0] else least
    if (room[0] + more) * size > max_bytes or not resize(array, more, size):
        return False
    room[0] = more
    return True
