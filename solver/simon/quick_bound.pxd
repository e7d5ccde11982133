"""A quick lower bound for single positions; see quick_bound.pyx."""

from .position cimport Position

cdef int least_moves(const Position* position) noexcept nogil
