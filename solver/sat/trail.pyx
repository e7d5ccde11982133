"""The trail of assigned literals: what follows from them, and how they are taken back."""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t
from libc.string cimport memmove

from ..core.bits cimport prefetch_at
from .heap cimport insert
from .instance cimport PAIR, Literal, Sat, Watch, Watches, literals_of, watch


cdef void back_to(Sat* sat, int level) noexcept nogil:
    """Take back all above ``level``."""
    cdef Literal literal
    if sat.levels <= level:
        return
    while sat.assigned > sat.level_at[level]:
        sat.assigned -= 1
        literal = sat.trail[sat.assigned]
        sat.value[literal] = sat.value[literal ^ 1] = 0
        sat.phase[literal >> 1] = not literal & 1
        insert(sat, literal >> 1)
    sat.propagated = sat.assigned
    sat.followed = min(sat.followed, sat.assigned)
    sat.levels = level


cdef inline void close_gap(Watches* list, uint32_t rest, uint32_t kept) noexcept nogil:
    """Join what is left of a list from ``rest`` on to the first ones, which are ``kept``."""
    memmove(&list.watch[kept], &list.watch[rest], (list.count - rest) * sizeof(Watch))
    list.count -= rest - kept


cdef uint32_t propagate(Sat* sat) noexcept nogil:
    """Assign what follows; the place of a clause that is false then, or 0."""
    cdef Literal literal, false_one, first
    cdef Literal* literals
    cdef Watches* list
    cdef uint32_t i, j, k, size, clause
    while sat.propagated < sat.assigned:
        literal = sat.trail[sat.propagated]
        sat.propagated += 1
        false_one = literal ^ 1
        list = &sat.watches[literal]
        i = j = 0
        while i < list.count:
            if sat.value[list.watch[i].blocker] > 0:
                list.watch[j] = list.watch[i]
                i += 1
                j += 1
                continue
            clause = list.watch[i].clause
            if clause & PAIR:
                first = list.watch[i].blocker
                list.watch[j] = list.watch[i]
                i += 1
                j += 1
                clause ^= PAIR
                if sat.value[first] < 0:
                    close_gap(list, i, j)
                    return clause
                literals = literals_of(sat, clause)
                literals[0] = first
                literals[1] = false_one
                assign(sat, first, clause)
                continue
            i += 1
            if i < list.count and not list.watch[i].clause & PAIR:
                prefetch_at(&sat.arena[list.watch[i].clause])
            size = sat.arena[clause]
            literals = literals_of(sat, clause)
            if literals[0] == false_one:
                literals[0] = literals[1]
                literals[1] = false_one
            first = literals[0]
            list.watch[j].clause = clause
            list.watch[j].blocker = first
            if sat.value[first] > 0:
                j += 1
                continue
            for k in range(2, size):
                if sat.value[literals[k]] >= 0:
                    literals[1] = literals[k]
                    literals[k] = false_one
                    watch(sat, literals[1], clause, first)
                    break
            else:
                j += 1
                if sat.value[first] < 0:
                    close_gap(list, i, j)
                    return clause
                assign(sat, first, clause)
        list.count = j
    return 0
