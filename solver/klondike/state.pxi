"""Packed classes of states in 64-bit keys, move generation, and dead ends by delete relaxation.

A key identifies a state up to the order of columns and lateral moves (K1):

    bits 0 .. 15    the height of each foundation, 4 bits for each suit in the order C S D H
    bits 16 ..      a bit for each slot of the waste and the stock that still holds a card
    then 7 bits     the number of cards in the waste, 0 if it is equivalent to an empty one; if passes are
                    limited, plus the redeals times the stride
    then            the number of dealt cards left in each column

The last dealt card left in a column is face up, its *base*; a king at the bottom is not a base. The other
face-up cards follow from the key: each lies on a card of the next rank and the other colour or, if it is a
king, at the bottom of a column. Cards of one rank and colour form a *type*; a card is *bare* if no card lies
on it.

In a set, the bit of a card is 4 * rank + suit, suits in the order C S D H, with the bit of the colour
inverted in odd ranks. So the two cards that fit on a type are the two bits four places below it.

Draws are not moves of the search: the cards that this pass and the next can turn up are computed (K2). The
*relaxed stock* is a game without a waste; a position lost there is lost in the real game (K3). Safe
foundation moves are made at once, and a card that is safe does not come back (K4). The delete relaxation
(Bonet and Geffner 2001) detects dead ends (K5). The theorems are those of docs/theory/klondike.md.
"""

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
    MOST_STOCK = 28     # cards of the waste and the stock
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

cdef struct Layout:     # constants of a deal; sets of cards have the bits of the docstring
    int ranks
    int suits           # one bit for each suit of the deck, as in `rules`
    int columns, draw
    int passes          # 0: unlimited
    bint backward       # cards may come back from the foundations
    bint is_plain       # no dominances, for tests: neither safe moves (K4) nor dead ends (K5) nor macros (K6)
    int slots           # cards of the waste at the start, then of the stock
    int stride          # factor of the redeals in the field of the waste
    int lead            # (lead + waste at the start) is a multiple of ``draw``; 0 if that is all slots
    int waste_at        # first bit of the field of the waste in a key
    uint64_t deck       # all cards of the deck
    uint64_t all        # ``deck`` and the cards of suits that it lacks, which count as up
    uint64_t kings, all_slots
    Heights heights[2][256]     # by colour, and by the two heights as in a key
    uint8_t slot_card[MOST_STOCK + 4]
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


cdef inline uint64_t bit(int number) noexcept nogil:
    """Return the set that contains ``number`` alone."""
    return <uint64_t>1 << number

cdef inline int place_of(int card) noexcept nogil:
    """Return the number of the bit that stands for a card of `rules`; see the docstring."""
    cdef int suit = 0x78 >> 2 * (card & 3) & 3      # C S D H: of C 0, D 2, H 3, S 1
    return (card & ~3) | (suit ^ (card >> 1 & 2))

cdef inline int suit_at(int place) noexcept nogil:
    """Return the suit of the card with the bit number ``place``, in the order C S D H."""
    return (place & 3) ^ (place >> 1 & 2)

cdef inline int card_at(int place) noexcept nogil:
    """Return the card of `rules` with the bit number ``place``."""
    return (place & ~3) | (0x9C >> 2 * suit_at(place) & 3)

