"""An upper bound of the score; see bound.pyx."""

from .state cimport ClassPosition, Layout

cdef int upper_bound(const Layout* layout, const ClassPosition* p, int enough) noexcept nogil
