"""Where wasteful cards wait; see visits.pyx."""

from .bound cimport Bound
from .order cimport Order

cdef void name_visits(Bound* bound) noexcept nogil
cdef void add_visit_edges(Bound* bound, Order* order) noexcept nogil
