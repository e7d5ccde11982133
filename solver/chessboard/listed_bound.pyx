"""A plain lower bound on the moves that win a position, for certificates of fewest moves.

docs/certificates.md tells it (*bound* of chessboard and fortress), Theorem C4 proves it, and the checker
works it out by that page. It is the bound of bound.pyx without what is said there of the first empty column;
deadlocks are looked for in the order of the page, so that both come to the same number.
"""

from libc.stdint cimport uint64_t

from .position cimport NO_BASE, NONE, TABLE, Position
from ..core.bits cimport count_bits, lowest_bit

cdef enum:
    SUIT = 0xFFFF           # the cards of the first suit


cdef int listed_bound(const Position* p) noexcept nogil:
    """No line wins in fewer moves."""
    cdef uint64_t above[NONE]
    cdef uint64_t blockers = 0, left = 0, covers
    cdef int column, card
    if p.base == NO_BASE:
        return p.left
    for column in range(p.columns):
        covers = 0
        card = p.top[column]
        while card != TABLE:
            above[card] = covers
            blockers |= covers & later_than(p, card)
            covers |= p.tables.bit[card]
            card = p.cells[card].beneath
        left |= covers
    return p.left + count_bits(blockers) + count_deadlocks(p, above, left, left & ~blockers)


cdef inline int card_at(const Position* p, int suit, int place) noexcept nogil:
    """The card of a place of a foundation; the base card has place 0."""
    cdef int rank = place + p.base
    return 16 * suit + (rank if rank < p.tables.ranks else rank - p.tables.ranks)


cdef inline uint64_t later_than(const Position* p, int card) noexcept nogil:
    """The cards of its suit that go up after a card."""
    cdef int rank = card & 15
    cdef uint64_t below_base = (<uint64_t>1 << p.base) - 1
    cdef uint64_t higher = ((<uint64_t>1 << p.tables.ranks) - 1) & ~((<uint64_t>2 << rank) - 1)
    return (higher | below_base if rank >= p.base else higher & below_base) << (card & 0x30)


cdef int count_deadlocks(
    const Position* p, const uint64_t* above, uint64_t left, uint64_t free
) noexcept nogil:
    """How many deadlocks there are among the ``free`` cards, none with a card of another."""
    cdef int places[4]
    cdef uint64_t covers[4]
    cdef uint64_t cards
    cdef int suit, count = 0
    for suit in range(4):
        places[suit] = p.height[suit]
    while play_up_in_mind(p, above, left, places, &free, covers):
        cards = pair_of(covers)
        free &= ~(cards if cards != 0 else cycle_of(covers))
        count += 1
    return count


cdef bint play_up_in_mind(
    const Position* p, const uint64_t* above, uint64_t left, int* places, uint64_t* free, uint64_t* covers
) noexcept nogil:
    """Let all cards go up that no free one covers; whether any is left. ``covers`` are then the free cards
    above the next card of each suit."""
    cdef bint moved = True, waiting = False
    cdef int suit, card
    while moved:
        moved = waiting = False
        for suit in range(4):
            covers[suit] = 0
            while places[suit] < p.tables.ranks:
                card = card_at(p, suit, places[suit])
                if not left & p.tables.bit[card]:       # a short deck has not all suits
                    break
                covers[suit] = above[card] & free[0]
                if covers[suit]:
                    waiting = True
                    break
                free[0] &= ~p.tables.bit[card]
                places[suit] += 1
                moved = True
    return waiting


cdef inline uint64_t pair_of(const uint64_t* covers) noexcept nogil:
    """A deadlock of two cards, from the first two suits that have one; no cards if none have."""
    cdef int suit, other
    cdef uint64_t ours, theirs
    for suit in range(3):
        for other in range(suit + 1, 4):
            ours = covers[suit] & <uint64_t>SUIT << (16 * other)
            theirs = covers[other] & <uint64_t>SUIT << (16 * suit)
            if ours and theirs:
                return (ours & (0 - ours)) | (theirs & (0 - theirs))
    return 0


cdef inline uint64_t cycle_of(const uint64_t* covers) noexcept nogil:
    """A deadlock: from the first suit that waits to that of a card covering its next one, until a suit comes
    again."""
    cdef uint64_t cards = 0
    cdef int suit = 0, seen = 0, start
    while covers[suit] == 0:
        suit += 1
    while not seen >> suit & 1:
        seen |= 1 << suit
        suit = lowest_bit(covers[suit]) >> 4
    start = suit
    while True:
        cards |= covers[suit] & (0 - covers[suit])
        suit = lowest_bit(covers[suit]) >> 4
        if suit == start:
            return cards
