"""Proofs of unwinnable deals by the relaxation; see relaxation.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from ..core.kernel cimport Kernel
from .classes cimport Class, Layout
from .class_moves cimport Generator
from .outcome cimport Outcome
from ..core.table cimport Table

cdef struct Relaxation:
    Generator generator
    Table known         # the states of the present search
    Table dead          # states proved to have no win; of one layout only
    uint8_t* waiting    # packed states not expanded yet, each followed by its length in two bytes
    uint64_t used
    uint64_t room
    uint64_t max_bytes
    bint won
    bint full
    bint fault          # see Generator; for good

cdef void begin_relaxation(Relaxation* relaxation) noexcept nogil
cdef bint open_relaxation(Relaxation* relaxation, uint64_t max_bytes) noexcept nogil
cdef void free_relaxation(Relaxation* relaxation) noexcept nogil
cdef uint64_t relaxation_bytes(const Relaxation* relaxation) noexcept nogil
cdef bint is_dead(const Relaxation* relaxation, const Class* state) noexcept nogil
cdef Outcome relax(
    Relaxation* relaxation, Kernel kernel, const Layout* layout, const Class* state, uint64_t nodes
) noexcept nogil
