"""Loose cards of a rank on the tops of the next: whether they find room, and what all ways have in common.

Cards are given as a byte each, of the places where they may lie; a place has room for as many as it has tops.
One matching is found by augmenting paths. A card may lie elsewhere in another one if the place it goes to has
room, or if cards can move on from there, each to a place it wants, until one comes to a place with room or to
the one that the card left.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport lowest_bit


cdef bint match(Matching* matching, uint64_t on, uint32_t tops) noexcept nogil:
    """Find what the matchings leave; false if there is none."""
    cdef uint8_t[PLACES] reach
    cdef int card, place, left, with_room = 0
    if not find_matching(matching, on, tops):
        return False
    for place in range(PLACES):
        if matching.used[place] < (tops >> 4 * place & 15):
            with_room |= 1 << place
    find_reach(matching, reach)
    matching.bare = 0
    for place in range(PLACES):
        if reach[place] & with_room:
            matching.bare |= 1 << place
    matching.on = 0
    for card in range(CARDS):
        left = matching.wanted[card]
        while left:
            place = lowest_bit(left)
            left &= left - 1
            if reach[place] & (with_room | 1 << matching.at[card]):
                matching.on |= <uint64_t>1 << (8 * card + place)
    return True


cdef bint has_matching(uint64_t on, uint32_t tops) noexcept nogil:
    """Whether the cards find room."""
    cdef Matching matching
    return find_matching(&matching, on, tops)


cdef bint find_matching(Matching* matching, uint64_t on, uint32_t tops) noexcept nogil:
    """Find one matching; false if there is none."""
    cdef int card, seen
    matching.tops = tops
    memset(matching.used, 0, sizeof(matching.used))
    for card in range(CARDS):
        matching.wanted[card] = on >> 8 * card & 0xFF
        matching.at[card] = PLACES
    for card in range(CARDS):
        seen = 0
        if matching.wanted[card] and not place_card(matching, card, &seen):
            return False
    return True


cdef bint place_card(Matching* matching, int card, int* seen) noexcept nogil:
    """Find room for a card, moving others on from places not ``seen`` yet; false if there is none."""
    cdef int place, other, left = matching.wanted[card] & ~seen[0]
    while left:
        place = lowest_bit(left)
        seen[0] |= 1 << place
        if matching.used[place] < (matching.tops >> 4 * place & 15):
            matching.used[place] += 1
            matching.at[card] = place
            return True
        for other in range(CARDS):
            if matching.at[other] == place and place_card(matching, other, seen):
                matching.at[card] = place
                return True
        left &= ~seen[0]
    return False


cdef inline void find_reach(const Matching* matching, uint8_t* reach) noexcept nogil:
    """The places to which cards can move on from each place, itself included."""
    cdef int card, place, other
    for place in range(PLACES):
        reach[place] = 1 << place
    for card in range(CARDS):
        if matching.wanted[card]:
            reach[matching.at[card]] |= matching.wanted[card]
    for other in range(PLACES):
        for place in range(PLACES):
            if reach[place] >> other & 1:
                reach[place] |= reach[other]
