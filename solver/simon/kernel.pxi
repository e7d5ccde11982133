"""Simon kernel: an algorithm portfolio with randomized geometric restarts (Gomes and Selman 2001).

It decides simple-simon, simon-jester and simon-jester-triangular. Best-first search over classes finds wins;
relaxations R0 and R2 prove most losses; complete class search and depth-first search over positions decide
the rest. Node budgets double each round. A restart draws weights, step price and noise from its stage number,
so runs are reproducible.

Why it pays (portfolio of 24 November 2026, docs/theory/simon.md, "Stages of the portfolio"): the first
search, of 500 classes (750 with two decks), decides 89 % of the Simple Simon deals and 77 % of Simon Jester;
without it processor time rises by 43 % and 31 %. R2 costs 1-9 %, and proves five losses that no other search
proves within 6,000,000 states.

Soundness: LOST is returned only by an exhausted search that skipped nothing but states proved lost: R0 (S2),
R2 (S19, S20), classes (S16, S18), positions (S1). WON is returned only after `wins` replayed the moves.
Invariant: once a search with a branching limit was exhausted, it is not rerun with that limit or a smaller
one. Memory: R0 takes up to 1/2 of ``max_bytes``, best-first search 1/4, dead-end tests 1/8, plan repair 1/8;
R2 with many nodes and the search of positions take 1/4, after best-first search is freed.
"""

# --- Portfolio ----------------------------------------------------------------------------------------------

# The portfolio as a table: the search, node budget and settings of each stage.
#
# The opening decides nearly all deals. It has short class searches, which either find a win soon or get lost,
# so that a restart with other weights beats a longer search; between them R0 proves most losses in a few
# hundred states. Rounds follow, with twice the nodes in each. They add slower searches that decide deals on
# which the others fail: more ways to commit links, dead-end tests, and a search of single positions. The
# stage number of a class search is the seed of its weights, of the price of a move and of the noise. Much
# noise is better than little: of 1,440 searches of 3,000 nodes through the 24 hardest of 100,000 deals of two
# decks, 20 won with a noise of 300, and 152 with one of 3,000.
#
# A class search with a branching limit (cap) omits the commitments beyond it. If it is exhausted without a
# win, it is not repeated with that cap or a smaller one: another seed would reach nearly the same classes in
# another order. With two decks, from the second round on, all but the wide searches have a cap of 1 until one
# was exhausted. An exhausted search shows that the deal has few classes; from then on the wide search with
# long dead-end tests, the cheaper one, gets more nodes.
#
# A wide search has no cap from the second round on, and thus proves losses. The one with short dead-end tests
# expands many classes, the one with long tests few; either may be the one that is exhausted. If memory is
# ample, the first rounds are hasty: they abandon a wide search whose classes have many successors, since such
# searches were never exhausted; from the fifth round on they omit the wide search with short tests, whose
# nodes are expensive, every other time; and from the sixth on the search of positions. With two decks they
# replace a long search of cap 1 by several restarts, since a search that got lost does not recover. Later
# rounds are not hasty, so that a search whose only limit is memory ends by reaching it.
#
# R0 is one search that continues from stage to stage. R2 starts again in each stage; with two decks, where it
# rarely proves a loss, it has half the nodes in the first round and is omitted in every other one.

cdef enum:
    OPENING = 7                 # stages before the rounds
    ROUND = 10                  # stages of a round
    REPAIRS = 4                 # settings that are tried to repair a failed plan


cdef enum:
    ROUND_NOISE = 4500          # noise of the searches with a cap in the rounds, with two decks
    GROWTH = 2                  # factor of the node budgets from round to round
    LONG_TESTS = 300            # nodes of a long dead-end test
    FEW_CLASSES = 4             # factor of the nodes with long tests after a search with a cap was exhausted
    WIDE = 50                   # cap of a wide search in round 0
    COMPLETE_FROM = 1           # first round in which wide searches have no cap
    LATE = 4                    # first round in which hasty rounds omit stages
    HASTY = 8                   # number of rounds that may be hasty
    MOST_SUCCESSORS = 8         # mean successors of a class at which hasty rounds abandon a wide search

    MOST_NARROW = 24_000        # nodes at which a search of cap 1 is split into restarts
    AMPLE = 1_000_000_000       # bytes; hasty rounds need a memory limit of this or more
    REPAIR_NODES = 2000         # nodes of each search that tries to repair a failed plan

