"""Beam search (Lowerre 1976) for short lines of joker: at each depth, the most promising states are expanded.

It shortens lines and proves nothing. States are exact positions (`position`) and moves are elementary, but
some moves are left out that would be superfluous without jokers (J13): a move from a column that changes no
joker is not made just after a turn, since it can come first; a lateral move is followed by a move of the card
that it uncovers; and a natural goes up at once if no card can need it and no exchange depends on it.

A beam that is given a known line expands the states of that line as well and follows its moves from them, so
a shorter path to any of these states shortens the line.

The heuristic is the number of turns and places left, plus the number of landmarks (J14) of the position
without its jokers. A state inherits the landmarks of its parent and is queued by them; they are brought up to
date before it is expanded.

The position without jokers guides the search and gives no bound. Jokers are left out wherever they lie, as if
they were played as soon as possible, and so are naturals whose foundation places are filled. Cards beneath a
joker that carries cards are treated as face down.

Memory: nodes, candidates and landmarks share ``max_bytes``; the candidates of a depth are freed after it.
"""

cdef enum:
    MANY = 64               # least states expanded from which the work of a state is measured

cdef struct Pace:
    double cost             # work of a state; 0 if not measured yet
    uint64_t began          # work done before the current rank
    uint64_t expanded       # states expanded before the current rank

cdef enum:
    MOST_MADE = 320         # most moves of a line

cdef struct Candidate:      # a state that may be expanded
    uint8_t record[RECORD]
    uint32_t number         # number of its node
    uint32_t first          # index of its first landmark, or of its parent's until it is judged
    Link link               # in the queue
    uint16_t needed         # heuristic of the moves still needed
    uint8_t count           # number of landmarks
    uint8_t head            # natural that is the head of the extra move to here, or NATURALS
    uint8_t is_judged       # its own landmarks were computed
    uint8_t is_turned       # reached by a turn that exchanged nothing
    uint8_t is_changed      # the condition of a joker changed on the way from its parent

cdef struct Rank:           # all candidates after a number of moves
    Candidate* candidates
    uint64_t count, room    # ``room`` is the capacity

cdef struct Beam:
    Nodes nodes             # all states generated, by 128 bits of hash
    Rank ranks[MOST_MADE]
    Buckets queue           # candidates of the rank being expanded
    Position game          # the state being expanded
    ExactLayout layout      # of the position without jokers
    Pool landmarks
    uint64_t bytes_of_ranks, max_bytes, judged
    uint32_t line[MOST_MADE]    # packed moves of the known line; move i leads from node i to node i + 1
    int line_count              # length of ``line``
    int goal, width
    Pace pace
    int fewest              # moves of the best line known
    uint32_t last           # last node of the best line, NO_NODE if this beam has not found it


# --- Beam width ---------------------------------------------------------------------------------------------

cdef inline int begin_at_pace(Pace* pace, Kernel* kernel, int width, int ranks) noexcept nogil:
    """Return the number of states to expand at this rank: ``width``, or fewer (at least one) if the work left
    is to suffice for ``ranks`` ranks like it."""
    cdef uint64_t left = work_left(kernel)
    cdef double most
    pace.began = work_done(kernel)
    pace.expanded = kernel.expanded
    if left == UNLIMITED or pace.cost <= 0.0:
        return width
    most = left / (pace.cost * ranks)
    return width if most >= width else max(<int>most, 1)


# --- The guide ----------------------------------------------------------------------------------------------

cdef inline void leave_out_jokers(const Position* game, ExactLayout* layout, ExactPosition* p) noexcept nogil:
    """Set ``layout`` and ``p``, the arguments of `relaxed_wins` and `landmark_among`, to the position
    ``game`` without its jokers."""
    cdef int suit, column, colour, i
    p.up = 0
    for suit in range(4):
        p.up |= (CLUBS & (bit(4 * game.height[suit]) - 1)) << suit
    for colour in range(2):
        if game.condition[colour] == OPEN_ACE:
            p.up |= (REDS if colour else BLACKS) & 15
    layout.top_rank = <uint64_t>15 << (4 * (game.ranks - 1))
    layout.present = 0
    layout.slots = 0
    for i in range(game.waste_size):
        add_slot(layout, p, game.waste[i])
    p.turned = layout.slots
    p.waste = bit(layout.slots) - 1
    p.top = layout.slots - 1
    for i in range(game.turned, game.stock_size):
        add_slot(layout, p, game.stock[i])
    p.face = p.bases = p.runs = p.second = p.covered = 0
    p.empty = 0
    for column in range(game.columns):
        add_column(game, column, layout, p)
        p.empty += p.left[column] == 0


