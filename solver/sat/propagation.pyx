"""Clause database, trail and unit propagation with two watched literals a clause.

Clauses lie one after the other in an arena; `forget` drops half of the learnt ones, by glue. All memory of a
solver is allocated here, counted and kept below a limit.
"""

# optimised: searches spend their time here

from libc.stdlib cimport free
from libc.string cimport memcpy, memmove, memset

from ..core.bits cimport prefetch_at
from ..core.memory cimport resize
from ..core.work cimport SAT_LITERAL, SAT_WATCH
from .proof cimport (free_proof, name_clause, name_unit, note_given, note_refutation, note_shortened,
                     note_units)

cdef enum:
    BLOCK = 24                  # bytes that an allocation costs beside what it holds
    FIRST_ARENA = 1 << 16


cdef bint begin_sat(Sat* sat, uint64_t max_bytes) noexcept nogil:
    """Begin without variables and clauses; false if memory does not allow it."""
    memset(sat, 0, sizeof(Sat))
    sat.max_bytes = max_bytes
    sat.max_learnt = 20000      # more of them are forgotten
    sat.increment = 1.0
    sat.used = 1                # 0 means no clause
    return widen_variables(sat, 256) and widen_arena(sat)


cdef void free_sat(Sat* sat) noexcept nogil:
    cdef int literal
    for literal in range(2 * sat.room):
        free(sat.watches[literal].watch)
    free(sat.arena)
    free(sat.watches)
    free(sat.value)
    free(sat.level)
    free(sat.reason)
    free(sat.trail)
    free(sat.level_at)
    free(sat.activity)
    free(sat.heap)
    free(sat.heap_place)
    free(sat.phase)
    free(sat.seen)
    free(sat.model)
    free(sat.stamp)
    free(sat.clause.literal)
    free(sat.core.literal)
    free_proof(sat)
    memset(sat, 0, sizeof(Sat))


cdef bint widen(Sat* sat, void* array, uint64_t before, uint64_t after, uint64_t size) noexcept nogil:
    """Have room for ``after`` things of ``size`` bytes in place of ``before``, the new ones cleared; false,
    with ``full`` set, if memory does not allow it.

    ``array`` is the address of the pointer to them. Everything that grows is allocated here. Old and new
    block may be there at one time, so that both have to fit.
    """
    cdef uint8_t* block
    if sat.bytes + after * size + BLOCK > sat.max_bytes or not resize(array, after, size):
        sat.full = True
        return False
    memcpy(&block, array, sizeof(block))
    memset(block + before * size, 0, (after - before) * size)
    sat.bytes += (after - before) * size + (BLOCK if before == 0 else 0)
    return True


cdef bint widen_variables(Sat* sat, int room) noexcept nogil:
    """Have room for so many variables; false, with ``full`` set, if memory does not allow it."""
    cdef int before = sat.room
    if not (
        widen(sat, &sat.watches, 2 * before, 2 * room, sizeof(Watches))
        and widen(sat, &sat.value, 2 * before, 2 * room, sizeof(int8_t))
        and widen(sat, &sat.level, before, room, sizeof(int32_t))
        and widen(sat, &sat.reason, before, room, sizeof(uint32_t))
        and widen(sat, &sat.trail, before, room, sizeof(Literal))
        and widen(sat, &sat.level_at, 2 * before, 2 * room, sizeof(int32_t))
        and widen(sat, &sat.activity, before, room, sizeof(double))
        and widen(sat, &sat.heap, before, room, sizeof(int32_t))
        and widen(sat, &sat.heap_place, before, room, sizeof(int32_t))
        and widen(sat, &sat.phase, before, room, sizeof(uint8_t))
        and widen(sat, &sat.seen, before, room, sizeof(uint8_t))
        and widen(sat, &sat.model, before, room, sizeof(uint8_t))
        and widen(sat, &sat.stamp, 2 * before, 2 * room, sizeof(uint32_t))
    ):
        return False
    sat.room = room
    return True


cdef bint widen_arena(Sat* sat) noexcept nogil:
    """Double the room for clauses; false, with ``full`` set, if memory does not allow it."""
    cdef uint64_t room = 2 * sat.arena_room if sat.arena_room else FIRST_ARENA
    if room >> 31:              # places are numbers of 31 bits, beside the mark PAIR
        sat.full = True
        return False
    if not widen(sat, &sat.arena, sat.arena_room, room, sizeof(uint32_t)):
        return False
    sat.arena_room = room
    return True