cdef extern from *:
    """
    typedef struct { int search; uint64_t nodes; int cap, step, spread, dead_end_nodes; uint64_t r2_nodes;
                     double jitter; int noise; } simon_row;
    enum { BY_CLASSES = 3, RELAXED = 4, BY_POSITIONS = 5, WIDE_CAP = 50 };  // of Stage, and WIDE
    static const uint64_t MOST_NODES = (uint64_t)1 << 40;
    static const int FIRST_STEP[2] = {170, 200};
    static const int ORDER[2][7] = {{0, 1, 2, 3, 4, 5, 6}, {0, 2, 1, 3, 5, 4, 6}};
    static const int REPAIR[4] = {0, 2, 5, 6};
    static const simon_row FIRST[7] = {
    //   search,       nodes, cap,      step, spread, dead_end_nodes, r2_nodes, jitter, noise
        {BY_CLASSES,     500, 1,        170,   1,       0,       0,   0.0,       1},
        {RELAXED,       1000, 0,          0,   1,       0,       0,   0.0,       0},
        {BY_CLASSES,    1000, 1,        170,  51,       0,       0,   0.25,   1000},
        {BY_CLASSES,    2000, 1,        170,  51,       0,       0,   0.25,   1000},
        {RELAXED,       8000, 0,          0,   1,       0,     200,   0.0,       0},
        {BY_CLASSES,    3000, 1,        170,  51,       0,       0,   0.25,   2000},
        {BY_CLASSES,    3000, 2,        170,  51,       0,       0,   0.4,    1000},
    };
    static const simon_row IN_ROUND[10] = {
    //   search,       nodes, cap,      step, spread, dead_end_nodes, r2_nodes, jitter, noise
        {BY_CLASSES,    4000, 1,        170,  51,       0,       0,   0.25,   1000},
        {BY_CLASSES,    4000, 1,        170,  51,       0,       0,   0.25,   3000},
        {BY_CLASSES,    4000, 2,        150,  81,       0,       0,   0.2,    2000},
        {BY_CLASSES,    4000, 1,        170,  51,       0,       0,   0.4,     300},
        {BY_CLASSES,    4000, 4,        150,  81,       0,       0,   0.25,   1000},
        {BY_CLASSES,    4000, 1,        170,  51,       0,       0,   0.25,   2000},
        {RELAXED,      64000, 0,          0,   1,       0,    6000,   0.0,       0},
        {BY_CLASSES,    4000, WIDE_CAP, 150,   1,     300,       0,   0.25,   1000},
        {BY_POSITIONS,  5000, 0,          0,   1,       0,       0,   0.0,       0},
        {BY_CLASSES,    6000, WIDE_CAP, 150,   1,      30,       0,   0.0,       1},
    };
    """
    ctypedef struct Row "simon_row":
        int search                  # a Stage
        uint64_t nodes              # node budget; of class searches 1.5 times as much with two decks
        int cap                     # this and the following fields are those of Settings, for class searches
        int step                    # least price of a move
        int spread                  # the price is `step` plus a random number below `spread`
        int dead_end_nodes
        uint64_t r2_nodes           # node budget of R2
        double jitter
        int noise
    const uint64_t MOST_NODES
    const int FIRST_STEP[2]         # prices of a move in the first search, with one deck and with two
    # Order of the opening with one deck and with two. With two decks fewer of the deals that the first search
    # leaves undecided are lost, so relaxations come one search later.
    const int ORDER[2][OPENING]
    const int REPAIR[REPAIRS]       # rows of FIRST whose settings are tried to repair a failed plan
    const Row FIRST[OPENING]
    const Row IN_ROUND[ROUND]


