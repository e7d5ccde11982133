"""Information sets of the Joker player; see joker_views.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from ..core.dealer cimport SplitMix, draw
from ..core.desk cimport Desk
from ..joker.cards cimport MOST
from ..joker.position cimport Position

cdef enum:
    COLUMNS = 7
    UNSEEN = 63             # in the place of a card that nobody has seen

cdef void hide(const Position* truth, Position* seen) noexcept nogil
cdef uint64_t hash_of(const Position* p) noexcept nogil
cdef int unturned_of(const Position* p, uint8_t* cards) noexcept nogil
cdef int unseen_of(const Position* p, uint8_t* cards) noexcept nogil
cdef void sample(Position* p, const uint8_t* cards, int count, SplitMix* chance) noexcept nogil
cdef void deal(Position* truth, const Desk* dealt) noexcept nogil
cdef void load(Position* p, view) except *

cdef inline uint64_t mixed(uint64_t sum, uint64_t value) noexcept nogil:
    sum = (sum ^ value) * <uint64_t>0x9DDFEA08EB382D69
    return sum ^ (sum >> 32)

cdef inline void shuffle(uint8_t* cards, int count, SplitMix* chance) noexcept nogil:
    cdef int i, j
    cdef uint8_t card
    for i in range(count - 1, 0, -1):
        j = (draw(chance) >> 32) * (i + 1) >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
