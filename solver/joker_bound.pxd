# cython: language_level=3
"""An upper bound of the score without jokers; see joker_bound.pyx."""

from .joker_state cimport Layout, Position

cdef int upper_bound(const Layout* layout, const Position* p) noexcept nogil
