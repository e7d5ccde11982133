"""Exact positions of Klondike with redeals; see exact.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.bits cimport count_bits
from .line cimport Desk

cdef enum:
    MOST_CARDS = 52
    MOST_COLUMNS = 7
    MOST_SLOTS = 28
    NONE = 255              # no card, no column, no slot
    SLOTS_AT = 16           # of the first word of a key, after the heights
    REDEALS_AT = 6          # of the second word of a key, after the waste,
    TYPES_AT = 9            # and after the redeals
    LAST_AT = 15            # of the code of a step: what it freed, but the suit, or 0 if any step may follow,
    OLDER_AT = 21           # and what one before it freed

cdef struct ExactLayout:    # constants of a deal; sets have the bits of the cards of `rules`
    int ranks
    int goal                # cards that are to be up, those of suits left out among them
    bint is_full            # that is all
    int columns
    int slots               # the waste at the start, then the stock
    int draw
    int lead                # (lead + the waste at the start) is a multiple of it
    int passes              # 0: unlimited
    bint backward           # cards come back from foundations
    uint64_t deck, kings
    uint64_t raised[4][14]  # the cards of a suit that are up, by its height
    uint8_t slot_card[MOST_SLOTS]
    uint8_t slot_of[MOST_CARDS]     # of the cards of the stock
    uint8_t column_of[MOST_CARDS]   # of dealt cards
    uint8_t shift[MOST_COLUMNS]     # of the field of a column in a key, and its mask
    uint8_t mask[MOST_COLUMNS]
    uint8_t dealt_count[MOST_COLUMNS]
    uint8_t dealt[MOST_COLUMNS][MOST_CARDS]
    uint64_t buried[MOST_COLUMNS][MOST_CARDS + 1]   # the face-down cards, by the dealt cards left
    uint64_t over[MOST_COLUMNS][MOST_CARDS + 1]     # the cards higher than one of these of their suit
    uint8_t waiting[MOST_COLUMNS][MOST_CARDS + 1]   # of these, those that lie above such a one

cdef struct ExactPosition:  # an unpacked key
    uint64_t low, high
    uint64_t face           # face up in columns
    uint64_t bare           # of these, those with nothing on them
    uint64_t bases          # of these, the deepest of columns that cards were dealt to
    uint64_t placed         # of these, those that lie on face-up cards
    uint64_t runs[MOST_COLUMNS]     # the face-up cards of each of those columns
    int height[4]
    int slot[MOST_SLOTS]    # the cards of the waste and the stock that are left
    int count, waste, redeals
    int empty               # columns
    uint8_t on[MOST_CARDS]          # the card on a face-up one, or NONE,
    uint8_t under[MOST_CARDS]       # that beneath a placed one,
    uint8_t column[MOST_CARDS]      # and its column, or NONE if that is one of a king that is no base
    uint8_t left[MOST_COLUMNS]      # dealt cards

cdef enum:
    MOST_STEPS = 256

ctypedef struct Step:       # a move, or some that are made together, and the key after it
    uint64_t low, high
    int moves               # from the start on
    int left, stock, columns    # the parts of the bound
    uint32_t code           # of the move, for `make_step`

cdef struct Steps:
    const ExactLayout* start
    const ExactPosition* table
    int count
    bint is_safe            # the only one is a safe foundation move
    Step step[MOST_STEPS]

cdef void open_exact_layout(ExactLayout* start, const Desk* desk, int goal, uint64_t* low,
                            uint64_t* high) noexcept nogil
cdef void pack_exact(const ExactLayout* start, const Desk* desk, uint64_t* low, uint64_t* high) noexcept nogil
cdef void unpack_exact(const ExactLayout* start, ExactPosition* t, uint64_t low, uint64_t high) noexcept nogil
cdef int cards_left(const ExactLayout* start, const ExactPosition* t) noexcept nogil
cdef int stock_bound(const ExactLayout* start, const ExactPosition* t, int count, int waste,
                     int redeals) noexcept nogil
cdef int columns_bound(const ExactLayout* start, const ExactPosition* t) noexcept nogil
cdef void find_steps(Steps* steps, const ExactLayout* start, const ExactPosition* table,
                     const Step* here) noexcept nogil
cdef bint may_follow(const ExactLayout* start, const ExactPosition* t, uint32_t before,
                     uint32_t* code) noexcept nogil

cdef inline int draws_left(const ExactLayout* start, uint64_t low, uint64_t high) noexcept nogil:
    """Count the first draws of the cards of the stock, which all must be drawn if all cards are to be up."""
    cdef uint64_t slots = low >> SLOTS_AT & ((<uint64_t>1 << start.slots) - 1)
    if not start.is_full:
        return 0
    return (count_bits(slots) - <int>(high & 63) + start.draw - 1) // start.draw
