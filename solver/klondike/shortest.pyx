"""Lines of fewest moves by beams and A* over exact keys.

The searches take turns, which end after so much work. First beams look for short lines, each wider than the
one before, and one guided by landmarks, which tell dead ends. After it, beams look for shorter ends of the
line known, from ever earlier positions of it. Then A* without a weight proves that there is no shorter line,
or raises the lower bound; it gets most of the work, and wider guided beams, with ends, the rest; they begin
at nodes that A* has queued, and leave out those that it has expanded. A deal is hard where the first beams
have no line, which happens if nearly all short ways are dead ends. Then, by turns, a guided beam and A* with
three weights, which prefers nodes of small bound, look for another line, and beams for ends of it. A deal is
no longer hard if a beam from the start finds a line, or if the bound is near the line known.

Nodes of A* are ordered by the moves made plus a lower bound of those still needed. A node is reopened when
a shorter path to it is found; the bound of a child is at least that of its parent less the moves between
them. A node that comes first is given landmarks only until its bound has grown, and is queued again. Where
memory ends the oldest landmarks are forgotten; bounds stay. A step that could as well wait for a later play
of the stock waits (Theorem K14).

Landmarks found last are tried first. They save time, but are often those of other positions; a weighted
search may go astray by them, and in every other round of the weights does without.

A layer of a beam holds the positions that so many moves led to; a step of several moves goes as many layers
on. Of each layer the positions of least score are kept and expanded: those with the least bound of the moves
left, without landmarks, plus a part for each card of the stock and the waste, plus a part that is random but
the same in each run. The scores of positions with the same dealt cards in each column rise by their rank
among these, as all of them may be dead ends together. What cannot be part of a line shorter than the best one
known is dropped. A guided beam gives landmarks to twice as many positions as it keeps, beginning with those
that each has from the position before it, and chooses by that bound.
"""

# optimised: searches spend their time here

from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport count_bits, hash_words, highest_bit
from ..core.hash_set cimport ADDED, NO_MEMORY, table_bytes, table_free, table_insert, table_reset
from ..core.invariant cimport invariant
from ..core.kernel cimport A_STAR, BEAM, MEMORY, NOTHING, UNLIMITED, WORK, may_expand, may_pass
from ..core.memory cimport more_room
from ..core.nodes cimport (IMPROVED, NO_NODE, PROVED, SEARCHING, STOPPED, Node, add_node, dequeue, enqueue,
                           find_slot, free_nodes, next_node, nodes_bytes, note_way, reset_nodes)
from ..core.work cimport KLONDIKE_BEAM, KLONDIKE_GAME, KLONDIKE_NODE, UNIT
from .exact cimport (LAST_AT, OLDER_AT, REDEALS_AT, SLOTS_AT, Step, cards_left, columns_bound, draws_left,
                     find_steps, may_follow, open_exact_layout, pack_exact, stock_bound, unpack_exact)
from .landmarks cimport (COMPLETE, LOST, Completion, Recent, find_landmarks, forget_oldest, free_pool,
                         inherit_landmarks, keep_landmarks, landmarks_bound, load_landmarks, open_pool,
                         pool_bytes)
from .line cimport make_step, move_cards

cdef enum:
    HAS_FULL_BOUND = 1 << 14    # beside the code of its move: the landmarks of a node are complete
    LARGEST_BOUND = 256
    FIRST_WIDTH = 200           # of beams,
    FIRST_BEAMS = 1250          # before anything else up to this one
    LAST_WIDTH = 1 << 17
    FRONTIER = 64               # nodes of A* looked at, for each position of a beam from these,
    MOST_FRONTIER = 1 << 20     # and in all
    FIRST_GUIDED_WIDTH = 400
    POLLED = 256                # candidates given landmarks between two polls
    WEIGHTS = 3                 # of weighted A*, by turns
    PROOF_SHARE = 4             # work of the proof, where that of the other searches is 1,
    FEW = 24                    # times the bytes of the landmarks are fewer than those of the nodes
    NEAR = 4                    # a line is near a bound if longer by one such part of it at most
    HARD_SHARE = 4              # of the other searches' work in all, a turn of the proof of a hard deal
    ENDINGS = 16                # of a line, of as many parts of it
    ENDING_WIDTH = 1000         # of beams for them,
    FIRST_ENDING_WIDTH = 300    # and of those before any weighted A*

