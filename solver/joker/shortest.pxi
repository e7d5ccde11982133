"""Anytime portfolio for shortest lines of joker and klondike-one-pass, and A* over elementary moves.

Techniques: without jokers A* over the exact positions of one-pass Klondike (`one_pass_astar`) finds a
shortest line and proves it. With jokers, to all places, beam searches of growing width (`beam`) shorten the
line, and A* over exact positions with jokers, in this module, raises the lower bound; near the end of a game
it proves the line shortest. To a score below all places two narrow beams come first, then that A*.

Gain: of the first 1,000 deals of klondike-one-pass, lines are proved shortest within ten million units of
work for all 205 that end at 15 or 25 cards and for 258 of the 259 that end at 52 (docs/proofs.md). With
jokers the proof succeeds in short decks and near the end of a game; on full deals the bound stays some 25
moves below the line as long as a joker is in play.

Soundness: A* drops only states through which no line is shorter than the best one known (J15; with
`one_pass_astar` J13 and J14). So when its queue is empty, that line is proved shortest. Beams prove nothing.
Memory: a state of the A* over exact positions takes a record of 80 bytes and a node; the searches of a stage
share one limit in bytes.
"""

cdef struct AStar:
    Explored states         # generated states, as records of exact positions
    Nodes nodes             # a node has the number of its state as key
    Position game          # the state being expanded
    uint64_t max_bytes
    int goal                # the score to reach
    bint has_jokers
    int fewest              # moves of the best line known
    int lower_bound         # lower bound of the moves of all lines
    uint32_t last           # last node of the best line, NO_NODE if this search has not found it

# The portfolio as tables: the searches in their order. Every other beam includes the known line: it reaches
# the goal where others do not, but explores less. With jokers, to all places, short A* searches raise the
# lower bound by one to seven moves (full deals 0 to 7); A* without a limit on states comes before the widest
# beams only near the end (NEAR_END).
cdef extern from *:
    """
    typedef struct { int search; uint64_t states; int only_near, width, has_line; } joker_row;
    static const joker_row ONE_PASS[1] = {
    //   search,          states,         only_near,  width, has_line
        {WINNABLE_A_STAR, (uint64_t)1 << 60,      0,      0, 0},
    };
    static const joker_row TO_ALL_PLACES[16] = {
    //   search,          states,         only_near,  width, has_line
        {WINNABLE_A_STAR, 1000,                   0,      0, 0},
        {WINNABLE_BEAM,   0,                      0,    256, 0},
        {WINNABLE_A_STAR, 10000,                  0,      0, 0},
        {WINNABLE_BEAM,   0,                      0,    256, 1},
        {WINNABLE_BEAM,   0,                      0,    512, 0},
        {WINNABLE_BEAM,   0,                      0,   1024, 1},
        {WINNABLE_BEAM,   0,                      0,   2048, 0},
        {WINNABLE_BEAM,   0,                      0,   4096, 1},
        {WINNABLE_BEAM,   0,                      0,   8192, 0},
        {WINNABLE_BEAM,   0,                      0,  16384, 1},
        {WINNABLE_A_STAR, (uint64_t)1 << 60,      1,      0, 0},
        {WINNABLE_BEAM,   0,                      0,  32768, 0},
        {WINNABLE_BEAM,   0,                      0,  65536, 1},
        {WINNABLE_BEAM,   0,                      0, 131072, 0},
        {WINNABLE_BEAM,   0,                      0, 262144, 1},
        {WINNABLE_A_STAR, (uint64_t)1 << 60,      0,      0, 0},
    };
    static const joker_row TO_A_SCORE[3] = {
    //   search,          states,         only_near,  width, has_line
        {WINNABLE_BEAM,   0,                      0,    256, 0},
        {WINNABLE_BEAM,   0,                      0,    256, 1},
        {WINNABLE_A_STAR, (uint64_t)1 << 60,      0,      0, 0},
    };
    """
    ctypedef struct Row "joker_row":
        int search          # a Stage: A_STAR or BEAM
        uint64_t states     # most states that A* expands
        bint only_near      # omitted while the line known has more than NEAR_END moves
        int width           # width of a beam
        bint has_line       # the known line is kept in the beam
    const Row ONE_PASS[1]           # without jokers
    const Row TO_ALL_PLACES[16]     # with jokers
    const Row TO_A_SCORE[3]         # with jokers, to a score below all places

