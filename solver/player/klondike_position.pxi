"""Information sets of Klondike with redeals, determinizations, and the moves of the player.

A `Seen` is an information set, what a person sees: a position with `UNSEEN` in the place of each card that
is face down in a column, or in the stock and never turned. Once the waste was turned over the whole stock
is known, in its order. A table may tell some of these cards, and may leave some under the top of the waste
untold. The player is given this and never the true order.

A `World` is a determinization: an information set with an order of the unseen cards, as classes of
`klondike.state`. The unseen cards are equally likely to lie in any order, because every card that was seen
was turned up without regard to its value. A shuffle takes them in ascending order, not in their true one,
of which it would otherwise be a function.

With unlimited passes a pass through the whole stock costs nothing where k divides the waste, for a draw of
k: what may be played before may be played after it. So the whole stock is looked through first.

A choice is a move between classes of `klondike.state`, with the draws and the lateral move that it needs. A
card comes back from a foundation only for a landing on it that turns a card up, empties a column or takes a
card of the stock, or for a base like it to go up, whose run it then carries: the two are one choice. So
each choice but going up is irreversible, and a game ends. While cards of the stock or the waste are not seen,
and with a single pass, only the top of the waste is played, and a draw is a choice. Scores are linear in the
terms of WEIGHT.
"""

cdef struct Seen:           # what a person sees, and nothing else
    Position desk               # UNSEEN where cards are not seen

cdef struct World:          # what a person sees, and an order of the rest
    Layout layout
    uint64_t root           # the key of what is seen
    int waste               # at the root,
    int redeals             # and before it
    uint64_t unseen_slots   # of the root, those whose cards are not seen
    int hidden[COLUMNS]     # face-down cards at the root,
    uint64_t unseen_rows[COLUMNS]       # and those of them that are not seen
    uint8_t unseen[CARDS]   # those places of cards that are not seen, ascending
    int unseen_count


# --- What is seen ---------------------------------------------------------------------------------------

cdef inline void hide(const Position* truth, int known, Seen* seen) noexcept nogil:
    """Hide the cards of ``truth`` that a person has not seen who knows ``known`` cards of the waste and the
    stock."""
    cdef int column, i
    seen.desk = truth[0]
    for column in range(truth.columns):
        for i in range(truth.hidden[column]):
            seen.desk.card[column][i] = UNSEEN
    for i in range(known, truth.slot_count):
        seen.desk.slots[i] = UNSEEN


cdef inline int known_after(const Position* before, int known, const Position* after) noexcept nogil:
    """Return how many cards of the waste and the stock have been seen after a move: those known before, less
    those that left, and those that were turned."""
    return max(known - (before.slot_count - after.slot_count), after.waste)


