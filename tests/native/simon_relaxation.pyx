"""Test hook: depth-first search through the relaxation R1 of `class_moves`, to compare others with it.

A win found in it proves nothing. The portfolio has R0 of `relaxation_loose`, which needs fewer states.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from winnable.solver.core.kernel cimport Kernel, may_expand
from winnable.solver.simon.class_moves cimport ALL, Generator, Plan, generate_successors
from winnable.solver.simon.classes cimport Class, Layout, class_of, pack, read_layout, unpack
from winnable.solver.simon.common cimport MAX_PACKED
from winnable.solver.simon.relaxation_loose cimport (
    Proof, add_waiting, begin_proof, free_proof, new_record, open_proof, take_waiting,
)

from winnable.rules import check_family, simon as rules


cdef bint keep_state(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Keep a new state for later; false ends the search."""
    cdef Relaxation* relaxation = <Relaxation*>context
    cdef uint8_t* record
    if child.stems == 0:
        relaxation.won = True
        return False
    record = new_record(&relaxation.proof, child.low, child.high, MAX_PACKED)
    if record != NULL:
        add_waiting(&relaxation.proof, pack(child, record))
    return not relaxation.proof.full


cdef struct Relaxation:
    Generator generator
    Proof proof
    bint won


cdef class RelaxationSearch(Kernel):
    """A search through R1 within ``limits``."""

    cdef Layout layout
    cdef Relaxation relaxation

    def __init__(self, limits):
        self.set_limits(limits)
        memset(&self.relaxation, 0, sizeof(Relaxation))

    def __dealloc__(self):
        free_proof(&self.relaxation.proof)

    def wins(self, state):
        """Return True if R1 wins ``state``, False if it has no win, and None if a limit ended the search."""
        cdef Class root
        check_family(state, rules)
        read_layout(&self.layout, state)
        class_of(&root, &self.layout, self.layout.card, self.layout.size)
        self.begin()
        if root.stems == 0:
            return True
        if not open_proof(&self.relaxation.proof, self.max_bytes) or not begin_proof(&self.relaxation.proof):
            return None
        return self.exhaust(&root)

    cdef object exhaust(self, Class* state):
        cdef Proof* proof = &self.relaxation.proof
        cdef int length
        self.relaxation.won = False
        keep_state(&self.relaxation, state, NULL)
        while proof.used > 0 and not self.relaxation.won and not proof.full:
            if not may_expand(self):
                return None
            unpack(state, take_waiting(proof, &length))
            generate_successors(
                &self.relaxation.generator, &self.layout, state, True, ALL, 0, keep_state, &self.relaxation
            )
            if self.relaxation.generator.fault:
                raise RuntimeError("a state of the relaxation had more segments than there are cards")
        if self.relaxation.won:
            return True
        return None if proof.full else False
