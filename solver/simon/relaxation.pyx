"""Depth-first search through the relaxation R1 of `class_moves`: exhausted, it proves that no line wins.

A win found in it means nothing. The states of an exhausted search all lead nowhere; they are kept as *dead*,
for as long as the layout is the same, since keys do not tell what was dealt or what left.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from ..core.kernel cimport Kernel, may_expand
from .classes cimport MAX_PACKED, Class, Layout, pack, unpack, without_top_bit
from .class_moves cimport ALL, Plan, generate_successors
from .outcome cimport FULL, LOST, OPEN, WON, Outcome
from ..core.table cimport (
    KNOWN, NO_MEMORY, Entry, table_bytes, table_find, table_free, table_insert, table_reset, tagged,
)

cdef enum:
    FIRST_ROOM = 65536


cdef void begin_relaxation(Relaxation* relaxation) noexcept nogil:
    """Hold nothing yet."""
    memset(relaxation, 0, sizeof(Relaxation))


cdef bint open_relaxation(Relaxation* relaxation, uint64_t max_bytes) noexcept nogil:
    """Begin a new layout, of which nothing is dead yet; false if memory does not allow it."""
    cdef uint64_t share = max_bytes // 4
    relaxation.max_bytes = max_bytes
    relaxation.used = 0
    if not table_reset(&relaxation.known, share) or not table_reset(&relaxation.dead, share):
        return False
    return relaxation.room > 0 or grow(relaxation)


cdef void free_relaxation(Relaxation* relaxation) noexcept nogil:
    """Give the memory back."""
    table_free(&relaxation.known)
    table_free(&relaxation.dead)
    free(relaxation.waiting)
    relaxation.waiting = NULL
    relaxation.room = 0


cdef uint64_t relaxation_bytes(const Relaxation* relaxation) noexcept nogil:
    """What is held."""
    return table_bytes(&relaxation.known) + table_bytes(&relaxation.dead) + relaxation.room


cdef bint grow(Relaxation* relaxation) noexcept nogil:
    cdef uint64_t room = 2 * relaxation.room if relaxation.room else FIRST_ROOM
    cdef void* block
    if room + relaxation.room > relaxation.max_bytes // 2:
        return False
    block = realloc(relaxation.waiting, room)
    if block == NULL:
        return False
    relaxation.waiting = <uint8_t*>block
    relaxation.room = room
    return True


cdef bint is_dead(const Relaxation* relaxation, const Class* state) noexcept nogil:
    """Whether ``state``, of the relaxation or a class, is proved to have no win."""
    cdef uint64_t slot = table_find(&relaxation.dead, state.low, tagged(state.high))
    return relaxation.dead.entries[slot].high != 0


cdef bint keep_state(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Keep a new state for later; false ends the search."""
    cdef Relaxation* relaxation = <Relaxation*>context
    cdef int added
    cdef uint16_t length
    if child.stems == 0:
        relaxation.won = True
        return False
    if is_dead(relaxation, child):
        return True
    added = table_insert(&relaxation.known, child.low, without_top_bit(child.high))
    if added == KNOWN:
        return True
    if added == NO_MEMORY or (relaxation.used + MAX_PACKED + 2 > relaxation.room and not grow(relaxation)):
        relaxation.full = True
        return False
    length = pack(child, relaxation.waiting + relaxation.used)
    memcpy(relaxation.waiting + relaxation.used + length, &length, 2)
    relaxation.used += length + 2
    return True


cdef Outcome relax(
    Relaxation* relaxation, Kernel kernel, const Layout* layout, const Class* state, uint64_t nodes
) noexcept nogil:
    """Search from ``state`` on: LOST if there is no win, which makes all states met dead; WON for a win of
    the relaxation."""
    cdef Class parent
    cdef uint16_t length
    cdef uint64_t last = kernel.expanded + nodes
    if state.stems > 0 and is_dead(relaxation, state):
        return LOST
    relaxation.won = relaxation.full = False
    relaxation.used = 0
    if not table_reset(&relaxation.known, relaxation.max_bytes // 4):
        return FULL
    parent = state[0]
    keep_state(relaxation, &parent, NULL)
    while relaxation.used > 0 and not relaxation.won and not relaxation.full:
        if kernel.expanded >= last or not may_expand(kernel):
            return OPEN
        memcpy(&length, relaxation.waiting + relaxation.used - 2, 2)
        relaxation.used -= length + 2
        unpack(&parent, relaxation.waiting + relaxation.used)
        relaxation.generator.produced = 0
        generate_successors(&relaxation.generator, layout, &parent, True, ALL, 0, keep_state, relaxation)
        kernel.generated += relaxation.generator.produced
        if relaxation.generator.fault:
            relaxation.fault = True
            return OPEN
    if relaxation.won:
        return WON
    if relaxation.full:
        return FULL
    keep_dead(relaxation)
    return LOST


cdef void keep_dead(Relaxation* relaxation) noexcept nogil:
    """Add the known states to the dead ones, as far as memory allows."""
    cdef uint64_t i
    cdef Entry state
    for i in range(relaxation.known.mask + 1):
        if relaxation.known.entries[i].high != 0:
            state = relaxation.known.entries[i]
            if table_insert(&relaxation.dead, state.low, without_top_bit(state.high)) == NO_MEMORY:
                return
