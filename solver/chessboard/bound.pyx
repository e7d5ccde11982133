"""A lower bound on the moves that win a tableau of chessboard or fortress whose base rank is known.

Cards are numbered by their places in the foundations: ``16 * suit + order``, the base card having order 0. In
chessboard order 0 and the last order are neighbours; everything else is as in fortress.

Every card left goes up, which is one move. The bound adds moves within the tableau that must be made as well,
each one told by its card and by whether it is that card's first or second, so that none is counted twice.

Blockers. A card above one that goes up before it must move out of its way: a first move.

Deadlocks. Let x1 ... xk be cards other than blockers, and let x(i+1) lie above y(i), a card of the suit of
x(i) that is x(i) or goes up before it; x1 follows xk. If none of x1 ... xk ever moves within the tableau,
x(i) leaves its place by going up, not before y(i) leaves, so later than x(i+1) leaves; all the way round
that is later than itself. So one of them makes a first move. Deadlocks without a common card add up.

The first empty column. While no column is empty, a card can only go up or onto a neighbour, and no card
leaves the table. Consider the first column to become empty in a win; it is one of those here. By then each
of its cards has left its place, by going up or by a first move. `reach_before_empty` gives too many rather
than too few of the cards that are on top, leave, or go up by then. Of the column's cards that are no
blockers, those that cannot go up make a first move; a deadlock may hold such a card, so as many deadlocks as
there are tied cards among them are not counted again. A card that cannot come to lie on the next one of its
suit leaves for one that goes up before it: then it is a blocker, and makes a second move. (No base card is
counted: it goes up as soon as it is reached, and blocks none.) The least of the columns counts.

The bound is not consistent: it may fall by more than one in a move.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.bits cimport count_bits, lowest_bit
from .position cimport Tables

cdef enum:
    SUIT = 0xFFFF           # the cards of the first suit


cdef void set_tableau(Tableau* t, const Tables* tables, int columns) noexcept nogil:
    """Make the tables of a game."""
    cdef int suit, order, card
    t.tables = tables
    t.columns = columns
    memset(t.before, 0, sizeof(t.before))
    memset(t.beside, 0, sizeof(t.beside))
    for suit in range(4):
        for order in range(tables.ranks):
            card = 16 * suit + order
            t.before[card] = tables.bit[card] - tables.bit[16 * suit]
            t.beside[card] = tables.bit[tables.higher[card]] | tables.bit[tables.lower[card]]


cdef int bound(const Tableau* t) noexcept nogil:
    """No line wins in fewer moves; HOPELESS if none wins at all. The sets are those of the tableau, where no
    card is forced up, and ``above`` those of the one before the last move."""
    cdef uint64_t tied = 0
    cdef int deadlocks = count_deadlocks(t, &tied)
    cdef int known = count_bits(t.sets.left) + count_bits(t.sets.blockers)
    if t.sets.left == 0 or count_bits(t.sets.bottoms) < t.columns:
        return known + deadlocks
    cdef int clearing = clear_first(t, deadlocks, tied)
    return HOPELESS if clearing == HOPELESS else known + clearing


# --- Deadlocks -------------------------------------------------------------------------------------------


cdef int count_deadlocks(const Tableau* t, uint64_t* tied) noexcept nogil:
    """The number of deadlocks found, and the cards ``tied`` in them. No two have a common card.

    Cards go up in mind, past blockers and tied cards, until each suit waits for a card that others cover:
    there deadlocks are found, and their cards taken out of the way.
    """
    cdef uint64_t free = t.sets.left & ~t.sets.blockers
    cdef uint64_t covers[4]
    cdef int next_card[4]
    cdef int deadlocks = 0, found, suit
    for suit in range(4):
        next_card[suit] = 16 * suit + height_of(t.sets.high, suit)
    while play_up_in_mind(t, next_card, &free, covers):
        found = take_pairs(covers, &free, tied)
        deadlocks += found if found > 0 else take_cycle(covers, &free, tied)
    return deadlocks


cdef inline uint64_t above(const Tableau* t, int card) noexcept nogil:
    """The cards above ``card``, and perhaps some that are up. The card lifted was a top: none is above it."""
    cdef uint64_t held = t.above[card] & ~t.sets.lifted
    return held | t.sets.lifted if t.sets.lifted_under & t.tables.bit[card] else held


cdef inline bint play_up_in_mind(
    const Tableau* t, int* next_card, uint64_t* free, uint64_t* covers
) noexcept nogil:
    """Let all cards go up that no free one covers; whether any is left. ``covers`` are then the free cards
    above the next card of each suit."""
    cdef bint moved = True, waiting = False
    cdef int suit
    while moved:
        moved = waiting = False
        for suit in range(4):
            covers[suit] = 0
            while next_card[suit] < 16 * suit + t.tables.ranks:
                covers[suit] = above(t, next_card[suit]) & free[0]
                if covers[suit]:
                    waiting = True
                    break
                free[0] &= ~t.tables.bit[next_card[suit]]
                next_card[suit] += 1
                moved = True
    return waiting


cdef inline int take_pairs(const uint64_t* covers, uint64_t* free, uint64_t* tied) noexcept nogil:
    """Take deadlocks of two cards from the first two suits that have any; their number."""
    cdef int suit, other, found = 0
    cdef uint64_t ours, theirs, pair
    for suit in range(3):
        for other in range(suit + 1, 4):
            ours = covers[suit] & <uint64_t>SUIT << (16 * other)
            theirs = covers[other] & <uint64_t>SUIT << (16 * suit)
            while ours and theirs:
                pair = (ours & (0 - ours)) | (theirs & (0 - theirs))
                tied[0] |= pair
                free[0] &= ~pair
                ours &= ours - 1
                theirs &= theirs - 1
                found += 1
            if found:
                return found
    return 0


cdef inline int take_cycle(const uint64_t* covers, uint64_t* free, uint64_t* tied) noexcept nogil:
    """Take one deadlock: from a suit to that of a card covering its next one, until a suit comes again."""
    cdef uint64_t cards = 0
    cdef uint64_t seen = 0
    cdef int suit = 0, start
    while covers[suit] == 0:
        suit += 1
    while not seen >> suit & 1:
        seen |= <uint64_t>1 << suit
        suit = lowest_bit(covers[suit]) >> 4
    start = suit
    while True:
        cards |= covers[suit] & (0 - covers[suit])
        suit = lowest_bit(covers[suit]) >> 4
        if suit == start:
            break
    tied[0] |= cards
    free[0] &= ~cards
    return 1


# --- The first empty column ------------------------------------------------------------------------------


cdef int clear_first(const Tableau* t, int deadlocks, uint64_t tied) noexcept nogil:
    """Moves needed beside the first ones of blockers, where no column is empty; HOPELESS if none ever is."""
    cdef uint64_t reached, going_up, column, movers, uneasy
    cdef uint64_t tops = t.sets.tops
    cdef uint64_t free = t.sets.left & ~t.sets.blockers
    cdef int card, moves, least = HOPELESS
    reach_before_empty(t, &reached, &going_up)
    uneasy = ~(reached >> 1 & ~t.sets.over_next)
    while tops:
        card = lowest_bit(tops)
        tops &= tops - 1
        column = t.under[card] | t.tables.bit[card]
        if not column & t.sets.bottoms & reached:
            continue
        movers = column & free & ~going_up
        moves = (deadlocks + count_bits(movers & ~tied)
                 + count_bits((movers | column & t.sets.blockers) & uneasy))
        if moves < least:
            least = moves
    return least


cdef void reach_before_empty(const Tableau* t, uint64_t* reached, uint64_t* going_up) noexcept nogil:
    """The cards that might be ``reached``, that is, be on top, and those ``going_up`` before a column is
    empty or at that moment.

    Everything reached stays so in mind, and a card leaves when a neighbour is reached, which does not lie
    beneath it: what does is reached after it has left. A card of the table may go up too, as the last of its
    column, but lets no further card of its suit follow.
    """
    cdef uint64_t tops = t.sets.tops
    cdef uint64_t front = tops & ~t.sets.bottoms        # the topmost cards that have not left
    cdef uint64_t up = 0, leaving, near
    cdef int next_card[4]
    cdef int suit, card
    cdef const Tables* tables = t.tables
    cdef bint moved = True
    for suit in range(4):
        next_card[suit] = 16 * suit + height_of(t.sets.high, suit)
    while moved:
        moved = False
        for suit in range(4):
            while (next_card[suit] < 16 * suit + tables.ranks
                    and tops & ~t.sets.bottoms & tables.bit[next_card[suit]]):
                up |= tables.bit[next_card[suit]]
                next_card[suit] += 1
        near = tops >> 1 | tops << 1
        if tables.wrap:
            near |= tops >> (tables.ranks - 1) & tables.firsts | (tops & tables.firsts) << (tables.ranks - 1)
        leaving = front & (near | up)
        while leaving:
            card = lowest_bit(leaving)
            leaving &= leaving - 1
            if up & tables.bit[card] or t.beside[card] & tops:
                front &= ~tables.bit[card]
                tops |= tables.bit[t.beneath[card]]
                front |= tables.bit[t.beneath[card]] & ~t.sets.bottoms
                moved = True
    for suit in range(4):
        if next_card[suit] < 16 * suit + tables.ranks:
            up |= tables.bit[next_card[suit]] & tops
    reached[0] = tops
    going_up[0] = up
