"""Lines of fewest moves by weighted A*; see shortest.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .exact cimport ExactLayout, ExactPosition, Step, Steps
from .landmarks cimport Landmarks, Pool
from .line cimport Desk, Line

cdef struct Shortest:
    Nodes nodes
    ExactLayout start
    ExactPosition table
    Steps steps             # from it
    uint64_t low            # the key of the start
    uint64_t high
    int left                # of the table: the parts of the bound
    int stock
    int columns
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # no line has fewer
    uint32_t won            # the node where that line ends, or NO_NODE if it was known before
    Pool pool               # landmarks of expanded nodes
    Landmarks landmarks     # of the table
    uint64_t evaluated
    uint64_t games
    uint64_t most           # states that are expanded, at most

cdef void free_shortest(Shortest* search) noexcept nogil
cdef bint open_shortest(
    Shortest* search, const Desk* desk, uint32_t fewest, uint32_t weight, uint64_t most, uint64_t max_bytes
) noexcept nogil
cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil
cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil
cdef int bound_of(const Desk* desk) noexcept nogil
