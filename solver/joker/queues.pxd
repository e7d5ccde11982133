"""Bucket queues of the states met, the last that came into a bucket first; see queues.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..core.bits cimport prefetch_at
from ..core.node_store cimport NodeStore
from .class_nodes cimport TAKEN, ClassNode, class_at

cdef enum:
    BUCKETS = 2048
    MIDDLE = 1280           # the bucket of estimate 0
    QUEUES = 2
    BLOCK = 16              # words: where the block beneath ends, and numbers of nodes
    FIRST_BLOCKS = 1024
    SPARE = 2 * QUEUES      # blocks that must be left before a state is put into the queues

cdef struct Queues:
    uint32_t tops[QUEUES][BUCKETS]  # where the last node of a bucket is in ``words``, or 0
    int highest[QUEUES]             # no bucket above it has a node
    uint32_t* words         # in blocks; the first is of no bucket
    uint32_t blocks         # there are
    uint32_t used           # of them, some of which are free again
    uint32_t free           # the first of these, each with the next in it; or 0
    uint32_t left           # blocks that are free or were never used
    uint32_t taken          # nodes that were given out
    uint32_t sweeps         # that were made

cdef bint reset_queues(Queues* queues, NodeStore* store, uint32_t blocks) noexcept nogil
cdef void free_queues(Queues* queues) noexcept nogil
cdef bint make_room_in_queues(Queues* queues, NodeStore* store) noexcept nogil


cdef inline uint64_t queue_bytes(const Queues* queues) noexcept nogil:
    """What is allocated."""
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


cdef inline bint has_blocks(const Queues* queues) noexcept nogil:
    """Whether one more state can be put into the queues without more memory."""
    return queues.left >= SPARE


cdef inline void push(Queues* queues, int queue, uint32_t node, int estimate) noexcept nogil:
    """Put a node on top of the bucket of its estimate."""
    cdef int bucket = MIDDLE + estimate
    put_on(queues, &queues.tops[queue][bucket], node)
    if bucket > queues.highest[queue]:
        queues.highest[queue] = bucket


cdef inline bint pop(Queues* queues, const NodeStore* store, int queue, uint32_t* taken) noexcept nogil:
    """Take off the highest bucket the last node that was not taken before, and mark it so; false if there
    is none."""
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