cdef inline Row row_of(int stage, int cards) noexcept nogil:
    """The row of ``stage`` in a deal of ``cards`` cards, with the budgets of its round."""
    cdef int round = (stage - OPENING) // ROUND if stage >= OPENING else 0
    cdef Row row = IN_ROUND[(stage - OPENING) % ROUND] if stage >= OPENING else FIRST[stage]
    cdef int _
    if stage == 0:
        row.step = FIRST_STEP[cards > ONE_DECK]
    if cards > ONE_DECK and round == 0 and stage >= OPENING:
        row.r2_nodes //= 2
    if row.search == BEST_FIRST and cards > ONE_DECK:
        row.nodes += row.nodes // 2
        if stage >= OPENING and row.cap < WIDE:
            row.noise = ROUND_NOISE
    for _ in range(round):
        row.nodes = min(GROWTH * row.nodes, MOST_NODES)
        if row.search == RELAXATION:
            row.r2_nodes = min(GROWTH * row.r2_nodes, MOST_NODES)
    if cards > ONE_DECK and round % 2 == 1:
        row.r2_nodes = 0
    if row.cap == WIDE and round >= COMPLETE_FROM:
        row.cap = NO_CAP
    return row


cdef inline int wide_bit(int stage) noexcept nogil:
    """The bit that stands for a wide search of a round: 1 << its row of IN_ROUND; 0 if ``stage`` is
    another."""
    cdef int row = (stage - OPENING) % ROUND
    return 1 << row if stage >= OPENING and IN_ROUND[row].cap == WIDE else 0


cdef inline int wide_bits() noexcept nogil:
    """The bits of all wide searches of a round."""
    cdef int row, bits = 0
    for row in range(ROUND):
        bits |= wide_bit(OPENING + row)
    return bits


cdef inline bint is_hasty(int stage, uint64_t max_bytes) noexcept nogil:
    """Test if ``stage`` belongs to a hasty round, for a memory limit of ``max_bytes``."""
    return max_bytes >= AMPLE and (stage - OPENING) // ROUND < HASTY


cdef inline bint is_omitted(int stage, uint64_t max_bytes) noexcept nogil:
    """Test if a hasty round omits ``stage``: from round LATE on the wide search with short tests every other
    time, and after it the search of positions."""
    cdef int round = (stage - OPENING) // ROUND, place = (stage - OPENING) % ROUND
    if round < LATE or not is_hasty(stage, max_bytes):
        return False
    if IN_ROUND[place].search == POSITIONS:
        return round > LATE
    return (round - LATE) % 2 == 0 and wide_bit(stage) > 0 and IN_ROUND[place].dead_end_nodes < LONG_TESTS


cdef inline Settings settings_of(int stage, int cards) noexcept nogil:
    """Settings of the class search of ``stage`` in a deal of ``cards`` cards."""
    cdef Row row = row_of(stage, cards)
    cdef Settings settings
    settings.nodes = row.nodes
    settings.cap = row.cap
    settings.step = row.step + <int>(mix_low(stage) % <uint64_t>row.spread)
    settings.dead_end_nodes = row.dead_end_nodes
    settings.successors = 0
    settings.jitter = row.jitter
    settings.noise = row.noise
    settings.seed = stage
    return settings


cdef inline int split_into_restarts(Settings* settings, int stage, int cards,
                                    uint64_t max_bytes) noexcept nogil:
    """Split a search of cap 1 with many nodes into restarts: set ``settings.nodes`` to the nodes of each, and
    return their number, 1 if the search is not split."""
    cdef int searches = 1
    if cards <= ONE_DECK or not is_hasty(stage, max_bytes):
        return 1
    while settings.cap == 1 and settings.nodes > MOST_NARROW:
        settings.nodes //= 2
        searches *= 2
    return searches


# --- Kernel -------------------------------------------------------------------------------------------------

cdef enum:
    MOST_FAILURES = 20      # failed plans after which a stage ends
    MOST_REPAIRS = 12       # repairs of one plan
    FEW_NODES = 4000        # R2 with at most this many nodes takes next to no memory
    RESTART_SEEDS = 65536   # difference between the seeds of the restarts of a stage

