"""Lower bound on the moves of a position: a core-guided MaxSAT instance over cards with extra moves.

Cards are distinguished by their places in the position at hand. A *head* is a card that is no king and does
not lie on the next higher card of its suit; other cards that are no kings are *attached*. In a line that
wins, every card c that is no king leaves while it lies on a copy p(c) of its next higher card, p being
injective. A move belongs to the card that heads the run moved. Heads move at least once. *Extra-move cards*
are the heads that move more than once and all other cards that move at all; cards with a *second extra move*
are the kings that move twice and the other cards that move three times, or more. Then (Theorem S9)

    moves >= heads + extra-move cards + cards with a second extra move,

and one more for each attached extra-move card a with p(a) the card it lay on: it went away and came back.
The bound is the least value of the right side over all choices of these cards and of p that satisfy the
clauses below, which every line satisfies. It is found by `maxsat` and is valid whenever that ends.
*Vertices* are the heads, and the kings that have cards below. The clauses:

- of single cards: an attached card without extra move stays until it leaves, so p(a) is the card beneath; of
  two copies one decides for both whether p goes straight or crosswise (Theorem S11a to S11e);
- *precedence* of first and last moves, an acyclicity constraint (Theorem S13);
- *capacity*: cards move only where there is a target for them (Theorem S12);
- *stopovers*: where extra-move cards are between their first and last move (Theorem S11f to S11k, S13f to
  S13m).
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..core.kernel cimport NOTHING
from ..sat.cdcl cimport REFUTED, SATISFIED, Answer
from ..sat.propagation cimport Sat, add_clause, widen
from ..sat.maxsat cimport add_cost, begin_costs, count_core, free_costs, new_literal, solve_costs
from ..sat.acyclicity cimport (MOST_GUARDS, add_edge, await_literal, begin_acyclicity, free_acyclicity,
                               is_shown)
from ..sat.proof cimport STATED, begin_proof, give_as
from .common cimport MAX_RANKS

# --- Sets of places -----------------------------------------------------------------------------------------

cdef inline bint holds(Places places, int place) noexcept nogil:
    return (places.low >> place if place < 64 else places.high >> (place - 64)) & 1

cdef inline void put_in(Places* places, int place) noexcept nogil:
    if place < 64:
        places.low |= <uint64_t>1 << place
    else:
        places.high |= <uint64_t>1 << (place - 64)


# --- Unknowns and search ------------------------------------------------------------------------------------

cdef enum Said:         # of what condition a clause is, if clauses are noted; the others are of single cards
    OF_CAPACITY = 3
    OF_PRECEDENCE = 4

cdef inline bint is_king(const Bound* bound, int place) noexcept nogil:
    return bound.card[place] >> 2 == bound.ranks - 1

cdef inline int copy_of(const Bound* bound, int place) noexcept nogil:
    """Number of the copy of its card that lies there."""
    return bound.place[bound.card[place]][0] != place

cdef inline Literal lies_on(const Bound* bound, int child, int parent) noexcept nogil:
    """Literal of a card that ends on a copy of its next higher card; ALWAYS if there is one copy."""
    cdef Literal straight = bound.straight[bound.card[child]]
    if straight == ALWAYS:
        return ALWAYS
    return straight ^ (copy_of(bound, child) != copy_of(bound, parent))

cdef inline bint is_true(const Bound* bound, Literal literal) noexcept nogil:
    """Test whether a literal is true in the values found; ALWAYS is."""
    return literal == ALWAYS or bound.costs.sat.model[literal >> 1] != (literal & 1)

cdef inline Literal leaves_with(const Bound* bound, int card, int king) noexcept nogil:
    """Literal of a card that leaves with a king of its suit."""
    cdef Literal under_first = bound.under_first[bound.card[card]]
    if under_first == ALWAYS:
        return ALWAYS
    return under_first ^ (copy_of(bound, card) != copy_of(bound, king))


cdef uint64_t WITHOUT_STOPOVERS = 30000     # conflicts: with stopovers there are more to each core
cdef uint64_t NO_LIMIT = <uint64_t>1 << 62


# --- The unknowns -------------------------------------------------------------------------------------------

cdef Bound* new_bound(const Layout* layout, uint64_t max_bytes, bint is_noted) noexcept nogil:
    """The bound by heads alone, to be raised, with sources of clauses if asked; NULL without memory."""
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
    begin_edges(bound)
    return bound


cdef void free_bound(Bound* bound) noexcept nogil:
    """Give the memory back; NULL holds none."""
    if bound != NULL:
        free_acyclicity(&bound.precedence)
        free(bound.stopover_of)
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
    cdef Literal there
    for place in range(bound.cards):
        bound.extra_move[place] = new_literal(&bound.costs)
        add_cost(&bound.costs, bound.extra_move[place])
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
        if bound.attached[place]:
            there = lies_on(bound, place, place - 1)
            require(bound, bound.extra_move[place], there, NEVER)
            bound.comes_back[place] = new_literal(&bound.costs)
            add_cost(&bound.costs, bound.comes_back[place])
            require(bound, bound.extra_move[place] ^ 1, there ^ 1, bound.comes_back[place])


cdef void require(Bound* bound, Literal a, Literal b, Literal c) noexcept nogil:
    """Add the clause that one of these is true, unless one ALWAYS is; NEVER stands for none."""
    cdef Literal[3] wanted = [a, b, c]
    cdef Literal clause[3]
    cdef int i, count = 0
    for i in range(3):
        if wanted[i] == ALWAYS:
            return
        if wanted[i] != NEVER:
            clause[count] = wanted[i]
            count += 1
    add_clause(&bound.costs.sat, clause, count)


cdef void add_equality(Bound* bound, Literal a, Literal b, Literal c) noexcept nogil:
    """a if and only if b equals c."""
    cdef int signs
    for signs in range(4):
        require(bound, a ^ (signs & 1) ^ (signs >> 1), b ^ (signs & 1) ^ 1, c ^ (signs >> 1) ^ 1)


cdef void forbid_own_cover(Bound* bound) noexcept nogil:
    """Add the clauses of heads that lie above the place where they end: they have an extra move."""
    cdef int place, parent, i
    for place in range(bound.cards):
        if not bound.is_vertex[place] or is_king(bound, place):
            continue
        for i in range(bound.copies[bound.card[place] + 4]):
            parent = bound.place[bound.card[place] + 4][i]
            if holds(bound.above[parent], place):
                require(bound, bound.extra_move[place], lies_on(bound, place, parent) ^ 1, NEVER)


# --- The bound ----------------------------------------------------------------------------------------------

cdef Raise raise_bound(Bound* bound, Kernel kernel) noexcept nogil:
    """Go on until the bound is higher, cannot be made higher in this way, or a limit is met."""
    cdef Sat* sat = &bound.costs.sat
    cdef Answer answer
    while not sat.full:
        if not bound.has_stopovers and sat.conflicts >= WITHOUT_STOPOVERS:
            add_stopovers(bound)
        answer = solve_costs(&bound.costs, kernel, NO_LIMIT if bound.has_stopovers else WITHOUT_STOPOVERS)
        if answer == SATISFIED:
            if add_capacity(bound):
                continue
            if bound.has_stopovers:
                return EXHAUSTED
            add_stopovers(bound)
        elif answer == REFUTED:
            if sat.core.count == 0:
                return EXHAUSTED
            if not count_core(&bound.costs, kernel):
                return CUT
            bound.lower_bound = bound.heads + bound.costs.least
            return RAISED
        elif bound.has_stopovers or kernel.reason != NOTHING:
            return CUT
    return CUT


# --- Acyclicity ---------------------------------------------------------------------------------------------

# The events of a card that is no king are its first move and its last one, A and B; those of a king are that
# it leaves its place and that it leaves the game. An *edge* says that one event is before another if some
# literals, its *guards*, are true: the table of docs/certificates.md (*clauses*, order of moves) has them
# all. No line has a cycle (Theorem S13).
#
# Where a card has no extra move A and B are one event. So an edge to B of a card that is not attached stands
# beside one to A, which its not having an extra move guards too: with A before B, the cycles among such edges
# are those in which A and B are one. `acyclicity` of solver/sat finds them.

cdef inline int first_of_card(int place) noexcept nogil:
    """Event of a card's first move, or of a king that leaves its place."""
    return 2 * place

