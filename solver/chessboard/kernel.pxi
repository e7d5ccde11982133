"""Kernel of Chessboard and Fortress: complete depth-first search with an exact transposition table.

Move ordering finds wins; the line found is shortened by merging moves of one card, and `shortest` searches
for a shortest one. Of lost deals `most_up` finds the most cards that can go up. Pruning splits saves a third
of the states, and trying the others late a factor of more than 40 (see `position.generate`).

Soundness: LOST is returned only by an exhausted search, which expanded every reachable state except those
made unnecessary by safe foundation moves (Theorem C2), blocked states (Theorem C6) and splits that are not
needed (Theorem C7). Keys are exact, so two states are never confused. Batches replay every line by `replay`.
Invariant: after each step, `position.check` holds. Memory: 16 bytes a slot of the table, at most 60 % full,
and stacks for the path.
"""

cdef enum:
    QUICK = 3           # weight of the first A* search for a shorter line
    FIRST_FRAMES = 64
    KEPT_FRAMES = 4096  # larger stacks are freed before the next deal
    NO_HOP = -1
    BLOCKED = 2         # a result of `make`, like ADDED and KNOWN
    PLACES = UP + 1     # columns and, as one, the foundations

cdef enum Outcome:
    LOST, WON, OPEN

cdef struct Frame:      # a state on the path
    uint32_t first, end     # its untried moves are moves[first:end], the best one last
    uint32_t steps      # number of steps from the start
    uint16_t back       # the reverse of the move that led to it, or NO_MOVE

cdef struct Hop:            # a move of one card
    uint8_t source, target  # columns; the target may be UP
    int32_t before_source, before_target    # the previous hop from or to each of the two, or NO_HOP

cdef struct Line:
    Hop* hops
    uint32_t length, room

cdef struct Chessboard:     # a kernel
    Kernel kernel
    Position position
    Line found                  # the winning line
    Table table
    Shortest shortest
    MostUp most_up
    Frame* frames               # the path
    uint16_t* moves             # untried moves of the path, packed by `pack_move` of core/nodes.pxd
    uint32_t depth
    uint64_t frame_room, move_room
    bint is_chessboard          # the game, else Fortress
    Game start                  # the position from which lines are replayed
    int goal                    # cards that are up at the end of a line


# --- Depth-first search -------------------------------------------------------------------------------------


