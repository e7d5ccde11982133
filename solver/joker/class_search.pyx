"""Best-first search for the greatest score, with jokers.

Each state is expanded once. A state is a class of states up to lateral moves here, as `state` explains. One
whose bound (`bound`) does not surpass the score found is not expanded. In a large search it is not even
stored: that takes half the memory, but the bound is asked again each time that such a state is met. A state
that was stored so is not asked about again before it is expanded, unless the score has risen.

Two queues order the same nodes by two sets of weights. The first is followed for 256 states, then the other,
and so on; what one has expanded the other leaves alone. Where one order wanders the other often finds the
way: of the joker deals 2001 to 3500 the hardest in a hundred takes a fifth of the states that it took when
the first was followed for a million.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.invariant cimport IS_CHECKED
from ..core.kernel cimport MEMORY, Kernel, may_expand, may_pass
from ..core.node_store cimport free_store, has_room, make_room_for_node, store_bytes
from .bound cimport upper_bound
from .class_nodes cimport (
    ClassNode, add_class, class_at, find_class, hash_of, is_of, parent_of, prefetch_class, prefetch_slot,
    reset_classes,
)
from .estimates cimport estimate_of
from .macros cimport Child, check_child, perform
from .moves cimport TOO_MANY, successors
from .packing cimport turns_in
from .queues cimport (
    QUEUES, free_queues, has_blocks, make_room_in_queues, pop, push, queue_bytes, reset_queues,
)
from .state cimport ClassKey, turned_of, unpack

cdef enum:
    NEAR = 16384            # states stored, which a processor holds in its caches


cdef void search_classes(ClassSearch* search, Kernel kernel, uint64_t max_bytes) noexcept nogil:
    """Look for the greatest score from ``root``, with ``kernel`` counting states, and noting the limit that
    ends the search early."""
    cdef uint32_t node, passed = 0
    cdef int queue = 0
    cdef ClassKey key
    unpack(search.layout, &search.root, &search.position)
    search.best = 0
    search.score = search.position.score
    search.bound = upper_bound(search.layout, &search.position, search.layout.places)
    search.asked = search.large
    if (not reset_classes(&search.nodes, max_bytes)
            or not reset_queues(&search.queues, &search.nodes, search.blocks)):
        kernel.reason = MEMORY
        return
    if search.score < search.bound:
        store_root(search)
    while search.score < search.bound:
        if not pop(&search.queues, &search.nodes, queue, &node):
            search.bound = search.score
            return
        queue = kernel.expanded >> search.estimates.phase & 1
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
    """What nodes and queues take."""
    return store_bytes(&search.nodes) + queue_bytes(&search.queues)


cdef void free_class_search(ClassSearch* search) noexcept nogil:
    """Give the memory back."""
    free_store(&search.nodes)
    free_queues(&search.queues)


cdef inline void store_root(ClassSearch* search) noexcept nogil:
    """Store the first state and put it into the queues."""
    cdef uint64_t hashed = hash_of(&search.root), place
    find_class(&search.nodes, &search.root, hashed, &place)
    add_class(&search.nodes, &search.root, hashed, place, 0)
    push_all(search, 0, search.position.score, search.position.face_down, search.position.waste_size,
             search.position.turned, search.position.empty, search.position.out)


cdef inline bint expand(ClassSearch* search, Kernel kernel, uint32_t parent) noexcept nogil:
    """Store the successors of ``position``; false if memory runs out."""
    cdef int count = successors(search.layout, &search.position, search.codes), i = 0, j, n
    cdef uint64_t place
    cdef Child* child
    if count == TOO_MANY:
        search.has_overflowed = True
        kernel.reason = MEMORY
        return False
    while i < count:
        n = count - i if count - i < BATCH else BATCH
        for j in range(n):
            child = &search.children[j]
            perform(search.layout, &search.position, search.codes[i + j], child)
            if IS_CHECKED:
                check_child(search.layout, child)
            search.hashes[j] = hash_of(&child.key)
            prefetch_slot(&search.nodes, search.hashes[j])
        if search.nodes.count > NEAR:
            for j in range(n):
                prefetch_class(&search.nodes, search.hashes[j])
        for j in range(n):
            child = &search.children[j]
            if not has_room_for_state(search):
                kernel.reason = MEMORY
                return False
            if find_class(&search.nodes, &child.key, search.hashes[j], &place):
                continue
            if search.nodes.count >= search.large and is_without_hope(search, &child.key):
                continue
            add_class(&search.nodes, &child.key, search.hashes[j], place, parent)
            if search.nodes.count <= EARLY:
                search.early_codes[search.nodes.count - 1] = search.codes[i + j]
            enqueue(search, child)
        i += n
    kernel.generated += count
    return True


cdef inline bint has_room_for_state(ClassSearch* search) noexcept nogil:
    """Have room for one more state; false if memory does not allow it."""
    if not has_room(&search.nodes) and not make_room_for_node(&search.nodes):
        return False
    return has_blocks(&search.queues) or make_room_in_queues(&search.queues, &search.nodes)


cdef inline bint is_without_hope(ClassSearch* search, const ClassKey* key) noexcept nogil:
    """Whether a state cannot surpass the score found."""
    unpack(search.layout, key, &search.met)
    return upper_bound(search.layout, &search.met, search.score) <= search.score


cdef inline void enqueue(ClassSearch* search, const Child* child) noexcept nogil:
    """The last node is new."""
    cdef uint32_t node = search.nodes.count - 1
    if child.score > search.score:
        search.score = child.score
        search.best = node
        search.asked = max(search.large, <uint64_t>search.nodes.count)
    push_all(search, node, child.score, child.face_down, child.waste_size, turned_of(&child.key), child.empty,
             child.out)


cdef inline void push_all(
    ClassSearch* search, uint32_t node, int score, int face_down, int waste, int turned, int empty, int out
) noexcept nogil:
    """Put a node into each queue."""
    cdef int queue
    for queue in range(QUEUES):
        push(&search.queues, queue, node,
             estimate_of(&search.estimates, queue, score, face_down, waste, turned, empty, out))


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