cdef struct Shortest:
    Position start
    int goal            # the score to reach
    const Row* row      # the running search
    int rows            # number of searches from ``row`` on
    bint has_jokers     # some joker may still be played
    bint is_open        # the A* search without jokers has begun
    bint failed         # a line found is illegal or too long
    int fewest          # moves of the best line known
    int lower_bound     # lower bound of the moves of all lines
    uint64_t max_bytes
    MacroAStar astar
    AStar exact
    double pace         # work of the last beam per state of its width; 0 if there was none
    Beam beam


# --- A* over exact positions --------------------------------------------------------------------------------

cdef enum:
    STATE_BYTES = RECORD + 8        # bytes of a record and its slots
    BYTES = STATE_BYTES + 48        # bytes of a record, a node and the slots of both


cdef inline void free_astar(AStar* search) noexcept nogil:
    free_explored(&search.states)
    free_nodes(&search.nodes)


cdef inline uint64_t astar_bytes(const AStar* search) noexcept nogil:
    return explored_bytes(&search.states) + nodes_bytes(&search.nodes)


# --- The bound ------------------------------------------------------------------------------------------

cdef inline int needed_from(const Position* game, int goal, bint has_jokers) noexcept nogil:
    """Return a lower bound of the moves of all lines from ``game`` to a score of ``goal`` (J15): moves up,
    turns and, if all places are the goal and no joker is left, blockers."""
    cdef int needed = goal - score_of(game), spare, places = 0, jokers, suit, i
    if needed <= 0:
        return 0
    for suit in range(4):
        if game.suits >> suit & 1:
            places += game.ranks
    jokers = (game.condition[0] != GONE) + (game.condition[1] != GONE) if has_jokers else 0
    spare = jokers + places - goal
    i = game.stock_size
    while i > game.turned and (game.stock[i - 1] >= 52 or spare > 0):
        i -= 1
        spare -= game.stock[i] < 52
    needed += i - game.turned
    if goal == places and jokers == 0:
        needed += blockers(game)
    return needed


cdef inline int blockers(const Position* game) noexcept nogil:
    """Count the blockers (J15): the cards above a lower one of their suit in a column or in the waste, unless
    they lie face up on a face-up card. Each needs a move besides the one to its foundation, as its head."""
    cdef int column, i, card, below, count = 0
    cdef int lowest[4]
    for column in range(game.columns):
        lowest[0] = lowest[1] = lowest[2] = lowest[3] = 99
        below = -1
        for i in range(game.size[column]):
            card = game.card[column][i]
            if lowest[card & 3] < card and not (
                    i > game.hidden[column] and below >> 2 == (card >> 2) + 1
                    and ((below & 3) in (1, 2)) != ((card & 3) in (1, 2))):
                count += 1
            lowest[card & 3] = min(lowest[card & 3], card)
            below = card
    lowest[0] = lowest[1] = lowest[2] = lowest[3] = 99
    for i in range(game.waste_size):
        card = game.waste[i]
        count += lowest[card & 3] < card
        lowest[card & 3] = min(lowest[card & 3], card)
    return count


# --- The search -----------------------------------------------------------------------------------------

