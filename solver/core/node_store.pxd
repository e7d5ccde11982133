"""Nodes in chunks, and the set of their keys; see node_store.pyx."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    CHUNK = 4096            # nodes allocated at once: 1 << 12

cdef struct NodeStore

# Fills the slots, which are empty, with what the ``count`` slots of ``before`` hold, or from the nodes.
ctypedef void (*Refill)(NodeStore* store, const void* before, uint64_t count) noexcept nogil

cdef struct NodeStore:
    void** chunks
    uint32_t chunk_count    # allocated
    uint32_t chunk_room
    uint32_t slab_chunks    # how many of these lie in slabs
    uint32_t node_size      # bytes
    uint32_t count          # of nodes
    uint64_t room           # the count from which on one more needs more memory
    uint32_t most_nodes
    uint32_t slot_size      # bytes
    void* slots             # what stands for a key, as the search has it, and 0 where there is none
    uint64_t mask           # slots in use - 1
    uint64_t allocated      # slots
    uint64_t most_held      # slots that may hold something before there are more of them
    uint64_t max_bytes
    Refill refill

cdef bint reset_store(
    NodeStore* store, uint32_t node_size, uint32_t most_nodes, uint32_t slot_size, Refill refill,
    uint64_t max_bytes
) noexcept nogil
cdef void free_store(NodeStore* store) noexcept nogil
cdef bint make_room_for_node(NodeStore* store) noexcept nogil
cdef uint64_t store_bytes(const NodeStore* store) noexcept nogil


cdef inline bint has_room(const NodeStore* store) noexcept nogil:
    """Test if one more node can be stored without more memory."""
    return store.count < store.room
