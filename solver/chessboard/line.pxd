"""The line that a search found; see line.pyx."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from .position cimport Position

cdef struct Hop:            # a card moved
    uint8_t source          # columns, the target perhaps UP
    uint8_t target
    int32_t before_source   # the hop before it from or to the same column, or NO_HOP
    int32_t before_target

cdef struct Line:
    Hop* hops
    uint32_t length
    uint32_t room

cdef void free_line(Line* line) noexcept nogil
cdef bint make_line_room(Line* line, uint32_t room) noexcept nogil
cdef void copy_line(Line* line, const Position* p) noexcept nogil
cdef bint straighten_line(Line* line, const Position* p) noexcept nogil
