"""Moves of the relaxed game with the cards that they need parked; see parking.pyx."""

from libc.stdint cimport uint64_t

from .state cimport Layout, Position

cdef enum:
    MOST_RUNS = 48          # of parked cards that make one of a type bare
    MOST_ADVANCES = 512     # of a position

cdef int advances_of(const Layout* layout, const Position* p, uint64_t* keys) noexcept nogil
