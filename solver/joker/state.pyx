"""The packed states of joker and klondike-one-pass: an exact key of 192 bits, which is the whole state up to
the order of the columns and to lateral moves.

Where a card was in the position loaded, how many cards of each column are still face down, how many of the
stock are turned, which of these are still in the waste, and the foundations say for each natural whether it
lies face up in a column. If it does, one bit says whether it is the deepest such card of its column. Up to
the order of the columns and to lateral moves that is all, but for the jokers, and for exchanges: a natural
that takes the place of a joker may become the deepest face-up card over face-down cards where it was not
dealt.

Two cards are *like* each other if they have one colour and one effective rank. What lies on a face-up card
that lies on another is not in the key: only that it lies on one of some cards that are like each other, of
which there are at most two, or three where naturals may be played although a joker stands for them. States
that differ in which lies on which reach the same scores (J3), and the search knows one of them: a *class*.
`open` are the cards whose class has a state in which they are bare.

    word  bits          content
    0     0 .. 51       card 4 * rank + suit lies face up in a column, on another face-up card
    1     0 .. n - 1    which slots of the waste hold a card; slot i is the i-th card of the waste and stock
                        loaded, and those still in the stock are 0
    1     n ..          the number of face-down cards of each column, with as many bits as its greatest needs
    2     0 .. 10       XB: kind, 3 bits, and argument, 8 bits
    2     11 .. 21      XR
    2     22 .. 27      slots turned
    2     28 .. 43      4 bits a suit: places filled

For each column with face-down cards there are 6 bits more: 0, or 1 + the natural that lies on the face-down
cards and was not dealt there; the first two such columns have bits 52 to 63 of word 0, then come bits 44 to
61 of word 2 and 52 to 63 of word 1. The last are free if six columns or more have face-down cards: slots and
face-down cards share the 54 cards.

A declared joker's argument is its rank and, times 16, where it lies: 0 to 6 on the face-down cards of that
column, 7 on the table in another, 8 on a face-up card. A joker in the waste, turned or exchanged, takes the
lowest slot above the cards beneath it, which may be another card's.

Equal keys of one layout are states of one class, different keys are not: there are no collisions.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport count_bits, take_bit
from .cards cimport CLUBS, DECLARED, GONE, NO_RANK, OPEN_ACE, PLACED, UNDECLARED, colour_of
from ...rules import joker as rules
from .states import check_state

COLOUR[0] = COLOUR[1] = 0
for card in range(XB):
    COLOUR[colour_of(card)] |= bit(card)

cdef enum:
    LATE_BASES = 44         # the first bit of word 2 for naturals on face-down cards
    BASES = 52              # of words 0 and 1


cdef void unpack(const ClassLayout* layout, const ClassKey* key, ClassPosition* p) noexcept nogil:
    """Take a key apart."""
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
    """Their heights, and the score so far."""
    cdef int suit
    p.filled = 0
    p.score = 0
    for suit in range(4):
        p.height[suit] = height_of(key, suit)
        p.score += p.height[suit]
        p.filled |= (CLUBS & (bit(4 * p.height[suit]) - 1)) << suit


cdef inline void unpack_jokers(const ClassLayout* layout, const ClassKey* key, ClassPosition* p,
                               uint64_t* gone) noexcept nogil:
    """Their conditions; the naturals whose places they fill are taken out of ``gone``."""
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


cdef inline int base_field(const ClassLayout* layout, const ClassKey* key, int column) noexcept nogil:
    """0, or 1 + the natural that is the deepest face-up card of a column though it was not dealt there."""
    return key.w[layout.base_at[column] >> 6] >> (layout.base_at[column] & 63) & 63


cdef inline void find_bases(const ClassLayout* layout, const ClassKey* key, ClassPosition* p) noexcept nogil:
    """The jokers among the deepest face-up cards; which of these are strange; how many columns are empty."""
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
    p.deep |= p.strange     # last: one may have been dealt on another column, where it lies no more


cdef inline void put_strange(const ClassLayout* layout, ClassPosition* p, int card,
                             int column) noexcept nogil:
    """A card lies on the face-down cards of a column, and not the one dealt there."""
    p.deep &= ~layout.on_buried[column][p.hidden[column]]
    p.strange |= bit(card)
    p.column_of[card] = column


cdef inline uint64_t in_waste(const ClassLayout* layout, const ClassPosition* p) noexcept nogil:
    """The naturals of the waste."""
    cdef uint64_t cards = 0
    cdef int six, colour
    for six in range(layout.sixes):
        cards |= layout.cards_in[six][p.waste >> 6 * six & 63]
    for colour in range(2):
        if p.kind[colour] == IN_WASTE:
            cards &= ~bit(layout.slot_card[p.argument[colour]])
    return cards


cdef inline void find_open(ClassPosition* p) noexcept nogil:
    """Find the cards like which more are face up than hold a card."""
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
    """The same once more for a rank and colour among which jokers are."""
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


cdef void arrange(const ClassPosition* p, uint8_t* above) noexcept nogil:
    """A state of the class: for each card what lies on it, or NONE. Of cards like each other the lower ones
    hold, a joker last."""
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

cdef void clear(ClassLayout* layout, ClassKey* key) noexcept nogil:
    """No cards."""
    memset(layout, 0, sizeof(ClassLayout))
    memset(layout.buried, NONE, sizeof(layout.buried))
    clear_key(key)


cdef void close_layout(ClassLayout* layout, ClassKey* key, const uint8_t* hidden) noexcept nogil:
    """Derive masks and shifts from columns, slots, ranks and suits, and put the counts of face-down cards and
    the waste, of as many slots as are turned, into the key."""
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


cdef void load(ClassLayout* layout, ClassKey* key, state) except *:
    """Begin at ``state``, of `rules.joker`. Raises ValueError if it is too large or no state of play."""
    cdef uint8_t hidden[MAX_COLUMNS]
    cdef int column, i, card
    check_state(state)
    clear(layout, key)
    layout.ranks = state.deck.ranks
    layout.suits = sum([1 << "CDHS".index(suit) for suit in state.deck.suits])
    layout.columns = len(state.columns)
    layout.jokers = state.deck.jokers
    layout.turned_only = layout.jokers and state.choices.exchange == "turned"
    layout.any_removal = state.choices.removal == "exposed"
    for card in (*state.waste, *state.stock):
        layout.slot_card[layout.slots] = card
        layout.slots += 1
    key.w[2] |= (<uint64_t>len(state.waste)) << 22
    for i, card in enumerate(state.waste):
        if card >= XB:
            set_joker(key, card - XB, IN_WASTE, i)
    for i in range(4):
        raise_height(key, i, state.foundations[i])
    for i, joker in enumerate(state.jokers):
        load_joker(layout, key, i, joker)
    for column in range(layout.columns):
        hidden[column] = state.hidden[column]
        for i, card in enumerate(state.columns[column]):
            if i <= hidden[column]:
                layout.buried[column][i] = card
            if i >= hidden[column]:
                if card < XB:
                    layout.present |= bit(card)
                load_face_up(key, state, column, i)
    close_layout(layout, key, hidden)


cdef void load_joker(ClassLayout* layout, ClassKey* key, int colour, joker) except *:
    """Put down the condition of a joker that is in no column and not in the waste."""
    if not layout.jokers or joker.is_out:
        set_joker(key, colour, GONE, 0)
    elif joker.place is not None:
        set_joker(key, colour, PLACED, joker.place)
    elif joker.is_open_ace:
        set_joker(key, colour, OPEN_ACE, 0)


cdef void load_face_up(ClassKey* key, state, int column, int i) except *:
    """Put down whether the ``i``-th card of a column lies on a face-up one, and a joker's condition."""
    cdef int card = state.columns[column][i], where = column if state.hidden[column] > 0 else NO_HIDDEN
    if i > state.hidden[column]:
        if card < XB:
            key.w[0] |= bit(card)
        where = ON_CARD
    if card >= XB:
        rank = state.jokers[card - XB].rank
        if rank is None:
            set_joker(key, card - XB, UNDECLARED, where)
        else:
            set_joker(key, card - XB, DECLARED, rank | where << 4)


