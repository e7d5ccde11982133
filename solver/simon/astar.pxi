"""A* over positions of one deck with landmark heuristics, and the anytime search for shortest lines.

A node is a position up to the order of its columns, identified by a key of 127 bits (see `position`). Nodes
are queued by a lower bound on the length of all lines through them, last in first out, so that few moves lead
from one to the next. When no queued bound is below the length of the best line, that line is shortest. If a
position is reached again by fewer moves, it gets a new node; the old one is kept for its descendants, since
the order of the columns may differ.

The heuristic is the number of heads plus the least weight of a hitting set of all cores, that is, disjunctive
action landmarks (see `landmarks`; for LM-A* see Karpas and Domshlak 2009). A core remains valid after a
move if the move goes onto the next higher card of its suit, or if the card that heads it is not in the core
(Theorem S22). So a node stores the cores found at it and inherits those of its ancestors that are still
valid. The bound is evaluated lazily: a node is complete if a hitting set within its bound wins the relaxed
game; otherwise the game yields another core.

Soundness: the bound never exceeds the length of a line (Theorems S5, S9, S21, S22). Only moves that a
shortest line does not need are omitted (Theorem S1): to a second empty column, and of a whole column to an
empty one. Memory: nodes, cores and their tables take up to 7/8 of ``max_bytes``.
"""

# --- A* -----------------------------------------------------------------------------------------------------

cdef enum:
    LONGEST_LINE = 250  # greatest length of a line that A* can find

cdef struct NodeCores:          # what A* stores of a node in addition to `Node`
    uint64_t extra_moves        # set of cards tried first as a hitting set; if complete, one that fits
    uint32_t first              # index in `cores` of the cores found at this node
    uint8_t count               # their number
    uint8_t extra_card          # the card that headed the move to this node if it did not go home, or NO_CARD
    uint8_t is_complete         # the bound of the node was proved not to exceed its priority

cdef struct AStar:
    Position position               # the present position, reached by steps[:depth]
    MadeMove steps[LONGEST_LINE + 1]
    uint32_t path[LONGEST_LINE + 1]     # the nodes on the way to it
    int depth
    Nodes nodes                     # queued by a lower bound on the length of lines through them
    NodeCores* known                # by number of the node
    uint64_t known_room
    uint64_t* cores                 # sets of cards
    uint64_t core_count, core_room, max_bytes
    uint32_t lower_bound            # on the length of any winning line
    Runs runs                       # the position being judged
    CoreSet core_set                # the cores of the node being judged or expanded


# --- Beams and A* ----------------------------------------------------------------------

# Called with ``listener`` when the line is shorter or the bound greater. Returns False to end the search.
ctypedef bint (*Improved)(void* listener) noexcept nogil

cdef struct Shortest:       # a search for a shortest line
    AStar search
    const Layout* layout
    Line* line
    int lower_bound         # on the length of any winning line
    Conflicts conflicts     # of two decks
    BeamSchedule schedule
    Improved listen           # or NULL
    void* listener
    uint64_t called_at      # work done when the listener was called last
    uint64_t moves_reported     # line length and bound of that call
    int bound_reported


# --- A* -----------------------------------------------------------------------------------------------------

cdef enum:
    MOST_INHERITED = 48     # cores that a set inherits, fewer than MOST_CORES so that new ones fit
    MOST_NODE_CORES = 255   # cores stored with one node


cdef inline void free_astar(AStar* search) noexcept nogil:
    free_nodes(&search.nodes)
    free(search.known)
    free(search.cores)
    memset(search, 0, sizeof(AStar))


