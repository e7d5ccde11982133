"""Packed states of joker and klondike-one-pass: an exact key of 192 bits, equal for states that differ only
in the order of the columns and by lateral moves.

The position loaded, the number of cards still face down in each column, the number of cards turned, the slots
still in the waste, and the foundations determine which naturals lie face up in columns. For each of these the
key has one bit: whether it lies on a face-up card, or is the deepest face-up card of its column. Up to the
order of the columns and to lateral moves, that and the jokers make up the state, with one exception: a
natural exchanged with a joker may become the deepest face-up card on face-down cards where it was not dealt.

Two cards are *like* each other if they have the same colour and the same effective rank. The key does not
record on which of the cards like each other a card lies. There are at most two such cards, or three where
naturals may be played although a joker stands for them. States that differ only in this form a *class*; they
reach the same scores (J3), and the search treats them as one. A card is *open* if it is bare in some state of
the class.

    word  bits          content
    0     0 .. 51       card 4 * rank + suit lies face up in a column, on another face-up card
    1     0 .. n - 1    which slots of the waste hold a card; slot i is the i-th card of the waste and stock
                        loaded, and those still in the stock are 0
    1     n ..          the number of face-down cards of each column, with as many bits as its greatest needs
    2     0 .. 10       XB: kind, 3 bits, and argument, 8 bits
    2     11 .. 21      XR
    2     22 .. 27      slots turned
    2     28 .. 43      4 bits for each suit: places filled

For each column with face-down cards there are 6 bits more: 0, or 1 + the natural that lies on the face-down
cards and was not dealt there; the first two such columns have bits 52 to 63 of word 0, then come bits 44 to
61 of word 2 and 52 to 63 of word 1. The last are free if six columns or more have face-down cards: slots and
face-down cards share the 54 cards.

A declared joker's argument is its rank and, times 16, where it lies: 0 to 6 on the face-down cards of that
column, 7 on the table in another, 8 on a face-up card. A joker in the waste, turned or exchanged, takes the
lowest slot above the cards beneath it, which may be another card's.

Two states of one layout have equal keys exactly if they are in one class: there are no collisions.
"""

cdef enum:
    NONE = 255          # no card
    NO_HIDDEN = 7       # in place of a column number: any column without face-down cards
    ON_CARD = 8         # in place of a column number: on some face-up card

# A joker has a kind and an argument. The kinds are the conditions of `cards` and two more. Their arguments
# are, for UNDECLARED, the column or NO_HIDDEN; for DECLARED, rank | where << 4, see the docstring; for
# PLACED, the natural whose place it fills.
cdef enum Kind:
    IN_WASTE = 5        # argument: the slot
    AS_DEALT = 6        # face down or in the stock

cdef struct ClassKey:
    uint64_t w[3]

cdef struct Layout:  # what is constant from the position loaded on
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

cdef inline int column_under(const Layout* layout, const ClassPosition* p, int card) noexcept nogil:
    """Return the column on whose face-down cards ``card`` lies, NO_HIDDEN if it does not lie on one."""
    if not p.deep & bit(card):
        return NO_HIDDEN
    return p.column_of[card] if p.strange & bit(card) else layout.column_of[card]

cdef inline int beneath(const Layout* layout, const ClassPosition* p, int card) noexcept nogil:
    """Return the face-down card beneath the base ``card``, or on which ``card`` was dealt, NONE if there is
    none."""
    if p.strange & bit(card):
        return layout.buried[p.column_of[card]][p.hidden[p.column_of[card]] - 1]
    return layout.beneath[card]


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

cdef inline int hidden_of(const Layout* layout, const ClassKey* key, int column) noexcept nogil:
    """Return the number of face-down cards of a column."""
    return key.w[1] >> layout.hidden_shift[column] & layout.hidden_mask[column]

cdef inline uint64_t waste_of(const Layout* layout, const ClassKey* key) noexcept nogil:
    """Return the slots of the waste that hold a card, as bits."""
    return key.w[1] & (bit(layout.slots) - 1)

cdef inline void set_base(const Layout* layout, ClassKey* key, int column, int value) noexcept nogil:
    """Set the value of a column that `base_field` returns."""
    cdef int word = layout.base_at[column] >> 6, shift = layout.base_at[column] & 63
    key.w[word] = key.w[word] & ~((<uint64_t>63) << shift) | (<uint64_t>value) << shift

