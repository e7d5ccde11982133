"""Piles of cards for the replay oracles of all games, which share no representation with any search."""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memcpy

from .desk cimport Desk

cdef enum:
    STOCK = -1              # source or target of a move that is not a column
    WASTE = -2
    FOUNDATION = -3
    NONE = -1               # in place of a suit or a rank

cdef struct Pile:           # the last card is the top; of a stock it is turned next
    uint8_t count
    uint8_t card[104]

cdef inline void put(Pile* pile, int card) noexcept nogil:
    pile.card[pile.count] = card
    pile.count += 1

cdef inline int deal_rows(Pile* column, int columns, const uint8_t* sizes, const uint8_t* cards,
                          int count) noexcept nogil:
    """Deal up to ``count`` cards row by row into empty columns of ``sizes``; return the number dealt."""
    cdef int i, row, dealt = 0
    for row in range(count):
        for i in range(columns):
            if dealt < count and row < sizes[i]:
                put(&column[i], cards[dealt])
                dealt += 1
    return dealt

cdef inline void load_columns(Pile* column, const Desk* desk) noexcept nogil:
    """Copy the columns of ``desk`` into the piles ``column``."""
    cdef int i
    for i in range(desk.columns):
        column[i].count = desk.size[i]
        memcpy(column[i].card, desk.card[i], desk.size[i])

cdef inline void save_columns(const Pile* column, int columns, Desk* desk) noexcept nogil:
    """Copy the piles ``column`` into the columns of ``desk``."""
    cdef int i
    desk.columns = columns
    for i in range(columns):
        desk.size[i] = column[i].count
        memcpy(desk.card[i], column[i].card, column[i].count)

cdef inline void save_stock(const Pile* stock, const Pile* waste, Desk* desk) noexcept nogil:
    """Copy the stock, whose last card is turned next, and the waste into ``desk``."""
    cdef int i
    desk.stock_size = stock.count
    for i in range(stock.count):
        desk.stock[i] = stock.card[stock.count - 1 - i]
    desk.waste_size = waste.count
    memcpy(desk.waste, waste.card, waste.count)

cdef inline bint are_empty(const Pile* column, int columns) noexcept nogil:
    """Test if all columns are empty."""
    cdef int i
    for i in range(columns):
        if column[i].count > 0:
            return False
    return True

cdef inline bint comes_before(const Pile* one, const Pile* other) noexcept nogil:
    """Test if `write_columns` writes column ``one`` before ``other``: by their cards, empty columns last."""
    cdef int order
    if one.count == 0 or other.count == 0:
        return one.count > other.count
    order = memcmp(one.card, other.card, min(one.count, other.count))
    return order < 0 or (order == 0 and one.count < other.count)

cdef inline int write_columns(const Pile* column, const uint8_t* face_down, int columns,
                              uint8_t* record) noexcept nogil:
    """Write the columns to ``record`` in canonical order, that of `comes_before`; return the number of bytes.

    Each column is written as its number of cards, the number of those face down unless ``face_down`` is NULL,
    and its cards.
    """
    cdef int order[16]
    cdef int i, j, length = 0
    cdef const Pile* pile
    for i in range(columns):
        j = i
        while j > 0 and comes_before(&column[i], &column[order[j - 1]]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    for i in range(columns):
        pile = &column[order[i]]
        record[length] = pile.count
        length += 1
        if face_down != NULL:
            record[length] = face_down[order[i]]
            length += 1
        memcpy(record + length, pile.card, pile.count)
        length += pile.count
    return length

cdef inline void read_columns(Pile* column, uint8_t* face_down, int columns,
                              const uint8_t* record) noexcept nogil:
    """Read columns from a record of `write_columns`; ``face_down`` must be NULL if it was NULL there."""
    cdef int i, at = 0
    for i in range(columns):
        column[i].count = record[at]
        at += 1
        if face_down != NULL:
            face_down[i] = record[at]
            at += 1
        memcpy(column[i].card, record + at, column[i].count)
        at += column[i].count
