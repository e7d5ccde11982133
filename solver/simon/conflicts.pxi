"""Lower bound for two decks by conflicts: branch and bound for a least hitting set of disjunctive landmarks.

A win takes as many moves as there are heads, and one more for each vertex of a set that meets all conflicts.
A *vertex* is a head, or a king that lies on another card. A *conflict* is a set of vertices of which one
costs a further move, since otherwise each of them would have to leave its place before another one (for
landmarks and hitting sets see Bonet and Helmert 2010).

Conflicts come from a relaxed game in which vertices leave from the tops of columns and are never in the way
again: a head when a copy of the next higher card of its suit is uncovered, a king when each lower rank of its
suit has a copy that is attached or has left. Where some stay, the top vertices of columns that wait for each
other are a conflict. The search branches on the vertices of a smallest conflict; when all leave, on the ways
in which two copies of a card may end on the two of the next higher one. Disjoint conflicts prune a branch.

Why it pays: with two decks A* does not end, and the bound was the number of heads. On the deals
800,001-800,020 of simon-jester and simon-jester-triangular it rises from 94.8 and 94.4 moves to 97.2 and 97.9
at once, to 101.8 and 102.9 in 0.08 s, and to 102.6 and 103.6 in 0.4 s (`SimonSearches.lower_bounds` of
tests/native, with limits of 75,000 and 500,000 units of work, 30 November 2026); the lines of `winnable rate
--shortest --work 1000000` stay as long as without it.

Soundness: Theorem S23; tests compare the bound with brute force. A search that is cut off does not raise it.
With one deck it never exceeds that of `landmarks`, which also knows that a card needs a place to go.
"""

# --- Cards that wait ----------------------------------------------------------------------------------------

cdef enum:
    NO_VERTEX = 255         # in place of a vertex
    NO_LINE = 255           # in place of a number of conflicts: no line wins
    POLL_STEPS = 255        # mask of steps: stop flag and clock are polled every 256

cdef enum Waste:            # of a vertex in a branch of the search; the waste of a line is defined with S23
    MAY_WASTE = 0
    WASTES = 1              # it leaves as soon as it is on top
    SAVES = 2               # it is assumed not to be in the waste

cdef enum Pairing:          # of two heads that are copies of a card, neither of which wastes
    UNPAIRED = 0
    STRAIGHT = 1            # the first copy ends on the first copy of the next higher card
    CROSSED = 2             # it ends on the second

cdef struct Branch:         # a state of the relaxed game, and what is assumed
    uint8_t end[MAX_COLUMNS]        # one past the top vertex of each column that has not left
    uint8_t waste[MAX_CARDS]        # of each vertex
    uint8_t pairing[KINDS]          # of each card

cdef struct Conflicts:      # a position and its bound
    int columns, kings
    int first[MAX_COLUMNS + 1]      # the vertices of a column are numbered from here on, the deepest first
    uint8_t card[MAX_CARDS]         # of each vertex
    uint8_t copy[MAX_CARDS]         # of each vertex: whether it is copy 0 or 1 of its card
    uint8_t copies[KINDS]           # number of copies of each card; of each copy there are
    uint8_t column[KINDS][2]
    uint8_t depth[KINDS][2]         # the number of cards beneath it in its column
    uint8_t vertex[KINDS][2]        # its vertex, or NO_VERTEX
    uint8_t parent[KINDS][2]        # the copy of the next higher card that it lies on, if it is attached
    Branch root
    int bound                       # on the vertices in the waste of a line
    bint is_least                   # the search ended: it cannot raise the bound further
    uint64_t steps                  # branches of the search

cdef struct Conflict:
    int count
    uint8_t vertex[2 * MAX_COLUMNS]     # those that may be in the waste


cdef inline void open_conflicts(Conflicts* self, const Layout* layout) noexcept nogil:
    """Set ``self`` to ``layout``, and the bound to a number of disjoint conflicts."""
    cdef int column, depth, card, copy, count = 0
    memset(self, 0, sizeof(Conflicts))
    self.columns = layout.columns
    self.kings = 4 * layout.ranks - 4
    for column in range(layout.columns):
        for depth in range(layout.size[column]):
            card = layout.card[column][depth]
            copy = self.copies[card]
            self.copies[card] += 1
            self.column[card][copy] = column
            self.depth[card][copy] = depth
            self.vertex[card][copy] = NO_VERTEX
            if depth > 0 and layout.card[column][depth - 1] == card + 4:
                self.parent[card][copy] = self.copies[card + 4] - 1
            elif depth > 0 or card < self.kings:
                self.vertex[card][copy] = count
                self.card[count] = card
                self.copy[count] = copy
                count += 1
        self.first[column + 1] = count
    put_back(self, &self.root)
    self.bound = disjoint_conflicts(self, &self.root)


cdef inline void put_back(const Conflicts* self, Branch* branch) noexcept nogil:
    """Put all vertices back in their places."""
    cdef int column
    for column in range(self.columns):
        branch.end[column] = self.first[column + 1]


