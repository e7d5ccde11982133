"""Packed classes of states in 64-bit keys; see state.pyx."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from ..core.bits cimport count_bits

cdef extern from *:
    """
    #define WINNABLE_FIRST_OF_TWO 0x5555555555555555ULL
    #define WINNABLE_SECOND_COLOUR 0xCCCCCCCCCCCCCCCCULL
    """
    const uint64_t FIRST_OF_TWO "WINNABLE_FIRST_OF_TWO"
    const uint64_t SECOND_COLOUR "WINNABLE_SECOND_COLOUR"

cdef enum:
    CARDS = 52
    COLUMNS = 7
    MOST_SLOTS = 28
    MOST_DRAWN = 7
    MOST_CHILDREN = 64  # moves of a class: 7 bases, 4 + 4 up, 28 of the stock, 4 back
    SLOTS_AT = 16       # first bit of the slots in a key: |columns|7 waste|slots|15 heights 0|
    WASTE_BITS = 7

cdef enum Kind:         # kind of a move between classes
    RAISE = 0           # a card of a column goes to its foundation
    LAND = 1            # a base, with all cards on it, goes on a card or in an empty column
    RAISE_SLOT = 2      # a card of the stock or the waste goes to its foundation
    LAND_SLOT = 3       # a card of the stock or the waste goes on a card or in an empty column
    BRING_BACK = 4      # the top of a foundation goes on a card or in an empty column

cdef struct Heights:    # derived from the heights of the two foundations of one colour
    uint64_t up         # cards on them
    uint64_t next       # the next card of each
    uint64_t top        # the top card of each
    int lowest, count

cdef struct Layout:     # constants of a deal; sets of cards have the bits of state.pyx
    int ranks
    int suits           # one bit for each suit of the deck, as in `rules`
    int columns, draw
    int passes          # 0: unlimited
    bint backward       # cards may come back from the foundations
    bint is_plain       # no safe foundation moves, for tests
    int slots           # cards of the waste at the start, then of the stock
    int stride          # factor of the redeals in the field of the waste
    int lead            # (lead + waste at the start) is a multiple of ``draw``; 0 if that is all slots
    int waste_at        # first bit of the field of the waste in a key
    uint64_t deck       # all cards of the deck
    uint64_t all        # ``deck`` and the cards of suits that it lacks, which count as up
    uint64_t kings, all_slots
    Heights heights[2][256]     # by colour, and by the two heights as in a key
    uint8_t slot_card[MOST_SLOTS + 4]
    uint64_t slot_cards[4][256]         # the cards in each subset of eight slots
    uint8_t phase[MOST_DRAWN][256]      # by residue and subset of eight slots: every ``draw``-th slot of it
    uint8_t after[MOST_DRAWN][256]      # the residue, for the slots after such a subset
    int phased                          # `phase` and `after` are those of this ``draw``
    uint64_t within[MOST_DRAWN]         # slots whose number modulo ``draw`` is at most the index
    uint8_t shift[COLUMNS]      # shift of the field of each column in a key
    uint8_t mask[COLUMNS]       # mask of that field
    uint8_t dealt_count[COLUMNS]
    uint8_t dealt[COLUMNS][CARDS]       # the face-down cards of each column, and the base on them
    uint64_t buried[COLUMNS][CARDS + 1]     # face-down cards of a column, by the dealt cards left
    uint64_t base[COLUMNS][CARDS + 1]       # base of a column, by the dealt cards left
    bint has_king_below[COLUMNS]    # the lowest dealt card is a king
    uint8_t column_of[64]       # by dealt card: its column
    uint8_t row_of[64]          # by dealt card: its index from the bottom
    uint8_t card_below[64]      # by dealt card whose row is not 0: the card beneath it
    uint8_t slot_of[64]         # by card of the stock or waste: its slot

cdef struct ClassPosition:   # an unpacked key
    uint64_t key, up, next, top
    uint64_t face       # cards face up in columns
    uint64_t bases
    uint64_t counts     # number of bare cards of each type, in fields of two bits
    uint64_t bare       # all cards of the types of which some card is bare
    uint64_t fits       # cards that fit on a bare card, and kings if a column is empty
    uint64_t stock      # cards of the stock and the waste
    uint64_t slots      # slots that hold a card
    int count           # number of these slots
    int empty           # empty columns
    int face_down       # cards face down
    int raised          # cards on the foundations, including those of suits that the deck lacks

cdef void open_layout(Layout* layout, int ranks, int suits) noexcept nogil
cdef bint close_layout(Layout* layout, int waste) noexcept nogil
cdef void fill_slots(Layout* layout) noexcept nogil
cdef void unpack(const Layout* layout, uint64_t key, ClassPosition* p) noexcept nogil
cdef int make_safe_moves(const Layout* layout, bint relaxed, uint64_t* key, ClassPosition* p,
                         uint8_t* raised) noexcept nogil
cdef void make_free_moves(const Layout* layout, uint64_t* key, ClassPosition* p) noexcept nogil
cdef bint is_won(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil
cdef uint64_t open_cards(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil
cdef int children_of(const Layout* layout, bint relaxed, const ClassPosition* p, uint64_t* keys,
                     uint32_t* codes) noexcept nogil

cdef inline uint64_t bit(int number) noexcept nogil:
    """Return the set that contains ``number`` alone."""
    return <uint64_t>1 << number

cdef inline int place_of(int card) noexcept nogil:
    """Return the number of the bit that stands for a card of `rules`; see state.pyx."""
    cdef int suit = 0x78 >> 2 * (card & 3) & 3      # C S D H: of C 0, D 2, H 3, S 1
    return (card & ~3) | (suit ^ (card >> 1 & 2))

cdef inline int suit_at(int place) noexcept nogil:
    """Return the suit of the card with the bit number ``place``, in the order C S D H."""
    return (place & 3) ^ (place >> 1 & 2)

cdef inline int card_at(int place) noexcept nogil:
    """Return the card of `rules` with the bit number ``place``."""
    return (place & ~3) | (0x9C >> 2 * suit_at(place) & 3)

cdef inline int field_of(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the field of the waste of a key."""
    return key >> layout.waste_at & 127

