"""Best-first search for a win, and an SCC-labelling depth-first search (Tarjan 1972) that refutes positions.

The first search is best-first over classes of states and finds most wins within some hundreds of nodes. If it
has no result after a trial of TRIAL_NODES, the game with the relaxed stock is searched depth-first, and each
of its positions gets a label. By Tarjan's algorithm a strongly connected component that is complete without a
win is dead. When a win is found, every position of an incomplete component reaches the path to it and is
alive. If the start is alive, the first search continues and uses the labels to skip dead positions.

Why dead ends pay: the delete relaxation takes about a microsecond and proves two fifths of the losses of
draw-three deals at the start (docs/proofs.md).

Soundness: two states have one key only if they are of one class (K1, K2). A position is skipped only if its
delete relaxation is lost (K5) or it is dead with the relaxed stock, hence lost in the real game (K3); safe
foundation moves are forced (K4). So the start is lost when no node is left. With one card drawn and
unlimited passes both games are the same. The theorems are those of docs/theory/klondike.md.

The depth-first search makes *macro moves* (K6). To park a card is to land a card of the stock or to bring one
back from a foundation: it makes that card bare and covers another. A play from a slot is *opening* if it can
open another slot. A move that parks a card, or plays one of the stock to its foundation, is *deferrable* if
it is not opening. A macro move is any other move together with the deferrable moves without which it could
not be made. Between macro moves placed cards go up as soon as they can, if they may come back.

Memory: nodes and labels share one limit in bytes.
"""

cdef enum:
    PRIORITIES = 1024

cdef enum Verdict:
    LOST = 0
    WON = 1
    OPEN = 2                # a limit ended it

cdef struct SearchNode:     # a node of the best-first search
    uint64_t key
    uint32_t parent
    uint32_t following      # next node of the same priority; on a found line, the node after this one

cdef struct Tree:
    Explored nodes          # a hash table by keys
    uint32_t queues[PRIORITIES]
    int first               # all queues before it are empty

cdef struct Label:          # a position visited by the depth-first search
    uint64_t key
    uint32_t value          # DEAD, ALIVE, or its number on the path
    uint32_t unused

cdef struct Frame:          # a position on the stack of the depth-first search
    uint64_t children       # index in ``children`` of its first unvisited child
    uint32_t number, lowest  # index and low-link of Tarjan's algorithm

cdef struct Labelling:      # the SCC-labelling search of the relaxed stock
    Explored labels         # a hash table by keys
    Frame* frames
    uint64_t frame_count, frame_capacity
    uint64_t* children
    uint64_t child_count, child_capacity
    uint32_t* path          # labels of components that are not complete, by their numbers in ``labels``
    uint64_t path_count, path_capacity

cdef struct Search:
    Tree tree
    Labelling labelling
    uint32_t won            # a node from which all remaining cards go up, or with the greatest score
    uint64_t max_bytes

cdef inline SearchNode* node_at(const Tree* tree, uint32_t number) noexcept nogil:
    """Return the node with the number ``number``."""
    return <SearchNode*>record_at(&tree.nodes, number)


cdef enum:
    MOST_SEQUENCES = 48     # parking sequences that make one card of a type bare
    MOST_MACRO_MOVES = 512  # macro moves of a position
    FIRST_CAPACITY = 1024   # items of each stack
    KEPT_CAPACITY = 65536   # larger stacks are freed before the next deal
    TRIAL_NODES = 2000      # nodes expanded before the relaxed game is searched
    PRIORITIES_PER_CARD = 16    # priorities for each card in the search for the most cards up
    MOST_BURIED = 64        # upper limit of the number of cards face down, in waste or stock
    TOO_MANY = -1           # in place of a number of macro moves
    DEAD = 0
    ALIVE = 1
    NUMBERED = 2            # first number on the path


cdef struct Raises:         # for each suit the first card that does not go up by deferrable moves
    uint64_t cards
    uint64_t change[4]      # change of the key if that card, and those of the stock before it, go up