cdef inline bint open_astar(AStar* search, const Layout* layout, uint64_t max_bytes) noexcept nogil:
    """Start a search at ``layout``. Returns False if memory does not suffice. ``search`` must be zeroed or
    have been opened before."""
    cdef uint64_t low, high
    cdef NodeCores known
    memset(&known, 0, sizeof(NodeCores))
    known.extra_card = NO_CARD
    free_astar(search)
    search.max_bytes = max_bytes
    set_position(&search.position, layout)
    if not reset_nodes(&search.nodes, LONGEST_LINE, 1, max_bytes):
        return False
    find_runs(&search.runs, &search.position)
    clear_core_set(&search.core_set)
    search.lower_bound = count_bits(search.runs.heads)
    low = search.position.low
    high = without_top_bit(search.position.high)
    return add(search, find_slot(&search.nodes, low, high), low, high, NO_NODE, 0, 0, search.lower_bound,
               &known)


# --- Memory -------------------------------------------------------------------------------------------------

cdef inline uint64_t beside_nodes(const AStar* search) noexcept nogil:
    return search.known_room * sizeof(NodeCores) + search.core_room * sizeof(uint64_t)


cdef inline uint64_t astar_bytes(const AStar* search) noexcept nogil:
    return nodes_bytes(&search.nodes) + beside_nodes(search)


cdef inline uint64_t bytes_left(const AStar* search) noexcept nogil:
    return search.max_bytes - min(astar_bytes(search), search.max_bytes)


cdef inline bint room_for_node(AStar* search) noexcept nogil:
    """Reserve an entry of ``known`` for one more node, and assign the remaining memory to the nodes. Returns
    False if memory does not suffice."""
    cdef uint64_t left = bytes_left(search) + search.known_room * sizeof(NodeCores)
    if search.nodes.known.count == search.known_room and not more_room(
            &search.known, &search.known_room, 1024, sizeof(NodeCores), left):
        return False
    if search.nodes.known.count == search.nodes.known.room:
        search.nodes.known.max_bytes = search.max_bytes - min(beside_nodes(search), search.max_bytes)
    return True


cdef inline bint add(AStar* search, uint32_t* slot, uint64_t low, uint64_t high, uint32_t parent,
                     uint32_t move, int depth, int least, const NodeCores* known) noexcept nogil:
    """Add and queue a node for a position that is new or was reached by more moves before.

    ``slot`` is the result of `find_slot`; a queued node of the same position is removed from the queue.
    ``depth`` is the number of moves from the start, ``least`` the lower bound on the length of lines through
    the position. Returns False if memory runs out.
    """
    cdef uint32_t number
    if slot[0] != 0 and search.nodes.nodes[slot[0] - 1].queued:
        dequeue(&search.nodes, slot[0] - 1)
    if not room_for_node(search):
        return False
    number = add_node(&search.nodes, slot, low, high)
    if number == NO_NODE:
        return False
    search.known[number] = known[0]
    link_node(&search.nodes, number, parent, depth, move, least - depth)
    enqueue(&search.nodes, number)
    return True


cdef inline void go_to(AStar* search, uint32_t number) noexcept nogil:
    """Move ``search.position`` to node ``number``, by undoing moves up to the last common ancestor."""
    cdef uint32_t path[LONGEST_LINE + 1]
    cdef const Node* nodes = search.nodes.nodes
    cdef int depth = nodes[number].moves, common = depth
    cdef uint32_t move
    while common > search.depth or (common > 0 and search.path[common] != number):
        path[common] = number
        number = nodes[number].parent
        common -= 1
    while search.depth > common:
        search.depth -= 1
        undo_move(&search.position, search.steps[search.depth])
    while search.depth < depth:
        move = nodes[path[search.depth + 1]].move
        search.steps[search.depth] = do_move(&search.position, source_of(move), target_of(move),
                                             count_of(move))
        search.depth += 1
        search.path[search.depth] = path[search.depth]


# --- The bound ----------------------------------------------------------------------------------------------

