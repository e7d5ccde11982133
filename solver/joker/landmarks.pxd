"""Exact positions of one-pass Klondike and their landmarks; see landmarks.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ..core.memory cimport more_room
from .cards cimport CLUBS, MAX_COLUMNS
from .position cimport Position

cdef enum:
    NATURALS = 52
    MOST_MACROS = 192   # macros of a position: 4 up, 2 for each column, 3 for each card of waste and stock

cdef struct ExactKey:
    uint64_t piles      # |63 turned 58| dealt cards left in each column, last first | waste, slots 0|
    uint64_t cards      # |63 heights 48|47 for each card on a face-up card: on which of two it lies 0|

cdef struct ExactLayout:  # what is constant from the start on
    int ranks
    int goal            # the score to reach
    bint is_full        # ``goal`` is all places
    int columns
    int slots           # cards of the waste at the start, then of the stock
    int suits           # one bit for each suit of the deck
    uint64_t deck       # all cards of the deck
    uint64_t present    # cards in columns, waste and stock at the start
    uint64_t top_rank   # cards of the highest rank, which may go in an empty column
    uint8_t slot_card[NATURALS]
    uint64_t slots_from[NATURALS + 1]           # by slot: the cards of it and of the slots after it
    uint64_t cards_in[13][16]                   # the cards in each subset of four slots
    uint8_t dealt[MAX_COLUMNS][NATURALS]        # the face-down cards of each column, and the card on them
    uint64_t dealt_below[MAX_COLUMNS][NATURALS + 1]     # the set of the first 0, 1, ... of ``dealt``
    uint8_t shift[MAX_COLUMNS]                  # shift of the field of each column in ``piles``
    uint8_t mask[MAX_COLUMNS]                   # mask of that field
    uint8_t column_of[NATURALS]                 # column of each dealt card

cdef struct ExactPosition:  # an unpacked key
    ExactKey key
    int turned          # slots turned
    uint64_t waste      # slots of the waste that hold a card
    int top             # slot of the top of the waste, or -1
    uint64_t up         # cards on the foundations
    uint64_t face       # cards face up in columns
    uint64_t bases      # dealt cards that are the deepest face-up card of their column
    uint64_t runs       # face-up cards that lie on a face-up card
    uint64_t second     # of ``runs``, those on the second of the two cards that they fit, spades or hearts
    uint64_t covered    # face-up cards with a card on them
    int empty           # empty columns
    uint8_t left[MAX_COLUMNS]   # dealt cards left in each column

cdef void open_layout(ExactLayout* layout, ExactKey* key, const Position* game, int goal) noexcept nogil
cdef void take_apart(const ExactLayout* layout, const ExactKey* key, ExactPosition* position) noexcept nogil
cdef int macros_of(const ExactLayout* layout, const ExactPosition* position, uint32_t* codes) noexcept nogil
cdef int perform(const ExactLayout* layout, const ExactPosition* position, uint32_t code,
                 ExactKey* child) noexcept nogil
cdef int raise_safe(const ExactLayout* layout, ExactKey* key, ExactPosition* position,
                    uint8_t* raised) noexcept nogil

cdef inline int height_in(const ExactKey* key, int suit) noexcept nogil:
    """Return the number of cards on the foundation of ``suit``."""
    return key.cards >> (48 + 4 * suit) & 15

cdef inline int score_in(const ExactKey* key) noexcept nogil:
    """Return the number of cards on all foundations."""
    return height_in(key, 0) + height_in(key, 1) + height_in(key, 2) + height_in(key, 3)

cdef inline int turned_in(const ExactKey* key) noexcept nogil:
    """Return the number of stock slots turned onto the waste."""
    return key.piles >> 58

cdef inline uint64_t carried(uint64_t cards, uint64_t second) noexcept nogil:
    """Return the cards that lie on one of ``cards``, if a card lies on the second card that it fits (of
    spades or hearts) exactly if it is in ``second``."""
    return (
        ((cards & CLUBS) >> 4) * 6 & ~second | ((cards >> 3 & CLUBS) >> 4) * 6 & second
        | ((cards >> 1 & CLUBS) >> 4) * 9 & ~second | ((cards >> 2 & CLUBS) >> 4) * 9 & second
    )

cdef enum:
    NEVER = 255         # in place of a number of turns: the goal is out of reach

cdef bint relaxed_wins(const ExactLayout* layout, const ExactPosition* p, uint64_t free,
                       uint64_t* touched) noexcept nogil
cdef uint64_t landmark_among(const ExactLayout* layout, const ExactPosition* p, uint64_t cards) noexcept nogil
cdef int least_turns(const ExactLayout* layout, const ExactPosition* p) noexcept nogil

cdef enum:
    MOST_LANDMARKS = 52     # most landmarks of a position

cdef struct Pool:           # the landmarks of all positions, one after the other
    uint64_t* cards
    uint64_t count, room    # ``room`` is the capacity

cdef inline bint keep_landmarks(Pool* pool, const uint64_t* landmarks, int count,
                                uint64_t spare) noexcept nogil:
    """Append ``count`` landmarks, allocating at most ``spare`` more bytes. Returns False if memory runs
    out."""
    cdef uint64_t most = min(spare + pool.room * sizeof(uint64_t), <uint64_t>1 << 35)
    if pool.count + MOST_LANDMARKS > pool.room and not more_room(
            &pool.cards, &pool.room, 4096, sizeof(uint64_t), most):
        return False
    memcpy(pool.cards + pool.count, landmarks, count * sizeof(uint64_t))
    pool.count += count
    return True
