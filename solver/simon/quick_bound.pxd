"""A quick lower bound for single positions; see quick_bound.pyx."""

from .position cimport Board

cdef int least_moves(const Board* board) noexcept nogil
