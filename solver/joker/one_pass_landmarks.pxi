"""Exact positions of one-pass Klondike, and disjunctive action landmarks (Helmert and Domshlak 2009) of their
delete relaxation.

A position is packed in two words. The key contains the slots of the waste that hold a card, the number of
slots turned, the number of dealt cards left in each column, the heights of the foundations and, for each card
that lies on a face-up one, on which of the two cards that it fits. All else follows: a card is face up in a
column if it is nowhere else. The last dealt card left in a column is face up; each other face-up card lies on
a card of the next rank, except those of the top rank, which begin columns without a dealt card. So the key is
exact, up to the order of columns.

Moves are macros, and some are left out by Theorem J13: cards are turned only to be played, a lateral move
uncovers a card that goes up next, safe cards go up at once, and no card of the top rank moves from the bottom
of a column to an empty one. From every position, to any score, one of the shortest lines remains.

A landmark is a set of cards of which every line gives at least one an extra move, by the relaxed game of
Theorem J14. A line that fills all places turns the whole stock and plays each card to its foundation; all its
other moves are extra moves, at least as many as there are pairwise disjoint landmarks. A position inherits
those landmarks of its parent that do not contain the head of the move made.
"""

cdef enum:
    NATURALS = 52
    MOST_MACROS = 192   # macros of a position: 4 up, 2 for each column, 3 for each card of waste and stock

cdef struct ExactKey:
    uint64_t piles      # |63 turned 58| dealt cards left in each column, last first | waste, slots 0|
    uint64_t cards      # |63 heights 48|47 for each card on a face-up card: on which of two it lies 0|

cdef struct ExactLayout:  # what is constant from the start on
    int ranks
    int goal            # the score to reach
    bint is_full        # ``goal`` is all places
    int columns
    int slots           # cards of the waste at the start, then of the stock
    int suits           # one bit for each suit of the deck
    uint64_t deck       # all cards of the deck
    uint64_t present    # cards in columns, waste and stock at the start
    uint64_t top_rank   # cards of the highest rank, which may go in an empty column
    uint8_t slot_card[NATURALS]
    uint64_t slots_from[NATURALS + 1]           # by slot: the cards of it and of the slots after it
    uint64_t cards_in[13][16]                   # the cards in each subset of four slots
    uint8_t dealt[MAX_COLUMNS][NATURALS]        # the face-down cards of each column, and the card on them
    uint64_t dealt_below[MAX_COLUMNS][NATURALS + 1]     # the set of the first 0, 1, ... of ``dealt``
    uint8_t shift[MAX_COLUMNS]                  # shift of the field of each column in ``piles``
    uint8_t mask[MAX_COLUMNS]                   # mask of that field
    uint8_t column_of[NATURALS]                 # column of each dealt card

cdef struct ExactPosition:  # an unpacked key
    ExactKey key
    int turned          # slots turned
    uint64_t waste      # slots of the waste that hold a card
    int top             # slot of the top of the waste, or -1
    uint64_t up         # cards on the foundations
    uint64_t face       # cards face up in columns
    uint64_t bases      # dealt cards that are the deepest face-up card of their column
    uint64_t runs       # face-up cards that lie on a face-up card
    uint64_t second     # of ``runs``, those on the second of the two cards that they fit, spades or hearts
    uint64_t covered    # face-up cards with a card on them
    int empty           # empty columns
    uint8_t left[MAX_COLUMNS]   # dealt cards left in each column


cdef inline int height_up(const ExactKey* key, int suit) noexcept nogil:
    """Return the number of cards on the foundation of ``suit``."""
    return key.cards >> (48 + 4 * suit) & 15

cdef inline int score_in(const ExactKey* key) noexcept nogil:
    """Return the number of cards on all foundations."""
    return height_up(key, 0) + height_up(key, 1) + height_up(key, 2) + height_up(key, 3)

