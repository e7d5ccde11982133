"""Shortest lines of one deck by A*; see astar.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .classes cimport Layout
from .cores cimport Runs
from .hitting cimport Pool
from .position cimport Position, Line, MadeMove

cdef enum:
    MOST_MOVES = 250    # of a line that can be found
    NO_CARD = 255

cdef struct Known:              # of a node, beside what `Node` has
    uint64_t wasteful           # a least set that meets all cores there are, once it is complete
    uint32_t first              # of the cores that were found at it, not before
    uint8_t count
    uint8_t wasted              # the card that the move to it wastes, or KINDS
    uint8_t is_complete            # no more moves are needed as far as cores tell

cdef struct AStar:
    Position position               # that was reached by steps[:depth]
    MadeMove steps[MOST_MOVES + 1]
    uint32_t path[MOST_MOVES + 1]   # its nodes
    int depth
    Nodes nodes                     # queued by the moves of any line through them, at least
    Known* known                    # by number
    uint64_t known_room
    uint64_t* cores
    uint64_t core_count
    uint64_t core_room
    uint64_t max_bytes
    int lower_bound
    Runs runs                       # of the position being judged
    Pool pool                       # the cores of the node being judged or expanded

cdef bint open_astar(AStar* search, const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef Progress run_astar(AStar* search, Kernel kernel, Line* line) noexcept nogil
cdef void free_astar(AStar* search) noexcept nogil
cdef uint64_t astar_bytes(const AStar* search) noexcept nogil
