"""Search for shortest lines; see shortest.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.hash_set cimport Explored
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .astar cimport AstarSearch
from .beam cimport Beam
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

cdef struct Improving:
    PlainGame start
    int goal            # the score to reach
    int stage           # the search that runs, from 0 on
    bint is_full        # which is all places
    bint has_jokers     # some are left in the game
    bint is_open        # it was begun
    bint failed         # a line that was found is illegal
    int fewest          # moves of the best line known
    int lower_bound     # no line has less
    uint64_t max_bytes
    uint64_t last       # expanded states of the kernel that end it
    AstarSearch astar
    Shortest plain
    double pace         # work of the last beam for each state of its width; 0 if there was none
    Beam beam

cdef void free_improving(Improving* improving) noexcept nogil
cdef uint64_t improving_bytes(const Improving* improving) noexcept nogil
cdef void open_improving(Improving* improving, const PlainGame* start, int goal, int fewest,
                         uint64_t max_bytes) noexcept nogil
cdef Progress improve_once(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil
