"""Best-first search and SCC-labelling depth-first search; see search.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.hash_set cimport Explored, record_at
from ..core.kernel cimport Kernel
from .state cimport Layout, Position

cdef enum:
    PRIORITIES = 1024
    NO_NODE = 0xFFFFFFFF

cdef enum Verdict:
    LOST = 0
    WON = 1
    OPEN = 2                # a limit ended it

cdef struct SearchNode:     # of the best-first search
    uint64_t key
    uint32_t parent
    uint32_t following      # of the same priority

cdef struct Tree:
    Explored nodes          # by their keys
    uint32_t queues[PRIORITIES]
    int first               # all queues before it are empty

cdef struct Frame:          # of the depth-first search
    uint64_t key
    uint64_t children       # begin of those not visited yet
    uint32_t number, lowest

cdef struct Labelling:          # of the SCC-labelling search of the relaxed stock
    uint64_t* keys          # FREE where there is none
    uint32_t* values        # DEAD, ALIVE, or a number on the path
    uint64_t slot_mask, count
    Frame* frames
    uint64_t frame_count, frame_capacity
    uint64_t* children
    uint64_t child_count, child_capacity
    uint64_t* path          # keys of components that are not complete
    uint64_t path_count, path_capacity

cdef struct Search:
    Tree tree
    Labelling labelling
    uint32_t won            # a node from which the rest goes up
    uint64_t max_bytes
    uint64_t trial_nodes          # nodes before the relaxed game is searched
    bint uses_relaxation, uses_dead_ends

cdef inline SearchNode* node_at(const Tree* tree, uint32_t number) noexcept nogil:
    """Return the node of a number."""
    return <SearchNode*>record_at(&tree.nodes, number)

cdef void begin_search(Search* search) noexcept nogil
cdef void free_search(Search* search) noexcept nogil
cdef uint64_t search_bytes(const Search* search) noexcept nogil
cdef Verdict decide(Search* search, Kernel kernel, const Layout* layout, uint64_t root) noexcept nogil
cdef Verdict decide_relaxed(Search* search, Kernel kernel, const Layout* layout, uint64_t root) noexcept nogil
cdef bint find_greatest(Search* search, Kernel kernel, const Layout* layout, uint64_t root, int* score,
                        int* bound) noexcept nogil
cdef Verdict decide_labelled(Search* search, Kernel kernel, const Layout* layout, uint64_t key) noexcept nogil
cdef int macro_moves_within(const Layout* layout, const Position* p, uint64_t* parked, int most_sequences,
                            bint by_parking_alone, uint64_t* keys, int most) noexcept nogil