cdef inline int last_of_card(int place) noexcept nogil:
    """Event of a card's last move, or of a king that leaves the game."""
    return 2 * place + 1


cdef void begin_edges(Bound* bound) noexcept nogil:
    """Have no cycle in what the search assigns, with the edges of single cards."""
    cdef int place
    cdef Literal guard
    begin_acyclicity(&bound.precedence, &bound.costs.sat, OF_PRECEDENCE, meet_stopover, bound)
    for place in range(bound.cards):
        add_before(bound, first_of_card(place), last_of_card(place), NULL, 0)
        if bound.lowest_above[place] >= 0:
            guard = if_attached(bound, place)
            add_before(bound, first_of_card(bound.lowest_above[place]), first_of_card(place), &guard, 1)
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
    add_edge(&bound.precedence, before, after, real, kept)
    if after & 1 and not bound.attached[place] and before != first_of_card(place):
        real[kept] = bound.extra_move[place] ^ 1
        add_edge(&bound.precedence, before, first_of_card(place), real, kept + 1)


cdef inline Literal if_attached(const Bound* bound, int place) noexcept nogil:
    """Literal of an attached card's extra move; ALWAYS for other cards."""
    return bound.extra_move[place] if bound.attached[place] else ALWAYS


cdef void add_arrivals(Bound* bound, int place) noexcept nogil:
    """Add the edges from the vertex above the place where a card ends."""
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
            guards[2] = bound.extra_move[above]
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