cdef inline int turned_in(const ExactKey* key) noexcept nogil:
    """Return the number of stock slots turned onto the waste."""
    return key.piles >> 58

cdef inline uint64_t carried(uint64_t cards, uint64_t second) noexcept nogil:
    """Return the cards that lie on one of ``cards``, if a card lies on the second card that it fits (of
    spades or hearts) exactly if it is in ``second``."""
    return (
        ((cards & CLUBS) >> 4) * 6 & ~second | ((cards >> 3 & CLUBS) >> 4) * 6 & second
        | ((cards >> 1 & CLUBS) >> 4) * 9 & ~second | ((cards >> 2 & CLUBS) >> 4) * 9 & second
    )

cdef enum:
    NEVER = 255         # in place of a number of turns: the goal is out of reach


cdef enum:
    MOST_LANDMARKS = 52     # most landmarks of a position

cdef struct Pool:           # the landmarks of all positions, one after the other
    uint64_t* cards
    uint64_t count, room    # ``room`` is the capacity

cdef inline bint keep_landmarks(Pool* pool, const uint64_t* landmarks, int count,
                                uint64_t spare) noexcept nogil:
    """Append ``count`` landmarks, allocating at most ``spare`` more bytes. Returns False if memory runs
    out."""
    cdef uint64_t most = min(spare + pool.room * sizeof(uint64_t), <uint64_t>1 << 35)
    if pool.count + MOST_LANDMARKS > pool.room and not more_room(
            &pool.cards, &pool.room, 4096, sizeof(uint64_t), most):
        return False
    memcpy(pool.cards + pool.count, landmarks, count * sizeof(uint64_t))
    pool.count += count
    return True


# --- The layout -----------------------------------------------------------------------------------------

cdef inline void open_layout(ExactLayout* layout, ExactKey* key, const Position* game,
                             int goal) noexcept nogil:
    """Set ``layout`` and ``key`` to the state ``game``, in which no joker is left, with the goal ``goal``."""
    cdef int suit
    memset(layout, 0, sizeof(ExactLayout))
    layout.ranks = game.ranks
    layout.suits = game.suits
    layout.goal = goal
    layout.columns = game.columns
    for suit in range(4):
        if game.suits >> suit & 1:
            layout.deck |= (CLUBS & (bit(4 * game.ranks) - 1)) << suit
    layout.is_full = count_bits(layout.deck) == goal
    layout.top_rank = <uint64_t>15 << (4 * (game.ranks - 1))
    key.piles = key.cards = 0
    for suit in range(4):
        key.cards |= <uint64_t>game.height[suit] << (48 + 4 * suit)
    fill_slots(layout, key, game)
    layout.present = layout.slots_from[0]
    fill_columns(layout, key, game)


cdef inline void fill_slots(ExactLayout* layout, ExactKey* key, const Position* game) noexcept nogil:
    """Set the slots from the waste and the stock of ``game``."""
    cdef int i, j
    for i in range(game.waste_size):
        layout.slot_card[i] = game.waste[i]
    layout.slots = game.waste_size
    key.piles |= (bit(layout.slots) - 1) | <uint64_t>layout.slots << 58
    for i in range(game.turned, game.stock_size):
        layout.slot_card[layout.slots] = game.stock[i]
        layout.slots += 1
    for i in range(layout.slots - 1, -1, -1):
        layout.slots_from[i] = layout.slots_from[i + 1] | bit(layout.slot_card[i])
        for j in range(16):
            if j >> (i & 3) & 1:
                layout.cards_in[i >> 2][j] |= bit(layout.slot_card[i])


