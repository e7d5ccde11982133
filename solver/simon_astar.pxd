"""Shortest lines of one deck by A*; see simon_astar.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .kernel cimport Kernel
from .nodes cimport Nodes
from .simon_board cimport Board, Line, Step
from .simon_class cimport Layout

cdef enum Stage:
    IMPROVED = 0        # a shorter line, or a higher bound; there is more to do
    PROVED = 1          # no line is shorter
    ENDED = 2           # by the kernel's limits
    NO_ROOM = 3         # by memory, or by the length of lines

cdef enum:
    MOST_MOVES = 250    # of a line that can be found

cdef struct Search:
    Board board                     # the position that was reached by steps[:depth]
    Step steps[MOST_MOVES + 1]
    uint32_t path[MOST_MOVES + 1]   # its nodes
    int depth
    Nodes nodes                     # queued by the moves of any line through them, at least
    int lower_bound

cdef void begin_search(Search* search) noexcept nogil
cdef bint open_search(Search* search, const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef Stage run_search(Search* search, Kernel kernel, Line* line) noexcept nogil
cdef void free_search(Search* search) noexcept nogil
