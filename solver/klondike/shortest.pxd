"""Lines of fewest moves by weighted A*; see shortest.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .beam cimport Beam
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
    bint is_of_beam         # that node
    Beam beam
    uint32_t width          # of the next beam
    bint is_open            # A*
    uint64_t max_bytes
    uint64_t beam_work      # so far
    uint64_t star_work
    Pool pool               # landmarks of expanded nodes
    Landmarks landmarks     # of the table
    uint64_t evaluated
    uint64_t games

cdef void free_shortest(Shortest* search) noexcept nogil
cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil
cdef void begin_shortest(Shortest* search, const Desk* desk, uint32_t fewest, uint64_t max_bytes) noexcept nogil
cdef Progress improve_shortest(Shortest* search, Kernel kernel) noexcept nogil
cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil
cdef int bound_of(const Desk* desk) noexcept nogil
