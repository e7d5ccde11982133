"""What can lie on the cards of a rank that freezes; see freeze.pyx."""

from .class_moves cimport Generator

cdef bint freeze(Generator* generator, int rank) noexcept nogil