cdef inline void gather(AStar* search, uint32_t number) noexcept nogil:
    """Fill ``core_set`` with the valid cores of node ``number`` and its ancestors, the latest first."""
    cdef const Node* node = &search.nodes.nodes[number]
    cdef const NodeCores* known = &search.known[number]
    cdef uint64_t extra_card = 0
    cdef int i
    clear_core_set(&search.core_set)
    while True:
        for i in range(known.count):
            if search.cores[known.first + i] & extra_card == 0:
                inherit(&search.core_set, search.cores[known.first + i])
        if node.parent == NO_NODE:
            return
        if known.extra_card != NO_CARD:
            extra_card |= <uint64_t>1 << known.extra_card
        number = node.parent
        node = &search.nodes.nodes[number]
        known = &search.known[number]


cdef inline void inherit(CoreSet* core_set, uint64_t core) noexcept nogil:
    """Add ``core`` to the set, unless that has MOST_INHERITED cores or one that is a subset of it."""
    cdef int i
    if core_set.count == MOST_INHERITED:
        return
    for i in range(core_set.count):
        if core_set.core[i] & ~core == 0:
            return
    add_core(core_set, core)


cdef inline bint keep_cores(AStar* search, NodeCores* known, int inherited) noexcept nogil:
    """Store the cores of ``core_set`` after the first ``inherited`` with a node, unless it would have more
    than MOST_NODE_CORES. Returns False if memory does not suffice."""
    cdef int found = search.core_set.count - inherited
    cdef uint64_t* cores
    if found == 0 or known.count + found > MOST_NODE_CORES:
        return True
    if search.core_count + known.count + found > search.core_room and not more_room(
            &search.cores, &search.core_room, 4096, 8, bytes_left(search) + 8 * search.core_room):
        return False
    cores = search.cores + search.core_count
    memcpy(cores, search.cores + known.first, known.count * sizeof(uint64_t))
    memcpy(cores + known.count, search.core_set.core + inherited, found * sizeof(uint64_t))
    known.first = search.core_count
    known.count += found
    search.core_count += known.count
    return True


cdef inline bint complete_bound(AStar* search, uint32_t number, const Line* line) noexcept nogil:
    """Complete the bound of node ``number``, whose position and cores are loaded. If the bound rises, the
    node is queued again with it. Returns False if memory runs out."""
    cdef Node* node = &search.nodes.nodes[number]
    cdef NodeCores* known = &search.known[number]
    cdef int inherited = search.core_set.count
    cdef Judgement judgement
    find_runs(&search.runs, &search.position)
    judgement = judge(&search.core_set, &search.runs, first_cores(inherited), &known.extra_moves,
                      node.needed - count_bits(search.runs.heads))
    known.is_complete = judgement == FITS
    if judgement == EXCEEDS and <uint64_t>(node.moves + node.needed + 1) < line.length:
        node.needed += 1
        enqueue(&search.nodes, number)
    return keep_cores(search, known, inherited)


# --- The search ---------------------------------------------------------------------------------------------

