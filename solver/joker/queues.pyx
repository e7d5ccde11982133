"""The states met by a best-first search: a store of nodes, the set of their keys, bucket queues through them.

A node is in every queue; the first one that takes it out expands it. Keys are compared whole: a set of hashes
only finds the nodes.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.node_store cimport reset_store

cdef enum:
    MOST_NODES = 0xFFFFFFE


cdef bint reset_classes(ClassNodes* nodes, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that."""
    memset(nodes.heads, 0, sizeof(nodes.heads))
    nodes.highest[0] = nodes.highest[1] = -1
    return reset_store(&nodes.store, sizeof(ClassNode), MOST_NODES, hash_of_slot, max_bytes)


cdef uint64_t hash_of_slot(uint64_t held) noexcept nogil:
    """What a slot holds of the hash."""
    return held >> 28
