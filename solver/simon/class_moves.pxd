"""Moves between classes, and between states of the relaxation; see class_moves.pyx."""

from libc.stdint cimport uint64_t, uint8_t

from .classes cimport Class, Layout
from .common cimport MAX_CARDS, MAX_COLUMNS, SUITS

cdef enum:
    STEM = MAX_CARDS                    # item numbers: segment i has number i, stem i has STEM + i
    UNIT = MAX_CARDS + MAX_COLUMNS      # item number of the unit, the run being moved
    ITEMS = UNIT + 1
    NO_ITEM = 255
    NO_CAP = 0x7FFFFFFF                 # no limit on the successors of one commitment

    MOST_HEADS = 60                     # most segment heads of a rank: 15 of each suit, the limit of Counts

cdef enum Kind:
    ONTO_CARD = 0       # X, G: the tail of a stem moves onto a card
    TO_EMPTY = 1        # F, Y: a run moves to an empty column
    COMPLETE = 2        # C: a run from king to ace leaves

cdef enum Selection:    # the class moves to generate
    UNCOVERING = 1      # moves by which a stem loses the whole one-suit piece on its top, and completions
    PARKING = 2         # the others: moves of segments and of parts of one-suit pieces to an empty column
    ALL = 3

cdef struct Plan:       # instructions to carry out a class move
    uint8_t kind
    uint8_t unit        # the item whose top part is the run being moved; for COMPLETE the stem
    uint8_t cards       # number of cards of that part
    uint8_t links       # lay child[i] on parent[i] first, for all i; for child UNIT, parent is its target
    uint8_t child[MAX_CARDS]
    uint8_t parent[MAX_CARDS]

ctypedef bint (*Consumer)(void* context, Class* child, const Plan* plan) noexcept nogil

cdef struct Generator:
    const Layout* layout
    const Class* parent
    Selection selection
    int cap             # branching limit: most successors of one commitment
    Consumer consumer   # is called with each successor; returns False to end the generation
    void* context       # its first argument
    bint with_links     # set by the caller: whether plans contain the links of commitments
    uint64_t produced   # successors generated, in all calls
    bint capped         # a commitment had more successors than `cap`
    bint stopped        # the consumer returned False
    bint fault          # a capacity was exceeded: successors may be wrong
    Plan plan
    # The present commitment:
    Class base                  # the class after the move, before links are committed
    int committed_rank          # rank of the cards that the segments lie on
    int uncovered               # the stem that the move shortened, or -1
    int gone                    # the stem that the move removed, or -1
    int emitted                 # successors so far
    int slots, heads
    uint8_t slot[MAX_CARDS]         # the items to cover
    uint8_t head[MOST_HEADS]        # the segments that can cover them
    uint64_t unused                 # set of heads, by index, that cover nothing yet
    uint64_t of_suit[SUITS]         # set of heads of each suit
    uint64_t alike[MOST_HEADS]      # set of equal heads with a lower index, for each head
    uint8_t above[ITEMS]            # the segment on each item, or NO_ITEM
    int fixed_count
    uint8_t fixed[MAX_CARDS]        # the segments that have become immovable
    uint8_t carrier[MAX_CARDS]      # the item that each of these lies on

cdef bint generate_successors(Generator* generator, const Layout* layout, const Class* parent,
                              Selection selection, int cap, Consumer consumer, void* context) noexcept nogil
cdef bint generate_unit(Generator* generator, const Layout* layout, const Class* parent, int cap, int kind,
                        int unit, Consumer consumer, void* context) noexcept nogil
