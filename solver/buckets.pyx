"""A queue of numbered things by small priorities: a list for each priority, linked through the things."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset


cdef bint open_buckets(Buckets* buckets, uint32_t count) noexcept nogil:
    """An empty queue for priorities below ``count``, of four bytes each; false if there is no memory."""
    cdef uint64_t size = <uint64_t>count * sizeof(uint32_t)
    free_buckets(buckets)
    buckets.count = count
    buckets.first = 0
    buckets.last = <uint32_t*>malloc(size)
    if buckets.last == NULL:
        return False
    memset(buckets.last, 0xFF, size)
    return True


cdef void free_buckets(Buckets* buckets) noexcept nogil:
    """Give the memory back."""
    free(buckets.last)
    buckets.last = NULL
