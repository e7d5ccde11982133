"""Satisfiability of clauses under assumptions; see sat.pyx."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

from .kernel cimport Kernel

# A literal is 2 v for the variable v, 2 v + 1 for its negation. A clause in the arena is
# |size|glue, 0 for one that was given|literals ..|; the first two are watched.
ctypedef int32_t Literal

cdef enum Answer:
    SATISFIED = 0       # `model` holds the values
    REFUTED = 1         # `core` holds assumptions that cannot all be true
    UNKNOWN = 2         # ended by the number of conflicts, by memory, or by the kernel's limits

cdef struct Watch:
    uint32_t clause
    Literal blocker     # another literal of the clause

cdef struct Watches:
    Watch* watch
    uint32_t count
    uint32_t room

cdef struct Literals:   # a growing array
    Literal* literal
    uint32_t count
    uint32_t room

cdef struct Sat:
    int variables
    int room
    uint32_t* arena
    uint64_t used
    uint64_t arena_room
    uint64_t learnt             # clauses
    uint64_t max_learnt
    Watches* watches            # by literal: of the clauses that it, made false, may make unit
    int8_t* value               # by literal: 1 true, -1 false, 0 open
    int32_t* level
    uint32_t* reason            # place of a clause, 0 for none
    Literal* trail
    int assigned
    int propagated
    int32_t* level_at           # where in the trail a level begins
    int levels
    double* activity
    double increment
    int32_t* heap               # open variables, the most active first
    int32_t* heap_place         # -1: not there
    int held
    uint8_t* phase
    uint8_t* seen
    uint8_t* model              # by variable
    uint32_t* stamp             # levels met, for the glue
    uint32_t stamped
    Literals clause             # the one being learnt
    Literals core
    uint64_t conflicts
    uint64_t bytes              # of all that is allocated
    uint64_t max_bytes
    bint refuted                # without any assumption
    bint full                   # memory did not allow something: no answer is to be had any more

cdef bint begin_sat(Sat* sat, uint64_t max_bytes) noexcept nogil
cdef void free_sat(Sat* sat) noexcept nogil
cdef int add_variable(Sat* sat) noexcept nogil
cdef void add_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef Answer solve_sat(
    Sat* sat, Kernel kernel, const Literal* assumptions, int count, uint64_t conflicts
) noexcept nogil
cdef bint push_literal(Sat* sat, Literals* list, Literal literal) noexcept nogil
cdef void* resized(Sat* sat, void* block, uint64_t before, uint64_t after, uint64_t size) noexcept nogil
