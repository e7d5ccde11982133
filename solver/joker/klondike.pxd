"""Best-first search for the greatest score without jokers; see klondike.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from .klondike_moves cimport MOST_STEPS, Gains, Step
from .klondike_nodes cimport KlondikeNodes
from .klondike_state cimport KlondikeLayout, KlondikePosition

cdef struct Klondike:
    KlondikeLayout layout
    KlondikePosition position   # the state that is expanded
    KlondikeNodes nodes
    Gains gains
    Step steps[MOST_STEPS]
    uint64_t root
    int score               # the greatest found
    int bound               # no line reaches more
    uint32_t best           # the node of that score

cdef void search_klondike(Klondike* search, Kernel kernel, uint64_t max_bytes) noexcept nogil
cdef int codes_to_best(const Klondike* search, uint32_t* codes) noexcept nogil
