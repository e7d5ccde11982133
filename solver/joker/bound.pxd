"""An upper bound of the score; see bound.pyx."""

from .state cimport ClassLayout, ClassPosition

cdef int upper_bound(const ClassLayout* layout, const ClassPosition* p, int enough) noexcept nogil
