"""Lines of play in elementary moves; see line.pyx."""

from libc.stdint cimport uint32_t

from .plain cimport PlainGame, PlainMove

cdef enum:
    LONGEST_PLAY = 4        # the moves of a macro beside its turns: two declarations and two plays

cdef int play_macro(PlainGame* game, uint32_t code, PlainMove* steps) noexcept nogil
cdef int shorten(const PlainGame* start, PlainMove* steps, int count) noexcept nogil
