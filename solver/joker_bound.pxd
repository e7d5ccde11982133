"""An upper bound of the score; see joker_bound.pyx."""

from .joker_state cimport Layout, Position

cdef int upper_bound(const Layout* layout, const Position* p, int enough) noexcept nogil