cdef inline int waste_field(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the field of the waste of a key."""
    return key >> layout.waste_at & 127

cdef inline int waste_in(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the number of cards in the waste; with unlimited passes 0 if the key stands for an empty one."""
    cdef int field = waste_field(layout, key)
    return field if layout.passes == 0 else field % layout.stride

cdef inline int redeals_in(const Layout* layout, uint64_t key) noexcept nogil:
    """Return the number of redeals; 0 with unlimited passes."""
    return waste_field(layout, key) // layout.stride

cdef inline uint64_t unwasted(const Layout* layout, uint64_t key) noexcept nogil:
    """Return a key with the field of the waste cleared: the key of the relaxed stock, which has no waste."""
    return key & ~(<uint64_t>127 << layout.waste_at)

cdef inline uint64_t set_of(int rank, int suit) noexcept nogil:
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
                found |= set_of(height, suit)
    return found

cdef inline uint64_t next_of(uint64_t cards) noexcept nogil:
    """Return, for each of ``cards``, the card of the next rank and the same suit."""
    cards <<= 4
    return (cards & ~SECOND_COLOUR) << 2 | (cards & SECOND_COLOUR) >> 2

# --- Delete relaxation -----------------------------------------------------------------------------------


cdef inline bint may_win(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil:
    """Test whether all cards go up in the delete relaxation. If not, the position is lost (K5). A plain
    layout makes no such test."""
    return layout.is_plain or cards_up(layout, relaxed, p) == layout.all


# --- The layout -----------------------------------------------------------------------------------------

cdef inline void open_layout(Layout* layout, int ranks, int suits) noexcept nogil:
    """Reset a layout for a deck of ``ranks`` and ``suits``. The tables of the foundations, which depend on
    the deck alone, are kept if it is the same."""
    cdef int colour, pair, which, suit, i, height
    cdef Heights* heights
    layout.columns = layout.slots = 0
    layout.is_plain = False
    if layout.ranks == ranks and layout.suits == suits:
        return
    memset(layout, 0, sizeof(Layout))
    layout.ranks = ranks
    layout.suits = suits
    layout.all = bit(4 * ranks) - 1
    layout.kings = <uint64_t>15 << 4 * (ranks - 1)
    for i in range(4 * ranks):
        if suits >> (card_at(i) & 3) & 1:
            layout.deck |= bit(i)
    for colour in range(2):
        for pair in range(256):
            heights = &layout.heights[colour][pair]
            heights.lowest = min(pair & 15, pair >> 4)
            heights.count = (pair & 15) + (pair >> 4)
            for which in range(2):
                suit = 2 * colour + which
                height = min(pair >> 4 * which & 15, ranks)
                for i in range(height):
                    heights.up |= set_of(i, suit)
                if height < ranks:
                    heights.next |= set_of(height, suit)
                if height > 0:
                    heights.top |= set_of(height - 1, suit) & layout.deck


cdef inline bint close_layout(Layout* layout, int waste) noexcept nogil:
    """Fill the tables derived from columns and slots, which must be set. ``waste`` slots form the waste at
    the start. Returns False if keys would have more than 64 bits."""
    cdef int column, i, used = SLOTS_AT + layout.slots + WASTE_BITS
    cdef uint64_t below
    layout.all_slots = bit(layout.slots) - 1
    layout.waste_at = SLOTS_AT + layout.slots
    layout.stride = layout.slots + 1
    layout.lead = 0 if waste == layout.slots else (layout.draw - waste % layout.draw) % layout.draw
    for column in range(layout.columns):
        layout.shift[column] = used
        layout.mask[column] = 0
        while layout.mask[column] < layout.dealt_count[column]:
            layout.mask[column] = 2 * layout.mask[column] + 1
            used += 1
        below = 0
        layout.buried[column][0] = layout.base[column][0] = 0
        for i in range(layout.dealt_count[column]):
            layout.buried[column][i + 1] = below
            layout.base[column][i + 1] = bit(layout.dealt[column][i])
            below |= bit(layout.dealt[column][i])
            layout.column_of[layout.dealt[column][i]] = column
            layout.row_of[layout.dealt[column][i]] = i
            if i > 0:
                layout.card_below[layout.dealt[column][i]] = layout.dealt[column][i - 1]
        layout.has_king_below[column] = (
            layout.dealt_count[column] > 0 and layout.kings >> layout.dealt[column][0] & 1)
    if used > 64 or layout.slots > MOST_STOCK or layout.stride * max(1, layout.passes) > 1 << WASTE_BITS:
        return False
    for i in range(layout.slots):
        layout.slot_of[layout.slot_card[i]] = i
    fill_slots(layout)
    if layout.phased != layout.draw:
        fill_phases(layout)
    for i in range(layout.draw):
        layout.within[i] = 0
    for i in range(layout.slots):
        layout.within[(i + 1 + layout.lead) % layout.draw] |= bit(i)
    for i in range(1, layout.draw):
        layout.within[i] |= layout.within[i - 1]
    return True


cdef inline void fill_slots(Layout* layout) noexcept nogil:
    """Fill the table of the cards in each subset of eight slots."""
    cdef int group, i
    for group in range((layout.slots + 7) // 8):
        for i in range(1, 256):
            layout.slot_cards[group][i] = layout.slot_cards[group][i & (i - 1)]
            if 8 * group + lowest_bit(i) < layout.slots:
                layout.slot_cards[group][i] |= bit(layout.slot_card[8 * group + lowest_bit(i)])


cdef inline void fill_phases(Layout* layout) noexcept nogil:
    """Fill the tables by which the slots that draws turn up are found. They depend on ``draw`` alone."""
    cdef int residue, choice, number, i
    layout.phased = layout.draw
    for residue in range(layout.draw):
        for choice in range(256):
            layout.phase[residue][choice] = 0
            number = 0
            for i in range(8):
                if choice >> i & 1:
                    number += 1
                    if number % layout.draw == residue:
                        layout.phase[residue][choice] |= 1 << i
            layout.after[residue][choice] = (residue + 8 * layout.draw - number) % layout.draw


# --- Positions ------------------------------------------------------------------------------------------

cdef inline void unpack(const Layout* layout, uint64_t key, ClassPosition* p) noexcept nogil:
    cdef const Heights* blacks = &layout.heights[0][key & 255]
    cdef const Heights* reds = &layout.heights[1][key >> 8 & 255]
    cdef uint64_t buried = 0, placed, pairs
    cdef int column, left, based = 0
    p.key = key
    p.up = blacks.up | reds.up
    p.next = blacks.next | reds.next
    p.top = blacks.top | reds.top
    p.raised = blacks.count + reds.count
    p.slots = key >> SLOTS_AT & layout.all_slots
    p.count = count_bits(p.slots)
    p.stock = cards_in(layout, p.slots)
    p.bases = 0
    p.face_down = 0
    for column in range(layout.columns):
        left = key >> layout.shift[column] & layout.mask[column]
        buried |= layout.buried[column][left]
        p.bases |= layout.base[column][left]
        p.face_down += left
        based += left > 0
    p.face_down -= based
    p.face = layout.all & ~(p.up | p.stock | buried)
    placed = p.face & ~p.bases
    p.empty = layout.columns - based
    if placed & layout.kings:
        p.empty -= count_bits(placed & layout.kings)
    # In fields of two bits: the number of face-up cards of each type minus those placed on them.
    pairs = (p.face & FIRST_OF_TWO) + (p.face >> 1 & FIRST_OF_TWO)
    placed = (placed & FIRST_OF_TWO) + (placed >> 1 & FIRST_OF_TWO)
    pairs -= placed << 4 & layout.all
    p.counts = pairs
    pairs = (pairs | pairs >> 1) & FIRST_OF_TWO
    p.bare = pairs | pairs << 1
    p.fits = p.bare >> 4 | (layout.kings if p.empty > 0 else 0)


cdef inline uint64_t in_phase(const Layout* layout, uint64_t slots, int number) noexcept nogil:
    """Return those of ``slots`` whose position among them, counted from 1, is congruent to ``number`` modulo
    the number of cards drawn."""
    cdef uint64_t found = 0
    cdef int group, residue = number % layout.draw
    for group in range(4):
        found |= <uint64_t>layout.phase[residue][slots >> 8 * group & 255] << 8 * group
        residue = layout.after[residue][slots >> 8 * group & 255]
    return found


cdef inline void open_slots(const Layout* layout, const ClassPosition* p, uint64_t* now,
                            uint64_t* later) noexcept nogil:
    """Compute the slots that this pass turns up (``now``) and those that the next one does (``later``), none
    if there is no redeal left (K2)."""
    cdef int waste, _i
    cdef uint64_t last
    now[0] = later[0] = 0
    if p.slots == 0:
        return
    if layout.draw == 1 and layout.passes == 0:
        now[0] = p.slots
        return
    last = bit(highest_bit(p.slots))
    waste = waste_in(layout, p.key)
    now[0] = in_phase(layout, p.slots, waste)
    for _i in range((waste - 1) // layout.draw if waste > 0 else 0):
        now[0] &= now[0] - 1
    now[0] |= last
    if layout.passes == 0 or redeals_in(layout, p.key) + 1 < layout.passes:
        later[0] = in_phase(layout, p.slots, 0) | last


cdef inline uint64_t open_cards(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil:
    """Return the slots whose cards may be played, after draws."""
    cdef uint64_t now, later
    if relaxed:
        return open_relaxed(layout, p)
    open_slots(layout, p, &now, &later)
    return now | later


# --- Moves ----------------------------------------------------------------------------------------------

cdef inline uint64_t played(const Layout* layout, bint relaxed, const ClassPosition* p, int slot,
                            bint is_later) noexcept nogil:
    """Return the key after the card of ``slot`` was played, in this pass or, with ``is_later``, the next."""
    cdef uint64_t key = p.key ^ bit(SLOTS_AT + slot)
    cdef int waste
    if relaxed:
        return key
    key = unwasted(layout, key)
    waste = count_bits(p.slots & (bit(slot) - 1))
    if p.count == 1:
        return key
    if layout.passes == 0:
        if waste == p.count - 1 or waste % layout.draw == 0:
            return key
        return key | <uint64_t>waste << layout.waste_at
    return key | <uint64_t>((redeals_in(layout, p.key) + is_later) * layout.stride + waste) << layout.waste_at


cdef inline uint64_t safe_slots(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil:
    """Return the slots from which a safe card goes up at once (K4)."""
    cdef int waste, _i
    cdef uint64_t slots
    if p.slots == 0:
        return 0
    if relaxed:
        return open_relaxed(layout, p)
    waste = waste_in(layout, p.key)
    if layout.passes == 0:
        if layout.draw == 1:
            return p.slots
        return bit(highest_bit(p.slots)) if waste == 0 else 0
    if waste == 0 or (layout.draw > 1 and waste < p.count):
        return 0
    slots = p.slots
    for _i in range(waste - 1):
        slots &= slots - 1
    return slots & -slots


cdef inline int make_safe_moves(const Layout* layout, bint relaxed, uint64_t* key, ClassPosition* p,
                                uint8_t* raised) noexcept nogil:
    """Make all safe foundation moves (K4), updating ``key`` and unpacking it to ``p``. Returns their number,
    and writes the bits of their cards to ``raised`` unless it is NULL."""
    cdef uint64_t safe, found
    cdef int card, count = 0
    while True:
        unpack(layout, key[0], p)
        safe = safe_cards(layout, key[0])
        if safe == 0:
            return count
        found = safe & p.face & p.bare
        if found:
            card = lowest_bit(found)
            key[0] = left_by(layout, p, key[0], card)
        else:
            found = safe & p.stock
            if found:
                found &= cards_in(layout, safe_slots(layout, relaxed, p))
            if not found:
                return count
            card = lowest_bit(found)
            key[0] = played(layout, relaxed, p, layout.slot_of[card], False)
        key[0] = raised_in(key[0], card)
        if raised != NULL:
            raised[count] = card
        count += 1


cdef inline void make_free_moves(const Layout* layout, uint64_t* key, ClassPosition* p) noexcept nogil:
    """Make all safe foundation moves with the relaxed stock and, if cards may come back, also those of placed
    cards (K6), updating ``key`` and unpacking it to ``p``."""
    cdef uint64_t found
    make_safe_moves(layout, True, key, p, NULL)
    while layout.backward and not layout.is_plain:
        found = p.next & p.face & p.bare & ~p.bases
        if found == 0:
            return
        key[0] = raised_in(key[0], lowest_bit(found))
        make_safe_moves(layout, True, key, p, NULL)


cdef inline bint is_won(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil:
    """Test whether all cards can go up one after the other: no card is face down, and no card of the stock
    needs another to be played before. The next card of least rank is then on top of a column or can be turned
    up.

    With the relaxed stock the result may be True for a position that is lost in the real game, but not if one
    card is drawn.
    """
    if p.face_down > 0:
        return False
    if p.count <= 1:
        return True
    if relaxed:
        return open_relaxed(layout, p) == p.slots
    return layout.draw == 1 and layout.passes == 0


cdef inline int children_of(const Layout* layout, bint relaxed, const ClassPosition* p, uint64_t* keys,
                            uint32_t* codes) noexcept nogil:
    """Write the key after each move to ``keys`` and the code of the move (kind << 8 | bit of the card) to
    ``codes``. Returns their number, at most MOST_CHILDREN."""
    cdef uint64_t found, now, later, cards, key
    cdef int card, count = 0
    found = p.bases & p.fits
    while found:
        card = take_bit(&found)
        keys[count] = without(layout, p.key, card)
        count = add_child(codes, count, LAND, card)
    found = p.next & p.face & p.bare
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(left_by(layout, p, p.key, card), card)
        count = add_child(codes, count, RAISE, card)
    if p.slots:
        if relaxed:
            now = open_relaxed(layout, p)
            later = 0
        else:
            open_slots(layout, p, &now, &later)
        cards = cards_in(layout, now | later)
        found = cards & p.next
        while found:
            card = take_bit(&found)
            key = played(layout, relaxed, p, layout.slot_of[card], not now >> layout.slot_of[card] & 1)
            keys[count] = raised_in(key, card)
            count = add_child(codes, count, RAISE_SLOT, card)
        found = cards & p.fits
        while found:
            card = take_bit(&found)
            keys[count] = played(
                layout, relaxed, p, layout.slot_of[card], not now >> layout.slot_of[card] & 1)
            count = add_child(codes, count, LAND_SLOT, card)
    if layout.backward:
        found = p.top & p.fits
        while found:
            card = take_bit(&found)
            key = p.key - bit(4 * suit_at(card))
            if not safe_cards(layout, key) >> card & 1:
                keys[count] = key
                count = add_child(codes, count, BRING_BACK, card)
    return count


cdef inline int add_child(uint32_t* codes, int count, Kind kind, int card) noexcept nogil:
    codes[count] = kind << 8 | card
    return count + 1


# --- Delete relaxation -----------------------------------------------------------------------------------

cdef inline uint64_t cards_up(const Layout* layout, bint relaxed, const ClassPosition* p) noexcept nogil:
    """Return the cards that go up in the delete relaxation; no other card can ever go up (K5).

    The sets of the relaxation only grow: cards that were on their foundations, or next; cards that were face
    up, or bases; types of which some card was bare; whether a column was empty; slots that could be played,
    or were. Once no card is face down and all slots can be played, all cards go up by their ranks.
    """
    cdef uint64_t bare = p.bare, up = p.up, due = p.next, face = p.face, bases = p.bases, found, fits, goes
    cdef uint64_t opened = open_cards(layout, relaxed, p), more, played = 0, low, cards
    cdef bint empty = p.empty > 0, grows = True
    cdef int card, face_down = p.face_down
    cards = cards_in(layout, opened)
    while grows:
        grows = False
        found = due & (cards | (face & bare))
        while found:
            grows = True
            up |= found
            bare |= types_of(found & face & ~layout.kings) << 4
            if found & face & layout.kings:
                empty = True
            due = (due & ~found) | next_of(found) & layout.all
            found = due & (cards | (face & bare))
        fits = bare >> 4 | (layout.kings if empty else 0)
        goes = fits | up
        found = bases & goes
        while found:
            grows = True
            card = take_bit(&found)
            bases ^= bit(card)
            if layout.row_of[card] == 0:
                empty = True
                continue
            face_down -= 1
            card = layout.card_below[card]
            face |= bit(card)
            bare |= types_of(bit(card))
            bases |= bit(card)
            found |= bit(card) & goes
        found = cards & goes & ~played
        if found and opened != p.slots:         # the lowest slot played opens all slots that the others open
            played |= found
            low = bit(MOST_STOCK)
            while found:
                low = min(low, bit(layout.slot_of[take_bit(&found)]))
            more = opened | p.slots & ~((low << 1) - 1)
            if p.slots & (low - 1):
                more |= bit(highest_bit(p.slots & (low - 1)))
            if more != opened:
                grows = True
                opened = more
                cards = cards_in(layout, opened)
        if face_down == 0 and opened == p.slots:
            return layout.all
        found = types_of((cards | (up & layout.deck if layout.backward else 0)) & fits)
        if found & ~bare:
            bare |= found
            grows = True
    return up