cdef struct ParkingSequences:   # parking sequences that make a card of some type bare
    const Layout* layout
    uint64_t counts         # number of bare cards of each type, in fields of two bits
    uint64_t from_stock     # cards of the stock that may be parked
    uint64_t from_foundations   # cards that may come back
    int empty, count        # empty columns; sequences found
    int most                # this many sequences are too many
    uint64_t* keys          # the key after each sequence


cdef inline void free_search(Search* search) noexcept nogil:
    free_explored(&search.tree.nodes)
    free_labelling(&search.labelling)


cdef inline void free_labelling(Labelling* labelling) noexcept nogil:
    free_explored(&labelling.labels)
    free(labelling.frames)
    free(labelling.children)
    free(labelling.path)
    memset(labelling, 0, sizeof(Labelling))


cdef inline void clear_labelling(Labelling* labelling) noexcept nogil:
    """Remove all labels. Small stacks are kept for reuse, and are not counted until used again."""
    if labelling.frame_capacity > KEPT_CAPACITY or labelling.child_capacity > KEPT_CAPACITY:
        free_labelling(labelling)
    free_explored(&labelling.labels)
    labelling.frame_capacity = labelling.child_capacity = labelling.path_capacity = 0
    labelling.frame_count = labelling.child_count = labelling.path_count = 0


cdef inline uint64_t stack_bytes(const Labelling* labelling) noexcept nogil:
    return (labelling.frame_capacity * sizeof(Frame) + labelling.child_capacity * sizeof(uint64_t)
            + labelling.path_capacity * sizeof(uint32_t))


cdef inline uint64_t labelling_bytes(const Labelling* labelling) noexcept nogil:
    return explored_bytes(&labelling.labels) + stack_bytes(labelling)


cdef inline uint64_t search_bytes(const Search* search) noexcept nogil:
    return explored_bytes(&search.tree.nodes) + labelling_bytes(&search.labelling)


cdef inline int priority_of(const Layout* layout, const ClassPosition* p) noexcept nogil:
    """Return the priority of a position, an estimate of the moves left; the least is expanded first."""
    return 4 * p.face_down + p.count + 4 * layout.ranks - p.raised


# --- Best-first search over classes ---------------------------------------------------------------------

cdef inline bint open_tree(Tree* tree, uint64_t max_bytes) noexcept nogil:
    """Empty the tree. Returns False if memory runs out."""
    cdef int i
    for i in range(PRIORITIES):
        tree.queues[i] = NO_NODE
    tree.first = PRIORITIES
    free_explored(&tree.nodes)
    return open_keyed(&tree.nodes, sizeof(SearchNode), sizeof(uint64_t), max_bytes)


cdef inline uint64_t hash_of_key(uint64_t key) noexcept nogil:
    """Return the hash of a key."""
    return hash_key(<const uint8_t*>&key, sizeof(key))


cdef inline int push_node(Tree* tree, uint64_t key, uint64_t hashed, uint32_t parent,
                          int priority) noexcept nogil:
    """Add a node for ``key``, whose hash is ``hashed``, and queue it. Returns 1 if it is new, 0 if the key
    was there, -1 if memory runs out."""
    cdef SearchNode node = SearchNode(key, parent, tree.queues[priority])
    cdef int added = add_hashed(&tree.nodes, <const uint8_t*>&node, hashed)
    if added == 1:
        tree.queues[priority] = tree.nodes.count - 1
        tree.first = min(tree.first, priority)
    return added


cdef inline uint32_t take_node(Tree* tree) noexcept nogil:
    """Pop the node of least priority. Returns NO_NODE if none is queued."""
    cdef uint32_t node
    while tree.first < PRIORITIES:
        node = tree.queues[tree.first]
        if node != NO_NODE:
            tree.queues[tree.first] = node_at(tree, node).following
            return node
        tree.first += 1
    return NO_NODE


