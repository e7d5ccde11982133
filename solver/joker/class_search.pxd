"""Best-first search for the greatest score, with jokers; see class_search.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.node_store cimport NodeStore
from .estimates cimport Estimates
from .macros cimport Child
from .queues cimport Queues
from .state cimport ClassKey, ClassLayout, ClassPosition

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
    uint32_t early_codes[EARLY]     # the macros by which the first nodes were met

cdef void search_classes(ClassSearch* search, Kernel kernel, uint64_t max_bytes) noexcept nogil
cdef int codes_to_best_class(ClassSearch* search) noexcept nogil
cdef uint64_t class_search_bytes(const ClassSearch* search) noexcept nogil
cdef void free_class_search(ClassSearch* search) noexcept nogil
