"""Shortest lines: beam, lower bound and A* in turns; see shortest.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from .astar cimport AStar
from .beam cimport Tries
from .position cimport Line
from .bound cimport Bound
from .classes cimport Layout


cdef class Shortest:
    cdef AStar search
    cdef Bound* bound
    cdef const Layout* layout
    cdef Line* line
    cdef readonly int lower_bound       # no line that wins is shorter
    cdef Tries tries
    cdef object listener                # called as listener(moves, lower bound), or None
    cdef object error                   # what it raised
    cdef bint listens
    cdef double called_at                    # when it was called
    cdef double deadline                # negative: none
    cdef uint64_t moves_reported
    cdef int bound_reported

    cdef void find(
        self, Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes
    ) noexcept nogil
    cdef bint is_proved(self) noexcept nogil
    cdef uint64_t bytes_held(self) noexcept nogil
    cdef bint goes_on(self, Kernel kernel) noexcept nogil
    cdef void allow(self, Kernel kernel, double seconds) noexcept nogil
    cdef double rest(self) noexcept nogil
    cdef bint raise_for(self, Kernel kernel, double seconds) noexcept nogil
    cdef void shorten_for(self, Kernel kernel, double seconds, uint64_t max_bytes) noexcept nogil
    cdef void alternate(self, Kernel kernel, uint64_t max_bytes) noexcept nogil
    cdef void prove(self, Kernel kernel, uint64_t max_bytes) noexcept nogil
    cdef void report(self, Kernel kernel, bint at_once) noexcept nogil

cdef list moves_of(const Line* line)
cdef bint has_copies(const Layout* layout) noexcept nogil
