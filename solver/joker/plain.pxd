"""The plain rules on arrays, and lines of play; see plain.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint32_t

from ..core.dealer cimport Dealt
from .cards cimport DECLARED, MOST, NO_RANK, XB

cdef enum:                  # places that a move names beside the columns, as in `rules.joker`
    STOCK = -1
    WASTE = -2
    FOUNDATION = -3
    OUT = -4
    IN_PLACE = -5
    ANY = -1                # no suit or no rank named
    RECORD = 80         # bytes of a stored state: foundations, jokers, stock, waste, columns
    MOST_MOVES = 800    # 54 face-up cards to 7 columns, 8 tops in 5 ways up, as 13 ranks or out, a turn

cdef struct PlainGame:
    int ranks
    int suits               # a bit each
    bint turned_only        # the waste's top is exchanged only when it is turned
    bint any_removal        # declared jokers may be put out of play too
    int columns
    uint8_t size[7]
    uint8_t hidden[7]
    uint8_t card[7][MOST]
    uint8_t stock[MOST]     # the first one is turned next
    uint8_t stock_size
    uint8_t turned          # of them
    uint8_t waste[2 * MOST]
    uint8_t waste_size
    uint8_t height[4]
    uint8_t condition[2]    # of each joker
    uint8_t value[2]        # the rank of a declared one, the natural whose place a placed one fills

cdef struct PlainMove:      # a move of `rules.joker`
    int8_t source
    int8_t target
    int8_t count
    int8_t suit
    int8_t rank

cdef void deal_game(PlainGame* game, const Dealt* dealt, int ranks, int suits) noexcept nogil
cdef bint play(PlainGame* game, PlainMove step) noexcept nogil
cdef int score(const PlainGame* game) noexcept nogil
cdef void load(PlainGame* game, state) except *
cdef int condition_of(joker) except -1
cdef int head_of(const PlainGame* game, PlainMove step) noexcept nogil
cdef int moves_of(const PlainGame* game, PlainMove* steps) noexcept nogil
cdef void column_order(const PlainGame* game, int* order) noexcept nogil
cdef void write_record(const PlainGame* game, uint8_t* record) noexcept nogil
cdef void read_record(PlainGame* game, const uint8_t* record) noexcept nogil
cdef PlainMove step_of(move) except *
cdef object move_of(PlainMove step)


cdef inline int rank_of(const PlainGame* game, int card) noexcept nogil:
    """The effective rank; NO_RANK for an undeclared joker."""
    if card < XB:
        return card >> 2
    if game.condition[card - XB] == DECLARED:
        return game.value[card - XB]
    return NO_RANK

cdef enum:
    LONGEST_PLAY = 4        # the moves of a macro beside its turns: two declarations and two plays

cdef int play_macro(PlainGame* game, uint32_t code, PlainMove* steps) noexcept nogil
cdef int shorten(const PlainGame* start, PlainMove* steps, int count) noexcept nogil
