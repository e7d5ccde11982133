"""The successors of a layer of the beam. Of those that are there at a time only the best stay."""

# optimised: searches spend their time here

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport qsort


cdef void begin_candidates(Candidates* candidates, uint32_t width) noexcept nogil:
    """Begin with none, for a layer of ``width``. There is memory for `room_for` so many."""
    candidates.count = 0
    candidates.worst = 0x7FFFFFFF
    candidates.keep = 5 * width
    candidates.room = room_for(width)


cdef void add_candidate(Candidates* candidates, const Candidate* candidate) noexcept nogil:
    """Keep a candidate, for as long as it is among the best."""
    candidates.candidate[candidates.count] = candidate[0]
    candidates.count += 1
    if candidates.count == candidates.room:
        select_best(candidates, candidates.keep)


cdef void sort_best(Candidates* candidates, uint32_t keep) noexcept nogil:
    """Leave no more than ``keep``, the best first."""
    select_best(candidates, keep)
    qsort(candidates.candidate, candidates.count, sizeof(Candidate), by_score)


cdef void select_best(Candidates* candidates, uint32_t keep) noexcept nogil:
    """Leave no more than ``keep`` in any order, by Hoare's selection; only better ones are wanted then."""
    cdef int64_t low = 0, high = <int64_t>candidates.count - 1, i, j
    cdef int32_t pivot
    cdef Candidate held
    cdef Candidate* list = candidates.candidate
    if candidates.count <= keep:
        return
    while low < high:
        pivot = list[(low + high) // 2].score
        i = low
        j = high
        while i <= j:
            while list[i].score < pivot:
                i += 1
            while list[j].score > pivot:
                j -= 1
            if i <= j:
                held = list[i]
                list[i] = list[j]
                list[j] = held
                i += 1
                j -= 1
        if <int64_t>keep - 1 <= j:
            high = j
        elif <int64_t>keep - 1 >= i:
            low = i
        else:
            break
    candidates.worst = list[keep - 1].score
    candidates.count = keep


cdef int by_score(const void* one, const void* other) noexcept nogil:
    """The order of candidates for `qsort`: by score, then by key."""
    cdef const Candidate* a = <const Candidate*>one
    cdef const Candidate* b = <const Candidate*>other
    if a.score != b.score:
        return -1 if a.score < b.score else 1
    return (a.key > b.key) - (a.key < b.key)