# --- Capacity -----------------------------------------------------------------------------------------------

# A delete relaxation: let all happen that can if what is open once stays open, and if of the cards only those
# with an extra move in the values found move more often than they must. *Open*, *empty*, *having a target*
# and the rules by which a card leaves its place are in docs/certificates.md (*clauses*, room). If heads
# remain at the end, one of the cards that have no extra move, remain although all vertices above them have
# left, and have a target, has one (Theorem S12); or a head ends on another copy than values say.

cdef struct Reached:       # what can happen at all
    Places gone         # of the cards that left theirs
    Places open
    int targets[MAX_RANKS + 1]      # open cards of a rank
    bint empty          # a column is


cdef bint add_capacity(Bound* bound) noexcept nogil:
    """Add the clause for T, the extra-move cards of the values found, if heads remain; true if so."""
    cdef Reached reached
    cdef Literal clause[3 * MAX_CARDS]
    cdef int place, count = 0, card, i
    cdef bint is_stuck = False
    memset(&reached, 0, sizeof(Reached))
    while happen(bound, &reached):
        pass
    for place in range(bound.cards):
        if holds(reached.gone, place):
            continue
        card = bound.card[place]
        is_stuck |= bound.is_vertex[place] and not is_king(bound, place)
        if not is_free(bound, &reached, place):
            continue
        if not is_true(bound, bound.extra_move[place]) and has_target(bound, &reached, place):
            clause[count] = bound.extra_move[place]
            count += 1
        if bound.is_vertex[place] and not is_king(bound, place):
            for i in range(bound.copies[card + 4]):
                if holds(reached.open, bound.place[card + 4][i]):
                    clause[count] = lies_on(bound, place, bound.place[card + 4][i])
                    count += 1
    if is_stuck:
        give_as(&bound.costs.sat, OF_CAPACITY)
        add_clause(&bound.costs.sat, clause, count)
        give_as(&bound.costs.sat, STATED)
    return is_stuck


cdef inline bint is_free(const Bound* bound, const Reached* reached, int place) noexcept nogil:
    """Test whether all vertices above have left."""
    cdef const Places* above = &bound.above[place]
    return above.low & ~reached.gone.low == 0 and above.high & ~reached.gone.high == 0


