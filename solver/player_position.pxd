"""The positions of the player who does not see the hidden cards; see player_position.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

cdef enum:
    MOST = 54           # cards
    COLUMNS = 7
    LONGEST = 16        # face-up cards of a column, which alternate from a king down to an ace
    DEEPEST = 8         # face-down cards of a column
    XB = 52
    NO_RANK = -1        # of an undeclared joker
    WASTE = -2          # as a source, as in `rules.joker`
    ANY = -1            # no suit named

cdef enum Condition:    # of a joker
    UNDECLARED = 0      # or not seen yet, or in the waste
    DECLARED = 1
    PLACED = 2          # on a foundation as one definite card
    OPEN_ACE = 3
    GONE = 4            # out of play, or not in the game

cdef struct Position:   # what a person sees, and nothing else
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

cdef struct Order:      # cards that a person does not see: the truth, or a sample
    uint8_t down[COLUMNS][DEEPEST]      # the last one of a column is turned up next
    uint8_t stock[MOST]                 # the last one is turned next

cdef struct Chance:     # SplitMix64; see rules/deals.py
    uint64_t state

cdef void move_up(Position* p, int source, int suit, const Order* order) noexcept nogil
cdef void move_onto(Position* p, int source, int target, int count, const Order* order) noexcept nogil
cdef void declare(Position* p, int column, int rank) noexcept nogil
cdef void put_out(Position* p, int source, const Order* order) noexcept nogil
cdef void turn(Position* p, const Order* order) noexcept nogil
cdef int score_of(const Position* p) noexcept nogil
cdef uint64_t hash_of(const Position* p) noexcept nogil
cdef int unseen_of(const Position* p, uint8_t* cards) noexcept nogil
cdef void sample(
    const Position* p, const uint8_t* cards, int count, Chance* chance, Order* order
) noexcept nogil
cdef void deal(Position* p, Order* order, const uint8_t* cards, int count) noexcept nogil
cdef void load(Position* p, view) except *


cdef inline uint64_t bit(int card) noexcept nogil:
    return (<uint64_t>1) << card


cdef inline int colour_of(int card) noexcept nogil:
    """0 for clubs, spades and XB; 1 for diamonds, hearts and XR."""
    return (card ^ (card >> 1)) & 1


cdef inline int rank_of(const Position* p, int card) noexcept nogil:
    """The effective rank; NO_RANK of an undeclared joker."""
    return card >> 2 if card < XB else p.rank[card - XB]


cdef inline bint is_up(const Position* p, int natural) noexcept nogil:
    return p.face >> natural & 1 or (natural >> 2) < p.height[natural & 3]


cdef inline bint may_take(const Position* p, int colour, int rank) noexcept nogil:
    """Whether a joker would stand for some card of ``colour`` and ``rank``, 0 to 12."""
    return (not is_up(p, 4 * rank + (1 if colour else 0))) or not is_up(p, 4 * rank + (2 if colour else 3))


cdef inline bint stands_for(const Position* p, int natural) noexcept nogil:
    """Whether the joker of its colour stands for ``natural`` now."""
    cdef int colour = colour_of(natural)
    if p.condition[colour] == DECLARED:
        return natural >> 2 == p.rank[colour] and not is_up(p, natural)
    if p.condition[colour] == PLACED:
        return p.place[colour] == natural
    return p.condition[colour] == OPEN_ACE and natural < 4 and not is_up(p, natural)


cdef inline bint settles(const Position* p, int card) noexcept nogil:
    """Whether ``card`` is a deuce that the open ace of its colour takes."""
    return card >> 2 == 1 and p.condition[colour_of(card)] == OPEN_ACE and stands_for(p, card & 3)


cdef inline uint64_t draw(Chance* chance) noexcept nogil:
    chance.state += <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t z = chance.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)
