"""Nodes of A* searches: a hash table by exact keys, and the open list as a bucket queue.

A node takes 48 bytes with its slots. The game fills in all but the key and the links of the queue. A priority
is a multiple of the moves made plus one of the moves still needed; ties are broken last in, first out.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from .memory cimport resize
from .buckets cimport first_number, free_buckets, open_buckets, push_number, remove_number

cdef enum:
    FIRST_ROOM = 1024


cdef inline uint64_t bytes_of(uint64_t room, uint64_t slots) noexcept nogil:
    """The bytes of ``room`` nodes and so many slots."""
    return room * sizeof(Node) + slots * sizeof(uint32_t)


cdef bint reset_nodes(
    Nodes* nodes, uint32_t priorities, uint32_t weight, uint64_t max_bytes
) noexcept nogil:
    """Begin without nodes, with a queue for ``priorities``; false if memory does not allow it."""
    cdef uint64_t queue = <uint64_t>priorities * sizeof(uint32_t)
    free_nodes(nodes)
    nodes.count = 0
    nodes.weight = weight
    nodes.scale = 1
    if queue + bytes_of(FIRST_ROOM, 2 * FIRST_ROOM) > max_bytes:
        return False
    nodes.max_bytes = max_bytes - queue
    nodes.nodes = <Node*>malloc(FIRST_ROOM * sizeof(Node))
    nodes.slots = <uint32_t*>calloc(2 * FIRST_ROOM, sizeof(uint32_t))
    if nodes.nodes == NULL or nodes.slots == NULL or not open_buckets(&nodes.queue, priorities):
        free_nodes(nodes)
        return False
    nodes.room = FIRST_ROOM
    nodes.slot_mask = 2 * FIRST_ROOM - 1
    return True


cdef bint grow_nodes(Nodes* nodes) noexcept nogil:
    """Make room for as many nodes again, or where memory ends for a quarter or a sixteenth; false, with
    nothing changed, if it does not allow that. Of nodes with one key the last keeps the slot."""
    cdef uint64_t slots = nodes.slot_mask + 1, room, more
    cdef int part = 1
    while part <= 16:
        room = nodes.room + nodes.room // part
        more = slots
        if 2 * room > slots and bytes_of(room, 2 * slots) <= nodes.max_bytes:
            more = 2 * slots
        if bytes_of(room, more) <= nodes.max_bytes and 8 * room <= 7 * more and room <= NO_NODE:
            break
        part *= 4
    if part > 16 or not resize(&nodes.nodes, room, sizeof(Node)):
        return False
    if more > slots and not rehash(nodes, more) and 8 * room > 7 * slots:
        return False
    nodes.room = <uint32_t>room
    return True


cdef bint rehash(Nodes* nodes, uint64_t slots) noexcept nogil:
    """Have so many slots; false, with as many as before, if memory does not allow it."""
    cdef uint64_t before = nodes.slot_mask + 1
    cdef uint32_t i
    free(nodes.slots)
    nodes.slots = <uint32_t*>calloc(slots, sizeof(uint32_t))
    if nodes.slots == NULL:
        slots = before
        nodes.slots = <uint32_t*>calloc(slots, sizeof(uint32_t))
    nodes.slot_mask = slots - 1
    for i in range(nodes.count):
        find_slot(nodes, nodes.nodes[i].low, nodes.nodes[i].high)[0] = i + 1
    return slots > before


cdef uint32_t add_node(Nodes* nodes, uint32_t* slot, uint64_t low, uint64_t high) noexcept nogil:
    """The number of a new node, not queued; NO_NODE, with nothing changed, if memory runs out.

    ``slot`` is that of `find_slot` for the key, and is this node's from now on; an older node of the key
    stays under its number.
    """
    cdef Node* node
    if nodes.count == nodes.room:
        if not grow_nodes(nodes):
            return NO_NODE
        slot = find_slot(nodes, low, high)
    node = &nodes.nodes[nodes.count]
    node.low = low
    node.high = high
    node.queued = False
    nodes.count += 1
    slot[0] = nodes.count
    return nodes.count - 1


cdef void free_nodes(Nodes* nodes) noexcept nogil:
    """Give the memory back."""
    free(nodes.nodes)
    free(nodes.slots)
    free_buckets(&nodes.queue)
    nodes.nodes = NULL
    nodes.slots = NULL
    nodes.room = 0


cdef uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil:
    """The bytes held."""
    if nodes.room == 0:
        return 0
    return bytes_of(nodes.room, nodes.slot_mask + 1) + nodes.queue.count * sizeof(uint32_t)


cdef inline uint32_t priority(const Nodes* nodes, const Node* node) noexcept nogil:
    """The priority of a node in the queue."""
    return nodes.scale * node.moves + nodes.weight * node.needed


cdef void enqueue(Nodes* nodes, uint32_t number) noexcept nogil:
    """Queue a node that is not queued."""
    cdef Node* node = &nodes.nodes[number]
    node.queued = True
    push_number(&nodes.queue, &nodes.nodes.link, sizeof(Node), number, priority(nodes, node))


cdef void dequeue(Nodes* nodes, uint32_t number) noexcept nogil:
    """Take a node out of the queue; ``moves`` and ``needed`` must be what they were when it came in."""
    cdef Node* node = &nodes.nodes[number]
    node.queued = False
    remove_number(&nodes.queue, &nodes.nodes.link, sizeof(Node), number, priority(nodes, node))


cdef uint32_t first_queued(Nodes* nodes) noexcept nogil:
    """The node to expand next, or NO_NODE; the queue's ``first`` is its priority, or its ``count``."""
    return first_number(&nodes.queue)


cdef Progress next_node(
    Nodes* nodes, uint32_t fewest, uint32_t* lower_bound, uint32_t* number
) noexcept nogil:
    """Find the node to expand next in a search for a line of fewer than ``fewest`` moves, and raise the lower
    bound: PROVED if no node can be on such a line, IMPROVED if the bound rose, else SEARCHING.

    With a weight above 1 the order of the queue bounds nothing, and only an empty queue proves.
    """
    number[0] = first_queued(nodes)
    if number[0] == NO_NODE or (nodes.weight == 1 and nodes.queue.first >= fewest):
        lower_bound[0] = fewest
        return PROVED
    if nodes.weight == 1 and nodes.queue.first > lower_bound[0]:
        lower_bound[0] = nodes.queue.first
        return IMPROVED
    return SEARCHING