cdef inline Verdict decide(Search* search, Kernel* kernel, const Layout* layout, uint64_t root,
                           uint64_t trial_nodes) noexcept nogil:
    """Decide ``root``, which must have no safe move. The relaxed game is searched after ``trial_nodes`` were
    expanded. If the root is won, ``search.won`` becomes a node from which all remaining cards go up. Returns
    OPEN, with ``kernel.reason`` set, at a limit."""
    cdef ClassPosition p
    cdef Verdict outcome
    search.won = 0
    begin_stage(kernel, BEST_FIRST, KLONDIKE_STATE)
    unpack(layout, root, &p)
    search.max_bytes = kernel.limits.bytes
    clear_labelling(&search.labelling)
    if not open_tree(&search.tree, kernel.limits.bytes):
        kernel.reason = MEMORY
        return OPEN
    push_node(&search.tree, root, hash_of_key(root), NO_NODE, priority_of(layout, &p))
    if is_won(layout, False, &p):
        return WON
    if not may_win(layout, False, &p):
        return LOST
    outcome = expand_some(search, kernel, layout, trial_nodes, False)
    if outcome != OPEN or kernel.reason != NOTHING:
        return outcome
    outcome = decide_relaxed(search, kernel, layout, root)
    if outcome != WON:
        return outcome
    begin_stage(kernel, BEST_FIRST, KLONDIKE_STATE)
    return expand_some(search, kernel, layout, UNLIMITED, True)


cdef inline Verdict expand_some(Search* search, Kernel* kernel, const Layout* layout, uint64_t nodes,
                                bint uses_labels) noexcept nogil:
    """Expand up to ``nodes`` nodes, with ``uses_labels`` none that is lost with the relaxed stock. Returns
    WON if a child is won, LOST if no node is left, OPEN if some are or at a limit."""
    cdef ClassPosition p
    cdef Verdict outcome
    cdef uint32_t number, passed = 0
    cdef uint64_t done = 0
    while done < nodes:
        number = take_node(&search.tree)
        if number == NO_NODE:
            return LOST
        unpack(layout, node_at(&search.tree, number).key, &p)
        if number > 0 and not may_win(layout, False, &p):
            if not may_pass(kernel, &passed):
                return OPEN
            continue
        if uses_labels:
            outcome = decide_labelled(search, kernel, layout, unwasted(layout, p.key))
            if outcome == OPEN:
                return OPEN
            if outcome == LOST:
                if not may_pass(kernel, &passed):
                    return OPEN
                continue
        passed = 0
        if not may_expand(kernel):
            return OPEN
        done += 1
        outcome = add_children(search, kernel, layout, &p, number)
        if outcome == WON or kernel.reason != NOTHING:
            return outcome
    return OPEN


