"""What happens before what in a line: conditions 3 and 5 of `bound`.

The events of a card that is no king are its first move and its last one, A and B; those of a king are that it
leaves its place and that it leaves the game. Where a card is no wasteful one, A and B are one event; attached
cards have events only if they are wasteful. An *edge* says that one event is before another if some literals,
its *guards*, are true. `bound` has the proof that these edges hold for every line:

    A(y) before A(x)    y the lowest vertex above x in the column (the others are before y);
    A(y) before B(x)    y the lowest vertex above p(x), for heads x, and attached ones that go elsewhere;
    A(a) before B(x)    a attached to p(x), where x ends;
    B(x) before B(k)    x leaves with the king k;
    A(x) before B(x);

and those of `visits`. Events may coincide where an edge leads to a king that leaves, with the move that lets
it, and from A to B of a card that moves once. But no cycle has only such edges: from a king they lead to
itself and to kings beneath it in its column, never back to a card that is no king or to a king above, and the
next edge from B of a card that is no king leads to another card. So in a line there is no cycle: of its
guards one is false, or a card that it enters at B and leaves at A is wasteful.

Here an edge to B of a card that is not attached stands beside one to A, which its not being wasteful guards
too: with A before B, the cycles among such edges are those in which A and B are one. `precedence` finds them.
"""

from ..sat.propagation cimport Literal
from ..sat.acyclicity cimport MOST_GUARDS, add_edge, begin_acyclicity
from .bound cimport ALWAYS, OF_ORDER, Bound, is_king, leaves_with, lies_on
from .visits cimport meet_visit


cdef void begin_order(Bound* bound) noexcept nogil:
    """Have no cycle in what the search assigns, with the edges of single cards."""
    cdef int place
    begin_acyclicity(&bound.order, &bound.costs.sat, OF_ORDER, meet_visit, bound)
    for place in range(bound.cards):
        add_before(bound, first_of_card(place), last_of_card(place), NULL, 0)
        add_departure(bound, place)
    for place in range(bound.cards):
        if not is_king(bound, place):
            add_arrivals(bound, place)
            add_leavings(bound, place)


cdef void add_before(Bound* bound, int before, int after, const Literal* guards, int count) noexcept nogil:
    """Add an edge, and the one that stands beside it; a guard may be ALWAYS, which is no condition."""
    cdef Literal real[MOST_GUARDS]
    cdef int i, kept = 0, place = after >> 1
    for i in range(count):
        if guards[i] != ALWAYS:
            real[kept] = guards[i]
            kept += 1
    add_edge(&bound.order, before, after, real, kept)
    if after & 1 and not bound.attached[place] and before != first_of_card(place):
        real[kept] = bound.wasteful[place] ^ 1
        add_edge(&bound.order, before, first_of_card(place), real, kept + 1)


cdef inline Literal if_attached(const Bound* bound, int place) noexcept nogil:
    """That a card is wasteful if it is attached; ALWAYS for others."""
    return bound.wasteful[place] if bound.attached[place] else ALWAYS


cdef void add_departure(Bound* bound, int place) noexcept nogil:
    """What lies above a card goes first."""
    cdef int above = bound.lowest_above[place]
    cdef Literal guard = if_attached(bound, place)
    if above >= 0:
        add_before(bound, first_of_card(above), first_of_card(place), &guard, 1)


cdef void add_arrivals(Bound* bound, int place) noexcept nogil:
    """What lies above the place where a card ends goes first."""
    cdef int above, i, parent, card = bound.card[place] + 4
    cdef Literal guards[3]
    guards[0] = if_attached(bound, place)
    for i in range(bound.copies[card]):
        parent = bound.place[card][i]
        if bound.attached[place] and parent == place - 1:
            continue
        guards[1] = lies_on(bound, place, parent)
        above = bound.lowest_above[parent]
        if above >= 0 and above != place:
            add_before(bound, first_of_card(above), last_of_card(place), guards, 2)
        above = parent + 1
        if above < bound.cards and bound.attached[above]:
            guards[2] = bound.wasteful[above]
            add_before(bound, first_of_card(above), last_of_card(place), guards, 3)


cdef void add_leavings(Bound* bound, int place) noexcept nogil:
    """A king leaves the game once all that leave with it have come."""
    cdef int i, king, card = (bound.card[place] & 3) | (bound.ranks - 1) << 2
    cdef Literal guards[2]
    guards[0] = if_attached(bound, place)
    for i in range(bound.copies[card]):
        king = bound.place[card][i]
        guards[1] = leaves_with(bound, place, king)
        add_before(bound, last_of_card(place), last_of_card(king), guards, 2)
