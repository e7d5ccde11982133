"""The states met by the search without jokers: nodes in chunks, the set of their keys, a bucket queue.

The set holds whole keys, so looking one up reads no node. Open addressing, linear probing, at most two thirds
full.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..core.memory cimport resize

cdef enum:
    FIRST_SLOTS = 4096
    KEPT_SLOTS = 262144     # a larger set and more chunks are given back before the next deal
    KEPT_CHUNKS = 32
    KEPT_BELOW = 4          # and all of it, if the limit is less than so many times what may be kept
    MOST_NODES = 0xFFFFFFFE


cdef uint64_t klondike_bytes(const KlondikeNodes* nodes) noexcept nogil:
    """What is allocated."""
    return (nodes.chunk_count * <uint64_t>CHUNK * sizeof(KlondikeNode)
            + nodes.chunk_room * sizeof(KlondikeNode*) + nodes.allocated * sizeof(uint64_t))


cdef bint reset_klondike(KlondikeNodes* nodes, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that.

    What is kept of earlier deals must not decide where a limit bites: it is all in use long before, or gone.
    """
    cdef uint64_t most_kept = (KEPT_CHUNKS * <uint64_t>CHUNK * sizeof(KlondikeNode)
                               + KEPT_SLOTS * sizeof(uint64_t))
    nodes.max_bytes = max_bytes
    if nodes.allocated > KEPT_SLOTS or nodes.chunk_count > KEPT_CHUNKS or max_bytes < KEPT_BELOW * most_kept:
        free_klondike(nodes)
    if nodes.slots == NULL:
        nodes.slots = <uint64_t*>calloc(FIRST_SLOTS, sizeof(uint64_t))
        if nodes.slots == NULL:
            return False
        nodes.allocated = FIRST_SLOTS
    else:
        memset(nodes.slots, 0, FIRST_SLOTS * sizeof(uint64_t))
    nodes.mask = FIRST_SLOTS - 1
    nodes.count = 0
    memset(nodes.heads, 0, sizeof(nodes.heads))
    nodes.highest = NOTHING_LEFT
    return make_room_for_node(nodes) and klondike_bytes(nodes) <= max_bytes


cdef void free_klondike(KlondikeNodes* nodes) noexcept nogil:
    """Give the memory back."""
    cdef uint32_t i
    for i in range(nodes.chunk_count):
        free(nodes.chunks[i])
    free(nodes.chunks)
    free(nodes.slots)
    nodes.chunks = NULL
    nodes.slots = NULL
    nodes.chunk_count = nodes.chunk_room = nodes.count = 0
    nodes.allocated = 0


cdef bint make_room_for_node(KlondikeNodes* nodes) noexcept nogil:
    """Allocate what one more node needs; false, with nothing changed, if memory does not allow it."""
    if nodes.count >= MOST_NODES:
        return False
    if 3 * <uint64_t>nodes.count >= 2 * nodes.mask and not grow_slots(nodes):
        return False
    return nodes.count < nodes.chunk_count * CHUNK or add_chunk(nodes)


cdef bint add_chunk(KlondikeNodes* nodes) noexcept nogil:
    """Allocate more nodes; false, with nothing changed, if memory does not allow it."""
    cdef uint32_t room = nodes.chunk_room
    cdef uint64_t more = CHUNK * sizeof(KlondikeNode) + 2 * room * sizeof(KlondikeNode*)
    if klondike_bytes(nodes) + more > nodes.max_bytes:
        return False
    if nodes.chunk_count == room:
        room = 2 * room if room else 16
        if not resize(&nodes.chunks, room, sizeof(KlondikeNode*)):
            return False
        nodes.chunk_room = room
    nodes.chunks[nodes.chunk_count] = <KlondikeNode*>malloc(CHUNK * sizeof(KlondikeNode))
    if nodes.chunks[nodes.chunk_count] == NULL:
        return False
    nodes.chunk_count += 1
    return True


cdef bint grow_slots(KlondikeNodes* nodes) noexcept nogil:
    """Double the slots in use."""
    cdef uint64_t held = nodes.mask + 1, i, slot
    cdef uint64_t* grown
    if klondike_bytes(nodes) + 2 * held * sizeof(uint64_t) > nodes.max_bytes:
        return False
    grown = <uint64_t*>calloc(2 * held, sizeof(uint64_t))
    if grown == NULL:
        return False
    for i in range(held):
        if nodes.slots[i]:
            slot = hash_of(nodes.slots[i]) & (2 * held - 1)
            while grown[slot]:
                slot = slot + 1 & (2 * held - 1)
            grown[slot] = nodes.slots[i]
    free(nodes.slots)
    nodes.slots = grown
    nodes.mask = 2 * held - 1
    nodes.allocated = 2 * held
    return True
