"""Shortest lines: beam, lower bound and A* in turns; see simon_shortest.pyx."""

from libc.stdint cimport uint64_t

from .kernel cimport Kernel
from .simon_astar cimport Search
from .simon_board cimport Line
from .simon_bound cimport Bound
from .simon_class cimport Layout


cdef class Shortest:
    cdef Search search
    cdef Bound* bound
    cdef const Layout* layout
    cdef Line* line
    cdef readonly int lower_bound       # no line that wins is shorter
    cdef object listener                # called as listener(moves, lower bound), or None
    cdef object error                   # what it raised
    cdef bint listens
    cdef double told                    # when it was called
    cdef double deadline                # negative: none
    cdef uint64_t best_told
    cdef int bound_told

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
    cdef void tell(self, Kernel kernel, bint at_once) noexcept nogil

cdef list moves_of(const Line* line)
cdef bint has_twins(const Layout* layout) noexcept nogil
