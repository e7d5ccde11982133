"""Positions with every place that matters for the number of moves, in 128 bits.

The classes of `state` leave aside lateral moves and draws, which cost moves. Here a key tells, up to the
order of the columns, all of a position:

    low   bits 0 .. 15     4 bits a suit of `rules`: its height, all ranks where the deck has not got it
          bits 16 ..       a bit for each slot that still holds a card
          then             of each column the number of dealt cards left, the base among them
    high  bits 0 .. 5      the cards in the waste
          bits 6 .. 8      the redeals, where passes are limited
          bits 9 ..        a bit for each type of card that can carry others: two a rank from the 2 on

Cards of one rank and colour are of one *type*; there are two, X1 and X2, and two cards y1 and y2 fit on them.
Which of these are face up and no bases the rest of the key tells; each lies on X1 or X2, and not both on one.
So one bit tells the arrangement: whether y1, or, where that lies on neither, y2 lies on X2. A king that is no
base stands in a column by itself, whichever that is.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport count_bits, lowest_bit

cdef void open_start(Start* start, const Desk* desk, uint64_t* low, uint64_t* high) noexcept nogil:
    """Begin at a state that `line.open_classes` takes; its key."""
    cdef int suit, rank, column, i, shift = SLOTS_AT + desk.slot_count
    cdef bint second
    memset(start, 0, sizeof(Start))
    start.ranks = desk.ranks
    start.columns = desk.columns
    start.slots = desk.slot_count
    start.draw = desk.draw
    start.passes = desk.passes
    start.backward = desk.backward
    low[0] = (bit(desk.slot_count) - 1) << SLOTS_AT
    high[0] = desk.waste
    if desk.passes > 0:
        high[0] |= <uint64_t>desk.redeals << REDEALS_AT
    start.kings = <uint64_t>15 << 4 * (desk.ranks - 1)
    for suit in range(4):
        for rank in range(desk.ranks):
            start.raised[suit][rank + 1] = start.raised[suit][rank] | bit(4 * rank + suit)
        i = desk.height[suit]
        if desk.suits >> suit & 1:
            start.deck |= start.raised[suit][desk.ranks]
        else:
            i = desk.ranks
        low[0] |= <uint64_t>i << 4 * suit
    for i in range(desk.slot_count):
        start.slot_card[i] = desk.slots[i]
        start.slot_of[desk.slots[i]] = i
    for column in range(desk.columns):
        shift = open_column(start, desk, column, shift, low)
    for second in (True, False):    # of two like cards the first one has the last word
        for column in range(desk.columns):
            for i in range(desk.hidden[column] + 1, desk.size[column]):
                if is_second(desk.card[column][i]) == second:
                    high[0] = with_place(high[0], desk.card[column][i - 1])


cdef int open_column(
    Start* start, const Desk* desk, int column, int shift, uint64_t* low
) noexcept nogil:
    """Take over the dealt cards of a column; the bit of the key after its field."""
    cdef uint8_t lowest[4]
    cdef uint64_t below = 0, over = 0
    cdef int i, card, count = desk.hidden[column] + 1 if desk.size[column] > 0 else 0, waiting = 0
    memset(lowest, NONE, sizeof(lowest))
    start.dealt_count[column] = count
    start.shift[column] = shift
    while start.mask[column] < count:
        start.mask[column] = 2 * start.mask[column] + 1
        shift += 1
    for i in range(count):
        card = desk.card[column][i]
        start.dealt[column][i] = card
        start.buried[column][i + 1] = below
        start.over[column][i + 1] = over
        start.waiting[column][i + 1] = waiting
        waiting += over >> card & 1
        below |= bit(card)
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
            over |= start.raised[suit_of(card)][start.ranks] & ~start.raised[suit_of(card)][rank_of(card) + 1]
    low[0] |= <uint64_t>field_of(start, column, count) << start.shift[column]
    return shift


cdef void read_table(const Start* start, Table* t, uint64_t low, uint64_t high) noexcept nogil:
    """Take a key apart."""
    cdef uint64_t slots = low >> SLOTS_AT & (bit(start.slots) - 1), gone = 0, kings
    cdef int suit, column, card
    t.low = low
    t.high = high
    t.waste = high & 63
    t.redeals = high >> REDEALS_AT & 7
    for suit in range(4):
        t.height[suit] = low >> 4 * suit & 15
        gone |= start.raised[suit][t.height[suit]]
    t.count = 0
    while slots:
        t.slot[t.count] = start.slot_card[lowest_bit(slots)]
        gone |= bit(t.slot[t.count])
        t.count += 1
        slots &= slots - 1
    t.bases = 0
    t.empty = start.columns
    memset(t.on, NONE, sizeof(t.on))
    memset(t.column, NONE, sizeof(t.column))
    for column in range(start.columns):
        t.left[column] = low >> start.shift[column] & start.mask[column]
        t.runs[column] = 0
        if t.left[column] > 0:
            card = start.dealt[column][t.left[column] - 1]
            gone |= start.buried[column][t.left[column]]
            t.bases |= bit(card)
            t.empty -= 1
    t.face = start.deck & ~gone
    kings = t.face & start.kings & ~t.bases
    t.empty -= count_bits(kings)
    t.placed = t.face & ~t.bases & ~kings
    t.bare = t.face
    place_all(t)
    for column in range(start.columns):
        card = start.dealt[column][t.left[column] - 1] if t.left[column] > 0 else NONE
        while card != NONE:
            t.column[card] = column
            t.runs[column] |= bit(card)
            card = t.on[card]


cdef inline void place_all(Table* t) noexcept nogil:
    """Lay the placed cards on their hosts."""
    cdef uint64_t rest = t.placed
    cdef int card, host
    cdef bint other_tells, on_second
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        host = first_host(card)
        other_tells = is_second(card) and t.placed >> like(card) & 1
        on_second = t.high >> type_at(host) & 1
        if on_second != other_tells:
            host = like(host)
        t.under[card] = host
        t.on[host] = card
        t.bare &= ~bit(host)
