"""The memory of a search for satisfiability, counted and kept below a limit."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from ..core.memory cimport resize
from .heap cimport insert
from .proof cimport free_proof

cdef enum:
    BLOCK = 24                  # bytes that an allocation costs beside what it holds
    FIRST_ARENA = 1 << 16


cdef bint begin_sat(Sat* sat, uint64_t max_bytes) noexcept nogil:
    """No variables, no clauses; false if memory does not allow it."""
    memset(sat, 0, sizeof(Sat))
    sat.max_bytes = max_bytes
    sat.max_learnt = 20000      # more of them are forgotten
    sat.increment = 1.0
    sat.used = 1                # 0 means no clause
    return widen_variables(sat, 256) and widen_arena(sat)


cdef void free_sat(Sat* sat) noexcept nogil:
    """Give the memory back."""
    cdef int literal
    for literal in range(2 * sat.room):
        free(sat.watches[literal].watch)
    free(sat.arena)
    free(sat.watches)
    free(sat.value)
    free(sat.level)
    free(sat.reason)
    free(sat.trail)
    free(sat.level_at)
    free(sat.activity)
    free(sat.heap)
    free(sat.heap_place)
    free(sat.phase)
    free(sat.seen)
    free(sat.model)
    free(sat.stamp)
    free(sat.clause.literal)
    free(sat.core.literal)
    free_proof(sat)
    memset(sat, 0, sizeof(Sat))


cdef bint widen(Sat* sat, void* array, uint64_t before, uint64_t after, uint64_t size) noexcept nogil:
    """Have room for ``after`` things of ``size`` bytes in place of ``before``, the new ones cleared; false,
    with ``full`` set, if memory does not allow it.

    ``array`` is the address of the pointer to them. Everything that grows is allocated here. Old and new
    block may be there at one time, so that both have to fit.
    """
    cdef uint8_t* block
    if sat.bytes + after * size + BLOCK > sat.max_bytes or not resize(array, after, size):
        sat.full = True
        return False
    memcpy(&block, array, sizeof(block))
    memset(block + before * size, 0, (after - before) * size)
    sat.bytes += (after - before) * size + (BLOCK if before == 0 else 0)
    return True


cdef bint widen_variables(Sat* sat, int room) noexcept nogil:
    """Have room for so many variables; false, with ``full`` set, if memory does not allow it."""
    cdef int before = sat.room
    if not (
        widen(sat, &sat.watches, 2 * before, 2 * room, sizeof(Watches))
        and widen(sat, &sat.value, 2 * before, 2 * room, sizeof(int8_t))
        and widen(sat, &sat.level, before, room, sizeof(int32_t))
        and widen(sat, &sat.reason, before, room, sizeof(uint32_t))
        and widen(sat, &sat.trail, before, room, sizeof(Literal))
        and widen(sat, &sat.level_at, 2 * before, 2 * room, sizeof(int32_t))
        and widen(sat, &sat.activity, before, room, sizeof(double))
        and widen(sat, &sat.heap, before, room, sizeof(int32_t))
        and widen(sat, &sat.heap_place, before, room, sizeof(int32_t))
        and widen(sat, &sat.phase, before, room, sizeof(uint8_t))
        and widen(sat, &sat.seen, before, room, sizeof(uint8_t))
        and widen(sat, &sat.model, before, room, sizeof(uint8_t))
        and widen(sat, &sat.stamp, 2 * before, 2 * room, sizeof(uint32_t))
    ):
        return False
    sat.room = room
    return True


cdef bint widen_arena(Sat* sat) noexcept nogil:
    """Double the room for clauses; false, with ``full`` set, if memory does not allow it."""
    cdef uint64_t room = 2 * sat.arena_room if sat.arena_room else FIRST_ARENA
    if room >> 31:              # places are numbers of 31 bits, beside the mark PAIR
        sat.full = True
        return False
    if not widen(sat, &sat.arena, sat.arena_room, room, sizeof(uint32_t)):
        return False
    sat.arena_room = room
    return True


cdef bint widen_watches(Sat* sat, Watches* list) noexcept nogil:
    """Double the room of a list; false, with ``full`` set, if memory does not allow it."""
    cdef uint32_t room = 2 * list.room if list.room else 8
    if not widen(sat, &list.watch, list.room, room, sizeof(Watch)):
        return False
    list.room = room
    return True


cdef bint push_literal(Sat* sat, Literals* list, Literal literal) noexcept nogil:
    """Append; false, with ``full`` set, if memory does not allow it."""
    cdef uint32_t room
    if list.count == list.room:
        room = 2 * list.room if list.room else 64
        if not widen(sat, &list.literal, list.room, room, sizeof(Literal)):
            return False
        list.room = room
    list.literal[list.count] = literal
    list.count += 1
    return True


cdef int add_variable(Sat* sat) noexcept nogil:
    """The number of a new variable, which is tried false first; -1 if memory runs out."""
    cdef int variable = sat.variables
    if sat.full or (variable == sat.room and not widen_variables(sat, 2 * sat.room)):
        return -1
    sat.variables += 1
    sat.heap_place[variable] = -1
    insert(sat, variable)
    return variable
