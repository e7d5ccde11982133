"""Nodes of searches, hashed by their keys: `Nodes` with a queue for A* and beams, `NodeStore` in chunks.

`Nodes` is a set of `Node` by exact 128-bit keys with a bucket queue as open list; a node takes 48 bytes with
its slots. The priority of a node is the moves from the start plus ``weight`` times the moves still needed;
ties are broken last in, first out. The game fills in the fields of a node except the key and the links of the
queue.

A `NodeStore` belongs to a best-first search, which defines the nodes, the content of a slot and the queue.
Its nodes are in chunks that never move. The hash table uses linear probing and is at most two thirds full
with slots of 8 bytes, four fifths with slots of 4; if memory does not suffice for more slots, it is filled
up to fifteen sixteenths. A large store allocates slabs of many chunks. Nodes and slots are in huge pages if
the system has them, since random access to small pages misses the TLB.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from .hash_set cimport Explored, explored_bytes, free_explored, hash_key, make_room, open_keyed
from .memory cimport free_block, free_pages, new_block, new_pages, resize

# --- Bucket queues: a doubly linked list for each small priority ------------------------------------------

cdef enum:
    NOTHING_QUEUED = 0xFFFFFFFF     # the end of a list

cdef struct Link:
    uint32_t next, previous

cdef struct Buckets:
    uint32_t* last          # for each priority the number queued last, or NOTHING_QUEUED
    uint32_t count          # number of priorities
    uint32_t first          # no number has a priority below this one

cdef inline void free_buckets(Buckets* buckets) noexcept nogil:
    free(buckets.last)
    buckets.last = NULL

cdef inline bint open_buckets(Buckets* buckets, uint32_t count) noexcept nogil:
    """Make an empty queue for priorities below ``count``. Returns False if its 4 * ``count`` bytes cannot be
    allocated."""
    cdef uint64_t size = <uint64_t>count * sizeof(uint32_t)
    free_buckets(buckets)
    buckets.count = count
    buckets.first = 0
    buckets.last = <uint32_t*>malloc(size)
    if buckets.last == NULL:
        return False
    memset(buckets.last, 0xFF, size)
    return True

cdef inline Link* link_of(Link* first, uint64_t apart, uint32_t number) noexcept nogil:
    """The link of item ``number``: the links are ``apart`` bytes apart, and that of item 0 is ``first``."""
    return <Link*>(<uint8_t*>first + number * apart)

cdef inline void push_number(Buckets* buckets, Link* first, uint64_t apart, uint32_t number,
                             uint32_t priority) noexcept nogil:
    """Queue ``number``, which must not be queued, with a ``priority`` below ``count``."""
    cdef Link* link = link_of(first, apart, number)
    link.previous = NOTHING_QUEUED
    link.next = buckets.last[priority]
    if link.next != NOTHING_QUEUED:
        link_of(first, apart, link.next).previous = number
    buckets.last[priority] = number
    if priority < buckets.first:
        buckets.first = priority

cdef inline void remove_number(Buckets* buckets, Link* first, uint64_t apart, uint32_t number,
                               uint32_t priority) noexcept nogil:
    """Remove ``number`` from the queue; ``priority`` must be the one that it was queued with."""
    cdef const Link* link = link_of(first, apart, number)
    if link.previous != NOTHING_QUEUED:
        link_of(first, apart, link.previous).next = link.next
    else:
        buckets.last[priority] = link.next
    if link.next != NOTHING_QUEUED:
        link_of(first, apart, link.next).previous = link.previous

cdef inline uint32_t first_number(Buckets* buckets) noexcept nogil:
    """The number queued last with the lowest priority, or NOTHING_QUEUED if the queue is empty.

    Sets ``buckets.first`` to that priority, or to ``buckets.count`` if the queue is empty.
    """
    while buckets.first < buckets.count:
        if buckets.last[buckets.first] != NOTHING_QUEUED:
            return buckets.last[buckets.first]
        buckets.first += 1
    return NOTHING_QUEUED


# --- A move of cards from one column to another, as one word: |15 count 8|7 target 4|3 source 0| ----------

cdef inline uint32_t pack_move(int source, int target, int count) noexcept nogil:
    """Pack a move of the top ``count`` cards of column ``source`` to column ``target``.

    Each game defines the meaning of a target that is not a column, such as the foundations.
    """
    return source | target << 4 | count << 8

cdef inline int source_of(uint32_t move) noexcept nogil:
    """The column that a packed move takes cards from."""
    return move & 15

cdef inline int target_of(uint32_t move) noexcept nogil:
    """The column that a packed move puts cards on."""
    return move >> 4 & 15

cdef inline int count_of(uint32_t move) noexcept nogil:
    """The number of cards that a packed move moves."""
    return move >> 8


# --- Nodes and their queue ----------------------------------------------------------------------------------

cdef enum:
    NO_NODE = 0xFFFFFFFF

cdef enum Progress:         # result of a step of a search for a shortest line
    STOPPED = 0             # a limit was reached; its name is in the kernel's `reason`
    IMPROVED = 1            # a shorter line was found, or the lower bound rose
    PROVED = 2              # the best line found is a shortest one
    SEARCHING = 3           # nothing of the above; the search goes on

cdef struct Node:           # 40 bytes
    uint64_t low, high      # the key
    uint32_t parent         # number of the parent node, or NO_NODE
    Link link               # neighbours in the queue
    uint32_t move           # packed move from the parent to this node; each game has its format
    uint16_t moves          # moves from the start (g in A*)
    uint8_t needed          # lower bound on the moves still needed (h in A*)
    uint8_t queued          # 1 while the node is in the queue
    uint32_t note           # for use by the game

cdef struct Nodes:
    Explored known          # the nodes by their keys; of several with one key it finds the last
    Node* nodes             # its records
    Buckets queue
    uint32_t weight         # factor of `needed` in the priority


cdef inline void set_parent(Node* node, uint32_t parent, uint32_t moves, uint32_t move) noexcept nogil:
    """Set the parent of ``node``, the ``move`` from there, and the number of ``moves`` from the start."""
    node.parent = parent
    node.moves = moves
    node.move = move

cdef inline uint32_t* find_slot(const Nodes* nodes, uint64_t low, uint64_t high) noexcept nogil:
    """The address of the slot of the node with key ``low``, ``high``; of the free slot for it if there is no
    such node."""
    cdef uint64_t[2] key = [low, high]
    cdef uint64_t slot = hash_key(<const uint8_t*>key, sizeof(key)) & nodes.known.slot_mask
    cdef const Node* node
    while nodes.known.slots[slot] != 0:
        node = &nodes.nodes[nodes.known.slots[slot] - 1]
        if node.low == low and node.high == high:
            break
        slot = (slot + 1) & nodes.known.slot_mask
    return &nodes.known.slots[slot]

# --- Nodes in chunks -------------------------------------------------------------------------------------

cdef enum:
    CHUNK = 4096            # nodes allocated at once: 1 << 12

cdef struct NodeStore

# Callback that fills the empty slots of a store, from the ``count`` slots of ``before`` or from the nodes.
ctypedef void (*Refill)(NodeStore* store, const void* before, uint64_t count) noexcept nogil

cdef struct NodeStore:
    void** chunks
    uint32_t chunk_count    # chunks allocated
    uint32_t chunk_room     # entries allocated in `chunks`
    uint32_t slab_chunks    # number of chunks allocated in slabs
    uint32_t node_size      # bytes
    uint32_t count          # number of nodes
    uint64_t room           # number of nodes that fit before memory must be allocated
    uint32_t most_nodes     # limit on `count`
    uint32_t slot_size      # bytes
    void* slots             # hash table in the format of the search; 0 is a free slot
    uint64_t mask           # slots in use - 1
    uint64_t allocated      # slots allocated
    uint64_t max_occupied   # slots that may be taken before the table must grow
    uint64_t max_bytes
    Refill refill


cdef inline bint has_room(const NodeStore* store) noexcept nogil:
    """Test if one more node fits without allocating memory."""
    return store.count < store.room


cdef enum:
    KEY_LENGTH = 2 * sizeof(uint64_t)


cdef inline bint reset_nodes(Nodes* nodes, uint32_t priorities, uint32_t weight,
                             uint64_t max_bytes) noexcept nogil:
    """Remove all nodes and make an empty queue for priorities below ``priorities``. ``weight`` is the factor
    of ``needed`` in a priority. Returns False if ``max_bytes`` is too low or allocation fails."""
    cdef uint64_t queue = <uint64_t>priorities * sizeof(uint32_t)
    free_nodes(nodes)
    nodes.weight = weight
    if queue > max_bytes or not open_keyed(&nodes.known, sizeof(Node), KEY_LENGTH, max_bytes - queue):
        return False
    nodes.nodes = <Node*>nodes.known.records
    if not open_buckets(&nodes.queue, priorities):
        free_nodes(nodes)
        return False
    return True


cdef inline uint32_t add_node(Nodes* nodes, uint32_t* slot, uint64_t low, uint64_t high) noexcept nogil:
    """Add a node with key ``low``, ``high``, not queued, and return its number. Returns NO_NODE, adding
    nothing, if memory runs out.

    ``slot`` must be the result of `find_slot` for the key; it refers to the new node from now on. An older
    node with the same key stays accessible by its number.
    """
    cdef Node* node
    if nodes.known.count == nodes.known.room:
        if not make_room(&nodes.known):
            return NO_NODE
        nodes.nodes = <Node*>nodes.known.records
        slot = find_slot(nodes, low, high)
    node = &nodes.nodes[nodes.known.count]
    node.low = low
    node.high = high
    node.queued = False
    nodes.known.count += 1
    slot[0] = nodes.known.count
    return nodes.known.count - 1


cdef inline void free_nodes(Nodes* nodes) noexcept nogil:
    free_explored(&nodes.known)
    free_buckets(&nodes.queue)
    nodes.nodes = NULL


cdef inline uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil:
    if nodes.known.room == 0:
        return 0
    return explored_bytes(&nodes.known) + nodes.queue.count * sizeof(uint32_t)


cdef inline uint32_t priority(const Nodes* nodes, const Node* node) noexcept nogil:
    """The priority of a node in the queue."""
    return node.moves + nodes.weight * node.needed


cdef inline void enqueue(Nodes* nodes, uint32_t number) noexcept nogil:
    """Queue node ``number``, which must not be queued."""
    cdef Node* node = &nodes.nodes[number]
    node.queued = True
    push_number(&nodes.queue, &nodes.nodes.link, sizeof(Node), number, priority(nodes, node))


cdef inline void dequeue(Nodes* nodes, uint32_t number) noexcept nogil:
    """Remove node ``number`` from the queue; its ``moves`` and ``needed`` must be unchanged since it was
    queued."""
    cdef Node* node = &nodes.nodes[number]
    node.queued = False
    remove_number(&nodes.queue, &nodes.nodes.link, sizeof(Node), number, priority(nodes, node))


# The steps of A* between a successor and the queue: `reopen` or `add_node`, `pathmax`, `link_node`, and
# `enqueue`.

cdef inline bint reopen(Nodes* nodes, uint32_t number, uint32_t moves) noexcept nogil:
    """Take node ``number``, which is reached by ``moves`` moves now, out of the queue, so that it may get
    another parent. Returns False, changing nothing, if it was reached by as few before."""
    if nodes.nodes[number].moves <= moves:
        return False
    if nodes.nodes[number].queued:
        dequeue(nodes, number)
    return True


cdef inline uint32_t pathmax(
    const Nodes* nodes, uint32_t parent, uint32_t moves, uint32_t needed
) noexcept nogil:
    """The greater of two lower bounds of the moves needed at a node ``moves`` moves from the start: its own,
    ``needed``, and that of its parent less the moves between (Mero 1984). ``parent`` may be NO_NODE."""
    cdef uint32_t least
    if parent == NO_NODE:
        return needed
    least = nodes.nodes[parent].moves + nodes.nodes[parent].needed
    return max(needed, least - moves) if least > moves else needed


cdef inline void link_node(Nodes* nodes, uint32_t number, uint32_t parent, uint32_t moves, uint32_t move,
                           uint32_t needed) noexcept nogil:
    """Set the path to node ``number``, see `set_parent`, and the moves ``needed`` from there."""
    set_parent(&nodes.nodes[number], parent, moves, move)
    nodes.nodes[number].needed = needed


cdef inline uint32_t first_queued(Nodes* nodes) noexcept nogil:
    """The queued node of lowest priority, or NO_NODE if the queue is empty.

    Sets ``nodes.queue.first`` to that priority, or to ``nodes.queue.count`` if the queue is empty.
    """
    return first_number(&nodes.queue)


cdef inline Progress next_node(Nodes* nodes, uint32_t fewest, uint32_t* lower_bound,
                               uint32_t* number) noexcept nogil:
    """Set ``number`` to the node to expand next in a search for a line of fewer than ``fewest`` moves, and
    raise ``lower_bound`` to its priority.

    Returns PROVED if no queued node can be on such a line, IMPROVED if the bound rose, else SEARCHING. With a
    weight above 1 priorities are not lower bounds, and only an empty queue returns PROVED.
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
    KEPT_SLOTS = 262144     # a hash table with more slots is freed before the next deal
    KEPT_CHUNKS = 32        # so is a store with more chunks
    KEPT_BELOW = 4          # so is any store if 4 times that memory would exceed its limit
    SLAB = 128              # chunks in a slab; its size is a multiple of 2^21 bytes
    FIRST_SLAB = 4 * SLAB   # a store with this many chunks allocates slabs


