"""A* over positions of one-pass Klondike with disjoint landmarks: a shortest line to a score, proved.

Technique: A* (Hart, Nilsson and Raphael 1968) over macro moves. To fill all places, the heuristic is the
number of cards still to go up, plus the turns left, plus the number of pairwise disjoint disjunctive action
landmarks (Helmert and Domshlak 2009) of a relaxed game (J14). To a lower score it is the number of cards
still to go up, plus the least turns with which the relaxed game reaches the score.

The heuristic is evaluated lazily. A position inherits the landmarks of its parent except the one that
contains the head of the move made, and is queued by those. When it reaches the front of the queue, that
landmark is checked again, and a run of the relaxed game determines whether there are others. If so, one more
move is needed; the further landmark itself is computed only if the position still comes first.

Soundness: the heuristic is a lower bound (J14), a shortest line of the macros tried exists (J13), and keys
are exact. A node found again in fewer moves is queued again. So the line is shortest when the queue is empty
or starts with a priority no less than its length.
Memory: nodes, and their landmarks of 8 bytes each, within ``max_bytes``.
"""

cdef struct Inherited:      # landmarks of a node
    uint32_t first          # index of the first one in ``landmarks`` of the search
    uint8_t count
    uint8_t head            # head of the extra move to here, its landmark to be rechecked; or NATURALS
    uint8_t state           # a LandmarkStatus

cdef enum LandmarkStatus:
    IN_DOUBT = 0            # landmarks of the parent, not rechecked
    ONE_MORE = 1            # another landmark exists, but was not computed
    COMPLETE = 2

cdef enum Judgement:
    UNJUDGED = 0            # memory ran out
    HOPELESS = 1            # no line to the goal
    LATER = 2               # its priority has risen: other nodes come first
    NOW = 3                 # to be expanded

cdef struct MacroAStar:
    ExactLayout layout
    ExactKey start
    Position game          # the start as an exact position
    Nodes nodes
    Inherited* inherited    # landmarks of each node
    uint64_t inherited_room  # capacity of ``inherited``
    Pool landmarks
    uint64_t max_bytes
    uint64_t judged         # positions whose bound was computed
    int fewest              # moves of the best line known
    int lower_bound         # lower bound of the moves of all lines
    uint32_t last           # last node of the best line, NO_NODE if this search has not found it


cdef inline bint is_full(const MacroAStar* search) noexcept nogil:
    """Test whether the goal is to fill all foundation places."""
    return search.layout.is_full


cdef enum:
    JUDGED_MASK = 4095      # clock and signals are polled once for every 4,096 positions judged


cdef inline void free_macro_astar(MacroAStar* search) noexcept nogil:
    free_nodes(&search.nodes)
    free(search.inherited)
    free(search.landmarks.cards)
    search.inherited = NULL
    search.landmarks.cards = NULL
    search.inherited_room = search.landmarks.room = search.landmarks.count = 0


cdef inline uint64_t macro_astar_bytes(const MacroAStar* search) noexcept nogil:
    return nodes_bytes(&search.nodes) + beside_nodes(search)


cdef inline bint open_macro_astar(MacroAStar* search, const Position* game, int goal, int fewest,
                                  uint64_t max_bytes) noexcept nogil:
    """Prepare the search for a line from ``game``, without jokers, to a score of ``goal`` with fewer than
    ``fewest`` moves. Returns False if memory runs out."""
    cdef ExactPosition p
    free_macro_astar(search)
    search.game = game[0]
    search.max_bytes = max_bytes
    search.fewest = fewest
    search.lower_bound = 0
    search.last = NO_NODE
    search.judged = 0
    open_layout(&search.layout, &search.start, game, goal)
    take_apart(&search.layout, &search.start, &p)
    return (
        reset_nodes(&search.nodes, fewest + 1, 1, max_bytes)
        and offer_macro(search, &p, NO_NODE, 0)
    )


# --- Memory -------------------------------------------------------------------------------------------------

cdef inline uint64_t beside_nodes(const MacroAStar* search) noexcept nogil:
    """Return the bytes allocated in addition to the nodes."""
    return search.inherited_room * sizeof(Inherited) + search.landmarks.room * sizeof(uint64_t)


cdef inline uint64_t bytes_left(const MacroAStar* search) noexcept nogil:
    """Return the bytes that may still be allocated."""
    return search.max_bytes - min(macro_astar_bytes(search), search.max_bytes)


cdef inline bint make_room_beside(MacroAStar* search) noexcept nogil:
    """Grow ``inherited`` for one more node if necessary, and set the byte limit of the nodes to the rest of
    the memory. Returns False if memory runs out."""
    if search.nodes.known.count == search.inherited_room and not more_room(
            &search.inherited, &search.inherited_room, 1024, sizeof(Inherited),
            bytes_left(search) + search.inherited_room * sizeof(Inherited)):
        return False
    if search.nodes.known.count == search.nodes.known.room:
        search.nodes.known.max_bytes = search.max_bytes - min(beside_nodes(search), search.max_bytes)
    return True


# --- The bound ----------------------------------------------------------------------------------------------

