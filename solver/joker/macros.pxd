"""Macro moves of joker and klondike-one-pass; see macros.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .state cimport ClassKey, ClassLayout, ClassPosition, same_places

cdef struct Child:
    ClassKey key
    int score
    int face_down
    int waste_size
    int empty
    int out

cdef void check_child(const ClassLayout* layout, const Child* child) noexcept nogil
cdef void perform(
    const ClassLayout* layout, const ClassPosition* p, uint32_t code, Child* child) noexcept nogil


cdef inline bint is_open(const ClassLayout* layout, uint64_t up, int colour, int rank) noexcept nogil:
    """Whether a joker of ``colour`` may take ``rank``: some such natural is not up."""
    return same_places(rank, colour) & layout.deck & ~up != 0
