"""Positions of the Simon family card by card; see simon_board.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .simon_class cimport MAX_CARDS, MAX_COLUMNS, Layout

cdef struct Board:
    int columns
    int ranks
    int left                                        # cards in play
    int removed                                     # runs that left
    uint64_t low                                    # the key: two sums over the columns
    uint64_t high
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_COLUMNS][MAX_CARDS]
    uint64_t prefix_low[MAX_COLUMNS][MAX_CARDS + 1]     # hashes of each column's first n cards
    uint64_t prefix_high[MAX_COLUMNS][MAX_CARDS + 1]
    uint8_t suit[MAX_CARDS]                         # of the runs that left

cdef struct Step:       # a move with all that undoing it needs
    uint8_t source
    uint8_t target
    uint8_t count
    uint8_t from_target     # runs that left the target
    uint8_t from_source

cdef void set_board(Board* board, const Layout* layout) noexcept nogil
cdef void layout_of(Layout* layout, const Board* board) noexcept nogil
cdef Step play(Board* board, int source, int target, int count) noexcept nogil
cdef void take_back(Board* board, Step step) noexcept nogil
cdef bint is_legal(const Board* board, int source, int target, int count) noexcept nogil
cdef bint foresee(
    const Board* board, int source, int target, int count, uint64_t* low, uint64_t* high
) noexcept nogil

cdef struct Line:       # moves: |15 count 8|7 target 4|3 source 0|
    uint32_t* move
    uint64_t length
    uint64_t room
    uint64_t max_bytes

cdef void check_board(const Board* board) noexcept nogil
cdef bint append(Line* line, uint32_t move) noexcept nogil
cdef void free_line(Line* line) noexcept nogil
cdef void shorten_line(Line* line, const Layout* layout) noexcept nogil
cdef bint wins(const Line* line, const Layout* layout) noexcept nogil


cdef inline uint32_t make_move(int source, int target, int count) noexcept nogil:
    return source | target << 4 | count << 8


cdef inline int run_length(const Board* board, int column) noexcept nogil:
    """The number of cards in the longest run at the top end of a column."""
    cdef int size = board.size[column], length = 1
    cdef const uint8_t* card = board.card[column]
    if size == 0:
        return 0
    while length < size and card[size - length - 1] == card[size - length] + 4:
        length += 1
    return length


cdef inline uint64_t hash_card(uint64_t prefix, int card) noexcept nogil:
    """The hash of a column from that of the cards below its top; 0 for an empty one."""
    prefix = (prefix + card + 1) * <uint64_t>0x9E3779B97F4A7C15
    return prefix ^ (prefix >> 29)


cdef inline uint64_t hash_card_high(uint64_t prefix, int card) noexcept nogil:
    prefix = (prefix ^ <uint64_t>(card + 77)) * <uint64_t>0xD6E8FEB86659FD93
    return prefix ^ (prefix >> 32)


cdef inline uint64_t scatter(uint64_t prefix) noexcept nogil:
    """What a column adds to the key; nothing if it is empty."""
    prefix = prefix * <uint64_t>0xBF58476D1CE4E5B9
    prefix = (prefix ^ (prefix >> 32)) * <uint64_t>0x94D049BB133111EB
    return prefix ^ (prefix >> 29)
