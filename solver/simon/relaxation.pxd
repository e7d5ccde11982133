"""Proofs of unwinnable deals by the relaxation; see relaxation.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from .class_moves cimport Generator
from .classes cimport Class, Layout
from .common cimport Outcome
from .relaxation_loose cimport Proof

cdef struct Relaxation:
    Generator generator
    Proof proof
    bint won
    bint fault          # see Generator; for good

cdef Outcome relax(
    Relaxation* relaxation, Kernel kernel, const Layout* layout, const Class* state, uint64_t nodes
) noexcept nogil