cdef inline int card_in(const Layout* layout, const ClassKey* key, int slot) noexcept nogil:
    """Return the card in a slot of the waste that holds one."""
    if joker_field(key, 0) == (IN_WASTE | slot << 3):
        return XB
    if joker_field(key, 1) == (IN_WASTE | slot << 3):
        return XB + 1
    return layout.slot_card[slot]

cdef inline int top_slot(uint64_t waste) noexcept nogil:
    """Return the slot of the top of the waste, -1 if no slot of ``waste`` holds a card."""
    return highest_bit(waste) if waste else -1


cdef enum:
    LATE_BASES = 44         # first bit of the base fields in word 2
    BASES = 52              # first bit of the base fields in words 0 and 1


cdef inline void unpack(const Layout* layout, const ClassKey* key, ClassPosition* p) noexcept nogil:
    """Unpack ``key`` to ``p``."""
    cdef uint64_t gone
    cdef int column, hidden
    p.key = key[0]
    p.turned = turned_of(key)
    p.waste = waste_of(layout, key)
    p.waste_size = count_bits(p.waste)
    p.top = top_slot(p.waste)
    p.top_card = NONE if p.top < 0 else card_in(layout, key, p.top)
    unpack_foundations(key, p)
    gone = p.filled
    unpack_jokers(layout, key, p, &gone)
    p.unseen = layout.stock_from[p.turned]
    p.face_down = 0
    p.deep = 0
    for column in range(layout.columns):
        hidden = hidden_of(layout, key, column)
        p.hidden[column] = hidden
        p.face_down += hidden
        p.unseen |= layout.buried_below[column][hidden]
        p.deep |= layout.on_buried[column][hidden]
    p.face = layout.present & ~(gone | p.unseen | in_waste(layout, p))
    p.up = p.face | p.filled
    p.bases = p.face & ~key.w[0]
    find_open(p)
    find_bases(layout, key, p)


cdef inline void unpack_foundations(const ClassKey* key, ClassPosition* p) noexcept nogil:
    """Unpack the heights of the foundations and set ``p.score`` to their sum."""
    cdef int suit
    p.filled = 0
    p.score = 0
    for suit in range(4):
        p.height[suit] = height_of(key, suit)
        p.score += p.height[suit]
        p.filled |= (CLUBS & (bit(4 * p.height[suit]) - 1)) << suit


cdef inline void unpack_jokers(const Layout* layout, const ClassKey* key, ClassPosition* p,
                               uint64_t* gone) noexcept nogil:
    """Unpack the conditions of the jokers, add open aces to the score, and remove the naturals whose places
    jokers fill from ``gone``."""
    cdef int colour, field
    p.out = 0
    for colour in range(2):
        field = joker_field(key, colour)
        p.kind[colour] = field & 7
        p.argument[colour] = field >> 3
        p.rank[colour] = p.argument[colour] & 15 if p.kind[colour] == DECLARED else NO_RANK
        if p.kind[colour] == PLACED:
            gone[0] &= ~bit(p.argument[colour])
        elif p.kind[colour] == OPEN_ACE:
            p.score += (~p.filled & layout.deck & COLOUR[colour] & 15) != 0     # some ace is missing
        elif p.kind[colour] == GONE:
            p.out += 1


cdef inline int base_field(const Layout* layout, const ClassKey* key, int column) noexcept nogil:
    """Return 1 + the natural that is the deepest face-up card of ``column`` without having been dealt there,
    0 if there is none."""
    return key.w[layout.base_at[column] >> 6] >> (layout.base_at[column] & 63) & 63


cdef inline void find_bases(const Layout* layout, const ClassKey* key, ClassPosition* p) noexcept nogil:
    """Add jokers to the bases, find the strange bases and count the empty columns."""
    cdef int colour, column, card, where
    p.strange = 0
    for colour in range(2):
        if p.kind[colour] == UNDECLARED or p.kind[colour] == DECLARED:
            where = p.argument[colour] if p.kind[colour] == UNDECLARED else p.argument[colour] >> 4
            if where <= NO_HIDDEN:
                p.bases |= bit(XB + colour)
            if where < NO_HIDDEN:
                put_strange(layout, p, XB + colour, where)
    p.empty = layout.columns - count_bits(p.bases)
    if key.w[0] >> BASES | key.w[1] >> BASES | key.w[2] >> LATE_BASES:
        for column in range(layout.columns):
            card = base_field(layout, key, column) - 1 if p.hidden[column] > 0 else -1
            if card >= 0:
                put_strange(layout, p, card, column)
    p.deep |= p.strange     # last, since a strange card may have been dealt on another column


