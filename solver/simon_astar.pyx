"""A* through single positions of one deck: the fewest moves that win, proved.

A node is a position up to the order of its columns, under its key of 127 bits (see simon_board). Nodes are
queued by the bound on the length of all lines through them (see simon_circles); the last that came is taken
first, so the board seldom has to go far. When none is left below the length of the best line known, that line
is shortest. Where a position is met again with fewer moves, a new node takes its place: the old one stays for
those that descend from it, since the order of the columns may differ.

Left out are only moves that a shortest line has no need of: to a second empty column, and of a whole column
to an empty one, which changes nothing.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from .invariant cimport IS_CHECKED
from .kernel cimport Kernel, may_expand
from .nodes cimport (
    NO_NODE, Node, add_node, dequeue, enqueue, find_slot, first_queued, free_nodes, reset_nodes,
)
from .simon_board cimport Line, check_board, foresee, play, set_board, take_back
from .simon_circles cimport least_moves
from .simon_class cimport Layout
from .simon_raw cimport MAX_MOVES, generate

cdef uint64_t HIGH = 0x7FFFFFFFFFFFFFFF


cdef void begin_search(Search* search) noexcept nogil:
    """Make `free_search` safe."""
    memset(search, 0, sizeof(Search))


cdef void free_search(Search* search) noexcept nogil:
    """Give the memory back."""
    free_nodes(&search.nodes)
    memset(search, 0, sizeof(Search))


cdef bint open_search(Search* search, const Layout* layout, uint64_t max_bytes) noexcept nogil:
    """Begin at ``layout``; false if memory does not allow it."""
    cdef uint64_t low, high
    free_search(search)
    set_board(&search.board, layout)
    if not reset_nodes(&search.nodes, MOST_MOVES, 1, max_bytes):
        return False
    search.lower_bound = least_moves(&search.board)
    if search.lower_bound >= MOST_MOVES:
        return False
    low = search.board.low
    high = search.board.high & HIGH
    return add(search, find_slot(&search.nodes, low, high), low, high, NO_NODE, 0, 0, search.lower_bound)


cdef bint add(
    Search* search, uint32_t* slot, uint64_t low, uint64_t high, uint32_t parent, uint32_t move, int depth,
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


cdef void go_to(Search* search, uint32_t number) noexcept nogil:
    """Bring the board to a node, by way of what its path has in common with the board's."""
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
        take_back(&search.board, search.steps[search.depth])
    while search.depth < depth:
        move = nodes[path[search.depth + 1]].move
        search.steps[search.depth] = play(&search.board, move & 15, move >> 4 & 15, move >> 8)
        search.depth += 1
        search.path[search.depth] = path[search.depth]


cdef Stage run_search(Search* search, Kernel kernel, Line* line) noexcept nogil:
    """Go on until ``line``, which wins, can be made shorter, the lower bound rises, or a limit is met."""
    cdef uint32_t number
    cdef Stage stage
    while <uint64_t>search.lower_bound < line.length:
        if search.lower_bound == MOST_MOVES:
            return NO_ROOM
        number = first_queued(&search.nodes)
        if search.nodes.queue.first > <uint32_t>search.lower_bound:
            search.lower_bound += 1
            return IMPROVED if <uint64_t>search.lower_bound < line.length else PROVED
        if not may_expand(kernel):
            return ENDED
        dequeue(&search.nodes, number)
        stage = expand(search, kernel, number, line)
        if stage != PROVED:
            return stage
    return PROVED


cdef Stage expand(Search* search, Kernel kernel, uint32_t number, Line* line) noexcept nogil:
    """Add the successors of a node: PROVED if all is well, IMPROVED if one is won by fewer moves."""
    cdef uint32_t moves[MAX_MOVES]
    cdef uint64_t low, high
    cdef uint32_t* slot
    cdef uint32_t move
    cdef int i, count, depth, least
    cdef Stage stage = PROVED
    cdef Node* node
    go_to(search, number)
    if IS_CHECKED:
        check_board(&search.board)
    depth = search.depth + 1
    count = generate(&search.board, moves)
    kernel.generated += count
    for i in range(count):
        move = moves[i]
        if foresee(&search.board, move & 15, move >> 4 & 15, move >> 8, &low, &high):
            slot = find_slot(&search.nodes, low, high & HIGH)
            if slot[0] != 0 and search.nodes.nodes[slot[0] - 1].moves <= depth:
                continue
        search.steps[search.depth] = play(&search.board, move & 15, move >> 4 & 15, move >> 8)
        if search.board.left == 0:
            take_back(&search.board, search.steps[search.depth])
            if <uint64_t>depth < line.length:
                write_line(search, number, move, line)
                stage = IMPROVED
            continue
        low = search.board.low
        high = search.board.high & HIGH
        slot = find_slot(&search.nodes, low, high)
        if slot[0] != 0:
            node = &search.nodes.nodes[slot[0] - 1]
            if node.moves <= depth:
                take_back(&search.board, search.steps[search.depth])
                continue
            least = depth + node.needed
        else:
            least = depth + least_moves(&search.board)
        take_back(&search.board, search.steps[search.depth])
        if least < search.lower_bound:
            least = search.lower_bound
        if <uint64_t>least < line.length and least < MOST_MOVES:
            if not add(search, slot, low, high, number, move, depth, least):
                return NO_ROOM
    return stage


cdef void write_line(const Search* search, uint32_t number, uint32_t move, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to a node and one more; they are fewer."""
    cdef const Node* node = &search.nodes.nodes[number]
    line.length = node.moves + 1
    line.move[line.length - 1] = move
    while node.moves > 0:
        line.move[node.moves - 1] = node.move
        node = &search.nodes.nodes[node.parent]
