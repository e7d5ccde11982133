"""The relaxation with loose cards and their carriers; see relaxation_carriers.pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from ..core.hash_set cimport Explored
from ..core.kernel cimport Kernel
from .classes cimport Class, Counts, Layout
from .common cimport MAX_COLUMNS, MAX_RANKS, SUITS, Outcome
from .relaxation_loose cimport Loose

# --- States and moves of the relaxation ---------------------------------------------------------------------

cdef enum:
    LOOSE_RANKS = MAX_RANKS - 1     # all but kings
    MOST_STEMS = 16                 # of a node: the columns, and zeros that make whole words

# A set of places to lie on, of one rank, 8 bits: |7 last cards of stems, by suit 4|3 loose cards, by suit 0|
ctypedef uint8_t Places

# What the loose cards of a rank may lie on, 64 bits: two Places for each suit, one for each card of it. A
# card alone has the lower byte, and the other is 0.
ctypedef uint64_t Carriage

cdef struct Carried:            # a state
    int count
    uint16_t number[MAX_COLUMNS]    # of its stems, see relaxation_loose; ascending in normal form
    Carriage on[LOOSE_RANKS]        # by rank of the card that lies there

cdef struct View:               # what follows from a state in normal form
    Counts open
    Counts loose[SUITS]
    uint32_t tops[MAX_RANKS]    # how many there are of each place, four bits each
    Places off[MAX_RANKS]       # the places of tops that may come off
    uint8_t stuck[LOOSE_RANKS]  # the suits of loose cards that do not

ctypedef bint (*CarriedConsumer)(void* context, const Carried* child) noexcept nogil

cdef struct Carriers:
    Loose* loose                # the parts of columns
    Carried start
    uint64_t produced           # successors, of all calls

cdef bint set_carriers(Carriers* carriers, Loose* loose, const Layout* layout,
                       const Class* state) noexcept nogil
cdef bint see(const Carriers* carriers, Carried* state, View* view) noexcept nogil
cdef bint generate_carried(Carriers* carriers, const Carried* parent, CarriedConsumer consumer,
                           void* context) noexcept nogil
cdef bint generate_carried_leaving(Carriers* carriers, const Carried* parent, CarriedConsumer consumer,
                                   void* context) noexcept nogil

cdef inline int carriers_of(Carriage on, int suit) noexcept nogil:
    """Places of the cards of a suit: two Places, the first card's lowest."""
    return on >> 16 * suit & 0xFFFF

# --- Search -------------------------------------------------------------------------------------------------

cdef struct CarrierNode:        # a record of the joins; 136 bytes
    uint16_t number[MOST_STEMS]     # the key: 0 where there is no stem
    Carriage on[LOOSE_RANKS]
    uint8_t count, is_waiting
    uint32_t waiting            # the number of the node that waits behind it, or NO_NODE

cdef struct CarrierSearch:
    Carriers carriers
    Explored joins              # CarrierNodes, one for each set of stems
    uint32_t waiting            # the number of the node to be expanded next, or NO_NODE
    bint won
    bint full                   # memory did not allow something

cdef void free_carriers(CarrierSearch* search) noexcept nogil
cdef uint64_t carriers_bytes(const CarrierSearch* search) noexcept nogil
cdef Outcome relax_carriers(CarrierSearch* search, Loose* loose, Kernel kernel, const Layout* layout,
                            const Class* state, uint64_t nodes, uint64_t max_bytes) noexcept nogil