cdef struct Simon:              # a kernel
    Kernel kernel
    Layout layout
    Game start                  # the position loaded, from which lines are replayed
    Layout repair_layout        # the position at which a plan failed
    Class root
    BestFirst best, repair_search
    Loose loose                 # the search of R0, which continues from stage to stage
    Loose tests                 # the dead-end tests
    CarrierSearch carriers
    Execution execution
    Line line
    Shortest shortest
    int stage                   # the present stage; after a search the one that decided
    bint skip_r0                # R0 can be won, or its search ran out of memory
    bint skip_r2                # the same for R2
    bint has_tests              # there was memory for dead-end tests
    bint positions_out_of_memory  # the search of positions ran out of memory
    bint classes_ended          # the class graph was exhausted, and only wins that are not playable found
    int wide_out_of_memory      # bits of searches without a cap that ran out of memory
    int wide_costly             # bits of wide searches stopped for too many successors
    bint narrow_out_of_memory   # a search of cap 1 ran out of memory
    int ended_cap               # greatest cap of an exhausted search, or 0


cdef inline Simon* open_simon() noexcept nogil:
    """A new kernel, which `close_simon` frees; NULL if allocation fails."""
    cdef Simon* self = <Simon*>calloc(1, sizeof(Simon))
    if self != NULL:
        self.kernel.note = <void (*)(Kernel*) noexcept nogil>note
    return self


cdef inline void close_simon(Simon* self) noexcept nogil:
    """Free a kernel, which may be NULL."""
    if self == NULL:
        return
    free_best(&self.best)
    free_best(&self.repair_search)
    free_proof(&self.loose.proof)
    free_proof(&self.tests.proof)
    free_carriers(&self.carriers)
    free_line(&self.line)
    free_astar(&self.shortest.search)
    free(self)


cdef inline void set_root(Simon* self) noexcept nogil:
    """Remove complete runs from the tops of the columns of ``layout``, and set ``root`` to its class."""
    set_position(&self.execution.position, &self.layout)
    layout_of(&self.layout, &self.execution.position)
    class_of(&self.root, &self.layout, self.layout.card, self.layout.size)


# --- The portfolio ------------------------------------------------------------------------------------------


