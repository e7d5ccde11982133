# cython: language_level=3
"""Lower bounds on the number of moves; see simon_bound.pyx."""

from .simon_board cimport Board

cdef int least_moves(const Board* board) noexcept nogil
