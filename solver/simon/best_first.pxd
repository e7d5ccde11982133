"""Best-first search over classes; see best_first.pyx."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from ..core.kernel cimport Kernel
from ..core.hash_set cimport Table
from .class_moves cimport Generator
from .classes cimport Class, Layout, Stem
from .common cimport MAX_CARDS, MAX_COLUMNS, Outcome
from .relaxation_loose cimport Loose

cdef enum:
    WEIGHED_BITS = 8        # log2 of the size of the cache of stem values

cdef struct Settings:
    uint64_t nodes          # node budget: classes to expand
    int cap                 # branching limit: most successors of one commitment
    uint64_t successors     # limit on the mean successors of a class; 0 for no limit
    int step                # price of a class move
    int dead_end_nodes      # nodes of the dead-end test of each class before it is expanded; 0 for no test
    double jitter           # each weight is multiplied by a random power of e between -jitter and jitter
    int noise               # if jitter is not 0: a random number below this is added to each value
    uint64_t seed

cdef struct Queued:         # an entry of the heap
    int32_t value
    uint32_t node

cdef struct Header:         # header of a node in the pool; its packed class follows
    uint32_t parent
    uint16_t moves
    uint8_t kind, unit      # those of the Plan of the class move from the parent

cdef struct BestFirst:
    const Layout* layout
    Settings settings
    Generator generator
    Table known             # keys of the classes generated
    uint8_t* pool           # nodes; a node's number is its offset in units of eight bytes
    uint64_t used, room     # bytes of the pool
    Queued* heap
    uint64_t waiting        # entries of the heap
    uint64_t heap_room, max_bytes
    int weights[8]
    int joinable            # weight of a segment that could lie on a free card of its suit
    int below[MAX_COLUMNS][MAX_CARDS + 1]           # weight of the first n cards of a column in a stem
    uint64_t held[MAX_COLUMNS][MAX_CARDS + 1]       # set of these cards
    Stem weighed[1 << WEIGHED_BITS]     # cache of stem values: the stem
    int weight[1 << WEIGHED_BITS]       # and its value
    uint64_t last           # the kernel's `expanded` at which the search ends
    uint64_t nodes_before   # the kernel's `expanded` when the search began
    uint64_t successors_before      # the kernel's `generated` then
    uint32_t parent         # the node being expanded
    uint16_t moves          # class moves from the root to its successors
    uint32_t won            # a won node, or NO_NODE
    bint met_win            # a won node was reached at some time
    bint incomplete         # a branching limit omitted successors
    bint full               # out of memory
    bint is_costly          # stopped for too many successors
    bint fault              # the generator exceeded a capacity; never reset

cdef bint open_best(BestFirst* best, const Layout* layout, const Class* root, Settings settings,
                    uint64_t max_bytes) noexcept nogil
cdef void free_best(BestFirst* best) noexcept nogil
cdef uint64_t best_bytes(const BestFirst* best) noexcept nogil
cdef Outcome run_best(BestFirst* best, Kernel* kernel, Loose* loose) noexcept nogil
cdef void read_node(const BestFirst* best, uint32_t node, Class* state) noexcept nogil

cdef inline Header* header_of(const BestFirst* best, uint32_t node) noexcept nogil:
    """The header of node ``node``."""
    return <Header*>(best.pool + 8 * <uint64_t>node)
