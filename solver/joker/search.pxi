"""Best-first search for the greatest score, with jokers, in two alternating bucket queues.

The nodes are classes of states up to column order and lateral moves (`state`); here *state* means such a
class. Each is expanded at most once.

Why two queues pay: they order the same nodes by two sets of evaluation weights, which were tuned by trials.
The search expands 256 nodes from the first queue, then 256 from the second, and so on. Of the joker deals
2001 to 3500, the hardest hundredth takes a fifth of the states that it took when the first queue was followed
for a million. With `exchange` "turned" the queues alternate every eight states, and weights of their own
lower the median from 930 to 580 states. Few moves up are proved safe there (J8), though most do no harm, so a
successor by another move, where a natural could go up, has its estimate lowered.

Soundness: the score depends on the state alone and never falls (J1). States with one key reach the same
scores (J2, J3). Nothing is skipped but moves that another line makes up for (J6, J8, J9, J12) and states
whose bound (J7) does not exceed the score found. So the score is the greatest when the queues are empty or it
equals the bound of the first state. A search for a score ``wanted`` also skips states whose bound is below
it: what follows on them is below it, too. It ends with a line to that score, or with the bound wanted - 1.

Large searches, from LARGE states on, do not even store a state whose bound does not exceed the score. That
halves the memory, but the bound is recomputed whenever the state recurs. A state stored in spite of this test
is tested again at its expansion only if the score has risen since.

Nodes are in a store with a hash table. A slot of the table has 32 bits: the low ones, as many as number all
slots, hold 1 + the number of a node; the others are a tag of hash bits that do not determine the slot. The
tag only selects candidates, keys are compared whole. When the table grows, it is rebuilt from the nodes.

A node holds its parent, but not the macro that leads from there to it: that is recovered by regenerating the
parent's successors.

The bucket queues are stacks of node numbers, in blocks allocated from one array. Every node is pushed to all
queues. The queue that pops it first marks it as taken; its entries in the others are dropped when they are
popped. If no block is left, taken nodes are swept out when they are more than half of the entries; otherwise
the array grows by half.
"""

cdef enum:
    TAKEN = 1 << 31         # flag in the parent of a node: a queue has popped the node
    MOST_NODES = 0x7FFFFFFE

cdef packed struct ClassNode:   # 28 bytes
    ClassKey key
    uint32_t parent             # node number, and the flag TAKEN; the first node is its own parent

cdef enum:
    BUCKETS = 2048
    MIDDLE = 1280           # the bucket of estimate 0
    QUEUES = 2
    BLOCK = 16              # words of a block: where the block beneath ends, then 15 node numbers
    FIRST_BLOCKS = 1024
    SPARE = 2 * QUEUES      # free blocks required before a state is pushed to the queues

cdef struct Queues:
    uint32_t tops[QUEUES][BUCKETS]  # index in ``words`` of the last node of each bucket, or 0
    int highest[QUEUES]             # buckets above it are empty
    uint32_t* words         # the blocks, one after the other; the first one is unused
    uint32_t blocks         # allocated
    uint32_t used           # blocks used so far, including those freed since
    uint32_t free           # head of the list of freed blocks, linked by their first words, or 0
    uint32_t left           # blocks freed or never used
    uint32_t taken          # nodes popped
    uint32_t sweeps         # sweeps made

cdef enum:                  # what an estimate counts
    SCORE = 0
    FACE_DOWN = 1
    WASTE_SIZE = 2
    TURNED = 3
    EMPTY_COLUMNS = 4
    OUT_OF_PLAY = 5
    FEATURES = 6

cdef struct Estimates:
    int weights[QUEUES][FEATURES]
    int phase               # the queues alternate every 2 ** phase expansions
    int detour              # penalty of any other move where a natural could go up


cdef enum:
    BATCH = 32              # children computed before the first of them is looked up
    LARGE = 250000          # stored states from which on hopeless ones are not stored
    EARLY = 4096            # nodes whose macros are stored: regenerating takes 1/10 of a short search
    MOST_LINE = 4096        # macros of a line: a few for each card

