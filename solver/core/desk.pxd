"""Positions and moves of all games as plain numbers; see desk.pyx."""

from libc.stdint cimport int8_t, uint8_t

from .dealer cimport MOST_CARDS, MOST_COLUMNS

cdef struct JokerCondition:
    int8_t rank             # as which it is declared, or -1
    int8_t place            # the place on the foundations that it takes, a card of `rules.cards`, or -1
    bint is_open_ace, is_out

cdef struct Desk:
    uint8_t ranks           # of the deck
    uint8_t suits           # bit s: the deck has suit s
    uint8_t columns
    uint8_t size[MOST_COLUMNS]
    uint8_t hidden[MOST_COLUMNS]            # face-down cards of each column
    uint8_t card[MOST_COLUMNS][MOST_CARDS]  # numbers of `rules.cards`; the last card of a column is its top
    uint8_t stock_size, waste_size
    uint8_t stock[MOST_CARDS]               # in the order of turning
    uint8_t waste[MOST_CARDS]               # the last card is the top
    uint8_t up[4]           # cards on each foundation
    int8_t base             # base rank of the foundations, -1 if it is not chosen
    uint8_t draw            # cards drawn at once
    uint8_t passes          # 0: unlimited
    uint8_t redeals         # made so far
    bint backward           # cards may come back from the foundations
    bint has_jokers, turned_only, any_removal   # the rule options of Joker, see `rules.joker_board`
    JokerCondition joker[2]

cdef struct PlainMove:      # a move of `rules`; -1 for a suit or rank that is None
    int8_t source, target, count, suit, rank

cdef void read_chessboard(Desk* desk, state) except *
cdef void read_simon(Desk* desk, state) except *
cdef void read_klondike(Desk* desk, state) except *
cdef void read_view(Desk* desk, deck, view, columns, waste, stock) except *
cdef void read_joker(Desk* desk, state) except *
cdef void read_condition(JokerCondition* condition, joker) except *
cdef PlainMove step_of(move) except *
cdef object move_of(PlainMove step, rules)
