"""Best-first search for the greatest score without jokers.

It is that of `kernel`, on states of 64 bits and with one queue. A state that has safe moves to the
foundations is not expanded: they are made one after the other, and what they lead to takes its place.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport MEMORY, Kernel, may_expand, may_pass
from ..core.node_store cimport has_room, make_room_for_node
from .klondike_bound cimport klondike_bound
from .klondike_moves cimport Step, find_safe, write_steps
from .klondike_nodes cimport (
    BUCKETS, NOTHING_LEFT, KlondikeNodes, add_key, add_node, best_bucket, node_at, pop, prefetch, push,
    reset_klondike,
)
from .klondike_state cimport unpack_klondike

cdef enum:
    FIRST_BUCKET = BUCKETS // 2     # of the first state: no other is further from it in the estimate

cdef enum Closing:
    CLOSED = 0
    KNOWN = 1
    FULL = 2


cdef void search_klondike(Klondike* search, Kernel kernel, uint64_t max_bytes) noexcept nogil:
    """Look for the greatest score from ``root``, with ``kernel`` counting states, and noting the limit that
    ends the search early."""
    cdef KlondikeNodes* nodes = &search.nodes
    cdef int bucket, closing
    cdef uint32_t node, passed = 0
    search.best = 0
    unpack_klondike(&search.layout, search.root, &search.position)
    search.score = search.position.score
    search.bound = klondike_bound(&search.layout, &search.position, search.layout.places)
    if not reset_klondike(nodes, max_bytes):
        kernel.reason = MEMORY
        return
    add_key(nodes, search.root)
    push(nodes, add_node(nodes, search.root, 0, 0), FIRST_BUCKET)
    while search.score < search.bound:
        bucket = best_bucket(nodes)
        if bucket == NOTHING_LEFT:
            search.bound = search.score
            return
        node = pop(nodes, bucket)
        closing = close(search, &node, &bucket)
        if closing == FULL:
            kernel.reason = MEMORY
            return
        if closing == KNOWN or klondike_bound(&search.layout, &search.position, search.score) <= search.score:
            if not may_pass(kernel, &passed):
                return
            continue
        passed = 0
        if not may_expand(kernel) or not expand(search, kernel, node, bucket):
            return


cdef inline Closing close(Klondike* search, uint32_t* node, int* bucket) noexcept nogil:
    """Unpack a node, after its safe moves: it becomes the node after these, its bucket too. KNOWN if that is
    known already, FULL if memory runs out."""
    cdef Step step
    cdef KlondikeNodes* nodes = &search.nodes
    unpack_klondike(&search.layout, node_at(nodes, node[0]).key, &search.position)
    while find_safe(&search.layout, &search.position, &search.gains, &step):
        if not has_room(&nodes.store) and not make_room_for_node(&nodes.store):
            return FULL
        if not add_key(nodes, step.key):
            return KNOWN
        node[0] = add_node(nodes, step.key, node[0], step.code)
        bucket[0] += step.gain
        note_score(search, step.score, node[0])
        unpack_klondike(&search.layout, step.key, &search.position)
    return CLOSED


cdef inline void note_score(Klondike* search, int score, uint32_t node) noexcept nogil:
    """Keep the node of the greatest score."""
    if score > search.score:
        search.score = score
        search.best = node


cdef inline bint expand(Klondike* search, Kernel kernel, uint32_t parent, int bucket) noexcept nogil:
    """Store the successors of ``position``; false if memory runs out."""
    cdef KlondikeNodes* nodes = &search.nodes
    cdef int count = write_steps(&search.layout, &search.position, &search.gains, search.steps), i
    cdef uint32_t node
    cdef Step* step
    for i in range(count):
        prefetch(nodes, search.steps[i].key)
    for i in range(count):
        step = &search.steps[i]
        if not has_room(&nodes.store) and not make_room_for_node(&nodes.store):
            kernel.reason = MEMORY
            return False
        if add_key(nodes, step.key):
            node = add_node(nodes, step.key, parent, step.code)
            push(nodes, node, bucket + step.gain)
            note_score(search, step.score, node)
    kernel.generated += count
    return True


cdef int codes_to_best(const Klondike* search, uint32_t* codes) noexcept nogil:
    """Write the macros that lead to the best node, return their number: a few for each card at most."""
    cdef uint32_t node = search.best
    cdef int count = 0, i
    while node:
        count += 1
        node = node_at(&search.nodes, node).parent
    node = search.best
    for i in range(count - 1, -1, -1):
        codes[i] = node_at(&search.nodes, node).code
        node = node_at(&search.nodes, node).parent
    return count
