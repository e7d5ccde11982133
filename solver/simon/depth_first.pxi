"""Complete depth-first search of positions with a transposition table: slow, but it can decide every deal.

Why it is there: it is the only search that proves a loss if the classes of a deal can be won but the deal
cannot, which happens in short decks (docs/theory/simon.md, "Stages of the portfolio", stage 17).

Soundness: positions are equal up to the order of columns (Theorem S1). So only one empty column is tried as
target, and a whole column is never moved to an empty one. Memory: 16 bytes a slot of the table, at most 60 %
full; the stack takes the rest of ``max_bytes``.
"""

cdef struct Frame:      # a position on the path; its untried moves are moves[first:end], the best one last
    uint32_t first, end

cdef struct DepthFirst:
    Position position
    Table table
    Frame* frames       # frames[d + 1] was reached by steps[d]
    MadeMove* steps
    uint32_t* moves
    uint64_t depth
    uint64_t room       # capacity of frames and steps; that of moves is eight times as much, plus MAX_MOVES
    uint64_t max_bytes


cdef inline Outcome search_positions(Kernel* kernel, const Layout* layout, uint64_t nodes, uint64_t max_bytes,
                                     Line* line) noexcept nogil:
    """Decide ``layout`` with at most ``nodes`` expanded positions and ``max_bytes`` of memory. WON appends
    the moves to ``line``."""
    cdef DepthFirst search
    cdef Outcome outcome
    cdef uint64_t i
    cdef MadeMove step
    memset(&search.table, 0, sizeof(Table))
    search.frames = NULL
    search.steps = NULL
    search.moves = NULL
    search.max_bytes = max_bytes
    search.room = search.depth = 0
    outcome = run(kernel, &search, layout, nodes)
    if outcome == WON:
        for i in range(search.depth):
            step = search.steps[i]
            if not append(line, pack_move(step.source, step.target, step.count)):
                outcome = OUT_OF_MEMORY
                break
    table_free(&search.table)
    free(search.frames)
    free(search.steps)
    free(search.moves)
    kernel.bytes_beside = 0
    return outcome


cdef inline Outcome run(Kernel* kernel, DepthFirst* search, const Layout* layout,
                        uint64_t nodes) noexcept nogil:
    cdef Position* position = &search.position
    cdef Frame* frame
    cdef uint32_t move
    cdef int added
    cdef uint64_t last = kernel.expanded + nodes
    set_position(position, layout)
    if not make_stack_room(search, 64) or not table_reset(&search.table, search.max_bytes - stack_bytes(64)):
        return OUT_OF_MEMORY
    table_insert(&search.table, position.low, without_top_bit(position.high))
    if position.left == 0:
        return WON
    if not may_expand(kernel):
        return OPEN
    search.frames[0].first = 0
    search.frames[0].end = generate_moves(position, search.moves)
    while True:
        frame = &search.frames[search.depth]
        if frame.end == frame.first:
            if search.depth == 0:
                return LOST
            search.depth -= 1
            undo_move(position, search.steps[search.depth])
            continue
        frame.end -= 1
        move = search.moves[frame.end]
        kernel.generated += 1
        added = make_if_new(search, move)
        if added == KNOWN:
            continue
        if added == NO_MEMORY:
            return OUT_OF_MEMORY
        search.depth += 1
        if position.left == 0:
            return WON
        if kernel.expanded & POLL_MASK == POLL_MASK:
            kernel.bytes_beside = stack_bytes(search.room) + table_bytes(&search.table)
        if kernel.expanded >= last or not may_expand(kernel):
            return OPEN
        if search.depth + 1 >= search.room or frame.end + MAX_MOVES > 8 * search.room:
            if not make_stack_room(search, 2 * search.room):
                return OUT_OF_MEMORY
        if IS_CHECKED:
            check_position(position)
        frame = &search.frames[search.depth]
        frame.first = search.frames[search.depth - 1].end
        frame.end = frame.first + generate_moves(position, search.moves + frame.first)


cdef inline int make_if_new(DepthFirst* search, uint32_t move) noexcept nogil:
    """Make a move if it leads to a new position: ADDED. Otherwise return KNOWN, or NO_MEMORY if the table
    cannot grow, without making it."""
    cdef Position* position = &search.position
    cdef uint64_t low, high
    cdef int added, source = source_of(move), target = target_of(move), count = count_of(move)
    if foresee(position, source, target, count, &low, &high):
        added = table_insert(&search.table, low, without_top_bit(high))
        if added == ADDED:
            search.steps[search.depth] = do_move(position, source, target, count)
        return added
    search.steps[search.depth] = do_move(position, source, target, count)
    added = table_insert(&search.table, position.low, without_top_bit(position.high))
    if added != ADDED:
        undo_move(position, search.steps[search.depth])
    return added


cdef inline uint64_t stack_bytes(uint64_t room) noexcept nogil:
    return room * (sizeof(Frame) + sizeof(MadeMove) + 8 * sizeof(uint32_t)) + MAX_MOVES * sizeof(uint32_t)


cdef inline bint make_stack_room(DepthFirst* search, uint64_t room) noexcept nogil:
    """Allocate stacks for ``room`` positions. Returns False if they and the table exceed the memory limit, or
    if allocation fails."""
    cdef uint64_t table = (search.table.mask + 1) * sizeof(Entry) if search.table.entries != NULL else 0
    if table + stack_bytes(room) + stack_bytes(search.room) > search.max_bytes:
        return False
    if not (
        resize(&search.frames, room, sizeof(Frame))
        and resize(&search.steps, room, sizeof(MadeMove))
        and resize(&search.moves, 8 * room + MAX_MOVES, sizeof(uint32_t))
    ):
        return False
    search.room = room
    search.table.max_bytes = search.max_bytes - stack_bytes(room)
    return True