cdef inline void fill_columns(ExactLayout* layout, ExactKey* key, const Position* game) noexcept nogil:
    """Set the columns from those of ``game``. The field of a column takes no more bits than it has dealt
    cards, so all fields fit above the slots."""
    cdef int column, i, card, count, shift = layout.slots
    for column in range(game.columns):
        count = game.hidden[column] + 1 if game.size[column] > 0 else 0
        if count == 1 and layout.top_rank >> game.card[column][0] & 1:
            count = 0       # a king at the bottom is treated like one moved there
        for i in range(game.size[column]):
            card = game.card[column][i]
            layout.present |= bit(card)
            if i < count:
                layout.dealt[column][i] = card
                layout.column_of[card] = column
                layout.dealt_below[column][i + 1] = layout.dealt_below[column][i] | bit(card)
            elif i > 0 and game.card[column][i - 1] & 2:
                key.cards |= bit(card)
        layout.shift[column] = shift
        while layout.mask[column] < count:
            layout.mask[column] = 2 * layout.mask[column] + 1
            shift += 1
        key.piles |= <uint64_t>count << layout.shift[column]


# --- Positions ------------------------------------------------------------------------------------------

cdef inline uint64_t carriers(uint64_t cards, uint64_t second) noexcept nogil:
    """Return the cards on which ``cards`` lie: of the two cards that each fits, the one of spades or hearts
    for those in ``second``, the one of clubs or diamonds for the others."""
    return (
        red_ranks(cards & ~second) << 4 | red_ranks(cards & second) << 7
        | black_ranks(cards & ~second) << 5 | black_ranks(cards & second) << 6
    )


cdef inline void take_apart(const ExactLayout* layout, const ExactKey* key, ExactPosition* p) noexcept nogil:
    """Unpack ``key`` to ``p``."""
    cdef uint64_t elsewhere = 0, slots
    cdef int suit, column, left, four = 0
    p.key = key[0]
    p.turned = turned_in(key)
    p.waste = key.piles & (bit(layout.slots) - 1)
    p.top = highest_bit(p.waste) if p.waste else -1
    p.up = p.bases = 0
    for suit in range(4):
        p.up |= (CLUBS & (bit(4 * height_up(key, suit)) - 1)) << suit
    slots = p.waste
    while slots:
        elsewhere |= layout.cards_in[four][slots & 15]
        slots >>= 4
        four += 1
    p.empty = 0
    for column in range(layout.columns):
        left = key.piles >> layout.shift[column] & layout.mask[column]
        p.left[column] = left
        if left:
            elsewhere |= layout.dealt_below[column][left - 1]
            p.bases |= bit(layout.dealt[column][left - 1])
        else:
            p.empty += 1
    p.face = layout.present & ~(elsewhere | p.up | layout.slots_from[p.turned])
    p.runs = p.face & ~p.bases
    p.empty -= count_bits(p.runs & layout.top_rank)
    p.runs &= ~layout.top_rank
    p.second = key.cards & p.runs
    p.covered = carriers(p.runs, p.second)


cdef inline int raise_safe(const ExactLayout* layout, ExactKey* key, ExactPosition* p,
                           uint8_t* raised) noexcept nogil:
    """Play safe cards to the foundations until none is left or the goal is reached, changing ``key`` and
    unpacking the result to ``p``. Returns their number, and writes them to ``raised`` unless it is NULL."""
    cdef int count = 0, suit, card
    cdef bint any = True
    take_apart(layout, key, p)
    while any:
        any = False
        for suit in range(4):
            card = 4 * height_up(key, suit) + suit
            if not may_rise(layout, p, card) or is_wanted(key.cards >> 48, layout.suits, card, False):
                continue
            if score_in(key) >= layout.goal:
                return count
            if raised != NULL:
                raised[count] = card
            raise_card(layout, p, card, key)
            count += 1
            take_apart(layout, key, p)
            any = True
            break
    return count


cdef inline bint may_rise(const ExactLayout* layout, const ExactPosition* p, int card) noexcept nogil:
    """Test whether ``card``, the next of its foundation, is on top of a column or of the waste."""
    if card >= NATURALS or not layout.present >> card & 1:
        return False
    return p.face & ~p.covered & bit(card) or (p.top >= 0 and layout.slot_card[p.top] == card)


