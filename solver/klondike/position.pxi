"""Exact positions of Klondike with redeals, card by card: loading, moves, and keys of 128 bits.

The classes of `state` leave out lateral moves, draws and the order of the columns. Lines of play have these,
and shortest lines count them. The player's positions have `UNSEEN` in the places of cards that are not seen.
The sets of face-up cards and their columns follow from the cards; moves and keys keep them up to date.

A key of 128 bits has, up to the order of the columns, everything about a position:

    low   bits 0 .. 15     4 bits for each suit of `rules`: its height, all ranks if the deck lacks the suit
          bits 16 ..       a bit for each slot that still holds a card
          then             the number of dealt cards left in each column, the base among them
    high  bits 0 .. 5      the cards in the waste
          bits 6 .. 8      the redeals, if passes are limited
          bits 9 ..        a bit for each type of card that can carry others: two for each rank from the 2 on

Cards of one rank and colour are of one *type*. A type has two cards, X1 and X2, and two cards y1 and y2 fit
on them. The rest of the key determines which of y1 and y2 are face up and not bases; each lies on X1 or X2,
and not both on one. So one bit gives the arrangement: whether y1, or, if that lies on neither, y2 lies on X2.
A king that is not a base begins a column without dealt cards.
"""

cdef enum:
    STOCK = -1              # places of a move other than columns, as in `rules.klondike`
    WASTE = -2
    FOUNDATION = -3
    NO_SUIT = -1
    NO_CARD = 255           # in place of a card

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
    uint8_t slot_card[MOST_STOCK]
    uint8_t slot_of[CARDS]  # slot of each card of the stock and waste
    uint8_t column_of[CARDS]    # column of each dealt card
    uint8_t shift[COLUMNS]  # shift of the field of each column in a key
    uint8_t mask[COLUMNS]   # mask of that field
    uint8_t dealt_count[COLUMNS]
    uint8_t dealt[COLUMNS][CARDS]
    uint64_t buried[COLUMNS][CARDS + 1]     # face-down cards of a column, by the dealt cards left
    uint64_t over[COLUMNS][CARDS + 1]       # cards higher than a face-down card of their suit
    uint8_t waiting[COLUMNS][CARDS + 1]     # face-down cards above a lower one of their suit


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

cdef inline int next_card(const Position* p, int suit) noexcept nogil:
    """Return the next card of the foundation of a suit, or NO_CARD."""
    return 4 * p.height[suit] + suit if p.height[suit] < p.ranks else NO_CARD

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


cdef enum:
    COPIED = 8              # dealt cards of a column that are copied at once


# --- Loading --------------------------------------------------------------------------------------------

cdef inline void load_desk(Position* p, const Desk* desk) noexcept nogil:
    """Set ``p`` to the position ``desk``."""
    cdef int suit, column
    memset(p, 0, sizeof(Position))
    p.columns = desk.columns
    p.ranks = desk.ranks
    p.suits = desk.suits
    for suit in range(4):
        p.height[suit] = desk.up[suit] if p.suits >> suit & 1 else p.ranks
    p.draw = desk.draw
    p.passes = desk.passes
    p.backward = desk.backward
    p.redeals = desk.redeals
    for column in range(p.columns):
        p.size[column] = desk.size[column]
        p.hidden[column] = desk.hidden[column]
        memcpy(p.card[column], desk.card[column], desk.size[column])
    memcpy(p.slots, desk.waste, desk.waste_size)
    memcpy(p.slots + desk.waste_size, desk.stock, desk.stock_size)
    p.waste = desk.waste_size
    p.slot_count = desk.waste_size + desk.stock_size
    note_columns(p)


cdef inline void deal_position(Position* p, const Desk* dealt) noexcept nogil:
    """Put the cards of a deal in their places in ``p``, another deal of the same game."""
    cdef int column
    for column in range(p.columns):
        memcpy(p.card[column], dealt.card[column], dealt.size[column])
    memcpy(p.slots, dealt.stock, dealt.stock_size)
    note_columns(p)


