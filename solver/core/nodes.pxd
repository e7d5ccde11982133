"""Nodes of searches, found by their keys; see nodes.pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from .bits cimport hash_words
from .buckets cimport Buckets, Link

cdef enum:
    NO_NODE = 0xFFFFFFFF

cdef enum Progress:         # of a search for a shortest line
    STOPPED = 0             # a limit was met, and the kernel has the reason
    IMPROVED = 1            # a shorter line was found, or the lower bound rose
    PROVED = 2              # no line is shorter than the best one known
    SEARCHING = 3           # none of these yet

cdef struct Node:           # 40 bytes
    uint64_t low, high      # the key
    uint32_t parent         # the node before it, or NO_NODE
    Link link               # in the queue
    uint32_t move           # that leads here from the parent, as its game packs it
    uint16_t moves          # from the start
    uint8_t needed          # moves from here on, at least
    uint8_t queued
    uint32_t note           # of the game

cdef struct Nodes:
    Node* nodes
    uint32_t* slots         # a hash table: number of a node + 1, or 0; half are taken, or 7/8 at most
    uint64_t slot_mask
    Buckets queue
    uint32_t count
    uint32_t room           # nodes allocated
    uint32_t weight         # of `needed` in a priority,
    uint32_t scale          # and of `moves`
    uint64_t max_bytes

cdef bint reset_nodes(Nodes* nodes, uint32_t priorities, uint32_t weight, uint64_t max_bytes) noexcept nogil
cdef uint32_t add_node(Nodes* nodes, uint32_t* slot, uint64_t low, uint64_t high) noexcept nogil
cdef void free_nodes(Nodes* nodes) noexcept nogil
cdef uint64_t nodes_bytes(const Nodes* nodes) noexcept nogil
cdef void enqueue(Nodes* nodes, uint32_t number) noexcept nogil
cdef void dequeue(Nodes* nodes, uint32_t number) noexcept nogil
cdef Progress next_node(Nodes* nodes, uint32_t fewest, uint32_t* lower_bound, uint32_t* number) noexcept nogil

cdef inline void note_way(Node* node, uint32_t parent, uint32_t moves, uint32_t move) noexcept nogil:
    node.parent = parent
    node.moves = moves
    node.move = move

cdef inline uint32_t* find_slot(const Nodes* nodes, uint64_t low, uint64_t high) noexcept nogil:
    """The slot of the node of a key, or the free one where it belongs."""
    cdef uint64_t slot = hash_words(low, high) & nodes.slot_mask
    cdef const Node* node
    while nodes.slots[slot] != 0:
        node = &nodes.nodes[nodes.slots[slot] - 1]
        if node.low == low and node.high == high:
            break
        slot = (slot + 1) & nodes.slot_mask
    return &nodes.slots[slot]

# --- Nodes in chunks -------------------------------------------------------------------------------------

cdef enum:
    CHUNK = 4096            # nodes allocated at once: 1 << 12

cdef struct NodeStore

# Fills the slots, which are empty, with what the ``count`` slots of ``before`` hold, or from the nodes.
ctypedef void (*Refill)(NodeStore* store, const void* before, uint64_t count) noexcept nogil

cdef struct NodeStore:
    void** chunks
    uint32_t chunk_count    # allocated
    uint32_t chunk_room
    uint32_t slab_chunks    # how many of these lie in slabs
    uint32_t node_size      # bytes
    uint32_t count          # of nodes
    uint64_t room           # the count from which on one more needs more memory
    uint32_t most_nodes
    uint32_t slot_size      # bytes
    void* slots             # what stands for a key, as the search has it, and 0 where there is none
    uint64_t mask           # slots in use - 1
    uint64_t allocated      # slots
    uint64_t most_held      # slots that may hold something before there are more of them
    uint64_t max_bytes
    Refill refill

cdef bint reset_store(NodeStore* store, uint32_t node_size, uint32_t most_nodes, uint32_t slot_size,
                      Refill refill, uint64_t max_bytes) noexcept nogil
cdef void free_store(NodeStore* store) noexcept nogil
cdef bint make_room_for_node(NodeStore* store) noexcept nogil
cdef uint64_t store_bytes(const NodeStore* store) noexcept nogil

cdef inline bint has_room(const NodeStore* store) noexcept nogil:
    """Test if one more node can be stored without more memory."""
    return store.count < store.room
