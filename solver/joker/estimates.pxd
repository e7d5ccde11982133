"""What the queues of the best-first search are ordered by; see estimates.pyx."""

from .queues cimport BUCKETS, MIDDLE, QUEUES

cdef enum:                  # what an estimate counts
    SCORE = 0
    FACE_DOWN = 1
    WASTE_SIZE = 2
    TURNED = 3
    EMPTY_COLUMNS = 4
    OUT_OF_PLAY = 5
    FEATURES = 6

cdef struct Estimates:
    int weights[QUEUES][FEATURES]
    int phase               # a queue is followed for 2 to the power of so many states, then the other

cdef void set_estimates(Estimates* estimates, variant) except *


cdef inline int estimate_of(
    const Estimates* estimates, int queue, int score, int face_down, int waste, int turned, int empty, int out
) noexcept nogil:
    """How promising a queue takes a state to be, held within the buckets."""
    cdef const int* weights = estimates.weights[queue]
    cdef int estimate = (
        weights[SCORE] * score + weights[FACE_DOWN] * face_down + weights[WASTE_SIZE] * waste
        + weights[TURNED] * turned + weights[EMPTY_COLUMNS] * empty + weights[OUT_OF_PLAY] * out
    )
    return max(-MIDDLE, min(estimate, BUCKETS - MIDDLE - 1))
