# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The packed states of joker and klondike-one-pass: an exact key of 256 bits, which is the whole state.

Where a card was in the position loaded, how many cards of each column are still face down, how many of the
stock are turned, which of these are still in the waste, and the foundations say for each natural whether it
lies face up in a column. If it does, two bits say on what. Up to the order of the columns that is all, but
for the jokers, and for exchanges: a natural that takes the place of a joker may become the deepest face-up
card over face-down cards where it was not dealt.

    word  bits          content
    0, 1  2n, 2n + 1    (of 128) n = card, 4 * rank + suit, if it is face up in a column, else 0: 0 the
                        deepest such card of its column; 1, 2 on the clubs or diamonds, the hearts or spades
                        of the next higher rank and the other colour; 3 on the joker of the other colour
    1     40 .. 63      6 bits for each of columns 0 to 3: 0, or 1 + the natural that lies on the face-down
                        cards and was not dealt there
    2     0 .. n - 1    which slots of the waste hold a card; slot i is the i-th card of the waste and stock
                        loaded, and those still in the stock are 0
    2     n ..          the number of face-down cards of each column, with as many bits as its greatest needs
    3     0 .. 10       XB: kind, 3 bits, and argument, 8 bits
    3     11 .. 21      XR
    3     22 .. 27      slots turned
    3     28 .. 43      4 bits a suit: places filled
    3     44 .. 61      as word 1, columns 4 to 6

A declared joker's argument is its rank and, times 16, where it lies: 0 to 6 on the face-down cards of that
column, 7 on the table in another, 8 or 9 as 1 or 2 above, 10 on the other joker. A joker in the waste, turned
or exchanged, takes the lowest slot above the cards beneath it, which may be another card's.

Equal keys of one layout are interchangeable states, different keys are not: there are no collisions. All
fields together are at most 246 bits, since slots and face-down cards share the 54 cards.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from ..rules import joker as rules

COLOUR[0] = COLOUR[1] = 0
for card in range(XB):
    COLOUR[colour_of(card)] |= bit(card)
    PARENT[card][0] = NONE
    for which in range(2):
        PARENT[card][1 + which] = ((card >> 2) + 1) * 4 + suits_of(1 - colour_of(card), which)
    PARENT[card][3] = XB + 1 - colour_of(card)


cdef void unpack(const Layout* layout, const Key* key, Position* p) noexcept nogil:
    """Take a key apart."""
    cdef int suit, column, colour, card, link, where
    cdef uint64_t rest, covered = 0, gone
    memset(p.above, NONE, MOST)
    memset(p.column_of, NO_HIDDEN, MOST)
    p.key = key[0]
    p.turned = turned_of(key)
    p.waste = waste_of(layout, key)
    p.waste_size = __builtin_popcountll(p.waste)
    p.top = top_slot(p.waste)
    p.filled = 0
    p.score = p.face_down = p.out = 0
    for suit in range(4):
        p.height[suit] = height_of(key, suit)
        p.score += p.height[suit]
        p.filled |= (<uint64_t>0x1111111111111 & (bit(4 * p.height[suit]) - 1)) << suit
    gone = p.filled
    for colour in range(2):
        where = joker_field(key, colour)
        p.kind[colour] = where & 7
        p.argument[colour] = where >> 3
        p.rank[colour] = p.argument[colour] & 15 if p.kind[colour] == DECLARED else NO_RANK
        if p.kind[colour] == PLACED:
            gone &= ~bit(p.argument[colour])
        elif p.kind[colour] == OPEN_ACE:
            p.score += open_ace_counts(layout, p.filled, colour)
        elif p.kind[colour] == GONE:
            p.out += 1
    p.top_card = NONE if p.top < 0 else card_in(layout, key, p.top)
    gone |= layout.stock_from[p.turned]
    for column in range(layout.columns):
        p.hidden[column] = hidden_of(layout, key, column)
        p.face_down += p.hidden[column]
        gone |= layout.buried_below[column][p.hidden[column]]
    rest = p.waste
    while rest:
        gone |= bit(card_in(layout, key, __builtin_ctzll(rest)))
        rest &= rest - 1
    p.face = layout.present & ~gone
    p.up = p.face | p.filled
    p.bases = 0
    p.bare = p.face
    rest = p.face
    while rest:
        card = __builtin_ctzll(rest)
        rest &= rest - 1
        link = link_of(key, card)
        if link == 0:
            p.bases |= bit(card)
        else:
            p.above[PARENT[card][link]] = card
            covered |= bit(PARENT[card][link])
    for colour in range(2):
        if p.kind[colour] == UNDECLARED or p.kind[colour] == DECLARED:
            card = XB + colour
            p.bare |= bit(card)
            where = p.argument[colour] if p.kind[colour] == UNDECLARED else p.argument[colour] >> 4
            if where <= NO_HIDDEN:
                p.bases |= bit(card)
                p.column_of[card] = where
            else:
                link = card_under(p.rank[colour], colour, where)
                p.above[link] = card
                covered |= bit(link)
    p.bare &= ~covered
    p.empty = layout.columns - __builtin_popcountll(p.bases)
    memset(p.base, NONE, MAX_COLUMNS)
    for column in range(layout.columns):
        if p.hidden[column] > 0:
            card = base_field(key, column) - 1
            if card < 0:
                card = layout.buried[column][p.hidden[column]]
                for colour in range(2):
                    if p.bases & bit(XB + colour) and p.column_of[XB + colour] == column:
                        card = XB + colour
            p.base[column] = card
            p.column_of[card] = column


cdef inline int card_under(int rank, int colour, int where) noexcept nogil:
    """What a declared joker lies on."""
    if where == 10:
        return XB + 1 - colour
    return 4 * (rank + 1) + suits_of(1 - colour, where - 8)