cdef inline Outcome search(Chessboard* self) noexcept nogil:
    """Decide the loaded position. Returns WON with the line in ``found``, LOST after an exhausted search,
    or OPEN with the limit in ``reason``."""
    cdef Position* p = &self.position
    cdef Frame* frame
    cdef uint16_t move, back
    cdef int added
    cdef bint is_small = (
        self.frame_room + self.move_room // 8 + p.step_room // 4 <= 3 * KEPT_FRAMES)
    self.depth = 0
    begin_stage(&self.kernel, DEPTH_FIRST, CHESSBOARD_STATE)
    free_shortest(&self.shortest)
    if (not (is_small or make_stack_room(self, FIRST_FRAMES))
            or not table_reset(&self.table, table_share(self))):
        self.kernel.reason = MEMORY
        return OPEN
    play_up_forced(p)
    table_insert(&self.table, p.low, p.high)
    if p.left == 0:
        return note_line(self)
    if not may_expand(&self.kernel):
        return OPEN
    if is_blocked(p, NO_MOVE):
        return LOST
    if not open_frame(self, 0, NO_MOVE):
        return OPEN
    while self.depth > 0:
        frame = &self.frames[self.depth - 1]
        if frame.end == frame.first:
            self.depth -= 1
            if self.depth > 0:
                undo_to(p, self.frames[self.depth - 1].steps)
            continue
        frame.end -= 1
        move = self.moves[frame.end]
        if move == frame.back:
            continue
        self.kernel.generated += 1
        added = make(self, move)
        if added == KNOWN:
            undo_to(p, frame.steps)
            continue
        if added == BLOCKED:
            continue
        if p.left == 0:
            return note_line(self)
        if added == NO_MEMORY:
            self.kernel.reason = MEMORY
            return OPEN
        back = NO_MOVE
        if p.step_count - frame.steps == count_of(move) and target_of(move) != UP:
            back = pack_move(target_of(move), source_of(move), count_of(move))
        elif is_blocked(p, NO_MOVE):
            undo_to(p, frame.steps)
            continue
        if not may_expand(&self.kernel) or not open_frame(self, frame.end, back):
            return OPEN
    return LOST


cdef inline Outcome note_line(Chessboard* self) noexcept nogil:
    """Copy the steps of the won position to ``found``, shortened. Returns WON, or OPEN if memory runs
    out."""
    cdef uint64_t line = self.position.step_count * sizeof(Hop)
    if stack_bytes(self) + table_bytes(&self.table) + line > self.kernel.limits.bytes:
        table_free(&self.table)     # not needed any more
    if straighten_line(&self.found, &self.position):
        return WON
    self.kernel.reason = MEMORY
    return OPEN


cdef inline int make(Chessboard* self, uint16_t move) noexcept nogil:
    """Make a move card by card, with the safe foundation moves that follow, and enter the state in the
    table.

    Returns ADDED, KNOWN, NO_MEMORY or BLOCKED. If the key can be computed in advance, the moves to a
    KNOWN state are not made; nor, if no foundation move follows, those to a BLOCKED one. Otherwise the
    caller has to undo them.
    """
    cdef Position* p = &self.position
    cdef uint64_t low, high
    cdef int _, added = ADDED
    cdef Foreseen foreseen = foresee(p, move, &low, &high)
    if foreseen != UNFORESEEN:
        added = table_insert(&self.table, low, high)
        if added == KNOWN:
            return KNOWN
    # A reversible move leads to a state from which the previous one, which is not blocked, can be
    # reached.
    if foreseen == QUIET and not may_return(p, move) and is_blocked(p, move):
        return BLOCKED
    for _ in range(count_of(move)):
        step(p, source_of(move), target_of(move))
    if foreseen == QUIET:
        return added
    play_up_forced(p)
    if foreseen == UNFORESEEN:
        return table_insert(&self.table, p.low, p.high)
    invariant(p.low == low and p.high == high)
    return added


cdef inline bint open_frame(Chessboard* self, uint32_t first_move, uint16_t back) noexcept nogil:
    """Push the present state onto the path, with its moves from ``moves[first_move]`` on. Returns False,
    setting the reason, if memory runs out."""
    cdef Frame* frame
    if (self.depth == self.frame_room or first_move + MAX_MOVES > self.move_room
            or self.position.step_count + MAX_STEPS > self.position.step_room):
        if not grow_stacks(self, first_move):
            self.kernel.reason = MEMORY
            return False
    frame = &self.frames[self.depth]
    self.depth += 1
    frame.first = first_move
    frame.back = back
    frame.end = first_move + generate(&self.position, self.moves + first_move)
    invariant(frame.end - first_move <= MAX_MOVES)
    if IS_CHECKED:
        check(&self.position)
    frame.steps = self.position.step_count
    return True


# --- Memory -------------------------------------------------------------------------------------------------


cdef inline Chessboard* open_chessboard() noexcept nogil:
    """A new kernel, which `close_chessboard` frees; NULL if allocation fails."""
    cdef Chessboard* self = <Chessboard*>calloc(1, sizeof(Chessboard))
    if self != NULL and not make_stack_room(self, FIRST_FRAMES):
        close_chessboard(self)
        return NULL
    if self != NULL:
        self.kernel.note = <void (*)(Kernel*) noexcept nogil>note
    return self


cdef inline void close_chessboard(Chessboard* self) noexcept nogil:
    """Free a kernel, which may be NULL."""
    if self == NULL:
        return
    free(self.frames)
    free(self.moves)
    free(self.position.steps)
    free_line(&self.found)
    table_free(&self.table)
    free_shortest(&self.shortest)
    free_most_up(&self.most_up)
    free(self)


cdef inline uint64_t stack_bytes(Chessboard* self) noexcept nogil:
    return (self.frame_room * sizeof(Frame) + self.move_room * sizeof(uint16_t)
            + self.position.step_room * sizeof(MadeMove))


cdef inline uint64_t table_share(Chessboard* self) noexcept nogil:
    """The bytes that the memory limit leaves for the table, or for the nodes of A* instead."""
    cdef uint64_t stacks = stack_bytes(self)
    return self.kernel.limits.bytes - stacks if self.kernel.limits.bytes > stacks else 0


cdef inline bint grow_stacks(Chessboard* self, uint32_t first_move) noexcept nogil:
    """Double the stacks that are full, if ``first_move`` untried moves are in use. Returns False if
    memory does not suffice."""
    cdef Position* p = &self.position
    if self.depth == self.frame_room and not widen(self, &self.frames, &self.frame_room, sizeof(Frame)):
        return False
    if first_move + MAX_MOVES > self.move_room:
        if not widen(self, &self.moves, &self.move_room, sizeof(uint16_t)):
            return False
    if p.step_count + MAX_STEPS > p.step_room:
        if not widen(self, &p.steps, &p.step_room, sizeof(MadeMove)):
            return False
    self.table.max_bytes = table_share(self)
    return True


cdef inline bint widen(Chessboard* self, void* stack, uint64_t* room, uint64_t size) noexcept nogil:
    """Double the capacity ``room`` of a stack of items of ``size`` bytes, up to 2^32 items. Returns False
    if the old and the new stack together exceed the memory limit, or if allocation fails."""
    cdef uint64_t others = stack_bytes(self) - room[0] * size + (self.table.mask + 1) * sizeof(Entry)
    cdef uint64_t left = self.kernel.limits.bytes - others if self.kernel.limits.bytes > others else 0
    return more_room(stack, room, 1, size, min(left, size << 32))


cdef inline bint make_stack_room(Chessboard* self, uint32_t frames) noexcept nogil:
    """Allocate stacks for ``frames`` states and a corresponding number of moves and steps. Returns False
    if allocation fails."""
    if not resize(&self.frames, frames, sizeof(Frame)):
        return False
    self.frame_room = frames
    if not resize(&self.moves, 8 * frames + MAX_MOVES, sizeof(uint16_t)):
        return False
    self.move_room = 8 * frames + MAX_MOVES
    return make_step_room(&self.position, 4 * frames + MAX_STEPS)


cdef inline void note(Chessboard* self) noexcept nogil:
    """Update the figures that other threads read."""
    self.kernel.bytes_held = (
        stack_bytes(self) + self.found.room * sizeof(Hop) + table_bytes(&self.table)
        + nodes_bytes(&self.shortest.nodes) + explored_bytes(&self.most_up.reached))
    if self.kernel.stage_now == A_STAR:
        self.kernel.moves_now = self.shortest.fewest
        self.kernel.lower_bound_now = self.shortest.lower_bound
    elif self.kernel.stage_now == BREADTH_FIRST:
        self.kernel.score_now = self.most_up.up


# --- Shortest lines -----------------------------------------------------------------------------------------


cdef inline bint open_improvement(Chessboard* self, uint32_t fewest, uint32_t weight) noexcept nogil:
    """Start an A* search for a line of fewer than ``fewest`` moves from the present position. Returns
    False, setting the reason, if memory does not suffice."""
    table_free(&self.table)
    begin_stage(&self.kernel, A_STAR, CHESSBOARD_NODE)
    if open_shortest(&self.shortest, &self.position, fewest, weight, table_share(self)):
        note(self)
        return True
    self.kernel.reason = MEMORY
    return False


cdef inline void play_shortest(Chessboard* self) noexcept nogil:
    """Play the line that A* found from the start, and copy it to ``found``. The steps of the position and
    ``found`` must have capacity for it."""
    cdef Position* p = &self.position
    cdef uint32_t number = next_number(&self.shortest, NO_NODE)
    cdef int source, target
    play_up_forced(p)
    while number != self.shortest.won:
        number = next_number(&self.shortest, number)
        read_move(&self.shortest, p, number, &source, &target)
        step(p, source, target)
        play_up_forced(p)
    copy_line(&self.found, p)


# --- Most cards up ------------------------------------------------------------------------------------------


cdef inline bint find_most_up(Chessboard* self, int enough) noexcept nogil:
    """Search for the most cards up, or for ``enough``. Returns False, setting the reason, at a limit."""
    undo_to(&self.position, 0)
    table_free(&self.table)
    free_shortest(&self.shortest)
    begin_stage(&self.kernel, BREADTH_FIRST, CHESSBOARD_POSITION)
    if not open_most_up(&self.most_up, &self.position, table_share(self)):
        self.kernel.reason = MEMORY
        return False
    note(self)
    return run_most_up(&self.most_up, &self.kernel, &self.position, enough)


cdef inline bint copy_most_up(Chessboard* self) noexcept nogil:
    """Copy the line to the position with the most cards up that was found to ``found``. Returns False if
    memory runs out."""
    cdef Position* p = &self.position
    cdef uint32_t room = self.most_up.fewest + MAX_STEPS
    if p.step_room < room and not make_step_room(p, room) or not make_line_room(&self.found, room):
        return False
    play_most_up(&self.most_up, p)
    copy_line(&self.found, p)
    undo_to(p, 0)
    return True


# --- The line without detours ------------------------------------------------------------------------------

# A depth-first search moves cards to and fro. A hop is a move of one card. Let hop i put a card on a column,
# and let the next hop from or to that column, j, take it from there. If no hop between i and j is from or to
# the column that i took the card from, the card can stay there until j: if j puts it back there, both hops
# are removed; otherwise i is removed and j takes the card from there. If no hop between them is from or to
# the column that j puts the card on, i can put it there, and j is removed. All other hops stay legal, and
# after j every card lies where it did. The foundations count as one column here, so that the order in which
# cards go up does not change.


cdef inline void free_line(Line* line) noexcept nogil:
    free(line.hops)
    line.hops = NULL
    line.length = line.room = 0


cdef inline bint make_line_room(Line* line, uint32_t room) noexcept nogil:
    """Reserve capacity for ``room`` hops. Returns False, changing nothing, if allocation fails."""
    if line.room < room:
        if not resize(&line.hops, room, sizeof(Hop)):
            return False
        line.room = room
    return True


cdef inline void copy_line(Line* line, const Position* p) noexcept nogil:
    """Copy the steps of ``p`` to ``line``, which must have capacity for them."""
    cdef uint32_t i
    invariant(p.step_count <= line.room)
    line.length = p.step_count
    for i in range(p.step_count):
        line.hops[i].source = p.steps[i].source
        line.hops[i].target = p.steps[i].target


cdef inline bint straighten_line(Line* line, const Position* p) noexcept nogil:
    """Copy the steps of ``p`` to ``line``, with hops merged. Returns False if allocation fails."""
    cdef int32_t last[PLACES]       # the last hop from or to each place
    cdef uint32_t i
    cdef int32_t kept = 0
    cdef int place
    if not make_line_room(line, p.step_count):
        return False
    copy_line(line, p)
    for place in range(PLACES):
        last[place] = NO_HOP
    for i in range(line.length):
        # A removed hop keeps its index until the end, since indices order the hops in time.
        kept = add_hop(line, last, kept, line.hops[i].source, line.hops[i].target)
    line.length = 0
    for i in range(<uint32_t>kept):
        if line.hops[i].source != line.hops[i].target:
            line.hops[line.length] = line.hops[i]
            line.length += 1
    return True


cdef inline int32_t add_hop(Line* line, int32_t* last, int32_t count, int source, int target) noexcept nogil:
    """Append a hop to the first ``count`` ones, or merge it with one of them; return their number then.

    ``last`` has for each place the last hop from or to it. A removed hop becomes one from a column to itself.
    """
    cdef int32_t before = last[source]
    cdef Hop* hop
    while before != NO_HOP and line.hops[before].target == source:
        hop = &line.hops[before]
        if last[hop.source] == before:
            last[source] = hop.before_target
            last[hop.source] = hop.before_source
            source = hop.source
            hop.target = source
            if source == target:
                return count
            before = last[source]
        elif last[target] < before:
            last[source] = hop.before_target
            hop.target = target
            hop.before_target = last[target]
            last[target] = before
            return count
        else:
            break
    hop = &line.hops[count]
    hop.source = source
    hop.target = target
    hop.before_source = last[source]
    hop.before_target = last[target]
    last[source] = last[target] = count
    return count + 1


# --- Replay -------------------------------------------------------------------------------------------------


cdef inline bint replays(const Chessboard* self) noexcept nogil:
    """Test if ``found`` reaches the goal by the rules of `replay`."""
    cdef Game game = self.start
    cdef uint32_t i
    cdef int target
    for i in range(self.found.length):
        target = self.found.hops[i].target
        if not replay.play(&game, self.found.hops[i].source, replay.FOUNDATION if target == UP else target):
            return False
    return replay.cards_up(&game) >= self.goal
