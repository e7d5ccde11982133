"""A lower bound of the moves that a position needs. A draw is a move, redeals and turning up are none.

Four kinds of moves are counted, and no move is of two kinds.

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

Cards that come back from the foundations need a further last move, and are counted once; what is counted of
the others holds whether they were up in between or not.
"""

from .table cimport NONE, rank_of, suit_of


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
