"""Core-guided MaxSAT (OLL): the least number of costs, literals wanted false, that any model makes true.

A core is a set of costs at least one of which is true in every model. Each core raises the lower bound by
one, and a totalizer over its costs replaces them: its outputs, "more than i of them are true", are the new
costs (B. Andres, B. Kaufmann, O. Matheis, T. Schaub, "Unsatisfiability-based optimization in clasp", 2012;
A. Morgado, C. Dodaro, J. Marques-Silva, "Core-guided MaxSAT with soft cardinality constraints", 2014).
Clauses may be added at any time.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.kernel cimport NOTHING
from .cdcl cimport REFUTED, solve_sat
from .propagation cimport add_clause, add_core_clause, add_variable, begin_sat, free_sat, push_literal, widen
from .proof cimport COUNTED, STATED, give_as, is_among, note_core, note_sum

cdef enum:
    MOST_INPUTS = 400       # of a totalizer
    TRIALS = 50             # conflicts to make a core smaller by one, or a totalizer greater


cdef bint begin_costs(Costs* costs, uint64_t max_bytes) noexcept nogil:
    """Begin without variables, clauses or costs; false if memory does not allow it."""
    memset(costs, 0, sizeof(Costs))
    return begin_sat(&costs.sat, max_bytes)


cdef void free_costs(Costs* costs) noexcept nogil:
    cdef int i
    for i in range(costs.totalizer_count):
        free(costs.totalizers[i].output)
    free(costs.totalizers)
    free(costs.soft.literal)
    free_sat(&costs.sat)
    memset(costs, 0, sizeof(Costs))


cdef Literal new_literal(Costs* costs) noexcept nogil:
    """Add a variable; its positive literal."""
    cdef int variable = add_variable(&costs.sat)
    if variable < 0 or variable >= MOST_VARIABLES:
        costs.sat.full = True
        return 0
    return 2 * variable


cdef void add_cost(Costs* costs, Literal literal) noexcept nogil:
    """Make a literal a cost. No literal may be added twice."""
    push_literal(&costs.sat, &costs.soft, literal ^ 1)


cdef Answer solve_costs(Costs* costs, Kernel kernel, uint64_t conflicts) noexcept nogil:
    """Look for a model without any cost but those counted, within ``conflicts``; a core if there is none."""
    return solve_sat(&costs.sat, kernel, costs.soft.literal, costs.soft.count, conflicts)


cdef bint make_smaller(Costs* costs, Kernel kernel) noexcept nogil:
    """Minimize the core by deletion; false at a limit."""
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
            if is_among(sat.core.literal, sat.core.count, core[i]):
                needed += i < at
                core[kept] = core[i]
                kept += 1
        size = kept
        at = needed
    sat.core.count = 0
    for i in range(size):
        push_literal(sat, &sat.core, core[i])
    return not sat.full


cdef bint count_core(Costs* costs, Kernel kernel) noexcept nogil:
    """Minimize the core found, count it, and replace its costs by a totalizer; false, with nothing counted,
    at a limit."""
    cdef Sat* sat = &costs.sat
    cdef Literal inputs[MOST_INPUTS]
    cdef uint32_t i, j = 0
    cdef int count, totalizer, core
    if not make_smaller(costs, kernel):
        return False
    count = sat.core.count
    for i in range(costs.soft.count):
        if not is_among(sat.core.literal, sat.core.count, costs.soft.literal[i]):
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
        totalizer = costs.totalizer_of[inputs[i] >> 1]
        if totalizer > 0:
            extend_totalizer(costs, &costs.totalizers[totalizer - 1], kernel)
    if count > 1 and not sat.full:
        add_totalizer(costs, core, inputs, count, kernel)
    return True


cdef void add_totalizer(Costs* costs, int core, const Literal* inputs, int count,
                        Kernel kernel) noexcept nogil:
    """Add a totalizer over ``inputs``, the costs of a core, one of which is counted already."""
    cdef Sat* sat = &costs.sat
    cdef Totalizer* fresh
    cdef int room, i
    if costs.totalizer_count == costs.totalizer_room:
        room = 2 * costs.totalizer_room + 64
        if not widen(sat, &costs.totalizers, costs.totalizer_room, room, sizeof(Totalizer)):
            return
        costs.totalizer_room = room
    fresh = &costs.totalizers[costs.totalizer_count]
    fresh.output = NULL
    if not widen(sat, &fresh.output, 0, count, sizeof(Literal)):
        return
    costs.totalizer_count += 1
    fresh.size = count
    fresh.soft = 0
    give_as(sat, COUNTED)
    make_totalizer(costs, core, 0, inputs, count, fresh.output)
    give_as(sat, STATED)
    if sat.full:
        return
    for i in range(count):
        costs.totalizer_of[fresh.output[i] >> 1] = costs.totalizer_count
    extend_totalizer(costs, fresh, kernel)


cdef void extend_totalizer(Costs* costs, Totalizer* totalizer, Kernel kernel) noexcept nogil:
    """Make the next output a cost; outputs that a short search proves true are counted at once."""
    cdef Literal literal
    totalizer.soft += 1
    while totalizer.soft < totalizer.size:
        literal = totalizer.output[totalizer.soft] ^ 1
        if (costs.sat.full or kernel.reason != NOTHING
                or solve_sat(&costs.sat, kernel, &literal, 1, TRIALS) != REFUTED):
            add_cost(costs, literal ^ 1)
            return
        literal ^= 1
        if costs.sat.proof != NULL:
            note_core(&costs.sat, &literal, 1)
        add_core_clause(&costs.sat, &literal, 1)
        costs.least += 1
        totalizer.soft += 1


cdef void make_totalizer(Costs* costs, int core, int first, const Literal* inputs, int count,
                         Literal* outputs) noexcept nogil:
    """Add the clauses of a totalizer (O. Bailleux, Y. Boufkhad, "Efficient CNF encoding of Boolean
    cardinality constraints", 2003), from inputs to outputs only. The inputs are those of a core from the
    ``first`` on."""
    cdef Literal parts[MOST_INPUTS]
    cdef Literal clause[3]
    cdef int half = count // 2, i, j, size
    if count == 1:
        outputs[0] = inputs[0]
        return
    make_totalizer(costs, core, first, inputs, half, parts)
    make_totalizer(costs, core, first + half, inputs + half, count - half, parts + half)
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