cdef inline int waste_in(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the number of cards in the waste; with unlimited passes 0 if the key stands for an empty one."""
    cdef int field = field_of(layout, key)
    return field if layout.passes == 0 else field % layout.stride

cdef inline int redeals_in(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the number of redeals; 0 with unlimited passes."""
    return field_of(layout, key) // layout.stride

cdef inline uint64_t unwasted(const Layout* layout, uint64_t key) noexcept nogil:
    """Return a key with the field of the waste cleared: the key of the relaxed stock, which has no waste."""
    return key & ~(<uint64_t>127 << layout.waste_at)

cdef inline uint64_t place(int rank, int suit) noexcept nogil:
    """Return the set of one card, given by rank and suit in the order C S D H."""
    return bit(4 * rank + (suit ^ (rank & 1) << 1))

cdef inline uint64_t types_of(uint64_t cards) noexcept nogil:
    """Return all cards of the types of ``cards``."""
    cdef uint64_t firsts = (cards | cards >> 1) & FIRST_OF_TWO
    return firsts | firsts << 1

cdef inline uint64_t cards_in(const Layout* layout, uint64_t slots) noexcept nogil:
    """Return the cards of a set of slots."""
    return (
        layout.slot_cards[0][slots & 255] | layout.slot_cards[1][slots >> 8 & 255]
        | layout.slot_cards[2][slots >> 16 & 255] | layout.slot_cards[3][slots >> 24]
    )

cdef inline uint64_t open_relaxed(const Layout* layout, const ClassPosition* p) noexcept nogil:
    """Return the slots whose cards may be played in the relaxed stock (K3)."""
    cdef uint64_t gone = layout.all_slots & ~p.slots, first, found
    cdef int residue
    if p.slots == 0:
        return 0
    found = layout.within[layout.lead] | gone >> 1 | bit(layout.slots - 1)
    for residue in range(layout.lead + 1, layout.draw):
        if gone == 0:
            break
        first = gone & -gone
        found |= layout.within[residue] & ~(first | (first - 1))
        gone ^= first
    return found & p.slots

cdef inline uint64_t without(const Layout* layout, uint64_t key, int base) noexcept nogil:
    """Return a key after the base ``base`` left its column."""
    cdef int column = layout.column_of[base]
    key -= bit(layout.shift[column])
    if layout.row_of[base] == 1 and layout.has_king_below[column]:
        key -= bit(layout.shift[column])        # a king left at the bottom is not a base
    return key

cdef inline uint64_t left_by(const Layout* layout, const ClassPosition* p, uint64_t key,
                             int card) noexcept nogil:
    """Return a key after the face-up ``card`` left its column."""
    return without(layout, key, card) if p.bases >> card & 1 else key

cdef inline uint64_t raised_in(uint64_t key, int card) noexcept nogil:
    """Return a key with one more card on the foundation of the suit of ``card``."""
    return key + bit(4 * suit_at(card))

cdef inline bint is_unneeded(int rank, int lowest, int twin, bint backward) noexcept nogil:
    """Test whether no other card can need a card of ``rank`` in a column any more (K4, K9). ``lowest`` is the
    lower foundation of the other colour, ``twin`` the other one of its own."""
    return (rank <= lowest + 1 and rank <= twin + 2) or (not backward and rank <= lowest)

cdef inline uint64_t safe_cards(const Layout* layout, uint64_t key) noexcept nogil:
    """Return those next cards that no other card can need any more in a column (K4)."""
    cdef uint64_t found = 0
    cdef int suit, height, other, twin
    cdef int lowest[2]
    if layout.is_plain:
        return 0
    lowest[0] = layout.heights[0][key & 255].lowest
    lowest[1] = layout.heights[1][key >> 8 & 255].lowest
    for suit in range(4):
        height = key >> 4 * suit & 15
        if height < layout.ranks:
            twin = key >> 4 * (suit ^ 1) & 15
            other = lowest[1 - (suit >> 1)]
            if is_unneeded(height, other, twin, layout.backward):
                found |= place(height, suit)
    return found

cdef inline uint64_t next_of(uint64_t cards) noexcept nogil:
    """Return, for each of ``cards``, the card of the next rank and the same suit."""
    cards <<= 4
    return (cards & ~SECOND_COLOUR) << 2 | (cards & SECOND_COLOUR) >> 2

# --- Delete relaxation -----------------------------------------------------------------------------------

cdef uint64_t cards_up(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil

cdef inline bint may_win(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil:
    """Test whether all cards go up in the delete relaxation. If not, the position is lost (K5)."""
    return cards_up(layout, relaxed, p) == layout.all
