"""A* for shortest lines of one-pass Klondike; see astar.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .landmarks cimport ExactKey, ExactLayout, ExactPosition, Pool
from .position cimport Position, PlainMove

cdef struct Inherited:      # landmarks of a node
    uint32_t first          # index of the first one in ``landmarks`` of the search
    uint8_t count
    uint8_t head            # head of the extra move to here, its landmark to be rechecked; or NATURALS
    uint8_t state           # a LandmarkStatus

cdef enum LandmarkStatus:
    IN_DOUBT = 0            # landmarks of the parent, not rechecked
    ONE_MORE = 1            # another landmark exists, but was not computed
    COMPLETE = 2

cdef enum Judgement:
    NO_MEMORY = 0
    HOPELESS = 1            # no line to the goal
    LATER = 2               # its priority has risen: other nodes come first
    NOW = 3                 # to be expanded

cdef struct AstarSearch:
    ExactLayout layout
    ExactKey start
    Position game          # the start as an exact position
    Nodes nodes
    Inherited* inherited    # landmarks of each node
    uint64_t inherited_room  # capacity of ``inherited``
    Pool landmarks
    uint64_t max_bytes
    uint64_t judged         # positions whose bound was computed
    int weight              # factor of the moves needed in the priority
    int fewest              # moves of the best line known
    int lower_bound         # lower bound of the moves of all lines
    uint32_t last           # last node of the best line, NO_NODE if this search has not found it

cdef void free_astar(AstarSearch* search) noexcept nogil
cdef uint64_t astar_bytes(const AstarSearch* search) noexcept nogil
cdef bint open_astar(AstarSearch* search, const Position* game, int goal, int fewest, int weight,
                     uint64_t max_bytes) noexcept nogil
cdef Progress advance_astar(AstarSearch* search, Kernel* kernel, uint64_t most) noexcept nogil
cdef int write_astar(const AstarSearch* search, PlainMove* moves) noexcept nogil
cdef void find_position(const AstarSearch* search, uint32_t number, ExactPosition* p) noexcept nogil
cdef Judgement judge(AstarSearch* search, uint32_t number, ExactPosition* p) noexcept nogil

cdef inline bint is_full(const AstarSearch* search) noexcept nogil:
    """Test whether the goal is to fill all foundation places."""
    return search.layout.is_full
