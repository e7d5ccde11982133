# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
from libc.stdint cimport uint8_t, uint64_t

from .simon_board cimport Board

cdef extern from *:
    int __builtin_ctzll(unsigned long long) noexcept nogil
    int __builtin_popcountll(unsigned long long) noexcept nogil


cdef int least_moves(const Board* board) noexcept nogil:
    cdef uint64_t waits[56]
    cdef uint64_t above, heads = 0, stuck = 0, todo, kings = 0, suit = 0x1111111111111
    cdef uint64_t left, pair
    cdef int column, i, card, king = 4 * (board.ranks - 1), bound, other
    cdef const uint8_t* cards
    for column in range(board.columns):
        cards = board.card[column]
        above = 0
        i = board.size[column] - 1
        while i >= 0:
            card = cards[i]
            waits[card] = above
            if card >= king:
                if i > 0:
                    kings |= <uint64_t>1 << card
                    above |= <uint64_t>1 << card
            elif i == 0 or cards[i - 1] != card + 4:
                heads |= <uint64_t>1 << card
                above |= <uint64_t>1 << card
            i -= 1
    bound = __builtin_popcountll(heads)
    stuck = heads | kings
    todo = heads
    while todo:
        card = __builtin_ctzll(todo)
        todo &= todo - 1
        waits[card] |= waits[card + 4]
        if waits[card] >> card & 1:
            bound += 1
            stuck &= ~(<uint64_t>1 << card)
    todo = kings
    while todo:
        card = __builtin_ctzll(todo)
        todo &= todo - 1
        waits[card] |= heads & (suit << (card & 3))
    while True:
        stuck = prune(waits, stuck)
        if stuck == 0:
            return bound
        bound += 1
        stuck &= ~find_cycle(waits, stuck)


cdef inline uint64_t prune(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    cdef uint64_t todo = stuck, before = 0
    cdef int card
    while stuck != before:
        before = stuck
        todo = stuck
        while todo:
            card = __builtin_ctzll(todo)
            todo &= todo - 1
            if waits[card] & stuck == 0:
                stuck &= ~(<uint64_t>1 << card)
    return stuck


cdef uint64_t find_cycle(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    """A shortest cycle; every stuck card waits for another."""
    cdef uint64_t todo, reached, frontier, next_frontier, best = 0
    cdef uint64_t layer[56]
    cdef int card, other, i, depth, best_depth = 100
    todo = stuck
    while todo:
        card = __builtin_ctzll(todo)
        todo &= todo - 1
        frontier = waits[card] & stuck
        while frontier:
            other = __builtin_ctzll(frontier)
            frontier &= frontier - 1
            if waits[other] >> card & 1:
                return <uint64_t>1 << card | <uint64_t>1 << other
    todo = stuck
    while todo:
        card = __builtin_ctzll(todo)
        todo &= todo - 1
        layer[0] = frontier = reached = waits[card] & stuck
        depth = 0
        while frontier and not reached >> card & 1 and depth < best_depth - 1:
            next_frontier = 0
            while frontier:
                other = __builtin_ctzll(frontier)
                frontier &= frontier - 1
                next_frontier |= waits[other]
            next_frontier &= stuck & ~reached
            depth += 1
            layer[depth] = frontier = next_frontier
            reached |= frontier
        if reached >> card & 1 and depth < best_depth:
            best_depth = depth
            best = <uint64_t>1 << card
            other = card
            while depth > 0:
                depth -= 1
                frontier = layer[depth]
                while True:
                    i = __builtin_ctzll(frontier)
                    frontier &= frontier - 1
                    if waits[i] >> other & 1:
                        other = i
                        break
                best |= <uint64_t>1 << other
    return best