cdef inline bint open_classes(Layout* layout, const Position* p, uint64_t* root) noexcept nogil:
    """Build the layout of the classes and the key ``root`` of a state. Returns False if the key would be too
    long."""
    cdef int suit, column, i
    cdef uint64_t key = 0
    open_layout(layout, p.ranks, p.suits)
    layout.draw = p.draw
    layout.passes = p.passes
    layout.backward = p.backward
    layout.columns = p.columns
    layout.slots = p.slot_count
    if layout.slots > MOST_STOCK:
        return False
    for i in range(p.slot_count):
        layout.slot_card[i] = place_of(p.slots[i])
    for column in range(p.columns):
        layout.dealt_count[column] = p.left[column]
        for i in range(p.left[column]):
            layout.dealt[column][i] = place_of(p.card[column][i])
    if not close_layout(layout, p.waste):
        return False
    for suit in range(4):
        key |= <uint64_t>p.height[suit] << 4 * (0x78 >> 2 * suit & 3)
    key |= layout.all_slots << SLOTS_AT
    if p.slot_count > 0:
        if p.passes > 0:
            key |= <uint64_t>(p.redeals * layout.stride + p.waste) << layout.waste_at
        elif p.waste < p.slot_count and p.waste % p.draw > 0:
            key |= <uint64_t>p.waste << layout.waste_at
    for column in range(p.columns):
        key |= <uint64_t>layout.dealt_count[column] << layout.shift[column]
    root[0] = key
    return True


cdef inline void note_columns(Position* p) noexcept nogil:
    """Find all that follows from the cards of the columns."""
    cdef int column
    p.face = p.bare = p.bases = p.placed = 0
    p.empty = p.columns
    for column in range(p.columns):
        p.runs[column] = 0
        note_column(p, column)


cdef inline void note_column(Position* p, int column) noexcept nogil:
    """Find all that follows from the cards of a column, which has changed."""
    cdef int hidden = p.hidden[column], size = p.size[column], row, card = NO_CARD
    cdef uint64_t gone = p.runs[column], run = 0
    p.face &= ~gone
    p.bare &= ~gone
    p.bases &= ~gone
    p.placed &= ~gone
    p.empty += (size == 0) - (gone == 0)
    p.left[column] = 0
    for row in range(hidden, size):
        card = p.card[column][row]
        run |= bit(card)
        p.column[card] = column
        if row > hidden:
            p.placed |= bit(card)
            p.under[card] = p.card[column][row - 1]
        elif hidden > 0 or rank_of(card) < p.ranks - 1:
            p.bases |= bit(card)
            p.left[column] = hidden + 1
    p.runs[column] = run
    p.face |= run
    if size > 0:
        p.bare |= bit(card)


cdef inline void check_columns(const Position* p) noexcept nogil:
    """Assert that all that follows from the cards of the columns is up to date."""
    cdef Position now = p[0]
    cdef uint64_t rest = p.face
    cdef int column, card
    note_columns(&now)
    invariant(now.face == p.face and now.bare == p.bare and now.bases == p.bases and now.placed == p.placed)
    invariant(now.empty == p.empty)
    for column in range(p.columns):
        invariant(now.runs[column] == p.runs[column] and now.left[column] == p.left[column])
    while rest:
        card = take_bit(&rest)
        invariant(now.column[card] == p.column[card])
        invariant(not p.placed >> card & 1 or now.under[card] == p.under[card])


# --- Moves ----------------------------------------------------------------------------------------------

cdef inline void make_move(Position* p, const PlainMove* move) noexcept nogil:
    """Make a legal move."""
    cdef int source = move.source, target = move.target, count = move.count
    cdef uint8_t moved[CARDS]
    if source == STOCK:
        draw(p)
        return
    if source == WASTE:
        moved[0] = p.slots[p.waste - 1]
        remove_top(p)
    elif source == FOUNDATION:
        p.height[move.suit] -= 1
        moved[0] = 4 * p.height[move.suit] + move.suit
    else:
        p.size[source] -= count
        memcpy(moved, &p.card[source][p.size[source]], count)
        if p.size[source] > 0 and p.hidden[source] == p.size[source]:
            p.hidden[source] -= 1
        note_column(p, source)
    if target == FOUNDATION:
        p.height[suit_of(moved[0])] += 1
    else:
        memcpy(&p.card[target][p.size[target]], moved, count)
        p.size[target] += count
        note_column(p, target)
    if IS_CHECKED:
        check_columns(p)


