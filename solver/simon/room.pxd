"""The condition on room of the lower bound; see room.pyx."""

from .bound cimport Bound

cdef bint add_room(Bound* bound) noexcept nogil
