"""The states met by a best-first search: a store of nodes, the set of their keys, bucket queues through them.

A node is in every queue; the first one that takes it out expands it. Keys are compared whole: a set of hashes
only finds the nodes.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport prefetch_at
from ..core.node_store cimport CHUNK, NodeStore, reset_store
from .state cimport ClassKey

cdef enum:
    BUCKETS = 2048
    MIDDLE = 1280           # the bucket of estimate 0
    QUEUES = 2
    MOST_NODES = 0xFFFFFFE

cdef struct ClassNode:           # 40 bytes
    ClassKey key
    uint32_t parent         # the first node is its own; bit 31: the node was expanded
    uint32_t code           # the macro that leads here from there
    uint32_t next[QUEUES]   # the node beneath in its bucket + 1, or 0

cdef struct ClassNodes:
    NodeStore store         # its slots: |63 .. hash 28| 27 .. node + 1 .. 0|
    uint32_t heads[QUEUES][BUCKETS]
    int highest[QUEUES]


cdef inline ClassNode* class_at(const ClassNodes* nodes, uint32_t index) noexcept nogil:
    """The node of a number; it stays where it is."""
    return &(<ClassNode**>nodes.store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint64_t hash_of(const ClassKey* key) noexcept nogil:
    """64 mixed bits of a key."""
    cdef uint64_t mixed = key.w[0] * <uint64_t>0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32 ^ key.w[1]) * <uint64_t>0xD6E8FEB86659FD93
    mixed = (mixed ^ mixed >> 32 ^ key.w[2]) * <uint64_t>0xBF58476D1CE4E5B9
    return mixed ^ mixed >> 32


cdef inline uint64_t hash_of_slot(uint64_t held) noexcept nogil:
    """What a slot holds of the hash."""
    return held >> 28


cdef inline bint reset_classes(ClassNodes* nodes, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that."""
    memset(nodes.heads, 0, sizeof(nodes.heads))
    nodes.highest[0] = nodes.highest[1] = -1
    return reset_store(&nodes.store, sizeof(ClassNode), MOST_NODES, hash_of_slot, max_bytes)


cdef inline bint same(const ClassKey* one, const ClassKey* other) noexcept nogil:
    """Whether two keys are equal."""
    return one.w[0] == other.w[0] and one.w[1] == other.w[1] and one.w[2] == other.w[2]


cdef inline void prefetch(const ClassNodes* nodes, uint64_t hashed) noexcept nogil:
    """Ask for the memory that `add_class` will look at first."""
    prefetch_at(&nodes.store.slots[hashed >> 28 & nodes.store.mask])


cdef inline bint has_class(const ClassNodes* nodes, const ClassKey* key, uint64_t hashed) noexcept nogil:
    """Whether a state is stored."""
    cdef uint64_t slot = hashed >> 28 & nodes.store.mask, held
    while True:
        held = nodes.store.slots[slot]
        if held == 0:
            return False
        if (held ^ hashed) >> 28 == 0 and same(&class_at(nodes, (held & 0xFFFFFFF) - 1).key, key):
            return True
        slot = slot + 1 & nodes.store.mask


cdef inline bint add_class(
    ClassNodes* nodes, const ClassKey* key, uint64_t hashed, uint32_t parent, uint32_t code
) noexcept nogil:
    """Store a state, as the last node, unless its key is known; there must be room."""
    cdef uint64_t slot = hashed >> 28 & nodes.store.mask, held
    cdef ClassNode* node
    while True:
        held = nodes.store.slots[slot]
        if held == 0:
            break
        if (held ^ hashed) >> 28 == 0 and same(&class_at(nodes, (held & 0xFFFFFFF) - 1).key, key):
            return False
        slot = slot + 1 & nodes.store.mask
    node = class_at(nodes, nodes.store.count)
    nodes.store.count += 1
    nodes.store.slots[slot] = hashed >> 28 << 28 | nodes.store.count
    node.key = key[0]
    node.parent = parent
    node.code = code
    return True


cdef inline void push(ClassNodes* nodes, int queue, uint32_t index, int estimate) noexcept nogil:
    """Put a node on top of the bucket of its estimate."""
    cdef int bucket = MIDDLE + estimate
    class_at(nodes, index).next[queue] = nodes.heads[queue][bucket]
    nodes.heads[queue][bucket] = index + 1
    if bucket > nodes.highest[queue]:
        nodes.highest[queue] = bucket


cdef inline uint32_t pop(ClassNodes* nodes, int queue) noexcept nogil:
    """Take 1 + the last node off the highest bucket; 0 if the queue is empty."""
    cdef uint32_t head
    while nodes.highest[queue] >= 0:
        head = nodes.heads[queue][nodes.highest[queue]]
        if head:
            nodes.heads[queue][nodes.highest[queue]] = class_at(nodes, head - 1).next[queue]
            return head
        nodes.highest[queue] -= 1
    return 0
