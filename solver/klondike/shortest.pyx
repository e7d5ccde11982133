"""Lines of fewest moves by weighted A* over exact keys.

Nodes are ordered by the moves made plus a lower bound of those still needed. A node is reopened when a
shorter path to it is found; the bound of a child is at least that of its parent less the moves between
them. With a weight above 1 the search prefers nodes of small bound: it finds short lines quickly, but
proves nothing. The kernel runs a schedule of decreasing weights, as an anytime search.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.kernel cimport A_STAR, BEAM, MEMORY, NOTHING, WORK, may_expand, may_pass
from ..core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, SEARCHING, STOPPED, Node, add_node, dequeue, enqueue, find_slot, first_queued,
    free_nodes, next_node, nodes_bytes, note_way, reset_nodes,
)
from .landmarks cimport Landmarks
from ..core.work cimport KLONDIKE_NODE
from .beam cimport beam_bytes, free_beam, run_beam
from .exact cimport (
    REDEALS_AT, cards_left, columns_bound, draws_left, find_steps, open_exact_layout, stock_bound, unpack_exact,
)
from .landmarks cimport COMPLETE, LOST, Completion, find_landmarks, free_pool, inherit_landmarks, keep_landmarks, landmarks_bound, load_landmarks, open_pool
from .line cimport make_step

cdef enum:
    FIRST_WIDTH = 60
    LAST_WIDTH = 1000000
    HAS_FULL_BOUND = 1 << 17       # beside the code of its move: all of the bound is in what a node needs
    LARGEST_BOUND = 256


# --- A* -------------------------------------------------------------------------------------------------


cdef void free_shortest(Shortest* search) noexcept nogil:
    """Free the memory."""
    free_nodes(&search.nodes)
    free_pool(&search.pool)
    free_beam(&search.beam)


cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil:
    """Return the bytes held."""
    return nodes_bytes(&search.nodes) + search.pool.room * sizeof(uint64_t) + beam_bytes(&search.beam)


cdef void begin_shortest(Shortest* search, const Desk* desk, uint32_t fewest, uint64_t max_bytes) noexcept nogil:
    """Prepare a search from a state for a line of fewer than ``fewest`` moves."""
    free_shortest(search)
    search.fewest = fewest
    search.won = NO_NODE
    search.max_bytes = max_bytes
    search.width = FIRST_WIDTH
    search.is_open = False
    search.beam_work = search.star_work = 0
    search.evaluated = search.games = 0
    open_exact_layout(&search.start, desk, &search.low, &search.high)
    read(search, search.low, search.high)
    search.lower_bound = min(fewest, <uint32_t>(search.left + search.stock + search.columns))
    search.beam.start = &search.start
    search.beam.table = &search.table
    search.beam.steps = &search.steps


cdef Progress improve_shortest(Shortest* search, Kernel kernel) noexcept nogil:
    """Shorten the line known or raise the lower bound; see Progress."""
    cdef Progress progress
    cdef uint64_t before
    cdef uint32_t known = search.fewest
    while True:
        if search.width <= LAST_WIDTH and search.star_work >= 2 * search.beam_work or search.width <= 1000:
            before = kernel.work_done()
            kernel.begin_stage(BEAM, KLONDIKE_NODE)
            search.beam.fewest = search.fewest
            if not run_beam(&search.beam, kernel, search.low, search.high, search.width, search.max_bytes):
                return STOPPED
            search.beam_work += kernel.work_done() - before
            search.width = search.width * 5 // 2
            if search.beam.won != NO_NODE:
                search.won = search.beam.won
                search.is_of_beam = True
                search.fewest = search.beam.fewest
                return IMPROVED
            continue
        free_beam(&search.beam)
        before = kernel.work_done()
        kernel.begin_stage(A_STAR, KLONDIKE_NODE)
        if not search.is_open and not open_star(search):
            kernel.reason = MEMORY
            return STOPPED
        if search.width <= LAST_WIDTH:
            kernel.allow_work(2 * search.beam_work - search.star_work)
        progress = run_star(search, kernel)
        search.star_work += kernel.work_done() - before
        if progress == STOPPED and kernel.reason == WORK and kernel.work_done() < kernel.max_work:
            kernel.reason = NOTHING
            kernel.allow_work(kernel.max_work)
            continue
        kernel.allow_work(kernel.max_work)
        return progress


cdef bint open_star(Shortest* search) noexcept nogil:
    """Begin A*; false if memory does not allow it."""
    cdef Step step
    search.is_open = True
    open_pool(&search.pool)
    read(search, search.low, search.high)
    step = Step(search.low, search.high, 0, search.left, search.stock, search.columns, 0)
    if not reset_nodes(&search.nodes, search.fewest + LARGEST_BOUND, 1, search.max_bytes):
        return False
    return generate(search, NO_NODE, &step)


cdef inline int bound_of_step(const Step* step) noexcept nogil:
    """Return the bound of a child."""
    return step.left + step.stock + step.columns


cdef inline void read(Shortest* search, uint64_t low, uint64_t high) noexcept nogil:
    """Unpack a key and bound it."""
    cdef ExactPosition* t = &search.table
    unpack_exact(&search.start, t, low, high)
    search.left = cards_left(&search.start, t)
    search.stock = stock_bound(&search.start, t, t.count, t.waste, t.redeals)
    search.columns = columns_bound(&search.start, t)


cdef Progress run_star(Shortest* search, Kernel kernel) noexcept nogil:
    """Search until there is progress to report; see Progress."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t number, passed = 0, known = search.fewest
    cdef Progress progress
    while search.fewest == known:
        progress = next_node(nodes, search.fewest, &search.lower_bound, &number)
        if progress != SEARCHING:
            return progress
        dequeue(nodes, number)
        read(search, nodes.nodes[number].low, nodes.nodes[number].high)
        if not complete_bound(search, number):
            kernel.add_work(search.landmarks.games * 350 + 300)
            if not may_pass(kernel, &passed):
                return STOPPED
            continue
        if not may_expand(kernel):
            enqueue(nodes, number)
            return STOPPED
        if not expand(search, kernel, number):
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef bint complete_bound(Shortest* search, uint32_t number) noexcept nogil:
    """Compute the full bound of a node, which is unpacked; false if it is requeued because the bound grew, or lost."""
    cdef Node* node = &search.nodes.nodes[number]
    cdef Landmarks earlier
    cdef int others = search.left + draws_left(&search.start, node.low, node.high), needed
    cdef Completion completion
    load_landmarks(&search.pool, node.note, &search.landmarks)
    if node.move & HAS_FULL_BOUND:
        return True
    search.evaluated += 1
    if node.parent != NO_NODE:
        load_landmarks(&search.pool, search.nodes.nodes[node.parent].note, &earlier)
        inherit_landmarks(&search.table, &search.landmarks, &earlier, node.move)
    completion = find_landmarks(&search.start, &search.table, &search.landmarks, node.needed + 1 - others)
    if completion == LOST:
        return False
    if completion == COMPLETE:
        node.move |= HAS_FULL_BOUND
    node.note = keep_landmarks(&search.pool, &search.landmarks)
    search.games += search.landmarks.games
    needed = others + landmarks_bound(&search.start, search.table.redeals, &search.landmarks)
    if needed <= node.needed:
        return True
    node.needed = needed
    if node.moves + needed < search.fewest:
        enqueue(&search.nodes, number)
    return False


