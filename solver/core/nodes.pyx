"""Nodes of searches, found by their keys: those of A* with their queue, and a store in chunks.

A `Node` is of A* or a beam, in a hash table by exact keys, with the open list as a bucket queue. It takes 48
bytes with its slots. The game fills in all but the key and the links of the queue. A priority is a multiple
of the moves made plus one of the moves still needed; ties are broken last in, first out.

A `NodeStore` is of a best-first search, which defines the nodes, the content of a slot and the queue. Its
nodes lie in chunks that never move. Open addressing, linear probing: the set of keys is at most two thirds
full with slots of 8 bytes and four fifths with slots of 4; when memory does not allow more slots, it is
filled up to fifteen sixteenths. A large store allocates slabs of many chunks. Nodes and slots lie in huge
pages where the system has them, since random access to small pages misses the TLB.
"""

# optimised: searches spend their time here

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from .bits cimport hash_words, prefetch_at
from .buckets cimport first_number, free_buckets, open_buckets, push_number, remove_number
from .memory cimport resize
from .pages cimport free_pages, new_pages, prefer_huge

cdef enum:
    FIRST_ROOM = 1024
    AHEAD = 16              # nodes whose slots are asked for, from memory, before they are looked at


cdef inline uint64_t bytes_of(uint64_t room, uint64_t slots) noexcept nogil:
    """The bytes of ``room`` nodes and so many slots."""
    return room * sizeof(Node) + slots * sizeof(uint32_t)


cdef bint reset_nodes(Nodes* nodes, uint32_t priorities, uint32_t weight, uint64_t max_bytes) noexcept nogil:
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
    cdef const Node* node
    cdef uint32_t i
    free(nodes.slots)
    nodes.slots = <uint32_t*>calloc(slots, sizeof(uint32_t))
    if nodes.slots == NULL:
        slots = before
        nodes.slots = <uint32_t*>calloc(slots, sizeof(uint32_t))
    prefer_huge(nodes.slots, slots * sizeof(uint32_t))
    nodes.slot_mask = slots - 1
    for i in range(nodes.count):
        if i + AHEAD < nodes.count:
            node = &nodes.nodes[i + AHEAD]
            prefetch_at(&nodes.slots[hash_words(node.low, node.high) & nodes.slot_mask])
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
    free(nodes.nodes)
    free(nodes.slots)
    free_buckets(&nodes.queue)
    nodes.nodes = NULL
    nodes.slots = NULL
    nodes.room = 0


cdef uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil:
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


cdef Progress next_node(Nodes* nodes, uint32_t fewest, uint32_t* lower_bound,
                        uint32_t* number) noexcept nogil:
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


# --- Nodes in chunks -------------------------------------------------------------------------------------

cdef enum:
    FIRST_SLOTS = 4096
    KEPT_SLOTS = 262144     # a larger set and more chunks are given back before the next deal
    KEPT_CHUNKS = 32
    KEPT_BELOW = 4          # and all of it, if the limit is less than so many times what may be kept
    SLAB = 128              # chunks allocated at once: a multiple of 2^21 bytes
    FIRST_SLAB = 4 * SLAB   # from so many chunks on
    IN_PAGES = 1 << 21      # slots of so many bytes in all lie on pages of their own


cdef uint64_t store_bytes(const NodeStore* store) noexcept nogil:
    return (store.chunk_count * <uint64_t>CHUNK * store.node_size + store.chunk_room * sizeof(void*)
            + store.allocated * store.slot_size)


cdef bint reset_store(NodeStore* store, uint32_t node_size, uint32_t most_nodes, uint32_t slot_size,
                      Refill refill, uint64_t max_bytes) noexcept nogil:
    """Forget all nodes and become small; false if memory does not allow even that.

    What is kept of earlier deals must not decide where a limit bites: it is all in use long before, or gone.
    """
    cdef uint64_t most_kept = KEPT_CHUNKS * <uint64_t>CHUNK * node_size + KEPT_SLOTS * slot_size
    store.node_size = node_size
    store.most_nodes = most_nodes
    store.slot_size = slot_size
    store.refill = refill
    store.max_bytes = max_bytes
    store.count = 0
    if store.allocated > KEPT_SLOTS or store.chunk_count > KEPT_CHUNKS or max_bytes < KEPT_BELOW * most_kept:
        free_store(store)
    if store.slots == NULL:
        store.slots = calloc(FIRST_SLOTS, slot_size)
        if store.slots == NULL:
            return False
        store.allocated = FIRST_SLOTS
    else:
        memset(store.slots, 0, FIRST_SLOTS * slot_size)
    use_slots(store, FIRST_SLOTS)
    return make_room_for_node(store) and store_bytes(store) <= max_bytes


