"""Best-first search for the greatest score, with jokers; see search.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport NodeStore
from .moves cimport Child
from .state cimport ClassKey, ClassLayout, ClassPosition

cdef enum:
    TAKEN = 1 << 31         # flag in the parent of a node: a queue has popped the node
    MOST_NODES = 0x7FFFFFFE

cdef packed struct ClassNode:   # 28 bytes
    ClassKey key
    uint32_t parent             # node number, and the flag TAKEN; the first node is its own parent

cdef enum:
    BUCKETS = 2048
    MIDDLE = 1280           # the bucket of estimate 0
    QUEUES = 2
    BLOCK = 16              # words of a block: where the block beneath ends, then 15 node numbers
    FIRST_BLOCKS = 1024
    SPARE = 2 * QUEUES      # free blocks required before a state is pushed to the queues

cdef struct Queues:
    uint32_t tops[QUEUES][BUCKETS]  # index in ``words`` of the last node of each bucket, or 0
    int highest[QUEUES]             # buckets above it are empty
    uint32_t* words         # the blocks, one after the other; the first one is unused
    uint32_t blocks         # allocated
    uint32_t used           # blocks used so far, including those freed since
    uint32_t free           # head of the list of freed blocks, linked by their first words, or 0
    uint32_t left           # blocks freed or never used
    uint32_t taken          # nodes popped
    uint32_t sweeps         # sweeps made

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
    int phase               # the queues alternate every 2 ** phase expansions
    int detour              # penalty of any other move where a natural could go up

cdef void set_estimates(Estimates* estimates, bint has_jokers, bint turned_only) noexcept nogil

cdef enum:
    BATCH = 32              # children computed before the first of them is looked up
    LARGE = 250000          # stored states from which on hopeless ones are not stored
    EARLY = 4096            # nodes whose macros are stored: regenerating takes 1/10 of a short search
    MOST_LINE = 4096        # macros of a line: a few for each card

cdef struct ClassSearch:
    const ClassLayout* layout
    ClassKey root           # where the search begins
    Estimates estimates
    uint32_t* codes         # capacity MOST_LINE + MOST_CODES
    uint64_t large          # LARGE, or less for tests
    uint32_t blocks         # FIRST_BLOCKS, or less for tests
    uint32_t early          # EARLY, or less for tests
    int wanted              # a score that suffices; 0: the greatest is searched for
    int score               # greatest score found
    int bound               # upper bound of the score of all lines
    uint32_t best           # first node with the score found
    uint64_t tested_from    # nodes from this number on were stored since their bounds exceed ``score``
    bint has_overflowed     # a position had more than MOST_CODES macros
    NodeStore nodes
    Queues queues
    ClassPosition position  # the state being expanded
    ClassPosition successor     # the successor whose bound is computed
    Child children[BATCH]
    uint64_t hashes[BATCH]
    uint64_t places[BATCH]  # slots from which the children are looked up
    uint32_t early_codes[EARLY]     # macros that first generated the first nodes

cdef void search_classes(ClassSearch* search, Kernel* kernel, uint64_t max_bytes) noexcept nogil
cdef int codes_to_best_class(ClassSearch* search) noexcept nogil
cdef uint64_t class_search_bytes(const ClassSearch* search) noexcept nogil
cdef void free_class_search(ClassSearch* search) noexcept nogil
