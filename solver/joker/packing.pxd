"""Moves packed in 32 bits: macros of the search for scores, and elementary moves of that for short lines.

A macro:             |30 late|29 rank of XR 26|25 rank of XB 22|21 turns 16|15 target 10|9 card 4|3 play 0|
An elementary move:  |19 rank 16|15 suit 12|11 count 8|7 target 4|3 source 0|

The ranks that a macro declares are one higher, 0 for none. In an elementary move all but the count are so
much higher that none is negative.
"""

from libc.stdint cimport uint32_t

from .plain cimport ANY, IN_PLACE, PlainMove

cdef enum Play:         # what a macro does after its turns and declarations
    NO_PLAY = 0
    MOVE = 1            # all face-up cards of a column, by the deepest, onto a card or an EMPTY column
    RAISE = 2           # a natural on top of a column or of the waste goes up
    RAISE_JOKER = 3     # a joker goes up; target: the suit
    RAISE_OPEN = 4      # a joker goes up as an open ace
    FROM_WASTE = 5      # its top onto a card or an EMPTY column
    REMOVE = 6          # a joker on top of a column
    REMOVE_WASTE = 7

cdef enum:
    EMPTY = 63                  # a target
    DECLARE_LATE = 1 << 30      # the last turn comes after the declarations

cdef inline uint32_t code_of(int play, int card, int target) noexcept nogil:
    """The macro of a play alone; turns and declarations are or-ed to it."""
    return play | card << 4 | target << 10

cdef inline uint32_t turning(int count) noexcept nogil:
    """The part of a macro that turns cards first."""
    return <uint32_t>count << 16

cdef inline uint32_t declaring(int colour, int rank) noexcept nogil:
    """The part of a macro that declares the joker of a colour."""
    return <uint32_t>(rank + 1) << (22 + 4 * colour)

cdef inline int play_in(uint32_t code) noexcept nogil:
    """The Play of a macro."""
    return code & 15

cdef inline int mover_in(uint32_t code) noexcept nogil:
    """The card that a macro plays."""
    return code >> 4 & 63

cdef inline int target_in(uint32_t code) noexcept nogil:
    """The card that a macro plays it onto, a suit, or EMPTY."""
    return code >> 10 & 63

cdef inline int turns_in(uint32_t code) noexcept nogil:
    """The cards that a macro turns."""
    return code >> 16 & 63

cdef inline int declared_in(uint32_t code, int colour) noexcept nogil:
    """The rank that a macro declares the joker of a colour + 1, or 0."""
    return code >> (22 + 4 * colour) & 15

cdef inline bint declares_in(uint32_t code) noexcept nogil:
    """Test whether a macro declares any joker."""
    return code >> 22 & 255 != 0

cdef inline uint32_t pack_move(PlainMove move) noexcept nogil:
    """An elementary move, its suit and rank ANY or real ones."""
    return (move.source - IN_PLACE | move.target - IN_PLACE << 4 | move.count << 8 | move.suit - ANY << 12
            | move.rank - ANY << 16)

cdef inline PlainMove unpack_move(uint32_t code) noexcept nogil:
    """The elementary move of which `pack_move` made ``code``."""
    return PlainMove(<int>(code & 15) + IN_PLACE, <int>(code >> 4 & 15) + IN_PLACE, code >> 8 & 15,
                     <int>(code >> 12 & 15) + ANY, <int>(code >> 16 & 15) + ANY)
