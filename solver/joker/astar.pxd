"""The search for shortest lines of one-pass Klondike; see astar.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .landmarks cimport ExactKey, ExactLayout, ExactPosition, Pool
from .plain cimport PlainGame, PlainMove

cdef struct Inherited:      # the landmarks that a node has from its parent
    uint32_t first          # in the list of the search
    uint8_t count
    uint8_t head            # of the move that led here, if it was an extra one: its landmark is in doubt
    uint8_t state           # a LandmarkStatus

cdef enum LandmarkStatus:
    IN_DOUBT = 0            # some may be lost, others may be new
    ONE_MORE = 1            # there is another one, which was not looked for
    COMPLETE = 2

cdef enum Judgement:
    NO_MEMORY = 0
    HOPELESS = 1            # no line leads on, or none that is shorter
    LATER = 2               # other nodes come first
    NOW = 3

cdef struct AstarSearch:
    ExactLayout layout
    ExactKey start
    PlainGame game          # the same
    Nodes nodes
    Inherited* inherited    # of each node
    uint64_t inherited_room
    Pool landmarks
    uint64_t max_bytes
    uint64_t judged         # positions whose landmarks were looked at
    int weight              # of the moves needed, beside those made, in the order of the queue
    int fewest              # moves of the best line known
    int lower_bound         # no line has less
    uint32_t last           # the node at its end, NO_NODE if it was not found here

cdef void free_astar(AstarSearch* search) noexcept nogil
cdef uint64_t astar_bytes(const AstarSearch* search) noexcept nogil
cdef bint open_astar(AstarSearch* search, const PlainGame* game, int goal, int fewest, int weight,
                     uint64_t max_bytes) noexcept nogil
cdef Progress advance_astar(AstarSearch* search, Kernel kernel, uint64_t most) noexcept nogil
cdef int write_astar(const AstarSearch* search, PlainMove* moves) noexcept nogil
cdef void find_position(const AstarSearch* search, uint32_t number, ExactPosition* p) noexcept nogil
cdef Judgement judge(AstarSearch* search, uint32_t number, ExactPosition* p) noexcept nogil

cdef inline bint is_full(const AstarSearch* search) noexcept nogil:
    """Test whether all places are to be filled."""
    return search.layout.is_full
