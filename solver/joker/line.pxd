"""Lines of play in elementary moves; see line.pyx."""

from libc.stdint cimport uint32_t

from .plain cimport Game, Step

cdef enum:
    LONGEST_PLAY = 4        # the moves of a macro beside its turns: two declarations and two plays

cdef int play_macro(Game* game, uint32_t code, Step* steps) noexcept nogil
cdef int shorten(const Game* start, Step* steps, int count) noexcept nogil