cdef inline bint lies_over(const Conflicts* self, int vertex, int card, int copy) noexcept nogil:
    """Test if ``vertex`` lies above a copy of ``card`` in its column."""
    cdef int its = self.card[vertex], own = self.copy[vertex]
    return self.column[its][own] == self.column[card][copy] and self.depth[its][own] > self.depth[card][copy]


cdef inline int waiting_twin(const Conflicts* self, const Branch* branch, int vertex) noexcept nogil:
    """The vertex of the other copy of a card, or NO_VERTEX if it is none or wastes."""
    cdef int twin = NO_VERTEX
    if self.copies[self.card[vertex]] == 2:
        twin = self.vertex[self.card[vertex]][1 - self.copy[vertex]]
    return NO_VERTEX if twin != NO_VERTEX and branch.waste[twin] == WASTES else twin


cdef inline bint may_end_on(const Conflicts* self, const Branch* branch, int vertex,
                            int parent) noexcept nogil:
    """Test if a head that is not in the waste may end on this copy of the next higher card: the other copy of
    the head is not attached to that, and the two are not paired otherwise."""
    cdef int card = self.card[vertex], copy = self.copy[vertex]
    if self.copies[card] == 2 and self.vertex[card][1 - copy] == NO_VERTEX:
        return parent != self.parent[card][1 - copy]
    return branch.pairing[card] != (CROSSED if parent == copy else STRAIGHT)


# --- The relaxed game ---------------------------------------------------------------------------------------

cdef inline uint32_t waits_for(const Conflicts* self, Branch* branch, int vertex, bint pair,
                               int* support) noexcept nogil:
    """The set of columns for whose top vertices ``vertex`` waits, with its own column, on top of which it is;
    the empty set if it leaves.

    ``support`` is set to the twin if the vertex waits only as long as that is not in the waste, else to
    NO_VERTEX. With ``pair`` a head that leaves is paired with its twin.
    """
    cdef int card = self.card[vertex], copy = self.copy[vertex], parent, column, end
    cdef int twin = waiting_twin(self, branch, vertex)
    cdef uint32_t columns = <uint32_t>1 << self.column[card][copy]
    support[0] = NO_VERTEX
    if branch.waste[vertex] == WASTES:
        return 0
    if card >= self.kings:
        return king_waits_for(self, branch, card, copy)
    for parent in range(self.copies[card + 4]):
        if not may_end_on(self, branch, vertex, parent):
            continue
        if twin != NO_VERTEX and lies_over(self, twin, card + 4, 1 - parent):
            support[0] = twin
            continue
        column = self.column[card + 4][parent]
        end = branch.end[column]
        if end == self.first[column] or not lies_over(self, end - 1, card + 4, parent):
            if pair and twin != NO_VERTEX:
                branch.pairing[card] = STRAIGHT if parent == copy else CROSSED
            return 0
        columns |= <uint32_t>1 << column
    return columns


cdef inline uint32_t king_waits_for(const Conflicts* self, const Branch* branch, int card,
                                    int copy) noexcept nogil:
    """The set of columns for whose top vertices a king waits, with its own; the empty set if it leaves:
    if a run of attached cards and of heads that have left may lie on it."""
    cdef uint32_t own = <uint32_t>1 << self.column[card][copy], columns = 0
    cdef int reached = 1 << copy, free, vertex
    while card >= 4:
        card -= 4
        free = 0
        if branch.pairing[card] == UNPAIRED:
            columns = 0
            reached = 3
        for copy in range(self.copies[card]):
            vertex = self.vertex[card][copy]
            if reached >> (copy ^ (branch.pairing[card] == CROSSED)) & 1 == 0:
                continue
            if vertex != NO_VERTEX and vertex < branch.end[self.column[card][copy]]:
                columns |= <uint32_t>1 << self.column[card][copy]
            else:
                free |= 1 << copy
        if free == 0:
            return columns | own
        reached = free
    return 0


cdef inline bint all_leave(const Conflicts* self, Branch* branch, bint pair) noexcept nogil:
    """Let vertices leave until no other can. Returns True if none is left."""
    cdef int column, support, left = 1
    cdef bint goes_on = True
    while goes_on:
        goes_on = False
        left = 0
        for column in range(self.columns):
            while branch.end[column] > self.first[column] and waits_for(
                    self, branch, branch.end[column] - 1, pair, &support) == 0:
                branch.end[column] -= 1
                goes_on = True
            left += branch.end[column] - self.first[column]
    return left == 0


# --- Conflicts ----------------------------------------------------------------------------------------------

cdef inline void find_conflict(const Conflicts* self, Branch* branch, Conflict* best) noexcept nogil:
    """Set ``best`` to the smallest conflict that a column is in, after `all_leave` returned False. It has no
    vertices if no line is as ``branch`` assumes."""
    cdef uint32_t waits[MAX_COLUMNS]
    cdef int support[MAX_COLUMNS]
    cdef Conflict conflict
    cdef uint64_t columns, todo
    cdef int column, other
    best.count = NO_LINE
    for column in range(self.columns):
        if branch.end[column] > self.first[column]:
            waits[column] = waits_for(self, branch, branch.end[column] - 1, False, &support[column])
    for column in range(self.columns):
        if branch.end[column] == self.first[column]:
            continue
        conflict.count = 0
        columns = todo = <uint64_t>1 << column
        while todo:
            other = take_bit(&todo)
            todo |= waits[other] & ~columns
            columns |= waits[other]
            add_vertex(&conflict, branch, branch.end[other] - 1)
            if support[other] != NO_VERTEX:
                add_vertex(&conflict, branch, support[other])
        if conflict.count < best.count:
            best[0] = conflict