cdef inline int needed_at_least(const MacroAStar* search, const ExactKey* key) noexcept nogil:
    """Return a lower bound of the moves still needed: the missing score, plus all turns left if all places
    are the goal."""
    cdef int needed = max(0, search.layout.goal - score_in(key))
    if is_full(search):
        needed += search.layout.slots - turned_in(key)
    return needed


cdef inline Judgement judge_node(MacroAStar* search, uint32_t number, ExactPosition* p) noexcept nogil:
    """Raise the bound of the node ``number`` with the position ``p`` until it is final or other nodes come
    first in the queue."""
    cdef Node* node = &search.nodes.nodes[number]
    cdef uint32_t now = search.nodes.queue.first
    cdef int turns
    if search.inherited[number].state == COMPLETE:
        return NOW
    search.judged += 1
    if is_full(search):
        return judge_by_landmarks(search, number, p)
    turns = least_turns(&search.layout, p)
    if turns == NEVER:
        return HOPELESS
    search.inherited[number].state = COMPLETE
    node.needed = max(node.needed, needed_at_least(search, &p.key) + turns)
    return NOW if node.moves + node.needed <= now else LATER


cdef inline Judgement judge_by_landmarks(MacroAStar* search, uint32_t number,
                                         const ExactPosition* p) noexcept nogil:
    """Raise the bound of a node as `judge_node` does, by landmarks; the goal is to fill all places."""
    cdef uint64_t landmarks[MOST_LANDMARKS]
    cdef Node* node = &search.nodes.nodes[number]
    cdef Inherited* known = &search.inherited[number]
    cdef uint32_t now = search.nodes.queue.first
    cdef uint64_t doubtful = 0, taken = 0, landmark, touched = ~<uint64_t>0, unused
    cdef int count = 0, i, least = needed_at_least(search, &p.key)
    cdef bint was_kept = True
    for i in range(known.count):
        landmark = search.landmarks.cards[known.first + i]
        if known.head < NATURALS and landmark >> known.head & 1:
            doubtful = landmark
            was_kept = False
        else:
            landmarks[count] = landmark
            count += 1
            taken |= landmark
    while True:
        if known.state != ONE_MORE:
            if relaxed_wins(&search.layout, p, taken, &touched):
                known.state = COMPLETE
                break
            known.state = ONE_MORE
        node.needed = max(node.needed, least + count + 1)
        if node.moves + node.needed > now:
            break
        landmark = doubtful
        if not doubtful or relaxed_wins(&search.layout, p, ~doubtful, &unused):
            landmark = landmark_among(&search.layout, p, search.layout.present & touched & ~taken)
        if landmark == 0:
            return HOPELESS
        doubtful = 0
        was_kept = False
        landmarks[count] = landmark
        count += 1
        taken |= landmark
        known.state = IN_DOUBT
    known.head = NATURALS
    node.needed = max(node.needed, least + count + (known.state == ONE_MORE))
    if not was_kept:
        known.first = search.landmarks.count
        known.count = count
        if not keep_landmarks(&search.landmarks, landmarks, count, bytes_left(search)):
            return UNJUDGED
    return NOW if node.moves + node.needed <= now else LATER


# --- The search ---------------------------------------------------------------------------------------------

cdef inline Progress run_macro_astar(MacroAStar* search, Kernel* kernel) noexcept nogil:
    """Search on until a shorter line is found or the lower bound rises (IMPROVED), the best line is proved
    shortest (PROVED), or a limit ends the search (STOPPED)."""
    cdef Nodes* nodes = &search.nodes
    cdef ExactPosition p
    cdef uint32_t number
    cdef int fewest = search.fewest
    cdef Progress progress
    cdef Judgement judgement
    while search.fewest == fewest:
        progress = next_node(nodes, search.fewest, <uint32_t*>&search.lower_bound, &number)
        if progress != SEARCHING:
            return progress
        if search.judged & JUDGED_MASK == JUDGED_MASK and not poll(kernel):
            return STOPPED
        dequeue(nodes, number)
        if nodes.nodes[number].moves + nodes.nodes[number].needed >= search.fewest:
            continue
        find_position(search, number, &p)
        add_work(kernel, JOKER_LANDMARKS if is_full(search) else JOKER_LOOK)
        judgement = judge_node(search, number, &p)
        if judgement == NOW:
            if not may_expand(kernel):
                enqueue(nodes, number)
                return STOPPED
            if not expand_macros(search, kernel, number, &p):
                judgement = UNJUDGED
        elif judgement == LATER and nodes.nodes[number].moves + nodes.nodes[number].needed < search.fewest:
            enqueue(nodes, number)
        if judgement == UNJUDGED:
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef inline void find_position(const MacroAStar* search, uint32_t number, ExactPosition* p) noexcept nogil:
    """Unpack the position of the node ``number`` to ``p``."""
    cdef const Node* node = &search.nodes.nodes[number]
    cdef ExactKey key
    key.piles = node.low
    key.cards = node.high
    take_apart(&search.layout, &key, p)


