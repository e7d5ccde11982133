"""A lower bound of the moves that a position needs. A draw is a move, redeals and turning up are none.

Kinds of moves are counted, and no move is of two kinds.

- *The last move of each card.* A card that is not up has to go up once more, and a card goes up by itself.
- *The first draw of each card of the stock.* It must be turned once more, and a draw turns k at most.
- *The first move of a card that waits in its column.* It lies above a lower card of its suit, which must go
  up before. That cannot until it has left the column, and it cannot leave for the foundations: so this is not
  its last move. A face-down card moves by itself then, as the deepest of its run: what lies beneath is face
  down. Of the face-up cards of a column one move may take several that wait, so they count as one. The lower
  card is a face-down one in any case, since ranks fall along what is face up.
- *What cards of the waste that wait need.* Such a card was turned after a lower one of its suit, which still
  lies beneath it. It leaves the waste for a column, which is not its last move; or the waste is turned over
  before. If u of the b that wait are turned over, so are they and the lowest card that one of them waits for:
  u + 1 cards at least are drawn again, by ceil((u + 1) / k) draws after the redeal. None of these is a first
  one, as the stock is empty when the waste is turned over. So b - u + ceil((u + 1) / k) moves are needed, or
  b if u = 0, the fewest of all being min(b, ceil((b + 1) / k)); without another pass b.

A fifth kind takes longer to count. Let all cards of the stock and the waste be free to go up in their turn,
and so each card that waits in its column, with its run, as soon as nothing but its run lies on it; all
others go up from the top of their run alone. If that ends before all cards are up, some card moves that
waits for none of its suit below it, and not for the last time: a run, or part of one, leaves its column for
the first time. Let all runs be free then, which allows more, and go on. So many moves are needed as that
happens. What is up or free here is so at each stage before the next such move of a line; moves of the third
kind are others.

Cards that come back from the foundations need a further last move, and are counted once; what is counted of
the others holds whether they were up in between or not.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from ..core.bits cimport lowest_bit
from .table cimport MOST_COLUMNS, NONE, Start, Table, bit, rank_of, run_from, suit_of

cdef struct Rest:           # what is not up
    int height[4]
    uint64_t free           # cards that go up in their turn
    uint64_t run[2 * MOST_COLUMNS]  # those on top of each column that cards were dealt to, then of kings
    int left[2 * MOST_COLUMNS]      # dealt cards
    int columns


cdef int cards_left(const Start* start, const Table* t) noexcept nogil:
    """The cards that are not up."""
    return 4 * start.ranks - t.height[0] - t.height[1] - t.height[2] - t.height[3]


cdef int stock_needs(const Start* start, const Table* t, int count, int waste, int redeals) noexcept nogil:
    """What the stock and the waste add, ``waste`` of ``count`` cards being in the waste: the first slots of
    ``t``."""
    cdef int lowest[4]
    cdef int i, card, waiting = 0
    for i in range(4):
        lowest[i] = NONE
    for i in range(waste):
        card = t.slot[i]
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
        else:
            waiting += 1
    if start.passes == 0 or redeals + 1 < start.passes:
        waiting = min(waiting, (waiting + start.draw) // start.draw)
    return (count - waste + start.draw - 1) // start.draw + waiting


cdef int columns_need(const Start* start, const Table* t) noexcept nogil:
    """What the columns add."""
    cdef int column, total = 0
    for column in range(start.columns):
        total += column_needs(start, column, t.left[column], t.runs[column])
    return total


cdef int others_need(const Start* start, const Table* t) noexcept nogil:
    """What the columns add beside; see the fifth kind."""
    cdef Rest rest
    cdef uint64_t kings = t.face & start.kings & ~t.bases
    cdef int rounds = 0, i
    memcpy(rest.height, t.height, sizeof(rest.height))
    rest.free = 0
    for i in range(t.count):
        rest.free |= bit(t.slot[i])
    for i in range(start.columns):
        rest.run[i] = t.runs[i]
        rest.left[i] = t.left[i]
    rest.columns = start.columns
    while kings:
        rest.run[rest.columns] = run_from(t, lowest_bit(kings))
        rest.left[rest.columns] = 0
        rest.columns += 1
        kings &= kings - 1
    while not all_go_up(start, &rest):
        rounds += 1
        for i in range(rest.columns):
            release(start, &rest, i)
    return rounds


cdef inline void release(const Start* start, Rest* rest, int column) noexcept nogil:
    """A run leaves its column, and the next card is turned up."""
    rest.free |= rest.run[column]
    rest.run[column] = 0
    turn_up(start, rest, column)


cdef inline void turn_up(const Start* start, Rest* rest, int column) noexcept nogil:
    """The next card of a column without a run is turned up."""
    if rest.left[column] > 0:
        rest.left[column] -= 1
        if rest.left[column] > 0:
            rest.run[column] = bit(start.dealt[column][rest.left[column] - 1])


cdef inline bint raise_free(const Start* start, Rest* rest) noexcept nogil:
    """Put up what is free; whether there was any."""
    cdef bint moved = False
    cdef int suit
    for suit in range(4):
        while rest.height[suit] < start.ranks and rest.free >> (4 * rest.height[suit] + suit) & 1:
            rest.height[suit] += 1
            moved = True
    return moved


cdef bint all_go_up(const Start* start, Rest* rest) noexcept nogil:
    """Put up what goes up, and let free what waits; whether all columns are empty then."""
    cdef bint moved = True, is_empty = False
    cdef int column, top
    while moved:
        moved = raise_free(start, rest)
        is_empty = True
        for column in range(rest.columns):
            while rest.run[column]:
                top = lowest_bit(rest.run[column])
                if rank_of(top) == rest.height[suit_of(top)]:
                    rest.height[suit_of(top)] += 1
                    rest.run[column] &= rest.run[column] - 1
                    if not rest.run[column]:
                        turn_up(start, rest, column)
                elif rest.left[column] > 0 and rest.run[column] & start.over[column][rest.left[column]]:
                    release(start, rest, column)
                else:
                    is_empty = False
                    break
                moved = True
    return is_empty