cdef inline void add_vertex(Conflict* conflict, const Branch* branch, int vertex) noexcept nogil:
    """Add ``vertex`` to a conflict, unless it is there or is assumed not to be in the waste."""
    cdef int i
    if branch.waste[vertex] == SAVES:
        return
    for i in range(conflict.count):
        if conflict.vertex[i] == vertex:
            return
    conflict.vertex[conflict.count] = vertex
    conflict.count += 1


cdef inline int disjoint_conflicts(const Conflicts* self, const Branch* given) noexcept nogil:
    """A number of conflicts without a common vertex, each the smallest one found; NO_LINE if one is empty."""
    cdef Branch branch = given[0]
    cdef Conflict conflict
    cdef int count = 0, i
    while not all_leave(self, &branch, False):
        find_conflict(self, &branch, &conflict)
        if conflict.count == 0:
            return NO_LINE
        for i in range(conflict.count):
            branch.waste[conflict.vertex[i]] = WASTES
        count += 1
    return count


# --- Branch and bound ---------------------------------------------------------------------------------------

cdef inline void raise_bound(Conflicts* self, Kernel* kernel, int most) noexcept nogil:
    """Raise the bound up to ``most`` until it is the least number of vertices that meets all conflicts, or a
    limit or the end of the present turn is reached, which sets ``kernel.reason``."""
    while self.bound < most and not self.is_least and kernel.reason == NOTHING:
        if exceeds(self, kernel, &self.root, self.bound):
            self.bound += 1
        else:
            self.is_least = kernel.reason == NOTHING


cdef inline bint may_step(Conflicts* self, Kernel* kernel) noexcept nogil:
    """Count a step. Returns False, setting the reason, if a limit or the end of the turn is reached."""
    if kernel.reason != NOTHING:
        return False
    self.steps += 1
    add_work(kernel, SIMON_CONFLICT)
    if work_left(kernel) == 0:
        kernel.reason = WORK
    elif self.steps & POLL_STEPS == 0:
        poll(kernel)
    return kernel.reason == NOTHING


cdef inline bint exceeds(Conflicts* self, Kernel* kernel, const Branch* given, int most) noexcept nogil:
    """Test if it is proved that the waste of each line that is as ``given`` assumes has more than ``most``
    vertices beside those that are assumed to be in it."""
    cdef Branch branch = given[0]
    cdef Conflict conflict
    cdef int i, card
    if not may_step(self, kernel):
        return False
    if all_leave(self, &branch, False):
        card = card_to_pair(self, &branch)
        return card != NO_CARD and exceeds_paired(self, kernel, &branch, card, most)
    if disjoint_conflicts(self, &branch) > most:
        return True
    find_conflict(self, &branch, &conflict)
    for i in range(conflict.count):
        if not exceeds_with(self, kernel, &branch, conflict.vertex[i], most):
            return False
    return True


cdef inline bint exceeds_with(Conflicts* self, Kernel* kernel, Branch* branch, int vertex,
                              int most) noexcept nogil:
    """Test the same of lines that have ``vertex`` in the waste; from then on assume that it is not in it."""
    cdef bint result = branch.waste[vertex] == SAVES or most == 0
    if not result:
        branch.waste[vertex] = WASTES
        result = exceeds(self, kernel, branch, most - 1)
    branch.waste[vertex] = SAVES
    return result


cdef inline bint exceeds_paired(Conflicts* self, Kernel* kernel, Branch* branch, int card,
                                int most) noexcept nogil:
    """Test the same by the ways in which the two heads ``card`` may end."""
    cdef int copy
    put_back(self, branch)
    for copy in range(2):
        if not exceeds_with(self, kernel, branch, self.vertex[card][copy], most):
            return False
    branch.pairing[card] = STRAIGHT
    if not exceeds(self, kernel, branch, most):
        return False
    branch.pairing[card] = CROSSED
    return exceeds(self, kernel, branch, most)


cdef inline int card_to_pair(const Conflicts* self, const Branch* given) noexcept nogil:
    """A card with two heads that are not paired: one of a conflict, if possible, after all such heads were
    paired as they left. NO_CARD if all vertices left then."""
    cdef Branch branch = given[0]
    cdef Conflict conflict
    cdef int i, card
    put_back(self, &branch)
    if all_leave(self, &branch, True):
        return NO_CARD
    find_conflict(self, &branch, &conflict)
    for i in range(conflict.count):
        card = self.card[conflict.vertex[i]]
        if branch.pairing[card] != given.pairing[card]:
            return card
    for card in range(self.kings):
        if branch.pairing[card] != given.pairing[card]:
            return card
    return NO_CARD
