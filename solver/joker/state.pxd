"""The packed states of joker and klondike-one-pass; see state.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from ..core.bits cimport highest_bit
from .cards cimport MAX_COLUMNS, MOST, XB, bit

cdef enum:
    NONE = 255          # no card
    NO_HIDDEN = 7       # stands for every column without face-down cards
    ON_CARD = 8         # where a declared joker lies on some face-up card

# The kinds of a joker's condition are those of `cards`, with arguments, and two more. UNDECLARED: the column,
# or NO_HIDDEN; DECLARED: rank | where << 4, see state.pyx; PLACED: the natural whose place it fills.
cdef enum Kind:
    IN_WASTE = 5        # argument: the slot
    AS_DEALT = 6        # face down or in the stock

cdef struct ClassKey:
    uint64_t w[3]

cdef struct ClassLayout:  # what is constant from the position that was loaded on
    int ranks
    int suits           # a bit each
    int places, columns
    bint jokers
    bint turned_only    # the waste's top is exchanged only when it is turned
    bint any_removal    # declared jokers may be put out of play too
    int slots           # waste, then stock
    int sixes           # of slots
    uint8_t slot_card[MOST]
    uint64_t stock_from[MOST + 1]               # the cards of the slots from one on
    uint64_t cards_in[9][64]                    # the naturals of every choice of six slots each
    uint8_t buried[MAX_COLUMNS][MOST + 1]       # the face-down cards, and the card on the last one
    uint64_t buried_below[MAX_COLUMNS][MOST + 1]    # the first of them
    uint64_t on_buried[MAX_COLUMNS][MOST + 1]   # the card dealt on so many of them, if any
    uint8_t column_of[MOST]                     # where a card of the columns was dealt,
    uint8_t beneath[MOST]                       # and the face-down card beneath it, or NONE
    uint8_t hidden[MAX_COLUMNS]
    uint8_t hidden_shift[MAX_COLUMNS]           # of the fields in w[1]
    uint64_t hidden_mask[MAX_COLUMNS]
    uint8_t base_at[MAX_COLUMNS]                # the bit of its field, for columns with face-down cards
    uint64_t present    # the naturals in the columns, the stock and the waste
    uint64_t deck       # all naturals of the deck

cdef struct ClassPosition:  # a key taken apart
    ClassKey key
    uint64_t face       # naturals face up in columns
    uint64_t open       # cards that are on top of columns or may be so after a lateral move, jokers too
    uint64_t bases      # cards that are the deepest face-up ones of their columns, jokers too
    uint64_t deep       # of these, those that lie on face-down cards,
    uint64_t strange    # and of these, those that were not dealt there or are jokers
    uint64_t unseen     # cards that are face down or in the stock
    uint64_t filled     # naturals whose foundation places are filled
    uint64_t up         # face | filled
    uint64_t waste      # slots that hold a card
    uint8_t column_of[MOST]     # of the strange ones
    uint8_t hidden[MAX_COLUMNS]
    uint8_t height[4]
    uint8_t kind[2]
    uint8_t argument[2]
    int8_t rank[2]      # declared rank or NO_RANK
    int empty           # columns
    int turned          # slots that are no more in the stock
    int top             # the slot on top of the waste, or -1
    uint8_t top_card    # what is there, or NONE
    int score, face_down, waste_size
    int out             # jokers out of play

cdef uint64_t COLOUR[2]

cdef inline int column_under(const ClassLayout* layout, const ClassPosition* p, int card) noexcept nogil:
    """The column on whose face-down cards a card lies, or NO_HIDDEN."""
    if not p.deep & bit(card):
        return NO_HIDDEN
    return p.column_of[card] if p.strange & bit(card) else layout.column_of[card]

cdef inline int beneath(const ClassLayout* layout, const ClassPosition* p, int card) noexcept nogil:
    """The face-down card beneath one that lies face up in its column, or that was dealt there; or NONE."""
    if p.strange & bit(card):
        return layout.buried[p.column_of[card]][p.hidden[p.column_of[card]] - 1]
    return layout.beneath[card]

cdef void unpack(const ClassLayout* layout, const ClassKey* key, ClassPosition* position) noexcept nogil
cdef void arrange(const ClassPosition* position, uint8_t* above) noexcept nogil
cdef void load(ClassLayout* layout, ClassKey* key, state) except *
cdef void clear(ClassLayout* layout, ClassKey* key) noexcept nogil
cdef void close_layout(ClassLayout* layout, ClassKey* key, const uint8_t* hidden) noexcept nogil
cdef object state_of(const ClassLayout* layout, const ClassKey* key, start)

cdef inline uint64_t same_places(int rank, int colour) noexcept nogil:
    """The naturals of a rank and colour."""
    return (<uint64_t>0b0110 if colour else 0b1001) << (4 * rank)

cdef inline int joker_field(const ClassKey* key, int colour) noexcept nogil:
    """Kind | argument << 3."""
    return key.w[2] >> (11 * colour) & 0x7FF

cdef inline void set_joker(ClassKey* key, int colour, int kind, int argument) noexcept nogil:
    """Give the joker of a colour its condition, a kind with its argument."""
    cdef int shift = 11 * colour
    key.w[2] = key.w[2] & ~((<uint64_t>0x7FF) << shift) | (<uint64_t>(kind | argument << 3)) << shift

cdef inline void clear_key(ClassKey* key) noexcept nogil:
    """Nothing turned, nothing up, both jokers as dealt."""
    key.w[0] = key.w[1] = key.w[2] = 0
    set_joker(key, 0, AS_DEALT, 0)
    set_joker(key, 1, AS_DEALT, 0)

cdef inline int turned_of(const ClassKey* key) noexcept nogil:
    """The slots that are no more in the stock."""
    return key.w[2] >> 22 & 63

cdef inline int height_of(const ClassKey* key, int suit) noexcept nogil:
    """The places filled of a foundation."""
    return key.w[2] >> (28 + 4 * suit) & 15

cdef inline void raise_height(ClassKey* key, int suit, int by) noexcept nogil:
    """Fill so many more places of a foundation."""
    key.w[2] += (<uint64_t>by) << (28 + 4 * suit)

cdef inline int hidden_of(const ClassLayout* layout, const ClassKey* key, int column) noexcept nogil:
    """The number of face-down cards of a column."""
    return key.w[1] >> layout.hidden_shift[column] & layout.hidden_mask[column]

cdef inline uint64_t waste_of(const ClassLayout* layout, const ClassKey* key) noexcept nogil:
    """The slots of the waste that hold a card."""
    return key.w[1] & (bit(layout.slots) - 1)

cdef inline void set_base(const ClassLayout* layout, ClassKey* key, int column, int value) noexcept nogil:
    """Put down what `base_field` tells."""
    cdef int word = layout.base_at[column] >> 6, shift = layout.base_at[column] & 63
    key.w[word] = key.w[word] & ~((<uint64_t>63) << shift) | (<uint64_t>value) << shift

cdef inline int card_in(const ClassLayout* layout, const ClassKey* key, int slot) noexcept nogil:
    """The card in a slot of the waste that is not empty."""
    if joker_field(key, 0) == (IN_WASTE | slot << 3):
        return XB
    if joker_field(key, 1) == (IN_WASTE | slot << 3):
        return XB + 1
    return layout.slot_card[slot]

cdef inline int top_slot(uint64_t waste) noexcept nogil:
    """The slot on top of a waste, or -1."""
    return highest_bit(waste) if waste else -1