cdef bint double_room(Sat* sat, void* array, uint32_t* room, uint32_t least, uint64_t size) noexcept nogil:
    """Double the ``room`` of an array, or make it ``least`` at first; see `widen`."""
    cdef uint32_t more = 2 * room[0] if room[0] else least
    if not widen(sat, array, room[0], more, size):
        return False
    room[0] = more
    return True


cdef bint push_literal(Sat* sat, Literals* list, Literal literal) noexcept nogil:
    """Append; false, with ``full`` set, if memory does not allow it."""
    if list.count == list.room and not double_room(sat, &list.literal, &list.room, 64, sizeof(Literal)):
        return False
    list.literal[list.count] = literal
    list.count += 1
    return True


cdef inline void insert(Sat* sat, int variable) noexcept nogil:
    """Put a variable into the heap unless it is there."""
    if sat.heap_place[variable] < 0:
        sat.heap[sat.held] = variable
        sat.held += 1
        sift_up(sat, sat.held - 1)


cdef int add_variable(Sat* sat) noexcept nogil:
    """The number of a new variable, which is tried false first; -1 if memory runs out."""
    cdef int variable = sat.variables
    if sat.full or (variable == sat.room and not widen_variables(sat, 2 * sat.room)):
        return -1
    sat.variables += 1
    sat.heap_place[variable] = -1
    insert(sat, variable)
    return variable


# --- The trail ----------------------------------------------------------------------------------------------

cdef void back_to(Sat* sat, int level) noexcept nogil:
    cdef Literal literal
    if sat.levels <= level:
        return
    while sat.assigned > sat.level_at[level]:
        sat.assigned -= 1
        literal = sat.trail[sat.assigned]
        sat.value[literal] = sat.value[literal ^ 1] = 0
        sat.phase[literal >> 1] = not literal & 1
        insert(sat, literal >> 1)
    sat.propagated = sat.assigned
    sat.followed = min(sat.followed, sat.assigned)
    sat.levels = level


cdef inline void close_gap(Watches* list, uint32_t rest, uint32_t kept) noexcept nogil:
    """Join what is left of a list from ``rest`` on to the first ones, which are ``kept``."""
    memmove(&list.watch[kept], &list.watch[rest], (list.count - rest) * sizeof(Watch))
    list.count -= rest - kept


cdef uint32_t propagate(Sat* sat) noexcept nogil:
    """Propagate units; the place of a conflicting clause, or 0."""
    cdef Literal literal, false_one, first
    cdef Literal* literals
    cdef Watches* list
    cdef uint32_t i, j, k, size, clause
    while sat.propagated < sat.assigned:
        literal = sat.trail[sat.propagated]
        sat.propagated += 1
        false_one = literal ^ 1
        list = &sat.watches[literal]
        sat.work += SAT_LITERAL + list.count * SAT_WATCH
        i = j = 0
        while i < list.count:
            if sat.value[list.watch[i].blocker] > 0:
                list.watch[j] = list.watch[i]
                i += 1
                j += 1
                continue
            clause = list.watch[i].clause
            if clause & PAIR:
                first = list.watch[i].blocker
                list.watch[j] = list.watch[i]
                i += 1
                j += 1
                clause ^= PAIR
                if sat.value[first] < 0:
                    close_gap(list, i, j)
                    return clause
                literals = literals_of(sat, clause)
                literals[0] = first
                literals[1] = false_one
                assign(sat, first, clause)
                continue
            i += 1
            if i < list.count and not list.watch[i].clause & PAIR:
                prefetch_at(&sat.arena[list.watch[i].clause])
            size = sat.arena[clause]
            literals = literals_of(sat, clause)
            if literals[0] == false_one:
                literals[0] = literals[1]
                literals[1] = false_one
            first = literals[0]
            list.watch[j].clause = clause
            list.watch[j].blocker = first
            if sat.value[first] > 0:
                j += 1
                continue
            for k in range(2, size):
                if sat.value[literals[k]] >= 0:
                    literals[1] = literals[k]
                    literals[k] = false_one
                    watch(sat, literals[1], clause, first)
                    break
            else:
                j += 1
                if sat.value[first] < 0:
                    close_gap(list, i, j)
                    return clause
                assign(sat, first, clause)
        list.count = j
    return 0


# --- The clauses --------------------------------------------------------------------------------------------