cdef inline bint run_astar(AStar* search, Kernel* kernel, const Position* start, int goal, int fewest,
                           uint64_t most) noexcept nogil:
    """Search for a line from ``start`` to a score of ``goal`` with fewer than ``fewest`` moves, expanding at
    most ``most`` states. Returns True if no line is shorter than ``search.fewest``.

    ``search.last`` is the last node of the line found, if any. ``search.lower_bound`` is valid however the
    search ends.
    """
    cdef Nodes* nodes = &search.nodes
    cdef uint64_t last = kernel.expanded + most
    cdef uint32_t number
    search.goal = goal
    search.fewest = fewest
    if not open_search(search, start):
        kernel.reason = MEMORY
        return False
    while True:
        if next_node(nodes, search.fewest, <uint32_t*>&search.lower_bound, &number) == PROVED:
            return True
        dequeue(nodes, number)
        if nodes.nodes[number].moves + nodes.nodes[number].needed >= search.fewest:
            continue
        if kernel.expanded >= last or not may_expand(kernel):
            return False
        if not expand_record(search, kernel, number):
            kernel.reason = MEMORY
            return False


cdef inline bint open_search(AStar* search, const Position* start) noexcept nogil:
    """Prepare the search from ``start``. Returns False if memory runs out. Queued nodes belong to lines of
    fewer than ``search.fewest`` moves, so their priorities are below that number."""
    cdef uint64_t of_states = search.max_bytes // BYTES * STATE_BYTES
    free_astar(search)
    search.game = start[0]
    search.last = NO_NODE
    search.has_jokers = has_jokers_left(start)
    search.lower_bound = min(needed_from(start, search.goal, search.has_jokers), search.fewest)
    return (
        open_explored(&search.states, RECORD, of_states)
        and reset_nodes(&search.nodes, search.fewest + 1, 1, search.max_bytes - of_states)
        and offer_record(search, start, NO_NODE, 0)
    )


cdef inline bint expand_record(AStar* search, Kernel* kernel, uint32_t number) noexcept nogil:
    """Generate the successors of the node ``number``. Returns False if memory runs out."""
    cdef PlainMove moves[MOST_MOVES]
    cdef Position child
    cdef int count, i
    read_record(&search.game, record_at(&search.states, number))
    count = moves_of(&search.game, moves, True)
    for i in range(count):
        child = search.game
        make(&child, moves[i])
        kernel.generated += 1
        if not offer_record(search, &child, number, pack_move(moves[i])):
            return False
    return True


cdef inline bint offer_record(AStar* search, const Position* game, uint32_t parent,
                              uint32_t move) noexcept nogil:
    """Store and queue a state reached from ``parent`` by ``move``, if it is new or reached in fewer moves
    than before, and if a line through it may be shorter than the best. Returns False if memory runs out."""
    cdef Nodes* nodes = &search.nodes
    cdef uint8_t record[RECORD]
    cdef uint32_t slot, number, made = 0 if parent == NO_NODE else nodes.nodes[parent].moves + 1
    cdef int needed = needed_from(game, search.goal, search.has_jokers)
    if <int>made + needed >= search.fewest:
        return True
    write_record(game, record)
    if find_record(&search.states, record, &slot):
        number = search.states.slots[slot] - 1
        if not reopen(nodes, number, made):
            return True
    else:
        number = search.states.count
        if add_record(&search.states, record) < 0:
            return False
        if add_node(nodes, find_slot(nodes, number, 0), number, 0) == NO_NODE:
            return False
    link_node(nodes, number, parent, made, move, needed)
    if needed == 0:
        search.fewest = made
        search.last = number
    else:
        enqueue(nodes, number)
    return True


