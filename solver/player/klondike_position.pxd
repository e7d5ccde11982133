"""Information sets of Klondike with redeals, and determinizations; see klondike_position.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from ..klondike.line cimport Desk
from ..klondike.state cimport CARDS, COLUMNS, Layout, Position
from .joker_position cimport SplitMix

cdef enum:
    UNSEEN = 63             # in the place of a card that nobody has seen

cdef struct Seen:           # what a person sees, and nothing else
    Desk desk               # UNSEEN where cards are not seen
    int known               # of the waste and the stock so many have been seen

cdef struct World:          # what a person sees, and an order of the rest
    Layout layout
    uint64_t root           # the key of what is seen
    int slots               # at the root,
    int known               # and those of them that have been seen
    int hidden[COLUMNS]     # face-down cards at the root
    uint8_t unseen[CARDS]   # those places of cards that are not seen, ascending
    int unseen_count

cdef void hide(const Desk* truth, int known, Seen* seen) noexcept nogil
cdef int known_after(const Desk* before, int known, const Desk* after) noexcept nogil
cdef void load_view(Seen* seen, view) except *
cdef bint open_world(World* world, const Seen* seen) noexcept nogil
cdef void shuffle_world(World* world, SplitMix* chance) noexcept nogil
cdef int turned_in(const World* world, const Position* p) noexcept nogil
cdef uint64_t unseen_in(const World* world, const Position* p) noexcept nogil
cdef uint64_t key_drawn(const World* world, const Position* p) noexcept nogil
cdef uint64_t hash_of(const World* world, const Position* p) noexcept nogil
