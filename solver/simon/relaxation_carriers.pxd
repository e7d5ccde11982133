"""Relaxation R2, with loose cards and their carriers; see relaxation_carriers.pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from ..core.hash_set cimport Explored
from ..core.kernel cimport Kernel
from .classes cimport Class, Counts, Layout
from .common cimport MAX_COLUMNS, MAX_RANKS, SUITS, Outcome
from .relaxation_loose cimport Loose

# --- States and moves of the relaxation ---------------------------------------------------------------------

cdef enum:
    LOOSE_RANKS = MAX_RANKS - 1     # ranks of loose cards: all but the king's
    MOST_STEMS = 16                 # stems in a node: MAX_COLUMNS, rounded up to whole words

# A set of places of one rank, 8 bits: |7 last cards of stems, by suit 4|3 loose cards, by suit 0|
ctypedef uint8_t Places

# The places where the loose cards of one rank may lie, 64 bits: two Places for each suit, one for each of its
# two cards. If there is one card, it has the lower byte, and the other byte is 0.
ctypedef uint64_t Carriage

cdef struct Carried:            # a state
    int count                       # number of stems
    uint16_t number[MAX_COLUMNS]    # their numbers in Loose.part; ascending in canonical form
    Carriage on[LOOSE_RANKS]        # A in the theory, by rank of the loose cards

cdef struct View:               # figures derived from a state in canonical form
    Counts open                 # number of exposed cards of each rank
    Counts loose[SUITS]         # number of loose cards
    uint32_t tops[MAX_RANKS]    # number of tops of each place, four bits each
    Places off[MAX_RANKS]       # the places that come off
    uint8_t stuck[LOOSE_RANKS]  # suits of the loose cards that do not come off, a bit each

ctypedef bint (*CarriedConsumer)(void* context, const Carried* child) noexcept nogil

cdef struct Carriers:
    Loose* loose                # holds the parts of columns
    Carried start
    uint64_t produced           # successors generated, in all calls

cdef bint set_carriers(Carriers* carriers, Loose* loose, const Layout* layout,
                       const Class* state) noexcept nogil
cdef bint see(const Carriers* carriers, Carried* state, View* view) noexcept nogil
cdef bint generate_carried(Carriers* carriers, const Carried* parent, CarriedConsumer consumer,
                           void* context) noexcept nogil
cdef bint generate_carried_leaving(Carriers* carriers, const Carried* parent, CarriedConsumer consumer,
                                   void* context) noexcept nogil

cdef inline int carriers_of(Carriage on, int suit) noexcept nogil:
    """Return the carriers of the two cards of ``suit`` in ``on``: one Places each, the first card's in the
    low byte."""
    return on >> 16 * suit & 0xFFFF

# --- Search -------------------------------------------------------------------------------------------------

cdef struct CarrierNode:        # a record of `joins`: a join of states, 136 bytes
    uint16_t number[MOST_STEMS]     # the key: the numbers of the stems, then zeros
    Carriage on[LOOSE_RANKS]
    uint8_t count, is_waiting
    uint32_t waiting            # next node of the open list, or NO_NODE

cdef struct CarrierSearch:
    Carriers carriers
    Explored joins              # CarrierNodes, one for each set of stems
    uint32_t waiting            # first node of the open list, which is expanded next, or NO_NODE
    bint won
    bint full                   # out of memory

cdef void free_carriers(CarrierSearch* search) noexcept nogil
cdef uint64_t carriers_bytes(const CarrierSearch* search) noexcept nogil
cdef Outcome relax_carriers(CarrierSearch* search, Loose* loose, Kernel* kernel, const Layout* layout,
                            const Class* state, uint64_t nodes, uint64_t max_bytes) noexcept nogil
