"""Lines of fewest moves by weighted A*; see shortest.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes, Progress
from .line cimport Desk, Line

cdef enum:
    MOST_CARDS = 52
    MOST_COLUMNS = 7
    MOST_SLOTS = 28
    NONE = 255              # no card, no column, no slot
    SLOTS_AT = 16           # of the first word of a key, after the heights
    REDEALS_AT = 6          # of the second word of a key, after the waste,
    TYPES_AT = 9            # and after the redeals

cdef struct ExactLayout:    # constants of a deal; sets have the bits of the cards of `rules`
    int ranks
    int columns
    int slots               # the waste at the start, then the stock
    int draw
    int passes              # 0: unlimited
    bint backward           # cards come back from foundations
    uint64_t deck
    uint64_t kings
    uint64_t raised[4][14]  # the cards of a suit that are up, by its height
    uint8_t slot_card[MOST_SLOTS]
    uint8_t slot_of[MOST_CARDS]     # of the cards of the stock
    uint8_t shift[MOST_COLUMNS]     # of the field of a column in a key, and its mask
    uint8_t mask[MOST_COLUMNS]
    uint8_t dealt_count[MOST_COLUMNS]
    uint8_t dealt[MOST_COLUMNS][MOST_CARDS]
    uint64_t buried[MOST_COLUMNS][MOST_CARDS + 1]   # the face-down cards, by the dealt cards left
    uint64_t over[MOST_COLUMNS][MOST_CARDS + 1]     # the cards higher than one of these of their suit
    uint8_t waiting[MOST_COLUMNS][MOST_CARDS + 1]   # of these, those that lie above such a one

cdef struct ExactPosition:  # an unpacked key
    uint64_t low
    uint64_t high
    uint64_t face           # face up in columns
    uint64_t bare           # of these, those with nothing on them
    uint64_t bases          # of these, the deepest of columns that cards were dealt to
    uint64_t placed         # of these, those that lie on face-up cards
    uint64_t runs[MOST_COLUMNS]     # the face-up cards of each of those columns
    int height[4]
    int slot[MOST_SLOTS]    # the cards of the waste and the stock that are left
    int count
    int waste
    int redeals
    int empty               # columns
    uint8_t on[MOST_CARDS]          # the card on a face-up one, or NONE,
    uint8_t under[MOST_CARDS]       # that beneath a placed one,
    uint8_t column[MOST_CARDS]      # and its column, or NONE if that is one of a king that is no base
    uint8_t left[MOST_COLUMNS]      # dealt cards

cdef enum:
    MOST_STEPS = 256

ctypedef struct Step:       # a move, or some that are made together, and the key after it
    uint64_t low
    uint64_t high
    int moves               # from the start on
    int left                # the parts of the bound
    int stock
    int columns
    uint32_t code           # of the move, for `make_step`

cdef struct Steps:
    const ExactLayout* start
    const ExactPosition* table
    int count
    Step step[MOST_STEPS]

cdef struct Shortest:
    Nodes nodes
    ExactLayout start
    ExactPosition table
    Steps steps             # from it
    uint64_t low            # the key of the start
    uint64_t high
    int left                # of the table: the parts of the bound
    int stock
    int columns
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # no line has fewer
    uint32_t won            # the node where that line ends, or NO_NODE if it was known before
    uint64_t most           # states that are expanded, at most

cdef void free_shortest(Shortest* search) noexcept nogil
cdef bint open_shortest(
    Shortest* search, const Desk* desk, uint32_t fewest, uint32_t weight, uint64_t most, uint64_t max_bytes
) noexcept nogil
cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil
cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil
cdef int bound_of(const Desk* desk) noexcept nogil