cdef inline uint64_t store_bytes(const NodeStore* store) noexcept nogil:
    return (store.chunk_count * <uint64_t>CHUNK * store.node_size + store.chunk_room * sizeof(void*)
            + store.allocated * store.slot_size)


cdef inline bint reset_store(NodeStore* store, uint32_t node_size, uint32_t most_nodes, uint32_t slot_size,
                             Refill refill, uint64_t max_bytes) noexcept nogil:
    """Remove all nodes and shrink the hash table to its first size. Returns False if ``max_bytes`` is too low
    or allocation fails.

    Memory kept from earlier deals must not change the point at which a search runs out of memory: whatever
    is kept is small enough to be in use well before the limit is reached.
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
        store.slots = new_block(FIRST_SLOTS * slot_size)
        if store.slots == NULL:
            return False
        store.allocated = FIRST_SLOTS
    else:
        memset(store.slots, 0, FIRST_SLOTS * slot_size)
    use_slots(store, FIRST_SLOTS)
    return make_room_for_node(store) and store_bytes(store) <= max_bytes


cdef inline void free_store(NodeStore* store) noexcept nogil:
    cdef uint32_t i
    for i in range(store.chunk_count):
        if not FIRST_SLAB <= i < FIRST_SLAB + store.slab_chunks:
            free(store.chunks[i])
        elif i % SLAB == 0:
            free_pages(store.chunks[i], SLAB * <uint64_t>CHUNK * store.node_size)
    free(store.chunks)
    free_block(store.slots, store.allocated * store.slot_size)
    store.chunks = NULL
    store.slots = NULL
    store.chunk_count = store.chunk_room = store.slab_chunks = store.count = 0
    store.allocated = store.room = 0


cdef inline void use_slots(NodeStore* store, uint64_t count) noexcept nogil:
    """Use the first ``count`` slots, which must all be free."""
    store.mask = count - 1
    store.max_occupied = count // 3 * 2 if store.slot_size > 4 else count // 5 * 4


cdef inline bint make_room_for_node(NodeStore* store) noexcept nogil:
    """Allocate the memory that one more node needs. Returns False, keeping all nodes, if that exceeds the
    memory limit or ``most_nodes``, or if allocation fails."""
    if store.count >= store.most_nodes:
        return False
    if store.count >= store.max_occupied and not grow_slots(store):
        store.max_occupied = (store.mask + 1) // 16 * 15
        if store.count >= store.max_occupied:
            return False
    if store.count >= store.chunk_count * CHUNK and not add_slab(store) and not add_chunk(store):
        return False
    store.room = min(min(store.max_occupied, store.chunk_count * <uint64_t>CHUNK), store.most_nodes)
    return True


cdef inline bint reserve_chunks(NodeStore* store, uint32_t more) noexcept nogil:
    """Reserve list entries for ``more`` chunks. Returns False, changing nothing, if list and chunks exceed
    the memory limit, or if allocation fails."""
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


cdef inline bint add_chunk(NodeStore* store) noexcept nogil:
    """Allocate a chunk. Returns False, adding nothing, if memory does not suffice."""
    if not reserve_chunks(store, 1):
        return False
    store.chunks[store.chunk_count] = malloc(CHUNK * <uint64_t>store.node_size)
    if store.chunks[store.chunk_count] == NULL:
        return False
    store.chunk_count += 1
    return True


cdef inline bint add_slab(NodeStore* store) noexcept nogil:
    """Allocate a slab of chunks. Returns False, adding nothing, if the store has fewer than FIRST_SLAB chunks
    or memory does not suffice."""
    cdef uint64_t size = CHUNK * <uint64_t>store.node_size
    cdef char* slab
    cdef uint32_t i
    if store.chunk_count < FIRST_SLAB or store.chunk_count > FIRST_SLAB + store.slab_chunks:
        return False
    if not reserve_chunks(store, SLAB):
        return False
    slab = <char*>new_pages(SLAB * size)
    if slab == NULL:
        return False
    for i in range(SLAB):
        store.chunks[store.chunk_count + i] = slab + i * size
    store.chunk_count += SLAB
    store.slab_chunks += SLAB
    return True


cdef inline bint grow_slots(NodeStore* store) noexcept nogil:
    """Double the slots in use. Returns False, changing nothing, if the old and the new table together exceed
    the memory limit, or if allocation fails."""
    cdef uint64_t held = store.mask + 1, size = 2 * held * store.slot_size
    cdef void* before = store.slots
    cdef void* grown
    if store_bytes(store) + size > store.max_bytes:
        return False
    grown = new_block(size)
    if grown == NULL:
        return False
    store.slots = grown
    use_slots(store, 2 * held)
    store.refill(store, before, held)
    free_block(before, store.allocated * store.slot_size)
    store.allocated = 2 * held
    return True
