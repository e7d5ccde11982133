"""Acyclicity propagator: SAT modulo a graph whose guarded edges must not form a cycle.

An edge says that one event is before another where all its guards, literals, are true. Clauses for all cycles
would be too many, so cycles are found lazily. The edges whose guards are all true form a graph with
incremental reachability (G. F. Italiano, "Amortized efficiency of a path retrieval data structure", 1986). A
clause says that of the guards along a shortest cycle one is false: where the edge that would close it has one
open guard, that guard is propagated to false; where it has none, the clause is a conflict (M. Gebser,
T. Janhunen, J. Rintanen, "SAT modulo graphs: acyclicity", 2014). These clauses are the first to be forgotten:
they are found again where they matter.
"""

# optimised: searches spend their time here

from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from ..core.work cimport SAT_EVENT
from .propagation cimport widen
from .cdcl cimport take_clause
from .proof cimport STATED, give_as

cdef enum:
    NONE_MISSING = -1       # all guards of an edge were shown
    MANY_MISSING = -2       # more than one was not, or one is false


cdef void begin_acyclicity(Acyclicity* order, Sat* sat, int kind, Met met, void* owner) noexcept nogil:
    """Begin without edges, and register with the search. ``met`` is called, with ``owner``, for awaited
    literals before the edges that they guard are looked at. Clauses are logged as of a ``kind``."""
    cdef int event
    memset(order, 0, sizeof(Acyclicity))
    order.sat = sat
    order.kind = kind
    order.met = met
    order.owner = owner
    for event in range(MOST_EVENTS):
        order.first_out[event] = NO_EDGE
    sat.follow = follow
    sat.follower = order


cdef void free_acyclicity(Acyclicity* order) noexcept nogil:
    free(order.edge)
    free(order.between)
    free(order.linked)
    free(order.change)
    free(order.guarded)
    free(order.is_shown)
    free(order.is_awaited)
    free(order.shown)


