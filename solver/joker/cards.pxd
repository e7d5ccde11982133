"""Cards and jokers as numbers: what packed states, the plain rules and the player's positions share."""

from libc.stdint cimport uint64_t

cdef enum:
    MOST = 54           # cards
    MAX_COLUMNS = 7
    XB = 52             # the black joker; XR comes after it
    NO_RANK = -1        # of a joker that is not declared

cdef enum Condition:    # of a joker
    UNDECLARED = 0      # in a column; or not seen yet, or in the waste, where that is told elsewhere
    DECLARED = 1
    PLACED = 2          # on a foundation as one definite natural
    OPEN_ACE = 3
    GONE = 4            # out of play, or not in the game

cdef inline uint64_t bit(int card) noexcept nogil:
    """The set of one card."""
    return (<uint64_t>1) << card

cdef inline int colour_of(int card) noexcept nogil:
    """0 for clubs, spades and XB; 1 for diamonds, hearts and XR."""
    return (card ^ (card >> 1)) & 1

cdef inline int suits_of(int colour, int which) noexcept nogil:
    """The two suits of a colour, ``which`` 0 or 1."""
    return 1 + which if colour else 3 * which
