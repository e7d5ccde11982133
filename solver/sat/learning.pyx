"""What a conflict teaches: a clause up to the first unique implication point, without what it implies."""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t

from .clauses cimport add_numbered, store
from .heap cimport bump
from .instance cimport HEADER, MOST_GLUE, Literal, Literals, Sat, literals_of, push_literal
from .proof cimport name_clause, name_unit, note_derived, note_given, note_units
from .trail cimport assign, back_to


cdef enum:
    FOUND_AGAIN = MOST_GLUE - 1     # the glue of a clause that is had again wherever it implies anything


cdef bint learn(Sat* sat, uint32_t conflict) noexcept nogil:
    """Work out the clause that a conflict teaches, go back and assert it; false if memory runs out."""
    cdef uint32_t number = 0
    if not resolve(sat, conflict) or not drop_implied(sat):
        return False
    if sat.proof != NULL:
        number = note_derived(sat, conflict, &sat.clause)
    sat.increment /= 0.95
    return assert_learnt(sat, number)


cdef bint resolve(Sat* sat, uint32_t conflict) noexcept nogil:
    """Write to ``clause`` what follows from the conflict and has one literal of the last level, its first.
    Its variables are left ``seen``; false if memory runs out."""
    cdef Literal literal = -1
    cdef int waiting = 0, at = sat.assigned
    sat.clause.count = 0
    if not push_literal(sat, &sat.clause, 0):
        return False
    while True:
        if not take_in(sat, conflict, 0 if literal < 0 else 1, &waiting):
            return False
        while True:
            at -= 1
            literal = sat.trail[at]
            if sat.seen[literal >> 1]:
                break
        waiting -= 1
        if waiting == 0:
            break
        sat.seen[literal >> 1] = False
        conflict = sat.reason[literal >> 1]
    sat.clause.literal[0] = literal ^ 1
    return True


cdef inline bint take_in(Sat* sat, uint32_t place, uint32_t first, int* waiting) noexcept nogil:
    """See the variables of a clause from its ``first`` literal on: those of the last level wait, the others
    go to the clause learnt; false if memory runs out."""
    cdef const Literal* literals = literals_of(sat, place)
    cdef uint32_t i, size = sat.arena[place]
    cdef int variable
    for i in range(first, size):
        variable = literals[i] >> 1
        if sat.seen[variable] or sat.level[variable] == 0:
            continue
        sat.seen[variable] = True
        bump(sat, variable)
        if sat.level[variable] == sat.levels:
            waiting[0] += 1
        elif not push_literal(sat, &sat.clause, literals[i]):
            return False
    return True


cdef bint drop_implied(Sat* sat) noexcept nogil:
    """Take out of the clause learnt what follows from the rest of it, and forget what was seen; false if
    memory runs out. The core is used up."""
    cdef Literals* clause = &sat.clause
    cdef uint32_t i, kept = 1, levels = 0
    sat.core.count = 0
    for i in range(clause.count):
        if not push_literal(sat, &sat.core, clause.literal[i]):
            return False
        if i > 0:
            levels |= <uint32_t>1 << (sat.level[clause.literal[i] >> 1] & 31)
    for i in range(1, clause.count):
        if sat.reason[clause.literal[i] >> 1] == 0 or not is_implied(sat, clause.literal[i], levels):
            if sat.full:
                return False
            clause.literal[kept] = clause.literal[i]
            kept += 1
    clause.count = kept
    for i in range(sat.core.count):
        sat.seen[sat.core.literal[i] >> 1] = False
    return True


cdef bint assert_learnt(Sat* sat, uint32_t number) noexcept nogil:
    """Go back to where the clause learnt has one open literal, its first, and make that true; false if memory
    runs out."""
    cdef Literals* clause = &sat.clause
    cdef Literal literal
    cdef uint32_t i, place, highest = 1
    cdef int level = 0, glue
    if clause.count == 1:
        back_to(sat, 0)
        if sat.proof != NULL:
            name_unit(sat, clause.literal[0], number)
        assign(sat, clause.literal[0], 0)
        return True
    for i in range(1, clause.count):
        if sat.level[clause.literal[i] >> 1] > level:
            level = sat.level[clause.literal[i] >> 1]
            highest = i
    literal = clause.literal[1]
    clause.literal[1] = clause.literal[highest]
    clause.literal[highest] = literal
    glue = glue_of(sat)
    note_glue(sat, glue)
    back_to(sat, level)
    place = store(sat, clause.literal, clause.count, glue)
    if place == 0:
        return False
    if sat.proof != NULL:
        name_clause(sat, place, number)
    assign(sat, clause.literal[0], place)
    return True


cdef bint is_implied(Sat* sat, Literal implied, uint32_t levels) noexcept nogil:
    """Whether a literal of the clause learnt follows from the others; those met on the way that do too stay
    seen, and stand in the core."""
    cdef uint32_t held = sat.core.count, i, reason, todo = held
    cdef Literal literal = implied
    cdef int variable
    while True:
        reason = sat.reason[literal >> 1]
        for i in range(1, sat.arena[reason]):
            literal = <Literal>sat.arena[reason + HEADER + i]
            variable = literal >> 1
            if sat.seen[variable] or sat.level[variable] == 0:
                continue
            if (sat.reason[variable] == 0 or not levels >> (sat.level[variable] & 31) & 1
                    or not push_literal(sat, &sat.core, literal)):
                while sat.core.count > held:
                    sat.core.count -= 1
                    sat.seen[sat.core.literal[sat.core.count] >> 1] = False
                return False
            sat.seen[variable] = True
        if todo == sat.core.count:
            return True
        literal = sat.core.literal[todo]
        todo += 1


