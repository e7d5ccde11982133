"""The dealer for batches; see dealer.pyx."""

from libc.stdint cimport uint8_t, uint64_t

cdef void shuffle(uint8_t* cards, int count, uint64_t seed) noexcept nogil
