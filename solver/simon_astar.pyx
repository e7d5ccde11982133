"""A* through single positions of one deck: the fewest moves that win, proved.

A node is a position up to the order of its columns, under its key of 127 bits (see simon_board). Nodes wait
in stacks by the bound on the length of all lines through them (see simon_circles); the last that came is
taken first, so the board seldom has to go far. When the stacks below the length of the best line known are
empty, that line is shortest. Where a position is met again with fewer moves, a new node takes its place:
the old one stays for those that descend from it, since the order of the columns may differ.

Left out are only moves that a shortest line has no need of: to a second empty column, and of a whole column
to an empty one, which changes nothing.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from .invariant cimport IS_CHECKED
from .kernel cimport Kernel, may_expand
from .simon_board cimport Line, check_board, foresee, play, set_board, take_back
from .simon_circles cimport least_moves
from .simon_class cimport Layout
from .simon_raw cimport MAX_MOVES, generate

cdef uint64_t HIGH = 0x7FFFFFFFFFFFFFFF

cdef enum:
    FIRST_NODES = 4096
    NO_NODE = 0xFFFFFFFF


cdef void begin_search(Search* search) noexcept nogil:
    """Make `free_search` safe."""
    memset(search, 0, sizeof(Search))


cdef void free_search(Search* search) noexcept nogil:
    cdef int least
    free(search.nodes)
    free(search.slots)
    for least in range(MOST_MOVES + 1):
        free(search.open[least].node)
    memset(search, 0, sizeof(Search))


cdef bint open_search(Search* search, const Layout* layout, uint64_t max_bytes) noexcept nogil:
    """Begin at ``layout``; false if memory does not allow it."""
    free_search(search)
    search.max_bytes = max_bytes
    set_board(&search.board, layout)
    if not make_room(search, FIRST_NODES):
        return False
    search.lower_bound = least_moves(&search.board)
    if search.lower_bound >= MOST_MOVES:
        return False
    return add(search, search.board.low, search.board.high & HIGH, NO_NODE, 0, 0, search.lower_bound)


cdef bint make_room(Search* search, uint32_t room) noexcept nogil:
    """Hold up to ``room`` nodes, a power of two; false if memory does not allow it."""
    cdef void* block
    cdef uint64_t slots = 2 * <uint64_t>room, i
    if room >= <uint32_t>1 << 31:
        return False
    if (search.bytes + room * sizeof(Node) - search.room * sizeof(Node)
            + slots * sizeof(uint32_t) > search.max_bytes):
        return False
    block = realloc(search.nodes, room * sizeof(Node))
    if block == NULL:
        return False
    search.nodes = <Node*>block
    block = calloc(slots, sizeof(uint32_t))
    if block == NULL:
        return False
    search.bytes += (room - search.room) * sizeof(Node)
    if search.slots != NULL:
        search.bytes -= (search.mask + 1) * sizeof(uint32_t)
    search.bytes += slots * sizeof(uint32_t)
    free(search.slots)
    search.slots = <uint32_t*>block
    search.mask = slots - 1
    search.room = room
    for i in range(search.count):
        search.slots[find(search, search.nodes[i].low, search.nodes[i].high)] = i + 1
    return True


cdef inline uint64_t find(const Search* search, uint64_t low, uint64_t high) noexcept nogil:
    """The slot of the latest node of a key, or the free one where it belongs."""
    cdef uint64_t slot = (low ^ (low >> 32)) & search.mask
    cdef const Node* node
    while search.slots[slot] != 0:
        node = &search.nodes[search.slots[slot] - 1]
        if node.low == low and node.high == high:
            break
        slot = (slot + 1) & search.mask
    return slot


cdef bint add(
    Search* search, uint64_t low, uint64_t high, uint32_t parent, uint32_t move, int depth, int least
) noexcept nogil:
    """Store a position that is new, or was reached by more moves; false if memory runs out."""
    cdef Node* node
    cdef uint64_t slot
    if search.count == search.room and not make_room(search, 2 * search.room):
        return False
    slot = find(search, low, high)
    if search.slots[slot] != 0:
        search.nodes[search.slots[slot] - 1].is_done = True
    node = &search.nodes[search.count]
    node.low = low
    node.high = high
    node.parent = parent
    node.move = move
    node.depth = depth
    node.least = least
    node.is_done = False
    if not push(search, &search.open[least], search.count):
        return False
    search.count += 1
    search.slots[slot] = search.count
    return True


cdef bint push(Search* search, Stack* stack, uint32_t number) noexcept nogil:
    cdef uint32_t room
    cdef void* block
    if stack.count == stack.room:
        room = 2 * stack.room if stack.room else 256
        if search.bytes + (room - stack.room) * sizeof(uint32_t) > search.max_bytes:
            return False
        block = realloc(stack.node, room * sizeof(uint32_t))
        if block == NULL:
            return False
        search.bytes += (room - stack.room) * sizeof(uint32_t)
        stack.node = <uint32_t*>block
        stack.room = room
    stack.node[stack.count] = number
    stack.count += 1
    return True


cdef void go_to(Search* search, uint32_t number) noexcept nogil:
    """Bring the board to a node, by way of what its path has in common with the board's."""
    cdef uint32_t path[MOST_MOVES + 1]
    cdef int depth = search.nodes[number].depth, common = depth
    cdef uint16_t move
    while common > search.depth or (common > 0 and search.path[common] != number):
        path[common] = number
        number = search.nodes[number].parent
        common -= 1
    while search.depth > common:
        search.depth -= 1
        take_back(&search.board, search.steps[search.depth])
    while search.depth < depth:
        move = search.nodes[path[search.depth + 1]].move
        search.steps[search.depth] = play(&search.board, move & 15, move >> 4 & 15, move >> 8)
        search.depth += 1
        search.path[search.depth] = path[search.depth]


