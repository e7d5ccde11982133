"""The heap of open variables, the most active first."""

from .instance cimport Sat


cdef inline void sift_up(Sat* sat, int place) noexcept nogil:
    """Let the variable at a place of the heap rise to where it belongs."""
    cdef int variable = sat.heap[place], above
    while place > 0:
        above = (place - 1) >> 1
        if sat.activity[sat.heap[above]] >= sat.activity[variable]:
            break
        sat.heap[place] = sat.heap[above]
        sat.heap_place[sat.heap[place]] = place
        place = above
    sat.heap[place] = variable
    sat.heap_place[variable] = place


cdef inline void insert(Sat* sat, int variable) noexcept nogil:
    """Put a variable into the heap unless it is there."""
    if sat.heap_place[variable] < 0:
        sat.heap[sat.held] = variable
        sat.held += 1
        sift_up(sat, sat.held - 1)


cdef inline int take_first(Sat* sat) noexcept nogil:
    """The most active variable of the heap, which must hold one, taken out."""
    cdef int first = sat.heap[0], last, place = 0, below
    sat.heap_place[first] = -1
    sat.held -= 1
    if sat.held == 0:
        return first
    last = sat.heap[sat.held]
    while 2 * place + 1 < sat.held:
        below = 2 * place + 1
        if below + 1 < sat.held and sat.activity[sat.heap[below + 1]] > sat.activity[sat.heap[below]]:
            below += 1
        if sat.activity[last] >= sat.activity[sat.heap[below]]:
            break
        sat.heap[place] = sat.heap[below]
        sat.heap_place[sat.heap[place]] = place
        place = below
    sat.heap[place] = last
    sat.heap_place[last] = place
    return first


cdef inline void bump(Sat* sat, int variable) noexcept nogil:
    """Make a variable more active; all fade beside it once the number is too large."""
    cdef int i
    sat.activity[variable] += sat.increment
    if sat.activity[variable] > 1e100:
        for i in range(sat.variables):
            sat.activity[i] *= 1e-100
        sat.increment *= 1e-100
    if sat.heap_place[variable] >= 0:
        sift_up(sat, sat.heap_place[variable])
