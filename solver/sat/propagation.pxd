"""Clause database, trail and heap of the SAT solver; see propagation.pyx."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

from ..core.invariant cimport invariant

# A literal is 2 v for the variable v, 2 v + 1 for its negation. A clause in the arena is
# |size|glue, 0 for one that was given|literals ..|; the first two are watched.
ctypedef int32_t Literal

cdef enum:
    HEADER = 2
    MOST_GLUE = 64

cdef enum: PAIR = 1 << 31   # the mark of a clause of two literals where it is watched

cdef struct Watch:
    uint32_t clause     # its place, with the mark PAIR if it has two literals
    Literal blocker     # another literal of the clause

cdef struct Watches:
    Watch* watch
    uint32_t count, room

cdef struct Literals:   # a growing array
    Literal* literal
    uint32_t count, room

cdef struct Proof:       # the clauses and what they follow from; see proof.pyx
    int32_t* note
    uint64_t written, note_room
    uint32_t clauses            # the number of the last one
    uint32_t* number_at         # by place in the arena: the number of the clause there
    uint64_t places
    uint32_t* unit              # by variable: the number of a clause that has but its literal
    uint8_t* mark
    int variables
    int units                   # of the trail: those before have their clauses
    uint32_t* hint
    uint32_t hint_room
    uint32_t refutation         # the number of the clause that the last core is from; 0: of none
    int kind                    # of clauses that are given

# Looks at the trail from `followed` on: the place of a clause, perhaps a new one, that is false, or 0.
ctypedef uint32_t (*Follow)(void* follower) noexcept nogil

cdef struct Sat:
    Follow follow               # shown what is assigned, if not NULL
    void* follower
    int followed                # literals of the trail that it has seen
    int variables, room
    uint32_t* arena
    uint64_t used, arena_room
    uint64_t learnt             # clauses
    uint64_t max_learnt
    Watches* watches            # by literal: of the clauses that it, made false, may make unit
    int8_t* value               # by literal: 1 true, -1 false, 0 open
    int32_t* level
    uint32_t* reason            # place of a clause, 0 for none
    Literal* trail
    int assigned, propagated
    int32_t* level_at           # where in the trail a level begins
    int levels
    int assumed                 # of these, the first ones, are those of assumptions
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
    double recent_glue          # of the clauses learnt lately,
    double mean_glue            # and for a long time
    uint64_t since_restart      # conflicts
    Literals clause             # the one being learnt
    Literals core
    Proof* proof                # NULL: nothing is noted
    uint64_t conflicts
    uint64_t work               # that no kernel has counted yet
    uint64_t bytes              # of all that is allocated
    uint64_t max_bytes
    bint refuted                # without any assumption
    bint full                   # memory did not allow something: no answer is to be had any more

cdef bint begin_sat(Sat* sat, uint64_t max_bytes) noexcept nogil
cdef void free_sat(Sat* sat) noexcept nogil
cdef bint widen(Sat* sat, void* array, uint64_t before, uint64_t after, uint64_t size) noexcept nogil
cdef bint double_room(Sat* sat, void* array, uint32_t* room, uint32_t least, uint64_t size) noexcept nogil
cdef bint push_literal(Sat* sat, Literals* list, Literal literal) noexcept nogil
cdef int add_variable(Sat* sat) noexcept nogil
cdef void add_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef void add_numbered(Sat* sat, const Literal* literals, int count, uint32_t number) noexcept nogil
cdef void add_core_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef void refute(Sat* sat, uint32_t conflict, uint32_t number) noexcept nogil
cdef uint32_t store(Sat* sat, const Literal* literals, int count, int glue) noexcept nogil
cdef void forget(Sat* sat) noexcept nogil
cdef void back_to(Sat* sat, int level) noexcept nogil
cdef uint32_t propagate(Sat* sat) noexcept nogil

cdef inline void watch(Sat* sat, Literal literal, uint32_t clause, Literal blocker) noexcept nogil:
    """Have a clause looked at when ``literal``, one of its first two, becomes false; ``clause`` is its place,
    with the mark PAIR if it has two literals, and ``blocker`` another one."""
    cdef Watches* list = &sat.watches[literal ^ 1]
    if list.count == list.room and not double_room(sat, &list.watch, &list.room, 8, sizeof(Watch)):
        return
    list.watch[list.count].clause = clause
    list.watch[list.count].blocker = blocker
    list.count += 1

cdef inline Literal* literals_of(const Sat* sat, uint32_t clause) noexcept nogil:
    """The literals of the clause at a place of the arena."""
    return <Literal*>sat.arena + clause + HEADER

cdef inline void assign(Sat* sat, Literal literal, uint32_t reason) noexcept nogil:
    """Make an open literal true, for the clause at the place ``reason``, or for none, 0."""
    invariant(sat.value[literal] == 0 and sat.assigned < sat.variables)
    sat.value[literal] = 1
    sat.value[literal ^ 1] = -1
    sat.level[literal >> 1] = sat.levels
    sat.reason[literal >> 1] = reason
    sat.trail[sat.assigned] = literal
    sat.assigned += 1

cdef inline void open_level(Sat* sat) noexcept nogil:
    """Begin a level; what is assigned from here on goes with it."""
    invariant(sat.levels < 2 * sat.room)
    sat.level_at[sat.levels] = sat.assigned
    sat.levels += 1

# --- The heap of open variables, the most active first ------------------------------------------------------

cdef inline void sift_up(Sat* sat, int place) noexcept nogil:
    """Let the variable at a place of the heap rise to where it belongs."""
    cdef int variable = sat.heap[place], above
    while place > 0:
        above = (place - 1) >> 1
        if sat.activity[sat.heap[above]] >= sat.activity[variable]:
            break
        sat.heap[place] = sat.heap[above]
        sat.heap_place[sat.heap[place]] = place
        place = above
    sat.heap[place] = variable
    sat.heap_place[variable] = place

cdef inline int take_first(Sat* sat) noexcept nogil:
    """The most active variable of the heap, which must hold one, taken out."""
    cdef int first = sat.heap[0], last, place = 0, below
    sat.heap_place[first] = -1
    sat.held -= 1
    if sat.held == 0:
        return first
    last = sat.heap[sat.held]
    while 2 * place + 1 < sat.held:
        below = 2 * place + 1
        if below + 1 < sat.held and sat.activity[sat.heap[below + 1]] > sat.activity[sat.heap[below]]:
            below += 1
        if sat.activity[last] >= sat.activity[sat.heap[below]]:
            break
        sat.heap[place] = sat.heap[below]
        sat.heap_place[sat.heap[place]] = place
        place = below
    sat.heap[place] = last
    sat.heap_place[last] = place
    return first

cdef inline void bump(Sat* sat, int variable) noexcept nogil:
    """Make a variable more active; all fade beside it once the number is too large."""
    cdef int i
    sat.activity[variable] += sat.increment
    if sat.activity[variable] > 1e100:
        for i in range(sat.variables):
            sat.activity[i] *= 1e-100
        sat.increment *= 1e-100
    if sat.heap_place[variable] >= 0:
        sift_up(sat, sat.heap_place[variable])