cdef inline Progress run_astar(AStar* search, Kernel* kernel, Line* line) noexcept nogil:
    """Continue the search until it shortens the winning line ``line``, raises the lower bound, proves the
    line shortest, or reaches a limit: IMPROVED, PROVED or STOPPED."""
    cdef uint32_t number
    cdef uint64_t before = line.length
    cdef Progress progress
    while line.length == before:
        progress = next_node(&search.nodes, <uint32_t>min(before, <uint64_t>LONGEST_LINE),
                             &search.lower_bound, &number)
        if progress == PROVED and before > LONGEST_LINE:
            kernel.reason = MEMORY
            return STOPPED
        if progress != SEARCHING:
            return progress
        if not may_expand(kernel):
            return STOPPED
        dequeue(&search.nodes, number)
        go_to(search, number)
        if not expand(search, kernel, number, line):
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef inline bint expand(AStar* search, Kernel* kernel, uint32_t number, Line* line) noexcept nogil:
    """Expand node ``number``, whose position is loaded, unless its bound rises when it is completed. Replaces
    ``line`` if a successor wins by fewer moves. Returns False if memory runs out."""
    cdef uint32_t moves[MAX_MOVES]
    cdef uint64_t low, high
    cdef uint32_t* slot
    cdef uint32_t move
    cdef int i, count, depth, card
    cdef bint fits = True
    if IS_CHECKED:
        check_position(&search.position)
    gather(search, number)
    if not search.known[number].is_complete:
        fits = complete_bound(search, number, line)
        if not fits or not search.known[number].is_complete:
            return fits
    depth = search.depth + 1
    count = generate_moves(&search.position, moves)
    kernel.generated += count
    for i in range(count):
        move = moves[i]
        if foresee(&search.position, source_of(move), target_of(move), count_of(move), &low, &high):
            slot = find_slot(&search.nodes, low, without_top_bit(high))
            if slot[0] != 0 and search.nodes.nodes[slot[0] - 1].moves <= depth:
                continue
        card = extra_card_of(&search.position, move)
        search.steps[search.depth] = do_move(&search.position, source_of(move), target_of(move),
                                             count_of(move))
        if search.position.left > 0:
            fits = reach(search, number, move, card, line)
        elif <uint64_t>depth < line.length:
            write_path(search, number, move, line)
        undo_move(&search.position, search.steps[search.depth])
        if not fits:
            return False
    return True


cdef inline int extra_card_of(const Position* position, uint32_t move) noexcept nogil:
    """The card that heads a move, or NO_CARD if it goes home: onto the next higher card of its suit."""
    cdef int source = source_of(move), target = target_of(move)
    cdef int card = position.card[source][position.size[source] - count_of(move)]
    if position.size[target] > 0 and position.card[target][position.size[target] - 1] == card + 4:
        return NO_CARD
    return card


cdef inline bint reach(AStar* search, uint32_t parent, uint32_t move, int extra_card,
                       const Line* line) noexcept nogil:
    """Add a node for the present position, which ``move`` leads to, unless it was reached before by as few
    moves, or its bound is not below the length of ``line``. Returns False if memory runs out."""
    cdef uint64_t low = search.position.low, high = without_top_bit(search.position.high)
    cdef uint32_t* slot = find_slot(&search.nodes, low, high)
    cdef int depth = search.depth + 1, least = search.lower_bound, inherited = search.core_set.count
    cdef NodeCores known
    cdef bint fits = True
    if slot[0] != 0:
        if search.nodes.nodes[slot[0] - 1].moves <= depth:
            return True
        known = search.known[slot[0] - 1]
        if depth + search.nodes.nodes[slot[0] - 1].needed >= least:
            least = depth + search.nodes.nodes[slot[0] - 1].needed
        else:
            known.is_complete = False
        known.extra_card = extra_card
    else:
        least = judge_child(search, &known, &search.known[parent], depth, extra_card)
    if <uint64_t>least < line.length and least < LONGEST_LINE:
        fits = (
            keep_cores(search, &known, inherited)
            and add(search, slot, low, high, parent, move, depth, least, &known)
        )
    while search.core_set.count > inherited:
        remove_last(&search.core_set)
    return fits


cdef inline int judge_child(AStar* search, NodeCores* known, const NodeCores* parent, int depth,
                            int extra_card) noexcept nogil:
    """A lower bound on the length of lines through the present position, a new one, ``depth`` moves from the
    start. ``core_set`` must be that of the parent; new cores are added to it. Fills in ``known``."""
    cdef uint64_t cores = first_cores(search.core_set.count)
    cdef int heads, least = search.lower_bound
    cdef Judgement judgement
    find_runs(&search.runs, &search.position)
    heads = count_bits(search.runs.heads)
    memset(known, 0, sizeof(NodeCores))
    known.extra_card = extra_card
    known.extra_moves = parent.extra_moves & search.runs.present
    if extra_card != NO_CARD:
        cores &= ~search.core_set.hits[extra_card]
        known.extra_moves &= ~(<uint64_t>1 << extra_card)
    judgement = judge(&search.core_set, &search.runs, cores, &known.extra_moves, least - depth - heads)
    known.is_complete = judgement == FITS
    if judgement == HOPELESS:
        return LONGEST_LINE
    return least if judgement == FITS else max(least + 1, depth + heads)