cdef inline uint64_t unseen_slots(const Position* desk) noexcept nogil:
    """Return the slots of the waste and the stock whose cards are not seen."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(desk.slot_count):
        if desk.slots[i] == UNSEEN:
            found |= bit(i)
    return found


# --- Worlds ---------------------------------------------------------------------------------------------

cdef inline bint open_world(World* world, const Seen* seen) noexcept nogil:
    """Load an information set, with the unseen cards in ascending order. Returns False if its key would be
    too long."""
    cdef Position desk = seen.desk
    cdef uint64_t left = bit(CARDS) - 1
    cdef int column, suit, i
    for suit in range(4):
        for i in range(desk.height[suit]):
            left &= ~bit(4 * i + suit)
    for column in range(desk.columns):
        world.hidden[column] = desk.hidden[column]
        world.unseen_rows[column] = 0
        for i in range(desk.size[column]):
            if desk.card[column][i] == UNSEEN:
                world.unseen_rows[column] |= bit(i)
            else:
                left &= ~bit(desk.card[column][i])
    for i in range(desk.slot_count):
        if desk.slots[i] != UNSEEN:
            left &= ~bit(desk.slots[i])
    world.unseen_slots = unseen_slots(&desk)
    world.waste = desk.waste
    world.redeals = desk.redeals
    world.unseen_count = 0
    for i in range(desk.slot_count):
        put_unseen(world, &desk.slots[i], &left)
    for column in range(desk.columns):
        for i in range(desk.hidden[column]):
            put_unseen(world, &desk.card[column][i], &left)
    return open_classes(&world.layout, &desk, &world.root)


cdef inline void put_unseen(World* world, uint8_t* place, uint64_t* left) noexcept nogil:
    """Put the next card of ``left`` in a place whose card is not seen, and record the place."""
    if place[0] == UNSEEN and left[0]:
        place[0] = take_bit(left)
        world.unseen[world.unseen_count] = place_of(place[0])
        world.unseen_count += 1


cdef inline void shuffle_world(World* world, SplitMix* chance) noexcept nogil:
    cdef Layout* layout = &world.layout
    cdef uint8_t card
    cdef uint8_t cards[CARDS]
    cdef uint64_t below, slots = world.unseen_slots
    cdef int i, column, count = world.unseen_count
    for i in range(count):
        cards[i] = world.unseen[i]
    shuffle_cards(cards, count, chance)
    for column in range(layout.columns):
        below = 0
        for i in range(world.hidden[column]):
            card = layout.dealt[column][i]
            if world.unseen_rows[column] >> i & 1:
                count -= 1
                card = cards[count]
            layout.dealt[column][i] = card
            layout.buried[column][i + 1] = below
            layout.base[column][i + 1] = bit(card)
            layout.column_of[card] = column
            layout.row_of[card] = i
            below |= bit(card)
        if world.hidden[column] > 0:
            layout.buried[column][world.hidden[column] + 1] = below
            layout.has_king_below[column] = layout.kings >> layout.dealt[column][0] & 1
    if slots:
        while slots:
            i = take_bit(&slots)
            count -= 1
            layout.slot_card[i] = cards[count]
            layout.slot_of[cards[count]] = i
        fill_slots(layout)


# --- Positions in a world -------------------------------------------------------------------------------

cdef inline uint64_t unseen_in(const World* world, const ClassPosition* p) noexcept nogil:
    """Return the slots of the cards that are not seen in ``p``. In the pass of the root those of the stock
    that are still to come, and those of its waste beneath the top; in the next pass the latter until they
    come again. With unlimited passes a waste that k divides is taken to be followed by the rest, and by the
    next pass."""
    cdef uint64_t slots = p.slots & world.unseen_slots, beneath, left = p.slots
    cdef int waste = waste_in(&world.layout, p.key), _
    cdef int later = redeals_in(&world.layout, p.key) - world.redeals
    if slots == 0 or later > 1 or (world.layout.passes == 0 and waste == 0):
        return 0
    for _ in range(waste):
        left &= left - 1
    beneath = p.slots & (bit(world.waste) - 1)
    if beneath:
        beneath ^= bit(highest_bit(beneath))
    if later == 1:
        return slots & left & beneath
    return slots & (beneath | left & ~(bit(world.waste) - 1))


cdef inline bint may_draw(const World* world, const ClassPosition* p) noexcept nogil:
    """Test whether a card of the stock can be turned, after a redeal if need be."""
    cdef const Layout* layout = &world.layout
    return (layout.passes == 0 or waste_in(layout, p.key) < p.count
            or redeals_in(layout, p.key) + 1 < layout.passes)


cdef inline uint64_t key_drawn(const World* world, const ClassPosition* p) noexcept nogil:
    """Return the key after a draw while some cards are not seen."""
    cdef int waste = waste_in(&world.layout, p.key), redeals = redeals_in(&world.layout, p.key)
    cdef uint64_t key = unwasted(&world.layout, p.key)
    if waste == p.count:
        waste = 0
        redeals += 1
    waste = min(waste + world.layout.draw, p.count)
    if world.layout.passes == 0 and (waste == p.count or waste % world.layout.draw == 0):
        return key
    return key | <uint64_t>(redeals * world.layout.stride + waste) << world.layout.waste_at


cdef inline uint64_t seen_hash(const World* world, const ClassPosition* p) noexcept nogil:
    """Hash all that a person sees of a class to 64 bits. The hash is the same at all moments of a game:
    redeals are hashed separately, since a key counts them in strides of the number of cards with which its
    world was opened. Seen cards of the waste and the stock are hashed in their order, which differs between
    samples, with the unseen ones between them."""
    cdef const Layout* layout = &world.layout
    cdef uint64_t blind = unseen_in(world, p), slots = p.slots, left = blind, sum, word = 0
    cdef uint64_t unseen = layout.all & ~(p.up | p.stock | p.face)
    cdef int column, dealt, slot
    while left:
        unseen |= bit(layout.slot_card[take_bit(&left)])
    sum = mixed(mixed(1, p.up), unseen)
    while slots & ~blind:
        slot = take_bit(&slots)
        sum = mixed(sum, UNSEEN if blind >> slot & 1 else layout.slot_card[slot])
    for column in range(layout.columns):
        dealt = p.key >> layout.shift[column] & layout.mask[column]
        word = word << 9 | dealt << 6
        if layout.base[column][dealt]:
            word |= lowest_bit(layout.base[column][dealt])
    return mixed(mixed(sum, word), redeals_in(layout, p.key) << 6 | waste_in(layout, p.key))


# --- Moves -----------------------------------------------------------------------------------------------

cdef enum:
    DRAW = 5            # a kind of choice beside those of `klondike.state`: a draw of cards not seen

# A `Choice` holds here: its kind; the place of its card as source; and, where a card comes back from a
# foundation for another move, kind and card of that as rank and target, else -1.

cdef enum:              # the terms of a score, in the order of WEIGHT
    UP_BASE, UP_RANK, UP_TURNS, UP_EMPTIES, UP_EMPTIES_WANTED, UP_HOST
    LAND_TURNS, LAND_RANK, LAND_HIDDEN, LAND_EMPTIES, LAND_EMPTIES_WANTED
    SLOT_UP, SLOT_UP_RANK, SLOT_UP_HOST
    SLOT_LANDS, SLOT_RANK, SLOT_ENABLES, SLOT_KING_WANTED, SLOT_TIGHT
    BACK, DRAWS, PASSES
    OPEN_SLOTS, OPEN_TURNS, OPEN_UPS
    TERMS

cdef extern from *:
    """
    static const float WINNABLE_WEIGHT[] = {
        /* up from a column: by rank above the lowest foundation; it turns a card up; it empties a column,
           with kings waiting; it was the last of its kind to carry a card that could land there */
        170.0, -20.0, 500.0, -20.0, 10.0, -40.0,
        /* a base lands: it turns a card up, by rank, by those hidden; it empties a column, with kings
           waiting */
        600.0, 10.0, 5.0, -30.0, 260.0,
        /* a card of the stock up: by rank; the last to carry one */
        350.0, -18.0, -25.0,
        /* a card of the stock lands: by rank, a run over hidden cards could go on it; a king, with kings
           waiting; on the last card that a base could land on */
        300.0, 6.0, 100.0, -100.0, -50.0,
        /* a card comes back; a draw of cards not seen; the waste turned over, where that is limited */
        -150.0, 50.0, -300.0,
        /* after the choice: cards of the stock that may be played, bases that may land and turn a card up,
           cards that go up */
        10.0, 50.0, 10.0,
    };
    """
    const float WEIGHT "WINNABLE_WEIGHT"[TERMS]


cdef struct Survey:
    uint64_t covering   # bases with face-down cards beneath
    uint64_t wanted     # types on which one of them could land
    int lowest          # foundation
    bint has_kings      # that wait for an empty column


cdef inline void survey(const World* world, const ClassPosition* p, Survey* s) noexcept nogil:
    cdef uint64_t found = p.bases
    cdef int card, suit
    s.covering = 0
    while found:
        card = take_bit(&found)
        if world.layout.row_of[card] > 0:
            s.covering |= bit(card)
    s.wanted = s.covering << 4
    s.has_kings = (s.covering & world.layout.kings) != 0
    s.lowest = 13
    for suit in range(4):
        s.lowest = min(s.lowest, <int>(p.key >> 4 * suit & 15))


cdef inline bint is_last_host(const ClassPosition* p, int card) noexcept nogil:
    """Test whether ``card``, which is bare, is the only bare card of its rank and colour."""
    cdef int pair = card & ~1
    return (p.counts >> pair & 3) <= 1


cdef inline float score_move(const World* world, const ClassPosition* p, const Survey* s, int kind,
                             int card) noexcept nogil:
    """Return the score of a move, without what becomes possible after it."""
    cdef int rank = card >> 2
    cdef bint is_base = p.bases >> card & 1
    cdef uint64_t like = types_of(bit(card))
    cdef float score = 0
    if kind == RAISE:
        score = WEIGHT[UP_BASE] + WEIGHT[UP_RANK] * (rank - s.lowest)
        if is_base and world.layout.row_of[card] > 0:
            score += WEIGHT[UP_TURNS]
        elif is_base:
            score += WEIGHT[UP_EMPTIES_WANTED] if s.has_kings and p.empty == 0 else WEIGHT[UP_EMPTIES]
        if is_last_host(p, card) and s.wanted & like:
            score += WEIGHT[UP_HOST]
    elif kind == LAND:
        if world.layout.row_of[card] > 0:
            score = WEIGHT[LAND_TURNS] + WEIGHT[LAND_RANK] * rank
            score += WEIGHT[LAND_HIDDEN] * world.layout.row_of[card]
        else:
            score = WEIGHT[LAND_EMPTIES_WANTED] if s.has_kings and p.empty == 0 else WEIGHT[LAND_EMPTIES]
    elif kind == RAISE_SLOT:
        score = WEIGHT[SLOT_UP] + WEIGHT[SLOT_UP_RANK] * (rank - s.lowest)
        if s.wanted & like:
            score += WEIGHT[SLOT_UP_HOST]
    else:
        score = WEIGHT[SLOT_LANDS] + WEIGHT[SLOT_RANK] * rank
        if s.wanted & like:
            score += WEIGHT[SLOT_ENABLES]
        if world.layout.kings >> card & 1:
            score += WEIGHT[SLOT_KING_WANTED] if s.has_kings else 0
        elif is_last_host(p, card + 4) and s.covering & like:
            score += WEIGHT[SLOT_TIGHT]
    return score


cdef inline float prospects(const World* world, const Survey* s, uint64_t before,
                            uint64_t key) noexcept nogil:
    """Return the score of the options after a move."""
    cdef ClassPosition q
    cdef uint64_t cards
    cdef int redeals = 0
    unpack(&world.layout, key, &q)
    cards = cards_in(&world.layout, open_cards(&world.layout, False, &q))
    if world.layout.passes > 0 and world.layout.slots > 0:
        redeals = redeals_in(&world.layout, key) - redeals_in(&world.layout, before)
    return max(0, redeals) * WEIGHT[PASSES] + (
        WEIGHT[OPEN_SLOTS] * count_bits(cards & (q.next | q.fits))
        + WEIGHT[OPEN_TURNS] * count_bits(q.bases & s.covering & q.fits)
        + WEIGHT[OPEN_UPS] * count_bits(q.next & q.face & q.bare)
    )


cdef inline void add_move(Choice* choices, int* count, int kind, int card, int then, int other,
                          float score) noexcept nogil:
    cdef Choice* choice = &choices[count[0]]
    if count[0] < MOST_CHOICES:
        choice.kind = kind
        choice.source = card
        choice.count = 1
        choice.rank = then
        choice.target = other
        choice.suit = -1
        choice.score = score
        count[0] += 1


cdef inline int top_of_waste(const World* world, const ClassPosition* p, int turned) noexcept nogil:
    """Return the top of a waste of ``turned`` cards, -1 if it is empty."""
    cdef uint64_t slots = p.slots
    cdef int _
    if turned == 0:
        return -1
    for _ in range(turned - 1):
        slots &= slots - 1
    return world.layout.slot_card[lowest_bit(slots)]


cdef inline int choices_of(const World* world, const ClassPosition* p, Choice* choices) noexcept nogil:
    """Write the choices with their scores. Returns their number, 0 at the end of play."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef Survey s
    cdef int i, kind, card, top = -1, count = 0
    cdef int found = children_of(&world.layout, False, p, keys, codes)
    cdef bint is_blind = unseen_in(world, p) != 0 or world.layout.passes == 1
    survey(world, p, &s)
    if is_blind:
        top = top_of_waste(world, p, waste_in(&world.layout, p.key))
    for i in range(found):
        kind = codes[i] >> 8
        card = codes[i] & 255
        if is_blind and (kind == RAISE_SLOT or kind == LAND_SLOT) and card != top:
            continue
        if kind == BRING_BACK:
            add_back(world, p, &s, card, keys[i], is_blind, top, choices, &count)
        else:
            add_move(choices, &count, kind, card, -1, -1,
                     score_move(world, p, &s, kind, card) + prospects(world, &s, p.key, keys[i]))
    if is_blind and may_draw(world, p):
        add_move(choices, &count, DRAW, 0, -1, -1, WEIGHT[DRAWS])
    return count