cdef inline bint is_left_out(const ExactPosition* p, int card) noexcept nogil:
    """Test whether ``card`` is a joker, or a natural whose foundation place is filled."""
    return card >= XB or p.up >> card & 1


cdef inline void add_slot(ExactLayout* layout, const ExactPosition* p, int card) noexcept nogil:
    """Append a card of the waste or of the stock to the slots, unless it is left out."""
    if not is_left_out(p, card):
        layout.slot_card[layout.slots] = card
        layout.slots += 1
        layout.present |= bit(card)


cdef inline void add_column(const Position* game, int column, ExactLayout* layout,
                            ExactPosition* p) noexcept nogil:
    """Add the cards of a column, except those left out. Cards up to a joker that carries cards, or up to the
    deepest face-up card, count as dealt."""
    cdef int i, card, count = 0, base = game.hidden[column]
    for i in range(game.hidden[column] + 1, game.size[column]):
        if game.card[column][i - 1] >= XB:
            base = i
    for i in range(game.size[column]):
        card = game.card[column][i]
        if is_left_out(p, card):
            continue
        layout.present |= bit(card)
        if i <= base:
            layout.dealt[column][count] = card
            layout.column_of[card] = column
            count += 1
            continue
        p.runs |= bit(card)
        p.face |= bit(card)
        p.covered |= bit(game.card[column][i - 1])
        if game.card[column][i - 1] & 2:
            p.second |= bit(card)
    p.left[column] = count
    if count:
        p.bases |= bit(layout.dealt[column][count - 1])
        p.face |= bit(layout.dealt[column][count - 1])


# --- The beam -----------------------------------------------------------------------------------------------

cdef enum:
    MOST_NEEDED = 256       # upper limit, exclusive, of the moves needed
    LOST_PENALTY = 30           # moves added for a state that is lost without its jokers
    CHANGE_BONUS = 2         # landmarks deducted when the condition of a joker has changed
    WATCH = 511             # clock and signals are polled once for every 512 states
    ON_LINE = 2               # value of a node's `queued` if its state is on the known line


cdef inline void free_beam(Beam* beam) noexcept nogil:
    cdef int made
    free_nodes(&beam.nodes)
    free_buckets(&beam.queue)
    free(beam.landmarks.cards)
    for made in range(MOST_MADE):
        free(beam.ranks[made].candidates)
    memset(beam, 0, sizeof(Beam))


cdef inline uint64_t beam_bytes(const Beam* beam) noexcept nogil:
    return nodes_bytes(&beam.nodes) + beam.bytes_of_ranks + beam.landmarks.room * sizeof(uint64_t)