cdef inline Verdict add_children(Search* search, Kernel* kernel, const Layout* layout,
                                 const ClassPosition* p, uint32_t number) noexcept nogil:
    """Add the children of the node ``number`` with the position ``p``. Returns WON if one of them is won,
    else OPEN, with ``kernel.reason`` set if memory ran out."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int priorities[MOST_CHILDREN]
    cdef uint64_t hashes[MOST_CHILDREN]
    cdef ClassPosition child
    cdef Tree* tree = &search.tree
    cdef int i, count = children_of(layout, False, p, keys, codes)
    kernel.generated += count
    tree.nodes.max_bytes = search.max_bytes - min(search.max_bytes, labelling_bytes(&search.labelling))
    for i in range(count):
        make_safe_moves(layout, False, &keys[i], &child, NULL)
        if is_won(layout, False, &child):
            if push_node(tree, keys[i], hash_of_key(keys[i]), number, 0) == 1:
                search.won = tree.nodes.count - 1
                return WON
        priorities[i] = priority_of(layout, &child)
        hashes[i] = hash_of_key(keys[i])
        fetch_slot(&tree.nodes, hashes[i])
    for i in range(count - 1, -1, -1):
        if push_node(tree, keys[i], hashes[i], number, priorities[i]) < 0:
            kernel.reason = MEMORY
            return OPEN
    return OPEN


# --- The greatest number of cards up --------------------------------------------------------------------

cdef inline bint find_greatest(Search* search, Kernel* kernel, const Layout* layout, uint64_t root,
                               int* score, int* bound) noexcept nogil:
    """Find the greatest number of cards that go up from ``root``, which must have no safe move. Returns
    whether it is proved.

    ``score`` is set to the greatest number found, reached in the node ``search.won``, and ``bound`` to an
    upper bound. Nodes are ordered by the number of cards that go up in their delete relaxation, the greatest
    first (K13).
    """
    cdef ClassPosition p
    cdef uint32_t number
    search.won = 0
    search.max_bytes = kernel.limits.bytes
    begin_stage(kernel, BEST_FIRST, KLONDIKE_STATE)
    unpack(layout, root, &p)
    score[0] = p.raised
    bound[0] = count_bits(cards_up(layout, False, &p))
    if not open_tree(&search.tree, kernel.limits.bytes):
        kernel.reason = MEMORY
        return False
    push_node(&search.tree, root, hash_of_key(root), 0, greatest_priority(layout, &p, bound[0]))
    while True:
        number = take_node(&search.tree)
        if number == NO_NODE:
            bound[0] = score[0]
        else:
            bound[0] = min(bound[0], 4 * layout.ranks - <int>search.tree.first // PRIORITIES_PER_CARD)
        if bound[0] <= score[0]:
            bound[0] = score[0]
            return True
        if not may_expand(kernel):
            return False
        unpack(layout, node_at(&search.tree, number).key, &p)
        if not expand_greatest(search, kernel, layout, &p, number, score, bound[0]):
            kernel.reason = MEMORY
            return False


cdef inline int greatest_priority(const Layout* layout, const ClassPosition* p, int bound) noexcept nogil:
    """Return the priority of a position from which at most ``bound`` cards go up."""
    return (PRIORITIES_PER_CARD * (4 * layout.ranks - bound)
            + (p.face_down + p.count) * (PRIORITIES_PER_CARD - 1) // MOST_BURIED)


cdef inline bint expand_greatest(Search* search, Kernel* kernel, const Layout* layout, const ClassPosition* p,
                                 uint32_t number, int* score, int most) noexcept nogil:
    """Add those children of the node ``number`` from which more cards than ``score`` may go up; no more than
    ``most`` do. Updates ``score`` and ``search.won``. Returns False if memory runs out."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef ClassPosition child
    cdef Tree* tree = &search.tree
    cdef uint32_t slot
    cdef int i, bound, priority, count = children_of(layout, False, p, keys, codes)
    kernel.generated += count
    for i in range(count):
        make_safe_moves(layout, False, &keys[i], &child, NULL)
        if find_record(&tree.nodes, <const uint8_t*>&keys[i], &slot):
            continue
        bound = min(most, count_bits(cards_up(layout, False, &child)))
        if bound <= score[0] and child.raised <= score[0]:
            continue
        priority = greatest_priority(layout, &child, bound)
        if push_node(tree, keys[i], hash_of_key(keys[i]), number, priority) < 0:
            return False
        if child.raised > score[0]:
            score[0] = child.raised
            search.won = tree.nodes.count - 1
    return True


# --- SCC-labelling search of the relaxed stock ----------------------------------------------------------

cdef inline bint open_labelling(Labelling* labelling, uint64_t max_bytes) noexcept nogil:
    """Allocate an empty set of labels and the stacks. Returns False if memory runs out."""
    clear_labelling(labelling)
    if not (
        resize(&labelling.frames, FIRST_CAPACITY, sizeof(Frame))
        and resize(&labelling.children, FIRST_CAPACITY, sizeof(uint64_t))
        and resize(&labelling.path, FIRST_CAPACITY, sizeof(uint32_t))
    ):
        return False
    labelling.frame_capacity = labelling.child_capacity = labelling.path_capacity = FIRST_CAPACITY
    return open_keyed(&labelling.labels, sizeof(Label), sizeof(uint64_t),
                      max_bytes - min(max_bytes, stack_bytes(labelling)))


cdef inline Label* label_at(const Labelling* labelling, uint32_t number) noexcept nogil:
    """Return the label with the number ``number``."""
    return <Label*>record_at(&labelling.labels, number)


