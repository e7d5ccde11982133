"""Exact positions of Joker, card by card, with their moves; see position.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from ..core.dealer cimport Dealt
from ..core.desk cimport Desk, JokerCondition
from .cards cimport DECLARED, MOST, NO_RANK, OPEN_ACE, PLACED, XB, bit, colour_of, suits_of

cdef enum:                  # places of a move other than columns, as in `rules.joker`
    STOCK = -1
    WASTE = -2
    FOUNDATION = -3
    OUT = -4
    IN_PLACE = -5
    ANY = -1                # the move names no suit or no rank
    RECORD = 80         # bytes of a stored state: foundations, jokers, stock, waste, columns
    MOST_MOVES = 800    # 54 face-up cards to 7 columns, 8 tops in 5 ways up, as 13 ranks or out, a turn

cdef struct Position:      # the most used fields come first, in one cache line; the cards come last
    uint64_t face           # naturals face up in columns
    int ranks
    int suits               # one bit for each suit of the deck
    bint turned_only        # the top of the waste is exchanged only when it is turned
    bint any_removal        # declared jokers may be put out of play too
    int columns
    uint8_t size[7]         # cards of each column
    uint8_t hidden[7]       # face-down cards of each column
    uint8_t height[4]       # cards on each foundation
    uint8_t condition[2]    # the Condition of each joker
    uint8_t value[2]        # rank of a declared joker, natural whose place a placed joker fills
    uint8_t stock_size      # cards of ``stock``, turned or not
    uint8_t turned          # cards of ``stock`` turned
    uint8_t waste_size
    uint8_t waste[MOST]
    uint8_t stock[MOST]     # in the order in which they are turned
    uint8_t card[7][MOST]

cdef struct PlainMove:      # a move of `rules.joker`; ANY for None
    int8_t source, target, count, suit, rank

cdef void deal_game(Position* game, const Dealt* dealt, int ranks, int suits) noexcept nogil
cdef void make(Position* game, PlainMove step) noexcept nogil
cdef bint play(Position* game, PlainMove step) noexcept nogil
cdef void find_face(Position* game) noexcept nogil
cdef int score(const Position* game) noexcept nogil
cdef void load_desk(Position* game, const Desk* desk) noexcept nogil
cdef int condition_of(const JokerCondition* its) noexcept nogil
cdef int head_of(const Position* game, PlainMove step) noexcept nogil
cdef int moves_of(const Position* game, PlainMove* steps, bint is_distinct) noexcept nogil
cdef bint find_safe(const Position* game, PlainMove* safe) noexcept nogil
cdef int column_with(const Position* game, int card) noexcept nogil
cdef void column_order(const Position* game, int* order) noexcept nogil
cdef void write_record(const Position* game, uint8_t* record) noexcept nogil
cdef void read_record(Position* game, const uint8_t* record) noexcept nogil
cdef PlainMove step_of(move) except *
cdef object move_of(PlainMove step, bint has_jokers)


cdef inline int rank_of(const Position* game, int card) noexcept nogil:
    """Return the effective rank of ``card``, NO_RANK for an undeclared joker."""
    if card < XB:
        return card >> 2
    if game.condition[card - XB] == DECLARED:
        return game.value[card - XB]
    return NO_RANK

cdef inline int top_of(const Position* game, int column) noexcept nogil:
    """Return the top card of a column that is not empty."""
    return game.card[column][game.size[column] - 1]

cdef inline int face_up(const Position* game, int column) noexcept nogil:
    """Return the number of face-up cards of a column."""
    return game.size[column] - game.hidden[column]

cdef inline const uint8_t* cards_up(const Position* game, int column) noexcept nogil:
    """Return a pointer to the face-up cards of a column, the deepest first."""
    return game.card[column] + game.hidden[column]

cdef inline int base_of(const Position* game, int column) noexcept nogil:
    """Return the deepest face-up card of a column that is not empty."""
    return game.card[column][game.hidden[column]]

cdef inline int stock_left(const Position* game) noexcept nogil:
    """Return the number of cards that are still in the stock."""
    return game.stock_size - game.turned

cdef inline bint is_up(const Position* game, int natural) noexcept nogil:
    """Test whether ``natural`` lies face up in a column, or its foundation place is filled."""
    return game.face >> natural & 1 or (natural >> 2) < game.height[natural & 3]

cdef inline bint may_take(const Position* game, int colour, int rank) noexcept nogil:
    """Test whether the joker of ``colour`` may be declared as ``rank``: some such natural is not up."""
    cdef int which, suit
    if rank < 0 or rank >= game.ranks:
        return False
    for which in range(2):
        suit = suits_of(colour, which)
        if game.suits >> suit & 1 and not is_up(game, 4 * rank + suit):
            return True
    return False

cdef inline bint stands_for(const Position* game, int natural) noexcept nogil:
    """Test whether the joker of its colour stands for ``natural``."""
    cdef int colour = colour_of(natural)
    if game.condition[colour] == DECLARED:
        return natural >> 2 == game.value[colour] and not is_up(game, natural)
    if game.condition[colour] == PLACED:
        return game.value[colour] == natural
    return game.condition[colour] == OPEN_ACE and natural < 4 and not is_up(game, natural)

cdef inline bint settles(const Position* game, int card) noexcept nogil:
    """Test whether ``card`` is a deuce that may go onto the open ace of its colour."""
    return (card < XB and card >> 2 == 1 and game.condition[colour_of(card)] == OPEN_ACE
            and stands_for(game, card & 3))
