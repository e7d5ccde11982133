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

cdef extern from *:
    """
    #define WINNABLE_CLUBS 0x1111111111111ULL
    #define WINNABLE_REDS 0x6666666666666ULL
    #define WINNABLE_BLACKS 0x9999999999999ULL
    """
    const uint64_t CLUBS "WINNABLE_CLUBS"       # all of them; bits 4 * rank
    const uint64_t REDS "WINNABLE_REDS"
    const uint64_t BLACKS "WINNABLE_BLACKS"

cdef inline uint64_t bit(int card) noexcept nogil:
    """The set of one card."""
    return (<uint64_t>1) << card

cdef inline int colour_of(int card) noexcept nogil:
    """0 for clubs, spades and XB; 1 for diamonds, hearts and XR."""
    return (card ^ (card >> 1)) & 1

cdef inline int suits_of(int colour, int which) noexcept nogil:
    """The two suits of a colour, ``which`` 0 or 1."""
    return 1 + which if colour else 3 * which

cdef inline uint64_t red_ranks(uint64_t cards) noexcept nogil:
    """The clubs of the ranks of which there is a red one."""
    return (cards >> 1 | cards >> 2) & CLUBS

cdef inline uint64_t black_ranks(uint64_t cards) noexcept nogil:
    """The clubs of the ranks of which there is a black one."""
    return (cards | cards >> 3) & CLUBS

cdef inline uint64_t fitting_on(uint64_t cards) noexcept nogil:
    """The cards that fit on some in a column."""
    return (black_ranks(cards) >> 4) * 6 | (red_ranks(cards) >> 4) * 9

cdef inline uint64_t holding(uint64_t cards) noexcept nogil:
    """The cards on which some fit in a column."""
    return (black_ranks(cards) << 4) * 6 | (red_ranks(cards) << 4) * 9

cdef inline int height_in(uint64_t heights, int suits, int suit) noexcept nogil:
    """The places filled of a foundation, of 4 bits a suit; 15 where the deck lacks the suit."""
    return heights >> 4 * suit & 15 if suits >> suit & 1 else 15

cdef inline bint is_wanted(uint64_t heights, int suits, int card, bint has_jokers) noexcept nogil:
    """Test whether a card that does not go up as soon may have use of ``card``, the next of its suit, as a
    place, or what would lie on it (condition 1 of J6); see `height_in`.

    The cards are the two of the next lower rank and the other colour. If both are up or, without jokers,
    next, they may go up instead. But a card of the colour of ``card`` could lie on them: that of its own suit
    is up, the other one has to be up or next too. What could lie on that one is up then.
    """
    cdef int rank = card >> 2, suit = card & 3
    cdef int lowest = min(height_in(heights, suits, suit ^ 1), height_in(heights, suits, suit ^ 2))
    if has_jokers:
        return lowest < rank
    return lowest < rank - 1 or (lowest < rank and height_in(heights, suits, suit ^ 3) < rank - 2)
