"""Macro moves of the packed states; see moves.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .state cimport ClassKey, ClassLayout, ClassPosition

cdef struct Child:
    ClassKey key
    int score, face_down, waste_size, empty, out

cdef void check_child(const ClassLayout* layout, const Child* child) noexcept nogil
cdef void perform(
    const ClassLayout* layout, const ClassPosition* p, uint32_t code, Child* child) noexcept nogil

cdef enum:
    MOST_CODES = 32768      # more macros than any position has: 55 numbers of turns with some 300 plays each
    TOO_MANY = -1           # in place of a number: there are more than MOST_CODES

cdef int successors(const ClassLayout* layout, const ClassPosition* p, uint32_t* codes) noexcept nogil
cdef int elementary(const ClassLayout* layout, const ClassPosition* p, uint32_t* codes) noexcept nogil
cdef int safe_card(const ClassLayout* layout, const ClassPosition* p, bint by_lemma) noexcept nogil