cdef uint32_t store(Sat* sat, const Literal* literals, int count, int glue) noexcept nogil:
    """Add a clause of two literals or more; its place, 0 if memory runs out."""
    cdef uint32_t place = sat.used, mark = PAIR if count == 2 else 0
    while sat.used + HEADER + count > sat.arena_room:
        if not widen_arena(sat):
            return 0
    sat.arena[place] = count
    sat.arena[place + 1] = glue
    memcpy(literals_of(sat, place), literals, count * sizeof(Literal))
    sat.used += HEADER + count
    watch(sat, literals[0], place | mark, literals[1])
    watch(sat, literals[1], place | mark, literals[0])
    sat.learnt += glue > 0
    return place


cdef void add_clause(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Add a clause; without literals that are true it is always false."""
    add_numbered(sat, literals, count, note_given(sat, literals, count) if sat.proof != NULL else 0)


cdef void add_core_clause(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Add the clause that the last core is from."""
    add_numbered(sat, literals, count, sat.proof.refutation if sat.proof != NULL else 0)


cdef void add_numbered(Sat* sat, const Literal* literals, int count, uint32_t number) noexcept nogil:
    """Add a clause that has a number if clauses are noted."""
    cdef int i, j
    cdef uint32_t place
    cdef Literal literal
    if sat.full:
        return
    back_to(sat, 0)
    sat.clause.count = 0
    for i in range(count):
        literal = literals[i]
        if sat.value[literal] > 0:
            return
        if sat.value[literal] < 0:
            continue
        for j in range(<int>sat.clause.count):
            if sat.clause.literal[j] == literal ^ 1:
                return
            if sat.clause.literal[j] == literal:
                break
        else:
            if not push_literal(sat, &sat.clause, literal):
                return
    if sat.proof != NULL:
        number = note_shortened(sat, number, literals, count)
    if sat.clause.count == 0:
        refute(sat, 0, number)
    elif sat.clause.count == 1:
        if sat.proof != NULL:
            name_unit(sat, sat.clause.literal[0], number)
        assign(sat, sat.clause.literal[0], 0)
        place = propagate(sat)
        if place != 0:
            refute(sat, place, 0)
    else:
        place = store(sat, sat.clause.literal, sat.clause.count, 0)
        if sat.proof != NULL:
            name_clause(sat, place, number)


cdef void refute(Sat* sat, uint32_t conflict, uint32_t number) noexcept nogil:
    """Note that no values are left: a clause of the arena, or one of that number, is false for ever."""
    sat.refuted = True
    if sat.proof != NULL and conflict != 0:
        note_refutation(sat, conflict)
    elif sat.proof != NULL:
        sat.proof.refutation = number


cdef void forget(Sat* sat) noexcept nogil:
    """Drop half of the learnt clauses, those of most glue; at level 0."""
    cdef uint64_t place = 1, to = 1, kept = 0
    cdef uint64_t counts[MOST_GLUE + 1]
    cdef uint32_t size, glue, mark, most = MOST_GLUE
    cdef int i
    if sat.proof != NULL:
        note_units(sat)
    memset(counts, 0, sizeof(counts))
    while place < sat.used:
        counts[sat.arena[place + 1]] += 1
        place += HEADER + sat.arena[place]
    for i in range(1, MOST_GLUE + 1):
        kept += counts[i]
        if 2 * kept > sat.learnt:
            most = i if i > 3 else 3
            break
    for i in range(2 * sat.variables):
        sat.watches[i].count = 0
    for i in range(sat.variables):
        sat.reason[i] = 0
    sat.learnt = 0
    place = 1
    while place < sat.used:
        size = sat.arena[place]
        glue = sat.arena[place + 1]
        if glue < most and not is_satisfied(sat, literals_of(sat, place), size):
            for i in range(<int>size + HEADER):
                sat.arena[to + i] = sat.arena[place + i]
            if sat.proof != NULL:
                sat.proof.number_at[to] = sat.proof.number_at[place]
            mark = PAIR if size == 2 else 0
            watch(sat, sat.arena[to + HEADER], to | mark, sat.arena[to + HEADER + 1])
            watch(sat, sat.arena[to + HEADER + 1], to | mark, sat.arena[to + HEADER])
            to += HEADER + size
            sat.learnt += glue > 0
        place += HEADER + size
    sat.used = to
    if sat.bytes < sat.max_bytes // 4:
        sat.max_learnt += 500


cdef bint is_satisfied(const Sat* sat, const Literal* literals, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        if sat.value[literals[i]] > 0:
            return True
    return False