# --- Moves ----------------------------------------------------------------------------------------------

cdef inline void leave(const ExactLayout* layout, const ExactPosition* p, int card,
                       ExactKey* key) noexcept nogil:
    """Remove the face-up ``card`` from its column in ``key``."""
    if p.bases >> card & 1:
        key.piles -= bit(layout.shift[layout.column_of[card]])
    else:
        key.cards &= ~(p.runs & bit(card))


cdef inline void raise_card(const ExactLayout* layout, const ExactPosition* p, int card,
                            ExactKey* key) noexcept nogil:
    """Play ``card``, the top of a column or of the waste, to its foundation in ``key``."""
    if p.face >> card & 1:
        leave(layout, p, card, key)
    else:
        key.piles ^= bit(p.top)
    key.cards += bit(48 + 4 * (card & 3))


cdef inline int write_key_after(const ExactLayout* layout, const ExactPosition* p, uint32_t code,
                                ExactKey* child) noexcept nogil:
    """Write the key after the macro ``code`` to ``child``. Returns the number of moves of the macro."""
    cdef int turns = turns_in(code), card = mover_in(code), target = target_in(code)
    cdef uint64_t above
    child[0] = p.key
    if turns > 0:
        child.piles += <uint64_t>turns << 58
        child.piles |= (bit(turns) - 1) << p.turned
    if play_in(code) == RAISE:
        if p.face >> card & 1:
            above = carried(bit(card), p.second) & p.runs
            child.cards ^= above        # lateral move of the card above to the other card that it fits
            leave(layout, p, card, child)
            child.cards += bit(48 + 4 * (card & 3))
            return 2 if above else 1
        child.cards += bit(48 + 4 * (card & 3))
    elif play_in(code) == MOVE:
        leave(layout, p, card, child)
        if target != EMPTY and target & 2:
            child.cards |= bit(card)
        return 1
    elif target != EMPTY and target & 2:
        child.cards |= bit(card)
    child.piles ^= bit(p.turned + turns - 1 if turns > 0 else p.top)
    return turns + 1


cdef inline int macros_of(const ExactLayout* layout, const ExactPosition* p, uint32_t* codes) noexcept nogil:
    """Write all macros to try to ``codes``, which has space for MOST_MACROS. Returns their number."""
    cdef uint64_t open = p.face & ~p.covered
    cdef int count = raising(layout, p, open, codes)
    count = moving(layout, p, open, codes, count)
    return turning_up(layout, p, open, codes, count)


cdef inline int raising(const ExactLayout* layout, const ExactPosition* p, uint64_t open,
                        uint32_t* codes) noexcept nogil:
    """Write the macros that play a card to its foundation: the top of the waste, without a turn, or a card of
    a column, after a lateral move if necessary. Returns their number."""
    cdef int suit, card, count = 0
    cdef uint64_t above
    for suit in range(4):
        card = 4 * height_up(&p.key, suit) + suit
        if may_rise(layout, p, card):
            codes[count] = code_of(RAISE, card, 0)
            count += 1
        elif card < NATURALS and p.face >> card & 1:
            above = carried(bit(card), p.second) & p.runs
            if carriers(above, p.second ^ above) & open:
                codes[count] = code_of(RAISE, card, 0)
                count += 1
    return count


cdef inline int moving(const ExactLayout* layout, const ExactPosition* p, uint64_t open, uint32_t* codes,
                       int count) noexcept nogil:
    """Append the macros that move all face-up cards of a column. Returns the new number of macros."""
    cdef uint64_t rest = p.bases
    cdef int card
    while rest:
        card = take_bit(&rest)
        if layout.top_rank >> card & 1 and p.left[layout.column_of[card]] == 1:
            continue
        count = placing(layout, p, open, MOVE, card, codes, count)
    return count