cdef inline bint run_beam(Beam* beam, Kernel* kernel, const Position* start, const PlainMove* line,
                          int fewest, int goal, int width) noexcept nogil:
    """Search for a line from ``start`` to a score of ``goal`` with fewer than ``fewest`` moves, expanding up
    to ``width`` states at each depth. ``line``, if not NULL, is a line of ``fewest`` moves to be included in
    the beam. The beam narrows so that it ends within the kernel's work limit.

    ``beam.fewest`` and ``beam.last`` describe the line found. Returns False if a limit of the kernel ended
    the beam; it also ends, returning True, when ``beam.max_bytes`` are used up.
    """
    cdef int made
    cdef double cost
    beam.game = start[0]
    beam.goal = goal
    beam.fewest = min(fewest, MOST_MADE)
    beam.width = width
    beam.last = NO_NODE
    beam.pace.cost = 0.0
    if not reset_nodes(&beam.nodes, 1, 1, beam.max_bytes) or not begin_rank(beam, start):
        return True
    if line != NULL and not add_line(beam, start, line):
        return True
    made = 0
    while made < beam.fewest:
        if not open_rank(beam, made):
            return True
        width = begin_at_pace(&beam.pace, kernel, beam.width, beam.fewest - made)
        if not expand_rank(beam, kernel, made, width):
            return kernel.reason == 0
        if kernel.expanded >= beam.pace.expanded + MANY:     # measure the work of a state of this rank
            cost = <double>(work_done(kernel) - beam.pace.began) / (kernel.expanded - beam.pace.expanded)
            beam.pace.cost = cost if beam.pace.cost <= 0.0 else 0.7 * beam.pace.cost + 0.3 * cost
        free(beam.ranks[made].candidates)
        beam.bytes_of_ranks -= beam.ranks[made].room * sizeof(Candidate)
        memset(&beam.ranks[made], 0, sizeof(Rank))
        made += 1
    return True


# --- Memory -------------------------------------------------------------------------------------------------

cdef inline uint64_t spare_bytes(Beam* beam) noexcept nogil:
    """Return the bytes that may still be allocated."""
    return beam.max_bytes - min(beam_bytes(beam), beam.max_bytes)


cdef inline Candidate* add_candidate(Beam* beam, int made) noexcept nogil:
    """Append a candidate to the rank of ``made`` moves. Returns it, not initialized, or NULL if memory runs
    out."""
    cdef Rank* rank = &beam.ranks[made]
    cdef uint64_t held = rank.room * sizeof(Candidate)
    if rank.count == rank.room:
        if not more_room(&rank.candidates, &rank.room, 256, sizeof(Candidate), spare_bytes(beam) + held):
            return NULL
        beam.bytes_of_ranks += rank.room * sizeof(Candidate) - held
    rank.count += 1
    return &rank.candidates[rank.count - 1]


cdef struct Walk:           # a state reached by moves from the one being expanded
    Position game          # its columns in the order of its record
    uint8_t record[RECORD]
    uint32_t number         # number of its node
    bint is_news            # it is new, or reached in fewer moves than before


# --- States -------------------------------------------------------------------------------------------------

cdef inline void hash_record(const uint8_t* record, uint64_t* low, uint64_t* high) noexcept nogil:
    """Hash a record of RECORD bytes to two words of 64 bits."""
    cdef uint64_t one = <uint64_t>0x9E3779B97F4A7C15, other = <uint64_t>0xD6E8FEB86659FD93, word
    cdef int i
    for i in range(0, RECORD, 8):
        memcpy(&word, record + i, 8)
        one = (one ^ word) * <uint64_t>0xC2B2AE3D27D4EB4F
        one ^= one >> 29
        other = (other + word) * <uint64_t>0x9E3779B97F4A7C15
        other ^= other >> 32
    low[0] = one
    high[0] = other


cdef inline int places_left(const Beam* beam, const Position* game) noexcept nogil:
    """Return the turns left in ``game`` plus the score missing to the goal."""
    return game.stock_size - game.turned + max(0, beam.goal - score_of(game))


cdef inline bint begin_rank(Beam* beam, const Position* start) noexcept nogil:
    """Store the start as the candidate of rank 0. Returns False if memory runs out."""
    cdef Position game = start[0]
    cdef uint8_t record[RECORD]
    cdef Candidate* candidate = add_candidate(beam, 0)
    cdef uint64_t low, high
    cdef uint32_t number
    if candidate == NULL:
        return False
    write_record(&game, record)
    hash_record(record, &low, &high)
    number = add_node(&beam.nodes, find_slot(&beam.nodes, low, high), low, high)
    if number == NO_NODE:
        return False
    beam.nodes.nodes[number].parent = NO_NODE
    beam.nodes.nodes[number].moves = 0
    beam.nodes.nodes[number].queued = True
    memset(candidate, 0, sizeof(Candidate))
    memcpy(candidate.record, record, RECORD)
    candidate.number = number
    candidate.head = NATURALS
    return True


