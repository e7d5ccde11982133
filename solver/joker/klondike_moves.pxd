"""The macro moves to try without jokers; see klondike_moves.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .estimates cimport Estimates
from .klondike_state cimport KlondikeLayout, KlondikePosition

cdef enum:
    MOST_STEPS = 256        # 48 tops of the waste with 2 plays each, 4 cards up and 7 bases

cdef struct Gains:          # what steps add to the estimate
    int up                  # a card to the foundations
    int from_waste          # a card less in the waste
    int turned              # a turn
    int turned_up           # a face-down card less
    int emptied             # an empty column more

cdef struct Step:           # a macro and what it leads to
    uint64_t key
    uint32_t code
    int score
    int gain                # of the estimate

cdef void set_gains(Gains* gains, const Estimates* estimates) noexcept nogil
cdef bint find_safe(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* step
) noexcept nogil
cdef int write_steps(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* steps
) noexcept nogil
