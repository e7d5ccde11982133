"""The search for a shortest line; see shortest.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .bound cimport Tableau
from .position cimport NONE, Position
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress

cdef struct Shortest:
    Nodes nodes
    Tableau tableau
    uint8_t started_on[13][NONE]    # for each base rank, in numbers that count from it
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # no line has fewer
    uint32_t won            # the node where that line ends, or NO_NODE if it was known before

cdef bint open_shortest(
    Shortest* search, const Position* p, uint32_t fewest, uint32_t weight, uint64_t max_bytes
) noexcept nogil
cdef void free_shortest(Shortest* search) noexcept nogil
cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil
cdef uint32_t next_number(const Shortest* search, uint32_t number) noexcept nogil
cdef void read_move(
    const Shortest* search, const Position* p, uint32_t number, int* source, int* target
) noexcept nogil
