"""The states met by the search without jokers: a store of nodes, the set of their keys, a bucket queue."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.node_store cimport reset_store

cdef enum:
    MOST_NODES = 0xFFFFFFFE


cdef bint reset_klondike(KlondikeNodes* nodes, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that."""
    memset(nodes.heads, 0, sizeof(nodes.heads))
    nodes.highest = NOTHING_LEFT
    return reset_store(&nodes.store, sizeof(KlondikeNode), MOST_NODES, hash_of, max_bytes)
