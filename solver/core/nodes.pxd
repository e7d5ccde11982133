"""Nodes of searches, hashed by their keys; see nodes.pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from .buckets cimport Buckets, Link
from .hash_set cimport Explored, hash_key

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
    uint32_t scale          # factor of `moves` in the priority

cdef bint reset_nodes(Nodes* nodes, uint32_t priorities, uint32_t weight, uint64_t max_bytes) noexcept nogil
cdef uint32_t add_node(Nodes* nodes, uint32_t* slot, uint64_t low, uint64_t high) noexcept nogil
cdef void free_nodes(Nodes* nodes) noexcept nogil
cdef uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil
cdef void enqueue(Nodes* nodes, uint32_t number) noexcept nogil
cdef void dequeue(Nodes* nodes, uint32_t number) noexcept nogil
cdef Progress next_node(Nodes* nodes, uint32_t fewest, uint32_t* lower_bound, uint32_t* number) noexcept nogil

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

cdef bint reset_store(NodeStore* store, uint32_t node_size, uint32_t most_nodes, uint32_t slot_size,
                      Refill refill, uint64_t max_bytes) noexcept nogil
cdef void free_store(NodeStore* store) noexcept nogil
cdef bint make_room_for_node(NodeStore* store) noexcept nogil
cdef uint64_t store_bytes(const NodeStore* store) noexcept nogil

cdef inline bint has_room(const NodeStore* store) noexcept nogil:
    """Test if one more node fits without allocating memory."""
    return store.count < store.room