cdef inline bint add_line(Beam* beam, const Position* start, const PlainMove* line) noexcept nogil:
    """Store the states of the known ``line`` as candidates of their ranks. Returns False if memory runs
    out."""
    cdef Position game = start[0]
    cdef Walk there
    cdef PlainMove step
    cdef Candidate* candidate
    cdef int i, column
    cdef int order[7]
    there.game = start[0]
    there.number = 0
    write_record(&there.game, there.record)
    read_record(&there.game, there.record)
    for i in range(beam.fewest):
        step = line[i]
        column_order(&game, order)
        for column in range(game.columns):
            if order[column] == line[i].source:
                step.source = column
            if order[column] == line[i].target:
                step.target = column
        if not play(&game, line[i]) or score_of(&game) >= beam.goal:
            break
        beam.line[i] = pack_move(step)
        if not walk(beam, &there, step):
            return False
        if not there.is_news:
            break           # the line comes to an earlier state of its own
        candidate = add_candidate(beam, i + 1)
        if candidate == NULL:
            return False
        memset(candidate, 0, sizeof(Candidate))
        memcpy(candidate.record, there.record, RECORD)
        candidate.number = there.number
        candidate.head = NATURALS
        beam.nodes.nodes[there.number].queued = ON_LINE
        beam.line_count = i + 1
    return True


cdef inline bint judge_candidate(Beam* beam, Candidate* candidate) noexcept nogil:
    """Compute the landmarks and the heuristic of a candidate from those inherited. Returns False if memory
    runs out."""
    cdef uint64_t taken = 0, landmark, touched
    cdef uint64_t landmarks[MOST_LANDMARKS]
    cdef ExactPosition p
    cdef int count = 0, i
    read_record(&beam.game, candidate.record)
    leave_out_jokers(&beam.game, &beam.layout, &p)
    beam.judged += 1
    candidate.is_judged = True
    candidate.needed = places_left(beam, &beam.game)
    for i in range(candidate.count):
        landmark = beam.landmarks.cards[candidate.first + i]
        if candidate.is_changed or (candidate.head < NATURALS and landmark >> candidate.head & 1):
            if relaxed_wins(&beam.layout, &p, ~landmark, &touched):
                continue
        landmarks[count] = landmark
        count += 1
        taken |= landmark
    while count < MOST_LANDMARKS and not relaxed_wins(&beam.layout, &p, taken, &touched):
        landmark = landmark_among(&beam.layout, &p, beam.layout.present & touched & ~taken)
        if landmark == 0:
            candidate.needed += LOST_PENALTY
            break
        landmarks[count] = landmark
        count += 1
        taken |= landmark
    candidate.needed = min(candidate.needed + count, MOST_NEEDED - 1)
    candidate.first = beam.landmarks.count
    candidate.count = count
    return keep_landmarks(&beam.landmarks, landmarks, count, spare_bytes(beam))


# --- Ranks --------------------------------------------------------------------------------------------------

cdef inline bint open_rank(Beam* beam, int made) noexcept nogil:
    """Queue the candidates of the rank of ``made`` moves. Returns False if memory runs out."""
    cdef Rank* rank = &beam.ranks[made]
    cdef uint32_t i
    if not open_buckets(&beam.queue, MOST_NEEDED):
        return False
    for i in range(rank.count):
        push_number(&beam.queue, &rank.candidates.link, sizeof(Candidate), i, rank.candidates[i].needed)
    return True


