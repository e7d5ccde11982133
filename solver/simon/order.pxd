"""What happens before what in a line; see order.pyx."""

from ..sat.propagation cimport Literal
from .bound cimport Bound

cdef void begin_order(Bound* bound) noexcept nogil
cdef void add_before(Bound* bound, int before, int after, const Literal* guards, int count) noexcept nogil


cdef inline int first_of_card(int place) noexcept nogil:
    """The event that a card moves for the first time, or that a king leaves its place."""
    return 2 * place

cdef inline int last_of_card(int place) noexcept nogil:
    """The event that a card moves for the last time, or that a king leaves the game."""
    return 2 * place + 1
