"""A lower bound on the moves of a Simon position: heads, and the wasted moves that no line can avoid.

Cards are distinguished by their places in the position at hand. A *head* is a card that is no king and does
not lie on the next higher card of its suit; other cards that are no kings are *attached*. In a line that
wins, every card c that is no king leaves while it lies on a copy p(c) of its next higher card, p being
injective. A move belongs to the card that heads the run moved. Heads move at least once; let W, the
*wasteful* cards, be the heads that move more than once and all other cards that move at all, and let the
*restless* ones be the kings that move twice and the other cards that move three times, or more. Then

    moves >= heads + wasteful cards + restless cards,

and one more for each attached card a in W with p(a) the card it lay on: it went away and came back. (Alone it
moves twice then, and three times if it is restless.) The bound is the least value of the right side over all
choices of W, the restless cards and p that meet the conditions below, which every line meets. It is found by
a search for values of these unknowns (`maxsat`) and is valid whenever that ends.

*Vertices* are the heads, and the kings that have cards below.

1. A vertex u above a card c has left its place, or the game, before c moves as the card that heads a run, or
is a target. For while u lies where it lay, it is no continuation of a run, so the card beneath it, and by
induction every card down to c, can neither move nor leave, nor is it on top.

2. A card that is attached and not in W stays where it is until it leaves: p(a) is the card beneath. Of two
copies one decides for both whether p goes straight or crosswise.

3. Let A(c) and B(c) be the first and the last move of a card; for a king k let A(k) be that it leaves its
place, B(k) that it leaves the game. A head not in W moves once, a king not in W leaves from its place: A is
B. A card c that is no king ends on p(c) with B(c), if it moves at all. So by 1 what lies above c is gone
before A(c), and what lies above the place of p(c) before B(c); if c itself does, it is in W. A card attached
to p(c) has to go before B(c). A king leaves the game once all that p leads to it have come. `order` has
these as edges between events, of which no line has a cycle.

4. `room` has the condition that cards need room to move, and its proof.

5. `visits` has the conditions on where wasteful cards are between A and B, and their proof.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from ..sat.maxsat cimport add_cost, begin_costs, count_core, free_costs, new_literal, solve_costs
from ..core.kernel cimport NOTHING, Kernel
from ..sat.cdcl cimport REFUTED, SATISFIED, Answer
from ..sat.propagation cimport Literal, Sat, add_clause
from ..sat.acyclicity cimport free_acyclicity
from ..sat.proof cimport begin_proof
from .classes cimport Layout
from .order cimport begin_order
from .places cimport Places, holds, put_in
from .room cimport add_room
from .visits cimport name_visits

cdef uint64_t WITHOUT_VISITS = 30000        # conflicts: with visits there are more to each core
cdef uint64_t FOR_EVER = <uint64_t>1 << 62


# --- The unknowns -------------------------------------------------------------------------------------------


cdef Bound* new_bound(const Layout* layout, uint64_t max_bytes, bint is_noted) noexcept nogil:
    """The bound by heads alone, to be raised, its clauses noted with what they follow from if that is asked
    for; NULL if memory does not allow it."""
    cdef Bound* bound
    if max_bytes < 2 * sizeof(Bound):
        return NULL
    bound = <Bound*>calloc(1, sizeof(Bound))
    if bound == NULL:
        return NULL
    if not begin_costs(&bound.costs, max_bytes - sizeof(Bound)) or not place_cards(bound, layout):
        free_bound(bound)
        return NULL
    if is_noted:
        begin_proof(&bound.costs.sat)
    name_unknowns(bound)
    forbid_own_cover(bound)
    begin_order(bound)
    return bound


cdef void free_bound(Bound* bound) noexcept nogil:
    """Give the memory back; NULL holds none."""
    if bound != NULL:
        free_acyclicity(&bound.order)
        free(bound.visit_of)
        free_costs(&bound.costs)
        free(bound)


cdef bint place_cards(Bound* bound, const Layout* layout) noexcept nogil:
    """Note what lies where; false if there are more than two decks."""
    cdef int column, i, card, lowest, at = 0, king = 4 * layout.ranks - 4
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
        lowest = -1
        i = at - 1
        while i >= bound.column_at[column]:
            bound.above[i] = above
            bound.lowest_above[i] = lowest
            if bound.is_vertex[i]:
                put_in(&above, i)
                lowest = i
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
        clause[2] = bound.comes_back[place] = new_literal(&bound.costs)
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


cdef void forbid_own_cover(Bound* bound) noexcept nogil:
    """A head that lies above the place where it ends is wasteful."""
    cdef int place, parent, i
    cdef Literal clause[2]
    for place in range(bound.cards):
        if not bound.is_vertex[place] or is_king(bound, place):
            continue
        for i in range(bound.copies[bound.card[place] + 4]):
            parent = bound.place[bound.card[place] + 4][i]
            if not holds(bound.above[parent], place):
                continue
            clause[0] = bound.wasteful[place]
            clause[1] = lies_on(bound, place, parent)
            if clause[1] != ALWAYS:
                clause[1] ^= 1
            add_clause(&bound.costs.sat, clause, 1 if clause[1] == ALWAYS else 2)


# --- The bound ----------------------------------------------------------------------------------------------


cdef Raise raise_bound(Bound* bound, Kernel kernel) noexcept nogil:
    """Go on until the bound is higher, cannot be made higher in this way, or a limit is met."""
    cdef Sat* sat = &bound.costs.sat
    cdef Answer answer
    while not sat.full:
        if not bound.has_visits and sat.conflicts >= WITHOUT_VISITS:
            name_visits(bound)
        answer = solve_costs(&bound.costs, kernel, FOR_EVER if bound.has_visits else WITHOUT_VISITS)
        if answer == SATISFIED:
            if add_room(bound):
                continue
            if bound.has_visits:
                return EXHAUSTED
            name_visits(bound)
        elif answer == REFUTED:
            if sat.core.count == 0:
                return EXHAUSTED
            if not count_core(&bound.costs, kernel):
                return CUT
            bound.lower_bound = bound.heads + bound.costs.least
            return RAISED
        elif bound.has_visits or kernel.reason != NOTHING:
            return CUT
    return CUT