cdef inline void write_path(const AStar* search, uint32_t number, uint32_t move, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to node ``number`` and ``move``, which must be fewer."""
    cdef const Node* node = &search.nodes.nodes[number]
    line.length = node.moves + 1
    line.move[line.length - 1] = move
    while node.moves > 0:
        line.move[node.moves - 1] = node.move
        node = &search.nodes.nodes[node.parent]


# --- Beams and A* -------------------------------------------------------------------------------------------

# With one deck a short beam search comes first, then A*, which proves nearly all lines shortest. Two decks
# are beyond A*: beams run in turns of growing length, with a report after each, and before each turn a part
# of its work goes into the bound by conflicts.

cdef enum:                      # in thousandths of a unit of work
    FIRST_SLICE = 100_000 * UNIT    # work of the beams before A*
    FIRST_TURN = 400_000 * UNIT     # work of the first turn of beams with two decks
    PER_BOUND = 8                   # work of a turn of beams as a multiple of that for the bound before it
    BETWEEN = 250_000 * UNIT        # least work between two calls of the listener


cdef inline void find_shortest(Shortest* shortest, Kernel* kernel, const Layout* layout, Line* line,
                               uint64_t max_bytes) noexcept nogil:
    """Shorten the winning line ``line`` of ``layout`` and raise ``lower_bound`` until they are equal or a
    limit of the kernel is reached, which sets ``kernel.reason``. The node limit applies only to A*."""
    shortest.layout = layout
    shortest.line = line
    shortest.lower_bound = 0
    memset(&shortest.schedule, 0, sizeof(BeamSchedule))
    shortest.called_at = work_done(kernel)
    shortest.moves_reported = line.length
    shortest.bound_reported = 0
    kernel.reason = NOTHING
    shortest.lower_bound = heads_of(layout)
    if has_copies(layout):
        shorten_on(shortest, kernel, max_bytes)
    else:
        prove(shortest, kernel, max_bytes)
    free_astar(&shortest.search)
    if is_proved(shortest):
        kernel.reason = NOTHING
    report(shortest, kernel, True)


cdef inline bint is_proved(const Shortest* shortest) noexcept nogil:
    """Test if the line is proved shortest: if its length is the lower bound."""
    return <uint64_t>shortest.lower_bound >= shortest.line.length


cdef inline uint64_t shortest_bytes(const Shortest* shortest) noexcept nogil:
    return astar_bytes(&shortest.search)


cdef inline bint goes_on(Shortest* shortest, Kernel* kernel) noexcept nogil:
    """End the present turn without counting it as a limit. Returns True if the search should continue: if
    no limit is reached and the line is not proved shortest."""
    allow_work(kernel, UNLIMITED)
    if kernel.reason == WORK and work_left(kernel) > 0:
        kernel.reason = NOTHING
    if kernel.reason == NOTHING and work_left(kernel) == 0:
        kernel.reason = WORK
    return kernel.reason == NOTHING and not is_proved(shortest)


cdef inline void shorten_for(Shortest* shortest, Kernel* kernel, uint64_t work,
                             uint64_t max_bytes) noexcept nogil:
    """Run beams for at most ``work``, and report."""
    allow_work(kernel, work)
    shorten(kernel, shortest.layout, shortest.line, max_bytes, &shortest.schedule)
    report(shortest, kernel, False)


cdef inline bint raise_for(Shortest* shortest, Kernel* kernel, uint64_t work) noexcept nogil:
    """Raise the bound by conflicts for at most ``work``, and for at most one PER_BOUND-th of the work left.
    Returns False if the search should end."""
    cdef int heads = shortest.lower_bound - shortest.conflicts.bound
    if not goes_on(shortest, kernel):
        return False
    allow_work(kernel, min(work, work_left(kernel) // PER_BOUND))
    raise_bound(&shortest.conflicts, kernel, <int>shortest.line.length - heads)
    shortest.lower_bound = heads + shortest.conflicts.bound
    return goes_on(shortest, kernel)


cdef inline void shorten_on(Shortest* shortest, Kernel* kernel, uint64_t max_bytes) noexcept nogil:
    """Run a narrow beam, then beams in turns of growing length, the last of which takes all the work left;
    raise the lower bound before each. Ends with reason WORK after a turn in which no beam was run."""
    cdef uint64_t slice = FIRST_TURN, before
    open_conflicts(&shortest.conflicts, shortest.layout)
    shortest.lower_bound += shortest.conflicts.bound
    if not raise_for(shortest, kernel, slice // (2 * PER_BOUND)):
        return
    shortest.schedule.most = 1
    shorten_for(shortest, kernel, slice, max_bytes // 4)
    shortest.schedule.most = 0
    while raise_for(shortest, kernel, slice // PER_BOUND):
        before = work_done(kernel)
        shorten_for(shortest, kernel, UNLIMITED if work_left(kernel) < 5 * slice else slice, max_bytes // 4)
        if work_done(kernel) == before and kernel.reason == NOTHING:
            kernel.reason = WORK
            return
        slice *= 2


cdef inline void prove(Shortest* shortest, Kernel* kernel, uint64_t max_bytes) noexcept nogil:
    """Run a short beam search, then A*."""
    cdef Progress progress = IMPROVED
    if not goes_on(shortest, kernel):
        return
    shorten_for(shortest, kernel, min(FIRST_SLICE, work_left(kernel) // 10), max_bytes // 4)
    if not goes_on(shortest, kernel):
        return
    if not open_astar(&shortest.search, shortest.layout, max_bytes // 8 * 7):
        kernel.reason = MEMORY
        return
    begin_stage(kernel, A_STAR, SIMON_NODE)
    while progress == IMPROVED and not is_proved(shortest):
        progress = run_astar(&shortest.search, kernel, shortest.line)
        if shortest.search.lower_bound > shortest.lower_bound:
            shortest.lower_bound = shortest.search.lower_bound
        report(shortest, kernel, False)


cdef inline void report(Shortest* shortest, Kernel* kernel, bint at_once) noexcept nogil:
    """Call the listener if line or bound have changed and, unless ``at_once`` is true, BETWEEN work was done
    since the last call."""
    if shortest.listen == NULL or (not at_once and work_done(kernel) < shortest.called_at + BETWEEN):
        return
    if shortest.line.length == shortest.moves_reported and shortest.lower_bound == shortest.bound_reported:
        return
    shortest.called_at = work_done(kernel)
    shortest.moves_reported = shortest.line.length
    shortest.bound_reported = shortest.lower_bound
    if not shortest.listen(shortest.listener):
        shortest.listen = NULL
        kernel.reason = INTERRUPTED


cdef inline int heads_of(const Layout* layout) noexcept nogil:
    """The number of heads: cards other than kings that do not lie on the next higher card of their suit. A
    win takes at least one move for each (Theorem S5)."""
    cdef int column, i, card, heads = 0
    for column in range(layout.columns):
        for i in range(layout.size[column]):
            card = layout.card[column][i]
            heads += card < 4 * layout.ranks - 4 and not (i > 0 and layout.card[column][i - 1] == card + 4)
    return heads


cdef inline bint has_copies(const Layout* layout) noexcept nogil:
    """Test if some card is there twice."""
    cdef uint64_t met = 0, card
    cdef int column, i
    for column in range(layout.columns):
        for i in range(layout.size[column]):
            card = <uint64_t>1 << layout.card[column][i]
            if met & card:
                return True
            met |= card
    return False