cdef inline bint expand_macros(MacroAStar* search, Kernel* kernel, uint32_t number,
                               ExactPosition* p) noexcept nogil:
    """Generate the successors of the node ``number`` with the position ``p``. Returns False if memory runs
    out."""
    cdef uint32_t codes[MOST_MACROS]
    cdef int count = macros_of(&search.layout, p, codes), i
    for i in range(count):
        if not offer_macro(search, p, number, codes[i]):
            return False
    kernel.generated += count
    return True


cdef inline bint offer_macro(MacroAStar* search, const ExactPosition* p, uint32_t parent,
                             uint32_t code) noexcept nogil:
    """Store and queue the position after the macro ``code`` from ``p`` and after the safe moves up that
    follow; if ``parent`` is NO_NODE, after those from ``p`` itself. Skips positions reached in as few moves
    before, or through which no line is shorter than the best. Returns False if memory runs out."""
    cdef Nodes* nodes = &search.nodes
    cdef ExactKey key = p.key
    cdef ExactPosition child
    cdef uint32_t* slot
    cdef uint32_t number
    cdef int made = 0, least, needed
    if parent != NO_NODE:
        made = nodes.nodes[parent].moves + write_key_after(&search.layout, p, code, &key)
    made += raise_safe(&search.layout, &key, &child, NULL)
    least = needed_at_least(search, &key)
    if made + least >= search.fewest:
        return True
    slot = find_slot(nodes, key.piles, key.cards)
    if slot[0]:
        number = slot[0] - 1
        if not reopen(nodes, number, made):
            return True
        needed = nodes.nodes[number].needed
    else:
        if not make_room_beside(search):
            return False
        number = add_node(nodes, slot, key.piles, key.cards)
        if number == NO_NODE:
            return False
        needed = least
        if score_in(&key) < search.layout.goal:
            needed = inherit(search, p, number, parent, code, made, least)
    link_node(nodes, number, parent, made, code, needed)
    if made + needed >= search.fewest:
        return True
    if needed == 0:
        search.fewest = made
        search.last = number
    else:
        enqueue(nodes, number)
    return True


cdef inline int head_of_macro(const ExactPosition* p, uint32_t code) noexcept nogil:
    """Return the head of the extra move of a macro, lateral moves included, NATURALS if it has none."""
    cdef uint64_t above
    if play_in(code) != RAISE:
        return mover_in(code)
    above = carried(bit(mover_in(code)), p.second) & p.runs
    return lowest_bit(above) if above else NATURALS


cdef inline int inherit(MacroAStar* search, const ExactPosition* p, uint32_t number, uint32_t parent,
                        uint32_t code, int made, int least) noexcept nogil:
    """Inherit the landmarks of ``parent`` for the new node ``number``. Returns its lower bound: ``least``
    plus the landmarks without the head of the move, or the parent's bound minus the moves made since if that
    is greater (pathmax)."""
    cdef Inherited* known = &search.inherited[number]
    cdef int i
    known.first = known.count = 0
    known.head = NATURALS
    known.state = IN_DOUBT
    if parent == NO_NODE:
        return least
    if is_full(search):
        known[0] = search.inherited[parent]
        known.state = IN_DOUBT
        known.head = head_of_macro(p, code)
        least += known.count
        for i in range(known.count):
            if known.head < NATURALS and search.landmarks.cards[known.first + i] >> known.head & 1:
                least -= 1
    return pathmax(&search.nodes, parent, made, least)


# --- The line -----------------------------------------------------------------------------------------------

cdef inline int write_macro_line(const MacroAStar* search, PlainMove* moves) noexcept nogil:
    """Write the line found to ``moves``, which has space for ``search.fewest`` moves. Returns their number,
    -1 if one is illegal or there are more."""
    cdef uint32_t codes[4 * NATURALS]
    cdef uint8_t raised[NATURALS]
    cdef Position game = search.game
    cdef const Node* nodes = search.nodes.nodes
    cdef uint32_t number = search.last
    cdef ExactKey key = search.start
    cdef ExactPosition p
    cdef int length = 0, count = 0, raises, i
    while nodes[number].parent != NO_NODE:
        if length == 4 * NATURALS:
            return -1
        codes[length] = nodes[number].move
        length += 1
        number = nodes[number].parent
    while True:
        raises = raise_safe(&search.layout, &key, &p, raised)
        for i in range(raises):
            count = write_macro(&game, code_of(RAISE, raised[i], 0), moves, count, search.fewest)
            if count < 0:
                return -1
        if length == 0:
            return count if score_of(&game) >= search.layout.goal else -1
        length -= 1
        write_key_after(&search.layout, &p, codes[length], &key)
        count = write_macro(&game, codes[length], moves, count, search.fewest)
        if count < 0:
            return -1


cdef inline int write_macro(Position* game, uint32_t code, PlainMove* moves, int count,
                            int room) noexcept nogil:
    """Play a macro and append its moves to the ``count`` in ``moves``, which has space for ``room``. Returns
    the new count, -1 if a move is illegal or there are too many."""
    cdef PlainMove played[LONGEST_PLAY + NATURALS]
    cdef int more = play_macro(game, code, played)
    if more < 0 or count + more > room:
        return -1
    memcpy(moves + count, played, more * sizeof(PlainMove))
    return count + more
