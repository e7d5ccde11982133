"""Tableaus as sets of cards, and a lower bound on them; see bound.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from .position cimport NONE, Tables

cdef enum:
    HOPELESS = 255          # the bound of a tableau that cannot be won

cdef struct Sets:           # what a move changes, beside one entry of `beneath` and `under`
    uint64_t low            # the key
    uint64_t high
    uint64_t left           # cards not up
    uint64_t tops
    uint64_t bottoms
    uint64_t blockers       # cards above one of their suit that goes up before them
    uint64_t over_next      # cards above the next one of their suit
    uint64_t lifted         # the card that moved within the tableau since `above` was made, if one did
    uint64_t lifted_under   # the cards beneath it now

cdef struct Tableau:
    const Tables* tables
    int columns
    uint64_t before[NONE]       # the cards of its suit that go up before a card
    uint64_t beside[NONE]       # its neighbours
    Sets sets
    uint8_t beneath[NONE]       # card or TABLE
    uint64_t under[NONE]        # all cards beneath a card in its column
    uint64_t above[NONE]        # all cards above it, but for what has moved since

cdef void set_tableau(Tableau* t, const Tables* tables, int columns) noexcept nogil
cdef int bound(const Tableau* t) noexcept nogil


cdef inline int height_of(uint64_t high, int suit) noexcept nogil:
    """How many cards of ``suit`` are up, by the upper half of a key."""
    return high >> (40 + 4 * suit) & 15


cdef inline void place(Tableau* t, int card, int beneath, uint64_t under) noexcept nogil:
    """Note what lies beneath ``card``; its sets must not hold it yet."""
    t.beneath[card] = beneath
    t.under[card] = under
    if under & t.before[card]:
        t.sets.blockers |= t.tables.bit[card]
    if under >> 1 & t.tables.bit[card]:
        t.sets.over_next |= t.tables.bit[card]
