"""States as records of bytes, each kept once; see explored.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

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
cdef bint find_record(const Explored* explored, const uint8_t* record, uint32_t* slot) noexcept nogil
cdef uint64_t explored_bytes(const Explored* explored) noexcept nogil


cdef inline const uint8_t* record_at(const Explored* explored, uint32_t number) noexcept nogil:
    """The record of a number; it stays there until the next one is added."""
    return explored.records + <uint64_t>number * explored.length
