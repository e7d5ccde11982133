"""Independent rules of Klondike with redeals; see replay.pyx."""

from libc.stdint cimport int8_t, uint8_t

from ..core.desk cimport Desk
from ..core.piles cimport FOUNDATION, NONE, STOCK, WASTE, Pile

cdef enum:
    MOST_CARDS = 52
    MOST_COLUMNS = 7
    MOST_MOVES = 500        # 52 face-up cards and the waste to 7 columns, 8 up, 4 back to 7 columns, a draw

cdef struct Game:
    int columns, ranks, draw
    int passes              # 0: unlimited
    int redeals             # redeals made, if passes are limited
    bint backward           # cards may come back from the foundations
    bint has_suit[4]
    Pile column[MOST_COLUMNS]
    uint8_t face_down[MOST_COLUMNS]     # number of face-down cards of each column
    Pile stock, waste
    Pile foundation[4]

cdef struct Move:           # the fields of `rules.klondike.Move`; NONE for None
    int8_t source, target, count, suit

cdef void deal_game(
    Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns) noexcept nogil
cdef void load_desk(Game* game, const Desk* desk) noexcept nogil
cdef void load_state(Game* game, state) except *
cdef bint play(Game* game, int source, int target, int count, int suit) noexcept nogil
cdef int legal_moves_of(const Game* game, Move* moves) noexcept nogil
cdef bint is_won(const Game* game) noexcept nogil
cdef int cards_up(const Game* game) noexcept nogil
