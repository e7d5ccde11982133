"""What can follow a position in a line of few moves; see steps.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .line cimport Desk, Line
from .table cimport Start, Table

cdef enum:
    MOST_STEPS = 256

ctypedef struct Step:       # a move, or some that are made together, and what it leads to
    uint64_t low
    uint64_t high
    int moves               # from the start on
    int left                # the parts of the bound
    int stock
    int columns
    uint32_t code           # of the move, for `make_step`

cdef struct Steps:
    const Start* start
    const Table* table
    int count
    Step step[MOST_STEPS]

cdef void find_steps(Steps* steps, const Start* start, const Table* table, const Step* here) noexcept nogil
cdef void make_step(Line* line, Desk* desk, uint32_t code) noexcept nogil
