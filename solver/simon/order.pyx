"""What happens before what in a line: conditions 3 and 5 of `bound`, found as cycles.

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

Cycles are added as they turn up in values found, and in those of some variables that the search has tried so
far: an edge counts if its guards are true there, A(x) before B(x) unless x is known to be no wasteful card.
With these looks in between the bound of Simon Jester 1 comes to 105 in a fifth of the time.
"""

# optimised: searches spend their time here

from libc.string cimport memset

from ..sat.clauses cimport add_clause
from ..sat.instance cimport Literal
from ..sat.proof cimport STATED, give_as
from .bound cimport ALWAYS, OF_ORDER, Bound, is_false, is_king, is_true, leaves_with, lies_on
from .visits cimport add_visit_edges


cdef Edge* new_edge(Order* order, int before, int after) noexcept nogil:
    """An edge without guards; beyond the room for them the last one is lost, and none is needed for the bound
    to hold."""
    cdef Edge* edge = &order.edge[order.count]
    if order.count < MOST_EDGES - 1:
        order.count += 1
    edge.before = before
    edge.after = after
    edge.guards = 0
    return edge


cdef void guard(Edge* edge, Literal literal) noexcept nogil:
    """Have an edge hold only where a literal is true; ALWAYS is no condition."""
    if literal != ALWAYS:
        edge.guard[edge.guards] = literal
        edge.guards += 1


cdef int add_cycles(Bound* bound) noexcept nogil:
    """Add cycles among the values found: how many."""
    cdef Order order
    cdef int event, added = 0
    memset(&order, 0, sizeof(Order))
    add_edges(bound, &order)
    add_visit_edges(bound, &order)
    link_edges(bound, &order)
    find_stuck(bound, &order)
    for event in range(2 * bound.cards):
        if order.stuck[event] and not order.covered[event]:
            added += add_cycle(bound, &order, event)
    return added


cdef void add_edges(const Bound* bound, Order* order) noexcept nogil:
    """The edges of single cards."""
    cdef int place
    cdef bint is_wasteful
    for place in range(bound.cards):
        is_wasteful = is_true(bound, bound.wasteful[place])
        if bound.attached[place] and not is_wasteful:
            continue
        if not is_false(bound, bound.wasteful[place]):
            new_edge(order, first_of_card(place), last_of_card(place))
        add_departure(bound, order, place)
        if not is_king(bound, place):
            add_arrivals(bound, order, place)
            add_leavings(bound, order, place)


cdef void add_departure(const Bound* bound, Order* order, int place) noexcept nogil:
    """What lies above a card goes first."""
    cdef int above = bound.lowest_above[place]
    cdef Edge* edge
    if above >= 0:
        edge = new_edge(order, first_of_card(above), first_of_card(place))
        if bound.attached[place]:
            guard(edge, bound.wasteful[place])


cdef void add_arrivals(const Bound* bound, Order* order, int place) noexcept nogil:
    """What lies above the place where a card ends goes first."""
    cdef int above, i, parent, card = bound.card[place] + 4
    cdef Literal there
    cdef Edge* edge
    for i in range(bound.copies[card]):
        parent = bound.place[card][i]
        there = lies_on(bound, place, parent)
        if not is_true(bound, there) or (bound.attached[place] and parent == place - 1):
            continue
        above = bound.lowest_above[parent]
        if above >= 0 and above != place:
            edge = new_edge(order, first_of_card(above), last_of_card(place))
            guard(edge, there)
            if bound.attached[place]:
                guard(edge, bound.wasteful[place])
        above = parent + 1
        if above < bound.cards and bound.attached[above] and is_true(bound, bound.wasteful[above]):
            edge = new_edge(order, first_of_card(above), last_of_card(place))
            guard(edge, there)
            guard(edge, bound.wasteful[above])
            if bound.attached[place]:
                guard(edge, bound.wasteful[place])