cdef inline bint has_target(const Bound* bound, const Reached* reached, int place) noexcept nogil:
    """Test whether a card in its place has a target; what lies beneath it is not open."""
    return reached.empty or reached.targets[(bound.card[place] >> 2) + 1] > 0


cdef bint happen(const Bound* bound, Reached* reached) noexcept nogil:
    """One round of what can happen; true if anything new did."""
    cdef Places before = reached.gone
    cdef int place
    find_open(bound, reached)
    for place in range(bound.cards):
        if (not holds(reached.gone, place) and is_free(bound, reached, place)
                and can_leave(bound, reached, place)):
            put_in(&reached.gone, place)
    return reached.gone.low != before.low or reached.gone.high != before.high


cdef inline void find_open(const Bound* bound, Reached* reached) noexcept nogil:
    """Find the columns that are empty, and the cards that are open."""
    cdef int place, column
    reached.empty = False
    for column in range(bound.columns):
        for place in range(bound.column_at[column], bound.column_at[column + 1]):
            if (bound.is_vertex[place] or is_king(bound, place)) and not holds(reached.gone, place):
                break
        else:
            reached.empty = True
    memset(reached.targets, 0, sizeof(reached.targets))
    reached.open.low = reached.open.high = 0
    for place in range(bound.cards):
        if is_free(bound, reached, place) and not (
            place + 1 < bound.cards and bound.attached[place + 1] and not holds(reached.gone, place + 1)
        ):
            put_in(&reached.open, place)
            reached.targets[bound.card[place] >> 2] += 1


cdef inline bint can_leave(const Bound* bound, const Reached* reached, int place) noexcept nogil:
    """Test whether a card leaves its place that nothing lies on any more."""
    cdef int i, above = bound.card[place] + 4
    if is_true(bound, bound.extra_move[place]) and has_target(bound, reached, place):
        return True
    if is_king(bound, place):
        return can_complete(bound, reached, place)
    if bound.is_vertex[place]:
        for i in range(bound.copies[above]):
            if (holds(reached.open, bound.place[above][i])
                    and is_true(bound, lies_on(bound, place, bound.place[above][i]))):
                return True
    return False


cdef bint can_complete(const Bound* bound, const Reached* reached, int king) noexcept nogil:
    """Test whether of each lower rank of a king's suit a copy is attached or has left its place."""
    cdef int card, i
    for card in range(bound.card[king] & 3, bound.card[king], 4):
        for i in range(bound.copies[card]):
            if bound.attached[bound.place[card][i]] or holds(reached.gone, bound.place[card][i]):
                break
        else:
            return False
    return True


# --- Stopovers ----------------------------------------------------------------------------------------------

# An extra-move card without a second extra move leaves its place and then, if it is no king, goes to where it
# ends. In between, from A to B, it *visits*: it lies on a card of the next higher rank that it does not end
# on, or at the base of a column that was empty, a king always there. Only an attached card that ends
# elsewhere need not visit. A card that is not attached visits nothing beneath it, and not its own column; one
# that is attached visits all but the card on which it lies (Theorem S11k).
#
# Let x visit the card t. At A(x), t is open; from A(x) to B(x) t is covered: nothing else visits it, a card
# that ends on t comes after B(x), and if t is of another suit than x, it does not move (Theorem S13f to
# S13k). Let x visit a column. At A(x) its deepest card has left; until B(x), for a king until it leaves the
# game, nothing else visits the column (Theorem S13l, S13m).
#
# Where one of two orders is possible, a literal decides: ``before[x][e]`` that the event e is before A(x), or
# else after B(x), and ``sooner[x][z]`` that x leaves before z comes if they visit the same.

