"""Positions of one-pass Klondike packed in two words, and macros for moves.

The key tells which slots of the waste hold a card, how many were turned, how many dealt cards are left in
each column, the foundations, and of each card that lies on another one on which of the two that may carry it.
All else follows. A card is face up in a column if it is nowhere else. The last of the dealt cards left in a
column is face up, and what else is face up lies on a card of the next rank, but those of the top rank, which
hold columns where no dealt card is left. So a key is exact, up to the order of columns.

Four facts spare moves. Each keeps a shortest line from every position, to any score.

A turn is followed by a turn or by a play of the card turned. Another move M neither needs nor changes stock
and waste, so "turn, M" and "M, turn" lead to the same; M comes first. Turns at the end of a line are idle.

A lateral move, of a card y and what lies on it from x to the twin of x, is followed by x going up. Else
leave it out, and go on as the line does with x and its twin in each other's part as carriers: what the line
puts on one goes on the other, whole columns and cards turned up are the same, and either moves along with
what lies on it. That ends where the loads agree again, or where one of the two goes up while the other one
carries a load that lies on it here. Then the lateral move is made, at the earliest now, and once.

A card goes up at once if no card may have use of it as a place: `is_wanted` tells. Whatever line is played,
make it without its moves of this card as the deepest; what it puts on the card goes up instead, which was due
anyway. The card's own move up comes first instead of later; and in a line to less than all places that never
raises it the last move, which raises another card, is left out.

A card of the top rank that is alone at the bottom of a column does not move to an empty one.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport count_bits, highest_bit, lowest_bit
from .cards cimport bit, colour_of
from .packing cimport EMPTY, FROM_WASTE, MOVE, RAISE, code_of, mover_in, play_in, target_in, turning, turns_in
from .plain cimport PlainGame


# --- The layout -----------------------------------------------------------------------------------------


cdef void open_layout(OnePassLayout* layout, OnePassKey* key, const PlainGame* game, int goal) noexcept nogil:
    """Begin at ``game``, in which no joker is left, to reach a score of ``goal``."""
    cdef int suit
    memset(layout, 0, sizeof(OnePassLayout))
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


cdef void fill_slots(OnePassLayout* layout, OnePassKey* key, const PlainGame* game) noexcept nogil:
    """The waste and the stock."""
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


cdef void fill_columns(OnePassLayout* layout, OnePassKey* key, const PlainGame* game) noexcept nogil:
    """The columns. The fields of the dealt cards left take no more bits than there are such cards, so they
    fit above the slots."""
    cdef int column, i, card, count, shift = layout.slots
    for column in range(game.columns):
        count = game.hidden[column] + 1 if game.size[column] > 0 else 0
        if count == 1 and layout.top_rank >> game.card[column][0] & 1:
            count = 0       # as if it had come from elsewhere
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


cdef void take_apart(const OnePassLayout* layout, const OnePassKey* key, OnePassPosition* p) noexcept nogil:
    """What a key tells."""
    cdef uint64_t elsewhere = 0, slots
    cdef int suit, column, left, four = 0
    p.key = key[0]
    p.turned = turned_in(key)
    p.waste = key.piles & (bit(layout.slots) - 1)
    p.top = highest_bit(p.waste) if p.waste else -1
    p.up = p.bases = 0
    for suit in range(4):
        p.up |= (CLUBS & (bit(4 * height_in(key, suit)) - 1)) << suit
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


cdef inline bint is_wanted(const OnePassLayout* layout, const OnePassKey* key, int card) noexcept nogil:
    """Whether some card may have use of ``card`` as a place that does not go up as soon, and what would
    lie on it too.

    These are the two of the next lower rank and the other colour. If both are up or next, they may go up
    instead. But a card of the colour of ``card`` could lie on them: that of its own suit is up, the other one
    has to be up or next too. What could lie on that one is up then.
    """
    cdef int rank = card >> 2, suit, lowest = 99, twin = 99
    for suit in range(4):
        if layout.suits >> suit & 1:
            if colour_of(suit) != colour_of(card):
                lowest = min(lowest, height_in(key, suit))
            elif suit != card & 3:
                twin = height_in(key, suit)
    return lowest < rank - 1 or (lowest < rank and twin < rank - 2)


cdef int raise_safe(
    const OnePassLayout* layout, OnePassKey* key, OnePassPosition* p, uint8_t* raised
) noexcept nogil:
    """Put up what goes up at once, until the goal is reached: how many cards, written to ``raised`` too
    unless it is NULL. ``p`` is what ``key`` tells then."""
    cdef int count = 0, suit, card
    cdef bint any = True
    take_apart(layout, key, p)
    while any:
        any = False
        for suit in range(4):
            card = 4 * height_in(key, suit) + suit
            if not may_rise(layout, p, card) or is_wanted(layout, key, card):
                continue
            if score_in(key) >= layout.goal:
                return count
            if raised != NULL:
                raised[count] = card
            put_up(layout, p, card, key)
            count += 1
            take_apart(layout, key, p)
            any = True
            break
    return count


cdef inline bint may_rise(const OnePassLayout* layout, const OnePassPosition* p, int card) noexcept nogil:
    """Whether the next card of a foundation is on top of a column or of the waste."""
    if card >= NATURALS or not layout.present >> card & 1:
        return False
    return p.face & ~p.covered & bit(card) or (p.top >= 0 and layout.slot_card[p.top] == card)


# --- Moves ----------------------------------------------------------------------------------------------


cdef inline void leave(
    const OnePassLayout* layout, const OnePassPosition* p, int card, OnePassKey* key
) noexcept nogil:
    """A face-up card leaves its place in a column."""
    if p.bases >> card & 1:
        key.piles -= bit(layout.shift[layout.column_of[card]])
    else:
        key.cards &= ~(p.runs & bit(card))


cdef inline void put_up(
    const OnePassLayout* layout, const OnePassPosition* p, int card, OnePassKey* key
) noexcept nogil:
    """The top of a column or of the waste goes up."""
    if p.face >> card & 1:
        leave(layout, p, card, key)
    else:
        key.piles ^= bit(p.top)
    key.cards += bit(48 + 4 * (card & 3))


cdef int perform(
    const OnePassLayout* layout, const OnePassPosition* p, uint32_t code, OnePassKey* child
) noexcept nogil:
    """The position after a macro: its moves."""
    cdef int turns = turns_in(code), card = mover_in(code), target = target_in(code)
    cdef uint64_t above
    child[0] = p.key
    if turns > 0:
        child.piles += <uint64_t>turns << 58
        child.piles |= (bit(turns) - 1) << p.turned
    if play_in(code) == RAISE:
        if p.face >> card & 1:
            above = carried(bit(card), p.second) & p.runs
            child.cards ^= above        # a lateral move
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


cdef int macros_of(const OnePassLayout* layout, const OnePassPosition* p, uint32_t* codes) noexcept nogil:
    """Write the macros down: their number."""
    cdef uint64_t open = p.face & ~p.covered
    cdef int count = raising(layout, p, open, codes)
    count = moving(layout, p, open, codes, count)
    return turning_up(layout, p, open, codes, count)


cdef int raising(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t open, uint32_t* codes
) noexcept nogil:
    """Cards go up, from the waste without a turn or from columns, some after a lateral move."""
    cdef int suit, card, count = 0
    cdef uint64_t above
    for suit in range(4):
        card = 4 * height_in(&p.key, suit) + suit
        if may_rise(layout, p, card):
            codes[count] = code_of(RAISE, card, 0)
            count += 1
        elif card < NATURALS and p.face >> card & 1:
            above = carried(bit(card), p.second) & p.runs
            if carriers(above, p.second ^ above) & open:
                codes[count] = code_of(RAISE, card, 0)
                count += 1
    return count


cdef int moving(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t open, uint32_t* codes, int count
) noexcept nogil:
    """All that is face up in a column moves."""
    cdef uint64_t rest = p.bases
    cdef int card
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        if layout.top_rank >> card & 1 and p.left[layout.column_of[card]] == 1:
            continue
        count = placing(layout, p, open, MOVE, card, codes, count)
    return count


cdef int turning_up(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t open, uint32_t* codes, int count
) noexcept nogil:
    """Cards are turned, none or more, and the last one is played."""
    cdef int turns, slot, card, was = count
    for turns in range(layout.slots - p.turned + 1):
        slot = p.turned + turns - 1 if turns > 0 else p.top
        if slot < 0:
            continue
        card = layout.slot_card[slot]
        was = count
        if turns > 0 and height_in(&p.key, card & 3) == card >> 2:
            codes[count] = code_of(RAISE, card, 0)
            count += 1
        count = placing(layout, p, open, FROM_WASTE, card, codes, count)
        while was < count:
            codes[was] |= turning(turns)
            was += 1
    return count


cdef inline int placing(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t open, int play, int card, uint32_t* codes,
    int count
) noexcept nogil:
    """A card, and what lies on it, goes to the places for it."""
    cdef uint64_t places
    if layout.top_rank >> card & 1:
        if p.empty > 0:
            codes[count] = code_of(play, card, EMPTY)
            count += 1
        return count
    places = (carriers(bit(card), 0) | carriers(bit(card), bit(card))) & open
    while places:
        codes[count] = code_of(play, card, lowest_bit(places))
        count += 1
        places &= places - 1
    return count
