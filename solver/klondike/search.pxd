"""Best-first search and SCC-labelling depth-first search; see search.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.hash_set cimport Explored, record_at
from ..core.kernel cimport Kernel
from .state cimport ClassPosition, Layout

cdef enum:
    PRIORITIES = 1024
    NO_NODE = 0xFFFFFFFF

cdef enum Verdict:
    LOST = 0
    WON = 1
    OPEN = 2                # a limit ended it

cdef struct SearchNode:     # a node of the best-first search
    uint64_t key
    uint32_t parent
    uint32_t following      # next node of the same priority; on a found line, the node after this one

cdef struct Tree:
    Explored nodes          # a hash table by keys
    uint32_t queues[PRIORITIES]
    int first               # all queues before it are empty

cdef struct Label:          # a position visited by the depth-first search
    uint64_t key
    uint32_t value          # DEAD, ALIVE, or its number on the path
    uint32_t unused

cdef struct Frame:          # a position on the stack of the depth-first search
    uint64_t children       # index in ``children`` of its first unvisited child
    uint32_t number, lowest  # index and low-link of Tarjan's algorithm

cdef struct Labelling:      # the SCC-labelling search of the relaxed stock
    Explored labels         # a hash table by keys
    Frame* frames
    uint64_t frame_count, frame_capacity
    uint64_t* children
    uint64_t child_count, child_capacity
    uint32_t* path          # labels of components that are not complete, by their numbers in ``labels``
    uint64_t path_count, path_capacity

cdef struct Search:
    Tree tree
    Labelling labelling
    uint32_t won            # a node from which all remaining cards go up, or with the greatest score
    uint64_t max_bytes
    uint64_t trial_nodes    # nodes expanded before the relaxed game is searched
    bint uses_relaxation, uses_dead_ends

cdef inline SearchNode* node_at(const Tree* tree, uint32_t number) noexcept nogil:
    """Return the node with the number ``number``."""
    return <SearchNode*>record_at(&tree.nodes, number)

cdef void begin_search(Search* search) noexcept nogil
cdef void free_search(Search* search) noexcept nogil
cdef uint64_t search_bytes(const Search* search) noexcept nogil
cdef Verdict decide(Search* search, Kernel* kernel, const Layout* layout, uint64_t root) noexcept nogil
cdef Verdict decide_relaxed(
    Search* search, Kernel* kernel, const Layout* layout, uint64_t root) noexcept nogil
cdef bint find_greatest(Search* search, Kernel* kernel, const Layout* layout, uint64_t root, int* score,
                        int* bound) noexcept nogil
cdef Verdict decide_labelled(
    Search* search, Kernel* kernel, const Layout* layout, uint64_t key) noexcept nogil
cdef int macro_moves_within(const Layout* layout, const ClassPosition* p, uint64_t* parked,
                            int most_sequences, bint by_parking_alone, uint64_t* keys,
                            int most) noexcept nogil
