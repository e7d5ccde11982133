"""The packed states of joker and klondike-one-pass; see state.pyx."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from ..core.bits cimport highest_bit
from ..core.desk cimport Desk
from .cards cimport MAX_COLUMNS, MOST, XB, bit

cdef enum:
    NONE = 255          # no card
    NO_HIDDEN = 7       # in place of a column number: any column without face-down cards
    ON_CARD = 8         # in place of a column number: on some face-up card

# A joker has a kind and an argument. The kinds are the conditions of `cards` and two more. Their arguments
# are, for UNDECLARED, the column or NO_HIDDEN; for DECLARED, rank | where << 4, see state.pyx; for PLACED,
# the natural whose place it fills.
cdef enum Kind:
    IN_WASTE = 5        # argument: the slot
    AS_DEALT = 6        # face down or in the stock

cdef struct ClassKey:
    uint64_t w[3]

cdef struct ClassLayout:  # what is constant from the position loaded on
    int ranks
    int suits           # one bit for each suit of the deck
    int places, columns
    bint jokers
    bint turned_only    # the top of the waste is exchanged only when it is turned
    bint any_removal    # declared jokers may be put out of play too
    int slots           # cards of the waste, then of the stock
    int sixes           # groups of six slots
    uint8_t slot_card[MOST]
    uint64_t stock_from[MOST + 1]               # by slot: the cards of it and of the slots after it
    uint64_t cards_in[9][64]                    # the naturals in each subset of six slots
    uint8_t buried[MAX_COLUMNS][MOST + 1]       # the face-down cards of each column, and the card on them
    uint64_t buried_below[MAX_COLUMNS][MOST + 1]    # the set of the first 0, 1, ... of ``buried``
    uint64_t on_buried[MAX_COLUMNS][MOST + 1]   # the card dealt on them, as a set
    uint8_t column_of[MOST]                     # by card dealt on a face-down card: its column
    uint8_t beneath[MOST]                       # by card: the face-down card that it was dealt on, or NONE
    uint8_t hidden[MAX_COLUMNS]                 # face-down cards of each column
    uint8_t hidden_shift[MAX_COLUMNS]           # shift of the field of each column in w[1]
    uint64_t hidden_mask[MAX_COLUMNS]
    uint8_t base_at[MAX_COLUMNS]                # first bit of `base_field` of a column with face-down cards
    uint64_t present    # naturals in columns, stock and waste
    uint64_t deck       # all naturals of the deck

cdef struct ClassPosition:  # an unpacked key
    ClassKey key
    uint64_t face       # naturals face up in columns
    uint64_t open       # cards, jokers too, on top of a column, or that a lateral move can bring there
    uint64_t bases      # deepest face-up card of each column, jokers too
    uint64_t deep       # bases that lie on face-down cards
    uint64_t strange    # bases on face-down cards that were not dealt there, or are jokers
    uint64_t unseen     # cards face down or in the stock
    uint64_t filled     # naturals whose foundation places are filled
    uint64_t up         # face | filled
    uint64_t waste      # slots of the waste that hold a card
    uint8_t column_of[MOST]     # column of each strange card
    uint8_t hidden[MAX_COLUMNS]
    uint8_t height[4]
    uint8_t kind[2]
    uint8_t argument[2]
    int8_t rank[2]      # declared rank or NO_RANK
    int empty           # empty columns
    int turned          # slots turned
    int top             # slot of the top of the waste, or -1
    uint8_t top_card    # card on top of the waste, or NONE
    int score, face_down, waste_size
    int out             # jokers out of play

cdef extern from *:
    """
    static const uint64_t COLOUR[2] = {0x9999999999999, 0x6666666666666};
    """
    const uint64_t COLOUR[2]    # cards of each colour

cdef inline int column_under(const ClassLayout* layout, const ClassPosition* p, int card) noexcept nogil:
    """Return the column on whose face-down cards ``card`` lies, NO_HIDDEN if it does not lie on one."""
    if not p.deep & bit(card):
        return NO_HIDDEN
    return p.column_of[card] if p.strange & bit(card) else layout.column_of[card]

cdef inline int beneath(const ClassLayout* layout, const ClassPosition* p, int card) noexcept nogil:
    """Return the face-down card beneath the base ``card``, or on which ``card`` was dealt, NONE if there is
    none."""
    if p.strange & bit(card):
        return layout.buried[p.column_of[card]][p.hidden[p.column_of[card]] - 1]
    return layout.beneath[card]

cdef void unpack(const ClassLayout* layout, const ClassKey* key, ClassPosition* position) noexcept nogil
cdef void arrange(const ClassPosition* position, uint8_t* above) noexcept nogil
cdef void load_desk(ClassLayout* layout, ClassKey* key, const Desk* desk) noexcept nogil
cdef void clear(ClassLayout* layout, ClassKey* key) noexcept nogil
cdef void close_layout(ClassLayout* layout, ClassKey* key, const uint8_t* hidden) noexcept nogil
cdef object state_of(const ClassLayout* layout, const ClassKey* key, start)

cdef inline uint64_t same_places(int rank, int colour) noexcept nogil:
    """Return the naturals of a rank and colour."""
    return (<uint64_t>0b0110 if colour else 0b1001) << (4 * rank)

cdef inline int joker_field(const ClassKey* key, int colour) noexcept nogil:
    """Return kind | argument << 3 of the joker of ``colour``."""
    return key.w[2] >> (11 * colour) & 0x7FF

cdef inline void set_joker(ClassKey* key, int colour, int kind, int argument) noexcept nogil:
    """Set kind and argument of the joker of ``colour``."""
    cdef int shift = 11 * colour
    key.w[2] = key.w[2] & ~((<uint64_t>0x7FF) << shift) | (<uint64_t>(kind | argument << 3)) << shift

cdef inline void clear_key(ClassKey* key) noexcept nogil:
    """Set ``key`` to a state with nothing turned, nothing on the foundations and both jokers AS_DEALT."""
    key.w[0] = key.w[1] = key.w[2] = 0
    set_joker(key, 0, AS_DEALT, 0)
    set_joker(key, 1, AS_DEALT, 0)

cdef inline int turned_of(const ClassKey* key) noexcept nogil:
    """Return the number of slots turned."""
    return key.w[2] >> 22 & 63

cdef inline int height_of(const ClassKey* key, int suit) noexcept nogil:
    """Return the number of places filled on the foundation of ``suit``."""
    return key.w[2] >> (28 + 4 * suit) & 15

cdef inline void raise_height(ClassKey* key, int suit, int by) noexcept nogil:
    """Fill ``by`` more places of the foundation of ``suit``."""
    key.w[2] += (<uint64_t>by) << (28 + 4 * suit)

cdef inline int hidden_of(const ClassLayout* layout, const ClassKey* key, int column) noexcept nogil:
    """Return the number of face-down cards of a column."""
    return key.w[1] >> layout.hidden_shift[column] & layout.hidden_mask[column]

cdef inline uint64_t waste_of(const ClassLayout* layout, const ClassKey* key) noexcept nogil:
    """Return the slots of the waste that hold a card, as bits."""
    return key.w[1] & (bit(layout.slots) - 1)

cdef inline void set_base(const ClassLayout* layout, ClassKey* key, int column, int value) noexcept nogil:
    """Set the value of a column that `base_field` returns."""
    cdef int word = layout.base_at[column] >> 6, shift = layout.base_at[column] & 63
    key.w[word] = key.w[word] & ~((<uint64_t>63) << shift) | (<uint64_t>value) << shift

cdef inline int card_in(const ClassLayout* layout, const ClassKey* key, int slot) noexcept nogil:
    """Return the card in a slot of the waste that holds one."""
    if joker_field(key, 0) == (IN_WASTE | slot << 3):
        return XB
    if joker_field(key, 1) == (IN_WASTE | slot << 3):
        return XB + 1
    return layout.slot_card[slot]

cdef inline int top_slot(uint64_t waste) noexcept nogil:
    """Return the slot of the top of the waste, -1 if no slot of ``waste`` holds a card."""
    return highest_bit(waste) if waste else -1
