"""Lines of Joker: macros as elementary moves, and shorter lines; see line.pyx."""

from libc.stdint cimport uint32_t

from .position cimport Position, PlainMove

cdef enum:
    LONGEST_PLAY = 4        # most moves of a macro besides turns: two declarations, a lateral move, a play

cdef int play_macro(Position* game, uint32_t code, PlainMove* steps) noexcept nogil
cdef int shorten(const Position* start, PlainMove* steps, int count) noexcept nogil
