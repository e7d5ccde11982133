"""Positions of the Simon family; see position.pyx."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from .classes cimport Layout
from .common cimport MAX_CARDS, MAX_COLUMNS, MAX_RANKS

cdef enum:
    MAX_MOVES = MAX_COLUMNS * (MAX_COLUMNS + MAX_RANKS)     # most moves that `generate_moves` writes

cdef struct Position:
    int columns, ranks
    int left                                        # number of cards in the columns
    int removed                                     # number of runs that left
    uint64_t low, high                              # the key: two sums of hashes over the columns
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_COLUMNS][MAX_CARDS]
    uint64_t prefix_low[MAX_COLUMNS][MAX_CARDS + 1]     # hashes of each column's first n cards
    uint64_t prefix_high[MAX_COLUMNS][MAX_CARDS + 1]
    uint8_t suit[MAX_CARDS]                         # suits of the runs that left

cdef struct MadeMove:   # a move with the data needed to undo it
    uint8_t source, target, count
    uint8_t from_target     # number of runs that left the target column
    uint8_t from_source     # number of runs that left the source column

cdef void set_position(Position* position, const Layout* layout) noexcept nogil
cdef void layout_of(Layout* layout, const Position* position) noexcept nogil
cdef MadeMove do_move(Position* position, int source, int target, int count) noexcept nogil
cdef void undo_move(Position* position, MadeMove step) noexcept nogil
cdef bint is_legal(const Position* position, int source, int target, int count) noexcept nogil
cdef bint foresee(const Position* position, int source, int target, int count, uint64_t* low,
                  uint64_t* high) noexcept nogil
cdef void check_position(const Position* position) noexcept nogil
cdef int generate_moves(const Position* position, uint32_t* moves) noexcept nogil

cdef struct Line:           # moves packed by `pack_move`
    uint32_t* move
    uint64_t length, room, max_bytes

cdef bint append(Line* line, uint32_t move) noexcept nogil
cdef void free_line(Line* line) noexcept nogil
cdef void leave_out_needless(Line* line, const Layout* layout) noexcept nogil
cdef bint wins(const Line* line, const Layout* layout) noexcept nogil

cdef inline int run_length(const Position* position, int column) noexcept nogil:
    """The number of cards of the longest run on top of ``column``; 0 if it is empty."""
    cdef int size = position.size[column], length = 1
    cdef const uint8_t* card = position.card[column]
    if size == 0:
        return 0
    while length < size and card[size - length - 1] == card[size - length] + 4:
        length += 1
    return length

cdef inline uint64_t hash_card(uint64_t prefix, int card) noexcept nogil:
    """The hash of a column whose top is ``card``, from the hash ``prefix`` of the cards below; that of no
    cards is 0."""
    prefix = (prefix + card + 1) * <uint64_t>0x9E3779B97F4A7C15
    return prefix ^ (prefix >> 29)

cdef inline uint64_t scatter(uint64_t prefix) noexcept nogil:
    """The summand of a column in the key, from its hash ``prefix``; 0 for an empty column."""
    prefix = prefix * <uint64_t>0xBF58476D1CE4E5B9
    prefix = (prefix ^ (prefix >> 32)) * <uint64_t>0x94D049BB133111EB
    return prefix ^ (prefix >> 29)
