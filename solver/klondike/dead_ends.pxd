"""Dead-end detection by delete relaxation; see dead_ends.pyx."""

from .state cimport Layout, Position

cdef bint may_win(const Layout* layout, bint relaxed, const Position* p) noexcept nogil
