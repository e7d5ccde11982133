"""Satisfiability of clauses under assumptions, by conflict-driven clause learning.

Two watched literals a clause, first unique implication points, activities of variables that fade, saved
phases, restarts after Luby's sequence, and learnt clauses kept by glue, the number of levels they join. After
Een and Soerensson, "An extensible SAT-solver" (2003), and Audemard and Simon, "Predicting learnt clauses
quality in modern SAT solvers" (2009). Clauses may be added between two calls. Nothing is random.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from .invariant cimport invariant
from .kernel cimport Kernel

cdef enum:
    HEADER = 2
    RESTART = 100               # conflicts
    POLL = 255                  # conflicts between two looks at the clock
    MOST_GLUE = 64
    BLOCK = 24                  # bytes that an allocation costs beside what it holds


# --- Memory -------------------------------------------------------------------------------------------------


cdef bint begin_sat(Sat* sat, uint64_t max_bytes) noexcept nogil:
    """No variables, no clauses; false if memory does not allow it."""
    memset(sat, 0, sizeof(Sat))
    sat.max_bytes = max_bytes
    sat.max_learnt = 4000       # more of them are forgotten
    sat.increment = 1.0
    sat.used = 1                # 0 means no clause
    return grow(sat, 256) and grow_arena(sat, 1 << 16)


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
    memset(sat, 0, sizeof(Sat))


cdef void* resized(Sat* sat, void* block, uint64_t before, uint64_t after, uint64_t size) noexcept nogil:
    """``block`` with room for more, cleared; the old one, with ``full`` set, if memory does not allow it.

    Everything that grows is allocated here. Old and new block may be there at one time, so that both have to
    fit.
    """
    cdef void* wider
    if sat.bytes + after * size + BLOCK > sat.max_bytes:
        sat.full = True
        return block
    wider = realloc(block, after * size)
    if wider == NULL:
        sat.full = True
        return block
    memset(<uint8_t*>wider + before * size, 0, (after - before) * size)
    sat.bytes += (after - before) * size + (BLOCK if block == NULL else 0)
    return wider


cdef bint grow(Sat* sat, int room) noexcept nogil:
    """Room for so many variables."""
    cdef int before = sat.room
    sat.watches = <Watches*>resized(sat, sat.watches, 2 * before, 2 * room, sizeof(Watches))
    sat.value = <int8_t*>resized(sat, sat.value, 2 * before, 2 * room, 1)
    sat.level = <int32_t*>resized(sat, sat.level, before, room, sizeof(int32_t))
    sat.reason = <uint32_t*>resized(sat, sat.reason, before, room, sizeof(uint32_t))
    sat.trail = <Literal*>resized(sat, sat.trail, before, room, sizeof(Literal))
    sat.level_at = <int32_t*>resized(sat, sat.level_at, 2 * before, 2 * room, sizeof(int32_t))
    sat.activity = <double*>resized(sat, sat.activity, before, room, sizeof(double))
    sat.heap = <int32_t*>resized(sat, sat.heap, before, room, sizeof(int32_t))
    sat.heap_place = <int32_t*>resized(sat, sat.heap_place, before, room, sizeof(int32_t))
    sat.phase = <uint8_t*>resized(sat, sat.phase, before, room, 1)
    sat.seen = <uint8_t*>resized(sat, sat.seen, before, room, 1)
    sat.model = <uint8_t*>resized(sat, sat.model, before, room, 1)
    sat.stamp = <uint32_t*>resized(sat, sat.stamp, 2 * before, 2 * room, sizeof(uint32_t))
    if sat.full:
        return False
    sat.room = room
    return True


cdef bint grow_arena(Sat* sat, uint64_t room) noexcept nogil:
    if room >> 32:              # places are numbers of 32 bits
        sat.full = True
        return False
    sat.arena = <uint32_t*>resized(sat, sat.arena, sat.arena_room, room, sizeof(uint32_t))
    if sat.full:
        return False
    sat.arena_room = room
    return True


cdef bint push_literal(Sat* sat, Literals* list, Literal literal) noexcept nogil:
    """Append; false, with ``full`` set, if memory does not allow it."""
    cdef uint32_t room
    if list.count == list.room:
        room = 2 * list.room if list.room else 64
        list.literal = <Literal*>resized(sat, list.literal, list.room, room, sizeof(Literal))
        if sat.full:
            return False
        list.room = room
    list.literal[list.count] = literal
    list.count += 1
    return True


cdef int add_variable(Sat* sat) noexcept nogil:
    """The number of a new variable, which is tried false first; -1 if memory runs out."""
    cdef int variable = sat.variables
    if sat.full or (variable == sat.room and not grow(sat, 2 * sat.room)):
        return -1
    sat.variables += 1
    sat.heap_place[variable] = -1
    insert(sat, variable)
    return variable


# --- The heap of open variables -----------------------------------------------------------------------------


cdef inline void sift_up(Sat* sat, int place) noexcept nogil:
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


cdef inline void insert(Sat* sat, int variable) noexcept nogil:
    if sat.heap_place[variable] < 0:
        sat.heap[sat.held] = variable
        sat.held += 1
        sift_up(sat, sat.held - 1)


cdef int take_first(Sat* sat) noexcept nogil:
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
    cdef int i
    sat.activity[variable] += sat.increment
    if sat.activity[variable] > 1e100:
        for i in range(sat.variables):
            sat.activity[i] *= 1e-100
        sat.increment *= 1e-100
    if sat.heap_place[variable] >= 0:
        sift_up(sat, sat.heap_place[variable])


# --- Clauses ------------------------------------------------------------------------------------------------


cdef void watch(Sat* sat, Literal literal, uint32_t clause, Literal blocker) noexcept nogil:
    cdef Watches* list = &sat.watches[literal ^ 1]
    cdef uint32_t room
    if list.count == list.room:
        room = 2 * list.room if list.room else 8
        list.watch = <Watch*>resized(sat, list.watch, list.room, room, sizeof(Watch))
        if sat.full:
            return
        list.room = room
    list.watch[list.count].clause = clause
    list.watch[list.count].blocker = blocker
    list.count += 1


cdef uint32_t store(Sat* sat, const Literal* literals, int count, int glue) noexcept nogil:
    """Add a clause of two literals or more; its place, 0 if memory runs out."""
    cdef uint32_t place = sat.used
    while sat.used + HEADER + count > sat.arena_room:
        if not grow_arena(sat, 2 * sat.arena_room):
            return 0
    sat.arena[place] = count
    sat.arena[place + 1] = glue
    memcpy(sat.arena + place + HEADER, literals, count * sizeof(Literal))
    sat.used += HEADER + count
    watch(sat, literals[0], place, literals[1])
    watch(sat, literals[1], place, literals[0])
    sat.learnt += glue > 0
    return place


cdef void add_clause(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Add a clause; without literals that are true it is always false."""
    cdef int i, j
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
    if sat.clause.count == 0:
        sat.refuted = True
    elif sat.clause.count == 1:
        assign(sat, sat.clause.literal[0], 0)
        if propagate(sat) != 0:
            sat.refuted = True
    else:
        store(sat, sat.clause.literal, sat.clause.count, 0)


