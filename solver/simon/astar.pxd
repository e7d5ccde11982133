"""Shortest lines of one deck by A*; see astar.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .position cimport Position, Line, Step
from .classes cimport Layout

cdef enum:
    MOST_MOVES = 250    # of a line that can be found

cdef struct AStar:
    Position position               # that was reached by steps[:depth]
    Step steps[MOST_MOVES + 1]
    uint32_t path[MOST_MOVES + 1]   # its nodes
    int depth
    Nodes nodes                     # queued by the moves of any line through them, at least
    int lower_bound

cdef void begin_astar(AStar* search) noexcept nogil
cdef bint open_astar(AStar* search, const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef Progress run_astar(AStar* search, Kernel kernel, Line* line) noexcept nogil
cdef void free_astar(AStar* search) noexcept nogil
