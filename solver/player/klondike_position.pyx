"""Information sets of Klondike with redeals, and determinizations: the unseen cards in some order.

A `Seen` is an information set, what a person sees: the desk, with `UNSEEN` in the place of each card that
is face down in a column, or in the stock and never turned. Once the waste was turned over the whole stock
is known, in its order. The player is given this and never the true order.

A `World` is a determinization: an information set with an order of the unseen cards, as classes of
`klondike.state`. The unseen cards are equally likely to lie in any order, because every card that was seen
was turned up without regard to its value. A shuffle takes them in ascending order, not in their true one,
of which it would otherwise be a function.

With unlimited passes a pass through the whole stock costs nothing where k divides the waste, for a draw of
k: what may be played before may be played after it. So the player looks through the whole stock before it
plays.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from ..klondike.line cimport open_classes
from ..klondike.state cimport bit, place_of
from .joker_position cimport draw

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
    cdef Desk* desk = &seen.desk
    check_view(view)
    memset(desk, 0, sizeof(Desk))
    desk.columns = len(view.columns)
    desk.ranks = 13
    desk.suits = 15
    desk.draw = view.choices.cards_drawn
    desk.passes = view.choices.most_passes or 0
    desk.backward = view.choices.has_worrying_back
    desk.redeals = view.redeals
    for suit in range(4):
        desk.height[suit] = view.foundations[suit]
    for column, cards in enumerate(view.columns):
        desk.hidden[column] = view.hidden[column]
        desk.size[column] = view.hidden[column] + len(cards)
        for i in range(view.hidden[column]):
            desk.card[column][i] = UNSEEN
        for i, card in enumerate(cards, view.hidden[column]):
            desk.card[column][i] = card
    desk.waste = len(view.waste)
    desk.slot_count = desk.waste + view.stock
    for i, card in enumerate(view.waste + view.known_stock):
        desk.slots[i] = card
    seen.known = desk.waste + len(view.known_stock)
    for i in range(seen.known, desk.slot_count):
        desk.slots[i] = UNSEEN


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
        card = lowest_bit(left)
        left &= left - 1
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
    """Shuffle the unseen cards."""
    cdef Layout* layout = &world.layout
    cdef uint8_t cards[CARDS]
    cdef uint8_t card
    cdef uint64_t below
    cdef int i, j, column, count = world.unseen_count
    for i in range(count):
        cards[i] = world.unseen[i]
    for i in range(count - 1, 0, -1):
        j = (draw(chance) >> 32) * (i + 1) >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
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


cdef void fill_slots(Layout* layout) noexcept nogil:
    """Fill the table of the cards of every choice of eight slots."""
    cdef int group, i
    for group in range(4):
        for i in range(1, 256):
            layout.slot_cards[group][i] = layout.slot_cards[group][i & (i - 1)]
            if 8 * group + lowest_bit(i) < layout.slots:
                layout.slot_cards[group][i] |= bit(layout.slot_card[8 * group + lowest_bit(i)])


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


cdef uint64_t unseen_in(const World* world, const Position* p) noexcept nogil:
    """Return the cards that are not seen in ``p``."""
    cdef uint64_t slots = unturned_in(world, p), found = world.layout.all & ~(p.up | p.stock | p.face)
    while slots:
        found |= bit(world.layout.slot_card[lowest_bit(slots)])
        slots &= slots - 1
    return found


cdef uint64_t key_drawn(const World* world, const Position* p) noexcept nogil:
    """Return the key after a draw of unseen cards."""
    cdef int waste = min(turned_in(world, p) + world.layout.draw, p.count)
    cdef uint64_t key = p.key & ~(<uint64_t>127 << world.layout.waste_at)
    if world.layout.passes == 0 and (waste == p.count or waste % world.layout.draw == 0):
        return key
    return key | <uint64_t>waste << world.layout.waste_at


cdef inline uint64_t mixed(uint64_t sum, uint64_t value) noexcept nogil:
    """Mix one more value into a hash."""
    sum = (sum ^ value) * <uint64_t>0x9DDFEA08EB382D69
    return sum ^ (sum >> 32)


cdef uint64_t hash_of(const World* world, const Position* p) noexcept nogil:
    """Hash all that a person sees of a class to 64 bits, the same in all moments of a game: redeals stand
    apart, since a key counts them in strides of the cards that its world was opened with. The cards of the
    waste and the stock that were seen count in their order, which differs from sample to sample."""
    cdef const Layout* layout = &world.layout
    cdef uint64_t slots = p.slots & ~unturned_in(world, p), sum, word = 0
    cdef int column, left, field = field_of(world, p)
    sum = mixed(mixed(1, p.up), unseen_in(world, p))
    while slots:
        sum = mixed(sum, layout.slot_card[lowest_bit(slots)])
        slots &= slots - 1
    for column in range(layout.columns):
        left = p.key >> layout.shift[column] & layout.mask[column]
        word = word << 9 | left << 6
        if layout.base[column][left]:
            word |= lowest_bit(layout.base[column][left])
    return mixed(mixed(sum, word), field // layout.stride << 6 | field % layout.stride)
