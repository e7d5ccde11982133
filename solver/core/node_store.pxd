"""Nodes in chunks, and the set of their keys; see node_store.pyx."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    CHUNK = 4096            # nodes allocated at once: 1 << 12

ctypedef uint64_t (*HashOfSlot)(uint64_t held) noexcept nogil

cdef struct NodeStore:
    void** chunks
    uint32_t chunk_count    # allocated
    uint32_t chunk_room
    uint32_t node_size      # bytes
    uint32_t count          # of nodes
    uint32_t most_nodes
    uint64_t* slots         # what stands for a key, as the search has it, and 0 where there is none
    uint64_t mask           # slots in use - 1
    uint64_t allocated      # slots
    uint64_t max_bytes
    HashOfSlot hash_of      # the place of what a slot holds, by its low bits

cdef bint reset_store(
    NodeStore* store, uint32_t node_size, uint32_t most_nodes, HashOfSlot hash_of, uint64_t max_bytes
) noexcept nogil
cdef void free_store(NodeStore* store) noexcept nogil
cdef bint make_room_for_node(NodeStore* store) noexcept nogil
cdef uint64_t store_bytes(const NodeStore* store) noexcept nogil


cdef inline bint has_room(const NodeStore* store) noexcept nogil:
    """Whether one more node can be stored without more memory."""
    return store.count < store.chunk_count * CHUNK and 3 * <uint64_t>store.count < 2 * store.mask
