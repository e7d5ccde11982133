"""The relaxed game of one-pass Klondike and its cores; see cores.pyx."""

from libc.stdint cimport uint64_t

from .onepass cimport Layout, Position

cdef enum:
    NEVER = 255         # no number of turns

cdef bint relaxed_wins(
    const Layout* layout, const Position* p, uint64_t free, uint64_t* touched
) noexcept nogil
cdef uint64_t core_among(const Layout* layout, const Position* p, uint64_t cards) noexcept nogil
cdef int least_turns(const Layout* layout, const Position* p) noexcept nogil