cdef inline void draw(Position* p) noexcept nogil:
    """Draw from the stock, turning the waste over first if it is empty."""
    if p.waste == p.slot_count:
        p.waste = 0
        p.redeals += 1
    p.waste = min(p.waste + p.draw, p.slot_count)


cdef inline void remove_top(Position* p) noexcept nogil:
    """Take the top of the waste away."""
    p.waste -= 1
    p.slot_count -= 1
    memmove(&p.slots[p.waste], &p.slots[p.waste + 1], p.slot_count - p.waste)


# --- Keys -----------------------------------------------------------------------------------------------

cdef inline void open_exact_layout(ExactLayout* start, const Position* p, int goal) noexcept nogil:
    """Build the layout of a state that `open_classes` accepts, with the goal of ``goal`` cards on the
    foundations."""
    cdef int suit, rank, column, i, shift = SLOTS_AT + p.slot_count
    memset(start, 0, sizeof(ExactLayout))
    start.ranks = p.ranks
    start.goal = goal
    start.is_full = goal == 4 * p.ranks
    start.columns = p.columns
    start.slots = p.slot_count
    start.draw = p.draw
    start.lead = 0 if p.waste == p.slot_count else -p.waste % p.draw
    if start.lead < 0:
        start.lead += p.draw
    start.passes = p.passes
    start.backward = p.backward
    start.kings = <uint64_t>15 << 4 * (p.ranks - 1)
    for suit in range(4):
        for rank in range(p.ranks):
            start.raised[suit][rank + 1] = start.raised[suit][rank] | bit(4 * rank + suit)
        if p.suits >> suit & 1:
            start.deck |= start.raised[suit][p.ranks]
    for i in range(p.slot_count):
        start.slot_card[i] = p.slots[i]
        start.slot_of[p.slots[i]] = i
    for column in range(p.columns):
        shift = open_column(start, p, column, shift)


cdef inline int open_column(ExactLayout* start, const Position* p, int column, int shift) noexcept nogil:
    """Load the dealt cards of a column, whose field begins at bit ``shift`` of the key. Returns the bit after
    it."""
    cdef uint8_t lowest[4]
    cdef uint64_t below = 0, over = 0
    cdef int i, card, count = p.hidden[column] + 1 if p.size[column] > 0 else 0, waiting = 0
    memset(lowest, NO_CARD, sizeof(lowest))
    start.dealt_count[column] = count
    start.shift[column] = shift
    while start.mask[column] < count:
        start.mask[column] = 2 * start.mask[column] + 1
        shift += 1
    for i in range(count):
        card = p.card[column][i]
        start.dealt[column][i] = card
        start.column_of[card] = column
        start.buried[column][i + 1] = below
        start.over[column][i + 1] = over if start.is_full else 0
        start.waiting[column][i + 1] = waiting
        waiting += over >> card & 1 if start.is_full else 0
        below |= bit(card)
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
            over |= start.raised[suit_of(card)][start.ranks] & ~start.raised[suit_of(card)][rank_of(card) + 1]
    return shift


cdef inline void pack_exact(const ExactLayout* start, const Position* p, uint64_t* low,
                            uint64_t* high) noexcept nogil:
    """Build the key of a position reached from that of the layout."""
    cdef uint64_t rest
    cdef int suit, column, i, card, second
    low[0] = 0
    high[0] = p.waste
    if p.passes > 0:
        high[0] |= <uint64_t>p.redeals << REDEALS_AT
    for suit in range(4):
        low[0] |= <uint64_t>p.height[suit] << 4 * suit
    for i in range(p.slot_count):
        low[0] |= bit(SLOTS_AT + start.slot_of[p.slots[i]])
    for column in range(p.columns):
        low[0] |= <uint64_t>p.left[column] << start.shift[column]
    for second in range(1, -1, -1):     # the first of two like cards comes last, since its place sets the bit
        rest = p.placed
        while rest:
            card = take_bit(&rest)
            if is_second(card) == second:
                high[0] = with_place(high[0], p.under[card])


