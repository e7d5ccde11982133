"""The search for shortest lines of one-pass Klondike; see astar.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .landmarks cimport OnePassKey, OnePassLayout, OnePassPosition
from .plain cimport PlainGame, PlainMove

cdef struct Inherited:      # what a node knows of the cores of its position
    uint32_t first          # in the list of the search
    uint8_t count
    uint8_t head            # of the move that led here, if it was an extra one; the core with it is in doubt
    uint8_t state           # a Cores

cdef enum Cores:
    IN_DOUBT = 0            # some may be lost, others may be new
    ONE_MORE = 1            # there is another one, which was not looked for
    COMPLETE = 2

cdef enum Judgement:
    NO_MEMORY = 0
    HOPELESS = 1            # no line leads on, or none that is shorter
    LATER = 2               # other nodes come first
    NOW = 3

cdef struct OnePassSearch:
    OnePassLayout layout
    OnePassKey start
    PlainGame game          # the same
    Nodes nodes
    Inherited* inherited    # of each node
    uint32_t inherited_room
    uint64_t* cores
    uint32_t core_count
    uint32_t core_room
    uint64_t max_bytes
    uint64_t judged         # positions whose cores were looked at
    int weight              # of the moves needed, beside those made, in the order of the queue
    int fewest              # moves of the best line known
    int lower_bound         # no line has less
    uint32_t last           # the node at its end, NO_NODE if it was not found here

cdef void free_onepass(OnePassSearch* search) noexcept nogil
cdef uint64_t onepass_bytes(const OnePassSearch* search) noexcept nogil
cdef bint open_onepass(
    OnePassSearch* search, const PlainGame* game, int goal, int fewest, int weight, uint64_t max_bytes
) noexcept nogil
cdef Progress advance_onepass(OnePassSearch* search, Kernel kernel, uint64_t most) noexcept nogil
cdef int write_onepass(const OnePassSearch* search, PlainMove* moves) noexcept nogil
cdef void find_position(const OnePassSearch* search, uint32_t number, OnePassPosition* p) noexcept nogil
cdef Judgement judge(OnePassSearch* search, uint32_t number, OnePassPosition* p) noexcept nogil


cdef inline bint is_full(const OnePassSearch* search) noexcept nogil:
    """Whether all places are to be filled."""
    return search.layout.is_full
