"""Which macro moves are tried without jokers, and what they lead to.

They are those of `moves`, which has the reasons, for two jokers that are out of play: what is turned is used
at once, parts of runs move within a class only, a king moves from face-down cards only, and safe moves to the
foundations are made first. A move changes a few bits of the key.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t

from ..core.bits cimport highest_bit, lowest_bit
from .cards cimport bit, colour_of, suits_of
from .estimates cimport EMPTY_COLUMNS, FACE_DOWN, SCORE, TURNED, WASTE_SIZE
from .klondike_state cimport fitting_on, height_in, next_up
from .packing cimport EMPTY, FROM_WASTE, MOVE, RAISE, code_of, turning
from .state cimport NONE, same_places

cdef enum:
    NO_SLOT = -1


cdef void set_gains(Gains* gains, const Estimates* estimates) noexcept nogil:
    """Take the weights of the first queue."""
    cdef const int* weights = estimates.weights[0]
    gains.up = weights[SCORE]
    gains.from_waste = -weights[WASTE_SIZE]
    gains.turned = weights[TURNED] + weights[WASTE_SIZE]
    gains.turned_up = -weights[FACE_DOWN]
    gains.emptied = weights[EMPTY_COLUMNS]


cdef bint find_safe(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* step
) noexcept nogil:
    """A safe move up, if there is one."""
    cdef int slot = highest_bit(p.waste) if p.waste else NO_SLOT, card
    cdef uint64_t bare = p.open
    if p.waste:
        bare |= bit(layout.slot_card[slot])
    bare &= next_up(layout, p.filled)
    while bare:
        card = lowest_bit(bare)
        bare &= bare - 1
        if is_safe(layout, p, card):
            write_up(layout, p, gains, step, card, slot)
            return True
    return False


cdef inline bint is_safe(const KlondikeLayout* layout, const KlondikePosition* p, int card) noexcept nogil:
    """Whether no card may have to be put on one that can go up: those that could are up, or may go up as soon
    as they are bare, with all that could be put on them."""
    cdef int rank = card >> 2, colour = colour_of(card), lowest = layout.ranks, beside = layout.ranks
    cdef int which, suit
    for which in range(2):
        suit = suits_of(1 - colour, which)
        if layout.suits >> suit & 1:
            lowest = min(lowest, height_in(layout, p.key, suit))
        suit = suits_of(colour, which)
        if layout.suits >> suit & 1 and suit != (card & 3):
            beside = height_in(layout, p.key, suit)
    return rank <= 1 or lowest >= rank or (lowest == rank - 1 and beside >= rank - 2)


cdef int write_steps(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* steps
) noexcept nogil:
    """Write the macros to try, return their number."""
    cdef Step* end = steps
    cdef uint64_t next = next_up(layout, p.filled), fits = fitting_on(p.open), rest = next & p.open
    cdef int card, slot, turns = 0
    if p.empty > 0:
        fits |= layout.kings
    while rest:
        write_up(layout, p, gains, end, lowest_bit(rest), NO_SLOT)
        end += 1
        rest &= rest - 1
    rest = p.bases & fits
    while rest:
        write_base(layout, p, gains, end, lowest_bit(rest))
        end += 1
        rest &= rest - 1
    slot = highest_bit(p.waste) if p.waste else NO_SLOT
    while True:
        card = NONE if slot == NO_SLOT else layout.slot_card[slot]
        if card != NONE and next & bit(card):
            write_up(layout, p, gains, end, card, slot)
            after_turns(gains, end, turns)
            end += 1
        if card != NONE and fits & bit(card):
            write_from_waste(layout, p, gains, end, card, slot)
            after_turns(gains, end, turns)
            end += 1
        slot = p.turned + turns
        if slot == layout.slots:
            return <int>(end - steps)
        turns += 1


cdef inline void after_turns(const Gains* gains, Step* step, int turns) noexcept nogil:
    """So many cards are turned before a step."""
    step.code |= turning(turns)
    step.gain += turns * gains.turned


cdef inline void write_up(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* step, int card,
    int slot
) noexcept nogil:
    """A card from a column or from ``slot``, which is on top of the waste, to its foundation."""
    step.key = p.key + bit(layout.slots + 4 * (card & 3))
    step.code = code_of(RAISE, card, 0)
    step.score = p.score + 1
    step.gain = gains.up
    if p.bases & bit(card):
        leave_base(layout, gains, step, card)
    elif p.kings & bit(card):
        step.gain += gains.emptied
    elif not p.face & bit(card):
        step.key |= bit(slot)
        step.gain += gains.from_waste


cdef inline void write_base(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* step, int card
) noexcept nogil:
    """A base, with what lies on it, to where it fits."""
    step.key = p.key
    step.code = code_of(MOVE, card, target_of(layout, p, card))
    step.score = p.score
    step.gain = -gains.emptied if layout.kings & bit(card) else 0
    leave_base(layout, gains, step, card)


cdef inline void write_from_waste(
    const KlondikeLayout* layout, const KlondikePosition* p, const Gains* gains, Step* step, int card,
    int slot
) noexcept nogil:
    """The card in ``slot``, the top of the waste, to where it fits."""
    step.key = p.key | bit(slot)
    step.code = code_of(FROM_WASTE, card, target_of(layout, p, card))
    step.score = p.score
    step.gain = gains.from_waste - gains.emptied if layout.kings & bit(card) else gains.from_waste


cdef inline void leave_base(
    const KlondikeLayout* layout, const Gains* gains, Step* step, int card
) noexcept nogil:
    """A base leaves its column."""
    step.key -= layout.leaves[card]
    step.gain += gains.emptied if layout.beneath[card] == NONE else gains.turned_up


cdef inline int target_of(const KlondikeLayout* layout, const KlondikePosition* p, int card) noexcept nogil:
    """A card on which one that fits somewhere is put, or EMPTY."""
    if layout.kings & bit(card):
        return EMPTY
    return lowest_bit(p.open & same_places((card >> 2) + 1, 1 - colour_of(card)))