cdef uint32_t WEIGHT[WEIGHTS]
WEIGHT[:] = [8, 4, 3]        # of the bound, where that of the moves is 2
cdef uint64_t LONG = <uint64_t>10_000_000 * UNIT   # of both together, beyond which both have the same share
cdef uint64_t FIRST_WEIGHTED = 600_000 * UNIT   # work of weighted A*, at least


# --- The schedule ---------------------------------------------------------------------------------------

cdef void free_star(Star* star) noexcept nogil:
    free_nodes(&star.nodes)
    free_pool(&star.pool)
    star.is_open = False


cdef inline uint64_t star_bytes(const Star* star) noexcept nogil:
    return nodes_bytes(&star.nodes) + pool_bytes(&star.pool)


cdef void free_shortest(Shortest* search) noexcept nogil:
    free_beam(&search.beam)
    free_star(&search.weighted)
    free_star(&search.proof)


cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil:
    return beam_bytes(&search.beam) + star_bytes(&search.weighted) + star_bytes(&search.proof)


cdef void begin_shortest(Shortest* search, const Desk* desk, int goal, const Line* line,
                         uint64_t max_bytes) noexcept nogil:
    """Prepare a search from a state for a shorter line than ``line`` to ``goal`` cards up."""
    free_shortest(search)
    search.fewest = line.count
    search.max_bytes = max_bytes
    search.width = FIRST_WIDTH
    search.guided_width = FIRST_GUIDED_WIDTH
    memset(&search.recent, 0, sizeof(Recent))
    search.proof.weight = 1
    search.is_hard = True
    search.turn = BEAM_TURN
    search.turns = search.search_work = search.proof_work = 0
    open_exact_layout(&search.start, desk, goal, &search.low, &search.high)
    follow_line(search, desk, line)
    read(search, search.low, search.high)
    search.lower_bound = min(search.fewest, <uint32_t>(search.left + search.stock + search.columns))
    search.beam.start = &search.start
    search.beam.table = &search.table
    search.beam.steps = &search.steps
    search.beam.recent = &search.recent
    search.beam.is_guided = False
    search.beam.frontier = NULL


cdef Progress improve_shortest(Shortest* search, Kernel kernel) noexcept nogil:
    """Shorten the line known or raise the lower bound; see Progress."""
    cdef Progress progress
    while search.lower_bound < search.fewest:
        if search.turn == BEAM_TURN:
            progress = take_beam(search, kernel)
        elif search.turn == ENDING_TURN:
            progress = take_endings(search, kernel)
        elif search.turn == WEIGHTED_TURN:
            progress = take_star(search, &search.weighted, kernel, &search.search_work)
        else:
            progress = take_star(search, &search.proof, kernel, &search.proof_work)
        if progress != SEARCHING:
            return progress
        begin_turn(search)
    return PROVED


cdef void begin_turn(Shortest* search) noexcept nogil:
    """Choose the next search."""
    cdef uint64_t share = PROOF_SHARE if search.search_work + search.proof_work <= LONG else 1
    if search.turn == BEAM_TURN and not search.beam.is_guided:
        search.beam.is_guided = search.width > FIRST_BEAMS
        return
    if search.turn == BEAM_TURN or search.turn == WEIGHTED_TURN:
        search.turn = ENDING_TURN
        search.ending = 1
        return
    if search.turn == PROOF_TURN and NEAR * search.fewest <= (NEAR + 1) * search.lower_bound:
        search.is_hard = False
    if search.is_hard:
        begin_hard_turn(search)
    elif search.turn == ENDING_TURN:
        begin_proof(search, share * search.search_work
                    - min(search.proof_work, (share - 1) * search.search_work))
    elif search.guided_width <= LAST_WIDTH:
        search.turn = BEAM_TURN
        search.beam.is_guided = True
    else:
        search.end_of_turn = UNLIMITED


