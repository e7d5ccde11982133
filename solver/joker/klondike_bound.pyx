"""An upper bound of the score that a state without jokers can reach: a relaxation in which nothing is ever
taken away but time.

In the relaxed game cards have two marks: *bare*, it may once be on top of a column, or has left the waste;
*holder*, so in a column. At first the open cards have both. All that can be done is done before the next card
is turned:

- a bare card whose place on the foundations comes next goes up;
- a base that goes up, or fits on a holder, or is a king when some column could be empty, uncovers the card
  beneath it, which then has both marks, or empties its column;
- a placed card that goes up or fits on a holder uncovers the cards that it may lie on, which have both marks:
  a lateral move may choose between them;
- the card on top of the waste leaves it if its place on the foundations comes next, it fits on a holder,
  or it is a king when some column could be empty. It is bare then, and a holder as soon as it fits somewhere,
  even if it went up: it might have lain in a column before.

The bound is the number of cards up when the last card is turned and nothing more can be done.

No line does more. Compare it, after each of its moves, with the relaxed game just before that turns more
cards than the line has: what is up, uncovered or emptied in the line is so here, and of the cards turned
those still in this waste are in the line's too. For a card that leaves the line's waste was its top, so all
that were turned after it have left, here too; and the place where it goes is there in the line, so it is
here. Nothing done here is taken back and no holder is ever filled, so doing all at once misses nothing. A
card that is covered in the waste by the next one turned is not bare: it must wait for what covers it.

`bound` has no time: there each card of the stock is always bare. It bounds more states than this at the
same score, one in seven of those that the search expands.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t

from ..core.bits cimport count_bits, highest_bit, lowest_bit
from .cards cimport bit
from .klondike_state cimport KlondikeLayout, KlondikePosition, fitting_on, holding
from .state cimport NONE

cdef struct KlondikeMarks:
    uint64_t bare
    uint64_t holders
    uint64_t up
    uint64_t waste      # slots of cards that stay
    uint64_t last       # the deepest face-up dealt card of each column that has one
    uint64_t leaves     # the cards that would leave the waste from its top
    bint emptied        # some column may be empty


cdef int klondike_bound(const KlondikeLayout* layout, const KlondikePosition* p, int enough) noexcept nogil:
    """A score that cannot be surpassed; all places as soon as it must be more than ``enough``."""
    cdef KlondikeMarks marks
    cdef int turned = p.turned, score = p.score
    marks.bare = marks.holders = p.open
    marks.up = p.filled
    marks.waste = p.waste
    marks.last = p.bases
    marks.emptied = p.empty > 0
    while True:
        while widen(layout, p, &marks):
            pass
        score = count_bits(marks.up)
        if score > enough:
            return layout.places
        if not turn(layout, &marks, &turned):
            return score


cdef inline bint widen(
    const KlondikeLayout* layout, const KlondikePosition* p, KlondikeMarks* marks
) noexcept nogil:
    """Make marks that follow from those there are; whether there were any."""
    cdef uint64_t fresh, fits, goes, uncovered
    cdef bint widened = False
    fresh = (marks.up << 4 | 15) & marks.bare & ~marks.up
    while fresh:
        marks.up |= fresh
        fresh = fresh << 4 & marks.bare & ~marks.up
    fits = fitting_on(marks.holders)
    if p.kings & marks.up:
        marks.emptied = True
    if marks.emptied:
        fits |= layout.kings
    goes = marks.up | fits
    uncovered = holding(p.placed & goes) & p.face | marks.bare & fits
    while marks.last & goes:
        uncovered |= turn_up(layout, marks, marks.last & goes, &widened)
    if uncovered & ~marks.holders:
        marks.holders |= uncovered
        marks.bare |= uncovered
        widened = True
    marks.leaves = marks.up << 4 | 15 | goes
    return leave_waste(layout, marks) or widened


cdef inline uint64_t turn_up(
    const KlondikeLayout* layout, KlondikeMarks* marks, uint64_t going, bint* widened
) noexcept nogil:
    """The cards beneath dealt ones that go."""
    cdef uint64_t uncovered = 0
    cdef int card
    marks.last &= ~going
    while going:
        card = layout.beneath[lowest_bit(going)]
        going &= going - 1
        if card != NONE:
            uncovered |= bit(card)
        elif not marks.emptied:
            marks.emptied = True
            widened[0] = True
    marks.last |= uncovered
    return uncovered


cdef inline bint leave_waste(const KlondikeLayout* layout, KlondikeMarks* marks) noexcept nogil:
    """Take away what can leave the waste from its top; whether anything did."""
    cdef bint left = False
    cdef int slot
    while marks.waste:
        slot = highest_bit(marks.waste)
        if not marks.leaves & bit(layout.slot_card[slot]):
            break
        marks.waste ^= bit(slot)
        marks.bare |= bit(layout.slot_card[slot])
        left = True
    return left


cdef inline bint turn(const KlondikeLayout* layout, KlondikeMarks* marks, int* turned) noexcept nogil:
    """Turn cards up to one that leaves the waste; false if there is none."""
    while turned[0] < layout.slots:
        marks.waste |= bit(turned[0])
        turned[0] += 1
        if leave_waste(layout, marks):
            return True
    return False
