"""Moves between classes, and between states of the relaxation; see class_moves.pyx."""

from libc.stdint cimport uint64_t, uint8_t

from .classes cimport Class, Layout
from .common cimport MAX_CARDS, MAX_COLUMNS, SUITS

cdef enum:
    STEM = MAX_CARDS                    # item numbers: a segment's own, a stem's from STEM on
    UNIT = MAX_CARDS + MAX_COLUMNS      # the unit that moves
    ITEMS = UNIT + 1
    NO_ITEM = 255
    NO_CAP = 0x7FFFFFFF                 # no limit on the successors of one commitment

    MOST_HEADS = 60                     # of a rank: 15 of each suit, as Counts hold

cdef enum Kind:
    ONTO_CARD = 0       # a break's or a column's lowest card with all above it, onto a card
    TO_EMPTY = 1        # a run to an empty column
    COMPLETE = 2        # a run from king to ace leaves

cdef enum Selection:       # of moves
    UNCOVERING = 1      # those by which a stem loses the whole one-suit piece on its top, and completions
    PARKING = 2         # the others: segments, and parts of one-suit pieces, to an empty column
    ALL = 3

cdef struct Plan:       # a class move as it has to be carried out
    uint8_t kind
    uint8_t unit        # the item of which the run is the top part; of COMPLETE the stem
    uint8_t cards       # how many top cards of the item
    uint8_t links       # first lay child[i] on parent[i], for all i; UNIT as a child says where the unit goes
    uint8_t child[MAX_CARDS]
    uint8_t parent[MAX_CARDS]

ctypedef bint (*Consumer)(void* context, Class* child, const Plan* plan) noexcept nogil

cdef struct Generator:
    const Layout* layout
    const Class* parent
    Selection selection
    int cap             # the most successors of one commitment
    Consumer consumer
    void* context
    bint with_links     # set by the owner, too: plans say where the segments of a commitment lie
    uint64_t produced   # successors handed over, of all calls
    bint capped         # a commitment had more
    bint stopped        # the consumer wants no more
    bint fault          # a capacity was exceeded: what was handed over may be wrong
    Plan plan
    # One commitment:
    Class base
    int committed_rank          # its rank
    int uncovered       # the stem that the move shortened, or -1
    int gone            # the stem that the move removed, or -1
    int emitted, slots, heads
    uint8_t slot[MAX_CARDS]         # the items to cover
    uint8_t head[MOST_HEADS]        # the segments to cover them with
    uint64_t unused                 # those that cover nothing yet, a bit each
    uint64_t of_suit[SUITS]         # those of each suit
    uint64_t alike[MOST_HEADS]      # of each the equal ones before it
    uint8_t above[ITEMS]            # the segment on each item
    int fixed_count
    uint8_t fixed[MAX_CARDS]        # the segments that have become immovable
    uint8_t carrier[MAX_CARDS]      # the items that those lie on

cdef bint generate_successors(Generator* generator, const Layout* layout, const Class* parent,
                              Selection selection, int cap, Consumer consumer, void* context) noexcept nogil
cdef bint generate_unit(Generator* generator, const Layout* layout, const Class* parent, int cap, int kind,
                        int unit, Consumer consumer, void* context) noexcept nogil
