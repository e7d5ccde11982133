"""A position with jokers as one of one-pass Klondike without them: a guide for a beam, not a bound.

Jokers are left out wherever they lie, as if they left as soon as they could, and so are naturals whose places
on the foundations are filled. What lies beneath a joker that carries cards is taken for face down.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t

from .cards cimport OPEN_ACE, XB, bit
from .onepass cimport BLACKS, CLUBS, REDS, OnePassLayout, OnePassPosition
from .plain cimport PlainGame


cdef void leave_out_jokers(const PlainGame* game, OnePassLayout* layout, OnePassPosition* p) noexcept nogil:
    """Write down what `cores.relaxed_wins` and `cores.core_among` ask for."""
    cdef int suit, column, colour, i
    p.up = 0
    for suit in range(4):
        p.up |= (CLUBS & (bit(4 * game.height[suit]) - 1)) << suit
    for colour in range(2):
        if game.condition[colour] == OPEN_ACE:
            p.up |= (REDS if colour else BLACKS) & 15
    layout.top_rank = <uint64_t>15 << (4 * (game.ranks - 1))
    layout.present = 0
    layout.slots = 0
    for i in range(game.waste_size):
        add_slot(layout, p, game.waste[i])
    p.turned = layout.slots
    p.waste = bit(layout.slots) - 1
    p.top = layout.slots - 1
    for i in range(game.turned, game.stock_size):
        add_slot(layout, p, game.stock[i])
    p.face = p.bases = p.runs = p.second = p.covered = 0
    p.empty = 0
    for column in range(game.columns):
        add_column(game, column, layout, p)
        p.empty += p.left[column] == 0


cdef inline bint is_left_out(const OnePassPosition* p, int card) noexcept nogil:
    """Whether a card is a joker, or one whose place is filled."""
    return card >= XB or p.up >> card & 1


cdef inline void add_slot(OnePassLayout* layout, const OnePassPosition* p, int card) noexcept nogil:
    """One more card of the waste or of the stock."""
    if not is_left_out(p, card):
        layout.slot_card[layout.slots] = card
        layout.slots += 1
        layout.present |= bit(card)


cdef void add_column(
    const PlainGame* game, int column, OnePassLayout* layout, OnePassPosition* p
) noexcept nogil:
    """The cards of a column."""
    cdef int i, card, count = 0, base = game.hidden[column]
    for i in range(game.hidden[column] + 1, game.size[column]):
        if game.card[column][i - 1] >= XB:
            base = i
    for i in range(game.size[column]):
        card = game.card[column][i]
        if is_left_out(p, card):
            continue
        layout.present |= bit(card)
        if i <= base:
            layout.dealt[column][count] = card
            layout.column_of[card] = column
            count += 1
            continue
        p.runs |= bit(card)
        p.face |= bit(card)
        p.covered |= bit(game.card[column][i - 1])
        if game.card[column][i - 1] & 2:
            p.second |= bit(card)
    p.left[column] = count
    if count:
        p.bases |= bit(layout.dealt[column][count - 1])
        p.face |= bit(layout.dealt[column][count - 1])
