"""The trail of assigned literals, in levels; see trail.pyx."""

from libc.stdint cimport uint32_t

from ..core.invariant cimport invariant
from .instance cimport Literal, Sat

cdef void back_to(Sat* sat, int level) noexcept nogil
cdef uint32_t propagate(Sat* sat) noexcept nogil


cdef inline void assign(Sat* sat, Literal literal, uint32_t reason) noexcept nogil:
    """Make an open literal true, for the clause at the place ``reason``, or for none, 0."""
    invariant(sat.value[literal] == 0 and sat.assigned < sat.variables)
    sat.value[literal] = 1
    sat.value[literal ^ 1] = -1
    sat.level[literal >> 1] = sat.levels
    sat.reason[literal >> 1] = reason
    sat.trail[sat.assigned] = literal
    sat.assigned += 1


cdef inline void open_level(Sat* sat) noexcept nogil:
    """Begin a level; what is assigned from here on goes with it."""
    invariant(sat.levels < 2 * sat.room)
    sat.level_at[sat.levels] = sat.assigned
    sat.levels += 1
