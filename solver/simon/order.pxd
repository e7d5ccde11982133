"""What happens before what in a line; see order.pyx."""

from libc.stdint cimport int16_t

from ..sat.instance cimport Literal
from .bound cimport Bound
from .capacity cimport MAX_CARDS

cdef enum:
    EVENTS = 2 * MAX_CARDS
    MOST_EDGES = 2048
    MOST_GUARDS = 4
    NO_EDGE = -1

cdef struct Edge:               # one event is before another if all guards are true
    int16_t before
    int16_t after
    int16_t guards
    int16_t next                # another edge from the same event, or NO_EDGE
    Literal guard[MOST_GUARDS]

cdef struct Order:              # the edges whose guards are true in the values found
    int count
    Edge edge[MOST_EDGES]
    int first[EVENTS]           # by event: an edge from it
    int waits_for[EVENTS]       # how many edges to it are not from events that could happen
    bint stuck[EVENTS]
    bint covered[EVENTS]        # is in a cycle found, or in none

cdef int add_cycles(Bound* bound) noexcept nogil
cdef Edge* new_edge(Order* order, int before, int after) noexcept nogil
cdef void guard(Edge* edge, Literal literal) noexcept nogil


cdef inline int first_of_card(int place) noexcept nogil:
    """The event that a card moves for the first time, or that a king leaves its place."""
    return 2 * place

cdef inline int last_of_card(int place) noexcept nogil:
    """The event that a card moves for the last time, or that a king leaves the game."""
    return 2 * place + 1
