"""The line that a search found, card by card, without detours.

A depth-first search moves cards to and fro. Two hops of a card, i to a column and the next thing that happens
there, j, from it, may be taken together: whatever comes between them does not touch that column. If nothing
happens between them where i took the card from either, the card may as well stay there until j: if j takes it
back there both hops are left out, otherwise j takes it from there. If nothing happens between them where j
takes it to, i may as well take it there. All other hops are legal as before, and what lies where after j is
the same. The foundations are one place here, so that the order in which cards go up stays.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free

from .position cimport UP, Position
from ..core.invariant cimport invariant
from ..core.memory cimport resize

cdef enum:
    NO_HOP = -1
    PLACES = UP + 1


cdef void free_line(Line* line) noexcept nogil:
    """Give the memory back."""
    free(line.hops)
    line.hops = NULL
    line.length = line.room = 0


cdef bint make_line_room(Line* line, uint32_t room) noexcept nogil:
    """Have room for ``room`` hops; false, with nothing changed, if there is no memory."""
    if line.room < room:
        if not resize(&line.hops, room, sizeof(Hop)):
            return False
        line.room = room
    return True


cdef void copy_line(Line* line, const Position* p) noexcept nogil:
    """Take over the steps of a position as they are; the line must have room for them."""
    cdef uint32_t i
    invariant(p.step_count <= line.room)
    line.length = p.step_count
    for i in range(p.step_count):
        line.hops[i].source = p.steps[i].source
        line.hops[i].target = p.steps[i].target


cdef bint straighten_line(Line* line, const Position* p) noexcept nogil:
    """Take over the steps of a position without detours; false if there is no memory."""
    cdef int32_t last[PLACES]       # the last hop from or to each place
    cdef uint32_t i
    cdef int32_t kept = 0
    cdef int place
    if not make_line_room(line, p.step_count):
        return False
    copy_line(line, p)
    for place in range(PLACES):
        last[place] = NO_HOP
    for i in range(line.length):
        # What is left out keeps its number until the end: numbers tell what came first.
        kept = add_hop(line, last, kept, line.hops[i].source, line.hops[i].target)
    line.length = 0
    for i in range(<uint32_t>kept):
        if line.hops[i].source != line.hops[i].target:
            line.hops[line.length] = line.hops[i]
            line.length += 1
    return True


cdef int32_t add_hop(Line* line, int32_t* last, int32_t count, int source, int target) noexcept nogil:
    """Add a hop behind the ``count`` that are there, or what it becomes together with one of them; how many
    there are then. What is left out becomes a hop from a column onto itself."""
    cdef int32_t before = last[source]
    cdef Hop* hop
    while before != NO_HOP and line.hops[before].target == source:
        hop = &line.hops[before]
        if last[hop.source] == before:
            last[source] = hop.before_target
            last[hop.source] = hop.before_source
            source = hop.source
            hop.target = source
            if source == target:
                return count
            before = last[source]
        elif last[target] < before:
            last[source] = hop.before_target
            hop.target = target
            hop.before_target = last[target]
            last[target] = before
            return count
        else:
            break
    hop = &line.hops[count]
    hop.source = source
    hop.target = target
    hop.before_source = last[source]
    hop.before_target = last[target]
    last[source] = last[target] = count
    return count + 1
