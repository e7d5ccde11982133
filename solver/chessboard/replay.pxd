"""Test oracle of Chessboard and Fortress: its rules, compiled without optimizations; see replay.pyx."""

from libc.stdint cimport uint8_t

from ..core.desk cimport Desk
from ..core.piles cimport Pile

cdef enum:
    FOUNDATION = -1     # the target of a move to the foundation

cdef struct Game:
    int columns, ranks
    bint corner         # ace and last rank are neighbours
    int base            # base rank, or -1 if it is not chosen
    uint8_t up[4]       # number of cards on each foundation
    Pile column[10]

cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns, int ranks,
                    bint corner, bint free_base) noexcept nogil
cdef bint play(Game* game, int source, int target) noexcept nogil
cdef bint is_won(const Game* game) noexcept nogil
cdef void load_desk(Game* game, const Desk* desk, bint is_chessboard) noexcept nogil
cdef void load_state(Game* game, state) except *
