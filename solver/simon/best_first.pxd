"""Best-first search over classes; see best_first.pyx."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from ..core.kernel cimport Kernel
from ..core.hash_set cimport Table
from .class_moves cimport Generator
from .classes cimport Class, Layout, Stem
from .common cimport MAX_CARDS, MAX_COLUMNS, Outcome
from .relaxation_loose cimport Loose

cdef enum:
    WEIGHED_BITS = 8

cdef struct Settings:
    uint64_t nodes          # classes to expand
    int cap                 # the most successors of one commitment
    uint64_t successors     # how many a class may have in the mean; 0: any number
    int step                # what a class move costs
    int tests               # nodes of a dead test before a class is expanded; 0: none
    double jitter           # spread of the weights, as a power of e
    int noise               # where there is jitter: the most that chance adds to a value
    uint64_t seed

cdef struct Queued:         # of the heap
    int32_t value
    uint32_t node

cdef struct Header:         # of a node; its packed class follows
    uint32_t parent
    uint16_t moves
    uint8_t kind, unit      # of the move that led to it

cdef struct BestFirst:
    const Layout* layout
    Settings settings
    Generator generator
    Table known
    uint8_t* pool           # nodes, by numbers that count eight bytes
    uint64_t used, room
    Queued* heap
    uint64_t waiting, heap_room, max_bytes
    int weights[8]
    int joinable
    int below[MAX_COLUMNS][MAX_CARDS + 1]           # what a stem's cards below and the breaks weigh
    uint64_t held[MAX_COLUMNS][MAX_CARDS + 1]       # which cards those are
    Stem weighed[1 << WEIGHED_BITS]     # stems met lately, and their values
    int weight[1 << WEIGHED_BITS]
    uint64_t last           # nodes of the kernel at which to stop
    uint64_t nodes_before   # of the kernel when the search began
    uint64_t successors_before
    uint32_t parent         # the node that is expanded
    uint16_t moves
    uint32_t won            # a won node, or NO_NODE
    bint met_win
    bint incomplete         # something was left out
    bint full
    bint is_costly          # there were too many successors
    bint fault              # see Generator; for good

cdef bint open_best(BestFirst* best, const Layout* layout, const Class* root, Settings settings,
                    uint64_t max_bytes) noexcept nogil
cdef void free_best(BestFirst* best) noexcept nogil
cdef uint64_t best_bytes(const BestFirst* best) noexcept nogil
cdef Outcome run_best(BestFirst* best, Kernel kernel, Loose* loose) noexcept nogil
cdef void read_node(const BestFirst* best, uint32_t node, Class* state) noexcept nogil

cdef inline Header* header_of(const BestFirst* best, uint32_t node) noexcept nogil:
    """The header of a node."""
    return <Header*>(best.pool + 8 * <uint64_t>node)
