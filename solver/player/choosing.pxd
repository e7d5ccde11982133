"""Which of some choices a rule player takes."""

from libc.stdint cimport uint64_t

from .moves cimport Choice
from .position cimport SplitMix, draw

cdef enum:
    NOISE = 15      # of scores in play-outs


cdef inline int best_choice(const Choice* choices, int count) noexcept nogil:
    """The number of the first one of the highest score."""
    cdef int i, best = 0
    for i in range(1, count):
        if choices[i].score > choices[best].score:
            best = i
    return best


cdef inline int noisy_choice(const Choice* choices, int count, SplitMix* chance) noexcept nogil:
    """The number of one of high score."""
    cdef int i, best = 0
    cdef float score, highest = -1e9
    cdef uint64_t bits = 0
    for i in range(count if count > 1 else 0):
        if i & 3 == 0:
            bits = draw(chance)
        score = choices[i].score + (bits & 0xFFFF) * (<float>NOISE / 65536)
        bits >>= 16
        if score > highest:
            highest = score
            best = i
    return best
