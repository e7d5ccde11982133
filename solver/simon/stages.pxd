"""The portfolio as a table; see stages.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Stage
from .best_first cimport Settings

cdef enum:
    OPENING = 7                 # stages before the rounds
    ROUND = 11                  # stages of a round
    REPAIRS = 4                 # searches for another plan where one failed
    NO_CAP = 0x7FFFFFFF

cdef Stage search_of(int stage) noexcept nogil
cdef int wide_bit(int stage) noexcept nogil
cdef bint is_left_out(int stage, uint64_t max_bytes) noexcept nogil
cdef uint64_t nodes_of(int stage, int cards) noexcept nogil
cdef uint64_t nodes_of_positions(int stage, uint64_t max_bytes) noexcept nogil
cdef uint64_t carried_nodes_of(int stage) noexcept nogil
cdef Settings settings_of(int stage, int cards) noexcept nogil
cdef int divide(Settings* settings, int stage, int cards, uint64_t max_bytes) noexcept nogil
cdef Settings complete_settings(int cards) noexcept nogil
cdef Settings repair_settings(int number, int cards) noexcept nogil
