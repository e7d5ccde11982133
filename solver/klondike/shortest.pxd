"""Shortest lines of Klondike with redeals by beams and A*; see shortest.pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from ..core.hash_set cimport Table
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .landmarks cimport Landmarks, Pool, Recent
from .line cimport Line
from .position cimport ExactLayout, Position
from .steps cimport Steps

# --- Beams --------------------------------------------------------------------------------------------

cdef enum:
    LAYERS = 64             # layers kept at a time; a step has fewer moves

cdef struct Candidate:      # a position of a layer that may be kept
    uint64_t low, high
    uint32_t parent, code
    uint32_t note           # index of its landmarks in the pool
    uint32_t next           # next candidate of the same score, or NO_NODE
    uint16_t score
    uint8_t needed          # lower bound of the moves needed

cdef struct Layer:
    Candidate* candidates
    uint64_t count, capacity

cdef struct Beam:
    Nodes nodes             # positions kept, and the end of the line
    Layer layers[LAYERS]    # by the number of moves made, modulo LAYERS
    Table seen              # keys of the candidates of a layer
    Pool pool               # landmarks of candidates, if the beam is guided
    ExactLayout* start
    Position* table
    Steps* steps
    Recent* recent          # landmarks to try first
    const Nodes* frontier   # nodes of A*, with whose queue the beam begins, or NULL
    uint32_t width, fewest
    bint is_guided          # candidates are chosen by landmarks
    bint is_complete        # no candidate was left out
    uint32_t won            # last node of the line found, or NO_NODE

# --- A* -----------------------------------------------------------------------------------------------

cdef struct Star:           # an A* search
    Nodes nodes
    Pool pool               # landmarks of nodes
    uint64_t max_bytes
    uint32_t weight         # factor of the bound in the priority
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
    Position table     # the position unpacked last
    int left, stock, columns    # the three parts of its bound
    Landmarks landmarks
    Recent recent           # landmarks to try first
    Steps steps             # steps from ``table``
    Beam beam
    Star weighted, proof
    Turn turn
    int ending              # number of the next beam for an end of the line, from 1
    uint32_t turns          # turns of guided beams and weighted A* taken on a hard deal
    uint64_t end_of_turn    # work left of this turn of A*
    uint64_t search_work    # work done by beams and weighted A*
    uint64_t proof_work     # work done by A* without a weight
    uint32_t width          # width of the next beam
    uint32_t guided_width   # width of the next guided beam
    bint is_hard            # no beam has found a line, and the line known is not near the bound
    uint64_t max_bytes
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # lower bound of the moves of all lines
    Nodes* found_in         # nodes of the line found last
    uint32_t won            # last node of that line
    int kept                # number of moves of the line before that precede these nodes
    Stop way[MOST_WAY]      # positions of the best line, by the moves made
    int way_count

cdef void free_shortest(Shortest* search) noexcept nogil
cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil
cdef void begin_shortest(Shortest* search, const Position* desk, int goal, const Line* line,
                         uint64_t max_bytes) noexcept nogil
cdef Progress improve_shortest(Shortest* search, Kernel* kernel) noexcept nogil
cdef void write_shortest(Shortest* search, Line* line, const Position* desk) noexcept nogil
cdef int bound_of(const Position* desk, int goal) noexcept nogil