cdef inline Label* label_of(const Labelling* labelling, uint64_t key) noexcept nogil:
    """Return the label of a key, or NULL if the position was not visited."""
    cdef uint32_t slot
    if not find_hashed(&labelling.labels, <const uint8_t*>&key, hash_of_key(key), &slot):
        return NULL
    return label_at(labelling, labelling.labels.slots[slot] - 1)


cdef inline bint add_label(Search* search, uint64_t key, uint32_t value) noexcept nogil:
    """Label a position that was not visited. Returns False if memory runs out."""
    cdef Explored* labels = &search.labelling.labels
    cdef Label label = Label(key, value, 0)
    cdef uint64_t others
    if labels.count == labels.room:
        others = search_bytes(search) - explored_bytes(labels)
        labels.max_bytes = search.max_bytes - min(search.max_bytes, others)
    return add_hashed(labels, <const uint8_t*>&label, hash_of_key(key)) == 1


cdef inline bint reserve(Search* search, int count) noexcept nogil:
    """Reserve memory for a frame, its place on the path and ``count`` children. Returns False if memory runs
    out."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t left = search.max_bytes - min(search.max_bytes, search_bytes(search))
    return (
        (labelling.frame_count < labelling.frame_capacity
         or more_room(&labelling.frames, &labelling.frame_capacity, 1, sizeof(Frame), left))
        and (labelling.path_count < labelling.path_capacity
             or more_room(&labelling.path, &labelling.path_capacity, 1, sizeof(uint32_t), left))
        and (labelling.child_count + count <= labelling.child_capacity
             or more_room(&labelling.children, &labelling.child_capacity, 1, sizeof(uint64_t), left))
    )


cdef inline Verdict decide_relaxed(Search* search, Kernel* kernel, const Layout* layout,
                                   uint64_t root) noexcept nogil:
    """Decide the position ``root`` with the relaxed stock, discarding earlier labels. Returns OPEN, with
    ``kernel.reason`` set, at a limit."""
    cdef uint64_t held = explored_bytes(&search.tree.nodes)
    begin_stage(kernel, RELAXATION, KLONDIKE_STATE)
    search.max_bytes = kernel.limits.bytes
    if not open_labelling(&search.labelling, search.max_bytes - min(search.max_bytes, held)):
        kernel.reason = MEMORY
        return OPEN
    return decide_labelled(search, kernel, layout, unwasted(layout, root))


cdef inline Verdict decide_labelled(Search* search, Kernel* kernel, const Layout* layout,
                                    uint64_t key) noexcept nogil:
    """Decide the position ``key`` with the relaxed stock, by its label or by continuing the labelling search.
    Returns OPEN, with ``kernel.reason`` set, at a limit."""
    cdef Labelling* labelling = &search.labelling
    cdef ClassPosition p
    cdef const Label* label
    cdef Frame* frame
    cdef Verdict outcome
    make_free_moves(layout, &key, &p)
    if is_won(layout, True, &p):
        return WON
    outcome = open_frame(search, kernel, layout, key, &p)
    if labelling.frame_count == 0:
        return outcome
    while outcome == OPEN and kernel.reason == NOTHING and labelling.frame_count > 0:
        frame = &labelling.frames[labelling.frame_count - 1]
        if labelling.child_count > frame.children:
            labelling.child_count -= 1
            key = labelling.children[labelling.child_count]
            label = label_of(labelling, key)
            if label == NULL:
                unpack(layout, key, &p)
                outcome = open_frame(search, kernel, layout, key, &p)
                if outcome == LOST:
                    outcome = OPEN
                continue
            if label.value == ALIVE:
                outcome = WON
            elif label.value >= NUMBERED and label.value < frame.lowest:
                frame.lowest = label.value
        else:
            close_frame(labelling)
    return finish_path(search, kernel, outcome)


cdef inline Verdict finish_path(Search* search, Kernel* kernel, Verdict outcome) noexcept nogil:
    """Return the verdict of a labelling search that ended with ``outcome``. After a win, all positions still
    on the path are labelled alive."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t i
    if kernel.reason != NOTHING:
        return OPEN
    if outcome != WON:
        return LOST
    for i in range(labelling.path_count):
        label_at(labelling, labelling.path[i]).value = ALIVE
    labelling.path_count = labelling.frame_count = labelling.child_count = 0
    return WON


