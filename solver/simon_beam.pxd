"""Short lines by beam search; see simon_beam.pyx."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from .kernel cimport Kernel
from .simon_board cimport Line
from .simon_class cimport MAX_CARDS, MAX_COLUMNS, Layout
from .simon_score cimport Position, Scores

cdef struct Candidate:
    uint64_t key
    int32_t score
    uint32_t parent             # its number in the layer
    uint16_t move
    uint8_t heads

cdef struct Link:
    uint32_t parent
    uint32_t move

cdef struct KeySet:
    uint64_t* slot
    uint64_t mask
    uint64_t count
    uint64_t max_bytes

cdef struct Beam:
    const Layout* layout
    const Scores* scores
    int king                    # the lowest card of the highest rank
    int wide_until              # depth up to which the beam is twice as wide
    int usual_until             # and from which it is narrow
    uint64_t bound              # only shorter lines are wanted
    Position* layer
    Position* next_layer
    Candidate* candidates
    uint32_t held
    uint32_t found
    int32_t worst               # candidates that score no better are not wanted
    uint32_t keep
    uint32_t room               # of a layer
    uint32_t candidate_room
    Link* history
    uint32_t links
    uint32_t history_room
    uint64_t max_bytes
    KeySet visited
    KeySet classes
    uint32_t won                # the link to the won position's parent
    uint16_t won_move
    bint is_won
    bint full
    # The position that is expanded:
    const uint8_t* column[MAX_COLUMNS]
    uint64_t prefix[MAX_COLUMNS][MAX_CARDS + 1]
    uint64_t mask[MAX_COLUMNS][MAX_CARDS + 1]       # cards among the first n
    int run[MAX_COLUMNS]
    int breaks[MAX_COLUMNS]
    int tops[16]
    int empty

cdef bint shorten(
    Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes
) noexcept nogil
