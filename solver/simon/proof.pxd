"""The states of a search that looks for a proof; see proof.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from .mixing cimport without_top_bit
from ..core.table cimport KNOWN, NO_MEMORY, Table, table_find, table_insert, tagged

cdef struct Proof:
    Table known         # the states of the present search
    Table dead          # states proved to have no win; of one layout only
    uint8_t* waiting    # records of states not expanded yet, each followed by its length in two bytes
    uint64_t used
    uint64_t room
    uint64_t max_bytes
    bint full           # memory did not allow something

cdef bint open_proof(Proof* proof, uint64_t max_bytes) noexcept nogil
cdef bint begin_proof(Proof* proof) noexcept nogil
cdef void free_proof(Proof* proof) noexcept nogil
cdef uint64_t proof_bytes(const Proof* proof) noexcept nogil
cdef bint grow_proof(Proof* proof) noexcept nogil
cdef void keep_dead(Proof* proof) noexcept nogil


cdef inline bint is_dead(const Proof* proof, uint64_t low, uint64_t high) noexcept nogil:
    """Whether the state of a key is proved to have no win."""
    return proof.dead.entries[table_find(&proof.dead, low, tagged(high))].high != 0


cdef inline uint8_t* new_record(
    Proof* proof, uint64_t low, uint64_t high, uint64_t most
) noexcept nogil:
    """Where the record of a state goes, of up to ``most`` bytes, if it is to be expanded; else NULL: it is
    known or dead, or memory ran out and ``full`` is set. `add_waiting` has to follow."""
    cdef int added
    if is_dead(proof, low, high):
        return NULL
    added = table_insert(&proof.known, low, without_top_bit(high))
    if added == KNOWN:
        return NULL
    if added == NO_MEMORY or (proof.used + most + 2 > proof.room and not grow_proof(proof)):
        proof.full = True
        return NULL
    return proof.waiting + proof.used


cdef inline void add_waiting(Proof* proof, int length) noexcept nogil:
    """Let the record that was written where `new_record` said wait, with its length in bytes."""
    cdef uint16_t held = length
    memcpy(proof.waiting + proof.used + length, &held, 2)
    proof.used += length + 2


cdef inline const uint8_t* take_waiting(Proof* proof, int* length) noexcept nogil:
    """Take the last record that waits; there must be one. It stays there until the next is written."""
    cdef uint16_t held
    memcpy(&held, proof.waiting + proof.used - 2, 2)
    proof.used -= held + 2
    length[0] = held
    return proof.waiting + proof.used
