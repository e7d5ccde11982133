"""The states met by the search without jokers: a store of nodes, the set of their keys, a bucket queue."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport prefetch_at
from ..core.node_store cimport CHUNK, NodeStore, reset_store
from .cards cimport bit

cdef enum:
    BUCKETS = 2048
    MOST_NODES = 0xFFFFFFFE
    NOTHING_LEFT = -1       # no bucket

cdef struct KlondikeNode:   # 24 bytes
    uint64_t key
    uint32_t parent         # the first node is its own
    uint32_t code           # the macro that leads here from there
    uint32_t next           # the node beneath in its bucket + 1, or 0

cdef struct KlondikeNodes:
    NodeStore store         # its slots hold tagged keys: looking one up reads no node
    uint32_t heads[BUCKETS]
    int highest


cdef inline KlondikeNode* node_at(const KlondikeNodes* nodes, uint32_t index) noexcept nogil:
    """The node of a number; it stays where it is."""
    return &(<KlondikeNode**>nodes.store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint64_t tagged(uint64_t key) noexcept nogil:
    """A key as the set holds it, never 0."""
    return key | bit(63)


cdef inline uint64_t hash_of(uint64_t held) noexcept nogil:
    """44 mixed bits of a tagged key."""
    held *= <uint64_t>0x9E3779B97F4A7C15
    return (held ^ held >> 32) * <uint64_t>0xD6E8FEB86659FD93 >> 20


cdef inline bint reset_klondike(KlondikeNodes* nodes, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that."""
    memset(nodes.heads, 0, sizeof(nodes.heads))
    nodes.highest = NOTHING_LEFT
    return reset_store(
        &nodes.store, sizeof(KlondikeNode), MOST_NODES, sizeof(uint64_t), move_keys, max_bytes)


cdef inline void move_keys(NodeStore* store, const void* before, uint64_t count) noexcept nogil:
    """Fill the slots, which are empty, with the ``count`` slots of ``before``."""
    cdef const uint64_t* held = <const uint64_t*>before
    cdef uint64_t* slots = <uint64_t*>store.slots
    cdef uint64_t i, slot
    for i in range(count):
        if held[i]:
            slot = hash_of(held[i]) & store.mask
            while slots[slot]:
                slot = slot + 1 & store.mask
            slots[slot] = held[i]


cdef inline void prefetch(const KlondikeNodes* nodes, uint64_t key) noexcept nogil:
    """Ask for the memory that `add_key` will look at first."""
    prefetch_at(<uint64_t*>nodes.store.slots + (hash_of(tagged(key)) & nodes.store.mask))


cdef inline bint add_key(KlondikeNodes* nodes, uint64_t key) noexcept nogil:
    """Put a key into the set, where there must be room; whether it was not there."""
    cdef uint64_t* slots = <uint64_t*>nodes.store.slots
    cdef uint64_t tag = tagged(key), slot = hash_of(tag) & nodes.store.mask
    while slots[slot]:
        if slots[slot] == tag:
            return False
        slot = slot + 1 & nodes.store.mask
    slots[slot] = tag
    return True


cdef inline uint32_t add_node(
    KlondikeNodes* nodes, uint64_t key, uint32_t parent, uint32_t code
) noexcept nogil:
    """Store a state, as the last node, and return its number; there must be room."""
    cdef KlondikeNode* node = node_at(nodes, nodes.store.count)
    node.key = key
    node.parent = parent
    node.code = code
    nodes.store.count += 1
    return nodes.store.count - 1


cdef inline void push(KlondikeNodes* nodes, uint32_t index, int bucket) noexcept nogil:
    """Put a node on top of a bucket."""
    node_at(nodes, index).next = nodes.heads[bucket]
    nodes.heads[bucket] = index + 1
    if bucket > nodes.highest:
        nodes.highest = bucket


cdef inline int best_bucket(KlondikeNodes* nodes) noexcept nogil:
    """The highest bucket with a node, or NOTHING_LEFT."""
    while nodes.highest >= 0 and nodes.heads[nodes.highest] == 0:
        nodes.highest -= 1
    return nodes.highest


cdef inline uint32_t pop(KlondikeNodes* nodes, int bucket) noexcept nogil:
    """Take the last node off a bucket that has one."""
    cdef uint32_t index = nodes.heads[bucket] - 1, next = node_at(nodes, index).next
    nodes.heads[bucket] = next
    if next:
        prefetch_at(node_at(nodes, next - 1))
    return index