cdef void free_store(NodeStore* store) noexcept nogil:
    cdef uint32_t i
    for i in range(store.chunk_count):
        if not FIRST_SLAB <= i < FIRST_SLAB + store.slab_chunks:
            free(store.chunks[i])
        elif i % SLAB == 0:
            free_pages(store.chunks[i], SLAB * <uint64_t>CHUNK * store.node_size)
    free(store.chunks)
    free_slots(store)
    store.chunks = NULL
    store.slots = NULL
    store.chunk_count = store.chunk_room = store.slab_chunks = store.count = 0
    store.allocated = store.room = 0


cdef inline void free_slots(NodeStore* store) noexcept nogil:
    """Give the memory of the set back."""
    if store.allocated * store.slot_size >= IN_PAGES:
        free_pages(store.slots, store.allocated * store.slot_size)
    else:
        free(store.slots)


cdef inline void use_slots(NodeStore* store, uint64_t count) noexcept nogil:
    """Use so many slots, which are all empty."""
    store.mask = count - 1
    store.most_held = count // 3 * 2 if store.slot_size > 4 else count // 5 * 4


cdef bint make_room_for_node(NodeStore* store) noexcept nogil:
    """Allocate what one more node needs; false, with nothing lost, if memory does not allow it."""
    if store.count >= store.most_nodes:
        return False
    if store.count >= store.most_held and not grow_slots(store):
        store.most_held = (store.mask + 1) // 16 * 15
        if store.count >= store.most_held:
            return False
    if store.count >= store.chunk_count * CHUNK and not add_slab(store) and not add_chunk(store):
        return False
    store.room = min(min(store.most_held, store.chunk_count * <uint64_t>CHUNK), store.most_nodes)
    return True


cdef inline bint have_list(NodeStore* store, uint32_t more) noexcept nogil:
    """Have a list with room for so many more chunks; false, with nothing changed, without memory for both."""
    cdef uint32_t room = store.chunk_room
    cdef uint64_t added = more * <uint64_t>CHUNK * store.node_size
    while store.chunk_count + more > room:
        room = 2 * room if room else 16
    if room > store.chunk_room:
        added += room * sizeof(void*)
    if store_bytes(store) + added > store.max_bytes:
        return False
    if room > store.chunk_room:
        if not resize(&store.chunks, room, sizeof(void*)):
            return False
        store.chunk_room = room
    return True


cdef bint add_chunk(NodeStore* store) noexcept nogil:
    """Allocate more nodes; false, with nothing changed, if memory does not allow it."""
    if not have_list(store, 1):
        return False
    store.chunks[store.chunk_count] = malloc(CHUNK * <uint64_t>store.node_size)
    if store.chunks[store.chunk_count] == NULL:
        return False
    store.chunk_count += 1
    return True


cdef bint add_slab(NodeStore* store) noexcept nogil:
    """Allocate many more nodes; false, with nothing changed, if there are few yet or without memory."""
    cdef uint64_t size = CHUNK * <uint64_t>store.node_size
    cdef char* slab
    cdef uint32_t i
    if store.chunk_count < FIRST_SLAB or store.chunk_count > FIRST_SLAB + store.slab_chunks:
        return False
    if not have_list(store, SLAB):
        return False
    slab = <char*>new_pages(SLAB * size)
    if slab == NULL:
        return False
    for i in range(SLAB):
        store.chunks[store.chunk_count + i] = slab + i * size
    store.chunk_count += SLAB
    store.slab_chunks += SLAB
    return True


cdef bint grow_slots(NodeStore* store) noexcept nogil:
    """Double the slots in use; false, with nothing changed, if memory does not allow it."""
    cdef uint64_t held = store.mask + 1, size = 2 * held * store.slot_size
    cdef void* before = store.slots
    cdef void* grown
    if store_bytes(store) + size > store.max_bytes:
        return False
    if size >= IN_PAGES:
        grown = new_pages(size)
    else:
        grown = calloc(2 * held, store.slot_size)
    if grown == NULL:
        return False
    store.slots = grown
    use_slots(store, 2 * held)
    store.refill(store, before, held)
    store.slots = before
    free_slots(store)
    store.slots = grown
    store.allocated = 2 * held
    return True
