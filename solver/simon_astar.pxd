"""Shortest lines of one deck by A*; see simon_astar.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from .kernel cimport Kernel
from .simon_board cimport Board, Line, Step
from .simon_class cimport Layout

cdef enum Stage:
    IMPROVED = 0        # a shorter line, or a higher bound; there is more to do
    PROVED = 1          # no line is shorter
    ENDED = 2           # by the kernel's limits
    NO_ROOM = 3         # by memory, or by the length of lines

cdef enum:
    MOST_MOVES = 250    # of a line that can be found

cdef struct Node:       # a position, 32 bytes
    uint64_t low        # its key
    uint64_t high
    uint32_t parent
    uint16_t move       # |11 count 8|7 target 4|3 source 0|
    uint8_t depth
    uint8_t least       # moves of any line through it, at least
    uint8_t is_done     # expanded, or replaced by a node of lower depth

cdef struct Stack:
    uint32_t* node
    uint32_t count
    uint32_t room

cdef struct Search:
    Board board                     # the position that was reached by steps[:depth]
    Step steps[MOST_MOVES + 1]
    uint32_t path[MOST_MOVES + 1]   # its nodes
    int depth
    Node* nodes
    uint32_t count
    uint32_t room
    uint32_t* slots                 # numbers of nodes plus one
    uint64_t mask
    Stack open[MOST_MOVES + 1]      # nodes by `least`
    int lower_bound
    uint64_t bytes
    uint64_t max_bytes

cdef void begin_search(Search* search) noexcept nogil
cdef bint open_search(Search* search, const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef Stage run_search(Search* search, Kernel kernel, Line* line) noexcept nogil
cdef void free_search(Search* search) noexcept nogil
