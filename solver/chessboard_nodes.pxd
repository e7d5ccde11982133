# cython: language_level=3
"""The states met on the way to a shortest line, and their queue; see chessboard_nodes.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    NO_NODE = 0xFFFFFFFF

cdef struct Node:           # 40 bytes
    uint64_t low            # the key
    uint64_t high
    uint32_t parent         # the node before it, or NO_NODE
    uint32_t next           # its neighbours in the queue, or NO_NODE
    uint32_t previous
    uint32_t moves          # from the start
    uint8_t needed          # moves from here on, at least
    uint8_t card            # the move that leads here from the parent
    uint8_t target          # card, TABLE or UP
    bint queued

cdef struct Nodes:
    Node* nodes
    uint32_t* slots         # a hash table: number of a node + 1, or 0; at most half are taken
    uint32_t* buckets       # the last node queued at each priority, or NO_NODE
    uint32_t count
    uint32_t room           # nodes allocated, a power of two; half the slots
    uint32_t bucket_count
    uint32_t first_bucket   # all before it are empty
    uint32_t weight         # of `needed` in a priority
    uint64_t max_bytes

cdef bint reset_nodes(Nodes* nodes, uint32_t bucket_count, uint32_t weight, uint64_t max_bytes) noexcept nogil
cdef bint grow_nodes(Nodes* nodes) noexcept nogil
cdef void free_nodes(Nodes* nodes) noexcept nogil
cdef uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil
cdef void enqueue(Nodes* nodes, uint32_t number) noexcept nogil
cdef void dequeue(Nodes* nodes, uint32_t number) noexcept nogil
cdef uint32_t first_queued(Nodes* nodes) noexcept nogil


cdef inline uint32_t* find_slot(const Nodes* nodes, uint64_t low, uint64_t high) noexcept nogil:
    """The slot that tells the node of a key, or the free one where it belongs."""
    cdef uint64_t mixed = (low ^ (high * <uint64_t>0x9E3779B97F4A7C15)) * <uint64_t>0xD6E8FEB86659FD93
    cdef uint64_t mask = 2 * <uint64_t>nodes.room - 1
    cdef uint64_t slot = (mixed ^ (mixed >> 32)) & mask
    cdef const Node* node
    while nodes.slots[slot] != 0:
        node = &nodes.nodes[nodes.slots[slot] - 1]
        if node.low == low and node.high == high:
            break
        slot = (slot + 1) & mask
    return &nodes.slots[slot]