cdef inline int turning_up(const ExactLayout* layout, const ExactPosition* p, uint64_t open, uint32_t* codes,
                           int count) noexcept nogil:
    """Append the macros that turn cards, or none, and play the top of the waste. Returns the new number of
    macros."""
    cdef int turns, slot, card, was = count
    for turns in range(layout.slots - p.turned + 1):
        slot = p.turned + turns - 1 if turns > 0 else p.top
        if slot < 0:
            continue
        card = layout.slot_card[slot]
        was = count
        if turns > 0 and height_up(&p.key, card & 3) == card >> 2:
            codes[count] = code_of(RAISE, card, 0)
            count += 1
        count = placing(layout, p, open, FROM_WASTE, card, codes, count)
        while was < count:
            codes[was] |= turning(turns)
            was += 1
    return count


cdef inline int placing(const ExactLayout* layout, const ExactPosition* p, uint64_t open, int play, int card,
                        uint32_t* codes, int count) noexcept nogil:
    """Append a macro for each place in a column for ``card`` with all cards on it, with the Play ``play``.
    Returns the new number of macros."""
    cdef uint64_t places
    if layout.top_rank >> card & 1:
        if p.empty > 0:
            codes[count] = code_of(play, card, EMPTY)
            count += 1
        return count
    places = (carriers(bit(card), 0) | carriers(bit(card), bit(card))) & open
    while places:
        codes[count] = code_of(play, card, take_bit(&places))
        count += 1
    return count


# --- Landmarks ----------------------------------------------------------------------------------------------

cdef struct Relaxed:        # the relaxed game of Theorem J14; "once" means at some time so far
    uint64_t up             # cards on the foundations
    uint64_t face           # cards that were once face up in columns
    uint64_t left           # cards that left their places by an extra move
    uint64_t covered        # cards covered by a card that has not left
    uint64_t open           # cards that were once open
    uint64_t bases          # last dealt card left in each column
    uint64_t waiting        # free cards that went up from the waste and were not open yet
    uint64_t straight       # other cards that went up from the waste
    uint64_t waste          # slots of the waste that hold a card
    int turned              # slots turned
    bint emptied            # a column was once empty
    uint8_t dealt[MAX_COLUMNS]  # dealt cards left in each column


cdef inline void begin_relaxed(const ExactPosition* p, Relaxed* game) noexcept nogil:
    """Set the relaxed game to the position ``p``."""
    game.up = p.up
    game.face = p.face
    game.left = 0
    game.covered = p.covered
    game.open = p.face & ~p.covered
    game.bases = p.bases
    game.waiting = game.straight = 0
    game.waste = p.waste
    game.turned = p.turned
    game.emptied = p.empty > 0
    memcpy(game.dealt, p.left, MAX_COLUMNS)


cdef inline uint64_t movers(const ExactLayout* layout, const ExactPosition* p, Relaxed* game, uint64_t free,
                            uint64_t top) noexcept nogil:
    """Return the free cards, those of ``waiting`` included, that can make an extra move now. ``top`` is the
    card on top of the waste, as a set."""
    cdef uint64_t cards = (free & ~(game.left | game.up) & (game.face | top)) | game.waiting, placed
    if cards == 0:
        return 0
    placed = cards & (fitting_on(game.open) | (layout.top_rank if game.emptied else 0))
    return placed & ~(p.runs & ~carried(game.open, ~p.second))


cdef inline void leave_place(const ExactLayout* layout, const ExactPosition* p, Relaxed* game, uint64_t cards,
                             uint64_t free, uint64_t top) noexcept nogil:
    """Let ``cards`` leave their places, which turns up and uncovers other cards. ``top`` is the card on top
    of the waste, as a set."""
    cdef uint64_t rest = cards & game.bases, beneath
    cdef int card, column
    if cards & game.up & layout.top_rank:
        game.emptied = True
    if cards & top:
        game.waste ^= bit(highest_bit(game.waste))
        if not game.up & top:
            game.face |= top
            game.open |= top
        elif free & top:
            game.waiting |= top
        else:
            game.straight |= top
    game.bases ^= rest
    while rest:
        card = take_bit(&rest)
        column = layout.column_of[card]
        game.dealt[column] -= 1
        if game.dealt[column]:
            beneath = bit(layout.dealt[column][game.dealt[column] - 1])
            game.bases |= beneath
            game.face |= beneath
            game.open |= beneath
        else:
            game.emptied = True
    beneath = carriers(cards & p.runs, p.second)
    game.covered &= ~beneath
    game.open |= beneath