cdef void add_stopovers(Bound* bound) noexcept nogil:
    """Add the variables of stopovers and their clauses; the instance stays valid."""
    cdef int place
    bound.has_stopovers = True
    for place in range(bound.cards):
        bound.second_extra[place] = new_literal(&bound.costs)
        add_cost(&bound.costs, bound.second_extra[place])
        require(bound, bound.second_extra[place] ^ 1, bound.extra_move[place], NEVER)
        if bound.attached[place]:       # one that stays has no extra move, and what is below it stays
            bound.stays[place] = new_literal(&bound.costs)
            require(bound, bound.stays[place], bound.extra_move[place],
                    bound.stays[place - 1] ^ 1 if bound.attached[place - 1] else NEVER)
        if not is_king(bound, place) or place != bound.column_at[column_of(bound, place)]:
            add_stopovers_of(bound, place)


cdef int column_of(const Bound* bound, int place) noexcept nogil:
    cdef int column = 0
    while bound.column_at[column + 1] <= place:
        column += 1
    return column


cdef void add_stopovers_of(Bound* bound, int place) noexcept nogil:
    """Add a variable for each stopover of a card, and the clause that it makes one."""
    cdef Literal clause[MOST_STOPOVERS + 3]
    cdef int count = 0, target, column, i, j, own = column_of(bound, place)
    for target in range(bound.cards):
        if may_stop(bound, place, target):
            clause[count] = new_stopover(bound, place, target)
            if bound.card[target] == bound.card[place] + 4:
                require(bound, clause[count] ^ 1, lies_on(bound, place, target) ^ 1, NEVER)
            count += 1
    for column in range(bound.columns):
        if column != own or bound.attached[place]:
            clause[count] = new_stopover(bound, place, MAX_CARDS + column)
            count += 1
    for i in range(count):
        for j in range(i):
            require(bound, clause[i] ^ 1, clause[j] ^ 1, NEVER)
    clause[count] = bound.extra_move[place] ^ 1
    clause[count + 1] = bound.second_extra[place]
    count += 2
    if bound.attached[place] and lies_on(bound, place, place - 1) != ALWAYS:
        clause[count] = lies_on(bound, place, place - 1) ^ 1
        count += 1
    add_clause(&bound.costs.sat, clause, count)


cdef inline bint may_stop(const Bound* bound, int place, int target) noexcept nogil:
    """Test whether a card may go to another with its first move and not end there; beneath it only one that
    is attached, since that may have left its column before, with the card that it is attached to."""
    cdef int card = bound.card[target]
    if card >> 2 != (bound.card[place] >> 2) + 1:
        return False
    if column_of(bound, target) == column_of(bound, place) and target < place:
        if not bound.attached[place] or target == place - 1:
            return False
    return card != bound.card[place] + 4 or bound.copies[card] == 2


cdef Literal new_stopover(Bound* bound, int place, int goal) noexcept nogil:
    """Add the variable of a stopover on a card or, beyond these, at the base of a column."""
    cdef Literal literal = new_literal(&bound.costs)
    cdef Stopover* stopover
    if not fit_stopovers(bound):
        return literal
    stopover = &bound.stopover_of[literal >> 1]
    stopover.place = place + 1
    stopover.number = bound.stopovers[place]
    bound.stopover[place][bound.stopovers[place]] = literal
    bound.goal[place][bound.stopovers[place]] = goal
    bound.stopovers[place] += 1
    await_literal(&bound.precedence, literal)
    require(bound, literal ^ 1, bound.extra_move[place], NEVER)
    require(bound, literal ^ 1, bound.second_extra[place] ^ 1, NEVER)
    if goal + 1 < bound.cards and bound.attached[goal + 1]:
        require(bound, literal ^ 1, bound.extra_move[goal + 1], NEVER)
    return literal


cdef bint fit_stopovers(Bound* bound) noexcept nogil:
    """Allocate ``stopover_of`` for all variables; false if memory does not allow it."""
    cdef Sat* sat = &bound.costs.sat
    if bound.stopover_room < sat.variables:
        if not widen(sat, &bound.stopover_of, bound.stopover_room, sat.room, sizeof(Stopover)):
            return False
        bound.stopover_room = sat.room
    return True


# --- What is before what ------------------------------------------------------------------------------------

