"""Steps between exact positions of Klondike with redeals; see steps.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.bits cimport count_bits
from .position cimport SLOTS_AT, ExactLayout, Position

cdef enum:
    MOST_STEPS = 256
    UP = 60                 # target of a step: the foundation
    EMPTY = 61              # target of a step: an empty column; other targets are cards
    TARGET_AT = 6           # shift of the target in the code of a step, after the card
    CODE_MASK = 63          # mask of card and target
    HOST_UP = 1 << 12       # the card beneath the moved one goes up after it
    REDEALT = 1 << 13       # the step begins with a redeal
    LAST_AT = 15            # shift, in the code of a step, of the card or column that it freed, 0 for none
    OLDER_AT = 21           # shift, in the code of a step, of what an earlier step freed

ctypedef struct Step:       # a move, or several moves made together, and the key after it
    uint64_t low, high
    int moves               # moves made from the start on
    int left, stock, columns    # the three parts of the bound
    uint32_t code           # the move, for `line.make_step`

cdef struct Steps:
    const ExactLayout* start
    const Position* table
    int count
    bint is_safe            # the only step is a safe foundation move
    Step step[MOST_STEPS]

cdef int cards_left(const ExactLayout* start, const Position* t) noexcept nogil
cdef int stock_bound(const ExactLayout* start, const Position* t, int count, int waste,
                     int redeals) noexcept nogil
cdef int columns_bound(const ExactLayout* start, const Position* t) noexcept nogil
cdef void find_steps(Steps* steps, const ExactLayout* start, const Position* table,
                     const Step* here) noexcept nogil
cdef bint may_follow(const Position* t, uint32_t before, uint32_t* code) noexcept nogil

cdef inline int draws_left(const ExactLayout* start, uint64_t low, uint64_t high) noexcept nogil:
    """Return a lower bound of the draws that turn up the rest of the stock for the first time. It is 0 unless
    the goal is all cards, which needs the whole stock."""
    cdef uint64_t slots = low >> SLOTS_AT & ((<uint64_t>1 << start.slots) - 1)
    if not start.is_full:
        return 0
    return (count_bits(slots) - <int>(high & 63) + start.draw - 1) // start.draw
