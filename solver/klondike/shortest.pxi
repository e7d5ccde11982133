"""Shortest lines of Klondike with redeals: an anytime portfolio of beams and A* over exact positions.

Beam searches (Lowerre 1976) find short lines; A* (Hart, Nilsson and Raphael 1968) raises the lower bound and
proves lines shortest.

The schedule. The searches take turns, each limited by an amount of work. First come beams of growing width,
and one guided by landmarks, which detect dead ends. After it, beams from ever earlier positions of the known
line look for shorter ends of it. Then A* gets most of the work, and wider guided beams, followed by beams for
ends, get the rest; guided beams now begin at the nodes that A* has queued and leave out those that it reached
in as few moves.

Nodes of A* are ordered by the moves made plus a lower bound of those still needed (K7, K12). A node is
reopened when a shorter path to it is found, and the bound of a child is at least that of its parent minus the
moves between them (pathmax). A node at the front of the queue gets landmarks only until its bound has grown,
and is then queued again. A step that could as well be made after a later one is postponed (K14).

The landmarks found last are tried first, which saves time. In games of a single pass A* and guided beams do
without landmarks, which cost more there than they gain (`landmarks` has the figures).

A layer of a beam holds the positions after a number of moves. Of each layer the positions of least score are
kept and expanded. The score is the bound of the moves left, without landmarks, plus a term for each card of
the stock and the waste, plus a pseudorandom term that is the same in each run. Among positions with the same
dealt cards left in each column, which may all be dead ends together, the score rises with the rank. A guided
beam computes landmarks for twice as many positions as it keeps, starting from those inherited, and chooses by
that bound.

Soundness: dropped are only positions through which no line is shorter than the best known (K7, K12) and steps
that some shortest line does without (K8, K9, K10, K14). So A*, or a beam that left out no candidate, proves
the line shortest when it ends. The theorems are those of docs/theory/klondike.md.
Memory: A* and beams share one limit in bytes. When memory runs out, A* frees its oldest landmarks and keeps
the bounds.
"""

# --- Beams --------------------------------------------------------------------------------------------

cdef enum:
    LAYERS = 64             # layers kept at a time; a step has fewer moves

cdef struct Candidate:      # a position of a layer that may be kept
    uint64_t low, high
    uint32_t parent, code
    uint32_t note           # index of its landmarks in the pool
    uint32_t next           # next candidate of the same score, or NO_NODE
    uint16_t score
    uint8_t needed          # lower bound of the moves needed

cdef struct Layer:
    Candidate* candidates
    uint64_t count, capacity

cdef struct Beam:
    Nodes nodes             # positions kept, and the end of the line
    Layer layers[LAYERS]    # by the number of moves made, modulo LAYERS
    Table seen              # keys of the candidates of a layer
    Pool pool               # landmarks of candidates, if the beam is guided
    ExactLayout* start
    Position* table
    Steps* steps
    Recent* recent          # landmarks to try first
    const Nodes* frontier   # nodes of A*, with whose queue the beam begins, or NULL
    uint32_t width, fewest
    bint is_guided          # it is a guided beam; candidates are chosen by landmarks if they pay
    bint has_landmarks      # they do
    bint is_complete        # no candidate was left out
    uint32_t won            # last node of the line found, or NO_NODE

# --- A* -----------------------------------------------------------------------------------------------

cdef struct AStar:          # an A* search
    Nodes nodes
    Pool pool               # landmarks of nodes
    bint is_open

cdef enum Turn:
    BEAM_TURN, ENDING_TURN, PROOF_TURN

cdef enum:
    MOST_WAY = 512

cdef struct Stop:           # a position of a line
    uint64_t low, high