cdef inline uint64_t play_out(const ExactLayout* layout, const ExactPosition* p, Relaxed* game,
                              uint64_t free) noexcept nogil:
    """Make all moves of the relaxed game that need no turn. Returns the card then on top of the waste, as a
    set."""
    cdef uint64_t top, cards, opened
    while True:
        top = bit(layout.slot_card[highest_bit(game.waste)]) if game.waste else 0
        cards = (game.up << 4 | 15) & ((game.face & ~game.covered) | top) & ~game.up
        if cards:
            game.up |= cards
        else:
            cards = movers(layout, p, game, free, top)
            if cards == 0:
                return top
            opened = cards & game.waiting
            game.open |= opened
            game.waiting ^= opened
            cards ^= opened
            game.left |= cards
        leave_place(layout, p, game, cards, free, top)


cdef inline bint relaxed_wins(const ExactLayout* layout, const ExactPosition* p, uint64_t free,
                              uint64_t* touched) noexcept nogil:
    """Test whether the relaxed game from ``p`` fills all places if the cards ``free`` are free. If not,
    ``touched`` is set to a landmark: cards that are not free, such that it is lost even if all other cards
    are free."""
    cdef Relaxed game
    cdef uint64_t top
    begin_relaxed(p, &game)
    touched[0] = 0
    while True:
        top = play_out(layout, p, &game, free)
        if layout.present & ~game.up == 0:
            return True
        touched[0] |= (game.face & ~(game.up | game.left)) | top
        if game.turned == layout.slots:
            touched[0] = (touched[0] | game.straight) & ~free
            return False
        game.waste |= bit(game.turned)
        game.turned += 1


cdef inline uint64_t landmark_among(const ExactLayout* layout, const ExactPosition* p,
                                    uint64_t cards) noexcept nogil:
    """Return a landmark within the landmark ``cards`` that is minimal by inclusion. It is empty if the
    relaxed game is lost even with all cards free."""
    cdef uint64_t landmark = 0, rest, touched
    cdef int low, high, middle
    relaxed_wins(layout, p, ~cards, &touched)
    cards &= touched
    while True:
        rest = cards & ~landmark
        low = 0
        high = count_bits(rest)
        middle = 0
        while low < high:       # find the least number of cards that form a landmark with those found
            if relaxed_wins(layout, p, ~(landmark | first_of(rest, middle)), &touched):
                low = middle + 1
            else:
                high = middle
            middle = (low + high) // 2
        if high == 0:
            return landmark
        cards = first_of(rest, high)
        landmark |= bit(highest_bit(cards))


cdef inline uint64_t first_of(uint64_t cards, int count) noexcept nogil:
    """Return the ``count`` lowest cards of ``cards``."""
    cdef uint64_t rest = cards
    while count > 0:
        rest &= rest - 1
        count -= 1
    return cards ^ rest


cdef inline int least_turns(const ExactLayout* layout, const ExactPosition* p) noexcept nogil:
    """Return the number of turns after which the relaxed game with all cards free reaches the goal, a lower
    bound of the turns of all lines. NEVER if it does not reach it."""
    cdef Relaxed game
    begin_relaxed(p, &game)
    while True:
        play_out(layout, p, &game, ~<uint64_t>0)
        if count_bits(game.up & layout.deck) >= layout.goal:
            return game.turned - p.turned
        if game.turned == layout.slots:
            return NEVER
        game.waste |= bit(game.turned)
        game.turned += 1
