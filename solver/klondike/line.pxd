"""Translation of moves between classes into moves of the game; see line.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from .state cimport CARDS, COLUMNS, Layout

cdef enum:
    STOCK = -1              # places that a step names beside the columns, as in `rules.klondike`
    WASTE = -2
    FOUNDATION = -3
    NO_SUIT = -1
    UP = 60                 # targets of a step of `shortest` beside the cards
    EMPTY = 61
    TARGET_AT = 6           # of the code of a step, after the card,
    CODE_MASK = 63          # and of these the bits
    HOST_UP = 1 << 12       # the card beneath the one that moves goes up after it
    REDEALT = 1 << 13       # after a redeal

cdef struct PlainMove:      # as a Move of `rules.klondike`
    int8_t source, target, count, suit

cdef struct Desk:           # a state, card by card
    int columns, ranks
    int suits               # a bit for each
    int draw
    int passes              # 0: unlimited
    int redeals
    bint backward
    uint8_t card[COLUMNS][CARDS]
    uint8_t size[COLUMNS]
    uint8_t hidden[COLUMNS]
    uint8_t height[4]
    uint8_t slots[CARDS]    # the waste, its top last, then the stock, the next card first
    int waste, slot_count

cdef struct Line:
    PlainMove* steps
    uint64_t capacity
    int count
    bint failed             # no memory, or a move that cannot be made

cdef void make(Line* line, Desk* desk, int source, int target, int count, int suit) noexcept nogil
cdef void move_cards(Desk* desk, const PlainMove* step) noexcept nogil
cdef void load_desk(Desk* desk, deck, position, columns, stock) except *
cdef void load_state(Desk* desk, Layout* layout, uint64_t* root, state) except *
cdef bint open_classes(Layout* layout, const Desk* desk, uint64_t* root) noexcept nogil
cdef void follow(Line* line, Desk* desk, uint32_t code) noexcept nogil
cdef void make_step(Line* line, Desk* desk, uint32_t code) noexcept nogil
cdef void raise_all(Line* line, Desk* desk, const uint8_t* places, int count) noexcept nogil
cdef void finish(Line* line, Desk* desk) noexcept nogil
cdef void straighten(Line* line, const Desk* start) noexcept nogil
cdef list moves_in(const Line* line)