cdef Stage run_search(Search* search, Kernel kernel, Line* line) noexcept nogil:
    """Go on until ``line``, which wins, can be made shorter, the lower bound rises, or a limit is met."""
    cdef Stack* stack
    cdef uint32_t number
    cdef Stage stage
    while <uint64_t>search.lower_bound < line.length:
        if search.lower_bound == MOST_MOVES:
            return NO_ROOM
        stack = &search.open[search.lower_bound]
        if stack.count == 0:
            search.lower_bound += 1
            return IMPROVED if <uint64_t>search.lower_bound < line.length else PROVED
        if not may_expand(kernel):
            return ENDED
        stack.count -= 1
        number = stack.node[stack.count]
        if search.nodes[number].is_done:
            continue
        search.nodes[number].is_done = True
        stage = expand(search, kernel, number, line)
        if stage != PROVED:
            return stage
    return PROVED


cdef Stage expand(Search* search, Kernel kernel, uint32_t number, Line* line) noexcept nogil:
    """Add the successors of a node: PROVED if all is well, IMPROVED if one is won by fewer moves."""
    cdef uint32_t moves[MAX_MOVES]
    cdef uint64_t low, high, slot
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
            slot = find(search, low, high & HIGH)
            if search.slots[slot] != 0 and search.nodes[search.slots[slot] - 1].depth <= depth:
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
        slot = find(search, low, high)
        if search.slots[slot] != 0:
            node = &search.nodes[search.slots[slot] - 1]
            if node.depth <= depth:
                take_back(&search.board, search.steps[search.depth])
                continue
            least = node.least - (node.depth - depth)
        else:
            least = depth + least_moves(&search.board)
        take_back(&search.board, search.steps[search.depth])
        if least < search.lower_bound:
            least = search.lower_bound
        if <uint64_t>least < line.length and least < MOST_MOVES:
            if not add(search, low, high, number, move, depth, least):
                return NO_ROOM
    return stage


cdef void write_line(const Search* search, uint32_t number, uint32_t move, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to a node and one more; they are fewer."""
    line.length = search.nodes[number].depth + 1
    line.move[line.length - 1] = move
    while search.nodes[number].depth > 0:
        line.move[search.nodes[number].depth - 1] = search.nodes[number].move
        number = search.nodes[number].parent