cdef object state_of(const ClassLayout* layout, const ClassKey* key, start):
    """A state of `rules.joker` of a class, a later one of ``start``; columns without face-down cards come in
    the order of their deepest cards, in the places that are free."""
    cdef ClassPosition p
    cdef uint8_t above[MOST]
    cdef int card, i
    unpack(layout, key, &p)
    arrange(&p, above)
    bases = [card for card in range(MOST) if p.bases >> card & 1]
    loose = [card for card in bases if column_under(layout, &p, card) == NO_HIDDEN]
    columns = []
    for i in range(layout.columns):
        buried = [layout.buried[i][j] for j in range(p.hidden[i])]
        on_hidden = [card for card in bases if column_under(layout, &p, card) == i]
        card = on_hidden[0] if on_hidden else loose.pop(0) if loose else NONE
        while card != NONE:
            buried.append(card)
            card = above[card]
        columns.append(tuple(buried))
    jokers = []
    for i in range(2):
        joker = rules.UNDECLARED
        if p.kind[i] == DECLARED:
            joker = rules.Joker(rank=p.rank[i])
        elif p.kind[i] == PLACED:
            joker = rules.Joker(place=p.argument[i])
        elif p.kind[i] == OPEN_ACE:
            joker = rules.OPEN_ACE
        elif p.kind[i] == GONE and layout.jokers:
            joker = rules.OUT_OF_PLAY
        jokers.append(joker)
    return rules.State(
        start.variant,
        start.deck,
        tuple(columns),
        tuple([p.hidden[i] for i in range(layout.columns)]),
        tuple([layout.slot_card[i] for i in range(p.turned, layout.slots)]),
        tuple([card_in(layout, key, i) for i in range(p.turned) if p.waste >> i & 1]),
        tuple([p.height[i] for i in range(4)]),
        tuple(jokers),
        start.choices,
    )
