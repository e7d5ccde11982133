"""Bucket queues of the states met: stacks of their numbers, in blocks that are taken from one array.

A node is in every queue. The first one gives it out, the others leave it where it is, and drop it when they
come to it. When there is no block left and more than half of the entries are of nodes that were given out,
these are swept out, otherwise there are half as many blocks more.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport prefetch_at
from ..core.memory cimport resize
from ..core.node_store cimport NodeStore, store_bytes
from .class_nodes cimport TAKEN, class_at

cdef enum:
    ENOUGH = 4              # with one in so many blocks left after a sweep there need be no more;
    LITTLE = 16             # with less than one in so many, and no memory for more, the search ends
    MOST_BLOCKS = 0xFFFFFFF


cdef bint reset_queues(Queues* queues, NodeStore* store, uint32_t blocks) noexcept nogil:
    """Empty the queues, and have so many blocks, at the expense of the store; false if memory does not allow
    that."""
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


cdef void free_queues(Queues* queues) noexcept nogil:
    """Give the memory back."""
    free(queues.words)
    queues.words = NULL
    queues.blocks = 0


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
