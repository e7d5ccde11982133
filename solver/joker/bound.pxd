"""Upper bound of the score; see bound.pyx."""

from .state cimport ClassKey, ClassLayout, ClassPosition

cdef int upper_bound(const ClassLayout* layout, const ClassPosition* p, int enough) noexcept nogil
cdef bint has_free_joker(const ClassLayout* layout, const ClassKey* key) noexcept nogil
