"""Growing arrays."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from .pages cimport prefer_huge

cdef inline bint resize(void* array, uint64_t count, uint64_t size) noexcept nogil:
    """Reallocate to ``count`` items of ``size`` bytes. Returns False, changing nothing, if allocation fails.

    ``array`` is the address of the pointer to the first item, which is NULL before the first allocation. Old
    items are kept; new ones are not cleared. Fails for sizes beyond size_t, which has 32 bits in WebAssembly.
    """
    cdef void* block
    if count * size > <uint64_t><size_t>-1:
        return False
    memcpy(&block, array, sizeof(block))    # the pointer may have any type
    block = realloc(block, count * size)
    if block == NULL:
        return False
    prefer_huge(block, count * size)
    memcpy(array, &block, sizeof(block))
    return True

cdef inline bint more_room(void* array, uint64_t* room, uint64_t least, uint64_t size,
                           uint64_t max_bytes) noexcept nogil:
    """Double the capacity ``room`` of an array, or make it ``least`` if it is 0. Returns False, changing
    nothing, if the old and the new array together exceed ``max_bytes``, or if allocation fails."""
    cdef uint64_t more = 2 * room[0] if room[0] else least
    if (room[0] + more) * size > max_bytes or not resize(array, more, size):
        return False
    room[0] = more
    return True
