"""Upper bound on the score that a class of states can reach: relaxed reachability (a delete relaxation, Bonet
and Geffner 2001).

Cards get two marks. *Bare*: the card may at some time be on top of a column or of the waste. *Holder*: it may
be on top of a column. Initially the open cards have both; the top of the waste and all cards of the stock are
bare. A card may leave its place if it is bare and its foundation place follows a marked one, if it fits on a
holder, or if it is a king and some column may be empty. Then the card that it covers becomes bare: in the
waste the next card, in a column the next face-down one, or all cards like the face-up card beneath it, since
a lateral move may choose among them. A bare card that fits on a holder becomes a holder itself. The bound is
the number of foundation places marked.

Soundness: every mark that a legal line would justify is set here too, since each legal move needs only marks
set before. A joker with a rank is treated like other cards and may go up to either suit of its colour; one on
a foundation stays there. As soon as a card that a joker may stand for, or a joker without a rank, is marked
bare, the bound is the number of all places, since that joker may then be played without a rank. Theorem J7
has the proof, and the deal that refutes the bound without this condition.
"""

cdef extern from *:
    """
    static const uint64_t ALL_NATURALS = 0xFFFFFFFFFFFFF;
    """
    const uint64_t ALL_NATURALS

cdef struct Marks:
    uint64_t bare, holders
    uint64_t up             # foundation places that may be filled; jokers that may go up or out of play
    uint64_t may_go         # cards that may leave their places
    uint64_t waste          # slots whose cards have not left the waste
    uint64_t top            # card in the last of these slots, as a set
    uint64_t loose          # bases of columns without face-down cards
    uint64_t tops           # of each other column, the uppermost of the base and the cards beneath that stays
    uint64_t freeing        # cards that make the bound trivial when they are bare; see `freeing_jokers`
    bint declared           # some joker is declared
    bint emptied            # some column may be empty


cdef inline int upper_bound(const Layout* layout, const ClassPosition* p, int enough) noexcept nogil:
    """Return an upper bound of the score from ``p``, or the number of all places as soon as the bound is
    known to exceed ``enough``."""
    cdef Marks marks
    marks.bare = p.open | layout.stock_from[p.turned]
    if p.top >= 0:
        marks.bare |= bit(p.top_card)
    marks.freeing = freeing_jokers(layout, p) if layout.jokers else 0
    if marks.bare & marks.freeing:
        return layout.places
    begin_marks(p, &marks)
    while widen(layout, p, &marks):
        if marks.bare & marks.freeing:
            return layout.places
        if count_bits(marks.up & layout.deck) > enough:
            return layout.places
    return count_bits(marks.up & layout.deck)


cdef inline bint has_free_joker(const Layout* layout, const ClassKey* key) noexcept nogil:
    """Test whether a joker without a rank is in a column, or a card that frees a joker is in the stock: the
    most common cases in which the bound is trivial, tested without unpacking the key."""
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


cdef inline void begin_marks(const ClassPosition* p, Marks* marks) noexcept nogil:
    """Set the initial marks from ``p``, except those for bare and freeing cards."""
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


cdef inline uint64_t freeing_jokers(const Layout* layout, const ClassPosition* p) noexcept nogil:
    """Return the cards that free a joker when they are bare: it may then be in play without a rank."""
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


cdef inline bint widen(const Layout* layout, const ClassPosition* p, Marks* marks) noexcept nogil:
    """Set marks that follow from those set before. Returns whether any were new.

    New bare cards need not be counted for that, since each comes with another new mark: in a column the card
    becomes a holder too; in the waste the card on it leaves, which is marked as up or as a holder. With
    `exchange` "turned" that card may also leave because a joker fills its place; then the waste is compared.
    """
    cdef uint64_t holders = marks.holders, up = marks.up, waste = marks.waste
    cdef uint64_t fresh, fits, covered, going
    cdef bint emptied = marks.emptied
    cdef int card
    fresh = (marks.up << 4 | 15) & marks.bare & ~marks.up & ALL_NATURALS
    while fresh:
        marks.up |= fresh
        fresh = fresh << 4 & marks.bare & ~marks.up & ALL_NATURALS
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


cdef inline void raise_jokers(const Layout* layout, const ClassPosition* p, Marks* marks) noexcept nogil:
    """Mark the foundation places that bare declared jokers may fill, and these jokers as up if they may fill
    one or leave play."""
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
    """Return ``cards``, extended by all cards like a declared joker if one of these, or the joker, is among
    them."""
    cdef int colour
    cdef uint64_t like
    for colour in range(2):
        if p.kind[colour] == DECLARED:
            like = same_places(p.rank[colour], colour) | bit(XB + colour)
            if cards & like:
                cards |= like
    return cards


cdef inline uint64_t fitting(const Layout* layout, const ClassPosition* p,
                             const Marks* marks) noexcept nogil:
    """Return the cards that fit on a holder, and kings if a column may be empty."""
    cdef uint64_t fits = fitting_on(with_like(p, marks.holders) if marks.declared else marks.holders)
    if marks.emptied:
        fits |= <uint64_t>15 << 4 * (layout.ranks - 1)
    return with_like(p, fits) if marks.declared else fits


cdef inline uint64_t under_run(const ClassPosition* p, const Marks* marks) noexcept nogil:
    """Return the face-up cards on which a card that may leave its place may lie."""
    cdef uint64_t going = p.key.w[0] & ALL_NATURALS & marks.may_go
    cdef int colour
    if not marks.declared:
        return holding(going) & p.face
    for colour in range(2):
        if p.kind[colour] == DECLARED and p.argument[colour] >> 4 == ON_CARD:
            going |= bit(XB + colour) & marks.may_go
    return with_like(p, holding(with_like(p, going))) & (p.face | (<uint64_t>3 << XB))
