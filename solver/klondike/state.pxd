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
    MOST_CHILDREN = 64  # of a class: 7 bases, 4 + 4 up, 28 of the stock, 4 back
    SLOTS_AT = 16       # of a key: 15 heights 0, then the slots, 7 bits of the waste, the columns
    WASTE_BITS = 7

cdef enum Kind:         # of a move between classes
    RAISE = 0           # a card of a column goes up
    LAND = 1            # a base, with what lies on it, lands on a card or in an empty column
    RAISE_SLOT = 2      # a card of the stock or the waste goes up,
    LAND_SLOT = 3       # or lands
    BRING_BACK = 4      # the top of a foundation lands

cdef struct Heights:    # derived from the heights of the foundations of one colour
    uint64_t up
    uint64_t next       # the cards that are next
    uint64_t top        # those on top
    int lowest, count

cdef struct Layout:     # constants of a deal; sets of cards have the bits of state.pyx
    int ranks
    int suits           # a bit for each, as in `rules`
    int columns, draw
    int passes          # 0: unlimited
    bint backward       # cards come back from foundations
    bint is_plain       # no safe foundation moves, for tests
    int slots           # the waste at the start, then the stock
    int stride          # of the redeals in the field of the waste
    int lead            # (lead + slots below the waste at the start) is a multiple of draw
    int waste_at        # the field of the waste in a key
    uint64_t deck       # all cards of it
    uint64_t all        # and those of suits left out, which count as up
    uint64_t kings, all_slots
    Heights heights[2][256]     # of clubs and spades, of diamonds and hearts
    uint8_t slot_card[MOST_SLOTS + 4]
    uint64_t slot_cards[4][256]         # the cards of every choice of eight slots
    uint8_t phase[MOST_DRAWN][256]      # of eight slots those whose number, from 1, has a remainder
    uint64_t within[MOST_DRAWN]         # slots whose remainder is not larger
    uint8_t shift[COLUMNS]      # of the field of a column in a key, and its mask
    uint8_t mask[COLUMNS]
    uint8_t dealt_count[COLUMNS]
    uint8_t dealt[COLUMNS][CARDS]       # the face-down cards, and the base on them
    uint64_t buried[COLUMNS][CARDS + 1]     # the face-down cards below a base, by the cards left
    uint64_t base[COLUMNS][CARDS + 1]
    bint has_king_below[COLUMNS]
    uint8_t column_of[64]       # of the dealt cards
    uint8_t row_of[64]
    uint8_t card_below[64]      # where the row is not 0,
    uint8_t slot_of[64]         # and of those of the stock

cdef struct Position:   # an unpacked key
    uint64_t key, up, next, top
    uint64_t face       # face up in columns
    uint64_t bases
    uint64_t counts     # bare cards of each type, in fields of two bits
    uint64_t bare       # types of which some card is bare
    uint64_t fits       # cards that could land
    uint64_t stock      # cards of the stock and the waste
    uint64_t slots
    int count           # of them
    int empty           # columns
    int face_down
    int raised          # cards up

cdef void open_layout(Layout* layout, int ranks, int suits) noexcept nogil
cdef bint close_layout(Layout* layout, int waste) noexcept nogil
cdef void fill_slots(Layout* layout) noexcept nogil
cdef void unpack(const Layout* layout, uint64_t key, Position* p) noexcept nogil
cdef int make_safe_moves(const Layout* layout, bint relaxed, uint64_t* key, Position* p,
                         uint8_t* raised) noexcept nogil
cdef void make_free_moves(const Layout* layout, uint64_t* key, Position* p) noexcept nogil
cdef bint is_won(const Layout* layout, bint relaxed, const Position* p) noexcept nogil
cdef uint64_t open_cards(const Layout* layout, bint relaxed, const Position* p) noexcept nogil
cdef int children_of(const Layout* layout, bint relaxed, const Position* p, uint64_t* keys,
                     uint32_t* codes) noexcept nogil

cdef inline uint64_t bit(int number) noexcept nogil:
    """Return the set of one number."""
    return <uint64_t>1 << number

cdef inline int place_of(int card) noexcept nogil:
    """Return the bit of a card of `rules`; see state.pyx."""
    cdef int suit = 0x78 >> 2 * (card & 3) & 3      # C S D H: of C 0, D 2, H 3, S 1
    return (card & ~3) | (suit ^ (card >> 1 & 2))

cdef inline int suit_at(int place) noexcept nogil:
    """Return the suit of a bit in the order C S D H."""
    return (place & 3) ^ (place >> 1 & 2)

cdef inline int card_at(int place) noexcept nogil:
    """Return the card of `rules` that has a bit."""
    return (place & ~3) | (0x9C >> 2 * suit_at(place) & 3)

cdef inline uint64_t unwasted(const Layout* layout, uint64_t key) noexcept nogil:
    """Clear the waste of a key, as the relaxed stock has none."""
    return key & ~(<uint64_t>127 << layout.waste_at)

cdef inline uint64_t place(int rank, int suit) noexcept nogil:
    """Return the set of a card, its suit in the order C S D H."""
    return bit(4 * rank + (suit ^ (rank & 1) << 1))

cdef inline uint64_t types_of(uint64_t cards) noexcept nogil:
    """Return the types of ``cards``: all cards like one of them."""
    cdef uint64_t firsts = (cards | cards >> 1) & FIRST_OF_TWO
    return firsts | firsts << 1

cdef inline uint64_t cards_in(const Layout* layout, uint64_t slots) noexcept nogil:
    """Return the cards of a set of slots."""
    return (
        layout.slot_cards[0][slots & 255] | layout.slot_cards[1][slots >> 8 & 255]
        | layout.slot_cards[2][slots >> 16 & 255] | layout.slot_cards[3][slots >> 24]
    )

cdef inline uint64_t open_relaxed(const Layout* layout, const Position* p) noexcept nogil:
    """Return the slots that may be played in the relaxed stock (Theorem K3)."""
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
    """Return a key after ``base`` left its column."""
    cdef int column = layout.column_of[base]
    key -= bit(layout.shift[column])
    if layout.row_of[base] == 1 and layout.has_king_below[column]:
        key -= bit(layout.shift[column])        # a king that lies on no card is no base
    return key

cdef inline uint64_t left_by(const Layout* layout, const Position* p, uint64_t key, int card) noexcept nogil:
    """Return a key after a card left its column."""
    return without(layout, key, card) if p.bases >> card & 1 else key

cdef inline uint64_t raised_in(uint64_t key, int card) noexcept nogil:
    """Return a key in which the foundation of a card's suit is one higher."""
    return key + bit(4 * suit_at(card))

cdef inline uint64_t safe_cards(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the next cards that nothing needs any more (Theorem K4)."""
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
            if (height <= other + 1 and height <= twin + 2) or (not layout.backward and height <= other):
                found |= place(height, suit)
    return found

cdef inline uint64_t next_of(uint64_t cards) noexcept nogil:
    """Return the cards of the next rank and the same suit."""
    cards <<= 4
    return (cards & ~SECOND_COLOUR) << 2 | (cards & SECOND_COLOUR) >> 2

# --- Delete relaxation -----------------------------------------------------------------------------------

cdef uint64_t cards_up(const Layout* layout, bint relaxed, const Position* p) noexcept nogil

cdef inline bint may_win(const Layout* layout, bint relaxed, const Position* p) noexcept nogil:
    """Test whether all cards go up in the delete relaxation. If not, the position is lost (Theorem K5)."""
    return cards_up(layout, relaxed, p) == layout.all
