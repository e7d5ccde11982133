"""Where wasteful cards wait; see visits.pyx."""

from ..sat.propagation cimport Literal
from .bound cimport Bound

cdef void name_visits(Bound* bound) noexcept nogil
cdef void meet_visit(void* owner, Literal literal) noexcept nogil
