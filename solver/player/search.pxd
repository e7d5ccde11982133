"""The player's search over information states; see search.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .moves cimport TERMS, Choice
from ..joker.cards cimport MOST
from .position cimport COLUMNS, Order, SeenPosition, SplitMix
from .tree cimport Branch, Tree, TreeNode
from .value cimport Forecast, Network

cdef enum:
    LONGEST_PATH = 128

cdef struct Unseen:     # cards, ascending
    uint8_t cards[MOST]
    int count

cdef struct Search:
    Tree tree
    SplitMix chance
    uint64_t offset     # of the cards that visits turn up, by the player's seed
    float weights[TERMS]
    bint has_network    # to tell how games go on, or play-outs do
    Network network
    uint32_t visits     # wanted at the root
    uint32_t horizon    # that it will come to, as far as can be told
    uint64_t iterations     # since the game began
    int root            # node
    Unseen unseen   # cards of the position that is thought about
    uint32_t path[LONGEST_PATH]     # nodes
    uint32_t taken[LONGEST_PATH]    # branches
    SeenPosition* kept      # those of the first nodes, for lessons; room for so many
    uint32_t kept_room
    # For `informed.pyx` alone: the true order, and how many cards of the stock and the columns are not shown
    const Order* shown
    int stock_not_shown
    int down_not_shown[COLUMNS]
    bint has_overflowed     # a position with more choices than there is room for was met

cdef int rule_choice(const SeenPosition* p, const float* weights, Choice* chosen) noexcept nogil
cdef bint begin_thinking(Search* search, const SeenPosition* p) noexcept nogil
cdef void iterate(Search* search, const SeenPosition* p) noexcept nogil
cdef void think(Search* search, const SeenPosition* p) noexcept nogil
cdef bint is_settled(const Search* search) noexcept nogil
cdef int best_branch(const Search* search) noexcept nogil
cdef uint32_t selected(const Search* search, const TreeNode* node) noexcept nogil
cdef void back_up(Search* search, int depth, const Forecast* found) noexcept nogil
cdef double lower_bound(const Branch* branch) noexcept nogil
cdef uint32_t least_visits(uint64_t visits) noexcept nogil
cdef list draws_of(const Search* search, const SeenPosition* p, uint32_t visits)
cdef bint draw_to_the_end(Search* search, SeenPosition* p)
