"""Sets of cards that meet all cores of a pool, as few as can be: the wasteful cards that there may be.

A card counts once, an attached one twice. A search by depth takes the cards of a core that has few left one
after the other, and those it has tried no more. It turns back where cores without a card in common count more
than is left.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.bits cimport count_bits, lowest_bit

cdef enum:
    MOST_TRIED = 2000       # cards; then there is taken to be a set
    MANY = 4                # cards of a core


cdef void begin_pool(Pool* pool) noexcept nogil:
    """No cores."""
    pool.count = 0
    memset(pool.hits, 0, sizeof(pool.hits))


cdef bint add_core(Pool* pool, uint64_t core) noexcept nogil:
    """Add a core; false if there is no room for it."""
    cdef uint64_t bit = <uint64_t>1 << pool.count
    if pool.count == MOST_CORES:
        return False
    pool.core[pool.count] = core
    pool.count += 1
    while core:
        pool.hits[lowest_bit(core)] |= bit
        core &= core - 1
    return True


cdef void remove_last(Pool* pool) noexcept nogil:
    """Take the core out that came last."""
    cdef uint64_t core
    pool.count -= 1
    core = pool.core[pool.count]
    while core:
        pool.hits[lowest_bit(core)] &= ~(<uint64_t>1 << pool.count)
        core &= core - 1


cdef bint meet(Meeting* meeting, uint64_t cores, uint64_t allowed, int most) noexcept nogil:
    """Whether a set of ``allowed`` cards that counts ``most`` at most meets the ``cores``: ``chosen``."""
    cdef const Pool* pool = meeting.pool
    cdef uint64_t todo = cores, taken = 0, cards, choice = 0
    cdef int least = 0, size, smallest = MANY + 1, card, weight
    if cores == 0:
        return True
    while todo:
        cards = pool.core[lowest_bit(todo)] & allowed
        todo &= todo - 1
        if cards == 0:
            return False
        if cards & taken == 0:
            taken |= cards
            least += 1 + (cards & ~meeting.attached == 0)
            if least > most:
                return False
        size = size_of(cards)
        if size < smallest:
            smallest = size
            choice = cards
    meeting.tried += 1
    if meeting.tried > MOST_TRIED:
        return True
    while choice:
        card = best_of(meeting, choice, cores)
        choice ^= <uint64_t>1 << card
        allowed ^= <uint64_t>1 << card
        weight = 1 + (meeting.attached >> card & 1)
        if weight <= most and meet(meeting, cores & ~pool.hits[card], allowed, most - weight):
            meeting.chosen |= <uint64_t>1 << card
            return True
    return False


cdef inline int size_of(uint64_t cards) noexcept nogil:
    """How many cards there are, up to `MANY`; there is one."""
    cdef int size = 1
    cards &= cards - 1
    while cards and size < MANY:
        cards &= cards - 1
        size += 1
    return size


cdef inline int best_of(const Meeting* meeting, uint64_t cards, uint64_t cores) noexcept nogil:
    """The card that is in most ``cores`` for what it counts."""
    cdef int card, best = lowest_bit(cards), hits, most = 0
    if cards & (cards - 1) == 0:
        return best
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        hits = count_bits(meeting.pool.hits[card] & cores) << (1 - (meeting.attached >> card & 1))
        if hits > most:
            most = hits
            best = card
    return best
