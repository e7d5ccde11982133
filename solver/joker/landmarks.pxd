"""Exact positions of one-pass Klondike and their landmarks; see landmarks.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ..core.memory cimport more_room
from .cards cimport CLUBS, MAX_COLUMNS
from .plain cimport PlainGame

cdef enum:
    NATURALS = 52
    MOST_MACROS = 192   # of a position: 4 up, 2 of each column, 3 of each card of the waste and the stock

cdef struct ExactKey:
    uint64_t piles      # |63 turned 58| dealt cards left in each column, last first | waste, slots 0|
    uint64_t cards      # |63 heights 48|47 of each card that lies on another: on which of two 0|

cdef struct ExactLayout:  # what is constant from the start on
    int ranks
    int goal            # the score to reach
    bint is_full        # which is all places
    int columns
    int slots           # the waste at the start, then the stock
    int suits           # a bit each
    uint64_t deck       # all cards of it
    uint64_t present    # those in the columns, the waste and the stock
    uint64_t top_rank   # cards that may lie in an empty column
    uint8_t slot_card[NATURALS]
    uint64_t slots_from[NATURALS + 1]           # the cards of the slots from one on
    uint64_t cards_in[13][16]                   # the cards of every choice of four slots each
    uint8_t dealt[MAX_COLUMNS][NATURALS]        # the face-down cards, and the card that lies on the last one
    uint64_t dealt_below[MAX_COLUMNS][NATURALS + 1]     # the first of them
    uint8_t shift[MAX_COLUMNS]                  # of the field of a column, and its mask
    uint8_t mask[MAX_COLUMNS]
    uint8_t column_of[NATURALS]                 # of the dealt cards

cdef struct ExactPosition:  # a key taken apart
    ExactKey key
    int turned          # slots that are no more in the stock
    uint64_t waste      # slots that hold a card
    int top             # the slot on top of the waste, or -1
    uint64_t up         # cards on the foundations
    uint64_t face       # face up in columns
    uint64_t bases      # of them those in their dealt places, each the deepest of its column
    uint64_t runs       # of them those that lie on a face-up card
    uint64_t second     # of these those that lie on the second of the two cards that may carry them
    uint64_t covered    # cards with a card on them
    int empty           # columns
    uint8_t left[MAX_COLUMNS]   # dealt cards

cdef void open_layout(ExactLayout* layout, ExactKey* key, const PlainGame* game, int goal) noexcept nogil
cdef void take_apart(const ExactLayout* layout, const ExactKey* key, ExactPosition* position) noexcept nogil
cdef int macros_of(const ExactLayout* layout, const ExactPosition* position, uint32_t* codes) noexcept nogil
cdef int perform(const ExactLayout* layout, const ExactPosition* position, uint32_t code,
                 ExactKey* child) noexcept nogil
cdef int raise_safe(const ExactLayout* layout, ExactKey* key, ExactPosition* position,
                    uint8_t* raised) noexcept nogil

cdef inline int height_in(const ExactKey* key, int suit) noexcept nogil:
    """The places filled of a foundation."""
    return key.cards >> (48 + 4 * suit) & 15

cdef inline int score_in(const ExactKey* key) noexcept nogil:
    """The places filled of all."""
    return height_in(key, 0) + height_in(key, 1) + height_in(key, 2) + height_in(key, 3)

cdef inline int turned_in(const ExactKey* key) noexcept nogil:
    """The slots that are no more in the stock."""
    return key.piles >> 58

cdef inline uint64_t carried(uint64_t cards, uint64_t second) noexcept nogil:
    """The cards that lie on one of ``cards``, where ``second`` tells of any card on which of two."""
    return (
        ((cards & CLUBS) >> 4) * 6 & ~second | ((cards >> 3 & CLUBS) >> 4) * 6 & second
        | ((cards >> 1 & CLUBS) >> 4) * 9 & ~second | ((cards >> 2 & CLUBS) >> 4) * 9 & second
    )

cdef enum:
    NEVER = 255         # no number of turns

cdef bint relaxed_wins(const ExactLayout* layout, const ExactPosition* p, uint64_t free,
                       uint64_t* touched) noexcept nogil
cdef uint64_t landmark_among(const ExactLayout* layout, const ExactPosition* p, uint64_t cards) noexcept nogil
cdef int least_turns(const ExactLayout* layout, const ExactPosition* p) noexcept nogil

cdef enum:
    MOST_LANDMARKS = 52     # of a position

cdef struct Pool:           # landmarks of positions, one after the other
    uint64_t* cards
    uint64_t count, room

cdef inline bint keep_landmarks(Pool* pool, const uint64_t* landmarks, int count,
                                uint64_t spare) noexcept nogil:
    """Append landmarks, where so many more bytes may be taken; false if memory runs out."""
    cdef uint64_t most = min(spare + pool.room * sizeof(uint64_t), <uint64_t>1 << 35)
    if pool.count + MOST_LANDMARKS > pool.room and not more_room(
            &pool.cards, &pool.room, 4096, sizeof(uint64_t), most):
        return False
    memcpy(pool.cards + pool.count, landmarks, count * sizeof(uint64_t))
    pool.count += count
    return True
