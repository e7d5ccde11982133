"""Lines of Klondike with redeals: moves of classes and steps translated into moves; see line.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .position cimport PlainMove, Position
from .state cimport CARDS

cdef struct Line:
    PlainMove* steps
    uint64_t capacity
    int count
    bint failed             # memory ran out, or a move could not be made

cdef void make(Line* line, Position* p, int source, int target, int count, int suit) noexcept nogil
cdef void follow(Line* line, Position* p, uint32_t code) noexcept nogil
cdef void make_step(Line* line, Position* p, uint32_t code) noexcept nogil
cdef void raise_all(Line* line, Position* p, const uint8_t* places, int count) noexcept nogil
cdef void finish(Line* line, Position* p) noexcept nogil
cdef void straighten(Line* line, const Position* start) noexcept nogil
cdef list moves_in(const Line* line)