cdef void add_leavings(const Bound* bound, Order* order, int place) noexcept nogil:
    """A king leaves the game once all that leave with it have come."""
    cdef int i, king, card = (bound.card[place] & 3) | (bound.ranks - 1) << 2
    cdef Literal together
    cdef Edge* edge
    for i in range(bound.copies[card]):
        king = bound.place[card][i]
        together = leaves_with(bound, place, king)
        if is_true(bound, together):
            edge = new_edge(order, last_of_card(place), last_of_card(king))
            guard(edge, together)
            if bound.attached[place]:
                guard(edge, bound.wasteful[place])


# --- Cycles -------------------------------------------------------------------------------------------------


cdef inline int event_of(const Bound* bound, int event) noexcept nogil:
    """The event itself, or A for B where they are one."""
    if not bound.attached[event >> 1] and is_false(bound, bound.wasteful[event >> 1]):
        return event & ~1
    return event


cdef void link_edges(const Bound* bound, Order* order) noexcept nogil:
    """Give each event its edges."""
    cdef int i, event
    for event in range(EVENTS):
        order.first[event] = NO_EDGE
    for i in range(order.count):
        event = event_of(bound, order.edge[i].before)
        order.edge[i].next = order.first[event]
        order.first[event] = i
        if event != event_of(bound, order.edge[i].after):
            order.waits_for[event_of(bound, order.edge[i].after)] += 1


cdef void find_stuck(const Bound* bound, Order* order) noexcept nogil:
    """Let all happen that waits for nothing; the other events are stuck."""
    cdef int todo[EVENTS]
    cdef int count = 0, event, after, i
    for event in range(2 * bound.cards):
        order.stuck[event] = order.waits_for[event] > 0
        if order.first[event] != NO_EDGE and not order.stuck[event]:
            todo[count] = event
            count += 1
    while count > 0:
        count -= 1
        event = todo[count]
        i = order.first[event]
        while i != NO_EDGE:
            after = event_of(bound, order.edge[i].after)
            if after != event:
                order.waits_for[after] -= 1
                if order.waits_for[after] == 0:
                    order.stuck[after] = False
                    todo[count] = after
                    count += 1
            i = order.edge[i].next


cdef bint add_cycle(Bound* bound, Order* order, int start) noexcept nogil:
    """Add a shortest cycle through an event, if there is any."""
    cdef int queue[EVENTS]
    cdef int by[EVENTS]         # the edge that an event was reached by
    cdef int read = 0, count = 1, event, after, i
    for event in range(EVENTS):
        by[event] = NO_EDGE
    queue[0] = start
    while read < count:
        event = queue[read]
        read += 1
        i = order.first[event]
        while i != NO_EDGE:
            after = event_of(bound, order.edge[i].after)
            if after != event and order.stuck[after] and by[after] == NO_EDGE:
                by[after] = i
                if after == start:
                    forbid_cycle(bound, order, by, start)
                    return True
                queue[count] = after
                count += 1
            i = order.edge[i].next
    order.covered[start] = True
    return False


cdef void forbid_cycle(Bound* bound, Order* order, const int* by, int start) noexcept nogil:
    """Add that of the guards on the way back to ``start`` one is false."""
    cdef Literal clause[EVENTS * (MOST_GUARDS + 1)]
    cdef int event = start, out, count = 0, i
    cdef const Edge* edge = &order.edge[by[start]]
    while True:
        order.covered[event] = True
        for i in range(edge.guards):
            clause[count] = edge.guard[i] ^ 1
            count += 1
        out = edge.before
        event = event_of(bound, out)
        edge = &order.edge[by[event]]
        if edge.after & 1 and not out & 1 and is_false(bound, bound.wasteful[out >> 1]):
            clause[count] = bound.wasteful[out >> 1]
            count += 1
        if event == start:
            break
    order.covered[start] = True
    give_as(&bound.costs.sat, OF_ORDER)
    add_clause(&bound.costs.sat, clause, count)
    give_as(&bound.costs.sat, STATED)