cdef inline Outcome search(Simon* self) noexcept nogil:
    """Decide the loaded layout, stage after stage.

    Returns WON with the moves in ``line``, LOST, or OPEN with the limit in ``reason``.
    """
    cdef Outcome outcome
    cdef int turn = 0
    self.line.length = 0
    self.line.max_bytes = self.kernel.limits.bytes // 32
    self.stage = 0
    self.positions_out_of_memory = self.classes_ended = self.narrow_out_of_memory = False
    self.wide_out_of_memory = self.wide_costly = self.ended_cap = 0
    if self.root.stems == 0:
        return WON
    self.loose.expanded = 0
    self.has_tests = open_proof(&self.tests.proof, self.kernel.limits.bytes // 8)
    self.skip_r0 = not open_proof(&self.loose.proof, self.kernel.limits.bytes // 2) or not self.has_tests
    self.skip_r2 = False
    while True:
        self.stage = ORDER[self.layout.cards > ONE_DECK][turn] if turn < OPENING else turn
        turn += 1
        outcome = run_stage(self)
        if outcome == WON and not wins(&self.line, &self.layout):
            outcome = OPEN
        if outcome == LOST or outcome == WON:
            return outcome
        if self.kernel.reason != NOTHING:
            return OPEN
        if self.positions_out_of_memory and (
                self.classes_ended or self.wide_out_of_memory and self.narrow_out_of_memory
                or self.wide_out_of_memory == wide_bits() and self.ended_cap > 0):
            self.kernel.reason = MEMORY
            return OPEN


cdef inline Outcome run_stage(Simon* self) noexcept nogil:
    """Run the search of the present stage. Returns OPEN without a search if earlier ones show that it
    would find nothing new."""
    cdef Row row = row_of(self.stage, self.layout.cards)
    if row.search == RELAXATION:
        return refute(self, row.nodes, row.r2_nodes)
    if is_omitted(self.stage, self.kernel.limits.bytes):
        return OPEN
    if row.search == POSITIONS:
        return OPEN if self.positions_out_of_memory else search_all_positions(self, row.nodes)
    if self.classes_ended or row.cap <= self.ended_cap or self.wide_out_of_memory & wide_bit(self.stage):
        return OPEN
    if self.wide_costly & wide_bit(self.stage) and is_hasty(self.stage, self.kernel.limits.bytes):
        return OPEN
    return search_classes(self)


cdef inline Outcome refute(Simon* self, uint64_t nodes, uint64_t r2_nodes) noexcept nogil:
    """Search for a proof of a loss: continue R0 until it has expanded ``nodes`` states, then search R2
    with ``r2_nodes``. Returns LOST or OPEN."""
    cdef Outcome outcome
    if not self.skip_r0:
        begin_stage(&self.kernel, RELAXATION, SIMON_LOOSE)
        outcome = relax_with_loose_cards(self, nodes)
        if outcome == LOST or self.kernel.reason != NOTHING:
            return outcome
        self.skip_r0 = outcome == WON or outcome == OUT_OF_MEMORY
    if not self.skip_r2 and r2_nodes > 0:
        begin_stage(&self.kernel, RELAXATION, SIMON_CARRIERS)
        if r2_nodes > FEW_NODES:    # R2 then uses the memory of the class searches
            free_best(&self.best)
            free_best(&self.repair_search)
        outcome = relax_with_carriers(
            self, r2_nodes, self.kernel.limits.bytes // (4 if r2_nodes > FEW_NODES else 32))
        if outcome == LOST:
            return LOST
        self.skip_r2 = outcome == WON or outcome == OUT_OF_MEMORY and r2_nodes > FEW_NODES
    return OPEN


cdef inline Outcome relax_with_carriers(Simon* self, uint64_t nodes, uint64_t max_bytes) noexcept nogil:
    """Search R2 with ``nodes`` and ``max_bytes``, and free its memory."""
    cdef Outcome outcome = relax_carriers(
        &self.carriers, &self.tests, &self.kernel, &self.layout, &self.root, nodes, max_bytes)
    free_carriers(&self.carriers)
    return outcome


cdef inline Outcome search_all_positions(Simon* self, uint64_t nodes) noexcept nogil:
    """Search positions depth first with ``nodes``; WON leaves the moves in ``line``."""
    cdef Outcome outcome
    begin_stage(&self.kernel, POSITIONS, SIMON_POSITION)
    free_best(&self.best)
    free_best(&self.repair_search)
    self.line.length = 0
    outcome = search_positions(
        &self.kernel, &self.layout, nodes, self.kernel.limits.bytes // 4, &self.line)
    self.positions_out_of_memory = outcome == OUT_OF_MEMORY
    return outcome


cdef inline Settings settings_now(Simon* self) noexcept nogil:
    """Settings of the class search of the present stage, adjusted to the outcomes of earlier searches."""
    cdef Settings settings = settings_of(self.stage, self.layout.cards)
    cdef int round = (self.stage - OPENING) // ROUND, _
    if not self.has_tests:      # the table of dead ends was not reset for this layout
        settings.dead_end_nodes = 0
    if settings.cap == NO_CAP and is_hasty(self.stage, self.kernel.limits.bytes):
        settings.successors = MOST_SUCCESSORS
    if self.layout.cards <= ONE_DECK or round < COMPLETE_FROM:
        return settings
    if self.ended_cap == 0 and settings.cap < WIDE:
        settings.cap = 1
    elif self.ended_cap > 0 and settings.dead_end_nodes == LONG_TESTS:
        settings.nodes *= FEW_CLASSES
        for _ in range(round):
            settings.nodes = min(GROWTH * settings.nodes, MOST_NODES)
    return settings


cdef inline Outcome search_classes(Simon* self) noexcept nogil:
    """Run the class search of the present stage; WON leaves the moves in ``line``."""
    cdef Settings settings = settings_now(self)
    cdef Outcome outcome = OPEN
    cdef int searches = split_into_restarts(
        &settings, self.stage, self.layout.cards, self.kernel.limits.bytes)
    cdef int search
    begin_stage(&self.kernel, BEST_FIRST, SIMON_CLASS)
    for search in range(searches):
        settings.seed = self.stage + RESTART_SEEDS * search
        outcome = find_plan(self, settings)
        if outcome != OPEN or self.kernel.reason != NOTHING:
            break
    if outcome == OUT_OF_MEMORY and settings.cap == NO_CAP:
        self.wide_out_of_memory |= wide_bit(self.stage)
    elif outcome == OPEN and self.best.is_costly:
        self.wide_costly |= wide_bit(self.stage)
    elif outcome == OUT_OF_MEMORY and settings.cap == 1:
        self.narrow_out_of_memory = True
    if outcome == OPEN and self.best.waiting == 0 and not self.best.met_win:
        self.ended_cap = settings.cap
    self.classes_ended = self.best.met_win and self.best.waiting == 0 and not self.best.incomplete
    return outcome


cdef inline Outcome find_plan(Simon* self, Settings settings) noexcept nogil:
    """Run one best-first search. It continues after a plan, a winning path of class moves, that turns out
    not to be playable, up to MOST_FAILURES times. WON leaves the moves in ``line``."""
    cdef Outcome outcome
    cdef int failures = 0
    self.best.met_win = self.best.incomplete = False
    if not open_best(&self.best, &self.layout, &self.root, settings, self.kernel.limits.bytes // 4):
        return OUT_OF_MEMORY
    while True:
        outcome = run_best(&self.best, &self.kernel, &self.tests)
        if outcome != WON:
            return outcome
        if play_plan(self):
            return WON
        failures += 1
        if self.kernel.reason != NOTHING or failures >= MOST_FAILURES:
            return OPEN


cdef inline bint play_plan(Simon* self) noexcept nogil:
    """Turn the path to the won node of ``best`` into moves in ``line``. If a run that becomes complete
    too early makes it unplayable, repair it by a search from there. Returns True if the moves win."""
    cdef int repairs = 0
    cdef Execution* execution = &self.execution
    self.line.length = 0
    execution.line = &self.line
    execution.failed = False
    execution.child_column = -1
    set_position(&execution.position, &self.layout)
    follow(execution, &self.best, self.best.won)
    while execution.position.left > 0 and not execution.failed and repairs < MOST_REPAIRS:
        repairs += 1
        if not find_another_plan(self):
            return False
        follow(execution, &self.repair_search, self.repair_search.won)
    return execution.position.left == 0


cdef inline bint find_another_plan(Simon* self) noexcept nogil:
    """Search with ``repair_search`` for a win from the position at which the last plan failed."""
    cdef const Position* position = &self.execution.position
    cdef Settings settings
    cdef Class root
    cdef int i
    layout_of(&self.repair_layout, position)
    class_of(&root, &self.repair_layout, position.card, position.size)
    for i in range(REPAIRS):
        settings = settings_of(REPAIR[i], self.layout.cards)
        settings.nodes = REPAIR_NODES
        if not open_best(&self.repair_search, &self.repair_layout, &root, settings,
                         self.kernel.limits.bytes // 8):
            return False
        if run_best(&self.repair_search, &self.kernel, NULL) == WON:
            return True
        if self.kernel.reason != NOTHING:
            return False
    return False


cdef inline Outcome relax_with_loose_cards(Simon* self, uint64_t nodes) noexcept nogil:
    """Start or continue the search of R0 until it has expanded ``nodes`` states in all."""
    if self.loose.expanded == 0 and not begin_loose(&self.loose, &self.layout, &self.root):
        return OUT_OF_MEMORY
    return run_loose(&self.loose, &self.kernel, nodes)


cdef inline void shorten_line(Simon* self) noexcept nogil:
    """Search for a shortest line, starting with ``line``; see `astar.find_shortest`."""
    find_shortest(&self.shortest, &self.kernel, &self.layout, &self.line, self.kernel.limits.bytes)


cdef inline void note(Simon* self) noexcept nogil:
    """Update the figures that other threads read."""
    self.kernel.bytes_held = (
        best_bytes(&self.best) + best_bytes(&self.repair_search) + proof_bytes(&self.loose.proof)
        + proof_bytes(&self.tests.proof) + carriers_bytes(&self.carriers) + shortest_bytes(&self.shortest)
        + self.kernel.bytes_beside)
    if self.kernel.stage_now >= BEAM:
        self.kernel.moves_now = self.line.length
        if self.shortest.lower_bound > 0:
            self.kernel.lower_bound_now = self.shortest.lower_bound
