"""Best-first search for the greatest score, with jokers.

Nodes are the states met, in a store with a set of their keys. Keys are compared whole: a set of hashes only
finds the nodes. A slot has 32 bits. As many of the lower ones as tell all slots apart hold 1 + the number of
a node, which is less, since the set is never full; the others are a tag, bits of the hash that do not tell
where the slot is. When slots are added, the keys in the nodes are put in anew.

A node knows its parent, but not the macro that leads here from there: whoever asks for a line looks for it
among the successors of the parent.

The bucket queues are stacks of numbers of nodes, in blocks that are taken from one array. A node is in every
queue. The first one gives it out, the others leave it where it is, and drop it when they come to it. When
there is no block left and more than half of the entries are of nodes that were given out, these are swept
out, otherwise there are half as many blocks more.

Each state is expanded once. A state is a class of states up to lateral moves here, as `state` explains. One
whose bound (`bound`) does not surpass the score found is not expanded. In a large search it is not even
stored: that takes half the memory, but the bound is asked again each time that such a state is met. A state
that was stored so is not asked about again before it is expanded, unless the score has risen.

Two queues order the same nodes by two sets of evaluation weights, found by trials. The first is followed for
256 states, then the other, and so on; what one has expanded the other leaves alone. Where one order wanders
the other often finds the way: of the joker deals 2001 to 3500 the hardest in a hundred takes a fifth of the
states that it took when the first was followed for a million.

Where the waste is exchanged when turned only, it is eight states, and weights of their own take the median of
the states from 930 to 580. Few moves up are safe there (J8), but most do no harm: a state met by another
move, where a natural could go up, has a lower estimate.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport prefetch_at
from ..core.invariant cimport IS_CHECKED
from ..core.kernel cimport MEMORY, Kernel, may_expand, may_pass
from ..core.memory cimport resize
from ..core.nodes cimport CHUNK, NodeStore, free_store, has_room, make_room_for_node, reset_store, store_bytes
from .bound cimport has_free_joker, upper_bound
from .moves cimport TOO_MANY, Child, check_child, perform, successors
from .packing cimport RAISE, RAISE_JOKER, code_of, mover_in, play_in, turns_in
from .state cimport ClassKey, turned_of, unpack


# --- Nodes --------------------------------------------------------------------------------------------------


cdef inline ClassNode* class_at(const NodeStore* store, uint32_t index) noexcept nogil:
    """The node of a number; it stays where it is."""
    return &(<ClassNode**>store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint32_t parent_of(const NodeStore* store, uint32_t index) noexcept nogil:
    """The number of the node that a node was met from."""
    return class_at(store, index).parent & ~<uint32_t>TAKEN


cdef inline uint64_t hash_of(const ClassKey* key) noexcept nogil:
    """64 mixed bits of a key."""
    cdef uint64_t mixed = key.w[0] * <uint64_t>0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32 ^ key.w[1]) * <uint64_t>0xD6E8FEB86659FD93
    mixed = (mixed ^ mixed >> 32 ^ key.w[2]) * <uint64_t>0xBF58476D1CE4E5B9
    return mixed ^ mixed >> 32


cdef inline bint is_of(const ClassNode* node, const ClassKey* key) noexcept nogil:
    """Test whether a node has a key."""
    return node.key.w[0] == key.w[0] and node.key.w[1] == key.w[1] and node.key.w[2] == key.w[2]


cdef inline uint32_t tag_of(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Tag that the slot of a key holds beside the number of its node."""
    return <uint32_t>(hashed >> 32) & ~<uint32_t>store.mask