cdef bint generate(Shortest* search, uint32_t parent, const Step* step) noexcept nogil:
    """Add or update a child, if it is new or reached by fewer moves, and a line through it could beat the
    best one. False if memory runs out."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t* slot
    cdef uint32_t number, move = step.code, moves = step.moves, needed = bound_of_step(step)
    cdef Node* node
    cdef Landmarks here
    if parent != NO_NODE:
        needed = max(needed, <int>nodes.nodes[parent].needed + nodes.nodes[parent].moves - step.moves)
        here.count = here.moves = 0
        inherit_landmarks(&search.table, &here, &search.landmarks, move)
        needed = max(needed, step.left + draws_left(&search.start, step.low, step.high) + landmarks_bound(&search.start, step.high >> REDEALS_AT & 7, &here))
    if moves + needed >= search.fewest:
        return True
    slot = find_slot(nodes, step.low, step.high)
    if slot[0] != 0:
        number = slot[0] - 1
        node = &nodes.nodes[number]
        if moves >= node.moves:
            return True
        needed = max(needed, node.needed)
        move |= node.move & HAS_FULL_BOUND
        if node.queued:
            dequeue(nodes, number)
    else:
        number = add_node(nodes, slot, step.low, step.high)
        if number == NO_NODE:
            return False
        node = &nodes.nodes[number]
        node.note = 0
    note_way(node, parent, moves, move)
    node.needed = needed
    if step.left == 0:
        search.fewest = moves
        search.won = number
        search.is_of_beam = False
    else:
        enqueue(nodes, number)
    return True


cdef bint expand(Shortest* search, Kernel kernel, uint32_t number) noexcept nogil:
    """Generate the children of a node, which is unpacked; false if memory runs out."""
    cdef int i
    cdef Step here = Step(
        search.table.low, search.table.high, search.nodes.nodes[number].moves, search.left, search.stock,
        search.columns, 0
    )
    find_steps(&search.steps, &search.start, &search.table, &here)
    kernel.generated += search.steps.count
    for i in range(search.steps.count):
        if not generate(search, number, &search.steps.step[i]):
            return False
    return True


# --- Lines ----------------------------------------------------------------------------------------------


cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil:
    """Write the line found from ``desk``, and set `fewest` to its number of moves, which may have fallen
    since."""
    cdef Node* nodes = search.beam.nodes.nodes if search.is_of_beam else search.nodes.nodes
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
    """Return the bound of a state, for tests."""
    cdef Shortest search
    open_exact_layout(&search.start, desk, &search.low, &search.high)
    read(&search, search.low, search.high)
    search.landmarks.count = search.landmarks.moves = 0
    find_landmarks(&search.start, &search.table, &search.landmarks, 255)
    return max(search.left + search.stock + search.columns,
               search.left + draws_left(&search.start, search.low, search.high)
               + landmarks_bound(&search.start, search.table.redeals, &search.landmarks))
