"""Beam search for short lines.

A layer holds the positions that so many moves led to; a step of several moves goes as many layers on. Of
each layer the positions of least score are kept and expanded: those with the least bound of the moves left,
without landmarks, plus a part for each card of the stock and the waste, plus a part that is random but the
same in each run. What cannot be part of a line shorter than the best one known is dropped.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport count_bits, hash_words
from ..core.kernel cimport MEMORY, may_expand
from ..core.memory cimport more_room, resize
from ..core.nodes cimport NO_NODE, add_node, find_slot, free_nodes, nodes_bytes, note_way, reset_nodes
from .exact cimport SLOTS_AT, Step, cards_left, columns_bound, find_steps, stock_bound, unpack_exact

cdef enum:
    MOST_SCORES = 8192
    PER_MOVE = 16           # of a score
    PER_CARD = 6            # of the stock and the waste
    RANDOM_MASK = 7


cdef void free_beam(Beam* beam) noexcept nogil:
    cdef int i
    free_nodes(&beam.nodes)
    free(beam.seen)
    beam.seen = NULL
    beam.seen_capacity = 0
    for i in range(LAYERS):
        free(beam.layers[i].candidates)
        memset(&beam.layers[i], 0, sizeof(Layer))


cdef uint64_t beam_bytes(const Beam* beam) noexcept nogil:
    cdef uint64_t size = nodes_bytes(&beam.nodes) + beam.seen_capacity * sizeof(uint32_t)
    cdef int i
    for i in range(LAYERS):
        size += beam.layers[i].capacity * sizeof(Candidate)
    return size


cdef inline uint16_t score_of(const Beam* beam, const Candidate* candidate) noexcept nogil:
    """Return the score of a candidate."""
    cdef uint64_t slots = candidate.low >> SLOTS_AT & ((<uint64_t>1 << beam.start.slots) - 1)
    return (
        PER_MOVE * candidate.needed + PER_CARD * count_bits(slots)
        + (hash_words(candidate.low + beam.width, candidate.high) >> 40 & RANDOM_MASK)
    )


cdef bint choose(Layer* layer, uint64_t most) noexcept nogil:
    """Keep so many candidates of least score, the first of equal ones, in their order; true if all are."""
    cdef uint64_t i, kept = 0, left = most
    cdef uint64_t counts[MOST_SCORES]
    cdef int score = 0
    if layer.count <= most:
        return True
    memset(counts, 0, sizeof(counts))
    for i in range(layer.count):
        counts[layer.candidates[i].score] += 1
    while counts[score] <= left:
        left -= counts[score]
        score += 1
    for i in range(layer.count):
        if layer.candidates[i].score == score:
            if left == 0:
                continue
            left -= 1
        elif layer.candidates[i].score > score:
            continue
        layer.candidates[kept] = layer.candidates[i]
        kept += 1
    layer.count = kept
    return False


cdef bint drop_known(Beam* beam, Layer* layer, uint32_t moves) noexcept nogil:
    """Drop what is there twice, what was kept with fewer moves, and what takes too many; false if memory runs
    out."""
    cdef uint64_t i, kept = 0, mask = 1, slot
    cdef Candidate* one
    cdef const Candidate* other
    while mask < 2 * layer.count:
        mask *= 2
    if mask > beam.seen_capacity:
        if not resize(&beam.seen, mask, sizeof(uint32_t)):
            return False
        beam.seen_capacity = mask
    memset(beam.seen, 0, mask * sizeof(uint32_t))
    mask -= 1
    for i in range(layer.count):
        one = &layer.candidates[i]
        if moves + one.needed >= beam.fewest or find_slot(&beam.nodes, one.low, one.high)[0] != 0:
            continue
        slot = hash_words(one.low, one.high) & mask
        while beam.seen[slot] != 0:
            other = &layer.candidates[beam.seen[slot] - 1]
            if other.low == one.low and other.high == one.high:
                break
            slot = (slot + 1) & mask
        if beam.seen[slot] != 0:
            continue
        layer.candidates[kept] = one[0]
        kept += 1
        beam.seen[slot] = kept
    layer.count = kept
    return True


cdef bint add_candidate(Beam* beam, const Step* step, uint32_t parent, int needed) noexcept nogil:
    """Add a step to its layer; false if memory runs out."""
    cdef Layer* layer = &beam.layers[step.moves % LAYERS]
    cdef Candidate* one
    if layer.count == layer.capacity:
        layer.capacity = more_room(
            &layer.candidates, layer.capacity, 256, sizeof(Candidate), <uint64_t>1 << 40)
        if layer.capacity == 0:
            return False
    one = &layer.candidates[layer.count]
    one.low = step.low
    one.high = step.high
    one.parent = parent
    one.code = step.code
    one.needed = needed
    one.score = score_of(beam, one)
    layer.count += 1
    return True


cdef bint expand(Beam* beam, Kernel kernel, const Candidate* one, uint32_t moves) noexcept nogil:
    """Keep a candidate and add the steps from it; false if memory runs out."""
    cdef const ExactPosition* t = beam.table
    cdef uint32_t number = add_node(
        &beam.nodes, find_slot(&beam.nodes, one.low, one.high), one.low, one.high), last
    cdef const Step* step
    cdef Step here
    cdef int i, needed
    if number == NO_NODE:
        return False
    note_way(&beam.nodes.nodes[number], one.parent, moves, one.code)
    unpack_exact(beam.start, beam.table, one.low, one.high)
    here = Step(one.low, one.high, moves, cards_left(beam.start, t),
                stock_bound(beam.start, t, t.count, t.waste, t.redeals), columns_bound(beam.start, t), 0)
    find_steps(beam.steps, beam.start, t, &here)
    kernel.generated += beam.steps.count
    for i in range(beam.steps.count):
        step = &beam.steps.step[i]
        needed = max(step.left + step.stock + step.columns, one.needed + <int>moves - step.moves)
        if step.moves + needed >= <int>beam.fewest:
            continue
        if step.left > 0:
            if not add_candidate(beam, step, number, needed):
                return False
            continue
        last = add_node(&beam.nodes, find_slot(&beam.nodes, step.low, step.high), step.low, step.high)
        if last == NO_NODE:
            return False
        note_way(&beam.nodes.nodes[last], number, step.moves, step.code)
        beam.fewest = step.moves
        beam.won = last
    return True


cdef bint run_beam(Beam* beam, Kernel kernel, uint64_t low, uint64_t high, uint32_t width,
                   uint64_t max_bytes) noexcept nogil:
    """Search for a line of fewer than ``fewest`` moves from a position; false, with the reason noted, if a
    limit ended it.

    ``won`` is the end of a line found, or NO_NODE, and ``fewest`` the number of its moves.
    """
    cdef Step first = Step(low, high, 0, 0, 0, 0, 0)
    cdef Layer* layer
    cdef uint32_t moves = 0, i, empty = 0
    free_beam(beam)
    beam.width = width
    beam.won = NO_NODE
    beam.is_complete = True
    if not reset_nodes(&beam.nodes, 1, 1, max_bytes) or not add_candidate(beam, &first, NO_NODE, 0):
        kernel.reason = MEMORY
        return False
    while moves < beam.fewest and empty < LAYERS:
        layer = &beam.layers[moves % LAYERS]
        empty = 0 if layer.count > 0 else empty + 1
        if not drop_known(beam, layer, moves):
            kernel.reason = MEMORY
            return False
        if not choose(layer, width):
            beam.is_complete = False
        for i in range(layer.count):
            if not may_expand(kernel):
                return False
            if not expand(beam, kernel, &layer.candidates[i], moves):
                kernel.reason = MEMORY
                return False
        layer.count = 0
        moves += 1
    return True
