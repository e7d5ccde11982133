"""Search for shortest lines by beams and, with one deck, A*; see astar.pyx."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .beam cimport BeamSchedule
from .classes cimport Layout
from .landmarks cimport Pool, Runs
from .position cimport Line, MadeMove, Position

# --- A* -----------------------------------------------------------------------------------------------------

cdef enum:
    MOST_MOVES = 250    # greatest length of a line that A* can find
    NO_CARD = 255

cdef struct NodeCores:          # what A* stores of a node in addition to `Node`
    uint64_t extra_moves        # set of cards tried first as a hitting set; if complete, one that fits
    uint32_t first              # index in `cores` of the cores found at this node
    uint8_t count               # their number
    uint8_t extra_card          # the card that headed the move to this node if it did not go home, or NO_CARD
    uint8_t is_complete         # the bound of the node was proved not to exceed its priority

cdef struct AStar:
    Position position               # the present position, reached by steps[:depth]
    MadeMove steps[MOST_MOVES + 1]
    uint32_t path[MOST_MOVES + 1]   # the nodes on the way to it
    int depth
    Nodes nodes                     # queued by a lower bound on the length of lines through them
    NodeCores* known                # by number of the node
    uint64_t known_room
    uint64_t* cores                 # sets of cards
    uint64_t core_count, core_room, max_bytes
    uint32_t lower_bound            # on the length of any winning line
    Runs runs                       # the position being judged
    Pool pool                       # the cores of the node being judged or expanded

cdef bint open_astar(AStar* search, const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef Progress run_astar(AStar* search, Kernel* kernel, Line* line) noexcept nogil
cdef void free_astar(AStar* search) noexcept nogil

# --- Beams and A* ----------------------------------------------------------------------

# Called with ``listener`` when the line is shorter or the bound greater. Returns False to end the search.
ctypedef bint (*Listen)(void* listener) noexcept nogil

cdef struct Shortest:       # a search for a shortest line
    AStar search
    const Layout* layout
    Line* line
    int lower_bound         # on the length of any winning line
    BeamSchedule schedule
    Listen listen           # or NULL
    void* listener
    uint64_t called_at      # work done when the listener was called last
    uint64_t moves_reported     # line length and bound of that call
    int bound_reported

cdef void find_shortest(
    Shortest* shortest, Kernel* kernel, const Layout* layout, Line* line, uint64_t max_bytes) noexcept nogil
cdef bint is_proved(const Shortest* shortest) noexcept nogil
cdef uint64_t shortest_bytes(const Shortest* shortest) noexcept nogil
cdef int heads_of(const Layout* layout) noexcept nogil
cdef bint has_copies(const Layout* layout) noexcept nogil
