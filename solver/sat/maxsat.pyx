"""The least number of costs, literals wanted false, that are true whatever makes all clauses true.

A core is a set of costs of which one must be true. Each that is found raises the least number by one; in
place of its costs comes a tally that counts how many more of them are true, which is a cost again (OLL:
Andres, Kaufmann, Matheis and Schaub 2012; Morgado, Dodaro and Marques-Silva 2014). Clauses may be added at
any time.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.kernel cimport NOTHING, Kernel
from .cdcl cimport REFUTED, Answer, solve_sat
from .clauses cimport add_clause, add_core_clause
from .instance cimport Literal, Sat, add_variable, begin_sat, free_sat, push_literal, widen
from .proof cimport COUNTED, STATED, give_as, note_core, note_sum

cdef enum:
    MOST_INPUTS = 400       # of a tally
    TRIALS = 50             # conflicts to make a core smaller by one, or a tally greater


cdef bint begin_costs(Costs* costs, uint64_t max_bytes) noexcept nogil:
    """No variables, clauses or costs; false if memory does not allow it."""
    memset(costs, 0, sizeof(Costs))
    return begin_sat(&costs.sat, max_bytes)


cdef void free_costs(Costs* costs) noexcept nogil:
    """Give the memory back."""
    cdef int i
    for i in range(costs.tallied):
        free(costs.tallies[i].output)
    free(costs.tallies)
    free(costs.soft.literal)
    free_sat(&costs.sat)
    memset(costs, 0, sizeof(Costs))


cdef Literal new_literal(Costs* costs) noexcept nogil:
    """A new variable."""
    cdef int variable = add_variable(&costs.sat)
    if variable < 0 or variable >= MOST_VARIABLES:
        costs.sat.full = True
        return 0
    return 2 * variable


cdef void add_cost(Costs* costs, Literal literal) noexcept nogil:
    """Want a literal false. None may be added twice."""
    push_literal(&costs.sat, &costs.soft, literal ^ 1)


cdef Answer solve_costs(Costs* costs, Kernel kernel, uint64_t conflicts) noexcept nogil:
    """Look for values without any cost but those counted, for up to so many conflicts; a core if there are
    none."""
    return solve_sat(&costs.sat, kernel, costs.soft.literal, costs.soft.count, conflicts)


cdef bint make_smaller(Costs* costs, Kernel kernel) noexcept nogil:
    """Take out of the core what it does not need; false at a limit."""
    cdef Sat* sat = &costs.sat
    cdef Literal trial[MOST_INPUTS]
    cdef Literal core[MOST_INPUTS]
    cdef uint32_t size = sat.core.count, i, j, at = 0, kept, needed
    cdef Answer answer
    if size > MOST_INPUTS:
        sat.full = True
        return False
    for i in range(size):
        core[i] = sat.core.literal[i]
    while at < size and size > 1:
        j = 0
        for i in range(size):
            if i != at:
                trial[j] = core[i]
                j += 1
        answer = solve_sat(sat, kernel, trial, j, TRIALS)
        if kernel.reason != NOTHING or sat.full:
            return False
        if answer != REFUTED:
            at += 1
            continue
        kept = needed = 0
        for i in range(size):
            if is_in_core(sat, core[i]):
                needed += i < at
                core[kept] = core[i]
                kept += 1
        size = kept
        at = needed
    sat.core.count = 0
    for i in range(size):
        push_literal(sat, &sat.core, core[i])
    return not sat.full


cdef bint is_in_core(const Sat* sat, Literal literal) noexcept nogil:
    """Whether the core found holds ``literal``."""
    cdef uint32_t i
    for i in range(sat.core.count):
        if sat.core.literal[i] == literal:
            return True
    return False


cdef bint count_core(Costs* costs, Kernel kernel) noexcept nogil:
    """Make the core found smaller and count it; false, with nothing counted, at a limit."""
    if not make_smaller(costs, kernel):
        return False
    replace_core(costs, kernel)
    return True


cdef void replace_core(Costs* costs, Kernel kernel) noexcept nogil:
    """Count the core; a tally of its costs takes their place."""
    cdef Sat* sat = &costs.sat
    cdef Literal inputs[MOST_INPUTS]
    cdef uint32_t i, j = 0
    cdef int count = sat.core.count, tally, core
    for i in range(costs.soft.count):
        if not is_in_core(sat, costs.soft.literal[i]):
            costs.soft.literal[j] = costs.soft.literal[i]
            j += 1
    costs.soft.count = j
    for i in range(<uint32_t>count):
        inputs[i] = sat.core.literal[i] ^ 1
    costs.least += 1
    core = costs.least
    if sat.proof != NULL:
        note_core(sat, inputs, count)
    add_core_clause(sat, inputs, count)
    for i in range(<uint32_t>count):
        tally = costs.tally_of[inputs[i] >> 1]
        if tally > 0:
            count_on(costs, &costs.tallies[tally - 1], kernel)
    if count > 1 and not sat.full:
        add_tally(costs, core, inputs, count, kernel)


cdef void add_tally(
    Costs* costs, int core, const Literal* inputs, int count, Kernel kernel
) noexcept nogil:
    """Count by a new tally how many more than one of ``inputs``, those of a core, are true."""
    cdef Sat* sat = &costs.sat
    cdef Tally* fresh
    cdef int room, i
    if costs.tallied == costs.tally_room:
        room = 2 * costs.tally_room + 64
        if not widen(sat, &costs.tallies, costs.tally_room, room, sizeof(Tally)):
            return
        costs.tally_room = room
    fresh = &costs.tallies[costs.tallied]
    fresh.output = NULL
    if not widen(sat, &fresh.output, 0, count, sizeof(Literal)):
        return
    costs.tallied += 1
    fresh.size = count
    fresh.soft = 0
    give_as(sat, COUNTED)
    make_tally(costs, core, 0, inputs, count, fresh.output)
    give_as(sat, STATED)
    if sat.full:
        return
    for i in range(count):
        costs.tally_of[fresh.output[i] >> 1] = costs.tallied
    count_on(costs, fresh, kernel)


cdef void count_on(Costs* costs, Tally* tally, Kernel kernel) noexcept nogil:
    """One more of the inputs is true; find out at little cost whether still more must be."""
    cdef Literal literal
    tally.soft += 1
    while tally.soft < tally.size:
        literal = tally.output[tally.soft] ^ 1
        if (costs.sat.full or kernel.reason != NOTHING
                or solve_sat(&costs.sat, kernel, &literal, 1, TRIALS) != REFUTED):
            add_cost(costs, literal ^ 1)
            return
        literal ^= 1
        if costs.sat.proof != NULL:
            note_core(&costs.sat, &literal, 1)
        add_core_clause(&costs.sat, &literal, 1)
        costs.least += 1
        tally.soft += 1


cdef void make_tally(
    Costs* costs, int core, int first, const Literal* inputs, int count, Literal* outputs
) noexcept nogil:
    """Add the clauses of a counter (totalizer: Bailleux and Boufkhad 2003), from inputs to outputs only. The
    inputs are those of a core from the ``first`` on."""
    cdef Literal parts[MOST_INPUTS]
    cdef Literal clause[3]
    cdef int half = count // 2, i, j, size
    if count == 1:
        outputs[0] = inputs[0]
        return
    make_tally(costs, core, first, inputs, half, parts)
    make_tally(costs, core, first + half, inputs + half, count - half, parts + half)
    for i in range(count):
        outputs[i] = new_literal(costs)
        if costs.sat.full:
            return
        if costs.sat.proof != NULL:
            note_sum(&costs.sat, core, first, count, i + 1, outputs[i])
    for i in range(half + 1):
        for j in range(count - half + 1):
            size = 0
            if i > 0:
                clause[size] = parts[i - 1] ^ 1
                size += 1
            if j > 0:
                clause[size] = parts[half + j - 1] ^ 1
                size += 1
            if size > 0:
                clause[size] = outputs[i + j - 1]
                add_clause(&costs.sat, clause, size + 1)
