"""Information sets of Klondike with redeals, determinizations, and the moves of the player.

A `Seen` is an information set, what a person sees: the desk, with `UNSEEN` in the place of each card that
is face down in a column, or in the stock and never turned. Once the waste was turned over the whole stock
is known, in its order. The player is given this and never the true order.

A `World` is a determinization: an information set with an order of the unseen cards, as classes of
`klondike.state`. The unseen cards are equally likely to lie in any order, because every card that was seen
was turned up without regard to its value. A shuffle takes them in ascending order, not in their true one,
of which it would otherwise be a function.

With unlimited passes a pass through the whole stock costs nothing where k divides the waste, for a draw of
k: what may be played before may be played after it. So the whole stock is looked through first.

A choice is a move between classes of `klondike.state`, with the draws and the lateral move that it needs. A
card comes back from a foundation only for a landing on it that turns a card up, empties a column or takes a
card of the stock, or for a base like it to go up, whose run it then carries: the two are one choice. So
each choice but going up is irreversible, and a game ends. In the first pass through an unseen stock only
the top of the waste is played, and a draw is a choice. Scores are linear in the terms of WEIGHT.
"""

from libc.stdint cimport uint32_t
from ..core.bits cimport count_bits, lowest_bit, take_bit
from ..klondike.line cimport NO_SUIT, STOCK, WASTE, follow, load_desk, make, open_classes
from ..klondike.state cimport (BRING_BACK, LAND, LAND_SLOT, MOST_CHILDREN, RAISE, RAISE_SLOT, bit, cards_in,
                               children_of, fill_slots, open_cards, place_of, safe_cards, types_of, unpack)
from .joker_position cimport UNSEEN, mixed, shuffle

from ...rules import Deck

cdef enum:
    MOST_HIDDEN = 21        # face-down cards of a deal,
    MOST_BESIDE = 24        # and those of its stock


# --- What is seen ---------------------------------------------------------------------------------------

cdef void hide(const Desk* truth, int known, Seen* seen) noexcept nogil:
    """Hide the cards of ``truth`` that a person has not seen who knows so many of the waste and the stock."""
    cdef int column, i
    seen.desk = truth[0]
    seen.known = known
    for column in range(truth.columns):
        for i in range(truth.hidden[column]):
            seen.desk.card[column][i] = UNSEEN
    for i in range(known, truth.slot_count):
        seen.desk.slots[i] = UNSEEN


cdef int known_after(const Desk* before, int known, const Desk* after) noexcept nogil:
    """Count the cards of the waste and the stock that have been seen after a move: those that left are gone,
    and those that were turned are there."""
    return max(known - (before.slot_count - after.slot_count), after.waste)


def check_view(view):
    """Raise ValueError for a view that a desk cannot hold."""
    if len(view.columns) != COLUMNS or len(view.hidden) != COLUMNS:
        raise ValueError(f"expected {COLUMNS} columns, got {len(view.columns)}")
    if not all(0 <= hidden < COLUMNS for hidden in view.hidden) or sum(view.hidden) > MOST_HIDDEN:
        raise ValueError(f"expected 0 to 6 face-down cards in each column, got {view.hidden}")
    if len(view.foundations) != 4 or not all(0 <= height <= 13 for height in view.foundations):
        raise ValueError(f"foundations: expected four heights up to 13, got {view.foundations}")
    beside = view.stock + len(view.waste)
    if view.stock < 0 or beside > MOST_BESIDE:
        raise ValueError(f"expected at most {MOST_BESIDE} cards in stock and waste, got {beside}")
    if len(view.known_stock) not in (0, view.stock):
        known = len(view.known_stock)
        raise ValueError(f"expected all or none of {view.stock} cards of the stock to be known, got {known}")
    cards = [card for pile in (*view.columns, view.waste, view.known_stock) for card in pile]
    if len(cards) > CARDS or not all(0 <= card < CARDS for card in cards):
        raise ValueError(f"expected at most {CARDS} cards of the deck, got others or more")
    if len(view.unseen()) != sum(view.hidden) + (0 if view.known_stock else view.stock):
        raise ValueError("expected each card once, got one twice or missing")


