"""How much the searches of the Simon family hold."""

cdef enum:
    MAX_COLUMNS = 14
    MAX_CARDS = 104         # of a position; also the most segments there can be, as each holds a card
    MAX_RANKS = 13
    SUITS = 4
    KINDS = SUITS * MAX_RANKS       # of cards: their numbers are below that
    MAX_PACKED = 18 + 6 * MAX_COLUMNS + 2 * MAX_CARDS
