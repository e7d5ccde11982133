"""Satisfiability of clauses under assumptions, by conflict-driven clause learning.

Two watched literals a clause, first unique implication points, activities of variables that fade, saved
phases, restarts after Luby's sequence, and learnt clauses kept by glue, the number of levels they join. After
Een and Soerensson, "An extensible SAT-solver" (2003), and Audemard and Simon, "Predicting learnt clauses
quality in modern SAT solvers" (2009). Clauses may be added between two calls. Nothing is random.

Where there are too many clauses to write down, a *look* adds those that matter: it is asked from time to time
while only some variables have values, and adds clauses that these break (R. Nieuwenhuis, A. Oliveras,
C. Tinelli, "Solving SAT and SAT modulo theories", 2006). What it missed has to be found in the values at the
end.
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
from .trail cimport assign, back_to, open_level, propagate

cdef enum:
    RESTART = 100               # conflicts
    POLL = 63                   # conflicts between two polls of the kernel
    BETWEEN_LOOKS = 16          # decisions


cdef uint64_t luby(uint64_t i) noexcept nogil:
    """The i-th term of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..; i counts from 1."""
    cdef uint64_t power
    while True:
        power = 1
        while power < i + 1:
            power *= 2
        if power == i + 1:
            return power // 2
        i -= power // 2 - 1


cdef Answer solve_sat(
    Sat* sat, Kernel kernel, const Literal* assumptions, int count, uint64_t conflicts
) noexcept nogil:
    """Look for values that make all clauses and assumptions true, for up to so many conflicts."""
    cdef uint64_t restarts = 0, left = 0, last = sat.conflicts + conflicts
    cdef uint32_t conflict
    cdef Answer answer
    back_to(sat, 0)
    sat.core.count = 0
    while not sat.full:
        if sat.refuted:
            sat.core.count = 0
            return REFUTED
        conflict = propagate(sat)
        if conflict != 0:
            sat.conflicts += 1
            if sat.levels == 0:
                refute(sat, conflict, 0)
                continue
            if not learn(sat, conflict):
                sat.full = True
                break
            left -= left > 0
            if sat.conflicts >= last or (sat.conflicts & POLL == 0 and not kernel.poll()):
                break
            continue
        if left == 0:
            restarts += 1
            left = RESTART * luby(restarts)
            back_to(sat, 0)
            if sat.learnt > sat.max_learnt:
                forget(sat)
        if sat.look != NULL and sat.levels >= count and finds_more(sat):
            continue
        answer = go_on(sat, assumptions, count)
        if answer != UNKNOWN:
            return answer
    back_to(sat, 0)
    return UNKNOWN


cdef inline bint finds_more(Sat* sat) noexcept nogil:
    """Whether it was time for a look, and what it added has to be looked at first."""
    sat.until_look -= 1
    if sat.until_look > 0:
        return False
    sat.until_look = BETWEEN_LOOKS
    return sat.look(sat.looker) or sat.refuted


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


def find_values(Kernel kernel, int variables, clauses, assumptions, max_bytes=1 << 30, look=None):
    """Values of the variables 1, 2, .. that make all clauses and assumptions true, or None and a core.

    Literals are numbers of variables, negative for their negations. The answer is (list of bool, None), or
    (None, list of those assumptions that cannot all be true). ``look`` is called at the end, with the bytes
    that are counted, before they are given back. Raises MemoryError if memory runs out.
    """
    cdef Sat sat
    cdef Literals literals
    cdef Answer answer
    if max([abs(number) for clause in [*clauses, assumptions] for number in clause], default=0) > variables:
        raise ValueError(f"there are {variables} variables")
    if len(set(assumptions)) < len(assumptions):
        raise ValueError("an assumption is there twice")
    memset(&literals, 0, sizeof(Literals))
    begin_sat(&sat, max_bytes)
    try:
        for _ in range(variables):
            add_variable(&sat)
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
        free_sat(&sat)
