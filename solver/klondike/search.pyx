"""Best-first search for a win, and an SCC-labelling depth-first search that refutes positions.

The first search is best-first over exact keys and finds most wins within some hundreds of nodes. If it has
no answer after a trial, the game with the relaxed stock is searched depth-first, with a label for each
position: by Tarjan's algorithm a strongly connected component that is complete without a win is dead; on a
win everything that is not complete reaches the path to it, and is alive. A dead position is lost in the
real game, too (Theorem K3 of docs/theory/klondike.md). If the start is alive, the first search continues
and consults the labels before it expands a position. With one card drawn and unlimited passes both games
are the same.

The depth-first search makes *macro moves* (Theorem K6). Parking a card means landing one of the stock or
bringing one back from a foundation: it makes that card bare and covers another. A play from a slot is
*opening* if it can open another slot. What parks a card or puts up one of the stock and is not opening is
*deferrable*. A macro move is any other move together with the deferrable moves without which it could not be
made. Between macro moves placed cards go up as soon as they can, where they may come back.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport count_bits, hash_words, highest_bit, lowest_bit, prefetch_at, take_bit
from ..core.hash_set cimport (add_hashed, explored_bytes, fetch_slot, find_record,
                              free_explored, hash_of, open_keyed)
from ..core.kernel cimport BEST_FIRST, MEMORY, NOTHING, RELAXATION, may_expand, may_pass
from ..core.memory cimport more_room, resize
from ..core.work cimport KLONDIKE_STATE
from .state cimport (MOST_CHILDREN, SLOTS_AT, bit, cards_in, cards_up, children_of, is_won, make_free_moves,
                     left_by, make_safe_moves, may_win, next_of, open_relaxed, safe_cards, suit_at, unpack,
                     unwasted, without)

cdef enum:
    MOST_SEQUENCES = 48          # parking sequences that make one card of a type bare
    MOST_MACRO_MOVES = 512     # of a position
    FIRST_CAPACITY = 1024       # labels, half the slots at first
    KEPT_CAPACITY = 65536       # a larger table is given back before the next deal
    TRIAL_NODES = 2000            # nodes before the relaxed game is searched
    PER_CARD = 16           # priorities of the search for the most cards up, for each card
    MOST_BURIED = 64        # cards face down or in the stock, and more
    TOO_MANY = -1           # macro moves
    DEAD = 0
    ALIVE = 1
    NUMBERED = 2            # the first on the path

cdef uint64_t FREE = <uint64_t>0xFFFFFFFFFFFFFFFF      # no key: no foundation is 15 high

cdef struct Raises:         # for each suit the first card that does not go up by deferrable moves
    uint64_t cards
    uint64_t change[4]      # of the key if it goes up, and the cards of the stock below it

cdef struct ParkingSequences:           # parking sequences that make a card of some type bare
    const Layout* layout
    uint64_t counts         # bare cards of each type, in fields of two bits
    uint64_t from_stock           # cards of the stock that may be parked
    uint64_t from_foundations          # cards that may come back
    int empty, count
    int most                # that many are too many
    uint64_t* keys


cdef void begin_search(Search* search) noexcept nogil:
    """Set the defaults. Memory is allocated by the first search."""
    search.uses_relaxation = search.uses_dead_ends = True
    search.trial_nodes = TRIAL_NODES


cdef void free_search(Search* search) noexcept nogil:
    free_explored(&search.tree.nodes)
    free_labelling(&search.labelling)


cdef void free_labelling(Labelling* labelling) noexcept nogil:
    free(labelling.keys)
    free(labelling.values)
    free(labelling.frames)
    free(labelling.children)
    free(labelling.path)
    memset(labelling, 0, sizeof(Labelling))


cdef void clear_labelling(Labelling* labelling) noexcept nogil:
    """Forget all labels and become empty; little memory is kept, which does not count until it is used."""
    if (labelling.slot_mask >= KEPT_CAPACITY or labelling.frame_capacity > KEPT_CAPACITY
            or labelling.child_capacity > KEPT_CAPACITY):
        free_labelling(labelling)
    labelling.slot_mask = labelling.frame_capacity = labelling.child_capacity = labelling.path_capacity = 0
    labelling.count = labelling.frame_count = labelling.child_count = labelling.path_count = 0


cdef uint64_t labelling_bytes(const Labelling* labelling) noexcept nogil:
    return (
        (labelling.slot_mask + 1) * (sizeof(uint64_t) + sizeof(uint32_t))
        + labelling.frame_capacity * sizeof(Frame)
        + (labelling.child_capacity + labelling.path_capacity) * sizeof(uint64_t)
    )


cdef uint64_t search_bytes(const Search* search) noexcept nogil:
    return explored_bytes(&search.tree.nodes) + labelling_bytes(&search.labelling)


cdef inline int priority_of(const Layout* layout, const Position* p) noexcept nogil:
    """Return the priority of a position, the smallest first: the work left."""
    return 4 * p.face_down + p.count + 4 * layout.ranks - p.raised


# --- Best-first search over exact keys ------------------------------------------------------------------

cdef bint open_tree(Tree* tree, uint64_t max_bytes) noexcept nogil:
    """Start with an empty tree; false if memory does not allow it."""
    cdef int i
    for i in range(PRIORITIES):
        tree.queues[i] = NO_NODE
    tree.first = PRIORITIES
    free_explored(&tree.nodes)
    return open_keyed(&tree.nodes, sizeof(SearchNode), sizeof(uint64_t), max_bytes)


cdef inline uint64_t hash_of_key(const Tree* tree, uint64_t key) noexcept nogil:
    """Hash a key of a tree."""
    return hash_of(&tree.nodes, <const uint8_t*>&key)


cdef inline int add_node(Tree* tree, uint64_t key, uint64_t hashed, uint32_t parent,
                         int priority) noexcept nogil:
    """Add a key, which has a hash: 1 if it is new, 0 if it was there, -1 if memory runs out."""
    cdef SearchNode node = SearchNode(key, parent, tree.queues[priority])
    cdef int added = add_hashed(&tree.nodes, <const uint8_t*>&node, hashed)
    if added == 1:
        tree.queues[priority] = tree.nodes.count - 1
        tree.first = min(tree.first, priority)
    return added


cdef inline uint32_t take_node(Tree* tree) noexcept nogil:
    """Pop the next node, or NO_NODE."""
    cdef uint32_t node
    while tree.first < PRIORITIES:
        node = tree.queues[tree.first]
        if node != NO_NODE:
            tree.queues[tree.first] = node_at(tree, node).following
            return node
        tree.first += 1
    return NO_NODE


cdef Verdict decide(Search* search, Kernel kernel, const Layout* layout, uint64_t root) noexcept nogil:
    """Decide ``root``, where no move is safe; if it is won, ``won`` is the node that shows it."""
    cdef Position p
    cdef Verdict outcome
    cdef uint64_t nodes
    search.won = 0
    kernel.begin_stage(BEST_FIRST, KLONDIKE_STATE)
    unpack(layout, root, &p)
    search.max_bytes = kernel.max_bytes
    clear_labelling(&search.labelling)
    if not open_tree(&search.tree, kernel.max_bytes):
        kernel.reason = MEMORY
        return OPEN
    add_node(&search.tree, root, hash_of_key(&search.tree, root), NO_NODE, priority_of(layout, &p))
    if is_won(layout, False, &p):
        return WON
    if search.uses_dead_ends and not may_win(layout, False, &p):
        return LOST
    nodes = search.trial_nodes if search.uses_relaxation else FREE
    outcome = expand_some(search, kernel, layout, nodes, False)
    if outcome != OPEN or kernel.reason != NOTHING:
        return outcome
    outcome = decide_relaxed(search, kernel, layout, root)
    if outcome != WON:
        return outcome
    kernel.begin_stage(BEST_FIRST, KLONDIKE_STATE)
    return expand_some(search, kernel, layout, FREE, True)


cdef Verdict expand_some(Search* search, Kernel kernel, const Layout* layout, uint64_t nodes,
                         bint asks_relaxation) noexcept nogil:
    """Expand so many nodes: LOST if none is left, OPEN if there are more or a limit was met."""
    cdef Position p
    cdef Verdict outcome
    cdef uint32_t number, passed = 0
    cdef uint64_t done = 0
    while done < nodes:
        number = take_node(&search.tree)
        if number == NO_NODE:
            return LOST
        unpack(layout, node_at(&search.tree, number).key, &p)
        if search.uses_dead_ends and number > 0 and not may_win(layout, False, &p):
            if not may_pass(kernel, &passed):
                return OPEN
            continue
        if asks_relaxation:
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
        outcome = expand(search, kernel, layout, &p, number)
        if outcome == WON or kernel.reason != NOTHING:
            return outcome
    return OPEN


cdef Verdict expand(Search* search, Kernel kernel, const Layout* layout, const Position* p,
                    uint32_t number) noexcept nogil:
    """Add the children of a node: WON if one of them is, else OPEN."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int priorities[MOST_CHILDREN]
    cdef uint64_t hashes[MOST_CHILDREN]
    cdef Position child
    cdef Tree* tree = &search.tree
    cdef int i, count = children_of(layout, False, p, keys, codes)
    kernel.generated += count
    tree.nodes.max_bytes = search.max_bytes - min(search.max_bytes, labelling_bytes(&search.labelling))
    for i in range(count):
        make_safe_moves(layout, False, &keys[i], &child, NULL)
        if is_won(layout, False, &child):
            if add_node(tree, keys[i], hash_of_key(tree, keys[i]), number, 0) == 1:
                search.won = tree.nodes.count - 1
                return WON
        priorities[i] = priority_of(layout, &child)
        hashes[i] = hash_of_key(tree, keys[i])
        fetch_slot(&tree.nodes, hashes[i])
    for i in range(count - 1, -1, -1):
        if add_node(tree, keys[i], hashes[i], number, priorities[i]) < 0:
            kernel.reason = MEMORY
            return OPEN
    return OPEN


