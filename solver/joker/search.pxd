"""Best-first search for the greatest score, with jokers; see search.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport NodeStore
from .moves cimport Child
from .state cimport ClassKey, ClassLayout, ClassPosition

cdef enum:
    TAKEN = 1 << 31         # beside the parent of a node: a queue has given it out
    MOST_NODES = 0x7FFFFFFE

cdef packed struct ClassNode:   # 28 bytes
    ClassKey key
    uint32_t parent             # the first node is its own; TAKEN

cdef enum:
    BUCKETS = 2048
    MIDDLE = 1280           # the bucket of estimate 0
    QUEUES = 2
    BLOCK = 16              # words: where the block beneath ends, and numbers of nodes
    FIRST_BLOCKS = 1024
    SPARE = 2 * QUEUES      # blocks that must be left before a state is put into the queues

cdef struct Queues:
    uint32_t tops[QUEUES][BUCKETS]  # where the last node of a bucket is in ``words``, or 0
    int highest[QUEUES]             # no bucket above it has a node
    uint32_t* words         # in blocks; the first is of no bucket
    uint32_t blocks         # there are
    uint32_t used           # of them, some of which are free again
    uint32_t free           # the first of these, each with the next in it; or 0
    uint32_t left           # blocks that are free or were never used
    uint32_t taken          # nodes that were given out
    uint32_t sweeps         # that were made

cdef enum:                  # what an estimate counts
    SCORE = 0
    FACE_DOWN = 1
    WASTE_SIZE = 2
    TURNED = 3
    EMPTY_COLUMNS = 4
    OUT_OF_PLAY = 5
    FEATURES = 6

cdef struct Estimates:
    int weights[QUEUES][FEATURES]
    int phase               # a queue is followed for 2 to the power of so many states, then the other
    int detour              # taken off for a move that is not up, where a natural could go up

cdef void set_estimates(Estimates* estimates, variant, bint turned_only) except *

cdef enum:
    BATCH = 32              # children worked out before any is looked up
    LARGE = 250000          # states stored, from which on one without hope is not
    EARLY = 4096            # nodes whose macros are kept: to look for them is a tenth of a short search
    MOST_LINE = 4096        # macros: a few for each card

cdef struct ClassSearch:
    const ClassLayout* layout
    ClassKey root           # where the search begins
    Estimates estimates
    uint32_t* codes         # room for MOST_LINE + MOST_CODES
    uint64_t large          # LARGE, or less for tests
    uint32_t blocks         # FIRST_BLOCKS, or less for tests
    uint32_t early          # EARLY, or less for tests
    int score               # the greatest found
    int bound               # no line reaches more
    uint32_t best           # the node of that score
    uint64_t asked          # nodes from this one on were stored because their bounds surpass that score
    bint has_overflowed     # a position with more moves than there is room for was met
    NodeStore nodes
    Queues queues
    ClassPosition position  # the state that is expanded
    ClassPosition met       # one that its moves lead to
    Child children[BATCH]
    uint64_t hashes[BATCH]
    uint64_t places[BATCH]  # where they may be looked up from
    uint32_t early_codes[EARLY]     # the macros by which the first nodes were met

cdef void search_classes(ClassSearch* search, Kernel kernel, uint64_t max_bytes) noexcept nogil
cdef int codes_to_best_class(ClassSearch* search) noexcept nogil
cdef uint64_t class_search_bytes(const ClassSearch* search) noexcept nogil
cdef void free_class_search(ClassSearch* search) noexcept nogil
