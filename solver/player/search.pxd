"""The player's search over information states; see search.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .moves cimport TERMS, Choice
from ..joker.cards cimport MOST
from .position cimport SeenPosition, SplitMix
from .tree cimport Branch, Tree, TreeNode
from .value cimport Network

cdef enum:
    LONGEST_PATH = 128

cdef struct Unseen:     # cards, ascending
    uint8_t cards[MOST]
    int count

cdef struct Search:
    Tree tree
    SplitMix chance
    float weights[TERMS]
    bint has_network    # to tell how games go on, or play-outs do
    Network network
    uint32_t visits     # wanted at the root
    uint64_t iterations     # since the game began
    int root            # node
    Unseen unseen   # cards of the position that is thought about
    uint32_t path[LONGEST_PATH]     # nodes
    uint32_t taken[LONGEST_PATH]    # branches
    bint has_overflowed     # a position with more choices than there is room for was met

cdef int rule_choice(const SeenPosition* p, const float* weights, Choice* chosen) noexcept nogil
cdef bint begin_thinking(Search* search, const SeenPosition* p) noexcept nogil
cdef void iterate(Search* search, const SeenPosition* p) noexcept nogil
cdef bint is_settled(const Search* search) noexcept nogil
cdef int best_branch(const Search* search) noexcept nogil
cdef double lower_bound(const Branch* branch) noexcept nogil
cdef uint32_t least_visits(const TreeNode* node) noexcept nogil
cdef list draws_of(const SeenPosition* p, uint32_t visits)
cdef bint draw_to_the_end(Search* search, SeenPosition* p)
