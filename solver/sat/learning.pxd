"""What a conflict teaches; see learning.pyx."""

from libc.stdint cimport uint32_t

from .instance cimport Literal, Sat

cdef bint learn(Sat* sat, uint32_t conflict) noexcept nogil
cdef uint32_t take_false_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef void take_implying_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef void find_core(Sat* sat, Literal failed) noexcept nogil
