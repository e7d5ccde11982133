"""States as records of bytes, each kept once; see explored.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .bits cimport prefetch_at

cdef enum:
    LONGEST_RECORD = 96     # bytes

cdef struct Explored:
    uint8_t* records        # `length` bytes each, in the order in which they came
    uint32_t* slots         # the number of a record + 1, or 0; at most half are taken
    uint32_t length         # a multiple of 8
    uint32_t count
    uint32_t room           # records allocated, a power of two; half the slots
    uint64_t max_bytes

cdef bint open_explored(Explored* explored, uint32_t length, uint64_t max_bytes) noexcept nogil
cdef void free_explored(Explored* explored) noexcept nogil
cdef int add_record(Explored* explored, const uint8_t* record) noexcept nogil
cdef int add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed) noexcept nogil
cdef bint find_record(const Explored* explored, const uint8_t* record, uint32_t* slot) noexcept nogil
cdef uint64_t explored_bytes(const Explored* explored) noexcept nogil


cdef inline const uint8_t* record_at(const Explored* explored, uint32_t number) noexcept nogil:
    """The record of a number; it stays there until the next one is added."""
    return explored.records + <uint64_t>number * explored.length


cdef inline uint64_t hash_of(const Explored* explored, const uint8_t* record) noexcept nogil:
    """A number that tells where to look for a record."""
    cdef uint64_t hashed = <uint64_t>0xCBF29CE484222325
    cdef uint64_t word
    cdef uint32_t i
    for i in range(0, explored.length, 8):
        memcpy(&word, record + i, 8)
        hashed = (hashed ^ word) * <uint64_t>0x9E3779B97F4A7C15
        hashed ^= hashed >> 29
    return hashed ^ (hashed >> 32)


cdef inline void fetch_slot(const Explored* explored, uint64_t hashed) noexcept nogil:
    """Have the slot of a record ready when it is looked for."""
    prefetch_at(&explored.slots[hashed & (2 * explored.room - 1)])


cdef inline void fetch_record(const Explored* explored, uint64_t hashed) noexcept nogil:
    """Have the record in that slot ready, once the slot is."""
    cdef uint32_t number = explored.slots[hashed & (2 * explored.room - 1)]
    if number:
        prefetch_at(record_at(explored, number - 1))
