"""Proofs of unwinnable deals by the relaxation with loose cards; see relaxation_loose.pyx."""

from libc.stdint cimport uint16_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.hash_set cimport Table
from .classes cimport Class, Counts, Layout, Stem
from .common cimport MAX_CARDS, MAX_COLUMNS, MAX_RANKS, SUITS, Outcome

# --- States of a search for a proof -------------------------------------------------------------------------

cdef struct Proof:
    Table known         # the states of the present search
    Table dead          # states proved to have no win; of one layout only
    uint16_t* waiting   # states not expanded yet: the numbers of their stems, and how many these are
    uint64_t used, room, max_bytes
    bint full           # memory did not allow something

cdef bint open_proof(Proof* proof, uint64_t max_bytes) noexcept nogil
cdef void free_proof(Proof* proof) noexcept nogil
cdef uint64_t proof_bytes(const Proof* proof) noexcept nogil

# --- States and moves of the relaxation ---------------------------------------------------------------------

cdef enum:
    FIRST_RUN = MAX_CARDS + 1                               # numbers below: lower parts of columns
    PARTS = FIRST_RUN + SUITS * MAX_RANKS * MAX_RANKS

cdef struct Part:               # what there is to know of a stem
    Stem stem
    uint64_t low, high          # what it adds to the key, which is that of the same stems in a class
    Counts open                 # and to the exposed cards of the ranks
    Counts loose[SUITS]         # and to the loose cards
    uint16_t beneath            # the stem without its tail; 0: nothing is left
    int anchor                  # of the tail, see classes
    int length, end
    int suit                    # of the top card
    int top                     # how many cards on top are of that suit

cdef struct Stems:              # a state of the relaxation
    uint64_t low, high
    Counts open
    int count
    uint16_t number[MAX_COLUMNS]

cdef struct Loose:
    Proof proof
    int columns, ranks
    Counts open                 # what no stem at all would have
    Counts loose[SUITS]
    Part part[PARTS]            # by number: 0 none, then columns card by card, then runs that took empty ones
    Stems start
    uint64_t produced           # successors, of all calls
    uint64_t expanded           # nodes of the present search
    bint won                    # it met a win

ctypedef bint (*StemsConsumer)(void* context, const Stems* child) noexcept nogil

cdef void set_start(Loose* loose, const Layout* layout, const Class* state) noexcept nogil
cdef bint generate_loose(Loose* loose, const Stems* parent, StemsConsumer consumer,
                         void* context) noexcept nogil
cdef bint generate_leaving(Loose* loose, const Stems* parent, StemsConsumer consumer,
                           void* context) noexcept nogil
cdef bint begin_loose(Loose* loose, const Layout* layout, const Class* state) noexcept nogil
cdef Outcome run_loose(Loose* loose, Kernel kernel, uint64_t nodes) noexcept nogil
cdef bint is_lost(Loose* loose, Kernel kernel, const Layout* layout, const Class* state,
                  uint64_t nodes) noexcept nogil

cdef inline int number_of_run(int head, int end, int suit) noexcept nogil:
    """The number of a stem that is one run and all of its column."""
    return FIRST_RUN + (suit * MAX_RANKS + head) * MAX_RANKS + end

cdef inline int without_cards(int number, int cards) noexcept nogil:
    """The number of a stem less some top cards of its tail, of which one at least must stay."""
    return number + cards if number >= FIRST_RUN else number - cards

cdef inline void uncover(const Loose* loose, uint16_t* number, int* count, int i) noexcept nogil:
    """Take the tail of stem ``i`` of some away; where nothing is beneath, the last one takes its place."""
    number[i] = loose.part[number[i]].beneath
    if number[i] == 0:
        count[0] -= 1
        number[i] = number[count[0]]
