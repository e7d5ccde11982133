"""Positions of the Joker player, who does not see the hidden cards; see joker_position.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from ..core.dealer cimport Dealt, SplitMix, draw
from ..joker.cards cimport DECLARED, MOST, OPEN_ACE, PLACED, XB, colour_of

cdef enum:
    COLUMNS = 7
    LONGEST = 16        # face-up cards of a column, which alternate from a king down to an ace
    DEEPEST = 8         # face-down cards of a column

cdef struct SeenPosition:   # what a person sees, and nothing else
    uint64_t face       # naturals face up in columns
    uint8_t up[COLUMNS][LONGEST]        # the face-up cards of each column, deepest first
    uint8_t size[COLUMNS]
    uint8_t down[COLUMNS]               # the number of face-down cards under them
    uint8_t height[4]
    uint8_t condition[2]
    uint8_t place[2]    # the natural whose place a joker fills
    int8_t rank[2]      # that a joker is declared as, or NO_RANK
    uint8_t stock       # the number of its cards
    uint8_t turned      # cards that have left it
    uint8_t waste_size
    uint8_t waste[MOST]
    bint turned_only    # a choice: the waste's top changes places only when it is turned
    bint any_removal    # a choice: declared jokers may be put out of play too

cdef struct Order:      # cards that a person does not see: the truth, or a sample
    uint8_t down[COLUMNS][DEEPEST]      # the last one of a column is turned up next
    uint8_t stock[MOST]                 # the last one is turned next

cdef void move_up(SeenPosition* p, int source, int suit, const Order* order) noexcept nogil
cdef void move_onto(SeenPosition* p, int source, int target, int count, const Order* order) noexcept nogil
cdef void declare(SeenPosition* p, int column, int rank) noexcept nogil
cdef void put_out(SeenPosition* p, int source, const Order* order) noexcept nogil
cdef void turn(SeenPosition* p, const Order* order) noexcept nogil
cdef int score_of(const SeenPosition* p) noexcept nogil
cdef uint64_t hash_of(const SeenPosition* p) noexcept nogil
cdef int unseen_of(const SeenPosition* p, uint8_t* cards) noexcept nogil
cdef void sample(const SeenPosition* p, const uint8_t* cards, int count, SplitMix* chance,
                 Order* order) noexcept nogil
cdef void deal(SeenPosition* p, Order* order, const Dealt* dealt) noexcept nogil
cdef void load(SeenPosition* p, view) except *

cdef inline int rank_of(const SeenPosition* p, int card) noexcept nogil:
    """Return the effective rank; NO_RANK of an undeclared joker."""
    return card >> 2 if card < XB else p.rank[card - XB]

cdef inline bint is_up(const SeenPosition* p, int natural) noexcept nogil:
    """Test whether ``natural`` lies face up in a column, or its foundation place is filled."""
    return p.face >> natural & 1 or (natural >> 2) < p.height[natural & 3]

cdef inline bint may_take(const SeenPosition* p, int colour, int rank) noexcept nogil:
    """Test whether a joker would stand for some card of ``colour`` and ``rank``, 0 to 12."""
    return (not is_up(p, 4 * rank + (1 if colour else 0))) or not is_up(p, 4 * rank + (2 if colour else 3))

cdef inline bint stands_for(const SeenPosition* p, int natural) noexcept nogil:
    """Test whether the joker of its colour stands for ``natural`` now."""
    cdef int colour = colour_of(natural)
    if p.condition[colour] == DECLARED:
        return natural >> 2 == p.rank[colour] and not is_up(p, natural)
    if p.condition[colour] == PLACED:
        return p.place[colour] == natural
    return p.condition[colour] == OPEN_ACE and natural < 4 and not is_up(p, natural)

cdef inline bint settles(const SeenPosition* p, int card) noexcept nogil:
    """Test whether ``card`` is a deuce that the open ace of its colour takes."""
    return card >> 2 == 1 and p.condition[colour_of(card)] == OPEN_ACE and stands_for(p, card & 3)

cdef inline void shuffle(uint8_t* cards, int count, SplitMix* chance) noexcept nogil:
    """Shuffle cards in place."""
    cdef int i, j
    cdef uint8_t card
    for i in range(count - 1, 0, -1):
        j = (draw(chance) >> 32) * (i + 1) >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
