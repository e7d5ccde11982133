"""The relaxed game of one-pass Klondike and its cores; see cores.pyx."""

from libc.stdint cimport uint64_t

from .onepass cimport OnePassLayout, OnePassPosition

cdef enum:
    NEVER = 255         # no number of turns

cdef bint relaxed_wins(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t free, uint64_t* touched
) noexcept nogil
cdef uint64_t core_among(const OnePassLayout* layout, const OnePassPosition* p, uint64_t cards) noexcept nogil
cdef int least_turns(const OnePassLayout* layout, const OnePassPosition* p) noexcept nogil
