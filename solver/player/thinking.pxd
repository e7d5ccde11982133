"""What the kernels of all players are; see thinking.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from .moves cimport Choice
from .search cimport Search

cdef class ThinkingKernel(Kernel):
    cdef Search search
    cdef readonly str kind
    cdef bint thinks            # or the rule player
    cdef uint64_t seed          # of the player's chance
    cdef uint64_t think_time    # microseconds of a decision; 0 for no limit
    cdef int look_every         # samples, at the clock and whether more would change anything
    cdef int tiers              # that the game has

    cdef bint begin_game(self) noexcept nogil
    cdef bint think(self, bint is_brief) noexcept nogil
    cdef bint is_time_up(self, uint64_t spent, uint64_t first, bint is_brief) noexcept nogil
    cdef bint make_ready(self) noexcept nogil
    cdef void draw_sample(self) noexcept nogil
    cdef list moves_of(self, const Choice* choice)
