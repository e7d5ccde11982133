"""Search for shortest lines; see shortest.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.hash_set cimport Explored
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .astar cimport AstarSearch
from .beam cimport Beam
from .position cimport Position, PlainMove

cdef struct Shortest:
    Explored states         # generated states, as records of exact positions
    Nodes nodes             # a node has the number of its state as key
    Position game          # the state being expanded
    uint64_t max_bytes
    int goal                # the score to reach
    bint has_jokers
    int fewest              # moves of the best line known
    int lower_bound         # lower bound of the moves of all lines
    uint32_t last           # last node of the best line, NO_NODE if this search has not found it

cdef struct Improving:
    Position start
    int goal            # the score to reach
    int stage           # number of the running search, from 0 on
    bint is_full        # ``goal`` is all places
    bint has_jokers     # some joker may still be played
    bint is_open        # the A* search of this stage has begun
    bint failed         # a line found is illegal or too long
    int fewest          # moves of the best line known
    int lower_bound     # lower bound of the moves of all lines
    uint64_t max_bytes
    uint64_t last       # the A* search ends when the kernel has expanded this many states
    AstarSearch astar
    Shortest exact
    double pace         # work of the last beam per state of its width; 0 if there was none
    Beam beam

cdef int needed_from(const Position* game, int goal, bint has_jokers) noexcept nogil
cdef bint has_jokers_left(const Position* game) noexcept nogil
cdef void free_improving(Improving* improving) noexcept nogil
cdef uint64_t improving_bytes(const Improving* improving) noexcept nogil
cdef void open_improving(Improving* improving, const Position* start, int goal, int fewest,
                         uint64_t max_bytes) noexcept nogil
cdef Progress improve_once(Improving* improving, Kernel* kernel, PlainMove* moves) noexcept nogil
