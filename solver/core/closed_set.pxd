"""The base of the sets of positions that certificates list; see closed_set.pyx."""

from libc.stdint cimport uint64_t

from .kernel cimport Kernel

cdef enum:
    LONGEST = 512           # characters of a position with its reason

cdef enum Outcome:
    CLOSED = 0              # everything that can be reached is there
    REFUTED = 1             # among it is what the claim rules out
    OPEN = 2                # a limit ended it


cdef class PositionList(Kernel):
    cdef Outcome find_all(self) except *
    cdef Outcome close(self) noexcept nogil
    cdef uint64_t count_positions(self) noexcept nogil
    cdef int write(self, char* line, uint64_t number) noexcept nogil


cdef int write_sorted(
    char* line, int length, const char* texts, int width, const int* sizes, int count) noexcept nogil
