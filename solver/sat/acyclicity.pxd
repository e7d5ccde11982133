"""Acyclicity propagator; see acyclicity.pyx."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from .propagation cimport Literal, Sat

cdef enum:
    MOST_EVENTS = 256
    WORDS = 4           # of a set of events
    MOST_GUARDS = 5
    NO_EDGE = -1

# Called whenever an awaited literal is assigned, before the edges that it guards are looked at.
ctypedef void (*Met)(void* owner, Literal literal) noexcept nogil

cdef struct Edge:               # one event is before another if all guards are true
    int16_t before, after, guards
    Literal guard[MOST_GUARDS]
    int32_t next_of[MOST_GUARDS]    # another edge with that guard, as MOST_GUARDS * edge + which, or NO_EDGE
    int32_t next_between        # another edge whose events have the same place there, or NO_EDGE
    int32_t next_out            # another edge in the graph from the same event, or NO_EDGE

cdef struct Shown:              # a literal that was looked at
    Literal literal
    int at                      # of the trail
    int linked                  # edges in the graph before,
    int changes                 # before

cdef struct Events:
    uint64_t word[WORDS]

cdef struct Change:             # of what is reached from an event
    Events reached              # before
    int event

cdef struct Acyclicity:
    Sat* sat
    void* owner
    Met met
    int kind                    # of the clauses, if they are noted
    Edge* edge
    int edges, edge_room
    int32_t* guarded            # by literal: an edge that it guards, as in `next_of`, or NO_EDGE
    uint8_t* is_shown           # by literal
    uint8_t* is_awaited
    int literals                # that there is room for
    Shown* shown
    int shown_count
    int32_t* linked             # the edges in the graph, as they came
    int linked_count
    int first_out[MOST_EVENTS]
    int32_t* between            # an edge by the place of its two events, or NO_EDGE
    uint32_t places             # of these, a power of two
    Events before_of[MOST_EVENTS]   # by event: those with an edge to it, in the graph or not
    Events reached[MOST_EVENTS]     # from each event, in the graph
    int events                  # that edges have
    Change* change              # to be taken back
    int changes, change_room
    int by[MOST_EVENTS]         # the edge that an event was met by on the way to another

cdef void begin_acyclicity(Acyclicity* order, Sat* sat, int kind, Met met, void* owner) noexcept nogil
cdef void free_acyclicity(Acyclicity* order) noexcept nogil
cdef int add_edge(Acyclicity* order, int before, int after, const Literal* guards, int count) noexcept nogil
cdef void await_literal(Acyclicity* order, Literal literal) noexcept nogil
cdef bint is_shown(const Acyclicity* order, Literal literal) noexcept nogil
