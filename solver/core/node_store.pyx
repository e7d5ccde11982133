"""The nodes of a best-first search, in chunks that stay where they are, and the set of their keys.

What a node is, what stands in a slot of the set and how the nodes are queued is the search's. Open
addressing, linear probing, at most two thirds full.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from .memory cimport resize

cdef enum:
    FIRST_SLOTS = 4096
    KEPT_SLOTS = 262144     # a larger set and more chunks are given back before the next deal
    KEPT_CHUNKS = 32
    KEPT_BELOW = 4          # and all of it, if the limit is less than so many times what may be kept


cdef uint64_t store_bytes(const NodeStore* store) noexcept nogil:
    """What is allocated."""
    return (store.chunk_count * <uint64_t>CHUNK * store.node_size + store.chunk_room * sizeof(void*)
            + store.allocated * sizeof(uint64_t))


cdef bint reset_store(
    NodeStore* store, uint32_t node_size, uint32_t most_nodes, HashOfSlot hash_of, uint64_t max_bytes
) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that.

    What is kept of earlier deals must not decide where a limit bites: it is all in use long before, or gone.
    """
    cdef uint64_t most_kept = KEPT_CHUNKS * <uint64_t>CHUNK * node_size + KEPT_SLOTS * sizeof(uint64_t)
    store.node_size = node_size
    store.most_nodes = most_nodes
    store.hash_of = hash_of
    store.max_bytes = max_bytes
    store.count = 0
    if store.allocated > KEPT_SLOTS or store.chunk_count > KEPT_CHUNKS or max_bytes < KEPT_BELOW * most_kept:
        free_store(store)
    if store.slots == NULL:
        store.slots = <uint64_t*>calloc(FIRST_SLOTS, sizeof(uint64_t))
        if store.slots == NULL:
            return False
        store.allocated = FIRST_SLOTS
    else:
        memset(store.slots, 0, FIRST_SLOTS * sizeof(uint64_t))
    store.mask = FIRST_SLOTS - 1
    return make_room_for_node(store) and store_bytes(store) <= max_bytes


cdef void free_store(NodeStore* store) noexcept nogil:
    """Give the memory back."""
    cdef uint32_t i
    for i in range(store.chunk_count):
        free(store.chunks[i])
    free(store.chunks)
    free(store.slots)
    store.chunks = NULL
    store.slots = NULL
    store.chunk_count = store.chunk_room = store.count = 0
    store.allocated = 0


cdef bint make_room_for_node(NodeStore* store) noexcept nogil:
    """Allocate what one more node needs; false, with nothing changed, if memory does not allow it."""
    if store.count >= store.most_nodes:
        return False
    if 3 * <uint64_t>store.count >= 2 * store.mask and not grow_slots(store):
        return False
    return store.count < store.chunk_count * CHUNK or add_chunk(store)


cdef bint add_chunk(NodeStore* store) noexcept nogil:
    """Allocate more nodes; false, with nothing changed, if memory does not allow it."""
    cdef uint32_t room = store.chunk_room
    cdef uint64_t more = CHUNK * <uint64_t>store.node_size + 2 * room * sizeof(void*)
    if store_bytes(store) + more > store.max_bytes:
        return False
    if store.chunk_count == room:
        room = 2 * room if room else 16
        if not resize(&store.chunks, room, sizeof(void*)):
            return False
        store.chunk_room = room
    store.chunks[store.chunk_count] = malloc(CHUNK * <uint64_t>store.node_size)
    if store.chunks[store.chunk_count] == NULL:
        return False
    store.chunk_count += 1
    return True


cdef bint grow_slots(NodeStore* store) noexcept nogil:
    """Double the slots in use."""
    cdef uint64_t held = store.mask + 1, i, slot
    cdef uint64_t* grown
    if store_bytes(store) + 2 * held * sizeof(uint64_t) > store.max_bytes:
        return False
    grown = <uint64_t*>calloc(2 * held, sizeof(uint64_t))
    if grown == NULL:
        return False
    for i in range(held):
        if store.slots[i]:
            slot = store.hash_of(store.slots[i]) & (2 * held - 1)
            while grown[slot]:
                slot = slot + 1 & (2 * held - 1)
            grown[slot] = store.slots[i]
    free(store.slots)
    store.slots = grown
    store.mask = 2 * held - 1
    store.allocated = 2 * held
    return True
