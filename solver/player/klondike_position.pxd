"""Information sets of Klondike with redeals, and their moves; see klondike_position.pyx."""

from libc.stdint cimport uint64_t, uint8_t

from ..core.dealer cimport SplitMix
from ..klondike.line cimport Line
from ..klondike.position cimport Position
from ..klondike.state cimport CARDS, COLUMNS, ClassPosition, Layout
from .joker_moves cimport Choice

cdef struct Seen:           # what a person sees, and nothing else
    Position desk               # UNSEEN where cards are not seen

cdef struct World:          # what a person sees, and an order of the rest
    Layout layout
    uint64_t root           # the key of what is seen
    int waste               # at the root,
    int redeals             # and before it
    uint64_t unseen_slots   # of the root, those whose cards are not seen
    int hidden[COLUMNS]     # face-down cards at the root,
    uint64_t unseen_rows[COLUMNS]       # and those of them that are not seen
    uint8_t unseen[CARDS]   # those places of cards that are not seen, ascending
    int unseen_count

cdef void hide(const Position* truth, int known, Seen* seen) noexcept nogil
cdef int known_after(const Position* before, int known, const Position* after) noexcept nogil
cdef uint64_t unseen_slots(const Position* desk) noexcept nogil
cdef void load_view(Seen* seen, view) except *
cdef bint open_world(World* world, const Seen* seen) noexcept nogil
cdef void shuffle_world(World* world, SplitMix* chance) noexcept nogil
cdef uint64_t hash_of(const World* world, const ClassPosition* p) noexcept nogil

# --- Moves -----------------------------------------------------------------------------------------------

cdef enum:
    DRAW = 5            # a kind of choice beside those of `klondike.state`: a draw of cards not seen
    MOST_KLONDIKE_CHOICES = 96

# A `Choice` holds here: its kind; the place of its card as source; and, where a card comes back from a
# foundation for another move, kind and card of that as rank and target, else -1.

cdef enum:              # the terms of a score, in the order of WEIGHT
    UP_BASE, UP_RANK, UP_TURNS, UP_EMPTIES, UP_EMPTIES_WANTED, UP_HOST
    LAND_TURNS, LAND_RANK, LAND_HIDDEN, LAND_EMPTIES, LAND_EMPTIES_WANTED
    SLOT_UP, SLOT_UP_RANK, SLOT_UP_HOST
    SLOT_LANDS, SLOT_RANK, SLOT_ENABLES, SLOT_KING_WANTED, SLOT_TIGHT
    BACK, DRAWS, PASSES
    OPEN_SLOTS, OPEN_TURNS, OPEN_UPS
    TERMS

cdef int choices_of(const World* world, const ClassPosition* p, Choice* choices) noexcept nogil
cdef uint64_t key_after(const World* world, const ClassPosition* p, const Choice* choice) noexcept nogil
cdef int safe_choice(const World* world, const ClassPosition* p) noexcept nogil
cdef void follow_choice(Line* line, Position* desk, const Choice* choice) noexcept nogil
