"""The relaxation with loose cards and their carriers; see carriers.pyx."""

from libc.stdint cimport uint16_t, uint64_t

from .classes cimport MAX_COLUMNS, Class, Counts, Layout
from .loose cimport PARTS, Loose

cdef enum:
    LOOSE_RANKS = 12            # all but kings

cdef struct Carried:            # a state
    int count
    uint16_t number[MAX_COLUMNS]    # of its stems, see loose; ascending in normal form
    uint16_t on[LOOSE_RANKS]    # by rank, four bits for each suit of a card: the suits of what it may lie on

cdef struct View:               # what follows from a state in normal form; a bit for each card, 4 rank + suit
    uint64_t loose
    uint64_t tops               # loose cards and the last ones of stems
    uint64_t off                # tops that may come off
    uint64_t stuck              # loose cards that do not
    Counts open

ctypedef bint (*CarriedConsumer)(void* context, const Carried* child) noexcept nogil

cdef struct Carriers:
    Loose* loose                # the parts of columns
    uint64_t cards[PARTS]       # of each part
    Carried start
    uint64_t produced           # successors, of all calls

cdef bint set_carriers(
    Carriers* carriers, Loose* loose, const Layout* layout, const Class* state
) noexcept nogil
cdef bint see(const Carriers* carriers, Carried* state, View* view) noexcept nogil
cdef bint generate_carried(
    Carriers* carriers, const Carried* parent, CarriedConsumer consumer, void* context
) noexcept nogil
cdef bint generate_carried_leaving(
    Carriers* carriers, const Carried* parent, CarriedConsumer consumer, void* context
) noexcept nogil
