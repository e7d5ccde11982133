"""A* through single positions of one deck: the fewest moves that win, proved.

A node is a position up to the order of its columns, under its key of 127 bits (see position). Nodes are
queued by the bound on the length of all lines through them (see quick_bound); the last that came is taken
first, so that few moves lead from one to the next. When none is left below the length of the best line known,
that line is shortest. Where a position is met again with fewer moves, a new node takes its place: the old one
stays for those that descend from it, since the order of the columns may differ.

Left out are only moves that a shortest line has no need of: to a second empty column, and of a whole column
to an empty one, which changes nothing.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from ..core.invariant cimport IS_CHECKED
from ..core.kernel cimport MEMORY, Kernel, may_expand
from ..core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, STOPPED, Node, Progress, add_node, dequeue, enqueue, find_slot, first_queued,
    free_nodes, reset_nodes,
)
from .position cimport (
    MAX_MOVES, Line, check_position, count_of, do_move, foresee, generate_moves, set_position, source_of,
    target_of, undo_move,
)
from .quick_bound cimport least_moves
from .classes cimport Layout, without_top_bit


cdef void begin_astar(AStar* search) noexcept nogil:
    """Make `free_astar` safe."""
    memset(search, 0, sizeof(AStar))


cdef void free_astar(AStar* search) noexcept nogil:
    """Give the memory back."""
    free_nodes(&search.nodes)
    memset(search, 0, sizeof(AStar))


cdef bint open_astar(AStar* search, const Layout* layout, uint64_t max_bytes) noexcept nogil:
    """Begin at ``layout``; false if memory does not allow it."""
    cdef uint64_t low, high
    free_astar(search)
    set_position(&search.position, layout)
    if not reset_nodes(&search.nodes, MOST_MOVES, 1, max_bytes):
        return False
    search.lower_bound = least_moves(&search.position)
    if search.lower_bound >= MOST_MOVES:
        return False
    low = search.position.low
    high = without_top_bit(search.position.high)
    return add(search, find_slot(&search.nodes, low, high), low, high, NO_NODE, 0, 0, search.lower_bound)


cdef bint add(
    AStar* search, uint32_t* slot, uint64_t low, uint64_t high, uint32_t parent, uint32_t move, int depth,
    int least
) noexcept nogil:
    """Store a position that is new, or was reached by more moves; false if memory runs out."""
    cdef Node* node
    cdef uint32_t number
    if slot[0] != 0 and search.nodes.nodes[slot[0] - 1].queued:
        dequeue(&search.nodes, slot[0] - 1)
    number = add_node(&search.nodes, slot, low, high)
    if number == NO_NODE:
        return False
    node = &search.nodes.nodes[number]
    node.parent = parent
    node.move = move
    node.moves = depth
    node.needed = least - depth
    enqueue(&search.nodes, number)
    return True


cdef void go_to(AStar* search, uint32_t number) noexcept nogil:
    """Go to the position of a node, from what its path has in common with the present one."""
    cdef uint32_t path[MOST_MOVES + 1]
    cdef const Node* nodes = search.nodes.nodes
    cdef int depth = nodes[number].moves, common = depth
    cdef uint32_t move
    while common > search.depth or (common > 0 and search.path[common] != number):
        path[common] = number
        number = nodes[number].parent
        common -= 1
    while search.depth > common:
        search.depth -= 1
        undo_move(&search.position, search.steps[search.depth])
    while search.depth < depth:
        move = nodes[path[search.depth + 1]].move
        search.steps[search.depth] = do_move(
            &search.position, source_of(move), target_of(move), count_of(move)
        )
        search.depth += 1
        search.path[search.depth] = path[search.depth]


cdef Progress run_astar(AStar* search, Kernel kernel, Line* line) noexcept nogil:
    """Go on until ``line``, which wins, was made shorter, the lower bound rises, or a limit is met."""
    cdef uint32_t number
    cdef uint64_t before = line.length
    while <uint64_t>search.lower_bound < line.length:
        if search.lower_bound == MOST_MOVES:
            kernel.reason = MEMORY
            return STOPPED
        number = first_queued(&search.nodes)
        if search.nodes.queue.first > <uint32_t>search.lower_bound:
            search.lower_bound += 1
            return IMPROVED if <uint64_t>search.lower_bound < line.length else PROVED
        if not may_expand(kernel):
            return STOPPED
        dequeue(&search.nodes, number)
        if not expand(search, kernel, number, line):
            kernel.reason = MEMORY
            return STOPPED
        if line.length < before:
            return IMPROVED
    return PROVED


cdef bint expand(AStar* search, Kernel kernel, uint32_t number, Line* line) noexcept nogil:
    """Add the successors of a node, and make ``line`` shorter if one is won; false if memory runs out."""
    cdef uint32_t moves[MAX_MOVES]
    cdef uint64_t low, high
    cdef uint32_t* slot
    cdef uint32_t move
    cdef int i, count, depth
    cdef bint fits = True
    go_to(search, number)
    if IS_CHECKED:
        check_position(&search.position)
    depth = search.depth + 1
    count = generate_moves(&search.position, moves)
    kernel.generated += count
    for i in range(count):
        move = moves[i]
        if foresee(&search.position, source_of(move), target_of(move), count_of(move), &low, &high):
            slot = find_slot(&search.nodes, low, without_top_bit(high))
            if slot[0] != 0 and search.nodes.nodes[slot[0] - 1].moves <= depth:
                continue
        search.steps[search.depth] = do_move(
            &search.position, source_of(move), target_of(move), count_of(move)
        )
        if search.position.left > 0:
            fits = reach(search, number, move, line)
        elif <uint64_t>depth < line.length:
            write_line(search, number, move, line)
        undo_move(&search.position, search.steps[search.depth])
        if not fits:
            return False
    return True


cdef inline bint reach(AStar* search, uint32_t parent, uint32_t move, const Line* line) noexcept nogil:
    """Add the present position, to which ``move`` leads, unless it was reached by no more moves or its lines
    are too long; false if memory runs out."""
    cdef uint64_t low = search.position.low, high = without_top_bit(search.position.high)
    cdef uint32_t* slot = find_slot(&search.nodes, low, high)
    cdef int depth = search.depth + 1, least
    cdef const Node* node
    if slot[0] != 0:
        node = &search.nodes.nodes[slot[0] - 1]
        if node.moves <= depth:
            return True
        least = depth + node.needed
    else:
        least = depth + least_moves(&search.position)
    if least < search.lower_bound:
        least = search.lower_bound
    if <uint64_t>least >= line.length or least >= MOST_MOVES:
        return True
    return add(search, slot, low, high, parent, move, depth, least)


cdef void write_line(const AStar* search, uint32_t number, uint32_t move, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to a node and one more; they are fewer."""
    cdef const Node* node = &search.nodes.nodes[number]
    line.length = node.moves + 1
    line.move[line.length - 1] = move
    while node.moves > 0:
        line.move[node.moves - 1] = node.move
        node = &search.nodes.nodes[node.parent]
