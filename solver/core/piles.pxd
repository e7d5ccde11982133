"""Cards in piles, for the rules that lines are replayed by: they share no representation with any search."""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

cdef enum:
    STOCK = -1              # places that a move names beside the columns
    WASTE = -2
    FOUNDATION = -3
    NONE = -1               # no suit, no rank

cdef struct Pile:           # the last card is the top, and of the stock the one that is turned next
    uint8_t count
    uint8_t card[54]

cdef inline void put(Pile* pile, int card) noexcept nogil:
    """Lay a card on top."""
    pile.card[pile.count] = card
    pile.count += 1

cdef inline int deepest_card(const Pile* pile) noexcept nogil:
    """The card at the bottom; of an empty pile 255, which is greater than all."""
    return pile.card[0] if pile.count > 0 else 255

cdef inline void order_columns(const Pile* column, int columns, int* order) noexcept nogil:
    """The columns by their deepest cards, empty ones last."""
    cdef int i, j
    for i in range(columns):
        j = i
        while j > 0 and deepest_card(&column[order[j - 1]]) > deepest_card(&column[i]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i

cdef inline int write_columns(const Pile* column, const uint8_t* face_down, int columns,
                              uint8_t* record) noexcept nogil:
    """Write the columns in that order, two bytes and the cards of each; the number of bytes."""
    cdef int order[16]
    cdef int i, length = 0
    cdef const Pile* pile
    order_columns(column, columns, order)
    for i in range(columns):
        pile = &column[order[i]]
        record[length] = pile.count
        record[length + 1] = face_down[order[i]]
        memcpy(record + length + 2, pile.card, pile.count)
        length += 2 + pile.count
    return length

cdef inline void read_columns(Pile* column, uint8_t* face_down, int columns,
                              const uint8_t* record) noexcept nogil:
    """Read what `write_columns` wrote."""
    cdef int i, at = 0
    for i in range(columns):
        column[i].count = record[at]
        face_down[i] = record[at + 1]
        memcpy(column[i].card, record + at + 2, column[i].count)
        at += 2 + column[i].count