cdef inline Verdict open_frame(Search* search, Kernel* kernel, const Layout* layout, uint64_t key,
                               const ClassPosition* p) noexcept nogil:
    """Visit a position of the labelling search. Returns WON or LOST if its label, its delete relaxation or a
    child decides it; otherwise OPEN: a frame was pushed, ``kernel.reason`` was set, or the position is on the
    path already, which a search that a limit ended left."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t keys[MOST_MACRO_MOVES]
    cdef uint64_t parked[MOST_SEQUENCES]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int priorities[MOST_MACRO_MOVES]
    cdef int order[MOST_MACRO_MOVES]
    cdef ClassPosition child
    cdef Frame* frame
    cdef const Label* label = label_of(labelling, key)
    cdef int i, j, count, new = 0
    cdef bint by_macro_moves
    if label != NULL:
        return WON if label.value == ALIVE else LOST if label.value == DEAD else OPEN
    if not may_win(layout, True, p):
        if not add_label(search, key, DEAD):
            kernel.reason = MEMORY
            return OPEN
        return LOST
    if not may_expand(kernel):
        return OPEN
    count = TOO_MANY
    if not layout.is_plain:
        count = macro_moves_within(layout, p, parked, MOST_SEQUENCES, False, keys, MOST_MACRO_MOVES)
    by_macro_moves = count != TOO_MANY
    if not by_macro_moves:
        count = children_of(layout, True, p, keys, codes)
    kernel.generated += count
    if not reserve(search, count) or not add_label(search, key, labelling.path_count + NUMBERED):
        kernel.reason = MEMORY
        return OPEN
    frame = &labelling.frames[labelling.frame_count]
    frame.number = frame.lowest = labelling.path_count + NUMBERED
    frame.children = labelling.child_count
    labelling.frame_count += 1
    labelling.path[labelling.path_count] = labelling.labels.count - 1
    labelling.path_count += 1
    for i in range(count):
        if by_macro_moves:
            make_free_moves(layout, &keys[i], &child)
        else:
            make_safe_moves(layout, True, &keys[i], &child, NULL)
        if is_won(layout, True, &child):
            return WON
        fetch_slot(&labelling.labels, hash_of_key(keys[i]))
        priorities[i] = priority_of(layout, &child)
    for i in range(count):
        label = label_of(labelling, keys[i])
        if label != NULL:
            if label.value == ALIVE:
                return WON
            if label.value >= NUMBERED and label.value < frame.lowest:
                frame.lowest = label.value
            continue
        j = new
        while j > 0 and priorities[order[j - 1]] > priorities[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        new += 1
    for i in range(new - 1, -1, -1):
        labelling.children[labelling.child_count] = keys[order[i]]
        labelling.child_count += 1
    return OPEN


cdef inline void close_frame(Labelling* labelling) noexcept nogil:
    """Pop the last frame. If its component is complete, it is labelled dead; otherwise the low-link passes to
    its parent."""
    cdef Frame done
    labelling.frame_count -= 1
    done = labelling.frames[labelling.frame_count]
    if done.lowest == done.number:
        while labelling.path_count + NUMBERED > done.number:
            labelling.path_count -= 1
            label_at(labelling, labelling.path[labelling.path_count]).value = DEAD
    elif done.lowest < labelling.frames[labelling.frame_count - 1].lowest:
        labelling.frames[labelling.frame_count - 1].lowest = done.lowest


# --- Macro moves of the relaxed game --------------------------------------------------------------------

cdef inline int macro_moves_within(const Layout* layout, const ClassPosition* p, uint64_t* parked,
                                   int most_sequences, bint by_parking_alone, uint64_t* keys,
                                   int most) noexcept nogil:
    """Write the key after each macro move to ``keys``. Returns their number, or TOO_MANY if they may exceed
    ``most``, or the parking sequences before one move reach ``most_sequences``. ``parked`` is scratch space
    for those. ``by_parking_alone`` selects the macro moves of K11, in which moves up are not deferrable and
    safe cards may come back."""
    cdef uint64_t opened = open_relaxed(layout, p), closed, opening, hosts, group
    cdef Raises raises
    cdef ParkingSequences sequences
    cdef int i, place, count
    closed = p.slots & ~opened
    opening = opened & ((bit(highest_bit(closed)) - 1) | closed << 1) if closed else 0
    opening = cards_in(layout, opening)
    opened = cards_in(layout, opened)
    find_raises(layout, p, 0 if by_parking_alone else opened & ~opening, &raises)
    count = single_moves(layout, p, &raises, opened if by_parking_alone else opening, opening, keys)
    hosts = (((p.bases | opening) & ~p.fits & ~layout.kings) << 4) | (raises.cards & p.face & ~p.bare)
    if hosts == 0:
        return count
    sequences.layout = layout
    sequences.counts = p.counts
    sequences.from_stock = opened & ~opening
    sequences.from_foundations = p.up & layout.deck if layout.backward else 0
    sequences.empty = p.empty
    sequences.most = most_sequences
    sequences.keys = parked
    while hosts:
        place = lowest_bit(hosts) & ~1
        group = <uint64_t>3 << place
        hosts &= ~group
        sequences.count = 0
        extend_sequences(&sequences, place >> 2, 1 << (place & 2), 0, p.key)
        if sequences.count == most_sequences or count + 6 * sequences.count > most:
            return TOO_MANY
        for i in range(sequences.count):
            if by_parking_alone or not returns_safe_card(layout, p.key, parked[i]):
                count = add_moves(layout, p, &raises, parked[i], group, opening, keys, count)
    return count


cdef inline void find_raises(const Layout* layout, const ClassPosition* p, uint64_t deferrable,
                             Raises* raises) noexcept nogil:
    """Find the next card of each suit after the ``deferrable`` cards of the stock have gone up as far as
    possible, and the change of the key by these."""
    cdef uint64_t found = p.next & deferrable
    cdef int card, suit
    raises.cards = p.next
    for suit in range(4):
        raises.change[suit] = bit(4 * suit)
    while found:
        card = lowest_bit(found)
        suit = suit_at(card)
        raises.change[suit] += bit(4 * suit) - bit(SLOTS_AT + layout.slot_of[card])
        raises.cards = (raises.cards ^ bit(card)) | next_of(bit(card)) & layout.all
        found = raises.cards & deferrable


cdef inline int single_moves(const Layout* layout, const ClassPosition* p, const Raises* raises,
                             uint64_t raised, uint64_t opening, uint64_t* keys) noexcept nogil:
    """Write the key after each move that is not deferrable and needs no parked card. Returns their number.
    ``raised`` are the cards of the stock that may go up, ``opening`` those that may land, by such moves."""
    cdef uint64_t found = p.bases & p.fits
    cdef int card, count = 0
    while found:
        keys[count] = without(layout, p.key, take_bit(&found))
        count += 1
    found = raises.cards & p.face & p.bare
    while found:
        card = take_bit(&found)
        keys[count] = left_by(layout, p, p.key, card) + raises.change[suit_at(card)]
        count += 1
    found = raises.cards & raised
    while found:
        card = take_bit(&found)
        keys[count] = p.key - bit(SLOTS_AT + layout.slot_of[card]) + raises.change[suit_at(card)]
        count += 1
    found = p.fits & opening
    while found:
        keys[count] = p.key ^ bit(SLOTS_AT + layout.slot_of[take_bit(&found)])
        count += 1
    return count


cdef inline int add_moves(const Layout* layout, const ClassPosition* p, const Raises* raises, uint64_t key,
                          uint64_t group, uint64_t opening, uint64_t* keys, int count) noexcept nogil:
    """Append to the ``count`` keys those after ``key``, in which parking has made a card of the type
    ``group`` bare, and a move that needs it. Returns the new number of keys."""
    cdef uint64_t found = p.bases & group >> 4
    cdef int card
    while found:
        keys[count] = without(layout, key, take_bit(&found))
        count += 1
    found = raises.cards & p.face & group
    while found:
        card = take_bit(&found)
        keys[count] = left_by(layout, p, key, card) + raises.change[suit_at(card)]
        count += 1
    found = opening & group >> 4
    while found:
        keys[count] = key ^ bit(SLOTS_AT + layout.slot_of[take_bit(&found)])
        count += 1
    return count


cdef inline bint returns_safe_card(const Layout* layout, uint64_t before, uint64_t key) noexcept nogil:
    """Test whether, between the keys ``before`` and ``key``, a card came back from a foundation that is safe
    and would go up again at once."""
    cdef int suit
    cdef uint64_t safe
    if (before ^ key) & 0xFFFF == 0:
        return False
    safe = safe_cards(layout, key)
    while safe:
        suit = suit_at(take_bit(&safe))
        if (before ^ key) >> 4 * suit & 15:
            return True
    return False


cdef inline void extend_sequences(ParkingSequences* sequences, int rank, int wanted, int coming,
                                  uint64_t key) noexcept nogil:
    """Collect all parking sequences from ``rank`` up that make ``wanted`` cards bare and bring back the cards
    ``coming``, until there are ``sequences.most``. ``wanted`` has two bits for each type of ``rank``,
    ``coming`` one bit for each card of it. ``key`` is the key after the cards parked at lower ranks."""
    cdef int first, second, half, missing, candidates
    cdef int choices[2][2]
    cdef int counts[2]
    if sequences.count == sequences.most:
        return
    if wanted == 0 and coming == 0:
        note_sequence(sequences, key)
        return
    if rank == sequences.layout.ranks:
        if (wanted & 3) + (wanted >> 2) <= sequences.empty:
            note_sequence(sequences, key)
        return
    candidates = (sequences.from_stock | sequences.from_foundations) >> 4 * rank & 15 & ~coming
    for half in range(2):
        missing = wanted >> 2 * half & 3
        missing -= (sequences.counts >> 4 * rank + 2 * half & 3) + pair_count(coming >> 2 * half)
        counts[half] = options(candidates & 3 << 2 * half, missing, choices[half])
    for first in range(counts[0]):
        for second in range(counts[1]):
            extend_above(sequences, rank, coming | choices[0][first] | choices[1][second], key)


cdef inline int pair_count(int cards) noexcept nogil:
    """Return the number of cards in ``cards``, a set of two bits."""
    return (cards & 1) + (cards >> 1 & 1)


cdef inline int options(int candidates, int missing, int* choices) noexcept nogil:
    """Write the subsets of ``candidates``, at most two cards, that have ``missing`` cards. Returns their
    number."""
    cdef int lowest = candidates & -candidates
    if missing <= 0:
        choices[0] = 0
        return 1
    if missing == 1 and candidates:
        choices[0] = lowest
        choices[1] = candidates ^ lowest
        return 2 if choices[1] else 1
    choices[0] = candidates
    return missing == 2 and candidates != lowest


cdef inline void extend_above(ParkingSequences* sequences, int rank, int parked, uint64_t key) noexcept nogil:
    """Extend sequences to the rank above ``rank``, of which the cards ``parked`` (four bits) are parked."""
    cdef const Layout* layout = sequences.layout
    cdef uint64_t cards = <uint64_t>parked << 4 * rank
    cdef int card, back = 0
    while cards:
        card = take_bit(&cards)
        if sequences.from_foundations >> card & 1:
            key -= bit(4 * suit_at(card))
            back |= 1 << (card & 3)
        else:
            key ^= bit(SLOTS_AT + layout.slot_of[card])
    # The next cards of these suits; the colour's bit is inverted in every other rank.
    back = ((back & 3) << 2 | back >> 2) & (sequences.from_foundations >> 4 * rank >> 4 & 15)
    extend_sequences(sequences, rank + 1, pair_count(parked) | pair_count(parked >> 2) << 2, back, key)


cdef inline void note_sequence(ParkingSequences* sequences, uint64_t key) noexcept nogil:
    sequences.keys[sequences.count] = key
    sequences.count += 1