# --- The greatest number of cards up --------------------------------------------------------------------

cdef bint find_greatest(Search* search, Kernel kernel, const Layout* layout, uint64_t root, int* score,
                        int* bound) noexcept nogil:
    """Find the greatest number of cards up from ``root``, where no move is safe; true if it is proved.

    ``score`` is the most found, in the node ``won``, and ``bound`` what no line can surpass. Nodes are
    ordered by the cards that still go up in the delete relaxation, the most first (Theorem K13).
    """
    cdef Position p
    cdef uint32_t number
    search.won = 0
    search.max_bytes = kernel.max_bytes
    kernel.begin_stage(BEST_FIRST, KLONDIKE_STATE)
    unpack(layout, root, &p)
    score[0] = p.raised
    bound[0] = count_bits(cards_up(layout, False, &p))
    if not open_tree(&search.tree, kernel.max_bytes):
        kernel.reason = MEMORY
        return False
    add_node(&search.tree, root, hash_of_key(&search.tree, root), 0, greatest_priority(layout, &p, bound[0]))
    while True:
        number = take_node(&search.tree)
        if number == NO_NODE:
            bound[0] = score[0]
        else:
            bound[0] = min(bound[0], 4 * layout.ranks - <int>search.tree.first // PER_CARD)
        if bound[0] <= score[0]:
            bound[0] = score[0]
            return True
        if not may_expand(kernel):
            return False
        unpack(layout, node_at(&search.tree, number).key, &p)
        if not expand_greatest(search, kernel, layout, &p, number, score, bound[0]):
            kernel.reason = MEMORY
            return False


cdef inline int greatest_priority(const Layout* layout, const Position* p, int bound) noexcept nogil:
    """Return the priority of a position from which so many cards go up at most."""
    return PER_CARD * (4 * layout.ranks - bound) + (p.face_down + p.count) * (PER_CARD - 1) // MOST_BURIED


cdef bint expand_greatest(Search* search, Kernel kernel, const Layout* layout, const Position* p,
                          uint32_t number, int* score, int most) noexcept nogil:
    """Add those children of a node from which more cards may go up than known; false without memory."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef Position child
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
        if add_node(tree, keys[i], hash_of_key(tree, keys[i]), number, priority) < 0:
            return False
        if child.raised > score[0]:
            score[0] = child.raised
            search.won = tree.nodes.count - 1
    return True


# --- SCC-labelling search of the relaxed stock ----------------------------------------------------------

cdef bint open_labelling(Labelling* labelling, uint64_t max_bytes) noexcept nogil:
    """Start without labels; false if memory does not allow it."""
    clear_labelling(labelling)
    if 2 * FIRST_CAPACITY * 12 + FIRST_CAPACITY * (sizeof(Frame) + 16) > max_bytes:
        return False
    if not resize(&labelling.keys, 2 * FIRST_CAPACITY, sizeof(uint64_t)):
        return False
    if not resize(&labelling.values, 2 * FIRST_CAPACITY, sizeof(uint32_t)):
        return False
    labelling.slot_mask = 2 * FIRST_CAPACITY - 1
    if not resize(&labelling.frames, FIRST_CAPACITY, sizeof(Frame)):
        return False
    if not resize(&labelling.children, FIRST_CAPACITY, 8) or not resize(&labelling.path, FIRST_CAPACITY, 8):
        return False
    labelling.frame_capacity = labelling.child_capacity = labelling.path_capacity = FIRST_CAPACITY
    memset(labelling.keys, 255, 2 * FIRST_CAPACITY * sizeof(uint64_t))
    return True


cdef inline uint64_t slot_of(const Labelling* labelling, uint64_t key) noexcept nogil:
    """Find the slot of a key, or the free one where it belongs."""
    cdef uint64_t slot = hash_words(key, 0) & labelling.slot_mask
    while labelling.keys[slot] != FREE and labelling.keys[slot] != key:
        slot = (slot + 1) & labelling.slot_mask
    return slot


cdef bint set_label(Search* search, uint64_t key, uint32_t value) noexcept nogil:
    """Set the label of a key; false if memory runs out."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t slot = slot_of(labelling, key)
    if labelling.keys[slot] == FREE:
        if 10 * labelling.count >= 7 * labelling.slot_mask:
            if not grow_labels(search):
                return False
            slot = slot_of(labelling, key)
        labelling.keys[slot] = key
        labelling.count += 1
    labelling.values[slot] = value
    return True


cdef bint grow_labels(Search* search) noexcept nogil:
    """Double the table; false, with nothing changed, if memory does not allow it."""
    cdef Labelling* labelling = &search.labelling
    cdef Labelling old = labelling[0]
    cdef uint64_t slots = 2 * (labelling.slot_mask + 1), i, slot
    if search_bytes(search) + slots * 12 > search.max_bytes:
        return False
    labelling.keys = NULL
    labelling.values = NULL
    if not resize(&labelling.keys, slots, sizeof(uint64_t)):
        labelling[0] = old
        return False
    if not resize(&labelling.values, slots, sizeof(uint32_t)):
        free(labelling.keys)
        labelling[0] = old
        return False
    labelling.slot_mask = slots - 1
    memset(labelling.keys, 255, slots * sizeof(uint64_t))
    for i in range(old.slot_mask + 1):
        if old.keys[i] != FREE:
            slot = slot_of(labelling, old.keys[i])
            labelling.keys[slot] = old.keys[i]
            labelling.values[slot] = old.values[i]
    free(old.keys)
    free(old.values)
    return True


cdef bint reserve(Search* search, Kernel kernel, int count) noexcept nogil:
    """Reserve memory for a frame, its key and ``count`` children; false, with the reason noted, if not."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t left = search.max_bytes - min(search.max_bytes, search_bytes(search))
    kernel.reason = MEMORY
    if (labelling.frame_count >= labelling.frame_capacity
            and not more_room(&labelling.frames, &labelling.frame_capacity, 1, sizeof(Frame), left)):
        return False
    if (labelling.path_count >= labelling.path_capacity
            and not more_room(&labelling.path, &labelling.path_capacity, 1, 8, left)):
        return False
    if (labelling.child_count + count > labelling.child_capacity
            and not more_room(&labelling.children, &labelling.child_capacity, 1, 8, left)):
        return False
    kernel.reason = NOTHING
    return True


cdef Verdict decide_relaxed(Search* search, Kernel kernel, const Layout* layout,
                            uint64_t root) noexcept nogil:
    """Decide a position with the relaxed stock, without earlier labels."""
    cdef uint64_t held = explored_bytes(&search.tree.nodes)
    kernel.begin_stage(RELAXATION, KLONDIKE_STATE)
    search.max_bytes = kernel.max_bytes
    if not open_labelling(&search.labelling, search.max_bytes - min(search.max_bytes, held)):
        kernel.reason = MEMORY
        return OPEN
    return decide_labelled(search, kernel, layout, unwasted(layout, root))


cdef Verdict decide_labelled(Search* search, Kernel kernel, const Layout* layout,
                             uint64_t key) noexcept nogil:
    """Decide a position with the relaxed stock, by its label or by continuing the search."""
    cdef Labelling* labelling = &search.labelling
    cdef Position p
    cdef uint64_t slot
    cdef uint32_t value
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
            slot = slot_of(labelling, key)
            if labelling.keys[slot] == FREE:
                unpack(layout, key, &p)
                outcome = open_frame(search, kernel, layout, key, &p)
                if outcome == LOST:
                    outcome = OPEN
                continue
            value = labelling.values[slot]
            if value == ALIVE:
                outcome = WON
            elif value >= NUMBERED and value < frame.lowest:
                frame.lowest = value
        else:
            close_frame(labelling)
    return finish_path(search, kernel, outcome)


cdef Verdict finish_path(Search* search, Kernel kernel, Verdict outcome) noexcept nogil:
    """Return the verdict of a search; if it met a win, label all that it left open alive."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t i
    if kernel.reason != NOTHING:
        return OPEN
    if outcome != WON:
        return LOST
    for i in range(labelling.path_count):
        labelling.values[slot_of(labelling, labelling.path[i])] = ALIVE
    labelling.path_count = labelling.frame_count = labelling.child_count = 0
    return WON


cdef Verdict open_frame(Search* search, Kernel kernel, const Layout* layout, uint64_t key,
                        const Position* p) noexcept nogil:
    """Visit a position: WON or LOST if that is known, else OPEN, with a new frame or the limit met."""
    cdef Labelling* labelling = &search.labelling
    cdef uint64_t keys[MOST_MACRO_MOVES]
    cdef uint64_t parked[MOST_SEQUENCES]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int priorities[MOST_MACRO_MOVES]
    cdef int order[MOST_MACRO_MOVES]
    cdef Position child
    cdef Frame* frame
    cdef uint64_t slot = slot_of(labelling, key)
    cdef uint32_t value
    cdef int i, j, count, new = 0
    cdef bint by_macro_moves
    if labelling.keys[slot] != FREE and labelling.values[slot] < NUMBERED:
        return WON if labelling.values[slot] == ALIVE else LOST
    if search.uses_dead_ends and not may_win(layout, True, p):
        if not set_label(search, key, DEAD):
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
    if not reserve(search, kernel, count) or not set_label(search, key, labelling.path_count + NUMBERED):
        kernel.reason = MEMORY
        return OPEN
    frame = &labelling.frames[labelling.frame_count]
    frame.key = key
    frame.number = frame.lowest = labelling.path_count + NUMBERED
    frame.children = labelling.child_count
    labelling.frame_count += 1
    labelling.path[labelling.path_count] = key
    labelling.path_count += 1
    for i in range(count):
        if by_macro_moves:
            make_free_moves(layout, &keys[i], &child)
        else:
            make_safe_moves(layout, True, &keys[i], &child, NULL)
        if is_won(layout, True, &child):
            return WON
        prefetch_at(&labelling.keys[hash_words(keys[i], 0) & labelling.slot_mask])
        priorities[i] = priority_of(layout, &child)
    for i in range(count):
        slot = slot_of(labelling, keys[i])
        if labelling.keys[slot] != FREE:
            value = labelling.values[slot]
            if value == ALIVE:
                return WON
            if value >= NUMBERED and value < frame.lowest:
                frame.lowest = value
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
    """Finish the last position: its component is complete, or joins that of its parent."""
    cdef Frame done
    labelling.frame_count -= 1
    done = labelling.frames[labelling.frame_count]
    if done.lowest == done.number:
        while labelling.path_count + NUMBERED > done.number:
            labelling.path_count -= 1
            labelling.values[slot_of(labelling, labelling.path[labelling.path_count])] = DEAD
    elif done.lowest < labelling.frames[labelling.frame_count - 1].lowest:
        labelling.frames[labelling.frame_count - 1].lowest = done.lowest


# --- Macro moves of the relaxed game --------------------------------------------------------------------

cdef int macro_moves_within(const Layout* layout, const Position* p, uint64_t* parked, int most_sequences,
                            bint by_parking_alone, uint64_t* keys, int most) noexcept nogil:
    """Generate the keys after each macro move; return their number, TOO_MANY if they, or the sequences
    ``parked`` before one of them, are. ``by_parking_alone`` they are those of K11: moves up are not
    deferrable, and safe cards may come back."""
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


cdef inline void find_raises(const Layout* layout, const Position* p, uint64_t deferrable,
                             Raises* raises) noexcept nogil:
    """Put up the ``deferrable`` cards of the stock that can go up one after the other."""
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


cdef inline int single_moves(const Layout* layout, const Position* p, const Raises* raises, uint64_t raised,
                             uint64_t opening, uint64_t* keys) noexcept nogil:
    """Generate the keys after each move, not deferrable, that needs no parked card; return their number."""
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


cdef inline int add_moves(const Layout* layout, const Position* p, const Raises* raises, uint64_t key,
                          uint64_t group, uint64_t opening, uint64_t* keys, int count) noexcept nogil:
    """Add the keys after ``key``, where a card of ``group`` was made bare, and a move that needs it."""
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
    """Test whether a card that came back from a foundation is safe and would go up at once."""
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


cdef void extend_sequences(ParkingSequences* sequences, int rank, int wanted, int coming,
                           uint64_t key) noexcept nogil:
    """Collect all sequences, until they are too many, that make ``wanted`` cards of ``rank`` bare, two bits
    for each of its types, and bring back ``coming``, a bit for each of its cards. ``key`` is that after the
    cards parked below."""
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
    """Count the cards in a set of two."""
    return (cards & 1) + (cards >> 1 & 1)


cdef inline int options(int candidates, int missing, int* choices) noexcept nogil:
    """Write the subsets of ``missing`` of at most two candidates; return their number."""
    cdef int lowest = candidates & -candidates
    if missing <= 0:
        choices[0] = 0
        return 1
    if missing == 1 and candidates:
        choices[0] = lowest
        choices[1] = candidates ^ lowest
        return 2 if choices[1] else 1
    choices[0] = candidates
    return missing == 2 and candidates != lowest       # as none is more than two


cdef void extend_above(ParkingSequences* sequences, int rank, int parked, uint64_t key) noexcept nogil:
    """Extend sequences above a rank of which these cards are parked."""
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
    # The next cards of their suits: the bit of the colour turns.
    back = ((back & 3) << 2 | back >> 2) & (sequences.from_foundations >> 4 * rank >> 4 & 15)
    extend_sequences(sequences, rank + 1, pair_count(parked) | pair_count(parked >> 2) << 2, back, key)


cdef inline void note_sequence(ParkingSequences* sequences, uint64_t key) noexcept nogil:
    sequences.keys[sequences.count] = key
    sequences.count += 1
