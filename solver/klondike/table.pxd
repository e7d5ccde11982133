"""Positions with every place that matters for the number of moves; see table.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .line cimport Desk

cdef enum:
    MOST_CARDS = 52
    MOST_COLUMNS = 7
    MOST_SLOTS = 28
    NONE = 255              # no card, no column, no slot
    SLOTS_AT = 16           # of the first word of a key, after the heights
    REDEALS_AT = 6          # of the second word of a key, after the waste,
    TYPES_AT = 9            # and after the redeals

cdef struct Start:          # what is constant from the start on; a set has the bit of each card of `rules`
    int ranks
    int columns
    int slots               # the waste at the start, then the stock
    int draw
    int passes              # 0: unlimited
    bint backward           # cards come back from foundations
    uint64_t deck
    uint64_t kings
    uint64_t raised[4][14]  # the cards of a suit that are up, by its height
    uint8_t slot_card[MOST_SLOTS]
    uint8_t slot_of[MOST_CARDS]     # of the cards of the stock
    uint8_t shift[MOST_COLUMNS]     # of the field of a column in a key, and its mask
    uint8_t mask[MOST_COLUMNS]
    uint8_t dealt_count[MOST_COLUMNS]
    uint8_t dealt[MOST_COLUMNS][MOST_CARDS]
    uint64_t buried[MOST_COLUMNS][MOST_CARDS + 1]   # the face-down cards, by the dealt cards left
    uint64_t over[MOST_COLUMNS][MOST_CARDS + 1]     # the cards higher than one of these of their suit
    uint8_t waiting[MOST_COLUMNS][MOST_CARDS + 1]   # of these, those that lie above such a one

cdef struct Table:          # a key taken apart
    uint64_t low
    uint64_t high
    uint64_t face           # face up in columns
    uint64_t bare           # of these, those with nothing on them
    uint64_t bases          # of these, the deepest of columns that cards were dealt to
    uint64_t placed         # of these, those that lie on face-up cards
    uint64_t runs[MOST_COLUMNS]     # the face-up cards of each of those columns
    int height[4]
    int slot[MOST_SLOTS]    # the cards of the waste and the stock that are left
    int count
    int waste
    int redeals
    int empty               # columns
    uint8_t on[MOST_CARDS]          # the card on a face-up one, or NONE,
    uint8_t under[MOST_CARDS]       # that beneath a placed one,
    uint8_t column[MOST_CARDS]      # and its column, or NONE if that is one of a king that is no base
    uint8_t left[MOST_COLUMNS]      # dealt cards

cdef void open_start(Start* start, const Desk* desk, uint64_t* low, uint64_t* high) noexcept nogil
cdef void read_table(const Start* start, Table* t, uint64_t low, uint64_t high) noexcept nogil


cdef inline uint64_t bit(int number) noexcept nogil:
    """The set of one number."""
    return <uint64_t>1 << number


cdef inline int rank_of(int card) noexcept nogil:
    """The rank of a card, 0 of an ace."""
    return card >> 2


cdef inline int suit_of(int card) noexcept nogil:
    """The suit of a card, in the order of CDHS."""
    return card & 3


cdef inline bint is_red(int card) noexcept nogil:
    """Whether a card is of diamonds or hearts."""
    return (0x6 >> (card & 3)) & 1


cdef inline int like(int card) noexcept nogil:
    """The other card of its rank and colour."""
    return card ^ 3


cdef inline int type_at(int host) noexcept nogil:
    """Where the second word of a key tells what lies on cards of the type of ``host``, which is no ace."""
    return TYPES_AT + 2 * (host >> 2) - 2 + is_red(host)


cdef inline int first_user(int host) noexcept nogil:
    """The first of the two cards that fit on ``host``, which is no ace."""
    return (host & ~3) - 4 | (0 if is_red(host) else 1)


cdef inline int first_host(int card) noexcept nogil:
    """The first of the two cards that carry ``card``, which is no king."""
    return (card & ~3) + 4 | (0 if is_red(card) else 1)


cdef inline bint is_second(int card) noexcept nogil:
    """Whether a card is the second of its type: of suits C and S, or D and H."""
    return card >> 1 & 1


cdef inline uint64_t with_place(uint64_t high, int host) noexcept nogil:
    """The second word of a key where the card that tells lies on ``host``."""
    return high & ~bit(type_at(host)) | (bit(type_at(host)) if is_second(host) else 0)


cdef inline int field_of(const Start* start, int column, int left) noexcept nogil:
    """The field of a column of which so many dealt cards are left: a king that lies on no card counts as none
    of them."""
    if left == 1 and start.kings >> start.dealt[column][0] & 1:
        return 0
    return left


cdef inline uint64_t run_from(const Table* t, int card) noexcept nogil:
    """A face-up card with what lies on it."""
    cdef uint64_t cards = 0
    while card != NONE:
        cards |= bit(card)
        card = t.on[card]
    return cards


cdef inline uint64_t with_left(const Start* start, uint64_t low, int column, int left) noexcept nogil:
    """The first word of a key with so many dealt cards left in a column."""
    cdef uint64_t field = <uint64_t>start.mask[column] << start.shift[column]
    return low & ~field | <uint64_t>field_of(start, column, left) << start.shift[column]