cdef inline bint open_ace_counts(const Layout* layout, uint64_t filled, int colour) noexcept nogil:
    """Whether an ace of ``colour`` is missing on the foundations."""
    return (~filled & layout.deck & COLOUR[colour] & 15) != 0


# --- Loading ------------------------------------------------------------------------------------------------


cdef void clear(Layout* layout, Key* key) noexcept nogil:
    memset(layout, 0, sizeof(Layout))
    memset(key, 0, sizeof(Key))


cdef void close_layout(Layout* layout, Key* key, const uint8_t* hidden) noexcept nogil:
    """Derive masks and shifts from columns, slots, ranks and suits, and put the counts of face-down cards and
    the waste, of as many slots as are turned, into the key."""
    cdef int column, i, suit, card, shift = layout.slots, turned = turned_of(key)
    cdef uint64_t held = 0
    layout.stock_from[layout.slots] = 0
    for i in range(layout.slots - 1, -1, -1):
        layout.stock_from[i] = layout.stock_from[i + 1] | bit(layout.slot_card[i])
    held = layout.stock_from[0]
    for column in range(layout.columns):
        layout.hidden[column] = hidden[column]
        layout.buried_below[column][0] = 0
        for i in range(hidden[column]):
            card = layout.buried[column][i]
            layout.buried_below[column][i + 1] = layout.buried_below[column][i] | bit(card)
        held |= layout.buried_below[column][hidden[column]]
        layout.hidden_shift[column] = shift
        layout.hidden_mask[column] = 0
        while layout.hidden_mask[column] < hidden[column]:
            layout.hidden_mask[column] = 2 * layout.hidden_mask[column] + 1
            shift += 1
        key.w[2] |= (<uint64_t>hidden[column]) << layout.hidden_shift[column]
    key.w[2] |= bit(turned) - 1
    layout.deck = 0
    for suit in range(4):
        if layout.suits >> suit & 1:
            for i in range(layout.ranks):
                layout.deck |= bit(4 * i + suit)
    layout.places = __builtin_popcountll(layout.deck)
    layout.present |= held & layout.deck


cdef void load(Layout* layout, Key* key, state) except *:
    """Begin at ``state``, of `rules.joker`. Raises ValueError if it is too large or no state of play."""
    cdef uint8_t hidden[MAX_COLUMNS]
    cdef int column, i, card
    if len(state.columns) > MAX_COLUMNS:
        raise ValueError("more than 7 columns")
    cards = [card for cards in (*state.columns, state.stock, state.waste) for card in cards]
    if len(cards) > MOST or len(set(cards)) != len(cards):
        raise ValueError("more than 54 cards, or one of them twice")
    clear(layout, key)
    layout.ranks = state.deck.ranks
    layout.suits = sum(1 << "CDHS".index(suit) for suit in state.deck.suits)
    layout.columns = len(state.columns)
    layout.jokers = state.deck.jokers
    layout.turned_only = state.choices.exchange == "turned"
    layout.any_removal = state.choices.removal == "exposed"
    for card in (*state.waste, *state.stock):
        layout.slot_card[layout.slots] = card
        layout.slots += 1
    key.w[3] |= (<uint64_t>len(state.waste)) << 22
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
                load_face_up(layout, key, state, column, i)
    close_layout(layout, key, hidden)


cdef void load_joker(Layout* layout, Key* key, int colour, joker) except *:
    if not layout.jokers or joker.is_out:
        set_joker(key, colour, GONE, 0)
    elif joker.place is not None:
        set_joker(key, colour, PLACED, joker.place)
    elif joker.is_open_ace:
        set_joker(key, colour, OPEN_ACE, 0)


cdef void load_face_up(Layout* layout, Key* key, state, int column, int i) except *:
    """Put down on what the ``i``-th card of a column lies."""
    cdef int card = state.columns[column][i]
    cdef int where = column if state.hidden[column] > 0 else NO_HIDDEN
    if i > state.hidden[column]:
        beneath = state.columns[column][i - 1]
        if colour_of(beneath) == colour_of(card) or rules.effective_rank(state, beneath) != 1 + (
                rules.effective_rank(state, card) or 0):
            raise ValueError(f"column {column + 1}: its face-up cards are no run")
        if card < XB:
            set_link(key, card, link_onto(beneath))
        where = 7 + link_onto(beneath)
    if card >= XB:
        rank = state.jokers[card - XB].rank
        if rank is None:
            set_joker(key, card - XB, UNDECLARED, where)
        else:
            set_joker(key, card - XB, DECLARED, rank | where << 4)


cdef object state_of(const Layout* layout, const Key* key, start):
    """The state of `rules.joker`, a later one of ``start``; columns without face-down cards come in the order
    of their deepest cards, in the places that are free."""
    cdef Position p
    cdef int card, i
    unpack(layout, key, &p)
    loose = [card for card in range(MOST) if p.bases >> card & 1 and p.column_of[card] == NO_HIDDEN]
    columns = []
    for i in range(layout.columns):
        buried = [layout.buried[i][j] for j in range(p.hidden[i])]
        card = p.base[i] if p.hidden[i] > 0 else loose.pop(0) if loose else NONE
        while card != NONE:
            buried.append(card)
            card = p.above[card]
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
        tuple(p.hidden[i] for i in range(layout.columns)),
        tuple(layout.slot_card[i] for i in range(p.turned, layout.slots)),
        tuple(card_in(layout, key, i) for i in range(p.turned) if p.waste >> i & 1),
        tuple(p.height[i] for i in range(4)),
        tuple(jokers),
        start.choices,
    )
