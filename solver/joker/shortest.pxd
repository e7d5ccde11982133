"""The search for short lines of joker and klondike-one-pass; see shortest.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.explored cimport Explored
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes
from .plain cimport PlainGame, PlainMove

cdef struct Shortest:
    Explored states         # met, as records of the plain rules
    Nodes nodes             # with the numbers of their states
    PlainGame game          # the state that is expanded
    uint64_t max_bytes
    int goal                # the score to reach
    bint has_jokers
    int fewest              # moves of the best line known
    int lower_bound         # no line has less
    uint32_t last           # the node at its end, NO_NODE if it was not found here

cdef void free_shortest(Shortest* search) noexcept nogil
cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil
cdef bint find_shortest(
    Shortest* search, Kernel kernel, const PlainGame* start, int goal, int fewest, int weight, uint64_t most
) noexcept nogil
cdef int needed_from(const PlainGame* game, int goal, bint has_jokers) noexcept nogil
cdef bint has_jokers_in(const PlainGame* game) noexcept nogil
cdef int write_line(
    const Nodes* found, uint32_t last, const PlainGame* start, int goal, int most, PlainMove* moves
) noexcept nogil
