"""The dealer of seeds, in C: see dealer.h."""

from libc.stdint cimport uint8_t, uint64_t

from .desk cimport Desk

cdef extern from "core/dealer.h" nogil:
    ctypedef struct SplitMix "winnable_chance":
        uint64_t state

    uint64_t draw "winnable_draw"(SplitMix* chance)
    void shuffle "winnable_shuffle"(uint8_t* cards, int count, uint64_t seed)
    void lay_out "winnable_lay_out"(
        Desk* table, const uint8_t* cards, int count, const uint8_t* sizes, int columns)
