"""The clauses; see clauses.pyx."""

from libc.stdint cimport uint32_t

from .instance cimport Literal, Sat

cdef void add_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef void add_numbered(Sat* sat, const Literal* literals, int count, uint32_t number) noexcept nogil
cdef void add_core_clause(Sat* sat, const Literal* literals, int count) noexcept nogil
cdef void refute(Sat* sat, uint32_t conflict, uint32_t number) noexcept nogil
cdef uint32_t store(Sat* sat, const Literal* literals, int count, int glue) noexcept nogil
cdef void forget(Sat* sat) noexcept nogil