cdef struct Shortest:
    ExactLayout start
    uint64_t low, high      # the key of the start
    Position table          # the position unpacked last
    int left, stock, columns  # the three parts of its bound
    Landmarks landmarks
    bint has_landmarks      # not in a single pass, where they cost more than they gain
    Recent recent           # landmarks to try first
    Steps steps             # steps from ``table``
    Beam beam
    AStar proof
    Turn turn
    int ending              # number of the next beam for an end of the line, from 1
    uint64_t end_of_turn    # work left of this turn of A*
    uint64_t search_work    # work done by beams
    uint64_t proof_work     # work done by A*
    uint32_t width          # width of the next beam
    uint32_t guided_width   # width of the next guided beam
    uint64_t max_bytes
    uint32_t fewest         # moves of the best line known
    uint32_t lower_bound    # lower bound of the moves of all lines
    Nodes* found_in         # nodes of the line found last
    uint32_t won            # last node of that line
    int kept                # number of moves of the line before that precede these nodes
    Stop way[MOST_WAY]      # positions of the best line, by the moves made
    int way_count


cdef enum:
    HAS_FULL_BOUND = 1 << 14    # flag in the code of a node's move: its landmarks are complete
    LARGEST_BOUND = 256
    FIRST_WIDTH = 200           # width of the first beam
    FIRST_BEAMS = 1250          # width of the last of the beams that precede all other searches, at most
    LAST_WIDTH = 1 << 17
    FRONTIER = 64               # nodes of A* that a beam may begin with, per position of its width
    MOST_FRONTIER = 1 << 20     # nodes of A* that a beam may begin with, at most
    FIRST_GUIDED_WIDTH = 400
    POLLED = 256                # candidates given landmarks between two polls
    PROOF_SHARE = 4             # work of A* per unit of work of beams
    FEW = 24                    # landmarks are freed only while they take 1/24 of the bytes of the nodes
    ENDINGS = 16                # parts of a line, at which beams for its ends begin
    ENDING_WIDTH = 300          # width of the beams for ends

cdef extern from *:
    """
    static const uint64_t LONG = 10000000000;
    """
    const uint64_t LONG         # total work beyond which both shares are equal, in thousandths of a unit


# --- The schedule ---------------------------------------------------------------------------------------

cdef inline void free_star(AStar* star) noexcept nogil:
    free_nodes(&star.nodes)
    free_pool(&star.pool)
    star.is_open = False


cdef inline uint64_t star_bytes(const AStar* star) noexcept nogil:
    return nodes_bytes(&star.nodes) + pool_bytes(&star.pool)


cdef inline void free_shortest(Shortest* search) noexcept nogil:
    free_beam(&search.beam)
    free_star(&search.proof)


cdef inline uint64_t shortest_bytes(const Shortest* search) noexcept nogil:
    return beam_bytes(&search.beam) + star_bytes(&search.proof)


cdef inline void begin_shortest(Shortest* search, const Position* desk, int goal, const Line* line,
                                uint64_t max_bytes) noexcept nogil:
    """Prepare the search from ``desk`` for a line to ``goal`` cards up that is shorter than ``line``."""
    free_shortest(search)
    search.fewest = line.count
    search.max_bytes = max_bytes
    search.width = FIRST_WIDTH
    search.guided_width = FIRST_GUIDED_WIDTH
    memset(&search.recent, 0, sizeof(Recent))
    search.turn = BEAM_TURN
    search.search_work = search.proof_work = 0
    open_exact_layout(&search.start, desk, goal)
    pack_exact(&search.start, desk, &search.low, &search.high)
    search.table = desk[0]
    search.has_landmarks = desk.passes != 1
    search.landmarks.count = 0
    follow_line(search, desk, line)
    read(search, search.low, search.high)
    search.lower_bound = min(search.fewest, <uint32_t>(search.left + search.stock + search.columns))
    search.beam.start = &search.start
    search.beam.table = &search.table
    search.beam.steps = &search.steps
    search.beam.recent = &search.recent
    search.beam.is_guided = False
    search.beam.frontier = NULL