cdef void forget(Sat* sat) noexcept nogil:
    """Give up half of the learnt clauses, those of most glue; at level 0."""
    cdef uint64_t counts[MOST_GLUE + 1]
    cdef uint64_t place = 1, to = 1, kept = 0
    cdef uint32_t size, glue, most = MOST_GLUE
    cdef int i
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
        if glue < most and not is_satisfied(sat, <Literal*>sat.arena + place + HEADER, size):
            for i in range(<int>size + HEADER):
                sat.arena[to + i] = sat.arena[place + i]
            watch(sat, sat.arena[to + HEADER], to, sat.arena[to + HEADER + 1])
            watch(sat, sat.arena[to + HEADER + 1], to, sat.arena[to + HEADER])
            to += HEADER + size
            sat.learnt += glue > 0
        place += HEADER + size
    sat.used = to
    sat.max_learnt += 500


cdef bint is_satisfied(const Sat* sat, const Literal* literals, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        if sat.value[literals[i]] > 0:
            return True
    return False


# --- The trail ----------------------------------------------------------------------------------------------


cdef inline void assign(Sat* sat, Literal literal, uint32_t reason) noexcept nogil:
    invariant(sat.value[literal] == 0 and sat.assigned < sat.variables)
    sat.value[literal] = 1
    sat.value[literal ^ 1] = -1
    sat.level[literal >> 1] = sat.levels
    sat.reason[literal >> 1] = reason
    sat.trail[sat.assigned] = literal
    sat.assigned += 1


cdef void back_to(Sat* sat, int level) noexcept nogil:
    """Take back all above ``level``."""
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
    sat.levels = level


cdef inline void open_level(Sat* sat) noexcept nogil:
    invariant(sat.levels < 2 * sat.room)
    sat.level_at[sat.levels] = sat.assigned
    sat.levels += 1


cdef uint32_t propagate(Sat* sat) noexcept nogil:
    """Assign what follows; the place of a clause that is false then, or 0."""
    cdef Literal literal, false_one, first
    cdef Literal* literals
    cdef Watches* list
    cdef uint32_t i, j, k, size, clause
    while sat.propagated < sat.assigned:
        literal = sat.trail[sat.propagated]
        sat.propagated += 1
        false_one = literal ^ 1
        list = &sat.watches[literal]
        i = j = 0
        while i < list.count:
            if sat.value[list.watch[i].blocker] > 0:
                list.watch[j] = list.watch[i]
                i += 1
                j += 1
                continue
            clause = list.watch[i].clause
            i += 1
            size = sat.arena[clause]
            literals = <Literal*>sat.arena + clause + HEADER
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
                    while i < list.count:
                        list.watch[j] = list.watch[i]
                        i += 1
                        j += 1
                    list.count = j
                    return clause
                assign(sat, first, clause)
        list.count = j
    return 0


# --- Learning -----------------------------------------------------------------------------------------------


cdef bint learn(Sat* sat, uint32_t conflict) noexcept nogil:
    """Work out the clause that a conflict teaches, go back and assert it; false if memory runs out."""
    cdef Literals* clause = &sat.clause
    cdef const Literal* literals
    cdef Literal literal = -1
    cdef uint32_t i, j, size, place
    cdef int waiting = 0, at = sat.assigned, variable, level
    clause.count = 0
    if not push_literal(sat, clause, 0):
        return False
    while True:
        size = sat.arena[conflict]
        literals = <Literal*>sat.arena + conflict + HEADER
        for i in range(0 if literal < 0 else 1, size):
            variable = literals[i] >> 1
            if sat.seen[variable] or sat.level[variable] == 0:
                continue
            sat.seen[variable] = True
            bump(sat, variable)
            if sat.level[variable] == sat.levels:
                waiting += 1
            elif not push_literal(sat, clause, literals[i]):
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
    clause.literal[0] = literal ^ 1
    sat.core.count = 0
    for i in range(clause.count):
        if not push_literal(sat, &sat.core, clause.literal[i]):
            return False
    j = 1
    for i in range(1, clause.count):
        if not is_implied(sat, clause.literal[i]):
            clause.literal[j] = clause.literal[i]
            j += 1
    clause.count = j
    for i in range(sat.core.count):
        sat.seen[sat.core.literal[i] >> 1] = False
    sat.increment /= 0.95
    if clause.count == 1:
        back_to(sat, 0)
        assign(sat, clause.literal[0], 0)
        return True
    level = 0
    for i in range(1, clause.count):
        if sat.level[clause.literal[i] >> 1] > level:
            level = sat.level[clause.literal[i] >> 1]
            j = i
    literal = clause.literal[1]
    clause.literal[1] = clause.literal[j]
    clause.literal[j] = literal
    size = glue_of(sat)
    back_to(sat, level)
    place = store(sat, clause.literal, clause.count, size)
    if place == 0:
        return False
    assign(sat, clause.literal[0], place)
    return True


cdef bint is_implied(const Sat* sat, Literal literal) noexcept nogil:
    """Whether a literal of the clause learnt follows from the others at once."""
    cdef uint32_t reason = sat.reason[literal >> 1], i
    cdef int variable
    if reason == 0:
        return False
    for i in range(1, sat.arena[reason]):
        variable = <Literal>sat.arena[reason + HEADER + i] >> 1
        if not sat.seen[variable] and sat.level[variable] > 0:
            return False
    return True


cdef int glue_of(Sat* sat) noexcept nogil:
    """The number of levels that the clause learnt joins."""
    cdef uint32_t i
    cdef int level, glue = 0
    sat.stamped += 1
    for i in range(sat.clause.count):
        level = sat.level[sat.clause.literal[i] >> 1]
        if sat.stamp[level] != sat.stamped:
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


# --- The search ---------------------------------------------------------------------------------------------


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
    cdef uint64_t restarts = 0, left, last = sat.conflicts + conflicts
    cdef uint32_t conflict
    cdef Literal literal
    cdef int i
    back_to(sat, 0)
    sat.core.count = 0
    if sat.full:
        return UNKNOWN
    if sat.refuted:
        return REFUTED
    left = 0
    while not sat.full:
        conflict = propagate(sat)
        if conflict != 0:
            sat.conflicts += 1
            if sat.levels == 0:
                sat.refuted = True
                sat.core.count = 0
                return REFUTED
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
        if sat.levels < count:
            literal = assumptions[sat.levels]
            if sat.value[literal] < 0:
                find_core(sat, literal)
                if sat.full:
                    break
                return REFUTED
            open_level(sat)
            if sat.value[literal] == 0:
                assign(sat, literal, 0)
            continue
        literal = next_decision(sat)
        if literal < 0:
            for i in range(sat.variables):
                sat.model[i] = sat.value[2 * i] > 0
            return SATISFIED
        open_level(sat)
        assign(sat, literal, 0)
    back_to(sat, 0)
    return UNKNOWN


cdef Literal next_decision(Sat* sat) noexcept nogil:
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
    if max((abs(number) for clause in [*clauses, assumptions] for number in clause), default=0) > variables:
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
