"""Moves packed in 32 bits: macros of the score search, and elementary moves of the search for short lines.

A macro:             |30 late|29 rank of XR 26|25 rank of XB 22|21 turns 16|15 target 10|9 card 4|3 play 0|
An elementary move:  |19 rank 16|15 suit 12|11 count 8|7 target 4|3 source 0|

A macro stores 1 + the rank that it declares each joker as, or 0. An elementary move stores the fields of
`PlainMove`, all but the count offset by their least value, so that none is negative.
"""

cdef enum Play:         # what a macro plays after its turns and declarations
    NO_PLAY = 0
    MOVE = 1            # all face-up cards of a column, named by the deepest, onto a card or EMPTY column
    RAISE = 2           # a natural from the top of a column or of the waste to its foundation
    RAISE_JOKER = 3     # a joker to the foundation of the suit ``target``
    RAISE_OPEN = 4      # a joker to the foundations as an open ace
    FROM_WASTE = 5      # the top of the waste onto a card or EMPTY column
    REMOVE = 6          # a joker from the top of a column out of play
    REMOVE_WASTE = 7    # a joker from the top of the waste out of play

cdef enum:
    EMPTY = 63                  # target: an empty column
    DECLARE_LATE = 1 << 30      # the last turn comes after the declarations

cdef inline uint32_t code_of(int play, int card, int target) noexcept nogil:
    """Return a macro that only plays ``card`` to ``target``; or it with `turning` and `declaring`."""
    return play | card << 4 | target << 10

cdef inline uint32_t turning(int count) noexcept nogil:
    """Return the bits of a macro by which it first turns ``count`` cards."""
    return <uint32_t>count << 16

cdef inline uint32_t declaring(int colour, int rank) noexcept nogil:
    """Return the bits of a macro by which it declares the joker of ``colour`` as ``rank``."""
    return <uint32_t>(rank + 1) << (22 + 4 * colour)

cdef inline int play_in(uint32_t code) noexcept nogil:
    """Return the `Play` of a macro."""
    return code & 15

cdef inline int mover_in(uint32_t code) noexcept nogil:
    """Return the card that a macro plays."""
    return code >> 4 & 63

cdef inline int target_in(uint32_t code) noexcept nogil:
    """Return the target of a macro's play: a card, EMPTY or, for RAISE_JOKER, a suit."""
    return code >> 10 & 63

cdef inline int turns_in(uint32_t code) noexcept nogil:
    """Return the number of cards that a macro turns."""
    return code >> 16 & 63

cdef inline int declared_in(uint32_t code, int colour) noexcept nogil:
    """Return 1 + the rank that a macro declares the joker of ``colour`` as, 0 if it does not declare it."""
    return code >> (22 + 4 * colour) & 15

cdef inline bint declares_in(uint32_t code) noexcept nogil:
    """Test whether a macro declares a joker."""
    return code >> 22 & 255 != 0

cdef inline uint32_t pack_move(PlainMove move) noexcept nogil:
    """Pack an elementary move; its suit and rank may be ANY."""
    return (move.source - IN_PLACE | move.target - IN_PLACE << 4 | move.count << 8 | move.suit - ANY << 12
            | move.rank - ANY << 16)

cdef inline PlainMove unpack_move(uint32_t code) noexcept nogil:
    """Return the elementary move that `pack_move` packed as ``code``."""
    return PlainMove(<int>(code & 15) + IN_PLACE, <int>(code >> 4 & 15) + IN_PLACE, code >> 8 & 15,
                     <int>(code >> 12 & 15) + ANY, <int>(code >> 16 & 15) + ANY)
