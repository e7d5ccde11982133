"""Exact positions of Klondike, card by card, with their moves and keys; see position.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from ..core.dealer cimport Dealt
from ..core.desk cimport Desk
from .state cimport CARDS, COLUMNS, MOST_SLOTS, Layout, bit

cdef enum:
    STOCK = -1              # places of a move other than columns, as in `rules.klondike`
    WASTE = -2
    FOUNDATION = -3
    NO_SUIT = -1
    NONE = 255              # no card

cdef struct PlainMove:      # the fields of `rules.klondike.Move`; NO_SUIT for None
    int8_t source, target, count, suit

cdef struct Position:       # a state; sets have the bits of the cards of `rules`
    int columns, ranks
    int suits               # one bit for each suit of the deck
    int draw
    int passes              # 0: unlimited
    int redeals
    bint backward           # cards may come back from the foundations
    uint8_t card[COLUMNS][CARDS]
    uint8_t size[COLUMNS]   # cards of each column
    uint8_t hidden[COLUMNS]  # face-down cards of each column
    uint8_t height[4]       # cards on each foundation, all ranks if the deck lacks the suit
    uint8_t slots[CARDS]    # the waste, its top last, then the stock, the next card first
    int waste, slot_count   # cards in the waste; cards in waste and stock
    # What follows from the cards:
    uint64_t face           # cards face up in columns
    uint64_t bare           # face-up cards with no card on them
    uint64_t bases          # last dealt card left of each column; a king at the bottom is not a base
    uint64_t placed         # face-up cards that lie on face-up cards
    uint64_t runs[COLUMNS]  # face-up cards of each column
    int empty               # empty columns
    uint8_t left[COLUMNS]   # dealt cards left in each column, the base among them
    uint8_t column[64]      # by face-up card: its column
    uint8_t under[64]       # by placed card: the card beneath it

cdef enum:
    SLOTS_AT = 16           # first bit of the slots in the first word of a key, after the heights
    REDEALS_AT = 6          # first bit of the redeals in the second word of a key, after the waste
    TYPES_AT = 9            # first bit of the types in the second word of a key, after the redeals

cdef struct ExactLayout:    # constants of a deal
    int ranks
    int goal                # cards to be on the foundations, including those of suits that the deck lacks
    bint is_full            # ``goal`` is all cards
    int columns
    int slots               # cards of the waste at the start, then of the stock
    int draw
    int lead                # (lead + the waste at the start) is a multiple of ``draw``
    int passes              # 0: unlimited
    bint backward           # cards may come back from the foundations
    uint64_t deck, kings
    uint64_t raised[4][14]  # the cards on the foundation of a suit, by its height
    uint8_t slot_card[MOST_SLOTS]
    uint8_t slot_of[CARDS]  # slot of each card of the stock and waste
    uint8_t column_of[CARDS]    # column of each dealt card
    uint8_t shift[COLUMNS]  # shift of the field of each column in a key
    uint8_t mask[COLUMNS]   # mask of that field
    uint8_t dealt_count[COLUMNS]
    uint8_t dealt[COLUMNS][CARDS]
    uint64_t buried[COLUMNS][CARDS + 1]     # face-down cards of a column, by the dealt cards left
    uint64_t over[COLUMNS][CARDS + 1]       # cards higher than a face-down card of their suit
    uint8_t waiting[COLUMNS][CARDS + 1]     # face-down cards above a lower one of their suit

cdef void load_desk(Position* p, const Desk* desk) noexcept nogil
cdef void deal_position(Position* p, const Dealt* dealt) noexcept nogil
cdef bint open_classes(Layout* layout, const Position* p, uint64_t* root) noexcept nogil
cdef void make_move(Position* p, const PlainMove* move) noexcept nogil
cdef void open_exact_layout(ExactLayout* start, const Position* p, int goal) noexcept nogil
cdef void pack_exact(const ExactLayout* start, const Position* p, uint64_t* low,
                     uint64_t* high) noexcept nogil
cdef void unpack_exact(const ExactLayout* start, Position* p, uint64_t low, uint64_t high) noexcept nogil

# --- Cards ----------------------------------------------------------------------------------------------

cdef inline int rank_of(int card) noexcept nogil:
    """Return the rank of a card, 0 of an ace."""
    return card >> 2

cdef inline int suit_of(int card) noexcept nogil:
    """Return the suit of a card, in the order C D H S."""
    return card & 3

cdef inline bint is_red(int card) noexcept nogil:
    """Test whether a card is red."""
    return (0x6 >> (card & 3)) & 1

cdef inline int like(int card) noexcept nogil:
    """Return the other card of a type."""
    return card ^ 3

cdef inline int first_host(int card) noexcept nogil:
    """Return the first of the two cards on which ``card`` fits; it must not be a king."""
    return (card & ~3) + 4 | (0 if is_red(card) else 1)

cdef inline bint is_second(int card) noexcept nogil:
    """Test whether a card is the second of its type: of suits C and S, or D and H."""
    return card >> 1 & 1

# --- Positions --------------------------------------------------------------------------------------------

cdef inline int next_of(const Position* p, int suit) noexcept nogil:
    """Return the next card of the foundation of a suit, or NONE."""
    return 4 * p.height[suit] + suit if p.height[suit] < p.ranks else NONE

cdef inline int row_of(const Position* p, int card) noexcept nogil:
    """Return the index of a face-up card in its column, from the bottom."""
    cdef const uint8_t* cards = p.card[p.column[card]]
    cdef int row = p.size[p.column[card]] - 1
    while cards[row] != card:
        row -= 1
    return row

# --- Keys -----------------------------------------------------------------------------------------------

cdef inline int type_at(int host) noexcept nogil:
    """Return the number of the bit, in the second word, of the type of ``host``, which is not an ace."""
    return TYPES_AT + 2 * (host >> 2) - 2 + is_red(host)

cdef inline uint64_t with_place(uint64_t high, int host) noexcept nogil:
    """Return the second word of a key with the bit of the type of ``host`` set if ``host`` is the second of
    its type, and cleared otherwise."""
    return high & ~bit(type_at(host)) | (bit(type_at(host)) if is_second(host) else 0)
