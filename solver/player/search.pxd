"""PUCT tree search over information sets; see search.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.dealer cimport SplitMix, draw
from ..core.hash_set cimport Explored, record_at
from ..core.border cimport Border, Record
from ..joker.cards cimport MOST
from ..joker.position cimport Position
from ..joker.tiers cimport TIERS
from .joker_moves cimport TERMS, Choice
from .value cimport Forecast, Network

cdef enum:
    LONGEST_PATH = 128
    NOISE = 15          # of scores in play-outs
    ALL_UP = 52         # the score of a game whose cards are all on the foundations
    LONGEST_GAME = 1000     # choices; no game has so many

cdef struct Branch:     # a choice in a node, and what came of it
    Choice choice
    float prior
    uint32_t visits
    float reached[TIERS]    # how many of them came to at least that tier, or are expected to
    double total        # of the utilities of its visits
    double squares

cdef struct TreeNode:
    uint64_t hash
    uint32_t visits
    uint32_t first      # branch
    uint32_t count      # of branches
    double total

cdef struct Tree:
    Explored nodes      # by their hashes
    Branch* branches
    uint64_t branch_count, branch_room, max_bytes

cdef struct Unseen:     # cards, ascending
    uint8_t cards[MOST]
    int count

cdef struct Search:
    Tree tree
    SplitMix chance
    uint64_t offset     # of the cards that visits turn up, by the player's seed
    float weights[TERMS]
    bint has_network    # evaluates leaves; else play-outs do
    Network network
    uint32_t visits     # wanted at the root
    uint64_t iterations     # since the game began
    int root            # node
    Unseen unseen   # cards of the position to decide
    uint32_t path[LONGEST_PATH]     # nodes
    uint32_t taken[LONGEST_PATH]    # branches
    Position* kept      # positions of the first nodes, for self-play, and their capacity
    uint32_t kept_capacity
    bint has_overflowed     # a position with more choices than MOST_CHOICES was met

cdef class ThinkingKernel(Border):
    cdef Search search
    cdef readonly str kind
    cdef bint thinks            # or the rule player
    cdef uint64_t seed          # of the player's chance
    cdef uint64_t think_time    # microseconds of a decision; 0 for no limit
    cdef int look_every         # samples, at the clock and whether more would change anything
    cdef int tiers              # that the game has

    cdef bint begin_game(self) noexcept nogil
    cdef bint think(self) noexcept nogil
    cdef bint make_ready(self) noexcept nogil
    cdef void draw_sample(self) noexcept nogil
    cdef list moves_of(self, const Choice* choice)
    cdef void note_game(self, Record* record, int score, bint has_won) noexcept nogil

cdef bint tree_clear(Tree* tree) noexcept nogil
cdef void tree_free(Tree* tree) noexcept nogil
cdef int tree_find(const Tree* tree, uint64_t hash) noexcept nogil
cdef int tree_add(Tree* tree, uint64_t hash, const Choice* choices, int count) noexcept nogil
cdef void add_root(Search* search, uint64_t hash, const Choice* choices, int count) noexcept nogil
cdef int rule_choice(const Position* p, const float* weights, Choice* chosen) noexcept nogil
cdef bint begin_thinking(Search* search, const Position* p) noexcept nogil
cdef void iterate(Search* search, const Position* p) noexcept nogil
cdef void think(Search* search, const Position* p) noexcept nogil
cdef int best_branch(const Search* search) noexcept nogil
cdef uint32_t selected(const Search* search, const TreeNode* node) noexcept nogil
cdef void back_up(Search* search, int depth, const Forecast* found) noexcept nogil
cdef list draws_of(const Search* search, const Position* p, uint32_t visits)
cdef bint draw_to_the_end(Search* search, Position* p)

cdef inline TreeNode* node_at(const Tree* tree, uint32_t number) noexcept nogil:
    """Return the node with this number; the pointer is valid until a node is added."""
    return <TreeNode*>record_at(&tree.nodes, number)

cdef inline int best_choice(const Choice* choices, int count) noexcept nogil:
    """Return the index of the first choice of the highest score."""
    cdef int i, best = 0
    for i in range(1, count):
        if choices[i].score > choices[best].score:
            best = i
    return best

cdef inline int noisy_choice(const Choice* choices, int count, SplitMix* chance) noexcept nogil:
    """Return the index of the choice of the highest score after adding noise to each."""
    cdef int i, best = 0
    cdef float score, highest = -1e9
    cdef uint64_t bits = 0
    for i in range(count if count > 1 else 0):
        if i & 3 == 0:
            bits = draw(chance)
        score = choices[i].score + (bits & 0xFFFF) * (<float>NOISE / 65536)
        bits >>= 16
        if score > highest:
            highest = score
            best = i
    return best
