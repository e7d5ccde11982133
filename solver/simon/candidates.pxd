"""The successors of a layer of the beam, of which the best are kept; see candidates.pyx."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef struct Candidate:
    uint64_t key
    int32_t score
    uint32_t parent             # its number in the layer
    uint16_t move
    uint8_t heads

cdef struct Candidates:
    Candidate* candidate
    uint32_t count
    uint32_t room
    uint32_t keep               # how many stay when there are too many
    int32_t worst               # those that score no better are not wanted

cdef void begin_candidates(Candidates* candidates, uint32_t width) noexcept nogil
cdef void add_candidate(Candidates* candidates, const Candidate* candidate) noexcept nogil
cdef void sort_best(Candidates* candidates, uint32_t keep) noexcept nogil


cdef inline uint64_t room_for(uint64_t width) noexcept nogil:
    """How many candidates a layer of so many positions has at a time."""
    return 10 * width + 5000
