# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""An upper bound of the score that a position without live jokers can reach: a relaxation in which nothing is
ever taken away.

Each card has two marks. *Bare*: it may once lie face up with nothing on it. *Holder*: so in a column. A card
is bare if it is so now, if it is in the stock, or if the card that covers it may leave. A card may leave if
it is bare and its foundation place comes next after marked ones; if it is face up once and some holder,
other than what it lies on, fits; or if it is a king and some column may be emptied. All marks of the true
game are made here too, since each true move needs only things marked before. The bound is the number of
foundation places marked.
"""

from libc.stdint cimport uint8_t, uint64_t

from .joker_state cimport (NO_HIDDEN, NONE, Layout, Position, __builtin_ctzll, __builtin_popcountll,
                           arrange, bit)

cdef uint64_t HOLDERS[52]
for card in range(52):
    HOLDERS[card] = 0
    for suit in range(4):
        if card < 48 and ((card & 3) in (1, 2)) != (suit in (1, 2)):
            HOLDERS[card] |= bit(card // 4 * 4 + 4 + suit)


cdef int upper_bound(const Layout* layout, const Position* p) noexcept nogil:
    """A score that cannot be surpassed from a position whose jokers are out of play."""
    cdef uint8_t beneath[54]        # what a card covers in its column or in the waste, or NONE
    cdef uint8_t above[54]
    cdef uint64_t bare, holders, left = 0, up = p.filled, rest, face = p.face, fresh
    cdef uint64_t in_tableau = p.face, movable
    cdef int card, column, i, last
    cdef bint again = True, emptied = p.empty > 0
    arrange(p, above)
    for column in range(layout.columns):
        if p.hidden[column] > 0:
            for i in range(1, p.hidden[column]):
                beneath[layout.buried[column][i]] = layout.buried[column][i - 1]
            for i in range(p.hidden[column]):
                in_tableau |= bit(layout.buried[column][i])
            beneath[layout.buried[column][0]] = NONE
    rest = p.face
    while rest:
        card = __builtin_ctzll(rest)
        rest &= rest - 1
        beneath[card] = NONE
        if p.bases & bit(card) and p.column_of[card] != NO_HIDDEN:
            column = p.column_of[card]
            beneath[card] = layout.buried[column][p.hidden[column] - 1]
    bare = 0
    rest = p.face
    while rest:
        card = __builtin_ctzll(rest)
        rest &= rest - 1
        if above[card] != NONE:
            beneath[above[card]] = card
        else:
            bare |= bit(card)
    last = NONE
    rest = p.waste
    while rest:
        card = layout.slot_card[__builtin_ctzll(rest)]
        rest &= rest - 1
        beneath[card] = last
        last = card
    holders = bare
    rest = layout.stock_from[p.turned]
    bare |= rest
    while rest:
        beneath[__builtin_ctzll(rest)] = NONE
        rest &= rest - 1
    if last != NONE:
        bare |= bit(last)
    face |= bare
    while again:
        again = False
        # Up: bare cards next to marked places.
        fresh = (up << 4 | 15) & bare & ~up
        while fresh:
            up |= fresh
            again = True
            fresh = (up << 4 | 15) & bare & ~up
        movable = face & ~left
        while movable:
            card = __builtin_ctzll(movable)
            movable &= movable - 1
            if not (up & bit(card) or is_held(layout, holders, beneath[card], card, in_tableau, emptied)):
                continue
            left |= bit(card)
            again = True
            i = beneath[card]
            if i != NONE:
                bare |= bit(i)
                face |= bit(i)
                if in_tableau & bit(i):
                    holders |= bit(i)
            elif in_tableau & bit(card):
                emptied = True
            if not in_tableau & bit(card) and is_held(layout, holders, NONE, card, in_tableau, emptied):
                holders |= bit(card)
        # A card of the waste or the stock that left by going up may find a holder later.
        movable = left & ~in_tableau & ~holders
        while movable:
            card = __builtin_ctzll(movable)
            movable &= movable - 1
            if is_held(layout, holders, NONE, card, in_tableau, emptied):
                holders |= bit(card)
                again = True
    return __builtin_popcountll(up & layout.deck)


cdef inline bint is_held(
    const Layout* layout, uint64_t holders, int beneath, int card, uint64_t in_tableau, bint emptied
) noexcept nogil:
    """Whether a card may be put down somewhere else in the columns."""
    if card >> 2 == layout.ranks - 1:
        return emptied
    holders &= HOLDERS[card]
    if beneath != NONE and in_tableau & bit(card):
        holders &= ~bit(beneath)
    return holders != 0
