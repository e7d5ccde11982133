"""The clauses, one after the other in an arena: how they are added, and how learnt ones are forgotten."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from .instance cimport (
    HEADER, MOST_GLUE, PAIR, Literal, Sat, literals_of, push_literal, watch, widen_arena,
)
from .proof cimport name_clause, name_unit, note_given, note_refutation, note_shortened, note_units
from .trail cimport assign, back_to, propagate


cdef uint32_t store(Sat* sat, const Literal* literals, int count, int glue) noexcept nogil:
    """Add a clause of two literals or more; its place, 0 if memory runs out."""
    cdef uint32_t place = sat.used
    cdef uint32_t mark = PAIR if count == 2 else 0
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
        assign_for_ever(sat, number)
    else:
        place = store(sat, sat.clause.literal, sat.clause.count, 0)
        if sat.proof != NULL:
            name_clause(sat, place, number)


cdef void assign_for_ever(Sat* sat, uint32_t number) noexcept nogil:
    """Make the one literal of a clause true, and what follows."""
    cdef uint32_t conflict
    if sat.proof != NULL:
        name_unit(sat, sat.clause.literal[0], number)
    assign(sat, sat.clause.literal[0], 0)
    conflict = propagate(sat)
    if conflict != 0:
        refute(sat, conflict, 0)


cdef void refute(Sat* sat, uint32_t conflict, uint32_t number) noexcept nogil:
    """No values are left: a clause at a place of the arena is false for ever, or one without literals, whose
    number is told."""
    sat.refuted = True
    if sat.proof != NULL and conflict != 0:
        note_refutation(sat, conflict)
    elif sat.proof != NULL:
        sat.proof.refutation = number


cdef void forget(Sat* sat) noexcept nogil:
    """Give up half of the learnt clauses, those of most glue; at level 0."""
    cdef uint64_t counts[MOST_GLUE + 1]
    cdef uint64_t place = 1, to = 1, kept = 0
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
    """Whether one of the literals is true."""
    cdef int i
    for i in range(count):
        if sat.value[literals[i]] > 0:
            return True
    return False