cdef inline bint expand_rank(Beam* beam, Kernel* kernel, int made, int width) noexcept nogil:
    """Expand the best ``width`` candidates of the rank of ``made`` moves, and those of the known line.
    Returns False if a limit is reached or memory runs out."""
    cdef Rank* rank = &beam.ranks[made]
    cdef Candidate* candidate
    cdef uint32_t i
    cdef int taken = 0
    while taken < width and rank.count:
        i = first_number(&beam.queue)
        if i == NOTHING_QUEUED:
            break
        candidate = &rank.candidates[i]
        remove_number(&beam.queue, &rank.candidates.link, sizeof(Candidate), i, candidate.needed)
        if beam.nodes.nodes[candidate.number].moves != made:
            continue        # the state was also reached in fewer moves
        if not candidate.is_judged:
            if beam.judged & WATCH == WATCH and not poll(kernel):
                return False
            add_work(kernel, JOKER_JUDGED)
            if not judge_candidate(beam, candidate):
                return False
            if beam.nodes.nodes[candidate.number].queued == ON_LINE:
                if not expand_candidate(beam, kernel, candidate, made) or not follow_line(beam, candidate,
                                                                                          made):
                    return False
                continue
            push_number(&beam.queue, &rank.candidates.link, sizeof(Candidate), i, candidate.needed)
            continue
        if not may_expand(kernel) or (kernel.expanded & WATCH == WATCH and not poll(kernel)):
            return False
        if not expand_candidate(beam, kernel, candidate, made):
            return False
        taken += 1
    return True


cdef inline bint expand_candidate(Beam* beam, Kernel* kernel, const Candidate* candidate,
                                  int made) noexcept nogil:
    """Generate the successors of a candidate. Returns False if memory runs out."""
    cdef PlainMove moves[MOST_MOVES]
    cdef Walk there
    cdef PlainMove step
    cdef int count, i
    read_record(&beam.game, candidate.record)
    count = moves_of(&beam.game, moves, True)
    for i in range(count):
        step = moves[i]
        there.game = beam.game
        make(&there.game, step)
        kernel.generated += 1
        if candidate.is_turned and step.source >= 0 and not is_changed_in(beam, &there.game):
            continue        # the move can be made before the turn
        if step.source >= 0 and step.target >= 0 and step.count < face_up(&beam.game, step.source):
            if not offer_lateral(beam, candidate, &there.game, step, made):
                return False
        elif not offer_step(beam, candidate, &there, step, NULL, made):
            return False
    return True


cdef inline bint follow_line(Beam* beam, const Candidate* candidate, int made) noexcept nogil:
    """Make the known line's move from its state ``candidate``, and queue the state after it if that is
    reached in fewer moves than before. Returns False if memory runs out."""
    cdef Walk there
    cdef PlainMove step
    cdef int head
    if <int>candidate.number >= beam.line_count:
        return True
    read_record(&beam.game, candidate.record)
    there.game = beam.game
    there.number = candidate.number
    step = unpack_move(beam.line[candidate.number])
    head = head_in(beam, step)
    if not walk(beam, &there, step):
        return False
    if not there.is_news or made + 1 >= beam.fewest:
        return True
    return queue(beam, candidate, &there, head, False, is_changed_in(beam, &there.game), made + 1)


cdef inline bint offer_lateral(Beam* beam, const Candidate* candidate, const Position* after, PlainMove step,
                               int made) noexcept nogil:
    """Generate the successors by the lateral move ``step``, already made in ``after``, and a move of the card
    that it uncovers to a foundation or out of play. Returns False if memory runs out."""
    cdef PlainMove next_step
    cdef Position trial
    cdef Walk there
    cdef int suit
    for suit in range(ANY, 5):
        next_step = PlainMove(step.source, FOUNDATION if suit < 4 else OUT, 1, suit if suit < 4 else ANY, ANY)
        there.game = trial = after[0]
        if play(&trial, next_step) and not offer_step(beam, candidate, &there, step, &next_step, made):
            return False
    return True


# --- Steps --------------------------------------------------------------------------------------------------

cdef inline bint walk(Beam* beam, Walk* there, PlainMove step) noexcept nogil:
    """Make the legal move ``step`` in ``there`` and store the state after it. Returns False if memory runs
    out."""
    make(&there.game, step)
    return arrive(beam, there, step)


