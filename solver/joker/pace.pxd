"""How wide a beam may be that has to come to an end by a certain time."""

from libc.stdint cimport uint64_t

from ..core.clock cimport monotonic

cdef enum:
    MANY = 64               # states by which is measured how long one takes

cdef struct Pace:
    double deadline         # of the monotonic clock; negative for none
    double cost             # seconds that a state takes; 0 if that is not known yet
    double began            # when the rank at hand was begun,
    uint64_t expanded       # and how many states had been expanded by then


cdef inline void set_out(Pace* pace, double deadline) noexcept nogil:
    """Nothing is known yet."""
    pace.deadline = deadline
    pace.cost = 0.0


cdef inline int begin_at_pace(Pace* pace, uint64_t expanded, int width, int ranks) noexcept nogil:
    """How many of ``width`` states to expand, so that there is time for as many in each of so many ``ranks``;
    at least one."""
    cdef double most
    pace.began = monotonic()
    pace.expanded = expanded
    if pace.deadline < 0.0 or pace.cost <= 0.0:
        return width
    most = (pace.deadline - pace.began) / (pace.cost * ranks)
    return width if most >= width else max(<int>most, 1)


cdef inline void measure_pace(Pace* pace, uint64_t expanded) noexcept nogil:
    """See how long the states of a rank took."""
    cdef double cost
    if expanded >= pace.expanded + MANY:
        cost = (monotonic() - pace.began) / (expanded - pace.expanded)
        pace.cost = cost if pace.cost <= 0.0 else 0.7 * pace.cost + 0.3 * cost
