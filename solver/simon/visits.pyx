"""Where wasteful cards wait: condition 5 of `bound`.

A wasteful card that is not restless moves away from its place and then, if it is no king, to where it ends.
In between, from A to B, it *visits*: it lies on a card of the next higher rank that it does not end on, or at
the base of a column that was empty, a king always there. Only an attached card that ends elsewhere need not
visit: it may go there at once. As it heads no other move, it stays on what it visits. A card that is not
attached is in its place till A: so it visits nothing beneath it, and not its own column. One that is attached
may have left its column before, with the card on which it lies, and visits all but that one.

Let x visit the card t. At A(x), t is open: the vertices above have left, and the card attached to t is
wasteful and has gone. From A(x) to B(x) t is covered: nothing else visits it; a card c that ends on t, and
stays there, comes after B(x), since it would cover t at A(x) if it had come before. If t is of another suit
than x, no run holds both, and t moves neither alone nor in a run: its own moves are before A(x) or after
B(x), and if it is attached and it and all it is attached to stay, so are those of the card that heads these.

Let x visit a column. At A(x) all that lay there has left its place: the deepest card last. From A(x) to B(x),
for a king until it leaves the game, nothing else visits the column.

Where one of two orders is possible, a literal tells which: ``before[x][e]`` that the event e is before A(x),
or else after B(x), if the visit of x forbids it in between, and ``sooner[x][z]`` that x leaves before z comes
if they visit the same.
"""

from ..sat.propagation cimport Literal, Sat, add_clause, widen
from ..sat.maxsat cimport add_cost, new_literal
from ..sat.acyclicity cimport await_literal, is_shown
from .bound cimport ALWAYS, MOST_VISITS, Bound, Visit, is_king, lies_on
from .capacity cimport MAX_CARDS
from .order cimport add_before, first_of_card, last_of_card
from .places cimport holds, put_in


cdef void name_visits(Bound* bound) noexcept nogil:
    """Variables, and that wasteful cards visit; what is known stays true."""
    cdef int place
    cdef Literal clause[2]
    bound.has_visits = True
    for place in range(bound.cards):
        bound.restless[place] = new_literal(&bound.costs)
        add_cost(&bound.costs, bound.restless[place])
        clause[0] = bound.restless[place] ^ 1
        clause[1] = bound.wasteful[place]
        add_clause(&bound.costs.sat, clause, 2)
        if bound.attached[place]:
            bound.stays[place] = new_literal(&bound.costs)
            clause[0] = bound.stays[place]
            clause[1] = bound.wasteful[place]
            add_stay(bound, place, clause)
        if not is_king(bound, place) or place != bound.column_at[column_of(bound, place)]:
            name_visits_of(bound, place)


cdef void add_stay(Bound* bound, int place, const Literal* clause) noexcept nogil:
    """An attached card stays that is not wasteful, if what it is attached to stays."""
    cdef Literal wider[3]
    if not bound.attached[place - 1]:
        add_clause(&bound.costs.sat, clause, 2)
        return
    wider[0] = clause[0]
    wider[1] = clause[1]
    wider[2] = bound.stays[place - 1] ^ 1
    add_clause(&bound.costs.sat, wider, 3)


cdef int column_of(const Bound* bound, int place) noexcept nogil:
    """The column where a place is."""
    cdef int column = 0
    while bound.column_at[column + 1] <= place:
        column += 1
    return column


cdef void name_visits_of(Bound* bound, int place) noexcept nogil:
    """A variable for each visit of a card, and that it visits one thing."""
    cdef Literal clause[MOST_VISITS + 3]
    cdef Literal pair[2]
    cdef Literal there
    cdef int count = 0, target, column, i, j, own = column_of(bound, place)
    for target in range(bound.cards):
        if may_visit(bound, place, target):
            clause[count] = new_visit(bound, place, target)
            if bound.card[target] == bound.card[place] + 4:
                pair[0] = clause[count] ^ 1
                pair[1] = lies_on(bound, place, target) ^ 1
                add_clause(&bound.costs.sat, pair, 2)
            count += 1
    for column in range(bound.columns):
        if column != own or bound.attached[place]:
            clause[count] = new_visit(bound, place, MAX_CARDS + column)
            count += 1
    for i in range(count):
        for j in range(i):
            pair[0] = clause[i] ^ 1
            pair[1] = clause[j] ^ 1
            add_clause(&bound.costs.sat, pair, 2)
    clause[count] = bound.wasteful[place] ^ 1
    clause[count + 1] = bound.restless[place]
    count += 2
    if bound.attached[place]:
        there = lies_on(bound, place, place - 1)
        if there != ALWAYS:
            clause[count] = there ^ 1
            count += 1
    add_clause(&bound.costs.sat, clause, count)


cdef inline bint may_visit(const Bound* bound, int place, int target) noexcept nogil:
    """Whether a card may go to another with its first move and not end there; beneath it only one that is
    attached, since that may have left its column before, with the card that it is attached to."""
    cdef int card = bound.card[target]
    if card >> 2 != (bound.card[place] >> 2) + 1:
        return False
    if column_of(bound, target) == column_of(bound, place) and target < place:
        if not bound.attached[place] or target == place - 1:
            return False
    return card != bound.card[place] + 4 or bound.copies[card] == 2


