"""The states met by a best-first search: nodes in chunks, the set of their keys, bucket queues through them.

A node is in every queue; the first one that takes it out expands it. Keys are compared whole: a set of hashes
only finds the nodes. Open addressing, linear probing, at most two thirds full.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

cdef enum:
    FIRST_SLOTS = 4096
    KEPT_SLOTS = 262144     # a larger set and more chunks are given back before the next deal
    KEPT_CHUNKS = 32
    KEPT_BELOW = 4          # and all of it, if the limit is less than so many times what may be kept
    MOST_NODES = 0xFFFFFFE


cdef uint64_t classes_bytes(const ClassNodes* nodes) noexcept nogil:
    """What is allocated."""
    return (nodes.chunk_count * <uint64_t>CHUNK * sizeof(ClassNode) + nodes.chunk_room * sizeof(ClassNode*)
            + nodes.allocated * sizeof(uint64_t))


cdef bint reset_classes(ClassNodes* nodes, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that.

    What is kept of earlier deals must not decide where a limit bites: it is all in use long before, or gone.
    """
    cdef uint64_t most_kept = (KEPT_CHUNKS * <uint64_t>CHUNK * sizeof(ClassNode)
                               + KEPT_SLOTS * sizeof(uint64_t))
    nodes.max_bytes = max_bytes
    if nodes.allocated > KEPT_SLOTS or nodes.chunk_count > KEPT_CHUNKS or max_bytes < KEPT_BELOW * most_kept:
        free_classes(nodes)
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
    nodes.highest[0] = nodes.highest[1] = -1
    return make_room_for_class(nodes) and classes_bytes(nodes) <= max_bytes


cdef void free_classes(ClassNodes* nodes) noexcept nogil:
    """Give the memory back."""
    cdef uint32_t i
    for i in range(nodes.chunk_count):
        free(nodes.chunks[i])
    free(nodes.chunks)
    free(nodes.slots)
    nodes.chunks = NULL
    nodes.slots = NULL
    nodes.chunk_count = nodes.chunk_room = 0
    nodes.allocated = 0


cdef bint make_room_for_class(ClassNodes* nodes) noexcept nogil:
    """Allocate what one more node needs; false, with nothing changed, if memory does not allow it."""
    if nodes.count >= MOST_NODES:
        return False
    if 3 * <uint64_t>nodes.count >= 2 * nodes.mask and not grow_slots(nodes):
        return False
    return nodes.count < nodes.chunk_count * CHUNK or add_chunk(nodes)


cdef bint add_chunk(ClassNodes* nodes) noexcept nogil:
    """Allocate more nodes; false, with nothing changed, if memory does not allow it."""
    cdef void* block
    cdef uint32_t room = nodes.chunk_room
    if classes_bytes(nodes) + CHUNK * sizeof(ClassNode) + 2 * room * sizeof(ClassNode*) > nodes.max_bytes:
        return False
    if nodes.chunk_count == room:
        room = 2 * room if room else 16
        block = realloc(nodes.chunks, room * sizeof(ClassNode*))
        if block == NULL:
            return False
        nodes.chunks = <ClassNode**>block
        nodes.chunk_room = room
    block = malloc(CHUNK * sizeof(ClassNode))
    if block == NULL:
        return False
    nodes.chunks[nodes.chunk_count] = <ClassNode*>block
    nodes.chunk_count += 1
    return True


cdef bint grow_slots(ClassNodes* nodes) noexcept nogil:
    """Double the slots in use."""
    cdef uint64_t held = nodes.mask + 1, i, slot
    cdef uint64_t* grown
    if classes_bytes(nodes) + 2 * held * sizeof(uint64_t) > nodes.max_bytes:
        return False
    grown = <uint64_t*>calloc(2 * held, sizeof(uint64_t))
    if grown == NULL:
        return False
    for i in range(held):
        if nodes.slots[i]:
            slot = nodes.slots[i] >> 28 & (2 * held - 1)
            while grown[slot]:
                slot = slot + 1 & (2 * held - 1)
            grown[slot] = nodes.slots[i]
    free(nodes.slots)
    nodes.slots = grown
    nodes.mask = 2 * held - 1
    nodes.allocated = 2 * held
    return True
