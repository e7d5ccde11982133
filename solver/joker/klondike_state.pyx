"""The packed states of the game without jokers: an exact key of 64 bits, which is the whole state up to the
order of the columns, to lateral moves and to turns of the stock.

The classes are those of `state`, and without jokers less is needed to tell them apart. Call a card *dealt* to
a column if it lay there, face down or as the deepest face-up card, in the position loaded. A face-up card
that is not the deepest of its column lies on a face-up one, so what is deepest in a column is one of its
dealt cards, or, in a column that was empty once, a king. So these numbers are the class: the slots of the
waste and stock whose cards have left, the heights of the foundations, and of each column how many dealt cards
are still there. The cards that are in no slot, not up and not face down lie face up. Of these a dealt card is
a base if no other dealt card lies on it, which its column's number tells; a king that is no base is at the
bottom of a column; and all others are *placed*: they lie on face-up cards. This tells which cards are open.

A dealt king at the bottom of its column is no different from one that came there: its column's number is 0.

The turned slots are those up to the last one that was emptied, since `moves` turns only to use the last
card turned; at the start, those that were loaded.

    bits          content
    0 .. n - 1    which of the n slots are empty; slot i is the i-th card of the waste and stock loaded
    n .. n + 15   4 bits a suit: places filled
    n + 16 ..     the dealt cards of each column that are still there

Columns without a dealt card that can leave have no bits. Bit 63 is free. A position that needs more bits,
with far more stock than any deal has, is left to the search of the game with jokers.

Taking a key apart is looking up tables: one for each eight slots, one for each group of columns that have 6
bits at most.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from .cards cimport MOST, bit
from .state cimport NONE, height_of, hidden_of, turned_of

for heights in range(256):
    for pair in range(2):
        FILLED[pair][heights] = 0
        for rank in range(13):
            FILLED[pair][heights] |= (rank < heights & 15) << 4 * rank + 2 * pair
            FILLED[pair][heights] |= (rank < heights >> 4) << 4 * rank + 2 * pair + 1


cdef bint open_klondike(
    KlondikeLayout* small, const ClassLayout* layout, const ClassKey* key, uint64_t* packed
) noexcept nogil:
    """Begin at a state without jokers, ``packed`` its key; false if it does not fit."""
    cdef int suit, column, hidden, shift = layout.slots + 16
    if layout.slots > MOST_SLOTS:
        return False
    small.ranks = layout.ranks
    small.suits = layout.suits
    small.places = layout.places
    small.columns = layout.columns
    small.present = layout.deck
    small.kings = layout.deck & <uint64_t>15 << 4 * (layout.ranks - 1)
    small.turned = turned_of(key)
    small.group_count = 0
    memset(small.beneath, NONE, MOST)
    open_slots(small, layout)
    packed[0] = 0
    for suit in range(4):
        packed[0] |= <uint64_t>height_of(key, suit) << layout.slots + 4 * suit
    for column in range(layout.columns):
        hidden = hidden_of(layout, key, column)
        if not has_bits(layout, column, hidden):
            continue
        if bits_for(hidden + 1) > GROUP_BITS or shift + bits_for(hidden + 1) > 63:
            return False
        packed[0] |= <uint64_t>(hidden + 1) << shift
        open_column(small, layout, column, hidden + 1, shift)
        shift += bits_for(hidden + 1)
    return True


cdef inline bint has_bits(const ClassLayout* layout, int column, int hidden) noexcept nogil:
    """Whether a column has any dealt card but a king at its bottom."""
    cdef int deepest = layout.buried[column][0]
    return hidden > 0 or (deepest != NONE and deepest >> 2 != layout.ranks - 1)


cdef inline int bits_for(int number) noexcept nogil:
    """The bits that numbers up to a positive one need."""
    cdef int bits = 0
    while number >> bits:
        bits += 1
    return bits


cdef void open_slots(KlondikeLayout* small, const ClassLayout* layout) noexcept nogil:
    """List the cards of the slots."""
    cdef int i, choice, slot
    cdef uint64_t card
    small.slots = layout.slots
    for i in range(layout.slots):
        small.slot_card[i] = layout.slot_card[i]
    for i in range((layout.slots + 7) // 8):
        small.in_slots[i][0] = 0
        for choice in range(1, 256):
            slot = 8 * i + lowest_bit(choice)
            card = bit(layout.slot_card[slot]) if slot < layout.slots else 0
            small.in_slots[i][choice] = small.in_slots[i][choice & choice - 1] | card


cdef void open_column(
    KlondikeLayout* small, const ClassLayout* layout, int column, int dealt, int shift
) noexcept nogil:
    """Give a column of so many dealt cards the bits of the key from ``shift`` on."""
    cdef int group = small.group_count - 1, number, card
    cdef const uint64_t* below = layout.buried_below[column]
    if group < 0 or shift + bits_for(dealt) - small.group_shift[group] > GROUP_BITS:
        group += 1
        small.group_count += 1
        small.group_shift[group] = shift
        memset(small.groups[group], 0, sizeof(small.groups[group]))
    for number in range(1, dealt + 1):
        card = layout.buried[column][number - 1]
        small.leaves[card] = bit(shift)
        if number > 1:
            small.beneath[card] = layout.buried[column][number - 2]
        if number == 2 and small.beneath[card] >> 2 == layout.ranks - 1:
            small.leaves[card] = bit(shift + 1)     # what stays is a king at the bottom
        add_choice(small, group, shift - small.group_shift[group], number, below[number - 1], bit(card))
    small.group_mask[group] = (1 << shift + bits_for(dealt) - small.group_shift[group]) - 1


cdef void add_choice(
    KlondikeLayout* small, int group, int before, int number, uint64_t hidden, uint64_t base
) noexcept nogil:
    """List what a group holds with so many dealt cards of its last column, for each choice of the columns
    ``before``, which have so many bits."""
    cdef int choice
    cdef Group* entry
    for choice in range(1 << before):
        entry = &small.groups[group][number << before | choice]
        entry[0] = small.groups[group][choice]
        entry.hidden |= hidden
        entry.bases |= base
        entry.held += 1