cdef void load_view(Seen* seen, view) except *:
    """Load a `rules.klondike.View`. Raises ValueError for one of no game."""
    check_view(view)
    columns = [(UNSEEN,) * hidden + cards for hidden, cards in zip(view.hidden, view.columns, strict=True)]
    load_desk(&seen.desk, Deck(), view, columns, view.known_stock or (UNSEEN,) * view.stock)
    seen.known = len(view.waste) + len(view.known_stock)


# --- Worlds ---------------------------------------------------------------------------------------------

cdef bint open_world(World* world, const Seen* seen) noexcept nogil:
    """Load what is seen, the unseen cards in ascending order; false if its key would be too long."""
    cdef Desk desk = seen.desk
    cdef uint64_t left = bit(CARDS) - 1
    cdef int column, suit, i, card, taken = 0
    for suit in range(4):
        for i in range(desk.height[suit]):
            left &= ~bit(4 * i + suit)
    for column in range(desk.columns):
        world.hidden[column] = desk.hidden[column]
        for i in range(desk.hidden[column], desk.size[column]):
            left &= ~bit(desk.card[column][i])
    for i in range(seen.known):
        left &= ~bit(desk.slots[i])
    world.slots = desk.slot_count
    world.known = seen.known
    world.unseen_count = 0
    while left:
        card = take_bit(&left)
        world.unseen[world.unseen_count] = place_of(card)
        if taken < desk.slot_count - seen.known:
            desk.slots[seen.known + taken] = card
            taken += 1
        else:
            put_hidden(&desk, seen, world.unseen_count - taken, card)
        world.unseen_count += 1
    return open_classes(&world.layout, &desk, &world.root)


cdef void put_hidden(Desk* desk, const Seen* seen, int number, int card) noexcept nogil:
    """Put a card in the place of the face-down card with a number, from 0."""
    cdef int column
    for column in range(desk.columns):
        if number < seen.desk.hidden[column]:
            desk.card[column][number] = card
            return
        number -= seen.desk.hidden[column]


cdef void shuffle_world(World* world, SplitMix* chance) noexcept nogil:
    cdef Layout* layout = &world.layout
    cdef uint8_t card
    cdef uint8_t cards[CARDS]
    cdef uint64_t below
    cdef int i, column, count = world.unseen_count
    for i in range(count):
        cards[i] = world.unseen[i]
    shuffle(cards, count, chance)
    for column in range(layout.columns):
        below = 0
        for i in range(world.hidden[column]):
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
    if count > 0:
        for i in range(world.known, world.slots):
            count -= 1
            layout.slot_card[i] = cards[count]
            layout.slot_of[cards[count]] = i
        fill_slots(layout)


# --- Positions in a world -------------------------------------------------------------------------------

cdef inline int field_of(const World* world, const Position* p) noexcept nogil:
    return p.key >> world.layout.waste_at & 127


cdef int turned_in(const World* world, const Position* p) noexcept nogil:
    """Count the cards of the waste and the stock that are seen in ``p``: all, except in the first pass. With
    unlimited passes a waste that k divides is taken to be followed by the rest."""
    cdef int field = field_of(world, p)
    if world.known == world.slots:
        return p.count
    if world.layout.passes == 0:
        return field if field > 0 else p.count
    return field if field < world.layout.stride else p.count


cdef inline uint64_t unturned_in(const World* world, const Position* p) noexcept nogil:
    """Return the slots of the cards of the stock that are not seen in ``p``."""
    cdef uint64_t slots = p.slots
    cdef int _
    if world.known == world.slots:
        return 0
    for _ in range(turned_in(world, p)):
        slots &= slots - 1
    return slots


