"""The plain compiled rules of joker and klondike-one-pass; see joker_plain.pyx."""

from libc.stdint cimport int8_t, uint8_t

cdef enum:                  # places that a move names beside the columns, as in `rules.joker`
    STOCK = -1
    WASTE = -2
    UP = -3
    OUT = -4
    IN_PLACE = -5
    ANY = -1                # no suit or no rank named
    MOST = 54               # cards
    XB = 52
    NO_RANK = -1
    RECORD = 96         # bytes of a stored state: its length, foundations, jokers, stock, waste, columns
    MOST_MOVES = 800    # 54 face-up cards to 7 columns, 8 tops in 5 ways up, as 13 ranks or out, a turn

cdef enum State:            # of a joker; anything but undeclared has its value in Game.value
    UNDECLARED = 0          # or not seen yet, or in the waste
    DECLARED = 1            # value: rank
    PLACED = 2              # value: the natural whose place it fills
    OPEN_ACE = 3
    GONE = 4                # out of play

cdef struct Game:
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
    uint8_t state[2]
    uint8_t value[2]

cdef struct Step:           # a move of `rules.joker`
    int8_t source
    int8_t target
    int8_t count
    int8_t suit
    int8_t rank

cdef void deal_game(
    Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns, int ranks, int suits
) noexcept nogil
cdef bint play(Game* game, Step step) noexcept nogil
cdef int score(const Game* game) noexcept nogil
cdef void load(Game* game, state) except *
cdef int head_of(const Game* game, Step step) noexcept nogil
cdef int moves_of(const Game* game, Step* steps) noexcept nogil
cdef void column_order(const Game* game, int* order) noexcept nogil
cdef void write_record(const Game* game, uint8_t* record) noexcept nogil
cdef void read_record(Game* game, const uint8_t* record) noexcept nogil
cdef Step step_of(move) except *
cdef object move_of(Step step)


cdef inline int colour_of(int card) noexcept nogil:
    if card >= XB:
        return card - XB
    return 1 if (card & 3) == 1 or (card & 3) == 2 else 0


cdef inline int rank_of(const Game* game, int card) noexcept nogil:
    """The effective rank; NO_RANK for an undeclared joker."""
    if card < XB:
        return card >> 2
    if game.state[card - XB] == DECLARED:
        return game.value[card - XB]
    return NO_RANK
