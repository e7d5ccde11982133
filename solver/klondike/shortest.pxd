"""Lines of fewest moves by beams and A*; see shortest.pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from ..core.hash_set cimport Table
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .exact cimport ExactLayout, ExactPosition, Steps
from .landmarks cimport Landmarks, Pool, Recent
from .line cimport Desk, Line

# --- Beams --------------------------------------------------------------------------------------------

cdef enum:
    LAYERS = 64             # kept at a time; a step is of fewer moves

cdef struct Candidate:      # a position of a layer that may be kept
    uint64_t low, high
    uint32_t parent, code
    uint32_t note           # of its landmarks, the place in the pool
    uint32_t next           # of the same score, or NO_NODE
    uint16_t score
    uint8_t needed

cdef struct Layer:
    Candidate* candidates
    uint64_t count, capacity

cdef struct Beam:
    Nodes nodes             # positions kept, and the end of the line
    Layer layers[LAYERS]    # by the moves made
    Table seen              # the candidates of a layer
    Pool pool               # landmarks of these, if they guide the beam
    ExactLayout* start
    ExactPosition* table
    Steps* steps
    Recent* recent          # landmarks
    const Nodes* frontier   # of A*, from whose queue it begins, or NULL
    uint32_t width, fewest
    bint is_guided          # by landmarks
    bint is_complete        # no candidate was left out
    uint32_t won            # the node where the line found ends, or NO_NODE

# --- A* -----------------------------------------------------------------------------------------------

cdef struct Star:           # a search by A*
    Nodes nodes
    Pool pool               # landmarks of nodes
    uint64_t max_bytes
    uint32_t weight         # of the bound
    bint is_open

cdef enum Turn:
    BEAM_TURN, WEIGHTED_TURN, ENDING_TURN, PROOF_TURN

cdef enum:
    MOST_WAY = 512

cdef struct Stop:           # a position of a line
    uint64_t low, high

cdef struct Shortest:
    ExactLayout start
    uint64_t low, high      # the key of the start
    ExactPosition table
    int left, stock, columns    # of the table: the parts of the bound
    Landmarks landmarks
    Recent recent           # landmarks
    Steps steps             # from it
    Beam beam
    Star weighted, proof
    Turn turn
    int ending              # of the line, that is searched for next
    uint32_t turns          # of a hard deal: guided beams and weighted A* before this one
    uint64_t end_of_turn    # in work
    uint64_t search_work    # of beams and weighted A*
    uint64_t proof_work
    uint32_t width          # of the next beam,
    uint32_t guided_width   # and of the next guided one
    bint is_hard            # no beam found a line, and none is near the bound
    uint64_t max_bytes
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # no line has fewer
    Nodes* found_in         # the nodes of that line,
    uint32_t won            # and where it ends,
    int kept                # after so many moves of the line before
    Stop way[MOST_WAY]      # of the line, by the moves before
    int way_count

cdef void free_shortest(Shortest* search) noexcept nogil
cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil
cdef void begin_shortest(Shortest* search, const Desk* desk, int goal, const Line* line,
                         uint64_t max_bytes) noexcept nogil
cdef Progress improve_shortest(Shortest* search, Kernel kernel) noexcept nogil
cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil
cdef int bound_of(const Desk* desk, int goal) noexcept nogil
