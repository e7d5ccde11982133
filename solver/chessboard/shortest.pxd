"""A* search for a shortest solution; see shortest.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from .position cimport NONE, Position, Tables
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress

cdef struct Sets:           # what a move changes, beside one entry of `beneath` and `under`
    uint64_t low, high      # the key
    uint64_t left           # cards not up
    uint64_t tops, bottoms
    uint64_t blockers       # cards above one of their suit that goes up before them
    uint64_t over_next      # cards above the next one of their suit
    uint64_t lifted         # the card that moved within the tableau since `above` was made, if one did
    uint64_t lifted_under   # the cards beneath it now

cdef struct Tableau:
    const Tables* tables
    int columns
    uint64_t before[NONE]       # the cards of its suit that go up before a card
    uint64_t beside[NONE]       # its neighbours
    Sets sets
    uint8_t beneath[NONE]       # card or TABLE
    uint64_t under[NONE]        # all cards beneath a card in its column
    uint64_t above[NONE]        # all cards above it, but for what has moved since

cdef struct Shortest:
    Nodes nodes
    Tableau tableau
    uint8_t started_on[13][NONE]    # for each base rank, in numbers that count from it
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # no line has fewer
    uint32_t won            # the node where that line ends, or NO_NODE if it was known before

cdef bint open_shortest(Shortest* search, const Position* p, uint32_t fewest, uint32_t weight,
                        uint64_t max_bytes) noexcept nogil
cdef void free_shortest(Shortest* search) noexcept nogil
cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil
cdef uint32_t next_number(const Shortest* search, uint32_t number) noexcept nogil
cdef void read_move(const Shortest* search, const Position* p, uint32_t number, int* source,
                    int* target) noexcept nogil

cdef inline uint64_t cycle_of(const uint64_t* covers) noexcept nogil:
    """A deadlock: from the first suit that waits to that of a card covering its next one, until a suit comes
    again. ``covers`` are the cards that cover the next one of each suit."""
    cdef uint64_t cards = 0
    cdef int suit = 0, seen = 0, start
    while covers[suit] == 0:
        suit += 1
    while not seen >> suit & 1:
        seen |= 1 << suit
        suit = lowest_bit(covers[suit]) >> 4
    start = suit
    while True:
        cards |= covers[suit] & (0 - covers[suit])
        suit = lowest_bit(covers[suit]) >> 4
        if suit == start:
            return cards
