"""Conflict-driven clause learning (CDCL) under assumptions: search loop, conflict analysis, cores.

First-UIP conflict analysis with recursive clause minimization, VSIDS activities, phase saving, restarts when
the glue (LBD) of recently learnt clauses is above the long-term mean, and learnt clauses kept by glue, where
the levels of assumptions count as one. After N. Een, N. Soerensson, "An extensible SAT-solver" (2003);
N. Soerensson, A. Biere, "Minimizing learned clauses" (2009); G. Audemard, L. Simon, "Predicting learnt
clauses quality in modern SAT solvers" (2009) and "Refining restarts strategies for SAT and UNSAT" (2012);
G. Audemard, J.-M. Lagniez, L. Simon, "Improving Glucose for incremental SAT solving with assumptions" (2013).
Clauses may be added between two calls. Nothing is random.

A theory propagator (`follow`) adds lazily those clauses that are too many to write down (R. Nieuwenhuis,
A. Oliveras, C. Tinelli, "Solving SAT and SAT modulo theories", 2006).
"""

# optimised: searches spend their time here

from libc.stdlib cimport free
from libc.string cimport memset

from ..core.work cimport SAT_RESOLVED
from .acyclicity cimport Acyclicity, add_edge, begin_acyclicity, free_acyclicity
from .proof cimport STATED, name_clause, name_unit, note_derived, note_given, note_units
from .propagation cimport (HEADER, MOST_GLUE, Literals, add_clause, add_numbered, add_variable, assign,
                           back_to, begin_sat, bump, forget, free_sat, literals_of, open_level, propagate,
                           push_literal, refute, store, take_first)

cdef enum:
    LEAST_RUN = 30              # conflicts between two restarts
    FOUND_AGAIN = MOST_GLUE - 1     # the glue of a clause that is found again wherever it implies anything
    POLL = 63                   # conflicts between two polls of the kernel

cdef double WORSE = 1.6         # a restart: the recent glue beside the mean one


cdef Answer solve_sat(Sat* sat, Kernel kernel, const Literal* assumptions, int count,
                      uint64_t conflicts) noexcept nogil:
    """Look for a model of all clauses and assumptions, within ``conflicts``."""
    cdef Answer answer = search(sat, kernel, assumptions, count, conflicts)
    kernel.add_work(sat.work)
    sat.work = 0
    return answer


cdef Answer search(Sat* sat, Kernel kernel, const Literal* assumptions, int count,
                   uint64_t conflicts) noexcept nogil:
    """The search of `solve_sat`."""
    cdef uint64_t last = sat.conflicts + conflicts
    cdef uint32_t conflict
    cdef Answer answer
    restart(sat, 0)
    sat.assumed = count
    sat.core.count = 0
    while not sat.full:
        if sat.refuted:
            sat.core.count = 0
            return REFUTED
        conflict = propagate(sat)
        if conflict == 0 and sat.follow != NULL and sat.followed < sat.assigned:
            conflict = sat.follow(sat.follower)
            if conflict == 0:
                continue
        if conflict != 0:
            sat.conflicts += 1
            sat.since_restart += 1
            if sat.levels == 0:
                refute(sat, conflict, 0)
                continue
            if not learn(sat, conflict):
                sat.full = True
                break
            if sat.conflicts >= last:
                break
            if sat.conflicts & POLL == 0:
                kernel.add_work(sat.work)
                sat.work = 0
                if not kernel.poll():
                    break
            continue
        if sat.since_restart >= LEAST_RUN and sat.recent_glue > WORSE * sat.mean_glue:
            restart(sat, count)
        answer = go_on(sat, assumptions, count)
        if answer != UNKNOWN:
            return answer
    back_to(sat, 0)
    return UNKNOWN


cdef inline void restart(Sat* sat, int level) noexcept nogil:
    """Backtrack to ``level``, or to 0 where clauses are to be forgotten, and reset the restart counter."""
    back_to(sat, level if sat.learnt <= sat.max_learnt else 0)
    if sat.learnt > sat.max_learnt:
        forget(sat)
    sat.since_restart = 0
    sat.recent_glue = sat.mean_glue


cdef Answer go_on(Sat* sat, const Literal* assumptions, int count) noexcept nogil:
    """Begin a level with the next assumption or decision; UNKNOWN while there is something to decide."""
    cdef Literal literal
    cdef int i
    if sat.levels < count:
        literal = assumptions[sat.levels]
        if sat.value[literal] < 0:
            find_core(sat, literal)
            return UNKNOWN if sat.full else REFUTED
        open_level(sat)
        if sat.value[literal] == 0:
            assign(sat, literal, 0)
        return UNKNOWN
    literal = next_decision(sat)
    if literal < 0:
        for i in range(sat.variables):
            sat.model[i] = sat.value[2 * i] > 0
        return SATISFIED
    open_level(sat)
    assign(sat, literal, 0)
    return UNKNOWN


cdef Literal next_decision(Sat* sat) noexcept nogil:
    """The most active open variable, in the phase that it had last; -1 if all are assigned."""
    cdef int variable
    while sat.held > 0:
        variable = take_first(sat)
        if sat.value[2 * variable] == 0:
            return 2 * variable + (not sat.phase[variable])
    return -1


# --- Conflict analysis --------------------------------------------------------------------------------------

cdef bint learn(Sat* sat, uint32_t conflict) noexcept nogil:
    """Derive the first-UIP clause of a conflict, backjump and assert it; false if memory runs out."""
    cdef uint32_t number = 0
    if not resolve(sat, conflict) or not drop_implied(sat):
        return False
    if sat.proof != NULL:
        number = note_derived(sat, conflict, &sat.clause)
    sat.increment /= 0.95
    return assert_learnt(sat, number)


