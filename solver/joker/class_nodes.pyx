"""The states met by the search with jokers: a store of nodes and the set of their keys.

Keys are compared whole: a set of hashes only finds the nodes. A slot has 32 bits. As many of the lower ones
as tell all slots apart hold 1 + the number of a node, which is less, since the set is never full; the others
are a tag, bits of the hash that do not tell where the slot is. When slots are added, the keys in the nodes
are put in anew.

A node knows its parent, but not the macro that leads here from there: whoever asks for a line looks for it
among the successors of the parent.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.node_store cimport NodeStore, reset_store
from .state cimport ClassKey

cdef enum:
    AHEAD = 32      # nodes whose slots are asked for before the first of them is looked at


cdef bint reset_classes(NodeStore* store, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that."""
    return reset_store(store, sizeof(ClassNode), MOST_NODES, sizeof(uint32_t), put_in_anew, max_bytes)


cdef void put_in_anew(NodeStore* store, const void* before, uint64_t count) noexcept nogil:
    """Fill the slots, which are empty, from the nodes."""
    cdef uint32_t* slots = <uint32_t*>store.slots
    cdef uint64_t hashes[AHEAD]
    cdef uint64_t slot
    cdef uint32_t done = 0, i, n
    cdef ClassKey key
    while done < store.count:
        n = min(store.count - done, <uint32_t>AHEAD)
        for i in range(n):
            key = class_at(store, done + i).key
            hashes[i] = hash_of(&key)
            prefetch_slot(store, hashes[i])
        for i in range(n):
            slot = hashes[i] & store.mask
            while slots[slot]:
                slot = slot + 1 & store.mask
            slots[slot] = tag_of(store, hashes[i]) | (done + i + 1)
        done += n