cdef inline int write_line(const Nodes* found, uint32_t last, const Position* start, int goal, int most,
                           PlainMove* moves) noexcept nogil:
    """Write the line from ``start`` to the node ``last`` of the nodes ``found`` to ``moves``, which has space
    for ``most`` moves. Returns their number, -1 if there are more, one is illegal or they miss the ``goal``.
    They may be fewer than counted at ``last``, if a shorter path to a node of the line was found later.
    Moves are stored with the columns in `column_order` and are written with those of the game."""
    cdef Position game = start[0]
    cdef const Node* nodes = found.nodes
    cdef uint32_t number = last
    cdef int count = 0, i
    cdef int order[7]
    while nodes[number].parent != NO_NODE:
        count += 1
        number = nodes[number].parent
    if count > most:
        return -1
    number = last
    for i in range(count - 1, -1, -1):
        moves[i] = unpack_move(nodes[number].move)
        number = nodes[number].parent
    for i in range(count):
        column_order(&game, order)
        if moves[i].source >= 0:
            moves[i].source = order[moves[i].source]
        if moves[i].target >= 0:
            moves[i].target = order[moves[i].target]
        if not play(&game, moves[i]):
            return -1
    return count if score_of(&game) >= goal else -1


# --- The portfolio ------------------------------------------------------------------------------------------

cdef enum:
    NEAR_END = 50           # from 60 moves before the end A* proved none of twelve lines (docs/proofs.md)
    LEAST_WIDTH = 32        # least width of a beam narrowed by a work limit

cdef extern from *:
    """
    static const double LAST_BEAM = 3.0;
    """
    const double LAST_BEAM  # with less work left than this times that of a beam, it becomes the last one


cdef inline void free_shortest(Shortest* shortest) noexcept nogil:
    free_macro_astar(&shortest.astar)
    free_astar(&shortest.exact)
    free_beam(&shortest.beam)


cdef inline uint64_t shortest_bytes(const Shortest* shortest) noexcept nogil:
    return macro_astar_bytes(&shortest.astar) + astar_bytes(&shortest.exact) + beam_bytes(&shortest.beam)


cdef inline bint has_jokers_left(const Position* game) noexcept nogil:
    """Test whether a joker is in play, including on a foundation, from where it may come back."""
    cdef int column, i
    for i in range(2):
        if game.condition[i] in (PLACED, OPEN_ACE):
            return True
    for i in range(game.turned, game.stock_size):
        if game.stock[i] >= XB:
            return True
    for i in range(game.waste_size):
        if game.waste[i] >= XB:
            return True
    for column in range(game.columns):
        for i in range(game.size[column]):
            if game.card[column][i] >= XB:
                return True
    return False


cdef inline void open_shortest(Shortest* shortest, const Position* start, int goal, int fewest,
                               uint64_t max_bytes) noexcept nogil:
    """Prepare to shorten a line of ``fewest`` moves from ``start`` to a score of ``goal``."""
    free_shortest(shortest)
    shortest.start = start[0]
    shortest.goal = goal
    shortest.fewest = fewest
    shortest.lower_bound = 0
    shortest.max_bytes = max_bytes
    shortest.has_jokers = has_jokers_left(start)
    shortest.pace = 0.0
    if not shortest.has_jokers:
        shortest.row = ONE_PASS
        shortest.rows = sizeof(ONE_PASS) // sizeof(Row)
    elif goal == start.ranks * count_bits(start.suits):
        shortest.row = TO_ALL_PLACES
        shortest.rows = sizeof(TO_ALL_PLACES) // sizeof(Row)
    else:
        shortest.row = TO_A_SCORE
        shortest.rows = sizeof(TO_A_SCORE) // sizeof(Row)
    shortest.is_open = shortest.failed = False


