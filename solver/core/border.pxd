"""Base class of all kernels; see border.pyx."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from .desk cimport MOST_CARDS, MOST_COLUMNS, Desk, JokerCondition, PlainMove
from .kernel cimport Kernel

cdef packed struct Record:  # see record.py
    uint64_t seed, expanded, generated, microseconds
    int32_t moves, lower_bound
    int16_t score, score_bound
    int8_t verdict          # 0 unwinnable, 1 winnable, 2 undecided; if played: 0 lost, 1 won, 2 unfinished
    int8_t reason, shortest, exact

cdef class Border:
    cdef Kernel* kernel                 # the first field of the struct of the game, or `own`
    cdef Kernel own                     # of a kernel that has no such struct
    cdef object error                   # exception raised by a signal handler during the search, or None
    cdef uint8_t deck[MOST_CARDS]       # cards of the variant dealt by `solve_seeds`, in order
    cdef int deck_size
    cdef uint8_t sizes[MOST_COLUMNS]    # sizes of its columns
    cdef int columns
    cdef const uint8_t* given           # decks that a batch deals instead of seeds, or NULL
    cdef uint64_t first_given           # the number of the first of these decks
    cdef bint shortest_too              # `solve_seed` also searches for shortest lines

    cdef void use(self, Kernel* kernel) noexcept
    cdef void set_limits(self, limits) except *
    cdef void note(self) noexcept nogil
    cdef void raise_error(self) except *
    cdef void open_deals(self, variant, choices) except *
    cdef void check_decks(self, bytes cards, int count) except *
    cdef void deal_seed(self, uint64_t seed, uint8_t* cards, Desk* dealt) noexcept nogil
    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil
    cdef bint note_verdict(self, Record* record, int outcome) noexcept nogil
    cdef void check_capacity(self) except *

cdef void read_chessboard(Desk* desk, state) except *
cdef void read_simon(Desk* desk, state) except *
cdef void read_klondike(Desk* desk, state) except *
cdef void read_joker(Desk* desk, state) except *
cdef void read_condition(JokerCondition* condition, joker) except *
cdef void read_seen(Desk* desk, table, str family) except *
cdef void read_state(Desk* desk, state, str family) except *
cdef PlainMove step_of(move, str family) except *
cdef bytearray steps_of(moves, str family)
cdef object move_of(PlainMove step, rules)
cdef list moves_of(const PlainMove* steps, int count, str family, rules)
