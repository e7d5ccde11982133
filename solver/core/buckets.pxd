"""Bucket queue of numbered items by small priorities: a doubly linked list for each priority."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    NOTHING_QUEUED = 0xFFFFFFFF     # the end of a list

cdef struct Link:
    uint32_t next, previous

cdef struct Buckets:
    uint32_t* last          # for each priority the number queued last, or NOTHING_QUEUED
    uint32_t count          # number of priorities
    uint32_t first          # no number has a priority below this one

cdef inline void free_buckets(Buckets* buckets) noexcept nogil:
    free(buckets.last)
    buckets.last = NULL

cdef inline bint open_buckets(Buckets* buckets, uint32_t count) noexcept nogil:
    """Make an empty queue for priorities below ``count``. Returns False if its 4 * ``count`` bytes cannot be
    allocated."""
    cdef uint64_t size = <uint64_t>count * sizeof(uint32_t)
    free_buckets(buckets)
    buckets.count = count
    buckets.first = 0
    buckets.last = <uint32_t*>malloc(size)
    if buckets.last == NULL:
        return False
    memset(buckets.last, 0xFF, size)
    return True

cdef inline Link* link_of(Link* first, uint64_t apart, uint32_t number) noexcept nogil:
    """The link of item ``number``: the links are ``apart`` bytes apart, and that of item 0 is ``first``."""
    return <Link*>(<uint8_t*>first + number * apart)

cdef inline void push_number(Buckets* buckets, Link* first, uint64_t apart, uint32_t number,
                             uint32_t priority) noexcept nogil:
    """Queue ``number``, which must not be queued, with a ``priority`` below ``count``."""
    cdef Link* link = link_of(first, apart, number)
    link.previous = NOTHING_QUEUED
    link.next = buckets.last[priority]
    if link.next != NOTHING_QUEUED:
        link_of(first, apart, link.next).previous = number
    buckets.last[priority] = number
    if priority < buckets.first:
        buckets.first = priority

cdef inline void remove_number(Buckets* buckets, Link* first, uint64_t apart, uint32_t number,
                               uint32_t priority) noexcept nogil:
    """Remove ``number`` from the queue; ``priority`` must be the one that it was queued with."""
    cdef const Link* link = link_of(first, apart, number)
    if link.previous != NOTHING_QUEUED:
        link_of(first, apart, link.previous).next = link.next
    else:
        buckets.last[priority] = link.next
    if link.next != NOTHING_QUEUED:
        link_of(first, apart, link.next).previous = link.previous

cdef inline uint32_t first_number(Buckets* buckets) noexcept nogil:
    """The number queued last with the lowest priority, or NOTHING_QUEUED if the queue is empty.

    Sets ``buckets.first`` to that priority, or to ``buckets.count`` if the queue is empty.
    """
    while buckets.first < buckets.count:
        if buckets.last[buckets.first] != NOTHING_QUEUED:
            return buckets.last[buckets.first]
        buckets.first += 1
    return NOTHING_QUEUED
