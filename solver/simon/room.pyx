"""A condition of `bound`, number 4: cards can move only where there is room for them.

Take any set T of cards, and let all happen that can if what is open once stays open. A card is
*open* if all vertices above it have left their places, and so has the card attached to it, if any. A column
is *empty* if all vertices in it have left, and the king at its base. A card *has a target* if a card of the
next higher rank is open or a column empty. A card leaves its place if all vertices above have, and
    - it is in T and has a target, or
    - it is a head and a copy of its next higher card is open, or
    - it is a king, and of each lower rank of its suit a copy is attached or has left its place.
If heads remain at the end, then W contains a card of D, those not in T that remain although all vertices
above them have left, and that have a target. For consider the first move of a line, or leaving of a king,
that takes a card c out of its place that remains here. What lay above c, and above its target, and what was
attached to that, is out of its place in the line, so here too: the target is open, or a column is empty. (A
king at the base of a column moves only if another column is empty already.) So c is no king that leaves,
and it has a target: c is in D, as T would have let it go, and if c is not in W, it is a head that moves
onto an open copy p(c), which would have let it go as well. The same holds if for each head only the copy
counts that values found name as p: then p differs from these values, or W contains a card of D, where p
matters only for heads kept from an open copy by it.
"""

from libc.string cimport memset

from ..sat.propagation cimport Literal, add_clause
from ..sat.proof cimport STATED, give_as
from .bound cimport OF_ROOM, Bound, is_king, is_true, lies_on
from .capacity cimport MAX_CARDS, MAX_RANKS
from .places cimport Places, holds, is_none, less, put_in

cdef struct Room:       # what can happen at all
    Places gone         # of the cards that left theirs
    Places open
    int targets[MAX_RANKS + 1]      # open cards of a rank
    bint empty          # a column is


cdef bint add_room(Bound* bound) noexcept nogil:
    """Add the condition, with T the wasteful cards of the values found, if heads remain; whether they do."""
    cdef Room room
    cdef Literal clause[3 * MAX_CARDS]
    cdef int place, count = 0, card, i
    cdef bint is_stuck = False
    memset(&room, 0, sizeof(Room))
    while happen(bound, &room):
        pass
    for place in range(bound.cards):
        if holds(room.gone, place):
            continue
        card = bound.card[place]
        is_stuck |= bound.is_vertex[place] and not is_king(bound, place)
        if not is_free(bound, &room, place):
            continue
        if not is_true(bound, bound.wasteful[place]) and has_target(bound, &room, place):
            clause[count] = bound.wasteful[place]
            count += 1
        if bound.is_vertex[place] and not is_king(bound, place):
            for i in range(bound.copies[card + 4]):
                if holds(room.open, bound.place[card + 4][i]):
                    clause[count] = lies_on(bound, place, bound.place[card + 4][i])
                    count += 1
    if is_stuck:
        give_as(&bound.costs.sat, OF_ROOM)
        add_clause(&bound.costs.sat, clause, count)
        give_as(&bound.costs.sat, STATED)
    return is_stuck


cdef inline bint is_free(const Bound* bound, const Room* room, int place) noexcept nogil:
    """Whether all vertices above have left."""
    return is_none(less(bound.above[place], room.gone))


cdef inline bint has_target(const Bound* bound, const Room* room, int place) noexcept nogil:
    """Whether a card that has not left its place has anywhere to go; what lies beneath it is not open."""
    return room.empty or room.targets[(bound.card[place] >> 2) + 1] > 0


cdef bint happen(const Bound* bound, Room* room) noexcept nogil:
    """One round of what can happen; whether anything new did."""
    cdef Places before = room.gone
    cdef int place
    find_empty(bound, room)
    find_open(bound, room)
    for place in range(bound.cards):
        if not holds(room.gone, place) and is_free(bound, room, place) and can_leave(bound, room, place):
            put_in(&room.gone, place)
    return room.gone.low != before.low or room.gone.high != before.high


cdef inline void find_empty(const Bound* bound, Room* room) noexcept nogil:
    """Note whether a column is empty."""
    cdef int place, column
    room.empty = False
    for column in range(bound.columns):
        for place in range(bound.column_at[column], bound.column_at[column + 1]):
            if (bound.is_vertex[place] or is_king(bound, place)) and not holds(room.gone, place):
                break
        else:
            room.empty = True


cdef inline void find_open(const Bound* bound, Room* room) noexcept nogil:
    """Note which cards are open."""
    cdef int place
    memset(room.targets, 0, sizeof(room.targets))
    room.open.low = room.open.high = 0
    for place in range(bound.cards):
        if is_free(bound, room, place) and not (
            place + 1 < bound.cards and bound.attached[place + 1] and not holds(room.gone, place + 1)
        ):
            put_in(&room.open, place)
            room.targets[bound.card[place] >> 2] += 1


cdef inline bint can_leave(const Bound* bound, const Room* room, int place) noexcept nogil:
    """Whether a card leaves its place that nothing lies on any more."""
    cdef int i, above = bound.card[place] + 4
    if is_true(bound, bound.wasteful[place]) and has_target(bound, room, place):
        return True
    if is_king(bound, place):
        return can_complete(bound, room, place)
    if bound.is_vertex[place]:
        for i in range(bound.copies[above]):
            if (holds(room.open, bound.place[above][i])
                    and is_true(bound, lies_on(bound, place, bound.place[above][i]))):
                return True
    return False


cdef bint can_complete(const Bound* bound, const Room* room, int king) noexcept nogil:
    """Whether of each lower rank of a king's suit a copy is attached or has left its place."""
    cdef int card, i
    cdef bint there
    for card in range(bound.card[king] & 3, bound.card[king], 4):
        there = False
        for i in range(bound.copies[card]):
            there |= bound.attached[bound.place[card][i]] or holds(room.gone, bound.place[card][i])
        if not there:
            return False
    return True
