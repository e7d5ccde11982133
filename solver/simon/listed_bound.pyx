"""A plain lower bound on the moves that win a position of one deck, for certificates of fewest moves.

docs/certificates.md tells it (*bound* of the Simon family), Theorem S8 proves it, and the checker works it
out by that page: heads, those that wait for themselves, and cycles of cards that wait for each other, of the
shortest the one that comes first. No card may be there twice.
"""

from libc.stdint cimport uint8_t, uint64_t

from ..core.bits cimport count_bits, lowest_bit
from .capacity cimport KINDS
from .position cimport Position

cdef uint64_t SUIT = 0x1111111111111        # the cards of the first suit


cdef int listed_bound(const Position* position) noexcept nogil:
    """No line wins in fewer moves."""
    cdef uint64_t waits[KINDS]
    cdef uint64_t heads = 0, kings = 0, stuck, todo
    cdef int card, bound
    lie_above(position, waits, &heads, &kings)
    bound = count_bits(heads)
    stuck = heads | kings
    todo = heads
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        waits[card] |= waits[card + 4]
        if waits[card] >> card & 1:
            bound += 1
            stuck &= ~(<uint64_t>1 << card)
    todo = kings
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        waits[card] |= heads & (SUIT << (card & 3))
    while True:
        stuck = less_free(waits, stuck)
        if stuck == 0:
            return bound
        bound += 1
        stuck &= ~shortest_cycle(waits, stuck)


cdef inline void lie_above(
    const Position* position, uint64_t* waits, uint64_t* heads, uint64_t* kings
) noexcept nogil:
    """The heads, the kings with cards below, and which of them lie above each card in its column."""
    cdef const uint8_t* cards
    cdef int column, i, card
    cdef uint64_t above
    for column in range(position.columns):
        cards = position.card[column]
        above = 0
        for i in range(position.size[column] - 1, -1, -1):
            card = cards[i]
            waits[card] = above
            if card >> 2 == position.ranks - 1:
                if i > 0:
                    kings[0] |= <uint64_t>1 << card
                    above |= <uint64_t>1 << card
            elif i == 0 or cards[i - 1] != card + 4:
                heads[0] |= <uint64_t>1 << card
                above |= <uint64_t>1 << card


cdef inline uint64_t less_free(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    """``stuck`` without all that need not wait for ever."""
    cdef uint64_t todo, before = 0
    cdef int card
    while stuck != before:
        before = todo = stuck
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            if waits[card] & stuck == 0:
                stuck &= ~(<uint64_t>1 << card)
    return stuck


cdef uint64_t shortest_cycle(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    """A shortest cycle; all that are stuck wait for others that are, none for itself."""
    cdef uint64_t todo = stuck, others, cycle, best = 0
    cdef int card, other, length = KINDS + 1
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        others = waits[card] & stuck
        while others:
            other = lowest_bit(others)
            others &= others - 1
            if waits[other] >> card & 1:
                return <uint64_t>1 << card | <uint64_t>1 << other
    todo = stuck
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        cycle = cycle_through(waits, stuck, card, &length)
        if cycle:
            best = cycle
            if length == 3:
                break
    return best


cdef uint64_t cycle_through(const uint64_t* waits, uint64_t stuck, int start, int* length) noexcept nogil:
    """A cycle through a card, of less than ``length`` cards, which it makes its own; 0 if there is none."""
    cdef uint64_t layer[KINDS + 1]
    cdef uint64_t reached, frontier, cycle = <uint64_t>1 << start
    cdef int depth = 0, card, next_one = start
    layer[0] = reached = waits[start] & stuck
    while not reached >> start & 1:
        if layer[depth] == 0 or depth + 2 >= length[0]:
            return 0
        frontier = layer[depth]
        depth += 1
        layer[depth] = 0
        while frontier:
            layer[depth] |= waits[lowest_bit(frontier)]
            frontier &= frontier - 1
        layer[depth] &= stuck & ~reached
        reached |= layer[depth]
    length[0] = depth + 1
    while depth > 0:
        depth -= 1
        frontier = layer[depth]
        card = lowest_bit(frontier)
        while not waits[card] >> next_one & 1:
            frontier &= frontier - 1
            card = lowest_bit(frontier)
        cycle |= <uint64_t>1 << card
        next_one = card
    return cycle
