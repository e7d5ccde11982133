"""The macro moves to try; see moves.pyx."""

from libc.stdint cimport uint32_t

from .state cimport ClassLayout, ClassPosition

cdef enum:
    MOST_CODES = 32768      # more than any position has: 55 numbers of turns, each with some 300 plays
    TOO_MANY = -1           # of them, all the same

cdef int successors(const ClassLayout* layout, const ClassPosition* p, uint32_t* codes) noexcept nogil
cdef int elementary(const ClassLayout* layout, const ClassPosition* p, uint32_t* codes) noexcept nogil
