"""Cards and jokers as numbers, shared by the packed states, the exact positions and the player.

A set of naturals is a 64-bit word with the bit 4 * rank + suit of each.
"""

cdef enum:
    MOST = 54           # cards
    MAX_COLUMNS = 7
    XB = 52             # the black joker; XR, the red one, is 53
    NO_RANK = -1        # rank of a joker that is not declared

cdef enum Condition:    # condition of a joker
    UNDECLARED = 0      # in a column; where no other condition applies, also face down, in stock or waste
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
    const uint64_t CLUBS "WINNABLE_CLUBS"       # all clubs: the bits 4 * rank
    const uint64_t REDS "WINNABLE_REDS"
    const uint64_t BLACKS "WINNABLE_BLACKS"

cdef inline uint64_t bit(int card) noexcept nogil:
    """Return the set that contains ``card`` alone."""
    return (<uint64_t>1) << card

cdef inline int colour_of(int card) noexcept nogil:
    """Return 0 for clubs, spades and XB, 1 for diamonds, hearts and XR."""
    return (card ^ (card >> 1)) & 1

cdef inline int suits_of(int colour, int which) noexcept nogil:
    """Return the first (``which`` 0) or second (``which`` 1) suit of ``colour``."""
    return 1 + which if colour else 3 * which

cdef inline uint64_t red_ranks(uint64_t cards) noexcept nogil:
    """Return the club of each rank of which ``cards`` has a red card."""
    return (cards >> 1 | cards >> 2) & CLUBS

cdef inline uint64_t black_ranks(uint64_t cards) noexcept nogil:
    """Return the club of each rank of which ``cards`` has a black card."""
    return (cards | cards >> 3) & CLUBS

cdef inline uint64_t fitting_on(uint64_t cards) noexcept nogil:
    """Return the cards that fit on one of ``cards`` in a column: of the other colour, one rank lower."""
    return (black_ranks(cards) >> 4) * 6 | (red_ranks(cards) >> 4) * 9

cdef inline uint64_t holding(uint64_t cards) noexcept nogil:
    """Return the cards on which one of ``cards`` fits in a column: of the other colour, one rank higher."""
    return (black_ranks(cards) << 4) * 6 | (red_ranks(cards) << 4) * 9

cdef inline int height_in(uint64_t heights, int suits, int suit) noexcept nogil:
    """Return the number of cards on the foundation of ``suit``, 15 if the deck lacks the suit. ``heights``
    has 4 bits for each suit, ``suits`` one."""
    return heights >> 4 * suit & 15 if suits >> suit & 1 else 15

cdef inline bint is_wanted(uint64_t heights, int suits, int card, bint has_jokers) noexcept nogil:
    """Test whether ``card``, the next of its suit, may still be needed in a column to put cards on: whether
    condition 1 of J6 fails. ``heights`` and ``suits`` are as for `height_in`.

    The cards that fit on it are the two of the next lower rank and the other colour. If both are on their
    foundations or, without jokers, next there, they can go up instead of onto ``card``. A card of the colour
    of ``card`` could lie on one of the two: the one of the same suit is up, the other one must be up or next.
    All cards that could lie on that one are up then.
    """
    cdef int rank = card >> 2, suit = card & 3
    cdef int lowest = min(height_in(heights, suits, suit ^ 1), height_in(heights, suits, suit ^ 2))
    if has_jokers:
        return lowest < rank
    return lowest < rank - 1 or (lowest < rank and height_in(heights, suits, suit ^ 3) < rank - 2)