cdef inline void unpack_exact(const ExactLayout* start, Position* p, uint64_t low,
                              uint64_t high) noexcept nogil:
    """Unpack the key (``low``, ``high``) to ``p``, a position of the same deal. Columns without dealt cards,
    whose order the key lacks, get their kings in the order of the suits."""
    cdef uint64_t slots = low >> SLOTS_AT & (bit(start.slots) - 1), gone = 0, kings
    cdef uint8_t on[CARDS]      # by face-up card: the card on it, or NO_CARD
    cdef int suit, column
    p.waste = high & 63
    p.redeals = high >> REDEALS_AT & 7
    for suit in range(4):
        p.height[suit] = low >> 4 * suit & 15
        gone |= start.raised[suit][p.height[suit]]
    p.slot_count = 0
    while slots:
        p.slots[p.slot_count] = start.slot_card[take_bit(&slots)]
        gone |= bit(p.slots[p.slot_count])
        p.slot_count += 1
    p.bases = 0
    for column in range(start.columns):
        p.left[column] = low >> start.shift[column] & start.mask[column]
        if p.left[column] > 0:
            gone |= start.buried[column][p.left[column]]
            p.bases |= bit(start.dealt[column][p.left[column] - 1])
    p.face = start.deck & ~gone
    kings = p.face & start.kings & ~p.bases
    p.placed = p.face & ~p.bases & ~kings
    p.bare = p.face
    memset(on, NO_CARD, sizeof(on))
    place_cards(p, high, on)
    p.empty = 0
    for column in range(start.columns):
        if p.left[column] > 0:
            memcpy(p.card[column], start.dealt[column], COPIED)
            if p.left[column] > COPIED:
                memcpy(p.card[column], start.dealt[column], p.left[column])
            fill_column(p, column, p.left[column] - 1, start.dealt[column][p.left[column] - 1], on)
        elif kings:
            fill_column(p, column, 0, take_bit(&kings), on)
        else:
            p.size[column] = p.hidden[column] = 0
            p.runs[column] = 0
            p.empty += 1
    if IS_CHECKED:
        check_key(start, p, low, high)


cdef inline void check_key(const ExactLayout* start, const Position* p, uint64_t low,
                           uint64_t high) noexcept nogil:
    """Assert that ``p`` has the key (``low``, ``high``)."""
    cdef uint64_t first = 0, second = 0
    check_columns(p)
    pack_exact(start, p, &first, &second)
    invariant(first == low and second == high)


cdef inline void place_cards(Position* p, uint64_t high, uint8_t* on) noexcept nogil:
    """Put the placed cards on the cards that they lie on."""
    cdef uint64_t rest = p.placed
    cdef int card, host
    cdef bint like_sets_bit, on_second
    while rest:
        card = take_bit(&rest)
        host = first_host(card)
        like_sets_bit = is_second(card) and p.placed >> like(card) & 1
        on_second = high >> type_at(host) & 1
        if on_second != like_sets_bit:
            host = like(host)
        p.under[card] = host
        on[host] = card
        p.bare &= ~bit(host)


cdef inline void fill_column(Position* p, int column, int hidden, int card, const uint8_t* on) noexcept nogil:
    """Put the run from ``card``, the lowest face-up card, in a column with ``hidden`` face-down cards."""
    cdef uint8_t* cards = p.card[column]
    cdef uint64_t run = 0
    cdef int size = hidden
    while card != NO_CARD:
        cards[size] = card
        size += 1
        p.column[card] = column
        run |= bit(card)
        card = on[card]
    p.hidden[column] = hidden
    p.size[column] = size
    p.runs[column] = run
