"""Move generation of the player of Klondike with redeals, and the scores of the rule player.

A choice is a move between classes of `klondike.state`, with the draws and the lateral move that it needs. A
card comes back from a foundation only for a landing on it that turns a card up, empties a column or takes a
card of the stock, or for a base like it to go up, whose run it then carries: the two are one choice. So
each choice but going up is irreversible, and a game ends.

In the first pass through an unseen stock only the top of the waste is played, and a draw is a choice.

The scores are linear in the terms of WEIGHTS.
"""

from libc.stdint cimport uint32_t, uint64_t

from ..core.bits cimport count_bits, lowest_bit
from ..klondike.line cimport NO_SUIT, STOCK, WASTE, follow, make
from ..klondike.state cimport (
    BRING_BACK, LAND, LAND_SLOT, MOST_CHILDREN, RAISE, RAISE_SLOT, bit, children_of, open_cards, safe_cards,
    types_of, unpack, cards_in,
)
from .klondike_position cimport key_drawn, turned_in

WEIGHTS = (
    # up from a column: by rank above the lowest foundation; it turns a card up, by those hidden there; it
    # empties a column, with kings waiting; it was the last of its kind to carry a card that could land there
    *(170.0, -20.0, 500.0, 0.0, -20.0, 10.0, -40.0),
    # a base lands: it turns a card up, by rank, by those hidden; a king; it empties a column, with kings
    # waiting
    *(600.0, 10.0, 5.0, 0.0, -30.0, 260.0),
    # a card of the stock up: by rank; the last to carry one
    *(350.0, -18.0, -25.0),
    # a card of the stock lands: by rank, a run over hidden cards could go on it; a king, with kings waiting;
    # on the last card that a base could land on; by cards left
    *(300.0, 6.0, 100.0, 0.0, -100.0, -50.0, 0.0),
    # a card comes back, by rank
    *(-150.0, 0.0),
    # a draw of cards not seen; the waste turned over, where that is limited
    *(50.0, -300.0),
    # after the choice: cards of the stock that may be played, bases that may land and turn a card up, cards
    # that go up
    *(10.0, 50.0, 10.0),
)


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
        card = lowest_bit(found)
        found &= found - 1
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


cdef float score_of(
    const World* world, const Position* p, const Survey* s, const float* w, int kind, int card
) noexcept nogil:
    """Score a move by itself."""
    cdef int rank = card >> 2
    cdef bint is_base = p.bases >> card & 1
    cdef uint64_t kings = world.layout.kings
    cdef uint64_t like = types_of(bit(card))
    cdef float score = 0
    if kind == RAISE:
        score = w[UP_BASE] + w[UP_RANK] * (rank - s.lowest)
        if is_base and world.layout.row_of[card] > 0:
            score += w[UP_TURNS] + w[UP_HIDDEN] * world.layout.row_of[card]
        elif is_base:
            score += w[UP_EMPTIES_WANTED] if s.has_kings and p.empty == 0 else w[UP_EMPTIES]
        if is_last_host(p, card) and s.wanted & like:
            score += w[UP_HOST]
    elif kind == LAND:
        if world.layout.row_of[card] > 0:
            score = w[LAND_TURNS] + w[LAND_RANK] * rank + w[LAND_HIDDEN] * world.layout.row_of[card]
            if kings >> card & 1:
                score += w[LAND_KING]
        else:
            score = w[LAND_EMPTIES_WANTED] if s.has_kings and p.empty == 0 else w[LAND_EMPTIES]
    elif kind == RAISE_SLOT:
        score = w[SLOT_UP] + w[SLOT_UP_RANK] * (rank - s.lowest)
        if s.wanted & like:
            score += w[SLOT_UP_HOST]
    else:
        score = w[SLOT_LANDS] + w[SLOT_RANK] * rank + w[SLOT_LEFT] * p.count
        if s.wanted & like:
            score += w[SLOT_ENABLES]
        if kings >> card & 1:
            score += w[SLOT_KING]
            if s.has_kings:
                score += w[SLOT_KING_WANTED]
        elif is_last_host(p, card + 4) and s.covering & like:
            score += w[SLOT_TIGHT]
    return score


cdef inline int passes_between(const World* world, uint64_t before, uint64_t after) noexcept nogil:
    """Count the redeals from one key to another, where they are limited."""
    cdef int at = world.layout.waste_at, stride = world.layout.stride
    if world.layout.passes == 0 or world.layout.slots == 0:
        return 0
    return max(0, <int>(after >> at & 127) // stride - <int>(before >> at & 127) // stride)


cdef inline float prospects(
    const World* world, const Survey* s, const float* w, uint64_t before, uint64_t key
) noexcept nogil:
    """Score the options after a move."""
    cdef Position q
    cdef uint64_t cards
    unpack(&world.layout, key, &q)
    cards = cards_in(&world.layout, open_cards(&world.layout, False, &q))
    return passes_between(world, before, key) * w[PASSES] + (
        w[OPEN_SLOTS] * count_bits(cards & (q.next | q.fits))
        + w[OPEN_TURNS] * count_bits(q.bases & s.covering & q.fits)
        + w[OPEN_UPS] * count_bits(q.next & q.face & q.bare)
    )


cdef inline void add(
    Choice* choices, int* count, int kind, int card, int then, int other, float score
) noexcept nogil:
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


cdef int choices_of(const World* world, const Position* p, const float* w, Choice* choices) noexcept nogil:
    """Write the choices with their scores by the weights ``w``; return their number, 0 at the end of play."""
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
            add_back(world, p, &s, w, card, keys[i], is_blind, top, choices, &count)
        else:
            add(choices, &count, kind, card, -1, -1,
                score_of(world, p, &s, w, kind, card) + prospects(world, &s, w, p.key, keys[i]))
    if is_blind:
        add(choices, &count, DRAW, 0, -1, -1, w[DRAWS])
    return count


cdef void add_back(
    const World* world, const Position* p, const Survey* s, const float* w, int back, uint64_t key,
    bint is_blind, int top, Choice* choices, int* count
) noexcept nogil:
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
            w[BACK] + w[BACK_RANK] * (back >> 2) + score_of(world, &q, s, w, kind, card)
            + prospects(world, s, w, p.key, keys[i]))


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


cdef void read_weights(float* weights, values) except *:
    """Copy weights to numbers of C."""
    for i in range(TERMS):
        weights[i] = values[i]
