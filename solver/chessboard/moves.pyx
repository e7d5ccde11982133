"""The moves of chessboard and fortress that the depth-first search tries."""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from ..core.bits cimport lowest_bit
from ..core.column_move cimport pack_move
from .position cimport NO_BASE, TABLE, UP, Position, Tables


cdef inline uint16_t* append(
    uint16_t* end, const Position* p, uint64_t cards, const uint8_t* neighbours, int target, bint whole_runs
) noexcept nogil:
    """Append a move for each of ``cards``, a bit set of tops: onto its neighbour, or to ``target`` if
    ``neighbours`` is NULL; with all of its run or alone."""
    cdef int card, count = 1
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if whole_runs:
            count = p.cells[card].run
        if neighbours != NULL:
            target = p.column_of[neighbours[card]]
        end[0] = pack_move(p.column_of[card], target, count)
        end += 1
    return end


cdef inline void find_runs(const Position* p, uint64_t cards, uint64_t* runs, uint64_t* whole) noexcept nogil:
    """Which of ``cards``, a bit set of tops, end ``runs`` of two cards or more, and runs that are a ``whole``
    column."""
    cdef int card
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if p.cells[card].run > 1:
            runs[0] |= p.tables.bit[card]
        if p.cells[p.cells[card].root].beneath == TABLE:
            whole[0] |= p.tables.bit[card]


cdef int generate(const Position* p, uint16_t* moves) noexcept nogil:
    """Write the moves to try, the best last, and return their number.

    A run (a sequence in suit, in one direction, at the top of a column) moves card by card onto a neighbour
    of its top, which turns it over. The order, best first: a base card up; a run onto the higher neighbour,
    which builds what can go up again, then onto the lower, in both off another card before off the table; a
    run off another card to an empty column; the splits, which take the top card alone, and runs turned over
    on the table; last of all the choice of the base, so that what all bases share is searched before any.
    Splits last is worth more than a factor of 40 in states, the base last a fifth.

    One empty column is target enough, and a single card that is a whole column stays out of it: the key does
    not see the difference.
    """
    cdef const Tables* tables = &p.tables
    cdef uint64_t tops = p.tops
    cdef uint64_t on_higher = tops & tops >> 1          # four times 16 bits; the upper three are free
    cdef uint64_t on_lower = tops & tops << 1
    cdef uint64_t starts = 0, runs = 0, whole = 0, to_empty = 0
    cdef int last = tables.ranks - 1, empty = 0
    cdef uint16_t* end = moves
    if tables.wrap:
        starts = tops if p.base == NO_BASE else tops & tables.firsts << p.base
        if last > 0:
            on_higher |= tops & (tops & tables.firsts) << last
        on_lower = on_lower | (tops & tops >> last & tables.firsts) if last > 1 else 0
    if p.empty:
        to_empty = tops
        empty = lowest_bit(p.empty)
    find_runs(p, on_higher | on_lower | to_empty, &runs, &whole)
    if p.base == NO_BASE:
        end = append(end, p, starts, NULL, UP, False)
    if to_empty:
        end = append(end, p, to_empty & runs, NULL, empty, False)
    end = append(end, p, on_lower & runs, tables.lower, 0, False)
    if to_empty:
        end = append(end, p, to_empty & runs & whole, NULL, empty, True)
    end = append(end, p, on_higher & runs, tables.higher, 0, False)
    if to_empty:
        end = append(end, p, to_empty & ~whole, NULL, empty, True)
    end = append(end, p, on_lower & whole, tables.lower, 0, True)
    end = append(end, p, on_lower & ~whole, tables.lower, 0, True)
    end = append(end, p, on_higher & whole, tables.higher, 0, True)
    end = append(end, p, on_higher & ~whole, tables.higher, 0, True)
    if p.base != NO_BASE:
        end = append(end, p, starts, NULL, UP, False)
    return <int>(end - moves)
