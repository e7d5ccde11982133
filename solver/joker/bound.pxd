"""An upper bound of the score; see bound.pyx."""

from .state cimport Layout, Position

cdef int upper_bound(const Layout* layout, const Position* p, int enough) noexcept nogil
