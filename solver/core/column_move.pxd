"""A move of cards from one column to another, as one word: |15 count 8|7 target 4|3 source 0|."""

from libc.stdint cimport uint32_t

cdef inline uint32_t pack_move(int source, int target, int count) noexcept nogil:
    """Pack a move of the top ``count`` cards of column ``source`` to column ``target``.

    Each game defines the meaning of a target that is not a column, such as the foundations.
    """
    return source | target << 4 | count << 8

cdef inline int source_of(uint32_t move) noexcept nogil:
    """The column that a packed move takes cards from."""
    return move & 15

cdef inline int target_of(uint32_t move) noexcept nogil:
    """The column that a packed move puts cards on."""
    return move >> 4 & 15

cdef inline int count_of(uint32_t move) noexcept nogil:
    """The number of cards that a packed move moves."""
    return move >> 8
