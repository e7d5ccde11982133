"""The bound that certificates of fewest moves rest on; see listed_bound.pyx."""

from .position cimport Position

cdef int listed_bound(const Position* position) noexcept nogil
