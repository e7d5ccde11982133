"""Satisfiability of clauses under assumptions, by conflict-driven clause learning.

Two watched literals a clause, first unique implication points, activities of variables that fade, saved
phases, restarts when the clauses learnt lately join more levels than usual, and learnt clauses kept by glue,
the number of levels they join, of which those of assumptions count as one. After Een and Soerensson, "An
extensible SAT-solver" (2003), Audemard and Simon, "Predicting learnt clauses quality in modern SAT solvers"
(2009) and "Refining restarts strategies for SAT and UNSAT" (2012), and, for assumptions, Audemard, Lagniez
and Simon, "Improving Glucose for incremental SAT solving with assumptions" (2013). Clauses may be added
between two calls. Nothing is random.

Where there are too many clauses to write down, what is assigned is shown to one that knows them (`follow`),
and adds one that is false (R. Nieuwenhuis, A. Oliveras, C. Tinelli, "Solving SAT and SAT modulo theories",
2006).
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.kernel cimport Kernel
from .clauses cimport add_clause, forget, refute
from .heap cimport take_first
from .instance cimport Literal, Literals, Sat, add_variable, begin_sat, free_sat, push_literal
from .learning cimport find_core, learn
from .precedence cimport Precedence, add_edge, begin_precedence, free_precedence
from .proof cimport STATED
from .trail cimport assign, back_to, open_level, propagate

cdef enum:
    LEAST_RUN = 30              # conflicts between two restarts
    POLL = 63                   # conflicts between two polls of the kernel

cdef double WORSE = 1.6         # a restart: the recent glue beside the mean one


cdef Answer solve_sat(
    Sat* sat, Kernel kernel, const Literal* assumptions, int count, uint64_t conflicts
) noexcept nogil:
    """Look for values that make all clauses and assumptions true, for up to so many conflicts."""
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
            if sat.conflicts >= last or (sat.conflicts & POLL == 0 and not kernel.poll()):
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
    """Take back all above ``level``, or all but what holds for ever, where clauses are to be forgotten."""
    back_to(sat, level if sat.learnt <= sat.max_learnt else 0)
    if sat.learnt > sat.max_learnt:
        forget(sat)
    sat.since_restart = 0
    sat.recent_glue = sat.mean_glue


cdef Answer go_on(Sat* sat, const Literal* assumptions, int count) noexcept nogil:
    """Begin a level with the next assumption, or with a decision once all are made; UNKNOWN while there is
    something to decide."""
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


# --- A door for tests ---------------------------------------------------------------------------------------


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
    cdef Precedence order
    cdef Answer answer
    if max([abs(number) for clause in [*clauses, assumptions] for number in clause], default=0) > variables:
        raise ValueError(f"there are {variables} variables")
    if len(set(assumptions)) < len(assumptions):
        raise ValueError("an assumption is there twice")
    memset(&literals, 0, sizeof(Literals))
    begin_sat(&sat, max_bytes)
    begin_precedence(&order, &sat, STATED, NULL, NULL)
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
            raise MemoryError(f"more than {max_bytes} bytes are needed")
        if answer == SATISFIED:
            return [bool(sat.model[i]) for i in range(variables)], None
        core = [sat.core.literal[i] for i in range(sat.core.count)]
        return None, [-(literal // 2 + 1) if literal % 2 else literal // 2 + 1 for literal in core]
    finally:
        free(literals.literal)
        free_precedence(&order)
        free_sat(&sat)
