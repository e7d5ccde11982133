"""A* search for a shortest solution; see shortest.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from .position cimport NONE, Position, Tables
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress

cdef enum:
    HOPELESS = 255          # value of the heuristic for a tableau that cannot be won

cdef struct Sets:           # the sets of cards that a move changes
    uint64_t low, high      # the key
    uint64_t left           # cards that are not up
    uint64_t tops, bottoms  # top cards and deepest cards of columns
    uint64_t blockers       # cards above a card of their suit that goes up before them
    uint64_t over_next      # cards above the card of their suit that goes up directly before them
    uint64_t lifted         # the card moved within the tableau since `above` was computed; or empty
    uint64_t lifted_under   # the cards beneath that card now

cdef struct Tableau:
    const Tables* tables
    int columns
    uint64_t before[NONE]       # by card: the cards of its suit that go up before it
    uint64_t beside[NONE]       # its neighbours
    Sets sets
    uint8_t beneath[NONE]       # card or TABLE directly beneath it
    uint64_t under[NONE]        # all cards beneath it in its column
    uint64_t above[NONE]        # all cards above it in the node read by `read_key`

cdef struct Shortest:
    Nodes nodes
    Tableau tableau
    uint8_t started_on[13][NONE]    # by base rank and card, in cards numbered from the base rank
    uint32_t fewest         # length of the best line
    uint32_t lower_bound    # on the length of any line
    uint32_t won            # the last node of the best line, or NO_NODE if the search did not find it

cdef bint open_shortest(Shortest* search, const Position* p, uint32_t fewest, uint32_t weight,
                        uint64_t max_bytes) noexcept nogil
cdef void free_shortest(Shortest* search) noexcept nogil
cdef Progress run_shortest(Shortest* search, Kernel* kernel) noexcept nogil
cdef uint32_t next_number(const Shortest* search, uint32_t number) noexcept nogil
cdef void read_move(const Shortest* search, const Position* p, uint32_t number, int* source,
                    int* target) noexcept nogil

cdef inline uint64_t cycle_of(const uint64_t* covers) noexcept nogil:
    """A deadlock, as a set of cards; ``covers`` has the cards that cover the next card of each suit.

    It is found by going from the first suit that waits to the suit of a card that covers its next card, and
    so on until a suit recurs.
    """
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