cdef inline void put_strange(const Layout* layout, ClassPosition* p, int card,
                             int column) noexcept nogil:
    """Record that ``card`` lies on the face-down cards of ``column`` in place of the card dealt there."""
    p.deep &= ~layout.on_buried[column][p.hidden[column]]
    p.strange |= bit(card)
    p.column_of[card] = column


cdef inline uint64_t in_waste(const Layout* layout, const ClassPosition* p) noexcept nogil:
    """Return the naturals of the waste."""
    cdef uint64_t cards = 0
    cdef int six, colour
    for six in range(layout.sixes):
        cards |= layout.cards_in[six][p.waste >> 6 * six & 63]
    for colour in range(2):
        if p.kind[colour] == IN_WASTE:
            cards &= ~bit(layout.slot_card[p.argument[colour]])
    return cards


cdef inline void find_open(ClassPosition* p) noexcept nogil:
    """Set ``p.open``: the face-up cards of groups of like cards with more members than cards on them."""
    cdef uint64_t one, other, on_one, on_other, black, red, on = (p.key.w[0] & bit(XB) - 1) << 4
    cdef int colour
    one, other, on_one, on_other = p.face, p.face >> 3, on >> 1, on >> 2
    black = CLUBS & (one & other & ~(on_one & on_other) | (one | other) & ~(on_one | on_other))
    one, other, on_one, on_other = p.face >> 1, p.face >> 2, on, on >> 3
    red = CLUBS & (one & other & ~(on_one & on_other) | (one | other) & ~(on_one | on_other))
    p.open = p.face & (black | black << 3 | red << 1 | red << 2)
    for colour in range(2):
        if p.kind[colour] == UNDECLARED:
            p.open |= bit(XB + colour)
        elif p.kind[colour] == DECLARED:
            open_with_jokers(p, p.rank[colour], colour)
            if p.argument[colour] >> 4 == ON_CARD:
                open_with_jokers(p, p.rank[colour] + 1, 1 - colour)


cdef inline void open_with_jokers(ClassPosition* p, int rank, int colour) noexcept nogil:
    """Recompute the open cards of one rank and colour, counting declared jokers of it and on it."""
    cdef uint64_t like = p.face & same_places(rank, colour)
    cdef int count = count_bits(like), held = 0
    if rank > 0:
        held = count_bits(p.key.w[0] & same_places(rank - 1, 1 - colour))
        if p.kind[1 - colour] == DECLARED and p.argument[1 - colour] == (rank - 1 | ON_CARD << 4):
            held += 1
    if p.kind[colour] == DECLARED and p.rank[colour] == rank:
        like |= bit(XB + colour)
        count += 1
    p.open &= ~like
    if count > held:
        p.open |= like


cdef inline void arrange(const ClassPosition* p, uint8_t* above) noexcept nogil:
    """Construct a state of the class: write for each card the card on it, or NONE, to ``above``. Of cards
    like each other those with lower numbers are covered first, a joker last."""
    cdef int rank, colour, card
    cdef uint64_t like, on
    memset(above, NONE, MOST)
    for rank in range(1, 13):
        for colour in range(2):
            like = p.face & same_places(rank, colour)
            if p.kind[colour] == DECLARED and p.rank[colour] == rank:
                like |= bit(XB + colour)
            on = p.key.w[0] & same_places(rank - 1, 1 - colour)
            if p.kind[1 - colour] == DECLARED and p.argument[1 - colour] == (rank - 1 | ON_CARD << 4):
                on |= bit(XB + 1 - colour)
            while on:
                card = take_bit(&like)
                above[card] = take_bit(&on)


# --- Loading ------------------------------------------------------------------------------------------------

cdef inline void clear(Layout* layout, ClassKey* key) noexcept nogil:
    """Set ``layout`` and ``key`` to a state without cards."""
    memset(layout, 0, sizeof(Layout))
    memset(layout.buried, NONE, sizeof(layout.buried))
    clear_key(key)