cdef Literal new_visit(Bound* bound, int place, int goal) noexcept nogil:
    """A variable for the visit of a card to another or, beyond these, to a column."""
    cdef Literal literal = new_literal(&bound.costs)
    cdef Literal pair[2]
    cdef Visit* visit
    if not fit_visits(bound):
        return literal
    visit = &bound.visit_of[literal >> 1]
    visit.place = place + 1
    visit.number = bound.visits[place]
    bound.visit[place][bound.visits[place]] = literal
    bound.goal[place][bound.visits[place]] = goal
    bound.visits[place] += 1
    await_literal(&bound.order, literal)
    pair[0] = literal ^ 1
    pair[1] = bound.wasteful[place]
    add_clause(&bound.costs.sat, pair, 2)
    pair[1] = bound.restless[place] ^ 1
    add_clause(&bound.costs.sat, pair, 2)
    if goal + 1 < bound.cards and bound.attached[goal + 1]:
        pair[1] = bound.wasteful[goal + 1]
        add_clause(&bound.costs.sat, pair, 2)
    return literal


cdef bint fit_visits(Bound* bound) noexcept nogil:
    """Have room for what each variable stands for; false if memory does not allow it."""
    cdef Sat* sat = &bound.costs.sat
    if bound.visit_room < sat.variables:
        if not widen(sat, &bound.visit_of, bound.visit_room, sat.room, sizeof(Visit)):
            return False
        bound.visit_room = sat.room
    return True


# --- What is before what ------------------------------------------------------------------------------------


cdef void meet_visit(void* owner, Literal literal) noexcept nogil:
    """Add the edges of a visit that is made, if they are not there."""
    cdef Bound* bound = <Bound*>owner
    cdef Visit* visit = &bound.visit_of[literal >> 1]
    cdef int place = visit.place - 1, goal = bound.goal[place][visit.number], other, i
    if not visit.is_met:
        visit.is_met = True
        if goal < MAX_CARDS:
            add_stop(bound, place, goal, literal)
        else:
            add_base(bound, place, goal - MAX_CARDS, literal)
    for other in range(bound.cards):
        if other == place:
            continue
        for i in range(bound.visits[other]):
            if bound.goal[other][i] == goal and is_shown(&bound.order, bound.visit[other][i]):
                add_turn(bound, place, visit.number, other, i)


cdef void add_stop(Bound* bound, int place, int target, Literal visit) noexcept nogil:
    """The edges of a visit to a card."""
    cdef int above = bound.lowest_above[target], i, child, card = bound.card[target] - 4
    cdef Literal guards[3]
    guards[0] = visit
    if above >= 0:
        add_before(bound, first_of_card(above), first_of_card(place), guards, 1)
    above = target + 1
    if above < bound.cards and bound.attached[above]:
        add_before(bound, first_of_card(above), first_of_card(place), guards, 1)
    for i in range(bound.copies[card]):
        child = bound.place[card][i]
        if child != place:
            guards[1] = lies_on(bound, child, target)
            guards[2] = bound.wasteful[child] if bound.attached[child] else ALWAYS
            add_before(bound, last_of_card(place), last_of_card(child), guards, 3)
    if (bound.card[place] ^ card) & 3:
        add_pauses(bound, place, target, visit)


cdef void add_pauses(Bound* bound, int place, int target, Literal visit) noexcept nogil:
    """A card does not move while another of another suit visits it."""
    cdef int head = target
    cdef Literal wasteful = bound.wasteful[target]
    if not bound.attached[target]:
        add_pause(bound, place, first_of_card(target), visit, ALWAYS, ALWAYS)
        add_pause(bound, place, last_of_card(target), visit, ALWAYS, wasteful)
        return
    add_pause(bound, place, first_of_card(target), visit, ALWAYS, wasteful)
    add_pause(bound, place, last_of_card(target), visit, ALWAYS, wasteful)
    while bound.attached[head]:
        head -= 1
    add_pause(bound, place, first_of_card(head), visit, bound.stays[target], ALWAYS)
    add_pause(bound, place, last_of_card(head), visit, bound.stays[target], bound.wasteful[head])


cdef void add_pause(
    Bound* bound, int place, int event, Literal visit, Literal one, Literal other
) noexcept nogil:
    """An event is before or after a visit."""
    cdef Literal guards[4]
    if bound.before[place][event] == 0:
        bound.before[place][event] = new_literal(&bound.costs) >> 1
    guards[0] = visit
    guards[1] = 2 * bound.before[place][event]
    guards[2] = one
    guards[3] = other
    add_before(bound, event, first_of_card(place), guards, 4)
    guards[1] ^= 1
    add_before(bound, last_of_card(place), event, guards, 4)


cdef void add_base(Bound* bound, int place, int column, Literal visit) noexcept nogil:
    """The edge of a visit to a column: the deepest card has left it."""
    cdef int deepest = bound.column_at[column]
    if deepest < bound.column_at[column + 1]:
        add_before(bound, first_of_card(deepest), first_of_card(place), &visit, 1)


cdef void add_turn(Bound* bound, int place, int number, int other, int number_of_other) noexcept nogil:
    """The edges of two cards that visit the same, one after the other, if they are not there."""
    cdef Literal guards[3]
    if place < other:
        place, other = other, place
        number, number_of_other = number_of_other, number
    if holds(bound.turns[place][number], other):
        return
    put_in(&bound.turns[place][number], other)
    if bound.sooner[place][other] == 0:
        bound.sooner[place][other] = new_literal(&bound.costs) >> 1
    guards[0] = bound.visit[place][number]
    guards[1] = bound.visit[other][number_of_other]
    guards[2] = 2 * bound.sooner[place][other]
    add_before(bound, last_of_card(place), first_of_card(other), guards, 3)
    guards[2] ^= 1
    add_before(bound, last_of_card(other), first_of_card(place), guards, 3)
