"""Macro moves of joker and klondike-one-pass; see joker_play.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from .joker_state cimport Key, Layout, Position, same_places

cdef enum Play:         # what a macro does after its turns and declarations
    NOTHING = 0
    MOVE = 1            # all face-up cards of a column, by the deepest, onto a card or an EMPTY column
    RAISE = 2           # a natural on top of a column or of the waste goes up
    RAISE_JOKER = 3     # a joker goes up; target: the suit
    RAISE_OPEN = 4      # a joker goes up as an open ace
    FROM_WASTE = 5      # its top onto a card or an EMPTY column
    REMOVE = 6          # a joker on top of a column
    REMOVE_WASTE = 7

cdef enum:
    EMPTY = 63
    DECLARE_LATE = 1 << 30      # the last turn comes after the declarations

cdef struct Child:
    Key key
    int score
    int face_down
    int waste_size
    int empty
    int out

cdef void check_child(const Layout* layout, const Child* child) noexcept nogil
cdef void perform(const Layout* layout, const Position* p, uint32_t code, Child* child) noexcept nogil


cdef inline uint32_t code_of(int play, int card, int target) noexcept nogil:
    """Bits 0-3 what is done, 4-9 with which card, 10-15 where to, 16-21 cards turned before it, 22-25 and
    26-29 ranks + 1 that XB and XR are declared between, 30 DECLARE_LATE."""
    return play | card << 4 | target << 10


cdef inline uint32_t declaring(int colour, int rank) noexcept nogil:
    return <uint32_t>(rank + 1) << (22 + 4 * colour)


cdef inline int declared_in(uint32_t code, int colour) noexcept nogil:
    """The rank declared + 1, or 0."""
    return code >> (22 + 4 * colour) & 15


cdef inline int turns_in(uint32_t code) noexcept nogil:
    return code >> 16 & 63


cdef inline bint is_open(const Layout* layout, uint64_t up, int colour, int rank) noexcept nogil:
    """Whether a joker of ``colour`` may take ``rank``: some such natural is not up."""
    return same_places(rank, colour) & layout.deck & ~up != 0
