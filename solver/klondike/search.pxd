"""The searches of Klondike; see search.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from .state cimport Layout

cdef enum:
    PRIORITIES = 1024
    NO_NODE = 0xFFFFFFFF

cdef enum Outcome:
    LOST = 0
    WON = 1
    OPEN = 2                # a limit ended it

cdef struct SearchNode:
    uint64_t key
    uint32_t parent
    uint32_t following      # of the same priority

cdef struct Tree:           # of the search with exact keys
    SearchNode* nodes
    uint32_t count
    uint64_t room
    uint32_t* slots         # 1 + the number of a node, or 0
    uint64_t slot_mask
    uint32_t queues[PRIORITIES]
    int first               # all queues before it are empty

cdef struct Frame:          # of the depth-first search
    uint64_t key
    uint64_t children       # where those begin that were not entered yet
    uint32_t number
    uint32_t lowest

cdef struct Judge:          # what is known of the game with the relaxed stock
    uint64_t* keys          # FREE where there is none
    uint32_t* values        # DEAD, ALIVE, or a number on the path
    uint64_t slot_mask
    uint64_t count
    Frame* frames
    uint64_t frame_count
    uint64_t frame_room
    uint64_t* children
    uint64_t child_count
    uint64_t child_room
    uint64_t* path          # the keys of components that are not complete
    uint64_t path_count
    uint64_t path_room

cdef struct Search:
    Tree tree
    Judge judge
    uint32_t won            # a node from which the rest goes up
    uint64_t max_bytes
    uint64_t trial          # nodes before the relaxed game is asked
    bint uses_judge
    bint uses_marks

cdef void begin_search(Search* search) noexcept nogil
cdef void free_search(Search* search) noexcept nogil
cdef uint64_t search_bytes(const Search* search) noexcept nogil
cdef Outcome decide(Search* search, Kernel kernel, const Layout* layout, uint64_t root) noexcept nogil
cdef Outcome decide_relaxed(Search* search, Kernel kernel, const Layout* layout, uint64_t root) noexcept nogil
