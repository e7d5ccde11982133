"""The information states that the player's search has met; see tree.pyx."""

from libc.stdint cimport uint32_t, uint64_t

from ..joker.tiers cimport TIERS
from .moves cimport Choice

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

cdef struct Slot:
    uint32_t tag        # the upper half of the hash, so that other nodes need not be looked at
    uint32_t number     # 1 + that of a node, or 0

cdef struct Tree:
    TreeNode* nodes
    uint32_t node_count
    uint32_t node_room
    Branch* branches
    uint32_t branch_count
    uint32_t branch_room
    Slot* slots
    uint32_t slot_count     # a power of two
    uint64_t max_bytes

cdef bint tree_clear(Tree* tree) noexcept nogil
cdef void tree_free(Tree* tree) noexcept nogil
cdef uint64_t tree_bytes(const Tree* tree) noexcept nogil
cdef int tree_find(const Tree* tree, uint64_t hash) noexcept nogil
cdef int tree_add(Tree* tree, uint64_t hash, const Choice* choices, int count) noexcept nogil
