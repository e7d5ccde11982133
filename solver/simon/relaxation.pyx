"""Test hook: depth-first search through the relaxation R1 of `class_moves`.

A win found in it means nothing. The portfolio has the relaxation of `relaxation_loose` instead, which needs
fewer states; this one is there to be compared with it.
"""

from libc.stdint cimport uint64_t, uint8_t

from ..core.kernel cimport Kernel, may_expand
from .class_moves cimport ALL, Plan, generate_successors
from .classes cimport Class, Layout, pack, unpack
from .common cimport FULL, LOST, MAX_PACKED, OPEN, WON, Outcome
from .relaxation_loose cimport Proof, add_waiting, begin_proof, new_record, take_waiting


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


cdef Outcome relax(
    Relaxation* relaxation, Kernel kernel, const Layout* layout, const Class* state, uint64_t nodes
) noexcept nogil:
    """Search from ``state`` on: LOST if there is no win; WON for a win of the relaxation."""
    cdef Proof* proof = &relaxation.proof
    cdef Class parent
    cdef int length
    cdef uint64_t last = kernel.expanded + nodes
    relaxation.won = False
    if not begin_proof(proof):
        return FULL
    parent = state[0]
    keep_state(relaxation, &parent, NULL)
    while proof.used > 0 and not relaxation.won and not proof.full:
        if kernel.expanded >= last or not may_expand(kernel):
            return OPEN
        unpack(&parent, take_waiting(proof, &length))
        relaxation.generator.produced = 0
        generate_successors(&relaxation.generator, layout, &parent, True, ALL, 0, keep_state, relaxation)
        kernel.generated += relaxation.generator.produced
        if relaxation.generator.fault:
            relaxation.fault = True
            return OPEN
    if relaxation.won:
        return WON
    return FULL if proof.full else LOST
