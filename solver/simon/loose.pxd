"""Proofs of unwinnable deals by the relaxation with loose cards; see loose.pyx."""

from libc.stdint cimport uint16_t, uint64_t

from ..core.kernel cimport Kernel
from .capacity cimport MAX_CARDS, MAX_COLUMNS, MAX_RANKS, SUITS
from .classes cimport Class, Counts, Layout, Stem
from .outcome cimport Outcome
from .proof cimport Proof

cdef enum:
    FIRST_RUN = MAX_CARDS + 1                               # numbers below: lower parts of columns
    PARTS = FIRST_RUN + SUITS * MAX_RANKS * MAX_RANKS

cdef struct Part:               # what there is to know of a stem
    Stem stem
    uint64_t low                # what it adds to the key, which is that of the same stems in a class
    uint64_t high
    Counts open                 # and to the exposed cards of the ranks
    Counts loose[SUITS]         # and to the loose cards
    uint16_t beneath            # the stem without its tail; 0: nothing is left
    int anchor                  # of the tail, see classes
    int length
    int end
    int suit                    # of the top card
    int top                     # how many cards on top are of that suit

cdef struct Stems:              # a state of the relaxation
    uint64_t low
    uint64_t high
    Counts open
    int count
    uint16_t number[MAX_COLUMNS]

cdef struct Loose:
    Proof proof
    int columns
    int ranks
    Counts open                 # what no stem at all would have
    Counts loose[SUITS]
    Part part[PARTS]            # by number: 0 none, then columns card by card, then runs that took empty ones
    Stems start
    uint64_t produced           # successors, of all calls

ctypedef bint (*StemsConsumer)(void* context, const Stems* child) noexcept nogil

cdef void set_start(Loose* loose, const Layout* layout, const Class* state) noexcept nogil
cdef bint generate_loose(
    Loose* loose, const Stems* parent, StemsConsumer consumer, void* context
) noexcept nogil
cdef bint generate_leaving(
    Loose* loose, const Stems* parent, StemsConsumer consumer, void* context
) noexcept nogil
cdef Outcome relax_loose(
    Loose* loose, Kernel kernel, const Layout* layout, const Class* state, uint64_t nodes
) noexcept nogil
cdef bint is_lost(
    Loose* loose, Kernel kernel, const Layout* layout, const Class* state, uint64_t nodes
) noexcept nogil


cdef inline int number_of_run(int head, int end, int suit) noexcept nogil:
    """The number of a stem that is one run and all of its column."""
    return FIRST_RUN + (suit * MAX_RANKS + head) * MAX_RANKS + end

cdef inline int without_cards(int number, int cards) noexcept nogil:
    """The number of a stem less some top cards of its tail, of which one at least must stay."""
    return number + cards if number >= FIRST_RUN else number - cards
