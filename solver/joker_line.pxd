"""Lines of play in elementary moves; see joker_line.pyx."""

from libc.stdint cimport uint32_t

from .joker_plain cimport Game, Step

cdef int play_macro(Game* game, uint32_t code, Step* steps) noexcept nogil
cdef int shorten(const Game* start, Step* steps, int count) noexcept nogil
