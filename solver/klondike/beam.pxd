"""Beam search for short lines; see beam.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes
from .exact cimport ExactLayout, ExactPosition, Steps

cdef enum:
    LAYERS = 64             # kept at a time; a step is of fewer moves

cdef struct Candidate:      # a position of a layer that may be kept
    uint64_t low
    uint64_t high
    uint32_t parent
    uint32_t code
    uint16_t score
    uint8_t needed

cdef struct Layer:
    Candidate* candidates
    uint64_t count
    uint64_t capacity

cdef struct Beam:
    Nodes nodes             # positions kept, and the end of the line
    Layer layers[LAYERS]    # by the moves made
    uint32_t* seen          # a hash table of the candidates of a layer
    uint64_t seen_capacity
    ExactLayout* start
    ExactPosition* table
    Steps* steps
    uint32_t width
    uint32_t fewest
    bint is_complete        # no candidate was left out
    uint32_t won            # the node where the line found ends, or NO_NODE

cdef void free_beam(Beam* beam) noexcept nogil
cdef uint64_t beam_bytes(const Beam* beam) noexcept nogil
cdef bint run_beam(Beam* beam, Kernel kernel, uint64_t low, uint64_t high, uint32_t width,
                   uint64_t max_bytes) noexcept nogil