cdef bint resolve(Sat* sat, uint32_t conflict) noexcept nogil:
    """Write the first-UIP clause of a conflict to ``clause``, its literal of the last level first.
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
    sat.work += size * SAT_RESOLVED
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
    """Minimize the clause learnt, clear ``seen`` and overwrite the core; false if memory runs out."""
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
    """Backjump to where the clause learnt has one open literal, and assign it; false without memory."""
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
    sat.recent_glue += (glue - sat.recent_glue) / 32
    sat.mean_glue += (glue - sat.mean_glue) / (8192 if sat.conflicts > 1000 else 64)
    back_to(sat, level)
    place = store(sat, clause.literal, clause.count, glue)
    if place == 0:
        return False
    if sat.proof != NULL:
        name_clause(sat, place, number)
    assign(sat, clause.literal[0], place)
    return True


cdef bint is_implied(Sat* sat, Literal implied, uint32_t levels) noexcept nogil:
    """Test if a literal of the clause learnt follows from the others; literals found implied on the way stay
    seen, and are kept in the core."""
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


cdef uint32_t take_clause(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Add a clause that was not there, all literals of which are false, or all but the first, which is open.

    Its place if it is false then; else 0: an open literal was made true, perhaps after the search went
    back, or memory ran out.
    """
    cdef Literals* clause = &sat.clause
    cdef bint implies = sat.value[literals[0]] == 0
    cdef uint32_t place, number = note_given(sat, literals, count) if sat.proof != NULL else 0
    if not gather(sat, literals, count):
        return 0
    if not implies:
        put_last_first(sat, 0)
    put_last_first(sat, 1)
    if clause.count < 2 or sat.level[clause.literal[1] >> 1] == 0:
        add_numbered(sat, literals, count, number)
        return 0
    place = store(sat, clause.literal, clause.count, FOUND_AGAIN if implies else glue_of(sat))
    if place == 0:
        return 0
    if sat.proof != NULL:
        name_clause(sat, place, number)
    if not implies:
        if sat.level[clause.literal[1] >> 1] == sat.level[clause.literal[0] >> 1]:
            return place
        back_to(sat, sat.level[clause.literal[1] >> 1])
    assign(sat, clause.literal[0], place)
    return 0


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
    """Swap the literal of the highest level from the place ``first`` of the clause on to that place."""
    cdef Literals* clause = &sat.clause
    cdef Literal literal
    cdef uint32_t i
    for i in range(first + 1, clause.count):
        if sat.level[clause.literal[i] >> 1] > sat.level[clause.literal[first] >> 1]:
            literal = clause.literal[first]
            clause.literal[first] = clause.literal[i]
            clause.literal[i] = literal


cdef int glue_of(Sat* sat) noexcept nogil:
    """The glue (LBD) of the clause at hand: its decision levels, those of assumptions as one."""
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
    """Write ``failed`` and the assumptions that make it false to the core; not all, if memory runs out."""
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


# --- For tests ----------------------------------------------------------------------------------------------

def find_values(Kernel kernel, int variables, clauses, assumptions, max_bytes=1 << 30, look=None, edges=()):
    """Values of the variables 1, 2, .. that make all clauses and assumptions true, or None and a core.

    ``edges`` are triples (event, event, literals): where all literals are true the first event is before the
    other one, and the values found make no cycle of these. Events are numbers from 0 on.

    Literals are numbers of variables, negative for their negations. The answer is (list of bool, None), or
    (None, list of those assumptions that cannot all be true). ``look`` is called at the end, with the bytes
    that are counted, before they are given back. Raises MemoryError if memory runs out.
    """
    cdef Sat sat
    cdef Literals literals
    cdef Acyclicity order
    cdef Answer answer
    highest = max([abs(number) for clause in [*clauses, assumptions] for number in clause], default=0)
    if highest > variables:
        raise ValueError(f"expected variables up to {variables}, got {highest}")
    if len(set(assumptions)) < len(assumptions):
        raise ValueError("expected each assumption once, got one twice")
    memset(&literals, 0, sizeof(Literals))
    begin_sat(&sat, max_bytes)
    begin_acyclicity(&order, &sat, STATED, NULL, NULL)
    try:
        for _ in range(variables):
            add_variable(&sat)
        for before, after, guards in sorted(edges, key=lambda edge: len(edge[2])):
            literals.count = 0
            for number in guards:
                push_literal(&sat, &literals, 2 * abs(number) - 2 + (number < 0))
            add_edge(&order, before, after, literals.literal, literals.count)
        for clause in [*clauses, assumptions]:
            literals.count = 0
            for number in clause:
                push_literal(&sat, &literals, 2 * abs(number) - 2 + (number < 0))
            if clause is not assumptions:
                add_clause(&sat, literals.literal, literals.count)
        kernel.deadline = -1.0
        with nogil:
            answer = solve_sat(&sat, kernel, literals.literal, literals.count, <uint64_t>1 << 62)
        if look is not None:
            look(sat.bytes)
        if answer == UNKNOWN:
            raise MemoryError(f"expected enough memory, got {max_bytes} bytes")
        if answer == SATISFIED:
            return [bool(sat.model[i]) for i in range(variables)], None
        core = [sat.core.literal[i] for i in range(sat.core.count)]
        return None, [-(literal // 2 + 1) if literal % 2 else literal // 2 + 1 for literal in core]
    finally:
        free(literals.literal)
        free_acyclicity(&order)
        free_sat(&sat)