cdef inline void prefetch_slot(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Ask for the memory that `find_class` and `prefetch_class` will look at first."""
    prefetch_at(<uint32_t*>store.slots + (hashed & store.mask))


cdef inline uint32_t next_like(const NodeStore* store, uint64_t hashed, uint64_t* slot) noexcept nogil:
    """Content of the first slot from ``slot`` on that is empty or has the tag of a hash; ``slot`` is that."""
    cdef const uint32_t* slots = <uint32_t*>store.slots
    cdef uint32_t mask = <uint32_t>store.mask, tag = tag_of(store, hashed), held
    while True:
        held = slots[slot[0]]
        if held == 0 or held & ~mask == tag:
            return held
        slot[0] = slot[0] + 1 & mask


cdef inline uint64_t prefetch_class(const NodeStore* store, uint64_t hashed) noexcept nogil:
    """Ask for the node that `find_class` will look at first, if any; the slot where that may begin, while no
    slots are added."""
    cdef uint64_t slot = hashed & store.mask
    cdef uint32_t held = next_like(store, hashed, &slot)
    if held != 0:
        prefetch_at(class_at(store, (held & <uint32_t>store.mask) - 1))
    return slot


cdef inline bint find_class(
    const NodeStore* store, const ClassKey* key, uint64_t hashed, uint64_t* place
) noexcept nogil:
    """Test whether a state is stored, in ``place`` or later; if not, ``place`` is the slot for it."""
    cdef uint32_t held
    while True:
        held = next_like(store, hashed, place)
        if held == 0:
            return False
        if is_of(class_at(store, (held & <uint32_t>store.mask) - 1), key):
            return True
        place[0] = place[0] + 1 & store.mask


cdef inline void add_class(
    NodeStore* store, const ClassKey* key, uint64_t hashed, uint64_t place, uint32_t parent
) noexcept nogil:
    """Store a state, as the last node, in the slot that `find_class` found; there must be room."""
    cdef ClassNode* node = class_at(store, store.count)
    store.count += 1
    (<uint32_t*>store.slots)[place] = tag_of(store, hashed) | store.count
    node.key = key[0]
    node.parent = parent


cdef enum:
    AHEAD = 32      # nodes whose slots are asked for before the first of them is looked at


cdef void put_in_anew(NodeStore* store, const void* before, uint64_t count) noexcept nogil:
    """Fill the slots, which are empty, from the nodes."""
    cdef uint32_t* slots = <uint32_t*>store.slots
    cdef uint64_t hashes[AHEAD]
    cdef uint64_t slot
    cdef uint32_t done = 0, i, n
    cdef ClassKey key
    while done < store.count:
        n = min(store.count - done, <uint32_t>AHEAD)
        for i in range(n):
            key = class_at(store, done + i).key
            hashes[i] = hash_of(&key)
            prefetch_slot(store, hashes[i])
        for i in range(n):
            slot = hashes[i] & store.mask
            while slots[slot]:
                slot = slot + 1 & store.mask
            slots[slot] = tag_of(store, hashes[i]) | (done + i + 1)
        done += n


# --- Bucket queues ------------------------------------------------------------------------------------------


cdef inline uint64_t queue_bytes(const Queues* queues) noexcept nogil:
    """Bytes allocated."""
    return queues.blocks * <uint64_t>BLOCK * sizeof(uint32_t)


cdef inline void put_on(Queues* queues, uint32_t* top, uint32_t node) noexcept nogil:
    """Put a node on a stack; a block must be left."""
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
    """Take the last node off a stack that has one."""
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
    """Put a node on top of the bucket of its estimate."""
    cdef int bucket = MIDDLE + estimate
    put_on(queues, &queues.tops[queue][bucket], node)
    if bucket > queues.highest[queue]:
        queues.highest[queue] = bucket


cdef inline bint pop(Queues* queues, const NodeStore* store, int queue, uint32_t* taken) noexcept nogil:
    """Take the last node not taken before off the highest bucket, and mark it; false if there is none."""
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
    ENOUGH = 4              # with one in so many blocks left after a sweep there need be no more;
    LITTLE = 16             # with less than one in so many, and no memory for more, the search ends
    MOST_BLOCKS = 0xFFFFFFF


cdef bint reset_queues(Queues* queues, NodeStore* store, uint32_t blocks) noexcept nogil:
    """Empty the queues and have so many blocks, at the expense of the store; false if memory runs out."""
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


cdef bint make_room_in_queues(Queues* queues, NodeStore* store) noexcept nogil:
    """Have blocks left for one more state; false if memory does not allow it."""
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


cdef bint add_blocks(Queues* queues, NodeStore* store) noexcept nogil:
    """Have half as many blocks more, at the expense of the store; false, with nothing changed, if memory does
    not allow old and new ones together."""
    cdef uint64_t blocks = queues.blocks + queues.blocks // 2 + SPARE, before = queue_bytes(queues)
    if blocks > MOST_BLOCKS or store_bytes(store) + blocks * BLOCK * sizeof(uint32_t) > store.max_bytes:
        return False
    if not resize(&queues.words, blocks * BLOCK, sizeof(uint32_t)):
        return False
    queues.left += <uint32_t>blocks - queues.blocks
    queues.blocks = <uint32_t>blocks
    store.max_bytes -= queue_bytes(queues) - before
    return True


cdef void sweep(Queues* queues, NodeStore* store) noexcept nogil:
    """Take out the nodes that were given out; the others stay in their order. A block must be left."""
    cdef uint32_t turned
    cdef int queue, bucket
    queues.sweeps += 1
    for queue in range(QUEUES):
        for bucket in range(queues.highest[queue] + 1):
            turned = 0
            pour(queues, store, &queues.tops[queue][bucket], &turned)
            pour(queues, store, &turned, &queues.tops[queue][bucket])


cdef void pour(Queues* queues, const NodeStore* store, uint32_t* source, uint32_t* target) noexcept nogil:
    """Take all nodes off a stack and put those that were not given out on another."""
    cdef uint32_t node, word
    while source[0]:
        for word in range(source[0] - source[0] % BLOCK + 1, source[0] + 1):
            prefetch_at(class_at(store, queues.words[word]))
        for _ in range(source[0] % BLOCK):
            node = take_off(queues, source)
            if not class_at(store, node).parent & TAKEN:
                put_on(queues, target, node)


# --- Evaluation weights -------------------------------------------------------------------------------------


cdef inline int estimate_of(
    const Estimates* estimates, int queue, int score, int face_down, int waste, int turned, int empty,
    int out, int detour
) noexcept nogil:
    """Evaluation of a state by the weights of a queue, less ``detour``, held within the buckets."""
    cdef const int* weights = estimates.weights[queue]
    cdef int estimate = (
        weights[SCORE] * score + weights[FACE_DOWN] * face_down + weights[WASTE_SIZE] * waste
        + weights[TURNED] * turned + weights[EMPTY_COLUMNS] * empty + weights[OUT_OF_PLAY] * out - detour
    )
    return max(-MIDDLE, min(estimate, BUCKETS - MIDDLE - 1))


# By a game and whether its waste is exchanged when turned only: the phase and the detour of `Estimates`, and
# for each queue the weights of score, face-down cards, waste, cards turned, empty columns and jokers out of
# play.
ORDERS = {
    ("joker", False): (8, 0, ((4, -12, -2, -1, 3, -16), (0, -12, -24, 0, 3, -8))),
    ("joker", True): (3, 196, ((1, -5, -15, 5, -2, -5), (1, -10, -38, 0, 1, -2))),
    ("klondike-one-pass", False): (0, 0, ((4, -12, -4, 0, 3, 0), (4, -12, -2, -1, 3, 0))),
}


cdef void set_estimates(Estimates* estimates, variant, bint turned_only) except *:
    """Order the queues as is best for a game, given by its name, and a reading."""
    estimates.phase, estimates.detour, queues = ORDERS[variant, bool(turned_only)]
    for i, weights in enumerate(queues):
        for j, weight in enumerate(weights):
            estimates.weights[i][j] = weight


# --- The search ---------------------------------------------------------------------------------------------

cdef void search_classes(ClassSearch* search, Kernel kernel, uint64_t max_bytes) noexcept nogil:
    """Look for the greatest score from ``root``; ``kernel`` counts states and notes the limit met."""
    cdef uint32_t node, passed = 0
    cdef uint64_t place
    cdef ClassKey key
    unpack(search.layout, &search.root, &search.position)
    search.best = 0
    search.score = search.position.score
    search.bound = upper_bound(search.layout, &search.position, search.layout.places)
    search.asked = search.large
    if (not reset_store(
            &search.nodes, sizeof(ClassNode), MOST_NODES, sizeof(uint32_t), put_in_anew, max_bytes)
            or not reset_queues(&search.queues, &search.nodes, search.blocks)):
        kernel.reason = MEMORY
        return
    if search.score < search.bound:
        place = hash_of(&search.root) & search.nodes.mask
        add_class(&search.nodes, &search.root, hash_of(&search.root), place, 0)
        push_all(search, 0, search.position.score, search.position.face_down, search.position.waste_size,
                 search.position.turned, search.position.empty, search.position.out, 0)
    while search.score < search.bound:
        if not pop(&search.queues, &search.nodes, kernel.expanded >> search.estimates.phase & 1, &node):
            search.bound = search.score
            return
        key = class_at(&search.nodes, node).key
        unpack(search.layout, &key, &search.position)
        if node < search.asked and upper_bound(search.layout, &search.position, search.score) <= search.score:
            if not may_pass(kernel, &passed):
                return
            continue
        passed = 0
        if not may_expand(kernel) or not expand(search, kernel, node):
            return


cdef uint64_t class_search_bytes(const ClassSearch* search) noexcept nogil:
    """Bytes that nodes and queues take."""
    return store_bytes(&search.nodes) + queue_bytes(&search.queues)


cdef void free_class_search(ClassSearch* search) noexcept nogil:
    """Give the memory back."""
    free_store(&search.nodes)
    free(search.queues.words)
    search.queues.words = NULL
    search.queues.blocks = 0


cdef inline bint expand(ClassSearch* search, Kernel kernel, uint32_t parent) noexcept nogil:
    """Store the successors of ``position``; false if memory runs out."""
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
            if is_large and is_asked_first(search.codes[i + j]) and is_without_hope(search, &child.key):
                continue
            search.codes[i + kept] = search.codes[i + j]
            search.hashes[kept] = hash_of(&child.key)
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
                    and not (is_large and score == search.score and is_asked_first(search.codes[i + j]))
                    and is_without_hope(search, &child.key)):
                continue
            add_class(&search.nodes, &child.key, search.hashes[j], search.places[j], parent)
            if search.nodes.count <= EARLY:
                search.early_codes[search.nodes.count - 1] = search.codes[i + j]
            enqueue(search, child, 0 if play_in(search.codes[i + j]) == RAISE else detour)
        i += n
    kernel.generated += count
    return True


cdef inline bint is_asked_first(uint32_t code) noexcept nogil:
    """Test whether the state after a macro is asked about before it is looked up: after such plays few states
    were met before, and most are without hope."""
    return play_in(code) >= RAISE_JOKER


cdef inline bint may_go_up(const uint32_t* codes, int count) noexcept nogil:
    """Test whether one of some macros is that a natural goes up, and nothing else."""
    cdef int i
    for i in range(count):
        if codes[i] == code_of(RAISE, mover_in(codes[i]), 0):
            return True
    return False


cdef inline bint is_without_hope(ClassSearch* search, const ClassKey* key) noexcept nogil:
    """Test whether a state cannot surpass the score found."""
    if has_free_joker(search.layout, key):
        return False
    unpack(search.layout, key, &search.met)
    return upper_bound(search.layout, &search.met, search.score) <= search.score


cdef inline void enqueue(ClassSearch* search, const Child* child, int detour) noexcept nogil:
    """The last node is new."""
    cdef uint32_t node = search.nodes.count - 1
    if child.score > search.score:
        search.score = child.score
        search.best = node
        search.asked = max(search.large, <uint64_t>search.nodes.count)
    push_all(search, node, child.score, child.face_down, child.waste_size, turned_of(&child.key), child.empty,
             child.out, detour)


cdef inline void push_all(
    ClassSearch* search, uint32_t node, int score, int face_down, int waste, int turned, int empty, int out,
    int detour
) noexcept nogil:
    """Put a node into each queue."""
    cdef int queue
    for queue in range(QUEUES):
        push(&search.queues, queue, node,
             estimate_of(&search.estimates, queue, score, face_down, waste, turned, empty, out, detour))


# --- Lines --------------------------------------------------------------------------------------------------


cdef int codes_to_best_class(ClassSearch* search) noexcept nogil:
    """Write the macros that lead to the best node to ``codes``, return their number."""
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


cdef uint32_t code_to(ClassSearch* search, uint32_t node, uint32_t* codes) noexcept nogil:
    """The macro by which a node was met, which is the first that leads there from its parent; 0, which is
    none, if there is none such. There must be room for ``codes``."""
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