cdef inline void close_layout(Layout* layout, ClassKey* key, const uint8_t* hidden) noexcept nogil:
    """Derive masks, shifts and tables from columns, slots, ranks and suits. Writes the counts of face-down
    cards, ``hidden``, and the waste, which holds all turned slots, to ``key``."""
    cdef int column, i, suit, card, shift = layout.slots, turned = turned_of(key), deep = 0
    cdef uint64_t held = 0
    memset(layout.beneath, NONE, MOST)
    layout.stock_from[layout.slots] = 0
    for i in range(layout.slots - 1, -1, -1):
        layout.stock_from[i] = layout.stock_from[i + 1] | bit(layout.slot_card[i])
    layout.sixes = (layout.slots + 5) // 6
    for i in range(layout.slots):
        for card in range(1 << i % 6):
            layout.cards_in[i // 6][1 << i % 6 | card] = (
                layout.cards_in[i // 6][card] | bit(layout.slot_card[i]) & bit(XB) - 1)
    held = layout.stock_from[0]
    for column in range(layout.columns):
        layout.hidden[column] = hidden[column]
        layout.buried_below[column][0] = layout.on_buried[column][0] = 0
        for i in range(hidden[column]):
            card = layout.buried[column][i]
            layout.buried_below[column][i + 1] = layout.buried_below[column][i] | bit(card)
            card = layout.buried[column][i + 1]
            layout.on_buried[column][i + 1] = bit(card)
            layout.column_of[card] = column
            layout.beneath[card] = layout.buried[column][i]
        held |= layout.buried_below[column][hidden[column]]
        layout.hidden_shift[column] = shift
        layout.hidden_mask[column] = 0
        while layout.hidden_mask[column] < hidden[column]:
            layout.hidden_mask[column] = 2 * layout.hidden_mask[column] + 1
            shift += 1
        key.w[1] |= (<uint64_t>hidden[column]) << layout.hidden_shift[column]
        if hidden[column] > 0:
            layout.base_at[column] = (BASES + 6 * deep if deep < 2
                                      else 2 * 64 + LATE_BASES + 6 * (deep - 2) if deep < 5
                                      else 64 + BASES + 6 * (deep - 5))
            deep += 1
    key.w[1] |= bit(turned) - 1
    layout.deck = 0
    for suit in range(4):
        if layout.suits >> suit & 1:
            for i in range(layout.ranks):
                layout.deck |= bit(4 * i + suit)
    layout.places = count_bits(layout.deck)
    layout.present |= held & layout.deck


cdef inline void pack_desk(Layout* layout, ClassKey* key, const Desk* desk) noexcept nogil:
    """Pack ``desk``, a position that can occur in play, to ``layout`` and ``key``."""
    cdef uint8_t hidden[MAX_COLUMNS]
    cdef int column, i, card
    clear(layout, key)
    layout.ranks = desk.ranks
    layout.suits = desk.suits
    layout.columns = desk.columns
    layout.jokers = desk.has_jokers
    layout.turned_only = desk.turned_only
    layout.any_removal = desk.any_removal
    memcpy(layout.slot_card, desk.waste, desk.waste_size)
    memcpy(layout.slot_card + desk.waste_size, desk.stock, desk.stock_size)
    layout.slots = desk.waste_size + desk.stock_size
    key.w[2] |= (<uint64_t>desk.waste_size) << 22
    for i in range(desk.waste_size):
        if desk.waste[i] >= XB:
            set_joker(key, desk.waste[i] - XB, IN_WASTE, i)
    for i in range(4):
        raise_height(key, i, desk.up[i])
    for i in range(2):
        load_joker(key, i, desk)
    for column in range(layout.columns):
        hidden[column] = desk.hidden[column]
        for i in range(desk.size[column]):
            card = desk.card[column][i]
            if i <= hidden[column]:
                layout.buried[column][i] = card
            if i >= hidden[column]:
                if card < XB:
                    layout.present |= bit(card)
                load_face_up(key, desk, column, i)
    close_layout(layout, key, hidden)


cdef inline void load_joker(ClassKey* key, int colour, const Desk* desk) noexcept nogil:
    """Set the condition of a joker that is on a foundation or out of play."""
    cdef const JokerCondition* joker = &desk.joker[colour]
    if not desk.has_jokers or joker.is_out:
        set_joker(key, colour, GONE, 0)
    elif joker.place >= 0:
        set_joker(key, colour, PLACED, joker.place)
    elif joker.is_open_ace:
        set_joker(key, colour, OPEN_ACE, 0)


cdef inline void load_face_up(ClassKey* key, const Desk* desk, int column, int i) noexcept nogil:
    """Set the bit for the ``i``-th card of a column if it lies on a face-up card, or a joker's condition."""
    cdef int card = desk.card[column][i], where = column if desk.hidden[column] > 0 else NO_HIDDEN
    if i > desk.hidden[column]:
        if card < XB:
            key.w[0] |= bit(card)
        where = ON_CARD
    if card >= XB:
        if desk.joker[card - XB].rank < 0:
            set_joker(key, card - XB, UNDECLARED, where)
        else:
            set_joker(key, card - XB, DECLARED, desk.joker[card - XB].rank | where << 4)
