"""The states met by the search with jokers: nodes and the set of their keys; see class_nodes.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.bits cimport prefetch_at
from ..core.node_store cimport CHUNK, NodeStore
from .state cimport ClassKey

cdef enum:
    TAKEN = 1 << 31         # beside the parent of a node: a queue has given it out
    MOST_NODES = 0x7FFFFFFE

cdef packed struct ClassNode:   # 28 bytes
    ClassKey key
    uint32_t parent             # the first node is its own; TAKEN

cdef bint reset_classes(NodeStore* store, uint64_t max_bytes) noexcept nogil


cdef inline ClassNode* class_at(const NodeStore* store, uint32_t index) noexcept nogil:
    """The node of a number; it stays where it is."""
    return &(<ClassNode**>store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint32_t parent_of(const NodeStore* store, uint32_t index) noexcept nogil:
    """The number of the node that a node was met from."""
    return class_at(store, index).parent & ~<uint32_t>TAKEN


cdef inline uint64_t hash_of(const ClassKey* key) noexcept nogil:
    """64 mixed bits of a key."""
    cdef uint64_t mixed = key.w[0] * <uint64_t>0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32 ^ key.w[1]) * <uint64_t>0xD6E8FEB86659FD93
    mixed = (mixed ^ mixed >> 32 ^ key.w[2]) * <uint64_t>0xBF58476D1CE4E5B9
    return mixed ^ mixed >> 32


cdef inline bint is_of(const ClassNode* node, const ClassKey* key) noexcept nogil:
    """Whether a node has a key."""
    return node.key.w[0] == key.w[0] and node.key.w[1] == key.w[1] and node.key.w[2] == key.w[2]


cdef inline uint32_t tag_of(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """What the slot of a key holds beside the number of its node."""
    return <uint32_t>(hashed >> 32) & ~<uint32_t>store.mask


cdef inline void prefetch_slot(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Ask for the memory that `find_class` and `prefetch_class` will look at first."""
    prefetch_at(<uint32_t*>store.slots + (hashed & store.mask))


cdef inline uint32_t next_like(const NodeStore* store, uint64_t hashed, uint64_t* slot) noexcept nogil:
    """What the first slot from ``slot`` on holds that is empty or has the tag of a hash; ``slot`` is that."""
    cdef const uint32_t* slots = <uint32_t*>store.slots
    cdef uint32_t mask = <uint32_t>store.mask, tag = tag_of(store, hashed), held
    while True:
        held = slots[slot[0]]
        if held == 0 or held & ~mask == tag:
            return held
        slot[0] = slot[0] + 1 & mask


cdef inline void prefetch_class(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Ask for the node that `find_class` will look at first, if any."""
    cdef uint64_t slot = hashed & store.mask
    cdef uint32_t held = next_like(store, hashed, &slot)
    if held != 0:
        prefetch_at(class_at(store, (held & <uint32_t>store.mask) - 1))


cdef inline bint find_class(
    const NodeStore* store, const ClassKey* key, uint64_t hashed, uint64_t* place
) noexcept nogil:
    """Whether a state is stored; if not, ``place`` is the slot for it."""
    cdef uint32_t held
    place[0] = hashed & store.mask
    while True:
        held = next_like(store, hashed, place)
        if held == 0:
            return False
        if is_of(class_at(store, (held & <uint32_t>store.mask) - 1), key):
            return True
        place[0] = place[0] + 1 & store.mask


cdef inline void add_class(
    NodeStore* store, const ClassKey* key, uint64_t hashed, uint64_t place, uint32_t parent
) noexcept nogil:
    """Store a state, as the last node, in the slot that `find_class` found; there must be room."""
    cdef ClassNode* node = class_at(store, store.count)
    store.count += 1
    (<uint32_t*>store.slots)[place] = tag_of(store, hashed) | store.count
    node.key = key[0]
    node.parent = parent