cdef struct Search:
    const Layout* layout
    ClassKey root           # where the search begins
    Estimates estimates
    uint32_t* codes         # capacity MOST_LINE + MOST_CODES
    uint64_t large          # LARGE, or less for tests
    uint32_t blocks         # FIRST_BLOCKS, or less for tests
    uint32_t early          # EARLY, or less for tests
    int wanted              # a score that suffices; 0: the greatest is searched for
    int score               # greatest score found
    int bound               # upper bound of the score of all lines
    uint32_t best           # first node with the score found
    uint64_t tested_from    # nodes from this number on were stored since their bounds exceed ``score``
    bint has_overflowed     # a position had more than MOST_CODES macros
    NodeStore nodes
    Queues queues
    ClassPosition position  # the state being expanded
    ClassPosition successor     # the successor whose bound is computed
    Child children[BATCH]
    uint64_t hashes[BATCH]
    uint64_t places[BATCH]  # slots from which the children are looked up
    uint32_t early_codes[EARLY]     # macros that first generated the first nodes


# --- Nodes --------------------------------------------------------------------------------------------------


cdef inline ClassNode* class_at(const NodeStore* store, uint32_t index) noexcept nogil:
    """Return the node with the number ``index``. Nodes never move in memory."""
    return &(<ClassNode**>store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint32_t parent_of(const NodeStore* store, uint32_t index) noexcept nogil:
    """Return the number of the node from which node ``index`` was first generated."""
    return class_at(store, index).parent & ~<uint32_t>TAKEN


cdef inline uint64_t hash_class(const ClassKey* key) noexcept nogil:
    """Hash a key to 64 bits."""
    cdef uint64_t mixed = key.w[0] * <uint64_t>0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32 ^ key.w[1]) * <uint64_t>0xD6E8FEB86659FD93
    mixed = (mixed ^ mixed >> 32 ^ key.w[2]) * <uint64_t>0xBF58476D1CE4E5B9
    return mixed ^ mixed >> 32


cdef inline bint is_of(const ClassNode* node, const ClassKey* key) noexcept nogil:
    """Test whether ``node`` has the key ``key``."""
    return node.key.w[0] == key.w[0] and node.key.w[1] == key.w[1] and node.key.w[2] == key.w[2]