cdef void begin_hard_turn(Shortest* search) noexcept nogil:
    """Choose the next search of a hard deal."""
    if search.turn == ENDING_TURN and search.turns % (WEIGHTS + 1) != 0:
        begin_proof(search, search.search_work // HARD_SHARE)
    else:
        search.turns += 1
        if search.turns % (WEIGHTS + 1) == 0 and search.guided_width <= LAST_WIDTH:
            search.turn = BEAM_TURN
            search.beam.is_guided = True
        else:
            search.turn = WEIGHTED_TURN
            search.weighted.weight = WEIGHT[(search.turns + WEIGHTS) % (WEIGHTS + 1) % WEIGHTS]
            search.end_of_turn = max(FIRST_WEIGHTED, search.search_work // 2)


cdef inline void begin_proof(Shortest* search, uint64_t work) noexcept nogil:
    """Go on with the proof for so much work."""
    free_star(&search.weighted)
    search.turn = PROOF_TURN
    search.end_of_turn = work


cdef Progress take_endings(Shortest* search, Kernel kernel) noexcept nogil:
    """Search by beams for shorter endings of the line, ever longer ones; SEARCHING if there are none."""
    cdef uint64_t before, held = search.max_bytes - min(star_bytes(&search.proof), search.max_bytes)
    cdef uint32_t width = FIRST_ENDING_WIDTH if search.turns == 0 else ENDING_WIDTH
    cdef const Stop* stop
    cdef int i
    free_star(&search.weighted)
    search.beam.is_guided = False
    search.beam.frontier = NULL
    kernel.begin_stage(BEAM, KLONDIKE_BEAM)
    while search.ending < ENDINGS:
        before = kernel.work_done()
        i = min(search.way_count - 1, <int>search.fewest * (ENDINGS - search.ending) // ENDINGS)
        search.ending += 1
        stop = &search.way[i]
        search.beam.fewest = search.fewest - i
        if not run_beam(&search.beam, kernel, stop.low, stop.high, width, held):
            return passed_over(kernel)
        search.search_work += kernel.work_done() - before
        if search.beam.won != NO_NODE:
            note_line(search, i, &search.beam.nodes, search.beam.won)
            return IMPROVED
    return SEARCHING


cdef inline void note_line(Shortest* search, int kept, Nodes* nodes, uint32_t won) noexcept nogil:
    """Note the line that ends at a node, after so many moves of the line before."""
    search.fewest = kept + nodes.nodes[won].moves
    search.found_in = nodes
    search.won = won
    search.kept = kept


cdef inline Progress passed_over(Kernel kernel) noexcept nogil:
    """Go on without a beam that a limit ended, if that is memory."""
    if kernel.reason != MEMORY:
        return STOPPED
    kernel.reason = NOTHING
    return SEARCHING


cdef Progress take_beam(Shortest* search, Kernel kernel) noexcept nogil:
    """Search by a beam; SEARCHING if it finds no line that is shorter."""
    cdef uint64_t before, held = search.max_bytes - min(star_bytes(&search.proof), search.max_bytes)
    cdef uint32_t* width = &search.guided_width if search.beam.is_guided else &search.width
    kernel.begin_stage(BEAM, KLONDIKE_BEAM)
    before = kernel.work_done()
    search.beam.fewest = search.fewest
    search.beam.frontier = &search.proof.nodes if search.proof.is_open and not search.is_hard else NULL
    if not run_beam(&search.beam, kernel, search.low, search.high, width[0], held):
        width[0] = LAST_WIDTH + 1   # there is no memory for wider ones
        return passed_over(kernel)
    search.search_work += kernel.work_done() - before
    width[0] = width[0] * 5 // 2
    if search.beam.won == NO_NODE:
        if search.beam.is_complete:     # all steps were tried, but for those of lines that are no shorter
            search.lower_bound = search.fewest
            return PROVED
        return SEARCHING
    search.is_hard = False
    note_line(search, 0, &search.beam.nodes, search.beam.won)
    begin_turn(search)
    return IMPROVED

cdef Progress take_star(Shortest* search, Star* star, Kernel kernel, uint64_t* work) noexcept nogil:
    """Search by A*, until there is progress; SEARCHING at the end of the turn."""
    cdef Progress progress = STOPPED
    cdef uint64_t before, done
    free_beam(&search.beam)
    kernel.begin_stage(A_STAR, KLONDIKE_NODE)
    before = kernel.work_done()
    kernel.allow_work(search.end_of_turn)
    if star.is_open or open_star(search, star):
        progress = run_star(search, star, kernel)
    else:
        kernel.reason = MEMORY
    done = kernel.work_done() - before
    work[0] += done
    search.end_of_turn -= min(done, search.end_of_turn)
    kernel.allow_work(UNLIMITED)
    if progress == STOPPED and (
        (kernel.reason == WORK and kernel.work_left() > 0)
        or (kernel.reason == MEMORY and star == &search.weighted)
    ):
        kernel.reason = NOTHING
        return SEARCHING
    return progress


# --- A* -------------------------------------------------------------------------------------------------

cdef bint open_star(Shortest* search, Star* star) noexcept nogil:
    """Begin A*; false if memory does not allow it."""
    cdef Step step
    star.is_open = True
    star.max_bytes = search.max_bytes - min(star_bytes(&search.proof), search.max_bytes)
    open_pool(&star.pool, star.max_bytes)
    read(search, search.low, search.high)
    step = Step(search.low, search.high, 0, search.left, search.stock, search.columns, 0)
    if not reset_nodes(&star.nodes, 2 * search.fewest + star.weight * LARGEST_BOUND, star.weight,
                       star.max_bytes):
        return False
    star.nodes.scale = 1 if star.weight == 1 else 2
    return generate(search, star, NO_NODE, &step)


cdef inline void read(Shortest* search, uint64_t low, uint64_t high) noexcept nogil:
    cdef ExactPosition* t = &search.table
    unpack_exact(&search.start, t, low, high)
    search.left = cards_left(&search.start, t)
    search.stock = stock_bound(&search.start, t, t.count, t.waste, t.redeals)
    search.columns = columns_bound(&search.start, t)


cdef Progress run_star(Shortest* search, Star* star, Kernel kernel) noexcept nogil:
    """Search until there is progress to report; see Progress."""
    cdef Nodes* nodes = &star.nodes
    cdef uint32_t number, passed = 0, known = search.fewest
    cdef Progress progress
    while search.fewest == known:
        progress = next_node(nodes, search.fewest, &search.lower_bound, &number)
        if progress != SEARCHING:
            return progress
        dequeue(nodes, number)
        if nodes.nodes[number].moves + nodes.nodes[number].needed >= search.fewest:
            continue
        read(search, nodes.nodes[number].low, nodes.nodes[number].high)
        progress = complete_bound(search, star, number)
        kernel.add_work(search.landmarks.games * KLONDIKE_GAME)
        if progress == PROVED:
            if not may_pass(kernel, &passed):
                return STOPPED
            continue
        if progress == SEARCHING and not may_expand(kernel):
            enqueue(nodes, number)
            return STOPPED
        if progress == STOPPED or not expand(search, star, kernel, number):
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef Progress complete_bound(Shortest* search, Star* star, uint32_t number) noexcept nogil:
    """Give a node, which is unpacked, landmarks until its bound grows or there are no more: SEARCHING if it
    did not grow, PROVED if the node is queued again or lost, STOPPED if memory runs out."""
    cdef Node* node = &star.nodes.nodes[number]
    cdef Landmarks* found = &search.landmarks
    cdef Landmarks earlier
    cdef int others = search.left + draws_left(&search.start, node.low, node.high), needed
    cdef Completion completion
    cdef uint64_t inherited = 0
    cdef bint tries_recent = star.weight == 1 or search.turns // (WEIGHTS + 1) % 2 == 0
    load_landmarks(&star.pool, node.note, found)
    if node.move & HAS_FULL_BOUND:
        return SEARCHING
    if node.parent != NO_NODE:
        load_landmarks(&star.pool, star.nodes.nodes[node.parent].note, &earlier)
        inherited = inherit_landmarks(&search.table, found, &earlier, node.move)
    completion = find_landmarks(&search.start, &search.table, found, node.needed + 1 - others,
                                &search.recent if tries_recent else NULL)
    if completion == LOST:
        return PROVED
    if completion == COMPLETE:
        node.move |= HAS_FULL_BOUND
        inherited = 0
    node.note = 0
    while node.note == 0:
        star.pool.max_bytes = star.max_bytes - min(nodes_bytes(&star.nodes), star.max_bytes)
        node.note = keep_landmarks(&star.pool, found, inherited)
        if node.note == 0 and not save_memory(star):
            return STOPPED
    needed = others + landmarks_bound(&search.start, search.table.redeals, found)
    if needed <= node.needed:
        return SEARCHING
    node.needed = needed
    if node.moves + needed < search.fewest:
        enqueue(&star.nodes, number)
    return PROVED


cdef bint save_memory(Star* star) noexcept nogil:
    """Forget the oldest landmarks; bounds of their nodes stay. False if that would help little."""
    return FEW * pool_bytes(&star.pool) >= nodes_bytes(&star.nodes) and forget_oldest(&star.pool)


cdef void join(Nodes* nodes, uint32_t number, uint32_t move) noexcept nogil:
    """Let a node, reached by another step in as many moves, be followed by what may follow either."""
    cdef Node* node = &nodes.nodes[number]
    cdef uint32_t before = node.move
    if before >> LAST_AT & 63 == 0 or (before ^ move) & ~<uint32_t>HAS_FULL_BOUND == 0:
        return
    node.move &= (1 << OLDER_AT) - 1
    if (node.move ^ move) & ((1 << OLDER_AT) - 1) & ~<uint32_t>HAS_FULL_BOUND != 0:
        node.move &= (1 << LAST_AT) - 1
    if node.move != before and not node.queued:
        enqueue(nodes, number)


cdef bint generate(Shortest* search, Star* star, uint32_t parent, const Step* step) noexcept nogil:
    """Add or update a child that could beat the best line, if new or nearer. False if memory runs out."""
    cdef Nodes* nodes = &star.nodes
    cdef uint32_t* slot
    cdef uint32_t number, move = step.code, moves = step.moves, needed = step.left + step.stock + step.columns
    cdef uint64_t held
    cdef Node* node
    cdef Landmarks here
    if parent != NO_NODE:
        needed = max(needed, <int>nodes.nodes[parent].needed + nodes.nodes[parent].moves - step.moves)
        here.count = here.moves = 0
        inherit_landmarks(&search.table, &here, &search.landmarks, move)
        needed = max(needed, step.left + draws_left(&search.start, step.low, step.high)
                     + landmarks_bound(&search.start, step.high >> REDEALS_AT & 7, &here))
    if moves + needed >= search.fewest:
        return True
    slot = find_slot(nodes, step.low, step.high)
    if slot[0] != 0:
        number = slot[0] - 1
        node = &nodes.nodes[number]
        if moves > node.moves:
            return True
        if moves == node.moves:
            join(nodes, number, move)
            return True
        needed = max(needed, node.needed)
        move |= node.move & HAS_FULL_BOUND
        if node.queued:
            dequeue(nodes, number)
    else:
        number = NO_NODE
        while number == NO_NODE:
            if nodes.count == nodes.room:
                held = pool_bytes(&star.pool) + nodes.queue.count * sizeof(uint32_t)
                nodes.max_bytes = star.max_bytes - min(held, star.max_bytes)
            number = add_node(nodes, slot, step.low, step.high)
            if number == NO_NODE and not save_memory(star):
                return False
        node = &nodes.nodes[number]
        node.note = 0
    note_way(node, parent, moves, move)
    node.needed = needed
    if step.left == 0:
        note_line(search, 0, nodes, number)
    else:
        enqueue(nodes, number)
    return True


cdef bint expand(Shortest* search, Star* star, Kernel kernel, uint32_t number) noexcept nogil:
    """Generate the children of a node, which is unpacked; false if memory runs out."""
    cdef int i
    cdef bint postpones
    cdef Step* step
    cdef Step here = Step(search.table.low, search.table.high, star.nodes.nodes[number].moves, search.left,
                          search.stock, search.columns, 0)
    find_steps(&search.steps, &search.start, &search.table, &here)
    kernel.generated += search.steps.count
    postpones = star.weight == 1 and search.start.is_full and not search.steps.is_safe
    for i in range(search.steps.count):
        step = &search.steps.step[i]
        if postpones and not may_follow(&search.start, &search.table, star.nodes.nodes[number].move,
                                        &step.code):
            continue
        if not generate(search, star, number, step):
            return False
    return True


# --- Lines ----------------------------------------------------------------------------------------------

cdef void write_way(Shortest* search, Line* line, Desk* now, Nodes* found_in, uint32_t number) noexcept nogil:
    """Write the moves from the first node before one of these to it."""
    cdef Node* nodes = found_in.nodes
    cdef uint32_t after = NO_NODE, parent
    cdef uint64_t low, high
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
            make_step(line, now, nodes[after].move)
        pack_exact(&search.start, now, &low, &high)
        invariant(low == nodes[after].low and high == nodes[after].high)
        number = after
        after = parent


cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil:
    """Write the line found from ``desk``, and set `fewest` to its number of moves, which may have fallen
    since. The first ``kept`` moves stay as they are."""
    cdef Desk now = desk[0]
    cdef const Node* nodes = search.found_in.nodes
    cdef uint32_t number = search.won
    cdef int i
    line.count = search.kept
    line.failed = False
    for i in range(search.kept):
        move_cards(&now, &line.steps[i])
    if search.found_in == &search.beam.nodes and search.beam.frontier != NULL:
        while nodes[number].parent != NO_NODE:
            number = nodes[number].parent
        write_way(search, line, &now, &search.proof.nodes, nodes[number].move)
    write_way(search, line, &now, search.found_in, search.won)
    search.fewest = line.count
    follow_line(search, desk, line)


cdef void follow_line(Shortest* search, const Desk* desk, const Line* line) noexcept nogil:
    """Note the positions of a line from ``desk``."""
    cdef Desk now = desk[0]
    cdef int i
    search.way_count = min(line.count, MOST_WAY)
    for i in range(search.way_count):
        pack_exact(&search.start, &now, &search.way[i].low, &search.way[i].high)
        move_cards(&now, &line.steps[i])


cdef int bound_of(const Desk* desk, int goal) noexcept nogil:
    """Return the bound of a state, for tests; -1 if it is found to be lost."""
    cdef Shortest search
    cdef Landmarks found
    cdef int needed
    memset(&search.recent, 0, sizeof(Recent))
    open_exact_layout(&search.start, desk, goal, &search.low, &search.high)
    read(&search, search.low, search.high)
    found.count = found.moves = found.games = 0
    if find_landmarks(&search.start, &search.table, &found, LARGEST_BOUND, &search.recent) == LOST:
        return -1
    needed = (draws_left(&search.start, search.low, search.high)
              + landmarks_bound(&search.start, search.table.redeals, &found))
    return search.left + max(search.stock + search.columns, needed)


# --- Beams -----------------------------------------------------------------------------------------------

cdef enum:
    MOST_SCORES = 8192
    PER_MOVE = 16           # of a score
    PER_CARD = 6            # of the stock and the waste
    PER_DOUBLING = 32       # of the better ones of a class
    CLASS_BITS = 12         # of the hash of a class
    RANDOM_MASK = 7


cdef void free_beam(Beam* beam) noexcept nogil:
    cdef int i
    free_nodes(&beam.nodes)
    free_pool(&beam.pool)
    table_free(&beam.seen)
    for i in range(LAYERS):
        free(beam.layers[i].candidates)
        memset(&beam.layers[i], 0, sizeof(Layer))


cdef uint64_t beam_bytes(const Beam* beam) noexcept nogil:
    cdef uint64_t size = nodes_bytes(&beam.nodes) + pool_bytes(&beam.pool) + table_bytes(&beam.seen)
    cdef int i
    for i in range(LAYERS):
        size += beam.layers[i].capacity * sizeof(Candidate)
    return size


cdef inline uint16_t score_of(const Beam* beam, const Candidate* candidate) noexcept nogil:
    cdef uint64_t slots = candidate.low >> SLOTS_AT & ((<uint64_t>1 << beam.start.slots) - 1)
    return (PER_MOVE * candidate.needed + PER_CARD * count_bits(slots)
            + (hash_words(candidate.low + beam.width, candidate.high) >> 40 & RANDOM_MASK))


cdef void spread(const Beam* beam, Layer* layer) noexcept nogil:
    """Raise the score of each candidate by the binary digits of the number of better ones in its class, which
    is that of the same dealt cards left in each column."""
    cdef uint32_t first[MOST_SCORES]
    cdef uint32_t better[1 << CLASS_BITS]
    cdef uint32_t i, same
    cdef Candidate* one
    cdef int score, last = 0
    for i in range(layer.count):
        last = max(last, layer.candidates[i].score)
    memset(first, 0xFF, (last + 1) * sizeof(uint32_t))
    memset(better, 0, sizeof(better))
    for i in range(layer.count, 0, -1):
        one = &layer.candidates[i - 1]
        one.next = first[one.score]
        first[one.score] = i - 1
    for score in range(last + 1):
        i = first[score]
        while i != NO_NODE:
            one = &layer.candidates[i]
            same = hash_words(one.low >> (SLOTS_AT + beam.start.slots), 0) & (1 << CLASS_BITS) - 1
            one.score += PER_DOUBLING * highest_bit(2 * <uint64_t>better[same] + 1)
            better[same] += 1
            i = one.next


cdef bint choose(const Beam* beam, Layer* layer, uint64_t most) noexcept nogil:
    """Keep so many candidates of least score, the first of equal ones, in their order; true if all are."""
    cdef uint64_t i, kept = 0, left = most
    cdef uint32_t counts[MOST_SCORES]
    cdef int score = 0
    if layer.count <= most:
        return True
    spread(beam, layer)
    memset(counts, 0, sizeof(counts))
    for i in range(layer.count):
        counts[layer.candidates[i].score] += 1
    while counts[score] <= left:
        left -= counts[score]
        score += 1
    for i in range(layer.count):
        if layer.candidates[i].score == score:
            if left == 0:
                continue
            left -= 1
        elif layer.candidates[i].score > score:
            continue
        layer.candidates[kept] = layer.candidates[i]
        kept += 1
    layer.count = kept
    return False


cdef bint drop_known(Beam* beam, Layer* layer, uint32_t moves) noexcept nogil:
    """Drop what is there twice, kept with fewer moves, or takes too many; false if memory runs out."""
    cdef uint64_t i, kept = 0
    cdef const Candidate* one
    cdef uint32_t slot
    cdef int added
    if not table_reset(&beam.seen, UNLIMITED):
        return False
    for i in range(layer.count):
        one = &layer.candidates[i]
        if moves + one.needed >= beam.fewest or find_slot(&beam.nodes, one.low, one.high)[0] != 0:
            continue
        if beam.frontier != NULL and one.parent != NO_NODE:
            slot = find_slot(beam.frontier, one.low, one.high)[0]
            if slot != 0 and beam.frontier.nodes[slot - 1].moves <= moves:
                continue
        added = table_insert(&beam.seen, one.low, one.high)
        if added == NO_MEMORY:
            return False
        if added == ADDED:
            layer.candidates[kept] = one[0]
            kept += 1
    layer.count = kept
    return True


cdef bint add_candidate(Beam* beam, const Step* step, uint32_t parent, int needed) noexcept nogil:
    """Add a step to its layer; false if memory runs out."""
    cdef Layer* layer = &beam.layers[step.moves % LAYERS]
    cdef Candidate* one
    if layer.count == layer.capacity and not more_room(
            &layer.candidates, &layer.capacity, 256, sizeof(Candidate), UNLIMITED):
        return False
    one = &layer.candidates[layer.count]
    one.low = step.low
    one.high = step.high
    one.parent = parent
    one.code = step.code
    one.note = 0
    one.needed = needed
    one.score = score_of(beam, one)
    layer.count += 1
    return True


cdef bint give_landmarks(Beam* beam, Kernel kernel, Layer* layer, uint32_t moves) noexcept nogil:
    """Give landmarks to candidates, and drop lost and long ones; false, with the reason noted, at a limit."""
    cdef Landmarks found, earlier
    cdef Candidate* one
    cdef Completion completion
    cdef uint64_t i, kept = 0
    cdef int others
    for i in range(layer.count):
        if i % POLLED == POLLED - 1 and not kernel.poll():
            return False
        one = &layer.candidates[i]
        unpack_exact(beam.start, beam.table, one.low, one.high)
        others = cards_left(beam.start, beam.table) + draws_left(beam.start, one.low, one.high)
        found.count = found.moves = found.games = 0
        if one.parent != NO_NODE:
            load_landmarks(&beam.pool, beam.nodes.nodes[one.parent].note, &earlier)
            inherit_landmarks(beam.table, &found, &earlier, one.code)
        completion = find_landmarks(
            beam.start, beam.table, &found, <int>(beam.fewest - moves) - others, beam.recent)
        kernel.add_work(found.games * KLONDIKE_GAME)
        one.needed = max(one.needed, others + landmarks_bound(beam.start, beam.table.redeals, &found))
        if completion == LOST or moves + one.needed >= beam.fewest:
            continue
        one.note = keep_landmarks(&beam.pool, &found, 0)
        if one.note == 0:
            kernel.reason = MEMORY
            return False
        one.score = score_of(beam, one)
        layer.candidates[kept] = one[0]
        kept += 1
    layer.count = kept
    return True


cdef bint add_frontier(Beam* beam) noexcept nogil:
    """Add nodes queued by A*, those of least bound first; false if memory runs out."""
    cdef const Nodes* nodes = beam.frontier
    cdef const Node* node
    cdef uint32_t priority = nodes.queue.first, number = NO_NODE
    cdef Step step = Step(0, 0, 0, 1, 0, 0, 0)
    beam.is_complete = False
    for _ in range(min(FRONTIER * beam.width, <uint32_t>MOST_FRONTIER)):
        while number == NO_NODE:
            if priority >= beam.fewest:
                return True
            number = nodes.queue.last[priority]
            priority += 1
        node = &nodes.nodes[number]
        if node.moves < LAYERS:
            step.low = node.low
            step.high = node.high
            step.moves = node.moves
            step.code = number
            if not add_candidate(beam, &step, NO_NODE, node.needed):
                return False
        number = node.link.next
    return True


cdef bint expand_candidate(Beam* beam, Kernel kernel, const Candidate* one, uint32_t moves) noexcept nogil:
    """Keep a candidate and add the steps from it; false if memory runs out."""
    cdef const ExactPosition* t = beam.table
    cdef uint32_t number = add_node(
        &beam.nodes, find_slot(&beam.nodes, one.low, one.high), one.low, one.high), last
    cdef const Step* step
    cdef Step here
    cdef int i, needed
    if number == NO_NODE:
        return False
    note_way(&beam.nodes.nodes[number], one.parent, moves, one.code)
    beam.nodes.nodes[number].note = one.note
    unpack_exact(beam.start, beam.table, one.low, one.high)
    here = Step(one.low, one.high, moves, cards_left(beam.start, t),
                stock_bound(beam.start, t, t.count, t.waste, t.redeals), columns_bound(beam.start, t), 0)
    find_steps(beam.steps, beam.start, t, &here)
    kernel.generated += beam.steps.count
    for i in range(beam.steps.count):
        step = &beam.steps.step[i]
        needed = step.left + step.stock + step.columns
        if not beam.is_guided:
            needed = max(needed, one.needed + <int>moves - step.moves)
        if step.moves + needed >= <int>beam.fewest:
            continue
        if step.left > 0:
            if not add_candidate(beam, step, number, needed):
                return False
            continue
        last = add_node(&beam.nodes, find_slot(&beam.nodes, step.low, step.high), step.low, step.high)
        if last == NO_NODE:
            return False
        note_way(&beam.nodes.nodes[last], number, step.moves, step.code)
        beam.fewest = step.moves
        beam.won = last
    return True


cdef bint run_beam(Beam* beam, Kernel kernel, uint64_t low, uint64_t high, uint32_t width,
                   uint64_t max_bytes) noexcept nogil:
    """Search for a line of fewer than ``fewest`` moves from a position; false, with the reason noted, if a
    limit ended it.

    ``won`` is the end of a line found, or NO_NODE, and ``fewest`` the number of its moves.
    """
    cdef Step first = Step(low, high, 0, 0, 0, 0, 0)
    cdef Layer* layer
    cdef uint32_t moves = 0, i, empty = 0
    free_beam(beam)
    beam.width = width
    beam.won = NO_NODE
    beam.is_complete = True
    open_pool(&beam.pool, max_bytes)
    if not reset_nodes(&beam.nodes, 1, 1, max_bytes) or not (
        add_candidate(beam, &first, NO_NODE, 0) if beam.frontier == NULL else add_frontier(beam)
    ):
        kernel.reason = MEMORY
        return False
    while moves < beam.fewest and empty < LAYERS:
        layer = &beam.layers[moves % LAYERS]
        empty = 0 if layer.count > 0 else empty + 1
        if not drop_known(beam, layer, moves):
            kernel.reason = MEMORY
            return False
        if beam.is_guided:
            if not choose(beam, layer, 2 * width):
                beam.is_complete = False
            beam.pool.max_bytes = max_bytes - min(nodes_bytes(&beam.nodes), max_bytes)
            if not give_landmarks(beam, kernel, layer, moves):
                return False
            beam.nodes.max_bytes = max_bytes - min(pool_bytes(&beam.pool), max_bytes)
        if not choose(beam, layer, width):
            beam.is_complete = False
        for i in range(layer.count):
            if not may_expand(kernel):
                return False
            if not expand_candidate(beam, kernel, &layer.candidates[i], moves):
                kernel.reason = MEMORY
                return False
        layer.count = 0
        moves += 1
    return True