cdef inline void note_glue(Sat* sat, int glue) noexcept nogil:
    """Have the means follow the glue of a clause learnt."""
    sat.recent_glue += (glue - sat.recent_glue) / 32
    sat.mean_glue += (glue - sat.mean_glue) / (8192 if sat.conflicts > 1000 else 64)


cdef uint32_t take_false_clause(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Add a clause that was not there, all literals of which are false: its place, or 0 if the search has
    gone back to where one is open, or memory runs out."""
    cdef Literals* clause = &sat.clause
    cdef uint32_t place, number = note_given(sat, literals, count) if sat.proof != NULL else 0
    if not gather(sat, literals, count):
        return 0
    put_last_first(sat, 0)
    put_last_first(sat, 1)
    if clause.count < 2 or sat.level[clause.literal[1] >> 1] == 0:
        add_numbered(sat, literals, count, number)
        return 0
    place = store(sat, clause.literal, clause.count, glue_of(sat))
    if place == 0:
        return 0
    if sat.proof != NULL:
        name_clause(sat, place, number)
    if sat.level[clause.literal[1] >> 1] < sat.level[clause.literal[0] >> 1]:
        back_to(sat, sat.level[clause.literal[1] >> 1])
        assign(sat, clause.literal[0], place)
        return 0
    return place


cdef void take_implying_clause(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Add a clause that was not there, of which the first literal is open and all others are false, and make
    that true. The search goes back if it holds for ever."""
    cdef uint32_t place, number
    cdef Literals* clause = &sat.clause
    if sat.value[literals[0]] != 0:
        return
    number = note_given(sat, literals, count) if sat.proof != NULL else 0
    if not gather(sat, literals, count):
        return
    put_last_first(sat, 1)
    if clause.count < 2 or sat.level[clause.literal[1] >> 1] == 0:
        add_numbered(sat, literals, count, number)
        return
    place = store(sat, clause.literal, clause.count, FOUND_AGAIN)
    if place == 0:
        return
    if sat.proof != NULL:
        name_clause(sat, place, number)
    assign(sat, clause.literal[0], place)


cdef bint gather(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Write the literals to the clause at hand, each once; false if memory runs out."""
    cdef Literals* clause = &sat.clause
    cdef uint32_t i
    clause.count = 0
    for i in range(<uint32_t>count):
        if not sat.seen[literals[i] >> 1]:
            if not push_literal(sat, clause, literals[i]):
                break
            sat.seen[literals[i] >> 1] = True
    for i in range(clause.count):
        sat.seen[clause.literal[i] >> 1] = False
    return not sat.full


cdef void put_last_first(Sat* sat, uint32_t first) noexcept nogil:
    """Have the literal of the highest level from the place ``first`` of the clause on stand there."""
    cdef Literals* clause = &sat.clause
    cdef Literal literal
    cdef uint32_t i
    for i in range(first + 1, clause.count):
        if sat.level[clause.literal[i] >> 1] > sat.level[clause.literal[first] >> 1]:
            literal = clause.literal[first]
            clause.literal[first] = clause.literal[i]
            clause.literal[i] = literal


cdef int glue_of(Sat* sat) noexcept nogil:
    """The number of levels that the clause at hand joins, those of assumptions as one."""
    cdef uint32_t i
    cdef int level, glue = 1
    sat.stamped += 1
    for i in range(sat.clause.count):
        level = sat.level[sat.clause.literal[i] >> 1]
        if level > sat.assumed and sat.stamp[level] != sat.stamped:
            sat.stamp[level] = sat.stamped
            glue += 1
    return glue if glue < MOST_GLUE else MOST_GLUE


cdef void find_core(Sat* sat, Literal failed) noexcept nogil:
    """The assumptions that make the assumption ``failed`` false, and itself; not all, if memory runs out."""
    cdef int at
    cdef uint32_t reason, i, size
    cdef Literal literal
    sat.core.count = 0
    push_literal(sat, &sat.core, failed)
    if sat.levels == 0:
        note_clause_of_core(sat, failed)
        return
    sat.seen[failed >> 1] = True
    at = sat.assigned
    while at > sat.level_at[0]:
        at -= 1
        literal = sat.trail[at]
        if not sat.seen[literal >> 1]:
            continue
        sat.seen[literal >> 1] = False
        reason = sat.reason[literal >> 1]
        if reason == 0:
            if literal != failed ^ 1:
                push_literal(sat, &sat.core, literal)
            continue
        size = sat.arena[reason]
        for i in range(1, size):
            literal = <Literal>sat.arena[reason + HEADER + i]
            if sat.level[literal >> 1] > 0:
                sat.seen[literal >> 1] = True
    sat.seen[failed >> 1] = False
    note_clause_of_core(sat, failed)


cdef void note_clause_of_core(Sat* sat, Literal failed) noexcept nogil:
    """Have the refutation be that an assumption of the core is false, if clauses are noted. It is none if
    ``failed`` is the negation of another one."""
    cdef uint32_t i, reason = sat.reason[failed >> 1]
    if sat.proof == NULL:
        return
    if sat.level[failed >> 1] == 0:
        note_units(sat)
        sat.proof.refutation = sat.proof.unit[failed >> 1]
        return
    sat.clause.count = 0
    for i in range(sat.core.count):
        push_literal(sat, &sat.clause, sat.core.literal[i] ^ 1)
    sat.proof.refutation = note_derived(sat, reason, &sat.clause) if reason != 0 and not sat.full else 0