cdef void meet_stopover(void* owner, Literal literal) noexcept nogil:
    """Add the edges of a stopover that is true, if they are missing."""
    cdef Bound* bound = <Bound*>owner
    cdef Stopover* stopover = &bound.stopover_of[literal >> 1]
    cdef int place = stopover.place - 1, goal = bound.goal[place][stopover.number], other, i, deepest
    if not stopover.is_met:
        stopover.is_met = True
        if goal < MAX_CARDS:
            add_stopover_edges(bound, place, goal, literal)
        else:       # the deepest card of the column has left
            deepest = bound.column_at[goal - MAX_CARDS]
            if deepest < bound.column_at[goal - MAX_CARDS + 1]:
                add_before(bound, first_of_card(deepest), first_of_card(place), &literal, 1)
    for other in range(bound.cards):
        if other == place:
            continue
        for i in range(bound.stopovers[other]):
            if bound.goal[other][i] == goal and is_shown(&bound.precedence, bound.stopover[other][i]):
                add_turn(bound, place, stopover.number, other, i)


cdef void add_stopover_edges(Bound* bound, int place, int target, Literal stopover) noexcept nogil:
    """Add the edges of a stopover on a card."""
    cdef int above = bound.lowest_above[target], i, child, card = bound.card[target] - 4
    cdef Literal guards[3]
    guards[0] = stopover
    if above >= 0:
        add_before(bound, first_of_card(above), first_of_card(place), guards, 1)
    above = target + 1
    if above < bound.cards and bound.attached[above]:
        add_before(bound, first_of_card(above), first_of_card(place), guards, 1)
    for i in range(bound.copies[card]):
        child = bound.place[card][i]
        if child != place:
            guards[1] = lies_on(bound, child, target)
            guards[2] = if_attached(bound, child)
            add_before(bound, last_of_card(place), last_of_card(child), guards, 3)
    if (bound.card[place] ^ card) & 3:
        add_pauses(bound, place, target, stopover)


cdef void add_pauses(Bound* bound, int place, int target, Literal stopover) noexcept nogil:
    """Forbid moves of a card while one of another suit stops over on it."""
    cdef int head = target
    cdef Literal extra_move = bound.extra_move[target]
    if not bound.attached[target]:
        add_pause(bound, place, first_of_card(target), stopover, ALWAYS, ALWAYS)
        add_pause(bound, place, last_of_card(target), stopover, ALWAYS, extra_move)
        return
    add_pause(bound, place, first_of_card(target), stopover, ALWAYS, extra_move)
    add_pause(bound, place, last_of_card(target), stopover, ALWAYS, extra_move)
    while bound.attached[head]:
        head -= 1
    add_pause(bound, place, first_of_card(head), stopover, bound.stays[target], ALWAYS)
    add_pause(bound, place, last_of_card(head), stopover, bound.stays[target], bound.extra_move[head])


cdef void add_pause(Bound* bound, int place, int event, Literal stopover, Literal one,
                    Literal other) noexcept nogil:
    """Put an event before or after a stopover."""
    cdef Literal guards[4]
    if bound.before[place][event] == 0:
        bound.before[place][event] = new_literal(&bound.costs) >> 1
    guards[:] = [stopover, 2 * bound.before[place][event], one, other]
    add_before(bound, event, first_of_card(place), guards, 4)
    guards[1] ^= 1
    add_before(bound, last_of_card(place), event, guards, 4)


cdef void add_turn(Bound* bound, int place, int number, int other, int number_of_other) noexcept nogil:
    """Add the edges of two stopovers at one place, one after the other, if they are missing."""
    cdef Literal guards[3]
    if place < other:
        place, other = other, place
        number, number_of_other = number_of_other, number
    if holds(bound.turns[place][number], other):
        return
    put_in(&bound.turns[place][number], other)
    if bound.sooner[place][other] == 0:
        bound.sooner[place][other] = new_literal(&bound.costs) >> 1
    guards[:] = [bound.stopover[place][number], bound.stopover[other][number_of_other],
                 2 * bound.sooner[place][other]]
    add_before(bound, last_of_card(place), first_of_card(other), guards, 3)
    guards[2] ^= 1
    add_before(bound, last_of_card(other), first_of_card(place), guards, 3)
