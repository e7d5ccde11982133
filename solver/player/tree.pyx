"""The information states that the player's search has met: a hash table of nodes with their branches.

A node stands for all that a person sees at that moment, however the cards came to lie so. Chance needs no
nodes of its own: the card that a move turns up is part of what is seen next.
"""

# optimised: searches spend their time here

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..core.memory cimport resize

cdef enum:
    FIRST_SLOTS = 4096
    MOST_NODES = 3000000    # the search goes on without new nodes then

cdef double WARMTH = 100.0      # the difference of two scores at which one prior is e times the other


cdef bint tree_clear(Tree* tree) noexcept nogil:
    """Forget everything, or begin; false without memory."""
    tree.node_count = tree.branch_count = 0
    if tree.slots == NULL:
        tree.slots = <Slot*>calloc(FIRST_SLOTS, sizeof(Slot))
        tree.slot_count = FIRST_SLOTS
        return tree.slots != NULL
    memset(tree.slots, 0, tree.slot_count * sizeof(Slot))
    return True


cdef void tree_free(Tree* tree) noexcept nogil:
    """Give the memory back."""
    free(tree.nodes)
    free(tree.branches)
    free(tree.slots)


cdef uint64_t tree_bytes(const Tree* tree) noexcept nogil:
    """What is held."""
    return (tree.node_room * sizeof(TreeNode) + tree.branch_room * sizeof(Branch)
            + tree.slot_count * sizeof(Slot))


cdef int tree_find(const Tree* tree, uint64_t hash) noexcept nogil:
    """The number of the node of a position, or -1."""
    cdef uint32_t mask = tree.slot_count - 1, slot = hash & mask
    cdef uint32_t tag = hash >> 32, number
    while tree.slots[slot].number:
        number = tree.slots[slot].number - 1
        if tree.slots[slot].tag == tag and tree.nodes[number].hash == hash:
            return number
        slot = (slot + 1) & mask
    return -1


cdef inline bint may_hold(const Tree* tree, uint64_t more) noexcept nogil:
    """Whether the limit allows so many bytes beside what is held."""
    return tree_bytes(tree) + more <= tree.max_bytes


cdef bint make_room(Tree* tree, int count) noexcept nogil:
    """Have room for a node with so many branches; false if there is none."""
    return (
        tree.node_count < MOST_NODES
        and (tree.node_count < tree.node_room or grow_nodes(tree))
        and (tree.branch_count + count <= tree.branch_room or grow_branches(tree))
        and (2 * tree.node_count < tree.slot_count or grow_slots(tree))
    )


cdef bint grow_nodes(Tree* tree) noexcept nogil:
    """Have room for more nodes; false if memory does not allow it."""
    cdef uint32_t room = 2 * tree.node_room + 1024
    if not may_hold(tree, room * sizeof(TreeNode)) or not resize(&tree.nodes, room, sizeof(TreeNode)):
        return False
    tree.node_room = room
    return True


cdef bint grow_branches(Tree* tree) noexcept nogil:
    """Have room for more branches; false if memory does not allow it."""
    cdef uint32_t room = 2 * tree.branch_room + 8192
    if not may_hold(tree, room * sizeof(Branch)) or not resize(&tree.branches, room, sizeof(Branch)):
        return False
    tree.branch_room = room
    return True


cdef bint grow_slots(Tree* tree) noexcept nogil:
    """Double the slots; false, with nothing changed, if memory does not allow it."""
    cdef uint32_t node
    cdef void* block
    if not may_hold(tree, 2 * tree.slot_count * sizeof(Slot)):
        return False
    block = calloc(2 * tree.slot_count, sizeof(Slot))
    if block == NULL:
        return False
    free(tree.slots)
    tree.slots = <Slot*>block
    tree.slot_count *= 2
    for node in range(tree.node_count):
        fill_slot(tree, node)
    return True


cdef inline void fill_slot(Tree* tree, uint32_t node) noexcept nogil:
    """Write where a node is that has no slot yet."""
    cdef uint64_t hash = tree.nodes[node].hash
    cdef uint32_t mask = tree.slot_count - 1, slot = hash & mask
    while tree.slots[slot].number:
        slot = (slot + 1) & mask
    tree.slots[slot].tag = hash >> 32
    tree.slots[slot].number = node + 1


cdef int tree_add(Tree* tree, uint64_t hash, const Choice* choices, int count) noexcept nogil:
    """Add the node of a position that is not there, with priors after the scores; -1 if there is no room."""
    cdef TreeNode* node
    cdef Branch* branch
    cdef int i
    cdef float best = choices[0].score
    cdef double sum = 0.0
    if not make_room(tree, count):
        return -1
    node = &tree.nodes[tree.node_count]
    node.hash = hash
    node.visits = 0
    node.total = 0.0
    node.first = tree.branch_count
    node.count = count
    for i in range(count):
        best = max(best, choices[i].score)
    memset(&tree.branches[node.first], 0, count * sizeof(Branch))
    for i in range(count):
        branch = &tree.branches[node.first + i]
        branch.choice = choices[i]
        branch.prior = exp((choices[i].score - best) / WARMTH)
        sum += branch.prior
    for i in range(count):
        tree.branches[node.first + i].prior /= sum
    fill_slot(tree, tree.node_count)
    tree.node_count += 1
    tree.branch_count += count
    return tree.node_count - 1
