"""Dead-end detection by delete relaxation; see dead_ends.pyx."""

from libc.stdint cimport uint64_t

from .state cimport Layout, Position

cdef uint64_t cards_up(const Layout* layout, bint relaxed, const Position* p) noexcept nogil


cdef inline bint may_win(const Layout* layout, bint relaxed, const Position* p) noexcept nogil:
    """Test whether all cards go up in the delete relaxation. If not, the position is lost (Theorem K5)."""
    return cards_up(layout, relaxed, p) == layout.all
