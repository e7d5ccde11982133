"""A* through positions of one-pass Klondike: the fewest moves to a score, proved.

The moves still needed are the turns and the cards that must go up, and one more for each of the landmarks of
the relaxed game (Theorem J14), of which no two have a card in common. To a score below all places they are
the cards that must go up and the least turns with which the relaxed game gets there.

A position inherits the landmarks of the one before it but the one that holds the head of the move, and is
queued by what these tell. Only when its turn comes that landmark is tried again, and a simulation says
whether there are others. If so that is one more move needed; the landmark itself is looked for if the
position still comes first.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from ..core.bits cimport lowest_bit
from ..core.kernel cimport MEMORY, Kernel, may_expand
from ..core.work cimport JOKER_LANDMARKS, JOKER_LOOK
from ..core.memory cimport more_room
from ..core.nodes cimport (IMPROVED, NO_NODE, SEARCHING, STOPPED, Node, Progress, add_node, dequeue, enqueue,
                           find_slot, free_nodes, next_node, nodes_bytes, note_way, reset_nodes)
from .cards cimport bit
from .landmarks cimport (MOST_LANDMARKS, MOST_MACROS, NATURALS, NEVER, ExactKey, ExactPosition, carried,
                         keep_landmarks, landmark_among, least_turns, macros_of, open_layout, perform,
                         raise_safe, relaxed_wins, score_in, take_apart, turned_in)
from .packing cimport RAISE, code_of, mover_in, play_in
from .plain cimport LONGEST_PLAY, PlainMove, play_macro, score as score_of

cdef enum:
    JUDGED_MASK = 4095      # the clock and the signals are looked at when so many positions were judged


cdef void free_astar(AstarSearch* search) noexcept nogil:
    free_nodes(&search.nodes)
    free(search.inherited)
    free(search.landmarks.cards)
    search.inherited = NULL
    search.landmarks.cards = NULL
    search.inherited_room = search.landmarks.room = search.landmarks.count = 0


cdef uint64_t astar_bytes(const AstarSearch* search) noexcept nogil:
    return nodes_bytes(&search.nodes) + beside_nodes(search)


cdef bint open_astar(AstarSearch* search, const PlainGame* game, int goal, int fewest, int weight,
                     uint64_t max_bytes) noexcept nogil:
    """Begin at ``game``, without jokers, to look for a line to a score of ``goal`` of fewer than ``fewest``
    moves; false if memory does not allow it. With a ``weight`` above 1 positions that need little come
    first."""
    cdef ExactPosition p
    free_astar(search)
    search.game = game[0]
    search.max_bytes = max_bytes
    search.fewest = fewest
    search.weight = weight
    search.lower_bound = 0
    search.last = NO_NODE
    search.judged = 0
    open_layout(&search.layout, &search.start, game, goal)
    take_apart(&search.layout, &search.start, &p)
    return (
        reset_nodes(&search.nodes, weight * fewest + 1, weight, max_bytes)
        and offer(search, &p, NO_NODE, 0)
    )


# --- Memory -------------------------------------------------------------------------------------------------

cdef inline uint64_t beside_nodes(const AstarSearch* search) noexcept nogil:
    """Bytes held beside the nodes."""
    return search.inherited_room * sizeof(Inherited) + search.landmarks.room * sizeof(uint64_t)


cdef inline uint64_t spare_bytes(const AstarSearch* search) noexcept nogil:
    """Bytes that may still be taken."""
    return search.max_bytes - min(astar_bytes(search), search.max_bytes)


cdef bint make_room_for_node(AstarSearch* search) noexcept nogil:
    """Have room for what one more node inherits, and let the nodes have what is left."""
    if search.nodes.count == search.inherited_room and not more_room(
            &search.inherited, &search.inherited_room, 1024, sizeof(Inherited),
            spare_bytes(search) + search.inherited_room * sizeof(Inherited)):
        return False
    if search.nodes.count == search.nodes.room:
        search.nodes.max_bytes = search.max_bytes - min(beside_nodes(search), search.max_bytes)
    return True


# --- The bound ----------------------------------------------------------------------------------------------

cdef int needed_at_least(const AstarSearch* search, const ExactKey* key) noexcept nogil:
    """The cards that must go up, and the turns that are needed if all must."""
    cdef int needed = max(0, search.layout.goal - score_in(key))
    if is_full(search):
        needed += search.layout.slots - turned_in(key)
    return needed


cdef inline uint32_t priority(const AstarSearch* search, const Node* node) noexcept nogil:
    """The bucket of a node in the queue."""
    return node.moves + search.weight * node.needed


cdef Judgement judge(AstarSearch* search, uint32_t number, ExactPosition* p) noexcept nogil:
    """Raise what a node needs until it is known, or other nodes come first."""
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
    return NOW if priority(search, node) <= now else LATER


cdef Judgement judge_by_landmarks(AstarSearch* search, uint32_t number,
                                  const ExactPosition* p) noexcept nogil:
    """The same where all places are to be filled."""
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
        if priority(search, node) > now:
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
        if not keep_landmarks(&search.landmarks, landmarks, count, spare_bytes(search)):
            return NO_MEMORY
    return NOW if priority(search, node) <= now else LATER


# --- The search ---------------------------------------------------------------------------------------------

cdef Progress advance_astar(AstarSearch* search, Kernel kernel, uint64_t most) noexcept nogil:
    """Go on until a shorter line is found, the lower bound rises or the search ends, which it does after the
    kernel has expanded ``most`` states too."""
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
        if search.judged & JUDGED_MASK == JUDGED_MASK and not kernel.poll():
            return STOPPED
        dequeue(nodes, number)
        if nodes.nodes[number].moves + nodes.nodes[number].needed >= search.fewest:
            continue
        find_position(search, number, &p)
        kernel.add_work(JOKER_LANDMARKS if is_full(search) else JOKER_LOOK)
        judgement = judge(search, number, &p)
        if judgement == NOW:
            if kernel.expanded >= most or not may_expand(kernel):
                enqueue(nodes, number)
                return STOPPED
            if not expand(search, kernel, number, &p):
                judgement = NO_MEMORY
        elif judgement == LATER and nodes.nodes[number].moves + nodes.nodes[number].needed < search.fewest:
            enqueue(nodes, number)
        if judgement == NO_MEMORY:
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef void find_position(const AstarSearch* search, uint32_t number, ExactPosition* p) noexcept nogil:
    """The position of a node."""
    cdef const Node* node = &search.nodes.nodes[number]
    cdef ExactKey key
    key.piles = node.low
    key.cards = node.high
    take_apart(&search.layout, &key, p)


cdef bint expand(AstarSearch* search, Kernel kernel, uint32_t number, ExactPosition* p) noexcept nogil:
    """Offer what follows a node; false if memory runs out."""
    cdef uint32_t codes[MOST_MACROS]
    cdef int count = macros_of(&search.layout, p, codes), i
    for i in range(count):
        if not offer(search, p, number, codes[i]):
            return False
    kernel.generated += count
    return True


cdef bint offer(AstarSearch* search, const ExactPosition* p, uint32_t parent, uint32_t code) noexcept nogil:
    """Take in what follows ``p`` by a macro, or it itself without a parent, and by what goes up at once, if
    it is new or fewer moves lead to it now, and a line through it could be the shortest. False if memory runs
    out."""
    cdef Nodes* nodes = &search.nodes
    cdef ExactKey key = p.key
    cdef ExactPosition child
    cdef uint32_t* slot
    cdef uint32_t number
    cdef int made = 0, least, needed
    cdef Node* node
    if parent != NO_NODE:
        made = nodes.nodes[parent].moves + perform(&search.layout, p, code, &key)
    made += raise_safe(&search.layout, &key, &child, NULL)
    least = needed_at_least(search, &key)
    if made + least >= search.fewest:
        return True
    slot = find_slot(nodes, key.piles, key.cards)
    if slot[0]:
        number = slot[0] - 1
        node = &nodes.nodes[number]
        if node.moves <= made:
            return True
        if node.queued:
            dequeue(nodes, number)
        needed = node.needed
    else:
        if not make_room_for_node(search):
            return False
        number = add_node(nodes, slot, key.piles, key.cards)
        if number == NO_NODE:
            return False
        node = &nodes.nodes[number]
        needed = least
        if score_in(&key) < search.layout.goal:
            needed = inherit(search, p, number, parent, code, made, least)
        node.needed = needed
    note_way(node, parent, made, code)
    if made + needed >= search.fewest:
        return True
    if needed == 0:
        search.fewest = made
        search.last = number
    else:
        enqueue(nodes, number)
    return True


cdef inline int head_of(const ExactPosition* p, uint32_t code) noexcept nogil:
    """The head of the extra move of a macro, that of a lateral move too; NATURALS without one."""
    cdef uint64_t above
    if play_in(code) != RAISE:
        return mover_in(code)
    above = carried(bit(mover_in(code)), p.second) & p.runs
    return lowest_bit(above) if above else NATURALS


cdef int inherit(AstarSearch* search, const ExactPosition* p, uint32_t number, uint32_t parent, uint32_t code,
                 int made, int least) noexcept nogil:
    """Inherit the landmarks of a new node, and set the moves that it needs by them, which are no fewer than
    those of its parent less the moves from there."""
    cdef Inherited* known = &search.inherited[number]
    cdef const Node* before
    cdef int i
    known.first = known.count = 0
    known.head = NATURALS
    known.state = IN_DOUBT
    if parent == NO_NODE:
        return least
    if is_full(search):
        known[0] = search.inherited[parent]
        known.state = IN_DOUBT
        known.head = head_of(p, code)
        least += known.count
        for i in range(known.count):
            if known.head < NATURALS and search.landmarks.cards[known.first + i] >> known.head & 1:
                least -= 1
    before = &search.nodes.nodes[parent]
    return max(least, before.moves + before.needed - made)


# --- The line -----------------------------------------------------------------------------------------------

cdef int write_astar(const AstarSearch* search, PlainMove* moves) noexcept nogil:
    """Write the line found to ``moves``, with room for ``fewest``; their number, -1 if one is illegal."""
    cdef uint32_t codes[4 * NATURALS]
    cdef uint8_t raised[NATURALS]
    cdef PlainGame game = search.game
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
        perform(&search.layout, &p, codes[length], &key)
        count = write_macro(&game, codes[length], moves, count, search.fewest)
        if count < 0:
            return -1


cdef int write_macro(PlainGame* game, uint32_t code, PlainMove* moves, int count, int room) noexcept nogil:
    """Play a macro and write its moves behind the others: their number; -1 if illegal or too many."""
    cdef PlainMove played[LONGEST_PLAY + NATURALS]
    cdef int more = play_macro(game, code, played)
    if more < 0 or count + more > room:
        return -1
    memcpy(moves + count, played, more * sizeof(PlainMove))
    return count + more
