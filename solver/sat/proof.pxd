"""Proof log of the SAT solver; see proof.pyx."""

from libc.stdint cimport uint32_t

from .propagation cimport Literal, Literals, Sat

cdef enum Kind:             # of a note
    DERIVED = 0             # a clause that follows from others
    STATED = 1              # a clause that was given, like all that have greater numbers
    COUNTED = 2             # a clause of a totalizer
    CORE = -1               # the costs of which a clause says that one is true
    SUM = -2                # the meaning of an output of a totalizer

cdef bint begin_proof(Sat* sat) noexcept nogil
cdef void free_proof(Sat* sat) noexcept nogil
cdef uint32_t note_given(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef uint32_t note_shortened(Sat* sat, uint32_t number, const Literal* literals, int count) noexcept nogil
cdef uint32_t note_derived(Sat* sat, uint32_t conflict, const Literals* clause) noexcept nogil
cdef bint is_among(const Literal* literals, int count, Literal literal) noexcept nogil
cdef void note_refutation(Sat* sat, uint32_t conflict) noexcept nogil
cdef void note_units(Sat* sat) noexcept nogil
cdef void note_core(Sat* sat, const Literal* costs, int count) noexcept nogil
cdef void note_sum(Sat* sat, int core, int first, int count, int least, Literal literal) noexcept nogil
cdef void name_clause(Sat* sat, uint32_t place, uint32_t number) noexcept nogil
cdef void name_unit(Sat* sat, Literal literal, uint32_t number) noexcept nogil

cdef inline void give_as(Sat* sat, int kind) noexcept nogil:
    """Note clauses that are given from now on as of a kind, if they are noted at all."""
    if sat.proof != NULL:
        sat.proof.kind = kind