cdef bint fit_literals(Acyclicity* order) noexcept nogil:
    """Have room for all literals; false if memory does not allow it."""
    cdef Sat* sat = order.sat
    cdef int before = order.literals, after = 2 * sat.room, literal
    if before >= 2 * sat.variables:
        return True
    if not (
        widen(sat, &order.guarded, before, after, sizeof(order.guarded[0]))
        and widen(sat, &order.is_shown, before, after, 1)
        and widen(sat, &order.is_awaited, before, after, 1)
        and widen(sat, &order.shown, before // 2, after // 2, sizeof(Shown))
    ):
        return False
    for literal in range(before, after):
        order.guarded[literal] = NO_EDGE
    order.literals = after
    return True


cdef int add_edge(Acyclicity* order, int before, int after, const Literal* guards, int count) noexcept nogil:
    """Add an edge; its number, NO_EDGE if memory runs out.

    It is looked at when one of its guards is shown. Those without guards are in the graph at once and for
    ever: they may make no cycle, and have to come before anything is shown.
    """
    cdef int number = order.edges, i, room
    cdef Edge* edge
    if not fit_literals(order):
        return NO_EDGE
    if number == order.edge_room:
        room = number + number // 2 + 256
        if not (
            widen(order.sat, &order.edge, number, room, sizeof(Edge))
            and widen(order.sat, &order.linked, number, room, sizeof(order.linked[0]))
            and fit_places(order, room)
        ):
            return NO_EDGE
        order.edge_room = room
    edge = &order.edge[number]
    edge.before = before
    edge.after = after
    edge.guards = count
    order.events = max(order.events, 1 + max(before, after))
    put_between(order, number)
    order.before_of[after].word[before >> 6] |= <uint64_t>1 << (before & 63)
    for i in range(count):
        edge.guard[i] = guards[i]
        edge.next_of[i] = order.guarded[guards[i]]
        order.guarded[guards[i]] = MOST_GUARDS * number + i
    order.edges += 1
    if count == 0:
        link(order, number)
    return number


cdef bint fit_places(Acyclicity* order, int edges) noexcept nogil:
    """Have a place for every two of so many edges, putting all anew; false without memory."""
    cdef uint32_t places = order.places if order.places else 64, place
    cdef int number
    while 2 * places < <uint32_t>edges:
        places *= 2
    if places == order.places:
        return True
    if not widen(order.sat, &order.between, order.places, places, sizeof(order.between[0])):
        return False
    order.places = places
    for place in range(places):
        order.between[place] = NO_EDGE
    for number in range(order.edges):
        put_between(order, number)
    return True


cdef inline uint32_t place_between(const Acyclicity* order, int before, int after) noexcept nogil:
    """The hash bucket of the edges between two events."""
    return <uint32_t>(before << 8 | after) * <uint32_t>0x9E3779B1 >> 8 & (order.places - 1)


cdef inline void put_between(Acyclicity* order, int number) noexcept nogil:
    """Have an edge found by its events."""
    cdef Edge* edge = &order.edge[number]
    cdef uint32_t place = place_between(order, edge.before, edge.after)
    edge.next_between = order.between[place]
    order.between[place] = number


cdef void await_literal(Acyclicity* order, Literal literal) noexcept nogil:
    """Have ``met`` called whenever a literal is assigned."""
    if fit_literals(order):
        order.is_awaited[literal] = True


cdef bint is_shown(const Acyclicity* order, Literal literal) noexcept nogil:
    """Test if a literal was seen assigned and is still true."""
    return literal < order.literals and order.is_shown[literal]


# --- What the search assigns --------------------------------------------------------------------------------

cdef uint32_t follow(void* follower) noexcept nogil:
    """Look at what was assigned since the last time: the place of a clause that is false then, or 0."""
    cdef Acyclicity* order = <Acyclicity*>follower
    cdef Sat* sat = order.sat
    cdef Literal literal
    cdef int closing, levels = sat.levels
    take_back(order)
    if not fit_literals(order):
        return 0
    while sat.followed < sat.assigned and not sat.full:
        literal = sat.trail[sat.followed]
        if order.is_awaited[literal]:
            order.met(order.owner, literal)
        closing = show(order, literal)
        if closing != NO_EDGE:
            return forbid_cycle(order, closing, NONE_MISSING)
        if sat.levels == levels:
            look_for_implied(order, order.shown[order.shown_count - 1].changes)
        if sat.levels < levels:
            return 0
        sat.followed += 1
    return 0


cdef inline void take_back(Acyclicity* order) noexcept nogil:
    """Take the literals back that are no more true, and the edges that they guard."""
    cdef Edge* edge
    cdef Shown* last
    while order.shown_count > 0 and order.shown[order.shown_count - 1].at >= order.sat.followed:
        order.shown_count -= 1
        last = &order.shown[order.shown_count]
        order.is_shown[last.literal] = False
        while order.linked_count > last.linked:
            order.linked_count -= 1
            edge = &order.edge[order.linked[order.linked_count]]
            order.first_out[edge.before] = edge.next_out
        while order.changes > last.changes:
            order.changes -= 1
            order.reached[order.change[order.changes].event] = order.change[order.changes].reached


cdef inline int show(Acyclicity* order, Literal literal) noexcept nogil:
    """Take in the edges whose last missing guard was ``literal``: the one that closes a cycle, or NO_EDGE."""
    cdef Shown* last = &order.shown[order.shown_count]
    cdef int link_at = order.guarded[literal], number
    cdef Literal missing
    last.literal = literal
    last.at = order.sat.followed
    last.linked = order.linked_count
    last.changes = order.changes
    order.shown_count += 1
    order.is_shown[literal] = True
    while link_at != NO_EDGE:
        number = link_at // MOST_GUARDS
        missing = missing_guard(order, number)
        if missing == NONE_MISSING:
            if not link(order, number):
                return number
        elif missing >= 0 and is_reached(&order.reached[order.edge[number].after], order.edge[number].before):
            if not imply(order, number, missing):
                return NO_EDGE
        link_at = order.edge[number].next_of[link_at - MOST_GUARDS * number]
    return NO_EDGE


cdef inline Literal missing_guard(const Acyclicity* order, int number) noexcept nogil:
    """The one guard of an edge that is open, all others being shown; else NONE_MISSING or MANY_MISSING."""
    cdef const Edge* edge = &order.edge[number]
    cdef Literal missing = NONE_MISSING
    cdef int i
    for i in range(edge.guards):
        if not order.is_shown[edge.guard[i]]:
            if missing != NONE_MISSING or order.sat.value[edge.guard[i]] != 0:
                return MANY_MISSING
            missing = edge.guard[i]
    return missing


# --- The graph ----------------------------------------------------------------------------------------------

cdef inline bint is_reached(const Events* events, int event) noexcept nogil:
    """Test membership of an event."""
    return events.word[event >> 6] >> (event & 63) & 1


cdef bint link(Acyclicity* order, int number) noexcept nogil:
    """Take an edge into the graph unless it closes a cycle; true if it is in."""
    cdef Edge* edge = &order.edge[number]
    cdef Events more = order.reached[edge.after]
    cdef int event, before = edge.before, i
    cdef uint64_t fresh
    if before == edge.after or is_reached(&more, before):
        return False
    edge.next_out = order.first_out[before]
    order.first_out[before] = number
    order.linked[order.linked_count] = number
    order.linked_count += 1
    if is_reached(&order.reached[before], edge.after):
        return True
    more.word[edge.after >> 6] |= <uint64_t>1 << (edge.after & 63)
    if not fit_changes(order):
        return True
    order.sat.work += order.events * SAT_EVENT
    for event in range(order.events):
        if event != before and not is_reached(&order.reached[event], before):
            continue
        fresh = 0
        for i in range(WORDS):
            fresh |= more.word[i] & ~order.reached[event].word[i]
        if fresh == 0:
            continue
        order.change[order.changes].event = event
        order.change[order.changes].reached = order.reached[event]
        order.changes += 1
        for i in range(WORDS):
            order.reached[event].word[i] |= more.word[i]
    return True


cdef bint fit_changes(Acyclicity* order) noexcept nogil:
    """Have room for a change of each event; false if memory does not allow it."""
    cdef int room
    if order.changes + MOST_EVENTS > order.change_room:
        room = 2 * order.change_room + 4 * MOST_EVENTS
        if not widen(order.sat, &order.change, order.change_room, room, sizeof(Change)):
            return False
        order.change_room = room
    return True


cdef void look_for_implied(Acyclicity* order, int first) noexcept nogil:
    """Make false what would close a cycle by now, after the changes from the ``first`` on."""
    cdef int i, word, event
    cdef uint64_t fresh
    for i in range(first, order.changes):
        event = order.change[i].event
        for word in range(WORDS):
            fresh = order.reached[event].word[word] & ~order.change[i].reached.word[word]
            fresh &= order.before_of[event].word[word]
            while fresh:
                if not forbid_between(order, word << 6 | lowest_bit(fresh), event):
                    return
                fresh &= fresh - 1


cdef inline bint forbid_between(Acyclicity* order, int before, int after) noexcept nogil:
    """Make the guards false that are the last open ones of edges between two events, of which the second is
    before the first one; false if the search had to go back for that."""
    cdef int number = order.between[place_between(order, before, after)]
    cdef const Edge* edge
    cdef Literal missing
    while number != NO_EDGE:
        edge = &order.edge[number]
        if edge.before == before and edge.after == after:
            missing = missing_guard(order, number)
            if missing >= 0 and not imply(order, number, missing):
                return False
        number = edge.next_between
    return True


cdef void find_way(Acyclicity* order, int start, int end) noexcept nogil:
    """Find a shortest way in the graph, which must exist; `by` holds it."""
    cdef int queue[MOST_EVENTS]
    cdef bint met[MOST_EVENTS]
    cdef int at = 0, count = 1, i, event
    memset(met, 0, sizeof(met))
    queue[0] = start
    met[start] = True
    while not met[end]:
        i = order.first_out[queue[at]]
        at += 1
        while i != NO_EDGE:
            event = order.edge[i].after
            if not met[event]:
                met[event] = True
                order.by[event] = i
                queue[count] = event
                count += 1
            i = order.edge[i].next_out


cdef inline bint imply(Acyclicity* order, int closing, Literal missing) noexcept nogil:
    """Make the one guard of an edge false that is open, since the edge would close a cycle; false if the
    search had to go back for that, so that what was shown is no more so."""
    cdef int levels = order.sat.levels
    forbid_cycle(order, closing, missing)
    return order.sat.levels == levels


cdef uint32_t forbid_cycle(Acyclicity* order, int closing, Literal missing) noexcept nogil:
    """Forbid a cycle of guards that are true, but for one that may be ``missing``; see `take_clause`."""
    cdef Literal clause[MOST_EVENTS * MOST_GUARDS]
    cdef const Edge* edge = &order.edge[closing]
    cdef int start = edge.after, event = edge.before, count = 0, i
    cdef uint32_t place
    find_way(order, start, event)
    while True:
        for i in range(edge.guards):
            clause[count] = edge.guard[i] ^ 1
            count += 1
        if event == start:
            break
        edge = &order.edge[order.by[event]]
        event = edge.before
    for i in range(count):
        if clause[i] == missing ^ 1:
            clause[i] = clause[0]
            clause[0] = missing ^ 1
    give_as(order.sat, order.kind)
    place = take_clause(order.sat, clause, count)
    give_as(order.sat, STATED)
    return place
