"""How lines of joker and klondike-one-pass are made shorter; see improving.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Progress
from .beam cimport Beam
from .onepass_search cimport OnePassSearch
from .plain cimport PlainGame, PlainMove
from .shortest cimport Shortest

cdef struct Improving:
    PlainGame start
    int goal            # the score to reach
    int stage           # the search that runs, from 0 on
    bint is_full        # which is all places
    bint has_jokers     # some are left in the game
    bint is_open        # it was begun
    bint failed         # a line that was found is illegal
    int fewest          # moves of the best line known
    int lower_bound     # no line has less
    uint64_t max_bytes
    uint64_t last       # expanded states of the kernel that end it
    OnePassSearch onepass
    Shortest plain
    double pace         # seconds that the last beam took for each state of its width; 0 if there was none
    Beam beam

cdef void free_improving(Improving* improving) noexcept nogil
cdef uint64_t improving_bytes(const Improving* improving) noexcept nogil
cdef void open_improving(
    Improving* improving, const PlainGame* start, int goal, int fewest, uint64_t max_bytes
) noexcept nogil
cdef Progress improve_once(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil
