"""Loose cards of a rank on the tops of the next; see matching.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    CARDS = 8                   # two of each suit
    PLACES = 8

cdef struct Matching:
    uint8_t wanted[CARDS]       # the places that a card may lie on, a bit each; 0: there is no such card
    uint8_t at[CARDS]           # where it lies
    uint8_t used[PLACES]        # cards that lie there
    uint32_t tops               # how many there is room for, four bits each
    uint64_t on                 # what matchings leave of ``wanted``, a byte for each card
    int bare                    # places of which a top carries none of the cards in some matching

cdef bint match(Matching* matching, uint64_t on, uint32_t tops) noexcept nogil
cdef bint has_matching(uint64_t on, uint32_t tops) noexcept nogil
