"""What a depth-first search that looks for a proof holds: states known, states not expanded yet, dead states.

When such a search ends without a win, all of its states lead nowhere: they are *dead*, for as long as the
layout is the same, since keys do not tell what was dealt or what left.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, realloc

from .mixing cimport without_top_bit
from ..core.table cimport NO_MEMORY, Entry, table_bytes, table_free, table_insert, table_reset

cdef enum:
    FIRST_ROOM = 65536


cdef bint open_proof(Proof* proof, uint64_t max_bytes) noexcept nogil:
    """Begin a new layout, of which nothing is dead yet; false if memory does not allow it. ``proof`` is zero
    or was opened before."""
    proof.max_bytes = max_bytes
    proof.used = 0
    if not table_reset(&proof.known, max_bytes // 2) or not table_reset(&proof.dead, max_bytes // 4):
        return False
    return proof.room > 0 or grow_proof(proof)


cdef bint begin_proof(Proof* proof) noexcept nogil:
    """Begin a search from another state of the same layout; false if memory does not allow it."""
    proof.full = False
    proof.used = 0
    return table_reset(&proof.known, proof.max_bytes // 2)


cdef void free_proof(Proof* proof) noexcept nogil:
    """Give the memory back."""
    table_free(&proof.known)
    table_free(&proof.dead)
    free(proof.waiting)
    proof.waiting = NULL
    proof.room = 0


cdef uint64_t proof_bytes(const Proof* proof) noexcept nogil:
    """What is held."""
    return table_bytes(&proof.known) + table_bytes(&proof.dead) + proof.room


cdef bint grow_proof(Proof* proof) noexcept nogil:
    """Make more room for records that wait; false if memory does not allow it."""
    cdef uint64_t room = 2 * proof.room if proof.room else FIRST_ROOM
    cdef void* block
    if room + proof.room > proof.max_bytes // 4:
        return False
    block = realloc(proof.waiting, room)
    if block == NULL:
        return False
    proof.waiting = <uint8_t*>block
    proof.room = room
    return True


cdef void keep_dead(Proof* proof) noexcept nogil:
    """Add the known states to the dead ones, as far as memory allows."""
    cdef uint64_t i
    cdef Entry state
    for i in range(proof.known.mask + 1):
        state = proof.known.entries[i]
        if state.high != 0 and table_insert(&proof.dead, state.low, without_top_bit(state.high)) == NO_MEMORY:
            return