cdef inline Progress improve_shortest(Shortest* search, Kernel* kernel) noexcept nogil:
    """Search on until the known line gets shorter or the lower bound rises (IMPROVED), the line is proved
    shortest (PROVED), or a limit ends the search (STOPPED)."""
    cdef Progress progress
    while search.lower_bound < search.fewest:
        if search.turn == BEAM_TURN:
            progress = run_beam_turn(search, kernel)
        elif search.turn == ENDING_TURN:
            progress = run_ending_turn(search, kernel)
        else:
            progress = run_proof_turn(search, kernel)
        if progress != SEARCHING:
            return progress
        begin_turn(search)
    return PROVED


cdef inline void begin_turn(Shortest* search) noexcept nogil:
    """Choose the search of the next turn and its work."""
    cdef uint64_t share = PROOF_SHARE if search.search_work + search.proof_work <= LONG else 1
    if search.turn == BEAM_TURN and not search.beam.is_guided:
        search.beam.is_guided = search.width > FIRST_BEAMS
    elif search.turn == BEAM_TURN:
        search.turn = ENDING_TURN
        search.ending = 1
    elif search.turn == ENDING_TURN:
        search.turn = PROOF_TURN
        search.end_of_turn = (share * search.search_work
                              - min(search.proof_work, (share - 1) * search.search_work))
    elif search.guided_width <= LAST_WIDTH:
        search.turn = BEAM_TURN
        search.beam.is_guided = True
    else:
        search.end_of_turn = UNLIMITED


