"""Independent compiled rules of joker and klondike-one-pass; see replay.pyx."""

from libc.stdint cimport int8_t, uint8_t

from ..core.desk cimport Desk
from ..core.piles cimport FOUNDATION, NONE, STOCK, WASTE, Pile

cdef enum:
    OUT = -4            # places of a move other than those of `core.piles`, as in `rules.joker`
    IN_PLACE = -5
    JOKERS = 52         # XB; XR is 53
    MOST_CARDS = 54
    MOST_COLUMNS = 7
    MOST_MOVES = 800    # 54 face-up cards to 7 columns, 8 tops in 5 ways up, as 13 ranks or out, a turn

cdef struct Game:       # every card is in one pile, except jokers that are open aces or out of play
    int8_t columns, ranks
    bint has_suit[4]
    bint turned_only    # rule option: the top of the waste is exchanged only when it is turned
    bint any_removal    # rule option: declared jokers may be put out of play too
    Pile column[MOST_COLUMNS]
    uint8_t face_down[MOST_COLUMNS]     # number of face-down cards of each column
    Pile stock, waste
    Pile foundation[4]  # the ace first, jokers in the places that they fill
    int8_t declared[2]  # rank of each declared joker, otherwise NONE
    bint is_open_ace[2]
    bint is_out[2]

cdef struct Move:       # the fields of `rules.joker.Move`; NONE for None
    int8_t source, target, count, suit, rank

cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns, int ranks,
                    int suits) noexcept nogil
cdef void load_desk(Game* game, const Desk* desk) noexcept nogil
cdef void load_state(Game* game, state) except *
cdef bint play(Game* game, int source, int target, int count, int suit, int rank) noexcept nogil
cdef int legal_moves_of(const Game* game, Move* moves) noexcept nogil
cdef int score(const Game* game) noexcept nogil
