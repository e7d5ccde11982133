"""A lower bound on the moves of a Simon position: heads, and the wasted moves that no line can avoid.

Cards are distinguished by their places in the position at hand. A *head* is a card that is no king and does
not lie on the next higher card of its suit; other cards that are no kings are *attached*. In a line that
wins, every card c that is no king leaves while it lies on a copy p(c) of its next higher card, p being
injective. A move belongs to the card that heads the run moved. Heads move at least once; let W, the
*wasteful* cards, be the heads that move more than once and all other cards that move at all. Then

    moves >= heads + |W|,

and one more for each attached card a in W with p(a) the card it lay on: it went away and came back. The
bound is the least value of the right side over all choices of W and p that meet the conditions below, which
every line meets. It is found by a search for values of these unknowns (`maxsat`) and is valid whenever that
ends.

*Vertices* are the heads, and the kings that have cards below.

1. A vertex u above a card c has left its place, or the game, before c moves as the card that heads a run,
or is a target. For while u lies where it lay, it is no continuation of a run, so the card beneath it, and
by induction every card down to c, can neither move nor leave, nor is it on top.

2. A card that is attached and not in W stays where it is until it leaves: p(a) is the card beneath. Of two
copies one decides for both whether p goes straight or crosswise.

3. A head v not in W moves once, onto p(v). By 1 it *waits* for the vertices above v and for those above the
place of p(v); if v is one of these, p(v) is impossible. A king not in W leaves from its place: it waits for
the vertices above it, and for the heads in its run, those that p leads to it. In a cycle of vertices that
wait for one another one is in W: otherwise consider the first that moves or leaves. Cycles are added as
they turn up in values found; where p is not what it was in these values, they say nothing.

4. `room` has the condition that cards need room to move, and its proof.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from ..sat.maxsat cimport add_cost, begin_costs, count_core, free_costs, new_literal, solve_costs
from ..core.kernel cimport Kernel
from ..sat.cdcl cimport SATISFIED, UNKNOWN, Answer
from ..sat.clauses cimport add_clause
from ..sat.instance cimport Literal, Sat
from .classes cimport MAX_CARDS, Layout
from .places cimport Places, both, either, first_of, holds, is_none, less, put_in, take_out
from .room cimport add_room


# --- The unknowns -------------------------------------------------------------------------------------------


cdef Bound* new_bound(const Layout* layout, uint64_t max_bytes) noexcept nogil:
    """The bound by heads alone, to be raised; NULL if memory does not allow it."""
    cdef Bound* bound
    if max_bytes < 2 * sizeof(Bound):
        return NULL
    bound = <Bound*>calloc(1, sizeof(Bound))
    if bound == NULL:
        return NULL
    if not begin_costs(&bound.costs, max_bytes - sizeof(Bound)) or not place_cards(bound, layout):
        free_bound(bound)
        return NULL
    name_unknowns(bound)
    add_pairs(bound)
    return bound


cdef void free_bound(Bound* bound) noexcept nogil:
    """Give the memory back; NULL holds none."""
    if bound != NULL:
        free_costs(&bound.costs)
        free(bound)


cdef bint place_cards(Bound* bound, const Layout* layout) noexcept nogil:
    """Note what lies where; false if there are more than two decks."""
    cdef int column, i, card, at = 0, king = 4 * layout.ranks - 4
    cdef Places above
    bound.columns = layout.columns
    bound.ranks = layout.ranks
    for column in range(layout.columns):
        bound.column_at[column] = at
        for i in range(layout.size[column]):
            card = layout.card[column][i]
            bound.card[at] = card
            bound.attached[at] = i > 0 and layout.card[column][i - 1] == card + 4
            bound.is_vertex[at] = not bound.attached[at] and (card < king or i > 0)
            bound.heads += card < king and not bound.attached[at]
            if bound.copies[card] == 2:
                return False
            bound.place[card][bound.copies[card]] = at
            bound.copies[card] += 1
            at += 1
        above.low = above.high = 0
        i = at - 1
        while i >= bound.column_at[column]:
            bound.above[i] = above
            if bound.is_vertex[i]:
                put_in(&above, i)
            i -= 1
    bound.column_at[layout.columns] = bound.cards = at
    bound.lower_bound = bound.heads
    return True


cdef void name_unknowns(Bound* bound) noexcept nogil:
    """Variables, and conditions 2."""
    cdef int place, card, rank, suit
    cdef Literal clause[3]
    for place in range(bound.cards):
        bound.wasteful[place] = new_literal(&bound.costs)
        add_cost(&bound.costs, bound.wasteful[place])
    for rank in range(bound.ranks - 2, -1, -1):
        for suit in range(4):
            card = rank << 2 | suit
            bound.straight[card] = bound.under_first[card] = ALWAYS
            if bound.copies[card] == 2:
                bound.straight[card] = new_literal(&bound.costs)
                bound.under_first[card] = bound.straight[card]
                if rank < bound.ranks - 2:
                    bound.under_first[card] = new_literal(&bound.costs)
                    add_equality(bound, bound.under_first[card], bound.straight[card],
                                 bound.under_first[card + 4])
    for place in range(bound.cards):
        if not bound.attached[place]:
            continue
        clause[0] = bound.wasteful[place]
        clause[1] = lies_on(bound, place, place - 1)
        if clause[1] != ALWAYS:
            add_clause(&bound.costs.sat, clause, 2)
        clause[0] ^= 1
        clause[2] = new_literal(&bound.costs)
        add_cost(&bound.costs, clause[2])
        if clause[1] == ALWAYS:
            clause[1] = clause[2]
            add_clause(&bound.costs.sat, clause, 2)
        else:
            clause[1] ^= 1
            add_clause(&bound.costs.sat, clause, 3)


cdef void add_equality(Bound* bound, Literal a, Literal b, Literal c) noexcept nogil:
    """a if and only if b equals c."""
    cdef Literal clause[3]
    cdef int signs
    for signs in range(4):
        clause[0] = a ^ (signs & 1) ^ (signs >> 1)
        clause[1] = b ^ (signs & 1) ^ 1
        clause[2] = c ^ (signs >> 1) ^ 1
        add_clause(&bound.costs.sat, clause, 3)


cdef inline Literal leaves_with(const Bound* bound, int card, int king) noexcept nogil:
    """That a card leaves with a king of its suit."""
    cdef Literal under_first = bound.under_first[bound.card[card]]
    if under_first == ALWAYS:
        return ALWAYS
    return under_first ^ (copy_of(bound, card) != copy_of(bound, king))


# --- Who waits for whom -------------------------------------------------------------------------------------


cdef int conditions(const Bound* bound, int waiting, int other, Literal* literals) noexcept nogil:
    """On what choices of p a vertex that is not wasteful waits for another: how many alternatives."""
    cdef int card = bound.card[waiting], i, count = 0
    if holds(bound.above[waiting], other):
        literals[0] = ALWAYS
        return 1
    if is_king(bound, waiting):
        if is_king(bound, other) or (bound.card[other] & 3) != (card & 3):
            return 0
        literals[0] = leaves_with(bound, other, waiting)
        return 1
    for i in range(bound.copies[card + 4]):
        if holds(bound.above[bound.place[card + 4][i]], other):
            literals[count] = lies_on(bound, waiting, bound.place[card + 4][i])
            count += 1
    return count


cdef void add_pairs(Bound* bound) noexcept nogil:
    """Add all cycles of one or two."""
    cdef Literal there[2]
    cdef Literal back[2]
    cdef Literal clause[4]
    cdef int one, other, i, j, count
    for one in range(bound.cards):
        if not bound.is_vertex[one]:
            continue
        clause[0] = bound.wasteful[one]
        for i in range(conditions(bound, one, one, there) if not is_king(bound, one) else 0):
            count = 1
            if there[i] != ALWAYS:
                clause[count] = there[i] ^ 1
                count += 1
            add_clause(&bound.costs.sat, clause, count)
        for other in range(one):
            if not bound.is_vertex[other]:
                continue
            clause[1] = bound.wasteful[other]
            for i in range(conditions(bound, one, other, there)):
                for j in range(conditions(bound, other, one, back)):
                    count = 2
                    if there[i] != ALWAYS:
                        clause[count] = there[i] ^ 1
                        count += 1
                    if back[j] != ALWAYS:
                        clause[count] = back[j] ^ 1
                        count += 1
                    add_clause(&bound.costs.sat, clause, count)


cdef int add_cycles(Bound* bound) noexcept nogil:
    """Add cycles among the values found: how many."""
    cdef Places waits[MAX_CARDS]
    cdef Places stuck, covered
    cdef Literal literals[2]
    cdef int place, other, i, added = 0
    stuck.low = stuck.high = covered.low = covered.high = 0
    for place in range(bound.cards):
        if bound.is_vertex[place] and not is_true(bound, bound.wasteful[place]):
            put_in(&stuck, place)
    for place in range(bound.cards):
        if not holds(stuck, place):
            continue
        waits[place].low = waits[place].high = 0
        for other in range(bound.cards):
            if holds(stuck, other):
                for i in range(conditions(bound, place, other, literals)):
                    if is_true(bound, literals[i]):
                        put_in(&waits[place], other)
    stuck = less_free(waits, stuck)
    while not is_none(less(stuck, covered)):
        place = first_of(less(stuck, covered))
        put_in(&covered, place)
        added += add_cycle(bound, waits, stuck, &covered, place)
    return added


cdef Places less_free(const Places* waits, Places stuck) noexcept nogil:
    """``stuck`` without all that need not wait for ever."""
    cdef Places todo
    cdef int place
    cdef bint changed = True
    while changed:
        changed = False
        todo = stuck
        while not is_none(todo):
            place = first_of(todo)
            take_out(&todo, place)
            if is_none(both(waits[place], stuck)):
                take_out(&stuck, place)
                changed = True
    return stuck


cdef bint add_cycle(
    Bound* bound, const Places* waits, Places stuck, Places* covered, int start
) noexcept nogil:
    """Add a shortest cycle through a place, if there is any."""
    cdef Places layer[MAX_CARDS + 1]
    cdef Places reached, frontier
    cdef Literal clause[2 * MAX_CARDS]
    cdef Literal literals[2]
    cdef int depth = 0, place, next_one = start, count = 0, i
    layer[0] = reached = both(waits[start], stuck)
    while not holds(reached, start):
        frontier = layer[depth]
        depth += 1
        layer[depth].low = layer[depth].high = 0
        while not is_none(frontier):
            place = first_of(frontier)
            take_out(&frontier, place)
            layer[depth] = either(layer[depth], waits[place])
        layer[depth] = less(both(layer[depth], stuck), reached)
        if is_none(layer[depth]):
            return False
        reached = either(reached, layer[depth])
    while True:
        if depth == 0:
            place = start
        else:
            depth -= 1
            frontier = layer[depth]
            while not holds(waits[first_of(frontier)], next_one):
                take_out(&frontier, first_of(frontier))
            place = first_of(frontier)
        clause[count] = bound.wasteful[place]
        count += 1
        put_in(covered, place)
        for i in range(conditions(bound, place, next_one, literals)):
            if is_true(bound, literals[i]):
                if literals[i] != ALWAYS:
                    clause[count] = literals[i] ^ 1
                    count += 1
                break
        next_one = place
        if place == start:
            break
    add_clause(&bound.costs.sat, clause, count)
    return True


# --- The bound ----------------------------------------------------------------------------------------------


cdef Raise raise_bound(Bound* bound, Kernel kernel) noexcept nogil:
    """Go on until the bound is higher, cannot be made higher in this way, or a limit is met."""
    cdef Sat* sat = &bound.costs.sat
    cdef Answer answer
    while not sat.full:
        answer = solve_costs(&bound.costs, kernel)
        if answer == UNKNOWN:
            return CUT
        if answer == SATISFIED:
            if not (add_cycles(bound) + add_room(bound)):
                return EXHAUSTED
            continue
        if sat.core.count == 0:
            return EXHAUSTED
        if not count_core(&bound.costs, kernel):
            return CUT
        bound.lower_bound = bound.heads + bound.costs.least
        return RAISED
    return CUT
