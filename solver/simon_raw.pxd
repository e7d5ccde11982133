"""Complete search through single positions; see simon_raw.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .kernel cimport Kernel
from .simon_board cimport Board, Line
from .simon_class cimport MAX_COLUMNS, MAX_RANKS, Layout

cdef enum:
    MAX_MOVES = MAX_COLUMNS * (MAX_COLUMNS + MAX_RANKS)     # of a position

cdef enum Outcome:
    LOST = 0        # searched through
    WON = 1
    OPEN = 2        # ended by its own number of nodes, or by the kernel's limits
    FULL = 3        # ended by memory

cdef Outcome search_positions(
    Kernel kernel, const Layout* layout, uint64_t nodes, uint64_t max_bytes, Line* line
) noexcept nogil
cdef int generate(const Board* board, uint32_t* moves) noexcept nogil