cdef inline uint32_t tag_of(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Return the tag that a slot holds beside the node number, for the hash ``hashed`` of a key."""
    return <uint32_t>(hashed >> 32) & ~<uint32_t>store.mask


cdef inline void prefetch_slot(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Prefetch the slot at which `find_class` and `prefetch_class` start for the hash ``hashed``."""
    prefetch_at(<uint32_t*>store.slots + (hashed & store.mask))


cdef inline uint32_t next_like(const NodeStore* store, uint64_t hashed, uint64_t* slot) noexcept nogil:
    """Advance ``slot`` to the first slot that is empty or has the tag of ``hashed``. Returns its content."""
    cdef const uint32_t* slots = <uint32_t*>store.slots
    cdef uint32_t mask = <uint32_t>store.mask, tag = tag_of(store, hashed), held
    while True:
        held = slots[slot[0]]
        if held == 0 or held & ~mask == tag:
            return held
        slot[0] = slot[0] + 1 & mask


cdef inline uint64_t prefetch_class(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Prefetch the node that `find_class` will compare first, if any. Returns the slot at which `find_class`
    may start, as long as the table does not grow."""
    cdef uint64_t slot = hashed & store.mask
    cdef uint32_t held = next_like(store, hashed, &slot)
    if held != 0:
        prefetch_at(class_at(store, (held & <uint32_t>store.mask) - 1))
    return slot


cdef inline bint find_class(const NodeStore* store, const ClassKey* key, uint64_t hashed,
                            uint64_t* place) noexcept nogil:
    """Test whether a state is stored, searching from slot ``place`` on. If not, ``place`` becomes the empty
    slot to store it in."""
    cdef uint32_t held
    while True:
        held = next_like(store, hashed, place)
        if held == 0:
            return False
        if is_of(class_at(store, (held & <uint32_t>store.mask) - 1), key):
            return True
        place[0] = place[0] + 1 & store.mask


cdef inline void add_class(NodeStore* store, const ClassKey* key, uint64_t hashed, uint64_t place,
                           uint32_t parent) noexcept nogil:
    """Append a node for a state and enter it in the slot ``place``, which `find_class` set. The store must
    have capacity for it (`has_room`)."""
    cdef ClassNode* node = class_at(store, store.count)
    store.count += 1
    (<uint32_t*>store.slots)[place] = tag_of(store, hashed) | store.count
    node.key = key[0]
    node.parent = parent


cdef enum:
    FETCHED_AHEAD = 32      # nodes whose slots are prefetched together


cdef inline void rebuild_slots(NodeStore* store, const void* before, uint64_t count) noexcept nogil:
    """Enter all nodes in the hash table, whose slots are empty. ``before`` and ``count``, the old slots, are
    part of the callback's signature and unused."""
    cdef uint32_t* slots = <uint32_t*>store.slots
    cdef uint64_t hashes[FETCHED_AHEAD]
    cdef uint64_t slot
    cdef uint32_t done = 0, i, n
    cdef ClassKey key
    while done < store.count:
        n = min(store.count - done, <uint32_t>FETCHED_AHEAD)
        for i in range(n):
            key = class_at(store, done + i).key
            hashes[i] = hash_class(&key)
            prefetch_slot(store, hashes[i])
        for i in range(n):
            slot = hashes[i] & store.mask
            while slots[slot]:
                slot = slot + 1 & store.mask
            slots[slot] = tag_of(store, hashes[i]) | (done + i + 1)
        done += n


# --- Bucket queues ------------------------------------------------------------------------------------------


cdef inline uint64_t queue_bytes(const Queues* queues) noexcept nogil:
    """Return the bytes allocated for the blocks of the queues."""
    return queues.blocks * <uint64_t>BLOCK * sizeof(uint32_t)


cdef inline void put_on(Queues* queues, uint32_t* top, uint32_t node) noexcept nogil:
    """Push ``node`` to the stack ``top``. At least one block must be free (``queues.left``)."""
    cdef uint32_t block
    if (top[0] + 1) % BLOCK < 2:    # the block is full, or there is none
        block = queues.free
        if block:
            queues.free = queues.words[block]
        else:
            block = queues.used * BLOCK
            queues.used += 1
        queues.left -= 1
        queues.words[block] = top[0]
        top[0] = block
    top[0] += 1
    queues.words[top[0]] = node


cdef inline uint32_t take_off(Queues* queues, uint32_t* top) noexcept nogil:
    """Pop the last node of the stack ``top``, which must not be empty. A block that it empties is freed."""
    cdef uint32_t node = queues.words[top[0]], block
    top[0] -= 1
    if top[0] % BLOCK == 0:
        block = top[0]
        top[0] = queues.words[block]
        queues.words[block] = queues.free
        queues.free = block
        queues.left += 1
    return node


cdef inline void push(Queues* queues, int queue, uint32_t node, int estimate) noexcept nogil:
    """Push ``node`` to the bucket of its estimate in one queue."""
    cdef int bucket = MIDDLE + estimate
    put_on(queues, &queues.tops[queue][bucket], node)
    if bucket > queues.highest[queue]:
        queues.highest[queue] = bucket


cdef inline bint pop(Queues* queues, const NodeStore* store, int queue, uint32_t* taken) noexcept nogil:
    """Pop the last untaken node of the highest bucket of ``queue`` to ``taken`` and mark it as taken. Returns
    False if the queue has no such node."""
    cdef uint32_t* top
    cdef ClassNode* node
    while queues.highest[queue] >= 0:
        top = &queues.tops[queue][queues.highest[queue]]
        while top[0]:
            taken[0] = take_off(queues, top)
            node = class_at(store, taken[0])
            if not node.parent & TAKEN:
                node.parent |= TAKEN
                queues.taken += 1
                if top[0]:
                    prefetch_at(class_at(store, queues.words[top[0]]))
                return True
        queues.highest[queue] -= 1
    return False


cdef enum:
    ENOUGH = 4              # a sweep suffices if it leaves a quarter of the blocks free
    LITTLE = 16             # without memory to grow, the search ends if less than 1/16 of the blocks is free
    MOST_BLOCKS = 0xFFFFFFF


cdef inline bint reset_queues(Queues* queues, NodeStore* store, uint32_t blocks) noexcept nogil:
    """Empty the queues and allocate ``blocks`` blocks, which are deducted from the byte limit of ``store``.
    Returns False if memory runs out."""
    memset(queues.tops, 0, sizeof(queues.tops))
    queues.highest[0] = queues.highest[1] = -1
    queues.free = queues.taken = queues.sweeps = 0
    queues.used = 1
    if queues.blocks != blocks:
        if not resize(&queues.words, blocks * <uint64_t>BLOCK, sizeof(uint32_t)):
            return False
        queues.blocks = blocks
    queues.left = blocks - 1
    if store_bytes(store) + queue_bytes(queues) > store.max_bytes:
        return False
    store.max_bytes -= queue_bytes(queues)
    return True


cdef inline bint make_room_in_queues(Queues* queues, NodeStore* store) noexcept nogil:
    """Free or allocate blocks for one more state. Returns False if the memory limit does not allow it."""
    cdef uint64_t entries = (queues.blocks - queues.left) * <uint64_t>(BLOCK - 1)
    cdef bint is_swept = entries > 2 * QUEUES * <uint64_t>(store.count - queues.taken)
    if is_swept:
        sweep(queues, store)
        if queues.left >= max(queues.blocks // ENOUGH, <uint32_t>SPARE):
            return True
    if add_blocks(queues, store):
        return True
    if not is_swept:
        sweep(queues, store)
    return queues.left >= max(queues.blocks // LITTLE, <uint32_t>SPARE)


cdef inline bint add_blocks(Queues* queues, NodeStore* store) noexcept nogil:
    """Grow the array of blocks by half, deducting the bytes from the limit of ``store``. Returns False,
    changing nothing, if the limit does not allow the old and the new array together."""
    cdef uint64_t blocks = queues.blocks + queues.blocks // 2 + SPARE, before = queue_bytes(queues)
    if blocks > MOST_BLOCKS or store_bytes(store) + blocks * BLOCK * sizeof(uint32_t) > store.max_bytes:
        return False
    if not resize(&queues.words, blocks * BLOCK, sizeof(uint32_t)):
        return False
    queues.left += <uint32_t>blocks - queues.blocks
    queues.blocks = <uint32_t>blocks
    store.max_bytes -= queue_bytes(queues) - before
    return True


cdef inline void sweep(Queues* queues, NodeStore* store) noexcept nogil:
    """Remove the taken nodes from all queues, keeping the order of the others. One block must be free."""
    cdef uint32_t turned
    cdef int queue, bucket
    queues.sweeps += 1
    for queue in range(QUEUES):
        for bucket in range(queues.highest[queue] + 1):
            turned = 0
            pour(queues, store, &queues.tops[queue][bucket], &turned)
            pour(queues, store, &turned, &queues.tops[queue][bucket])


cdef inline void pour(Queues* queues, const NodeStore* store, uint32_t* source,
                      uint32_t* target) noexcept nogil:
    """Pop all nodes of the stack ``source`` and push the untaken ones to ``target``, in reverse order."""
    cdef uint32_t node, word
    while source[0]:
        for word in range(source[0] - source[0] % BLOCK + 1, source[0] + 1):
            prefetch_at(class_at(store, queues.words[word]))
        for _ in range(source[0] % BLOCK):
            node = take_off(queues, source)
            if not class_at(store, node).parent & TAKEN:
                put_on(queues, target, node)


# --- Evaluation weights -------------------------------------------------------------------------------------


cdef inline int estimate_of(const Estimates* estimates, int queue, int score, int face_down, int waste,
                            int turned, int empty, int out, int detour) noexcept nogil:
    """Evaluate a state by the weights of ``queue``, minus ``detour``, clamped to the range of the buckets."""
    cdef const int* weights = estimates.weights[queue]
    cdef int estimate = (
        weights[SCORE] * score + weights[FACE_DOWN] * face_down + weights[WASTE_SIZE] * waste
        + weights[TURNED] * turned + weights[EMPTY_COLUMNS] * empty + weights[OUT_OF_PLAY] * out - detour
    )
    return max(-MIDDLE, min(estimate, BUCKETS - MIDDLE - 1))


cdef extern from *:
    """
    // Joker, Joker where the top of the waste is exchanged only when it is turned, and Klondike in one pass:
    // the phase and the detour of `Estimates`, and for each queue the weights of score, face-down cards,
    // waste, cards turned, empty columns and jokers out of play.
    static const int ORDERS[3][14] = {
        {8, 0, 4, -12, -2, -1, 3, -16, 0, -12, -24, 0, 3, -8},
        {3, 196, 1, -5, -15, 5, -2, -5, 1, -10, -38, 0, 1, -2},
        {0, 0, 4, -12, -4, 0, 3, 0, 4, -12, -2, -1, 3, 0},
    };
    """
    const int ORDERS[3][14]


cdef inline void set_estimates(Estimates* estimates, bint has_jokers, bint turned_only) noexcept nogil:
    """Set the weights for Joker, with its rule option `exchange`, or for Klondike in one pass."""
    cdef const int* order = ORDERS[turned_only if has_jokers else 2]
    cdef int queue, i
    estimates.phase = order[0]
    estimates.detour = order[1]
    for queue in range(2):
        for i in range(6):
            estimates.weights[queue][i] = order[2 + 6 * queue + i]


# --- The search ---------------------------------------------------------------------------------------------

cdef inline void search_classes(Search* search, Kernel* kernel, uint64_t max_bytes) noexcept nogil:
    """Search for the greatest score from ``search.root``, or for the score ``wanted``, setting ``score``,
    ``bound`` and ``best``. At a limit ``kernel.reason`` is set and the bound stays above the score."""
    cdef uint32_t node, passed = 0
    cdef uint64_t place
    cdef ClassKey key
    unpack(search.layout, &search.root, &search.position)
    search.best = 0
    search.score = search.position.score
    search.bound = upper_bound(search.layout, &search.position, search.layout.places)
    search.tested_from = search.large
    if (not reset_store(
            &search.nodes, sizeof(ClassNode), MOST_NODES, sizeof(uint32_t), rebuild_slots, max_bytes)
            or not reset_queues(&search.queues, &search.nodes, search.blocks)):
        kernel.reason = MEMORY
        return
    if goes_on(search):
        place = hash_class(&search.root) & search.nodes.mask
        add_class(&search.nodes, &search.root, hash_class(&search.root), place, 0)
        push_all(search, 0, search.position.score, search.position.face_down, search.position.waste_size,
                 search.position.turned, search.position.empty, search.position.out, 0)
    while goes_on(search):
        if not pop(&search.queues, &search.nodes, kernel.expanded >> search.estimates.phase & 1, &node):
            search.bound = floor_of(search)
            return
        key = class_at(&search.nodes, node).key
        unpack(search.layout, &key, &search.position)
        if node < search.tested_from and cannot_surpass(search, &search.position):
            if not may_pass(kernel, &passed):
                return
            continue
        passed = 0
        if not may_expand(kernel) or not expand_class(search, kernel, node):
            return


cdef inline int floor_of(const Search* search) noexcept nogil:
    """Return the score that has to be surpassed."""
    return max(search.score, search.wanted - 1)


cdef inline bint goes_on(const Search* search) noexcept nogil:
    """Test whether a score that is still looked for may be there."""
    return floor_of(search) < search.bound and (search.wanted == 0 or search.score < search.wanted)


cdef inline bint cannot_surpass(const Search* search, const ClassPosition* p) noexcept nogil:
    cdef int least = floor_of(search)
    return upper_bound(search.layout, p, least) <= least


cdef inline uint64_t class_search_bytes(const Search* search) noexcept nogil:
    """Return the bytes allocated for nodes and queues."""
    return store_bytes(&search.nodes) + queue_bytes(&search.queues)


cdef inline void free_class_search(Search* search) noexcept nogil:
    """Free the nodes and queues."""
    free_store(&search.nodes)
    free(search.queues.words)
    search.queues.words = NULL
    search.queues.blocks = 0


cdef inline bint expand_class(Search* search, Kernel* kernel, uint32_t parent) noexcept nogil:
    """Store the new successors of ``search.position``, whose node is ``parent``. Returns False, with
    ``kernel.reason`` set, if memory runs out."""
    cdef int count = successors(search.layout, &search.position, search.codes)
    cdef int i = 0, j, n, kept, detour, score
    cdef bint is_large
    cdef uint64_t mask
    cdef Child* child
    if count == TOO_MANY:
        search.has_overflowed = True
        kernel.reason = MEMORY
        return False
    detour = search.estimates.detour if may_go_up(search.codes, count) else 0
    while i < count:
        n = count - i if count - i < BATCH else BATCH
        is_large = search.nodes.count >= search.large
        score = search.score
        kept = 0
        for j in range(n):
            child = &search.children[kept]
            perform(search.layout, &search.position, search.codes[i + j], child)
            if IS_CHECKED:
                check_child(search.layout, child)
            if is_large and is_tested_first(search.codes[i + j]) and is_hopeless(search, &child.key):
                continue
            search.codes[i + kept] = search.codes[i + j]
            search.hashes[kept] = hash_class(&child.key)
            prefetch_slot(&search.nodes, search.hashes[kept])
            kept += 1
        mask = search.nodes.mask
        for j in range(kept):
            search.places[j] = prefetch_class(&search.nodes, search.hashes[j])
        for j in range(kept):
            child = &search.children[j]
            if (not has_room(&search.nodes) and not make_room_for_node(&search.nodes)
                    or search.queues.left < SPARE
                    and not make_room_in_queues(&search.queues, &search.nodes)):
                kernel.reason = MEMORY
                return False
            if search.nodes.mask != mask:
                search.places[j] = search.hashes[j] & search.nodes.mask
            if find_class(&search.nodes, &child.key, search.hashes[j], &search.places[j]):
                continue
            if (search.nodes.count >= search.large
                    and not (is_large and score == search.score and is_tested_first(search.codes[i + j]))
                    and is_hopeless(search, &child.key)):
                continue
            add_class(&search.nodes, &child.key, search.hashes[j], search.places[j], parent)
            if search.nodes.count <= EARLY:
                search.early_codes[search.nodes.count - 1] = search.codes[i + j]
            queue_class(search, child, 0 if play_in(search.codes[i + j]) == RAISE else detour)
        i += n
    kernel.generated += count
    return True


cdef inline bint is_tested_first(uint32_t code) noexcept nogil:
    """Test whether the bound of the state after a macro is computed before its key is looked up. After these
    plays few states are stored already and most are hopeless."""
    return play_in(code) >= RAISE_JOKER


cdef inline bint may_go_up(const uint32_t* codes, int count) noexcept nogil:
    """Test whether one of the ``count`` macros plays a natural to the foundation, without turns and
    declarations."""
    cdef int i
    for i in range(count):
        if codes[i] == code_of(RAISE, mover_in(codes[i]), 0):
            return True
    return False


cdef inline bint is_hopeless(Search* search, const ClassKey* key) noexcept nogil:
    """Test whether the bound of a state does not exceed the score found."""
    if has_free_joker(search.layout, key):
        return False
    unpack(search.layout, key, &search.successor)
    return cannot_surpass(search, &search.successor)


cdef inline void queue_class(Search* search, const Child* child, int detour) noexcept nogil:
    """Push the last node, made of ``child``, to the queues, and record its score if it is the greatest."""
    cdef uint32_t node = search.nodes.count - 1
    if child.score > search.score:
        search.score = child.score
        search.best = node
        search.tested_from = max(search.large, <uint64_t>search.nodes.count)
    push_all(search, node, child.score, child.face_down, child.waste_size, turned_of(&child.key), child.empty,
             child.out, detour)


cdef inline void push_all(Search* search, uint32_t node, int score, int face_down, int waste, int turned,
                          int empty, int out, int detour) noexcept nogil:
    """Push ``node``, a state with these features, to each queue."""
    cdef int queue
    for queue in range(QUEUES):
        push(&search.queues, queue, node,
             estimate_of(&search.estimates, queue, score, face_down, waste, turned, empty, out, detour))


# --- Lines --------------------------------------------------------------------------------------------------


cdef inline int codes_to_best_class(Search* search) noexcept nogil:
    """Write the macros from the root to the best node to ``search.codes``. Returns their number."""
    cdef uint32_t node = search.best
    cdef int count = 0, i
    while node:
        count += 1
        node = parent_of(&search.nodes, node)
    node = search.best
    for i in range(count - 1, -1, -1):
        if node < search.early:
            search.codes[i] = search.early_codes[node]
        else:
            search.codes[i] = code_to(search, node, search.codes + count)
        node = parent_of(&search.nodes, node)
    return count


cdef inline uint32_t code_to(Search* search, uint32_t node, uint32_t* codes) noexcept nogil:
    """Return the first macro that leads from the parent of ``node`` to it, 0 (not a macro) if none does.
    ``codes`` is scratch space for MOST_CODES macros."""
    cdef ClassNode* met = class_at(&search.nodes, node)
    cdef ClassKey key = met.key, before = class_at(&search.nodes, parent_of(&search.nodes, node)).key
    cdef Child child
    cdef int count, i, turns
    unpack(search.layout, &before, &search.position)
    turns = turned_of(&key) - search.position.turned
    count = successors(search.layout, &search.position, codes)
    for i in range(count):
        if turns_in(codes[i]) == turns:
            perform(search.layout, &search.position, codes[i], &child)
            if is_of(met, &child.key):
                return codes[i]
    return 0
