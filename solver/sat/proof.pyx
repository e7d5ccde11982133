"""Proof log: given and derived clauses with unit-propagation hints, as in LRAT.

Clauses are numbered from 1 in the order in which they come. A derived clause lists the numbers of those that
show it by unit propagation: with all literals of the new clause false, each in turn has exactly one literal
that is not false yet, and the last has none (L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann,
P. Schneider-Kamp, "Efficient certified RAT verification", 2017). A literal assigned at level 0 becomes a
clause of one literal as soon as it is needed.

A note is a sequence of numbers: kind, count of literals, literals, count of hints, hints. Notes other than
clauses are not numbered.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free

from .propagation cimport Proof, double_room, literals_of, widen

cdef enum:
    NEEDED = 1          # marks of variables: the clause has to say why it is assigned
    ASSUMED = 2         # it is in the clause


cdef bint begin_proof(Sat* sat) noexcept nogil:
    """Log all clauses from now on; there must be none yet. False if memory does not allow it."""
    if not widen(sat, &sat.proof, 0, 1, sizeof(Proof)):
        return False
    sat.proof.kind = STATED
    return True


cdef void free_proof(Sat* sat) noexcept nogil:
    if sat.proof != NULL:
        free(sat.proof.note)
        free(sat.proof.number_at)
        free(sat.proof.unit)
        free(sat.proof.mark)
        free(sat.proof.hint)
        free(sat.proof)


cdef bint write(Sat* sat, int32_t number) noexcept nogil:
    """Append to the notes; false if memory runs out."""
    cdef Proof* proof = sat.proof
    cdef uint64_t room
    if proof.written == proof.note_room:
        room = 2 * proof.note_room if proof.note_room else 4096
        if not widen(sat, &proof.note, proof.note_room, room, sizeof(int32_t)):
            return False
        proof.note_room = room
    proof.note[proof.written] = number
    proof.written += 1
    return True


cdef bint write_literals(Sat* sat, int kind, const Literal* literals, int count) noexcept nogil:
    """Begin a note; false if memory runs out."""
    cdef int i
    if not write(sat, kind) or not write(sat, count):
        return False
    for i in range(count):
        if not write(sat, literals[i]):
            return False
    return True


cdef uint32_t end_clause(Sat* sat, int hints) noexcept nogil:
    """End the note of a clause that follows from the last ``hints`` pushed, the last first; its number."""
    cdef int i
    write(sat, hints)
    for i in range(hints - 1, -1, -1):
        write(sat, sat.proof.hint[i])
    sat.proof.clauses += 1
    return sat.proof.clauses


cdef void push_hint(Sat* sat, int* hints, uint32_t number) noexcept nogil:
    """Have a clause follow from one more."""
    cdef Proof* proof = sat.proof
    if (<uint32_t>hints[0] == proof.hint_room
            and not double_room(sat, &proof.hint, &proof.hint_room, 256, sizeof(uint32_t))):
        return
    proof.hint[hints[0]] = number
    hints[0] += 1


cdef bint fit_variables(Sat* sat) noexcept nogil:
    """Have room for what is noted of each variable; false if memory does not allow it."""
    cdef Proof* proof = sat.proof
    if proof.variables < sat.room:
        if not (
            widen(sat, &proof.unit, proof.variables, sat.room, sizeof(uint32_t))
            and widen(sat, &proof.mark, proof.variables, sat.room, sizeof(uint8_t))
        ):
            return False
        proof.variables = sat.room
    return True


# --- Clauses ------------------------------------------------------------------------------------------------

cdef uint32_t note_given(Sat* sat, const Literal* literals, int count) noexcept nogil:
    """Note a clause that nothing is said for; its number."""
    write_literals(sat, sat.proof.kind, literals, count)
    return end_clause(sat, 0)


cdef uint32_t note_shortened(Sat* sat, uint32_t number, const Literal* literals, int count) noexcept nogil:
    """Note what is left of a clause, ``sat.clause``, after its literals that are false for ever; its number,
    that of the clause itself if there are none."""
    cdef int hints = 0, i
    note_units(sat)
    push_hint(sat, &hints, number)
    for i in range(count):
        if sat.value[literals[i]] < 0 and not is_among(literals, i, literals[i]):
            push_hint(sat, &hints, sat.proof.unit[literals[i] >> 1])
    if hints == 1 or sat.full:
        return number
    write_literals(sat, DERIVED, sat.clause.literal, sat.clause.count)
    return end_clause(sat, hints)


cdef bint is_among(const Literal* literals, int count, Literal literal) noexcept nogil:
    cdef int i
    for i in range(count):
        if literals[i] == literal:
            return True
    return False


cdef void note_units(Sat* sat) noexcept nogil:
    """Note what was assigned for ever since the last time, each as a clause."""
    cdef Proof* proof = sat.proof
    cdef int end = sat.level_at[0] if sat.levels > 0 else sat.assigned, hints
    cdef uint32_t reason, i
    cdef Literal literal
    if not fit_variables(sat):
        return
    while proof.units < end and not sat.full:
        literal = sat.trail[proof.units]
        proof.units += 1
        reason = sat.reason[literal >> 1]
        if reason == 0:
            continue
        hints = 0
        push_hint(sat, &hints, proof.number_at[reason])
        for i in range(1, sat.arena[reason]):
            push_hint(sat, &hints, proof.unit[literals_of(sat, reason)[i] >> 1])
        if sat.full:
            return
        write_literals(sat, DERIVED, &literal, 1)
        proof.unit[literal >> 1] = end_clause(sat, hints)


cdef uint32_t note_derived(Sat* sat, uint32_t conflict, const Literals* clause) noexcept nogil:
    """Note a clause that holds, as the one at ``conflict`` is false if all its literals are; its number."""
    cdef Proof* proof = sat.proof
    cdef const Literal* literals = literals_of(sat, conflict)
    cdef uint32_t i, reason, variable
    cdef int at = sat.assigned, hints = 0
    note_units(sat)
    if sat.full:
        return 0
    for i in range(clause.count):
        proof.mark[clause.literal[i] >> 1] = ASSUMED
    push_hint(sat, &hints, proof.number_at[conflict])
    mark_needed(sat, literals, sat.arena[conflict])
    while at > 0:
        at -= 1
        variable = sat.trail[at] >> 1
        if proof.mark[variable] != NEEDED:
            continue
        proof.mark[variable] = 0
        if sat.level[variable] == 0:
            push_hint(sat, &hints, proof.unit[variable])
            continue
        reason = sat.reason[variable]
        push_hint(sat, &hints, proof.number_at[reason])
        mark_needed(sat, literals_of(sat, reason) + 1, sat.arena[reason] - 1)
    for i in range(clause.count):
        proof.mark[clause.literal[i] >> 1] = 0
    if sat.full:
        return 0
    write_literals(sat, DERIVED, clause.literal, clause.count)
    return end_clause(sat, hints)


cdef inline void mark_needed(Sat* sat, const Literal* literals, uint32_t count) noexcept nogil:
    """Mark the variables of some literals, unless they are marked."""
    cdef uint32_t i
    for i in range(count):
        if sat.proof.mark[literals[i] >> 1] == 0:
            sat.proof.mark[literals[i] >> 1] = NEEDED


cdef void note_refutation(Sat* sat, uint32_t conflict) noexcept nogil:
    """Note the clause without literals, since the clause at a place is false for ever."""
    cdef Literals nothing
    nothing.count = 0
    sat.proof.refutation = note_derived(sat, conflict, &nothing)


# --- What is no clause --------------------------------------------------------------------------------------

cdef void note_core(Sat* sat, const Literal* costs, int count) noexcept nogil:
    """Note that the last refutation counts as a core of these costs."""
    write_literals(sat, CORE, costs, count)
    write(sat, 1)
    write(sat, sat.proof.refutation)


cdef void note_sum(Sat* sat, int core, int first, int count, int least, Literal literal) noexcept nogil:
    """Note what a literal means: of ``count`` costs of a core, from ``first`` on, ``least`` are true."""
    cdef Literal numbers[5]
    numbers[0] = literal
    numbers[1] = core
    numbers[2] = first
    numbers[3] = count
    numbers[4] = least
    write_literals(sat, SUM, numbers, 5)
    write(sat, 0)


# --- Numbers ------------------------------------------------------------------------------------------------

cdef void name_clause(Sat* sat, uint32_t place, uint32_t number) noexcept nogil:
    """Remember the number of the clause at a place of the arena."""
    cdef Proof* proof = sat.proof
    if proof.places < sat.arena_room:
        if not widen(sat, &proof.number_at, proof.places, sat.arena_room, sizeof(uint32_t)):
            return
        proof.places = sat.arena_room
    proof.number_at[place] = number


cdef void name_unit(Sat* sat, Literal literal, uint32_t number) noexcept nogil:
    """Remember the number of the clause that has this one literal."""
    if fit_variables(sat):
        sat.proof.unit[literal >> 1] = number