cdef inline Progress run_ending_turn(Shortest* search, Kernel* kernel) noexcept nogil:
    """Run beams from ever earlier positions of the line, for shorter ends of it. Returns IMPROVED at the
    first one, SEARCHING if there is none, STOPPED at a limit."""
    cdef uint64_t before, held = search.max_bytes - min(star_bytes(&search.proof), search.max_bytes)
    cdef const Stop* stop
    cdef int i
    search.beam.is_guided = search.beam.has_landmarks = False
    search.beam.frontier = NULL
    begin_stage(kernel, BEAM, KLONDIKE_BEAM)
    while search.ending < ENDINGS:
        before = work_done(kernel)
        i = min(search.way_count - 1, <int>search.fewest * (ENDINGS - search.ending) // ENDINGS)
        search.ending += 1
        stop = &search.way[i]
        search.beam.fewest = search.fewest - i
        if not run_beam(&search.beam, kernel, stop.low, stop.high, ENDING_WIDTH, held):
            return passed_over(kernel)
        search.search_work += work_done(kernel) - before
        if search.beam.won != NO_NODE:
            note_line(search, i, &search.beam.nodes, search.beam.won)
            return IMPROVED
    return SEARCHING


cdef inline void note_line(Shortest* search, int kept, Nodes* nodes, uint32_t won) noexcept nogil:
    """Record a shorter line: the first ``kept`` moves of the known line, then the path to the node ``won`` of
    ``nodes``."""
    search.fewest = kept + nodes.nodes[won].moves
    search.found_in = nodes
    search.won = won
    search.kept = kept


cdef inline Progress passed_over(Kernel* kernel) noexcept nogil:
    """Return how to continue after a beam was ended by a limit: SEARCHING after the memory limit, which is
    cleared, otherwise STOPPED."""
    if kernel.reason != MEMORY:
        return STOPPED
    kernel.reason = NOTHING
    return SEARCHING


cdef inline Progress run_beam_turn(Shortest* search, Kernel* kernel) noexcept nogil:
    """Run a beam from the start. Returns IMPROVED if it finds a shorter line, PROVED if it shows that there
    is none, SEARCHING if it does neither, STOPPED at a limit."""
    cdef uint64_t before, held = search.max_bytes - min(star_bytes(&search.proof), search.max_bytes)
    cdef uint32_t* width = &search.guided_width if search.beam.is_guided else &search.width
    begin_stage(kernel, BEAM, KLONDIKE_BEAM)
    before = work_done(kernel)
    search.beam.fewest = search.fewest
    search.beam.has_landmarks = search.beam.is_guided and search.has_landmarks
    search.beam.frontier = &search.proof.nodes if search.proof.is_open else NULL
    if not run_beam(&search.beam, kernel, search.low, search.high, width[0], held):
        width[0] = LAST_WIDTH + 1   # memory does not allow wider beams
        return passed_over(kernel)
    search.search_work += work_done(kernel) - before
    width[0] = width[0] * 5 // 2
    if search.beam.won == NO_NODE:
        if search.beam.is_complete:     # all steps were tried, except on lines that are not shorter
            search.lower_bound = search.fewest
            return PROVED
        return SEARCHING
    note_line(search, 0, &search.beam.nodes, search.beam.won)
    begin_turn(search)
    return IMPROVED


cdef inline Progress run_proof_turn(Shortest* search, Kernel* kernel) noexcept nogil:
    """Run A* until it makes progress or the work of the turn is used up (SEARCHING)."""
    cdef Progress progress = STOPPED
    cdef uint64_t before, done
    free_beam(&search.beam)
    begin_stage(kernel, A_STAR, KLONDIKE_NODE)
    before = work_done(kernel)
    allow_work(kernel, search.end_of_turn)
    if search.proof.is_open or open_star(search):
        progress = run_star(search, kernel)
    else:
        kernel.reason = MEMORY
    done = work_done(kernel) - before
    search.proof_work += done
    search.end_of_turn -= min(done, search.end_of_turn)
    allow_work(kernel, UNLIMITED)
    if progress == STOPPED and kernel.reason == WORK and work_left(kernel) > 0:
        kernel.reason = NOTHING
        return SEARCHING
    return progress


# --- A* -------------------------------------------------------------------------------------------------

cdef inline bint open_star(Shortest* search) noexcept nogil:
    """Begin A* at the start. Returns False if memory runs out."""
    cdef AStar* star = &search.proof
    cdef Step step
    star.is_open = True
    open_pool(&star.pool, search.max_bytes)
    read(search, search.low, search.high)
    step = Step(search.low, search.high, 0, search.left, search.stock, search.columns, 0)
    return (reset_nodes(&star.nodes, search.fewest + LARGEST_BOUND, 1, search.max_bytes)
            and generate(search, NO_NODE, &step))


cdef inline void read(Shortest* search, uint64_t low, uint64_t high) noexcept nogil:
    cdef Position* t = &search.table
    unpack_exact(&search.start, t, low, high)
    search.left = cards_left(&search.start, t)
    search.stock = stock_bound(&search.start, t, t.slot_count, t.waste, t.redeals)
    search.columns = columns_bound(&search.start, t)


cdef inline Progress run_star(Shortest* search, Kernel* kernel) noexcept nogil:
    """Run A* until a shorter line is found or the lower bound rises (IMPROVED), the best line is proved
    shortest (PROVED), or a limit ends it (STOPPED)."""
    cdef Nodes* nodes = &search.proof.nodes
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
        progress = SEARCHING
        if search.has_landmarks:
            progress = complete_bound(search, number)
            add_work(kernel, search.landmarks.games * KLONDIKE_GAME)
        if progress == PROVED:
            if not may_pass(kernel, &passed):
                return STOPPED
            continue
        if progress == SEARCHING and not may_expand(kernel):
            enqueue(nodes, number)
            return STOPPED
        if progress == STOPPED or not expand(search, kernel, number):
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef inline Progress complete_bound(Shortest* search, uint32_t number) noexcept nogil:
    """Compute landmarks of the node ``number``, unpacked in ``search.table``, until its bound grows or there
    are no more. Returns SEARCHING if the bound did not grow, PROVED if it grew (the node is queued again if
    it may still be on a shorter line) or the node is lost, STOPPED if memory runs out."""
    cdef AStar* star = &search.proof
    cdef Node* node = &star.nodes.nodes[number]
    cdef Landmarks* found = &search.landmarks
    cdef Landmarks earlier
    cdef int others = search.left + draws_left(&search.start, node.low, node.high), needed
    cdef Completion completion
    cdef uint64_t inherited = 0
    load_landmarks(&star.pool, node.note, found)
    if node.move & HAS_FULL_BOUND:
        return SEARCHING
    if node.parent != NO_NODE:
        load_landmarks(&star.pool, star.nodes.nodes[node.parent].note, &earlier)
        inherited = inherit_landmarks(&search.table, found, &earlier, node.move)
    completion = find_landmarks(&search.start, &search.table, found, node.needed + 1 - others, &search.recent)
    if completion == HOPELESS:
        return PROVED
    if completion == COMPLETE:
        node.move |= HAS_FULL_BOUND
        inherited = 0
    node.note = 0
    while node.note == 0:
        star.pool.max_bytes = search.max_bytes - min(nodes_bytes(&star.nodes), search.max_bytes)
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


cdef inline bint save_memory(AStar* star) noexcept nogil:
    """Free the oldest landmarks; the bounds of their nodes stay. Returns False, freeing nothing, if that
    would gain little."""
    return FEW * pool_bytes(&star.pool) >= nodes_bytes(&star.nodes) and forget_oldest(&star.pool)


cdef inline void join(Nodes* nodes, uint32_t number, uint32_t move) noexcept nogil:
    """Merge the restrictions on what may follow (K14) when the node ``number`` is reached by another step
    ``move`` in as many moves: every step that may follow either is allowed."""
    cdef Node* node = &nodes.nodes[number]
    cdef uint32_t before = node.move
    if before >> LAST_AT & 63 == 0 or (before ^ move) & ~<uint32_t>HAS_FULL_BOUND == 0:
        return
    node.move &= (1 << OLDER_AT) - 1
    if (node.move ^ move) & ((1 << OLDER_AT) - 1) & ~<uint32_t>HAS_FULL_BOUND != 0:
        node.move &= (1 << LAST_AT) - 1
    if node.move != before and not node.queued:
        enqueue(nodes, number)


cdef inline bint generate(Shortest* search, uint32_t parent, const Step* step) noexcept nogil:
    """Add or update the child after ``step`` if a line through it may be shorter than the best, and if it is
    new or reached in fewer moves than before. Returns False if memory runs out."""
    cdef AStar* star = &search.proof
    cdef Nodes* nodes = &star.nodes
    cdef uint32_t* slot
    cdef uint32_t number, move = step.code, moves = step.moves, needed = step.left + step.stock + step.columns
    cdef uint64_t held
    cdef Node* node
    cdef Landmarks here
    if parent != NO_NODE:
        needed = pathmax(nodes, parent, moves, needed)
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
        if moves == node.moves:
            join(nodes, number, move)
        if not reopen(nodes, number, moves):
            return True
        needed = max(needed, node.needed)
        move |= node.move & HAS_FULL_BOUND
    else:
        number = NO_NODE
        while number == NO_NODE:
            if nodes.known.count == nodes.known.room:
                held = pool_bytes(&star.pool) + nodes.queue.count * sizeof(uint32_t)
                nodes.known.max_bytes = search.max_bytes - min(held, search.max_bytes)
            number = add_node(nodes, slot, step.low, step.high)
            if number == NO_NODE and not save_memory(star):
                return False
        nodes.nodes[number].note = 0
    link_node(nodes, number, parent, moves, move, needed)
    if step.left == 0:
        note_line(search, 0, nodes, number)
    else:
        enqueue(nodes, number)
    return True


cdef inline bint expand(Shortest* search, Kernel* kernel, uint32_t number) noexcept nogil:
    """Generate the children of the node ``number``, unpacked in ``search.table``. Returns False if memory
    runs out."""
    cdef int i
    cdef bint postpones
    cdef Step* step
    cdef Node node = search.proof.nodes.nodes[number]       # a copy: the array may move
    cdef Step here = Step(node.low, node.high, node.moves, search.left, search.stock, search.columns, 0)
    find_steps(&search.steps, &search.start, &search.table, &here)
    kernel.generated += search.steps.count
    postpones = search.start.is_full and not search.steps.is_safe
    for i in range(search.steps.count):
        step = &search.steps.step[i]
        if postpones and not may_follow(&search.table, node.move, &step.code):
            continue
        if not generate(search, number, step):
            return False
    return True


# --- Lines ----------------------------------------------------------------------------------------------

cdef inline void write_way(Shortest* search, Line* line, Position* now, Nodes* found_in,
                           uint32_t number) noexcept nogil:
    """Append the moves from the root of ``found_in`` to its node ``number`` to ``line``, making them in
    ``now``."""
    cdef Node* nodes = found_in.nodes
    cdef uint32_t after = NO_NODE, parent
    cdef uint64_t low, high
    while number != NO_NODE:        # reverse the links; following them below restores them
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


cdef inline void write_shortest(Shortest* search, Line* line, const Position* desk) noexcept nogil:
    """Write the line found from ``desk`` to ``line``, whose first ``search.kept`` moves stay, and set
    ``search.fewest`` to its length, which may be less than recorded."""
    cdef Position now = desk[0]
    cdef const Node* nodes = search.found_in.nodes
    cdef uint32_t number = search.won
    cdef int i
    line.count = search.kept
    line.failed = False
    for i in range(search.kept):
        make_move(&now, &line.steps[i])
    if search.found_in == &search.beam.nodes and search.beam.frontier != NULL:
        while nodes[number].parent != NO_NODE:
            number = nodes[number].parent
        write_way(search, line, &now, &search.proof.nodes, nodes[number].move)
    write_way(search, line, &now, search.found_in, search.won)
    search.fewest = line.count
    follow_line(search, desk, line)


cdef inline void follow_line(Shortest* search, const Position* desk, const Line* line) noexcept nogil:
    """Record the positions of ``line``, which begins at ``desk``, in ``search.way``."""
    cdef Position now = desk[0]
    cdef int i
    search.way_count = min(line.count, MOST_WAY)
    for i in range(search.way_count):
        pack_exact(&search.start, &now, &search.way[i].low, &search.way[i].high)
        make_move(&now, &line.steps[i])


# --- Beams -----------------------------------------------------------------------------------------------

cdef enum:
    MOST_SCORES = 8192
    PER_MOVE = 16           # score of each move needed
    PER_CARD = 6            # score of each card of the stock and the waste
    PER_DOUBLING = 32       # score of each doubling of the number of better candidates of a class
    CLASS_BITS = 12         # bits of the hash of a class
    RANDOM_MASK = 7         # greatest value of the pseudorandom term of the score


cdef inline void free_beam(Beam* beam) noexcept nogil:
    cdef int i
    free_nodes(&beam.nodes)
    free_pool(&beam.pool)
    table_free(&beam.seen)
    for i in range(LAYERS):
        free(beam.layers[i].candidates)
        memset(&beam.layers[i], 0, sizeof(Layer))


cdef inline uint64_t beam_bytes(const Beam* beam) noexcept nogil:
    cdef uint64_t size = nodes_bytes(&beam.nodes) + pool_bytes(&beam.pool) + table_bytes(&beam.seen)
    cdef int i
    for i in range(LAYERS):
        size += beam.layers[i].capacity * sizeof(Candidate)
    return size


cdef inline uint16_t score_of(const Beam* beam, const Candidate* candidate) noexcept nogil:
    cdef uint64_t slots = candidate.low >> SLOTS_AT & ((<uint64_t>1 << beam.start.slots) - 1)
    return (PER_MOVE * candidate.needed + PER_CARD * count_bits(slots)
            + (hash_words(candidate.low + beam.width, candidate.high) >> 40 & RANDOM_MASK))


cdef inline void spread(const Beam* beam, Layer* layer) noexcept nogil:
    """Raise the score of each candidate by PER_DOUBLING times the number of binary digits of the number of
    better candidates in its class. A class has the same number of dealt cards left in each column."""
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


cdef inline bint choose(const Beam* beam, Layer* layer, uint64_t most) noexcept nogil:
    """Keep the ``most`` candidates of least score, the first ones among equals, in their order. Returns True
    if all are kept."""
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


cdef inline bint drop_known(Beam* beam, Layer* layer, uint32_t moves) noexcept nogil:
    """Drop the candidates after ``moves`` moves that occur twice, are among the nodes already, were reached
    by A* in as few moves, or cannot be on a shorter line. Returns False if memory runs out."""
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


cdef inline bint add_candidate(Beam* beam, const Step* step, uint32_t parent, int needed) noexcept nogil:
    """Add the position after ``step`` as a candidate to its layer. Returns False if memory runs out."""
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


cdef inline bint give_landmarks(Beam* beam, Kernel* kernel, Layer* layer, uint32_t moves) noexcept nogil:
    """Compute landmarks of the candidates after ``moves`` moves, and drop those that are lost or cannot be on
    a shorter line. Returns False, with ``kernel.reason`` set, at a limit."""
    cdef Landmarks found, earlier
    cdef Candidate* one
    cdef Completion completion
    cdef uint64_t i, kept = 0
    cdef int others
    for i in range(layer.count):
        if i % POLLED == POLLED - 1 and not poll(kernel):
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
        add_work(kernel, found.games * KLONDIKE_GAME)
        one.needed = max(one.needed, others + landmarks_bound(beam.start, beam.table.redeals, &found))
        if completion == HOPELESS or moves + one.needed >= beam.fewest:
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


cdef inline bint add_frontier(Beam* beam) noexcept nogil:
    """Add nodes queued by A* as candidates, in the order of their priorities. Returns False if memory runs
    out."""
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


cdef inline bint expand_candidate(Beam* beam, Kernel* kernel, const Candidate* one,
                                  uint32_t moves) noexcept nogil:
    """Store a candidate as a node and add the positions after its steps as candidates. Returns False if
    memory runs out."""
    cdef const Position* t = beam.table
    cdef uint32_t number = add_node(
        &beam.nodes, find_slot(&beam.nodes, one.low, one.high), one.low, one.high), last
    cdef const Step* step
    cdef Step here
    cdef int i, needed
    if number == NO_NODE:
        return False
    set_parent(&beam.nodes.nodes[number], one.parent, moves, one.code)
    beam.nodes.nodes[number].note = one.note
    unpack_exact(beam.start, beam.table, one.low, one.high)
    here = Step(one.low, one.high, moves, cards_left(beam.start, t),
                stock_bound(beam.start, t, t.slot_count, t.waste, t.redeals), columns_bound(beam.start, t), 0)
    find_steps(beam.steps, beam.start, t, &here)
    kernel.generated += beam.steps.count
    for i in range(beam.steps.count):
        step = &beam.steps.step[i]
        needed = step.left + step.stock + step.columns
        if not beam.has_landmarks:
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
        set_parent(&beam.nodes.nodes[last], number, step.moves, step.code)
        beam.fewest = step.moves
        beam.won = last
    return True


cdef inline bint run_beam(Beam* beam, Kernel* kernel, uint64_t low, uint64_t high, uint32_t width,
                          uint64_t max_bytes) noexcept nogil:
    """Search for a line of fewer than ``beam.fewest`` moves from the position (``low``, ``high``), or from
    the queue of ``beam.frontier``. Returns False, with ``kernel.reason`` set, if a limit ended it.

    ``beam.won`` is set to the last node of the line found, or NO_NODE, and ``beam.fewest`` to its length.
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
        if beam.has_landmarks:
            if not choose(beam, layer, 2 * width):
                beam.is_complete = False
            beam.pool.max_bytes = max_bytes - min(nodes_bytes(&beam.nodes), max_bytes)
            if not give_landmarks(beam, kernel, layer, moves):
                return False
            beam.nodes.known.max_bytes = max_bytes - min(pool_bytes(&beam.pool), max_bytes)
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
