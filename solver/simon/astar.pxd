"""Shortest lines by beams and, of one deck, A*; see astar.pyx."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .beam cimport Tries
from .classes cimport Layout
from .landmarks cimport Pool, Runs
from .position cimport Line, MadeMove, Position

# --- A* -----------------------------------------------------------------------------------------------------

cdef enum:
    MOST_MOVES = 250    # of a line that can be found
    NO_CARD = 255

cdef struct Known:              # of a node, beside what `Node` has
    uint64_t extra_moves           # a least set that meets all cores there are, once it is complete
    uint32_t first              # of the cores that were found at it, not before
    uint8_t count
    uint8_t extra_card              # the card that the move to it is an extra move of, or KINDS
    uint8_t is_complete            # by the cores known no more moves are needed

cdef struct AStar:
    Position position               # that was reached by steps[:depth]
    MadeMove steps[MOST_MOVES + 1]
    uint32_t path[MOST_MOVES + 1]   # its nodes
    int depth
    Nodes nodes                     # queued by the moves of any line through them, at least
    Known* known                    # by number
    uint64_t known_room
    uint64_t* cores
    uint64_t core_count, core_room, max_bytes
    uint32_t lower_bound
    Runs runs                       # of the position being judged
    Pool pool                       # the cores of the node being judged or expanded

cdef bint open_astar(AStar* search, const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef Progress run_astar(AStar* search, Kernel kernel, Line* line) noexcept nogil
cdef void free_astar(AStar* search) noexcept nogil

# --- Beams and A* ----------------------------------------------------------------------

cdef class Shortest:
    cdef AStar search
    cdef const Layout* layout
    cdef Line* line
    cdef readonly int lower_bound       # no line that wins is shorter
    cdef Tries tries
    cdef object listener                # called as listener(moves, lower bound), or None
    cdef object error                   # what it raised
    cdef bint listens
    cdef uint64_t called_at             # the work done when it was called
    cdef uint64_t moves_reported
    cdef int bound_reported

    cdef void find(self, Kernel kernel, const Layout* layout, Line* line, uint64_t max_bytes) noexcept nogil
    cdef bint is_proved(self) noexcept nogil
    cdef uint64_t bytes_held(self) noexcept nogil
    cdef bint goes_on(self, Kernel kernel) noexcept nogil
    cdef void shorten_for(self, Kernel kernel, uint64_t work, uint64_t max_bytes) noexcept nogil
    cdef void shorten_on(self, Kernel kernel, uint64_t max_bytes) noexcept nogil
    cdef void prove(self, Kernel kernel, uint64_t max_bytes) noexcept nogil
    cdef void report(self, Kernel kernel, bint at_once) noexcept nogil

cdef list moves_of(const Line* line)
cdef int heads_of(const Layout* layout) noexcept nogil
cdef bint has_copies(const Layout* layout) noexcept nogil
