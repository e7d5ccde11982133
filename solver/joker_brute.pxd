# cython: language_level=3
"""States of the plain rules as bytes; see joker_brute.pyx."""

from libc.stdint cimport uint8_t

from .joker_oracle cimport Game

cdef void column_order(const Game* game, int* order) noexcept nogil
cdef void write_record(const Game* game, uint8_t* record) noexcept nogil
cdef void read_record(Game* game, const uint8_t* record) noexcept nogil
