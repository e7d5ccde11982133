"""Test oracle of the Simon family: its rules, compiled without optimizations; see replay.pyx."""

from libc.stdint cimport uint8_t

from ..core.desk cimport Desk
from ..core.piles cimport Pile

cdef enum:
    MOST_COLUMNS = 14
    MOST_CARDS = 104

cdef struct Game:
    int columns, ranks
    Pile column[MOST_COLUMNS]

cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns,
                    int ranks) noexcept nogil
cdef bint play(Game* game, int source, int target, int count) noexcept nogil
cdef bint is_won(const Game* game) noexcept nogil
cdef int run_length(const Pile* column) noexcept nogil
cdef void load_desk(Game* game, const Desk* desk) noexcept nogil
cdef void load_state(Game* game, state) except *
