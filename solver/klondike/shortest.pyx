"""The search for a line of fewest moves: A* over exact keys.

States wait by the moves made and those still needed at least. A state is expanded again when fewer moves are
found to lead to it; a child needs at least what its parent needs, less the moves between them. With a weight
above 1 the queue prefers states that need little: quick lines, but nothing is proved.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport MEMORY, may_expand, may_pass
from ..core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, STOPPED, Node, add_node, dequeue, enqueue, find_slot, first_queued, free_nodes,
    note_way, reset_nodes,
)
from .needed cimport cards_left, columns_need, others_need, stock_needs
from .steps cimport Step, find_steps, make_step
from .table cimport open_start, read_table

cdef enum:
    WEIGHED = 1 << 17       # beside the code of its move: all of the bound is in what a node needs
    MOST_NEEDED = 256


cdef void free_shortest(Shortest* search) noexcept nogil:
    """Give the memory back."""
    free_nodes(&search.nodes)


cdef bint open_shortest(
    Shortest* search, const Desk* desk, uint32_t fewest, uint32_t weight, uint64_t most, uint64_t max_bytes
) noexcept nogil:
    """Begin at a state, to look for a line of fewer than ``fewest`` moves with ``most`` states; false if
    memory does not allow it. ``lower_bound`` holds nevertheless."""
    cdef Step step
    search.fewest = search.lower_bound = fewest
    search.won = NO_NODE
    search.most = most
    open_start(&search.start, desk, &search.low, &search.high)
    read(search, search.low, search.high)
    step = Step(search.low, search.high, 0, search.left, search.stock, search.columns, 0)
    search.lower_bound = min(fewest, <uint32_t>needs(&step))
    if not reset_nodes(&search.nodes, fewest + weight * MOST_NEEDED, weight, max_bytes):
        return False
    return offer(search, NO_NODE, &step)


cdef inline int needs(const Step* step) noexcept nogil:
    """The bound of a child."""
    return step.left + step.stock + step.columns


cdef inline void read(Shortest* search, uint64_t low, uint64_t high) noexcept nogil:
    """Take a key apart."""
    cdef Table* t = &search.table
    read_table(&search.start, t, low, high)
    search.left = cards_left(&search.start, t)
    search.stock = stock_needs(&search.start, t, t.count, t.waste, t.redeals)
    search.columns = columns_need(&search.start, t)


cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil:
    """Go on until there is something to tell; see Progress. With a weight the end of ``most`` states is one
    like that of the queue, and nothing is proved."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t number, passed = 0, known = search.fewest
    while True:
        number = first_queued(nodes)
        if search.fewest < known:
            return IMPROVED
        if nodes.weight > 1:
            if number == NO_NODE or search.most == 0:
                return PROVED
            search.most -= 1
        elif number == NO_NODE or nodes.queue.first >= search.fewest:
            search.lower_bound = search.fewest
            return PROVED
        elif nodes.queue.first > search.lower_bound:
            search.lower_bound = nodes.queue.first
            return IMPROVED
        dequeue(nodes, number)
        read(search, nodes.nodes[number].low, nodes.nodes[number].high)
        if not weigh(search, number):
            if not may_pass(kernel, &passed):
                return STOPPED
            continue
        if not may_expand(kernel):
            enqueue(nodes, number)
            return STOPPED
        if not expand(search, kernel, number):
            kernel.reason = MEMORY
            return STOPPED


cdef inline bint weigh(Shortest* search, uint32_t number) noexcept nogil:
    """Whether a node, whose key is taken apart, may be expanded now. Once all of its bound is worked out,
    which takes longer, it may have to wait for others."""
    cdef Node* node = &search.nodes.nodes[number]
    cdef int needed
    if node.move & WEIGHED or search.nodes.weight > 1:
        return True
    node.move |= WEIGHED
    needed = search.left + search.stock + search.columns + others_need(&search.start, &search.table)
    if needed <= node.needed:
        return True
    node.needed = needed
    if node.moves + needed < search.fewest:
        enqueue(&search.nodes, number)
    return False


cdef bint offer(Shortest* search, uint32_t parent, const Step* step) noexcept nogil:
    """Take in a child, if it is new or fewer moves lead to it now, and a line through it could be shorter
    than the best one. False if memory runs out."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t* slot
    cdef uint32_t number, move = step.code, moves = step.moves, needed = needs(step)
    cdef Node* node
    if parent != NO_NODE:
        needed = max(needed, <int>nodes.nodes[parent].needed + nodes.nodes[parent].moves - step.moves)
    if moves + needed >= search.fewest:
        return True
    slot = find_slot(nodes, step.low, step.high)
    if slot[0] != 0:
        number = slot[0] - 1
        node = &nodes.nodes[number]
        if moves >= node.moves:
            return True
        needed = max(needed, node.needed)
        move |= node.move & WEIGHED
        if node.queued:
            dequeue(nodes, number)
    else:
        number = add_node(nodes, slot, step.low, step.high)
        if number == NO_NODE:
            return False
        node = &nodes.nodes[number]
    note_way(node, parent, moves, move)
    node.needed = needed
    if step.left == 0:
        search.fewest = moves
        search.won = number
    else:
        enqueue(nodes, number)
    return True


cdef bint expand(Shortest* search, Kernel kernel, uint32_t number) noexcept nogil:
    """Offer the children of a node, whose key is taken apart; false if memory runs out."""
    cdef int i
    cdef Step here = Step(
        search.table.low, search.table.high, search.nodes.nodes[number].moves, search.left, search.stock,
        search.columns, 0
    )
    find_steps(&search.steps, &search.start, &search.table, &here)
    kernel.generated += search.steps.count
    for i in range(search.steps.count):
        if not offer(search, number, &search.steps.step[i]):
            return False
    return True


# --- Lines ----------------------------------------------------------------------------------------------


cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil:
    """Write the line found, which begins at ``desk``; if a shorter way to one of its states is known now, it
    has fewer moves than `fewest`, which becomes their number."""
    cdef Node* nodes = search.nodes.nodes
    cdef Desk now = desk[0]
    cdef uint32_t number = search.won, after = NO_NODE, parent
    line.count = 0
    line.failed = False
    while number != NO_NODE:        # turn the links round, and back when they are followed
        parent = nodes[number].parent
        nodes[number].parent = after
        after = number
        number = parent
    number = NO_NODE
    while after != NO_NODE:
        parent = nodes[after].parent
        nodes[after].parent = number
        if number != NO_NODE:
            make_step(line, &now, nodes[after].move)
        number = after
        after = parent
    search.fewest = line.count


cdef int bound_of(const Desk* desk) noexcept nogil:
    """The bound of a state, for tests."""
    cdef Shortest search
    open_start(&search.start, desk, &search.low, &search.high)
    read(&search, search.low, search.high)
    return search.left + search.stock + search.columns + others_need(&search.start, &search.table)