cdef uint64_t key_drawn(const World* world, const Position* p) noexcept nogil:
    """Return the key after a draw of unseen cards."""
    cdef int waste = min(turned_in(world, p) + world.layout.draw, p.count)
    cdef uint64_t key = p.key & ~(<uint64_t>127 << world.layout.waste_at)
    if world.layout.passes == 0 and (waste == p.count or waste % world.layout.draw == 0):
        return key
    return key | <uint64_t>waste << world.layout.waste_at


cdef uint64_t hash_of(const World* world, const Position* p) noexcept nogil:
    """Hash all that a person sees of a class to 64 bits, the same in all moments of a game: redeals stand
    apart, since a key counts them in strides of the cards that its world was opened with. The cards of the
    waste and the stock that were seen count in their order, which differs from sample to sample."""
    cdef const Layout* layout = &world.layout
    cdef uint64_t unturned = unturned_in(world, p), slots = p.slots & ~unturned, sum, word = 0
    cdef uint64_t unseen = layout.all & ~(p.up | p.stock | p.face)
    cdef int column, left, field = field_of(world, p)
    while unturned:
        unseen |= bit(layout.slot_card[take_bit(&unturned)])
    sum = mixed(mixed(1, p.up), unseen)
    while slots:
        sum = mixed(sum, layout.slot_card[take_bit(&slots)])
    for column in range(layout.columns):
        left = p.key >> layout.shift[column] & layout.mask[column]
        word = word << 9 | left << 6
        if layout.base[column][left]:
            word |= lowest_bit(layout.base[column][left])
    return mixed(mixed(sum, word), field // layout.stride << 6 | field % layout.stride)


# --- Moves -----------------------------------------------------------------------------------------------

cdef float[TERMS] WEIGHT = [
    # up from a column: by rank above the lowest foundation; it turns a card up; it empties a column, with
    # kings waiting; it was the last of its kind to carry a card that could land there
    170.0, -20.0, 500.0, -20.0, 10.0, -40.0,
    # a base lands: it turns a card up, by rank, by those hidden; it empties a column, with kings waiting
    600.0, 10.0, 5.0, -30.0, 260.0,
    # a card of the stock up: by rank; the last to carry one
    350.0, -18.0, -25.0,
    # a card of the stock lands: by rank, a run over hidden cards could go on it; a king, with kings waiting;
    # on the last card that a base could land on
    300.0, 6.0, 100.0, -100.0, -50.0,
    # a card comes back; a draw of cards not seen; the waste turned over, where that is limited
    -150.0, 50.0, -300.0,
    # after the choice: cards of the stock that may be played, bases that may land and turn a card up, cards
    # that go up
    10.0, 50.0, 10.0,
]


cdef struct Survey:
    uint64_t covering   # bases with face-down cards beneath
    uint64_t wanted     # types on which one of them could land
    int lowest          # foundation
    bint has_kings      # that wait for an empty column


cdef inline void survey(const World* world, const Position* p, Survey* s) noexcept nogil:
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


cdef inline bint is_last_host(const Position* p, int card) noexcept nogil:
    """Test whether no other bare card is like ``card``, which is bare."""
    cdef int pair = card & ~1
    return (p.counts >> pair & 3) <= 1


cdef float score_of(const World* world, const Position* p, const Survey* s, int kind,
                    int card) noexcept nogil:
    """Score a move by itself."""
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
    """Score the options after a move."""
    cdef Position q
    cdef uint64_t cards
    cdef int at = world.layout.waste_at, stride = world.layout.stride, redeals = 0
    unpack(&world.layout, key, &q)
    cards = cards_in(&world.layout, open_cards(&world.layout, False, &q))
    if world.layout.passes > 0 and world.layout.slots > 0:
        redeals = <int>(key >> at & 127) // stride - <int>(before >> at & 127) // stride
    return max(0, redeals) * WEIGHT[PASSES] + (
        WEIGHT[OPEN_SLOTS] * count_bits(cards & (q.next | q.fits))
        + WEIGHT[OPEN_TURNS] * count_bits(q.bases & s.covering & q.fits)
        + WEIGHT[OPEN_UPS] * count_bits(q.next & q.face & q.bare)
    )


cdef inline void add(Choice* choices, int* count, int kind, int card, int then, int other,
                     float score) noexcept nogil:
    cdef Choice* choice = &choices[count[0]]
    if count[0] < MOST_KLONDIKE_CHOICES:
        choice.kind = kind
        choice.source = card
        choice.count = 1
        choice.rank = then
        choice.target = other
        choice.suit = -1
        choice.score = score
        count[0] += 1


cdef inline int top_of_waste(const World* world, const Position* p, int turned) noexcept nogil:
    """Return the top of a waste of so many cards, -1 if it is empty."""
    cdef uint64_t slots = p.slots
    cdef int _
    if turned == 0:
        return -1
    for _ in range(turned - 1):
        slots &= slots - 1
    return world.layout.slot_card[lowest_bit(slots)]


cdef int choices_of(const World* world, const Position* p, Choice* choices) noexcept nogil:
    """Write the choices with their scores; return their number, 0 at the end of play."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef Survey s
    cdef int i, kind, card, top = -1, count = 0, turned = turned_in(world, p)
    cdef int found = children_of(&world.layout, False, p, keys, codes)
    cdef bint is_blind = turned < p.count
    survey(world, p, &s)
    if is_blind:
        top = top_of_waste(world, p, turned)
    for i in range(found):
        kind = codes[i] >> 8
        card = codes[i] & 255
        if is_blind and (kind == RAISE_SLOT or kind == LAND_SLOT) and card != top:
            continue
        if kind == BRING_BACK:
            add_back(world, p, &s, card, keys[i], is_blind, top, choices, &count)
        else:
            add(choices, &count, kind, card, -1, -1,
                score_of(world, p, &s, kind, card) + prospects(world, &s, p.key, keys[i]))
    if is_blind:
        add(choices, &count, DRAW, 0, -1, -1, WEIGHT[DRAWS])
    return count


cdef void add_back(const World* world, const Position* p, const Survey* s, int back,
                   uint64_t key, bint is_blind, int top, Choice* choices, int* count) noexcept nogil:
    """Add the choices in which a card comes back from its foundation for a move that needs it."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef Position q
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
        add(choices, count, BRING_BACK, back, kind, card,
            WEIGHT[BACK] + score_of(world, &q, s, kind, card) + prospects(world, s, p.key, keys[i]))


cdef uint64_t key_after(const World* world, const Position* p, const Choice* choice) noexcept nogil:
    """Return the key after a choice of ``p``."""
    cdef Position q
    cdef uint64_t key
    if choice.kind == DRAW:
        return key_drawn(world, p)
    key = key_of_child(world, p, choice.kind << 8 | choice.source)
    if choice.kind == BRING_BACK:
        unpack(&world.layout, key, &q)
        key = key_of_child(world, &q, choice.rank << 8 | choice.target)
    return key


cdef inline uint64_t key_of_child(const World* world, const Position* p, uint32_t code) noexcept nogil:
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int i, count = children_of(&world.layout, False, p, keys, codes)
    for i in range(count):
        if codes[i] == code:
            return keys[i]
    return p.key


cdef int safe_choice(const World* world, const Position* p) noexcept nogil:
    """Return the bit of a card of a column that is a safe foundation move, -1 if there is none."""
    cdef uint64_t found = safe_cards(&world.layout, p.key) & p.face & p.bare
    return lowest_bit(found) if found else -1


cdef void follow_choice(Line* line, Desk* desk, const Choice* choice) noexcept nogil:
    """Make the moves of a choice on ``desk`` and append them to ``line``."""
    if choice.kind == DRAW:
        make(line, desk, STOCK, WASTE, 1, NO_SUIT)
        return
    follow(line, desk, choice.kind << 8 | choice.source)
    if choice.kind == BRING_BACK:
        follow(line, desk, choice.rank << 8 | choice.target)
