"""A quick lower bound for single positions; see simon_circles.pyx."""

from .simon_board cimport Board

cdef int least_moves(const Board* board) noexcept nogil
