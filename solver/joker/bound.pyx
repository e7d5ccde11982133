"""Relaxed reachability, an upper bound on the score that a class of states can reach: a delete relaxation.

Cards have two marks. *Bare*: it may once be on top of its column or of the waste. *Holder*: so in a column.
At first the open cards are marked, the top of the waste and all cards of the stock. A card may go if it is
bare and its foundation place comes next after marked ones, or if it lies face up and some holder fits it, or
an empty column a king. What it covers is bare then: in the waste the next card; in a column the next
face-down one; of cards like the face-up one beneath it all, since a lateral move may choose. A card of the
waste or the stock that some holder fits is a holder itself. All marks of the true game are made here too,
since each true move needs only things marked before. The bound is the number of foundation places marked.

A joker with a rank is a card like others, which may go up to either suit of its colour; one on a foundation
stays there. When a card that a joker may stand for is marked bare, or a joker without a rank, the bound says
nothing: the joker may be had without a rank then. Theorem J7 has the proof, and the deal that refutes the
bound without this.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t

from ..core.bits cimport count_bits, take_bit
from .cards cimport DECLARED, GONE, OPEN_ACE, PLACED, UNDECLARED, XB, bit, fitting_on, holding
from .state cimport (AS_DEALT, NONE, ON_CARD, ClassKey, ClassLayout, ClassPosition, beneath, card_in,
                     joker_field, same_places, top_slot, turned_of)

cdef uint64_t NATURALS = 0xFFFFFFFFFFFFF

cdef struct Marks:
    uint64_t bare, holders
    uint64_t up             # foundation places; jokers that may go up
    uint64_t may_go
    uint64_t waste          # slots of cards that stay
    uint64_t top            # the card in the last of them
    uint64_t loose          # the deepest cards of columns without face-down cards
    uint64_t tops           # of each other column where some card stays, the last that does
    uint64_t freeing        # cards that free a joker when they are bare
    bint declared           # some joker is
    bint emptied            # some column may be empty


cdef int upper_bound(const ClassLayout* layout, const ClassPosition* p, int enough) noexcept nogil:
    """A score that cannot be surpassed; all places as soon as it must be more than ``enough``."""
    cdef Marks marks
    marks.bare = p.open | layout.stock_from[p.turned]
    if p.top >= 0:
        marks.bare |= bit(p.top_card)
    marks.freeing = freeing_jokers(layout, p) if layout.jokers else 0
    if marks.bare & marks.freeing:
        return layout.places
    begin(p, &marks)
    while widen(layout, p, &marks):
        if marks.bare & marks.freeing:
            return layout.places
        if count_bits(marks.up & layout.deck) > enough:
            return layout.places
    return count_bits(marks.up & layout.deck)


cdef bint has_free_joker(const ClassLayout* layout, const ClassKey* key) noexcept nogil:
    """Test whether a joker is in a column without a rank, or a card that frees one in the stock. Then the
    bound says nothing; most states of which it does are such."""
    cdef uint64_t freeing = 0
    cdef int colour, kind, argument
    for colour in range(2):
        kind = joker_field(key, colour) & 7
        argument = joker_field(key, colour) >> 3
        if kind == UNDECLARED:
            return True
        if kind == DECLARED:
            freeing |= same_places(argument & 15, colour)
        elif kind == PLACED:
            freeing |= bit(argument)
        elif kind == OPEN_ACE:
            freeing |= same_places(0, colour)
        elif kind == AS_DEALT:
            freeing |= bit(XB + colour)
    return freeing & layout.stock_from[turned_of(key)] != 0


cdef inline void begin(const ClassPosition* p, Marks* marks) noexcept nogil:
    """The marks of the class itself."""
    cdef int colour
    marks.holders = p.open
    marks.up = p.filled
    marks.waste = p.waste
    marks.top = bit(p.top_card) if p.top >= 0 else 0
    marks.tops = p.deep
    marks.loose = p.bases & ~p.deep
    marks.declared = p.kind[0] == DECLARED or p.kind[1] == DECLARED
    marks.emptied = p.empty > 0
    for colour in range(2):
        if p.kind[colour] == OPEN_ACE:
            marks.up |= same_places(0, colour)


cdef inline uint64_t freeing_jokers(const ClassLayout* layout, const ClassPosition* p) noexcept nogil:
    """The cards of which one that is bare means that a joker may be had without a rank, or again."""
    cdef int colour
    cdef uint64_t freeing = 0
    for colour in range(2):
        if p.kind[colour] == GONE:
            continue
        if p.kind[colour] == DECLARED:
            freeing |= same_places(p.rank[colour], colour) & ~p.up
        elif p.kind[colour] == PLACED:
            freeing |= bit(p.argument[colour])
        elif p.kind[colour] == OPEN_ACE:
            freeing |= same_places(0, colour) & ~p.up
        else:
            freeing |= bit(XB + colour)
    if layout.turned_only:
        freeing &= p.unseen | bit(XB) | bit(XB + 1)
    return freeing


cdef inline bint widen(const ClassLayout* layout, const ClassPosition* p, Marks* marks) noexcept nogil:
    """Make all marks that follow from those there are; whether there were any.

    What becomes bare comes with other marks: in a column it is a holder too; in the waste it lay under a card
    that may go only since it is marked as gone up or, being bare and fitting somewhere, as a holder. Where
    the waste is exchanged when turned only, it may go also since a joker fills its place.
    """
    cdef uint64_t holders = marks.holders, up = marks.up, waste = marks.waste
    cdef uint64_t fresh, fits, covered, going
    cdef bint emptied = marks.emptied
    cdef int card
    fresh = (marks.up << 4 | 15) & marks.bare & ~marks.up & NATURALS
    while fresh:
        marks.up |= fresh
        fresh = fresh << 4 & marks.bare & ~marks.up & NATURALS
    if marks.declared:
        raise_jokers(layout, p, marks)
    fits = fitting(layout, p, marks)
    marks.may_go = marks.up | fits
    marks.holders |= marks.bare & fits
    covered = under_run(p, marks)
    marks.bare |= covered
    marks.holders |= covered
    if marks.loose & marks.may_go:
        marks.emptied = True
    going = marks.tops & marks.may_go
    while going:
        marks.tops &= ~going
        while going:
            card = beneath(layout, p, take_bit(&going))
            if card == NONE:
                marks.emptied = True
            else:
                marks.tops |= bit(card)
                marks.bare |= bit(card)
                marks.holders |= bit(card)
        going = marks.tops & marks.may_go
    while marks.top & marks.may_go:
        marks.waste ^= bit(top_slot(marks.waste))
        marks.top = bit(card_in(layout, &p.key, top_slot(marks.waste))) if marks.waste else 0
        marks.bare |= marks.top
    return (holders != marks.holders or up != marks.up or emptied != marks.emptied
            or layout.turned_only and waste != marks.waste)


cdef inline void raise_jokers(const ClassLayout* layout, const ClassPosition* p, Marks* marks) noexcept nogil:
    """Up with bare jokers that have a rank; or out of play."""
    cdef int colour
    cdef uint64_t places
    for colour in range(2):
        if p.kind[colour] == DECLARED and marks.bare & bit(XB + colour):
            places = same_places(0, colour)
            if p.rank[colour] > 0:
                places = (marks.up & same_places(p.rank[colour] - 1, colour)) << 4
            marks.up |= places
            if places or layout.any_removal:
                marks.up |= bit(XB + colour)


cdef inline uint64_t with_like(const ClassPosition* p, uint64_t cards) noexcept nogil:
    """Some cards, with those of the rank and colour of each declared joker if one of these is among them."""
    cdef int colour
    cdef uint64_t like
    for colour in range(2):
        if p.kind[colour] == DECLARED:
            like = same_places(p.rank[colour], colour) | bit(XB + colour)
            if cards & like:
                cards |= like
    return cards


cdef inline uint64_t fitting(
    const ClassLayout* layout, const ClassPosition* p, const Marks* marks
) noexcept nogil:
    """The cards that fit on holders, and kings if a column may be empty."""
    cdef uint64_t fits = fitting_on(with_like(p, marks.holders) if marks.declared else marks.holders)
    if marks.emptied:
        fits |= <uint64_t>15 << 4 * (layout.ranks - 1)
    return with_like(p, fits) if marks.declared else fits


cdef inline uint64_t under_run(const ClassPosition* p, const Marks* marks) noexcept nogil:
    """The face-up cards on which such lie that may go."""
    cdef uint64_t going = p.key.w[0] & NATURALS & marks.may_go
    cdef int colour
    if not marks.declared:
        return holding(going) & p.face
    for colour in range(2):
        if p.kind[colour] == DECLARED and p.argument[colour] >> 4 == ON_CARD:
            going |= bit(XB + colour) & marks.may_go
    return with_like(p, holding(with_like(p, going))) & (p.face | (<uint64_t>3 << XB))