cdef inline Progress improve_shortest(Shortest* shortest, Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Search on until the line gets shorter or the lower bound rises (IMPROVED), the line is proved shortest
    (PROVED), or a limit, the last stage or an illegal line ends the search (STOPPED). A shorter line is
    written to ``moves``, which has space for the best one known."""
    cdef Progress progress
    cdef int fewest, bound
    while shortest.rows > 0:
        fewest = shortest.fewest
        bound = shortest.lower_bound
        if not shortest.has_jokers:
            progress = improve_onepass(shortest, kernel, moves)
        elif shortest.row.only_near and shortest.fewest > NEAR_END:
            progress = STOPPED
        elif shortest.row.search == BEAM:
            progress = improve_by_beam(shortest, kernel, moves)
        else:
            progress = improve_exactly(shortest, kernel, moves)
        if shortest.failed:
            return STOPPED
        if shortest.lower_bound >= shortest.fewest:
            return PROVED
        if kernel.reason == NOTHING and progress != IMPROVED:
            shortest.row += 1
            shortest.rows -= 1
        if shortest.fewest < fewest or shortest.lower_bound > bound:
            return IMPROVED
        if kernel.reason != NOTHING:
            break
    return STOPPED


cdef inline Progress improve_onepass(Shortest* shortest, Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Search without jokers, by A* alone. Returns as `improve_shortest`."""
    cdef MacroAStar* search = &shortest.astar
    cdef Progress progress
    if not shortest.is_open:
        shortest.is_open = True
        if not open_macro_astar(
                search, &shortest.start, shortest.goal, shortest.fewest, shortest.max_bytes):
            kernel.reason = MEMORY
            return STOPPED
        begin_stage(kernel, A_STAR, JOKER_NODE)
    progress = run_macro_astar(search, kernel)
    shortest.lower_bound = max(shortest.lower_bound, search.lower_bound)
    if search.fewest < shortest.fewest:
        take_line(shortest, write_macro_line(search, moves))
        return IMPROVED
    return progress


cdef inline Progress improve_by_beam(Shortest* shortest, Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Run one beam search and write its line, if shorter than the best and after `shorten`, to ``moves``.
    Since a beam cut off by a limit is useless, the last one within a work limit gets the width for which the
    rest of the work suffices."""
    cdef Beam* beam = &shortest.beam
    cdef uint64_t began
    cdef int count, width
    free_beam(beam)
    beam.max_bytes = shortest.max_bytes
    begin_stage(kernel, BEAM, JOKER_BEAM_STATE)
    began = work_done(kernel)
    width = width_for(shortest, shortest.row.width, work_left(kernel))
    run_beam(beam, kernel, &shortest.start, moves if shortest.row.has_line else NULL, shortest.fewest,
             shortest.goal, width)
    shortest.pace = <double>(work_done(kernel) - began) / width
    if beam.last != NO_NODE:
        count = write_line(&beam.nodes, beam.last, &shortest.start, shortest.goal, shortest.fewest, moves)
        if count > 0:
            count = shorten(&shortest.start, moves, count)
        take_line(shortest, count)
    free_beam(beam)
    return STOPPED


cdef inline int width_for(const Shortest* shortest, int width, uint64_t rest) noexcept nogil:
    """Return the width for a beam meant to have ``width``, if ``rest`` units of work are left."""
    cdef double most
    if shortest.pace <= 0.0 or rest == UNLIMITED or rest > LAST_BEAM * shortest.pace * width:
        return width
    most = min(rest / shortest.pace, LAST_BEAM * width)
    return <int>most if most > LEAST_WIDTH else LEAST_WIDTH


cdef inline Progress improve_exactly(Shortest* shortest, Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Run A* over exact positions with jokers, and write a shorter line to ``moves``."""
    cdef AStar* search = &shortest.exact
    begin_stage(kernel, A_STAR, JOKER_EXACT)
    search.max_bytes = shortest.max_bytes
    run_astar(search, kernel, &shortest.start, shortest.goal, shortest.fewest,
              shortest.row.states)
    shortest.lower_bound = max(shortest.lower_bound, search.lower_bound)
    if search.last != NO_NODE:
        take_line(shortest, write_line(
            &search.nodes, search.last, &shortest.start, shortest.goal, shortest.fewest, moves
        ))
    return STOPPED


cdef inline void take_line(Shortest* shortest, int count) noexcept nogil:
    """Record the length ``count`` of the line just written; a negative one means that it is illegal."""
    shortest.failed = count < 0
    if count >= 0:
        shortest.fewest = count
