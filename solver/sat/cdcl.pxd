"""CDCL search under assumptions; see cdcl.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport Kernel
from .propagation cimport Literal, Sat

cdef enum Answer:
    SATISFIED = 0       # `model` holds the values
    REFUTED = 1         # `core` holds assumptions that cannot all be true
    UNKNOWN = 2         # ended by the number of conflicts, by memory, or by the kernel's limits

cdef Answer solve_sat(Sat* sat, Kernel kernel, const Literal* assumptions, int count,
                      uint64_t conflicts) noexcept nogil
cdef uint32_t take_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