cdef inline void add_back(const World* world, const ClassPosition* p, const Survey* s, int back,
                          uint64_t key, bint is_blind, int top, Choice* choices, int* count) noexcept nogil:
    """Add the choices in which a card comes back from its foundation for a move that needs it."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef ClassPosition q
    cdef int i, kind, card, found
    cdef uint64_t under = types_of(bit(back)) >> 4, like = types_of(bit(back))
    unpack(&world.layout, key, &q)
    found = children_of(&world.layout, False, &q, keys, codes)
    for i in range(found):
        kind = codes[i] >> 8
        card = codes[i] & 255
        if kind == LAND or kind == LAND_SLOT:
            if not under >> card & 1 or p.fits >> card & 1:
                continue
            if kind == LAND_SLOT and is_blind and card != top:
                continue
        elif kind != RAISE or card == back or not (like & p.bases & ~p.bare) >> card & 1:
            continue
        add_move(choices, count, BRING_BACK, back, kind, card,
                 WEIGHT[BACK] + score_move(world, &q, s, kind, card) + prospects(world, s, p.key, keys[i]))


cdef inline uint64_t key_after(const World* world, const ClassPosition* p,
                               const Choice* choice) noexcept nogil:
    """Return the key after a choice of ``p``."""
    cdef ClassPosition q
    cdef uint64_t key
    if choice.kind == DRAW:
        return key_drawn(world, p)
    key = key_of_child(world, p, choice.kind << 8 | choice.source)
    if choice.kind == BRING_BACK:
        unpack(&world.layout, key, &q)
        key = key_of_child(world, &q, choice.rank << 8 | choice.target)
    return key


cdef inline uint64_t key_of_child(const World* world, const ClassPosition* p, uint32_t code) noexcept nogil:
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int i, count = children_of(&world.layout, False, p, keys, codes)
    for i in range(count):
        if codes[i] == code:
            return keys[i]
    return p.key


cdef inline int safe_choice(const World* world, const ClassPosition* p) noexcept nogil:
    """Return the bit of a card of a column that is a safe foundation move, -1 if there is none."""
    cdef uint64_t found = safe_cards(&world.layout, p.key) & p.face & p.bare
    return lowest_bit(found) if found else -1


cdef inline void follow_choice(Line* line, Position* desk, const Choice* choice) noexcept nogil:
    """Make the moves of a choice on ``desk`` and append them to ``line``."""
    if choice.kind == DRAW:
        make(line, desk, STOCK, WASTE, 1, NO_SUIT)
        return
    follow(line, desk, choice.kind << 8 | choice.source)
    if choice.kind == BRING_BACK:
        follow(line, desk, choice.rank << 8 | choice.target)