cdef inline bint arrive(Beam* beam, Walk* there, PlainMove step) noexcept nogil:
    """Find or add the node of ``there.game``, reached from the node ``there.number`` by ``step``, and set the
    other fields of ``there`` to it. Returns False if memory runs out."""
    cdef uint64_t low, high
    cdef uint32_t* slot
    cdef uint32_t parent = there.number
    cdef int made = beam.nodes.nodes[parent].moves + 1
    cdef Node* node
    write_record(&there.game, there.record)
    read_record(&there.game, there.record)
    hash_record(there.record, &low, &high)
    slot = find_slot(&beam.nodes, low, high)
    if slot[0]:
        there.number = slot[0] - 1
        node = &beam.nodes.nodes[there.number]
        there.is_news = node.moves > made
        if not there.is_news:
            return True
    else:
        if beam.nodes.known.count == beam.nodes.known.room:
            beam.nodes.known.max_bytes = beam.max_bytes - min(
                beam.max_bytes, beam.bytes_of_ranks + beam.landmarks.room * sizeof(uint64_t))
        there.number = add_node(&beam.nodes, slot, low, high)
        if there.number == NO_NODE:
            return False
        there.is_news = True
        node = &beam.nodes.nodes[there.number]
    set_parent(node, parent, made, pack_move(step))
    return True


cdef inline bint offer_step(Beam* beam, const Candidate* candidate, Walk* there, PlainMove step,
                            const PlainMove* next_step, int made) noexcept nogil:
    """Store and queue the state after ``step``, already made in ``there.game``, after ``next_step`` from the
    same column if that is not NULL, and after the safe moves up that follow. Returns False if memory runs
    out."""
    cdef PlainMove safe
    cdef int top = -1, total
    cdef bint is_changed, is_turned = step.source == STOCK
    there.number = candidate.number
    if next_step != NULL:
        top = beam.game.card[step.source][beam.game.size[step.source] - step.count - 1]
    if not arrive(beam, there, step):
        return False
    if next_step != NULL:
        safe = next_step[0]
        safe.source = column_with(&there.game, top)
        if not walk(beam, there, safe):
            return False
    while score_of(&there.game) < beam.goal and find_safe(&there.game, &safe):
        is_turned = False
        if not walk(beam, there, safe):
            return False
    total = beam.nodes.nodes[there.number].moves
    if total >= beam.fewest:
        return True
    if score_of(&there.game) >= beam.goal:
        beam.fewest = total
        beam.last = there.number
        return True
    if total <= made or (beam.nodes.nodes[there.number].queued and not there.is_news):
        return True
    is_changed = is_changed_in(beam, &there.game)
    return queue(beam, candidate, there, head_in(beam, step), is_turned and not is_changed, is_changed, total)


cdef inline bint is_changed_in(const Beam* beam, const Position* game) noexcept nogil:
    """Test whether the condition of a joker in ``game`` differs from that in the state being expanded."""
    return (memcmp(game.condition, beam.game.condition, 2) != 0
            or memcmp(game.value, beam.game.value, 2) != 0)


cdef inline int head_in(const Beam* beam, PlainMove step) noexcept nogil:
    """Return the natural that is the head of ``step``, NATURALS if it is a joker or the move is not extra."""
    return min(head_of(&beam.game, step), NATURALS) if step.target >= 0 else NATURALS


cdef inline bint queue(Beam* beam, const Candidate* before, const Walk* there, int head, bint is_turned,
                       bint is_changed, int total) noexcept nogil:
    """Append the state ``there``, reached in ``total`` moves, to the candidates of that depth, with the
    landmarks of its parent ``before``. Returns False if memory runs out."""
    cdef Candidate* candidate = add_candidate(beam, total)
    cdef int needed, i
    if candidate == NULL:
        return False
    needed = places_left(beam, &there.game) + before.count
    if is_changed:
        needed = max(needed - CHANGE_BONUS, 0)
    elif head < NATURALS:
        for i in range(before.count):
            needed -= beam.landmarks.cards[before.first + i] >> head & 1
    memcpy(candidate.record, there.record, RECORD)
    candidate.number = there.number
    candidate.first = before.first
    candidate.count = before.count
    candidate.needed = min(needed, MOST_NEEDED - 1)
    candidate.head = head
    candidate.is_judged = False
    candidate.is_turned = is_turned
    candidate.is_changed = is_changed
    if beam.nodes.nodes[there.number].queued == ON_LINE:
        candidate.needed = 0    # it comes first
    else:
        beam.nodes.nodes[there.number].queued = True
    return True
