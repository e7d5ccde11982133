# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The states met on the way to a shortest line, with their exact keys, and the queue of those to expand.

A node takes 48 bytes with its slots. The queue has a bucket for each priority, which is the moves made and a
multiple of the moves still needed; within a bucket the last one in comes first.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

cdef enum:
    FIRST_ROOM = 1024


cdef inline uint64_t bytes_of(uint64_t room) noexcept nogil:
    return room * (sizeof(Node) + 2 * sizeof(uint32_t))


cdef bint reset_nodes(
    Nodes* nodes, uint32_t bucket_count, uint32_t weight, uint64_t max_bytes
) noexcept nogil:
    """No node, an empty queue for priorities below ``bucket_count``; false if memory does not allow it."""
    cdef uint64_t buckets = <uint64_t>bucket_count * sizeof(uint32_t)
    free_nodes(nodes)
    nodes.count = nodes.first_bucket = 0
    nodes.bucket_count = bucket_count
    nodes.weight = weight
    if buckets + bytes_of(FIRST_ROOM) > max_bytes:
        return False
    nodes.max_bytes = max_bytes - buckets
    nodes.buckets = <uint32_t*>malloc(buckets)
    nodes.nodes = <Node*>malloc(FIRST_ROOM * sizeof(Node))
    nodes.slots = <uint32_t*>calloc(2 * FIRST_ROOM, sizeof(uint32_t))
    if nodes.buckets == NULL or nodes.nodes == NULL or nodes.slots == NULL:
        free_nodes(nodes)
        return False
    memset(nodes.buckets, 0xFF, buckets)
    nodes.room = FIRST_ROOM
    return True


cdef bint grow_nodes(Nodes* nodes) noexcept nogil:
    """Make room for as many nodes again; false, with nothing changed, if memory does not allow it."""
    cdef uint64_t room = 2 * <uint64_t>nodes.room
    cdef uint32_t i
    cdef uint32_t* slots
    cdef Node* block
    if bytes_of(room) + bytes_of(nodes.room) > nodes.max_bytes or room > NO_NODE:
        return False
    slots = <uint32_t*>calloc(2 * room, sizeof(uint32_t))
    if slots == NULL:
        return False
    block = <Node*>realloc(nodes.nodes, room * sizeof(Node))
    if block == NULL:
        free(slots)
        return False
    free(nodes.slots)
    nodes.nodes = block
    nodes.slots = slots
    nodes.room = <uint32_t>room
    for i in range(nodes.count):
        find_slot(nodes, block[i].low, block[i].high)[0] = i + 1
    return True


cdef void free_nodes(Nodes* nodes) noexcept nogil:
    """Give the memory back."""
    free(nodes.nodes)
    free(nodes.slots)
    free(nodes.buckets)
    nodes.nodes = NULL
    nodes.slots = NULL
    nodes.buckets = NULL
    nodes.room = 0


cdef uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil:
    """What is held."""
    return bytes_of(nodes.room) + nodes.bucket_count * sizeof(uint32_t) if nodes.room > 0 else 0


cdef inline uint32_t priority(const Nodes* nodes, const Node* node) noexcept nogil:
    return node.moves + nodes.weight * node.needed


cdef void enqueue(Nodes* nodes, uint32_t number) noexcept nogil:
    """Queue a node that is not queued."""
    cdef Node* node = &nodes.nodes[number]
    cdef uint32_t bucket = priority(nodes, node)
    node.queued = True
    node.previous = NO_NODE
    node.next = nodes.buckets[bucket]
    if node.next != NO_NODE:
        nodes.nodes[node.next].previous = number
    nodes.buckets[bucket] = number
    if bucket < nodes.first_bucket:
        nodes.first_bucket = bucket


cdef void dequeue(Nodes* nodes, uint32_t number) noexcept nogil:
    """Take a node out of the queue; ``moves`` and ``needed`` must be what they were when it came in."""
    cdef Node* node = &nodes.nodes[number]
    node.queued = False
    if node.previous != NO_NODE:
        nodes.nodes[node.previous].next = node.next
    else:
        nodes.buckets[priority(nodes, node)] = node.next
    if node.next != NO_NODE:
        nodes.nodes[node.next].previous = node.previous


cdef uint32_t first_queued(Nodes* nodes) noexcept nogil:
    """The node to expand next, or NO_NODE; ``first_bucket`` is its priority, or ``bucket_count``."""
    while nodes.first_bucket < nodes.bucket_count:
        if nodes.buckets[nodes.first_bucket] != NO_NODE:
            return nodes.buckets[nodes.first_bucket]
        nodes.first_bucket += 1
    return NO_NODE
