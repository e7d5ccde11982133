"""The kernel of simon-jester, simon-jester-triangular and simple-simon: a portfolio of searches.

Best-first search over classes finds wins, or proves that there are none where nothing was left out; so do the
relaxations R0 and R2. They take turns, with growing limits and varied weights; a search through single
positions is for what is left.
Unwinnable is said only by a search that ended with nothing left out; winnable only after the moves were
replayed.
"""

from collections import Counter

cimport cython
from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from ..core.column_move cimport count_of, pack_move, source_of, target_of
from ..core.dealer cimport Dealt
from ..core.kernel cimport BEAM, BEST_FIRST, MEMORY, NOTHING, POSITIONS, RELAXATION, Kernel, Record, Stage
from ..core.nodes cimport IMPROVED, STOPPED, Progress
from ..core.work cimport SIMON_CARRIERS, SIMON_CLASS, SIMON_LOOSE, SIMON_POSITION
from .astar cimport AStar, Shortest, free_astar, has_copies, heads_of, moves_of, open_astar, run_astar
from .beam cimport Tries, shorten as shorten_to
from .best_first cimport BestFirst, Settings, best_bytes, free_best, open_best, run_best
from .class_moves cimport NO_CAP
from .classes cimport Class, Layout, class_of, read_layout
from .common cimport FULL, LOST, MAX_CARDS, MAX_COLUMNS, ONE_DECK, OPEN, WON, Outcome, mix_low
from .depth_first cimport search_positions
from .landmarks cimport least_moves
from .plan cimport Execution, follow
from .position cimport Line, Position, append, do_move, free_line, layout_of, set_position, wins
from .relaxation_carriers cimport CarrierSearch, carriers_bytes, free_carriers, relax_carriers
from .relaxation_loose cimport Loose, begin_loose, free_proof, is_lost, open_proof, proof_bytes, run_loose
from .replay cimport Game, deal_game, is_won, play as play_by_rules

from ..core.contract import SearchResult
from ..result import REASONS
from ...rules import check_family, simon as rules

# --- Portfolio ----------------------------------------------------------------------------------------------

# The portfolio as a table: which search runs in which stage, with how many nodes and what settings.
#
# The first stages decide nearly all deals: short searches through classes, which either find a win soon or
# lose their way, so that another one with other weights is better than a long one; and between them the
# relaxation with loose cards, which proves most losses in a few hundred states. After these stages come
# rounds, of twice as many nodes from one to the next. They have what is slower and wins where the others do
# not: more ways to commit links, dead tests, and a search through single positions for what is left. A search
# through classes is another one each time: its stage is the seed of its jitter, of the price of a move, and
# of the order of commitments. Much noise is better than little: of 1,440 searches of 3,000 nodes through the
# 24 hardest of 100,000 deals of two decks 20 won with a noise of 300, and 152 with one of 3,000.
#
# A search that came to its end without a win, having left out commitments beyond its cap, is not repeated
# with that cap or a smaller one: another seed would meet nearly the same classes, only in another order. With
# two decks, from the second round on, searches that are not wide have a cap of 1 until one came to its end.
# From then on the classes are few, and the wide search with long tests, the cheaper one, may have all of
# them: its nodes grow faster.
#
# A wide search leaves nothing out from the second round on, and thus proves losses. One with short tests has
# many classes and one with long ones few, and either may be the one that ends. Where memory is ample, rounds
# are hasty: a wide search whose classes have many successors, which never ended, is given up. Late ones have
# that with short tests, whose nodes are expensive, every other time, and single positions no more. Where a
# search that commits all it can would have many nodes with two decks there are several with fewer, each
# another one, as one that lost its way does not find it again. The last rounds are as the first ones, so that
# a search without other limits ends by that of memory.
#
# The relaxation with loose cards is one search that goes on from stage to stage. That with carriers begins
# anew, and with two decks, where it rarely proves a loss, it has half the nodes in the first round, and every
# other round does without it.

cdef enum:
    OPENING = 7                 # stages before the rounds
    ROUND = 10                  # stages of a round
    REPAIRS = 4                 # searches for another plan where one failed


cdef enum:
    NOISE = 4500                # of narrow searches in the rounds with two decks
    GROWTH = 2                  # times as many nodes in each round as in the one before
    LONG_TESTS = 300            # nodes
    FEW_CLASSES = 4             # times as many nodes of a search with them in round 0, if a narrow one ended
    WIDE = 50                   # the cap of a wide search in the first rounds
    COMPLETE_FROM = 1           # the round from which nothing is left out of it
    LATE = 4                    # the round that first leaves one of them out
    HASTY = 8                   # rounds that may be hasty
    MOST_SUCCESSORS = 8         # of a node, in the mean, in a wide search of such a round

cdef uint64_t MOST_NARROW = 24000           # nodes of a search that commits all it can
cdef uint64_t AMPLE = <uint64_t>1000000000  # bytes

cdef uint64_t MOST_NODES = <uint64_t>1 << 40

cdef struct Row:
    Stage search
    uint64_t nodes              # of classes half as many again with more than one deck
    int cap                     # from here on of classes, as in Settings
    int step                    # what a move costs, or up to `spread` - 1 more, by chance
    int spread, tests
    uint64_t carried            # nodes of the relaxation with carriers, which grow as well
    double jitter
    int noise

# A move in the very first search costs more with two decks.
cdef int[2] FIRST_STEP = [170, 200]

cdef Row[OPENING] FIRST = [
    #   search,      nodes, cap,  step, spread, tests, carried, jitter, noise
    Row(BEST_FIRST,    500, 1,    170,   1,       0,       0,   0.0,       1),
    Row(RELAXATION,   1000, 0,      0,   1,       0,       0,   0.0,       0),
    Row(BEST_FIRST,   1000, 1,    170,  51,       0,       0,   0.25,   1000),
    Row(BEST_FIRST,   2000, 1,    170,  51,       0,       0,   0.25,   1000),
    Row(RELAXATION,   8000, 0,      0,   1,       0,     200,   0.0,       0),
    Row(BEST_FIRST,   3000, 1,    170,  51,       0,       0,   0.25,   2000),
    Row(BEST_FIRST,   3000, 2,    170,  51,       0,       0,   0.4,    1000),
]

# Their order with one deck and with two. Of two decks fewer deals that the first search leaves open are lost,
# so relaxations wait for another search.
cdef int[2][OPENING] ORDER = [[0, 1, 2, 3, 4, 5, 6], [0, 2, 1, 3, 5, 4, 6]]

cdef Row[ROUND] USUAL = [
    #   search,      nodes, cap,  step, spread, tests, carried, jitter, noise
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.25,   1000),
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.25,   3000),
    Row(BEST_FIRST,   4000, 2,    150,  81,       0,       0,   0.2,    2000),
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.4,     300),
    Row(BEST_FIRST,   4000, 4,    150,  81,       0,       0,   0.25,   1000),
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.25,   2000),
    Row(RELAXATION,  64000, 0,      0,   1,       0,    6000,   0.0,       0),
    Row(BEST_FIRST,   4000, WIDE, 150,   1,     300,       0,   0.25,   1000),
    Row(POSITIONS,    5000, 0,      0,   1,       0,       0,   0.0,       0),
    Row(BEST_FIRST,   6000, WIDE, 150,   1,      30,       0,   0.0,       1),
]

# Where a plan failed, the settings that are tried, and the nodes of each.
cdef int[REPAIRS] REPAIR = [0, 2, 5, 6]
cdef uint64_t REPAIR_NODES = 2000


cdef Row row_of(int stage, int cards) noexcept nogil:
    """The row of a stage, with the nodes of its round."""
    cdef int round = (stage - OPENING) // ROUND if stage >= OPENING else 0
    cdef Row row = USUAL[(stage - OPENING) % ROUND] if stage >= OPENING else FIRST[stage]
    cdef int _
    if stage == 0:
        row.step = FIRST_STEP[cards > ONE_DECK]
    if cards > ONE_DECK and round == 0 and stage >= OPENING:
        row.carried //= 2
    if row.search == BEST_FIRST and cards > ONE_DECK:
        row.nodes += row.nodes // 2
        if stage >= OPENING and row.cap < WIDE:
            row.noise = NOISE
    for _ in range(round):
        row.nodes = min(GROWTH * row.nodes, MOST_NODES)
        if row.search == RELAXATION:
            row.carried = min(GROWTH * row.carried, MOST_NODES)
    if cards > ONE_DECK and round % 2 == 1:
        row.carried = 0
    if row.cap == WIDE and round >= COMPLETE_FROM:
        row.cap = NO_CAP
    return row


cdef int wide_bit(int stage) noexcept nogil:
    """A bit for each of the wide searches of a round; 0 for other stages."""
    cdef int row = (stage - OPENING) % ROUND
    return 1 << row if stage >= OPENING and USUAL[row].cap == WIDE else 0


# Those of all wide searches.
cdef int ALL_WIDE = 1 << 7 | 1 << 9


cdef bint is_hasty(int stage, uint64_t max_bytes) noexcept nogil:
    """Test whether a stage may be of those that save time, where the searches have so much memory."""
    return max_bytes >= AMPLE and (stage - OPENING) // ROUND < HASTY


cdef bint is_left_out(int stage, uint64_t max_bytes) noexcept nogil:
    """Test whether a late stage is passed over: single positions, and every other last wide search."""
    cdef int round = (stage - OPENING) // ROUND, place = (stage - OPENING) % ROUND
    if round < LATE or not is_hasty(stage, max_bytes):
        return False
    if USUAL[place].search == POSITIONS:
        return round > LATE
    return (round - LATE) % 2 == 0 and place == ROUND - 1


cdef Settings settings_of(int stage, int cards) noexcept nogil:
    """Settings of a stage's search through classes."""
    cdef Row row = row_of(stage, cards)
    cdef Settings settings
    settings.nodes = row.nodes
    settings.cap = row.cap
    settings.step = row.step + <int>(mix_low(stage) % <uint64_t>row.spread)
    settings.tests = row.tests
    settings.successors = 0
    settings.jitter = row.jitter
    settings.noise = row.noise
    settings.seed = stage
    return settings


cdef int divide(Settings* settings, int stage, int cards, uint64_t max_bytes) noexcept nogil:
    """Make several searches of a narrow one with many nodes, one's settings of all; how many there are."""
    cdef int searches = 1
    if cards <= ONE_DECK or not is_hasty(stage, max_bytes):
        return 1
    while settings.cap == 1 and settings.nodes > MOST_NARROW:
        settings.nodes //= 2
        searches *= 2
    return searches


# --- Kernel -------------------------------------------------------------------------------------------------

cdef enum:
    MOST_FAILURES = 20      # failed plans before a stage gives up
    MOST_REPAIRS = 12       # of one plan
    FEW_NODES = 4000        # of a search with carriers that takes next to no memory
    DIVIDED = 65536         # between the seeds of searches that are one stage

METHODS = ("portfolio", "classes", "positions", "loose cards", "carriers")


@cython.final
cdef class SimonKernel(Kernel):
    """Decides positions of the Simon family, of up to 14 columns and 104 cards, within ``limits``.

    One kernel serves one thread; it keeps some of its memory from deal to deal.
    """

    OPTIMIZES = True

    cdef Layout layout
    cdef Layout layout_again        # where a plan failed
    cdef Class root
    cdef BestFirst best, again
    cdef Loose loose                # one search of a deal, which goes on from stage to stage
    cdef Loose tests                # the dead tests
    cdef CarrierSearch carriers
    cdef Execution execution
    cdef Line line
    cdef Shortest shortest
    cdef readonly int stage         # the stage that decided
    cdef bint loose_in_vain         # the search won the relaxation, or memory ended it
    cdef bint has_tests             # there is memory for them
    cdef bint carriers_in_vain, positions_ended, classes_ended
    cdef int wide_full              # the bits of searches that leave nothing out and ran out of memory
    cdef int wide_costly            # and of those that produced too many successors
    cdef bint narrow_full           # and one that leaves out most, without which wins are still found
    cdef int ended_cap              # the greatest cap of a search that came to its end, or 0

    def __cinit__(self):
        self.shortest = Shortest()

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        free_best(&self.best)
        free_best(&self.again)
        free_proof(&self.loose.proof)
        free_proof(&self.tests.proof)
        free_carriers(&self.carriers)
        free_line(&self.line)

    # --- The start ------------------------------------------------------------------------------------------

    cdef void load(self, state) except *:
        check_family(state, rules)
        columns = state.columns
        if len(columns) > MAX_COLUMNS or sum(map(len, columns)) > MAX_CARDS:
            raise ValueError(
                f"expected up to {MAX_COLUMNS} columns and {MAX_CARDS} cards, "
                f"got {len(columns)} and {sum(map(len, columns))}"
            )
        left = Counter(state.deck.cards())
        for card in [card for column in columns for card in column]:
            if left[card] == 0:
                raise ValueError(f"expected a card of the deck for each copy, got card number {card}")
            left[card] -= 1
        read_layout(&self.layout, state)
        self.set_root()

    cdef void set_root(self) noexcept nogil:
        """Begin at the cards in ``layout``, after complete runs have left."""
        set_position(&self.execution.position, &self.layout)
        layout_of(&self.layout, &self.execution.position)
        class_of(&self.root, &self.layout, self.layout.card, self.layout.size)

    # --- The portfolio --------------------------------------------------------------------------------------

    cdef Outcome search(self) noexcept nogil:
        """Decide the loaded layout, stage after stage; WON leaves the moves in ``line``, OPEN the reason."""
        cdef Outcome outcome
        cdef int turn = 0
        self.line.length = 0
        self.line.max_bytes = self.max_bytes // 32
        self.stage = 0
        self.positions_ended = self.classes_ended = self.narrow_full = False
        self.wide_full = self.wide_costly = self.ended_cap = 0
        if self.root.stems == 0:
            return WON
        self.loose.expanded = 0
        self.has_tests = open_proof(&self.tests.proof, self.max_bytes // 8)
        self.loose_in_vain = not open_proof(&self.loose.proof, self.max_bytes // 2) or not self.has_tests
        self.carriers_in_vain = False
        while True:
            self.stage = ORDER[self.layout.cards > ONE_DECK][turn] if turn < OPENING else turn
            turn += 1
            outcome = self.run_stage()
            if outcome == WON and not wins(&self.line, &self.layout):
                outcome = OPEN
            if outcome == LOST or outcome == WON:
                return outcome
            if self.reason != NOTHING:
                return OPEN
            if self.positions_ended and (self.classes_ended or self.wide_full and self.narrow_full
                                         or self.wide_full == ALL_WIDE and self.ended_cap > 0):
                self.reason = MEMORY
                return OPEN

    cdef Outcome run_stage(self) noexcept nogil:
        """The search of the present stage: OPEN too where it can find nothing more."""
        cdef Row row = row_of(self.stage, self.layout.cards)
        if row.search == RELAXATION:
            return self.refute(row.nodes, row.carried)
        if is_left_out(self.stage, self.max_bytes):
            return OPEN
        if row.search == POSITIONS:
            return OPEN if self.positions_ended else self.search_all_positions(row.nodes)
        if self.classes_ended or row.cap <= self.ended_cap or self.wide_full & wide_bit(self.stage):
            return OPEN
        if self.wide_costly & wide_bit(self.stage) and is_hasty(self.stage, self.max_bytes):
            return OPEN
        return self.search_classes()

    cdef Outcome refute(self, uint64_t nodes, uint64_t carried) noexcept nogil:
        """Look for a proof that there is no win: LOST or OPEN. The relaxation with loose cards has a turn,
        and that with carriers, whose states are fewer and take longer."""
        cdef Outcome outcome
        if not self.loose_in_vain:
            self.begin_stage(RELAXATION, SIMON_LOOSE)
            outcome = self.relax_with_loose_cards(nodes)
            if outcome == LOST or self.reason != NOTHING:
                return outcome
            self.loose_in_vain = outcome == WON or outcome == FULL
        if not self.carriers_in_vain and carried > 0:
            self.begin_stage(RELAXATION, SIMON_CARRIERS)
            if carried > FEW_NODES:     # it takes memory from searches through classes
                free_best(&self.best)
                free_best(&self.again)
            outcome = self.relax_with_carriers(carried, self.max_bytes // (4 if carried > FEW_NODES else 32))
            if outcome == LOST:
                return LOST
            self.carriers_in_vain = outcome == WON or outcome == FULL and carried > FEW_NODES
        return OPEN

    cdef Outcome relax_with_carriers(self, uint64_t nodes, uint64_t max_bytes) noexcept nogil:
        cdef Outcome outcome = relax_carriers(&self.carriers, &self.tests, self, &self.layout, &self.root,
                                              nodes, max_bytes)
        free_carriers(&self.carriers)
        return outcome

    cdef Outcome search_all_positions(self, uint64_t nodes) noexcept nogil:
        cdef Outcome outcome
        self.begin_stage(POSITIONS, SIMON_POSITION)
        free_best(&self.best)
        free_best(&self.again)
        self.line.length = 0
        outcome = search_positions(self, &self.layout, nodes, self.max_bytes // 4, &self.line)
        self.positions_ended = outcome == FULL
        return outcome

    cdef Settings settings_now(self) noexcept nogil:
        """Settings of the present stage after what earlier searches told of the layout."""
        cdef Settings settings = settings_of(self.stage, self.layout.cards)
        cdef int round = (self.stage - OPENING) // ROUND, _
        if not self.has_tests:      # the dead states may be those of another layout
            settings.tests = 0
        if settings.cap == NO_CAP and is_hasty(self.stage, self.max_bytes):
            settings.successors = MOST_SUCCESSORS
        if self.layout.cards <= ONE_DECK or round < COMPLETE_FROM:
            return settings
        if self.ended_cap == 0 and settings.cap < WIDE:
            settings.cap = 1
        elif self.ended_cap > 0 and settings.tests == LONG_TESTS:
            settings.nodes *= FEW_CLASSES
            for _ in range(round):
                settings.nodes = min(GROWTH * settings.nodes, MOST_NODES)
        return settings

    cdef Outcome search_classes(self) noexcept nogil:
        """A best-first search: WON leaves its moves in ``line``."""
        cdef Settings settings = self.settings_now()
        cdef Outcome outcome = OPEN
        cdef int searches = divide(&settings, self.stage, self.layout.cards, self.max_bytes), search
        self.begin_stage(BEST_FIRST, SIMON_CLASS)
        for search in range(searches):
            settings.seed = self.stage + DIVIDED * search
            outcome = self.find_plan(settings)
            if outcome != OPEN or self.reason != NOTHING:
                break
        if outcome == FULL and settings.cap == NO_CAP:
            self.wide_full |= wide_bit(self.stage)
        elif outcome == OPEN and self.best.is_costly:
            self.wide_costly |= wide_bit(self.stage)
        elif outcome == FULL and settings.cap == 1:
            self.narrow_full = True
        if outcome == OPEN and self.best.waiting == 0 and not self.best.met_win:
            self.ended_cap = settings.cap
        self.classes_ended = self.best.met_win and self.best.waiting == 0 and not self.best.incomplete
        return outcome

    cdef Outcome find_plan(self, Settings settings) noexcept nogil:
        """One best-first search, going on after plans that cannot be played."""
        cdef Outcome outcome
        cdef int failures = 0
        self.best.met_win = self.best.incomplete = False
        if not open_best(&self.best, &self.layout, &self.root, settings, self.max_bytes // 4):
            return FULL
        while True:
            outcome = run_best(&self.best, self, &self.tests)
            if outcome != WON:
                return outcome
            if self.play_plan():
                return WON
            failures += 1
            if self.reason != NOTHING or failures >= MOST_FAILURES:
                return OPEN

    cdef bint play_plan(self) noexcept nogil:
        """Turn the won node of ``best`` into moves; where a run leaves too early, search on from there."""
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
            if not self.find_another_plan():
                return False
            follow(execution, &self.again, self.again.won)
        return execution.position.left == 0

    cdef bint find_another_plan(self) noexcept nogil:
        """Look in ``again`` for a win from where the execution of the last plan ended."""
        cdef const Position* position = &self.execution.position
        cdef Settings settings
        cdef Class root
        cdef int i
        layout_of(&self.layout_again, position)
        class_of(&root, &self.layout_again, position.card, position.size)
        for i in range(REPAIRS):
            settings = settings_of(REPAIR[i], self.layout.cards)
            settings.nodes = REPAIR_NODES
            if not open_best(&self.again, &self.layout_again, &root, settings, self.max_bytes // 8):
                return False
            if run_best(&self.again, self, NULL) == WON:
                return True
            if self.reason != NOTHING:
                return False
        return False

    cdef Outcome search_by(self, int method) noexcept nogil:
        """Decide by one method alone, without limits of its own; WON need not be playable."""
        cdef uint64_t endless = <uint64_t>1 << 62
        cdef Settings settings = settings_of(OPENING + (COMPLETE_FROM + 1) * ROUND - 1, self.layout.cards)
        self.line.length = 0
        self.line.max_bytes = self.max_bytes
        if method == 2:
            return search_positions(self, &self.layout, endless, self.max_bytes // 2, &self.line)
        if self.root.stems == 0:
            return WON
        if method == 3:
            if not open_proof(&self.loose.proof, self.max_bytes):
                return FULL
            self.loose.expanded = 0
            return self.relax_with_loose_cards(endless)
        if method == 4:
            return self.relax_with_carriers(endless, self.max_bytes)
        settings.nodes = endless
        settings.tests = 0
        settings.jitter = 0.0
        if not open_best(&self.best, &self.layout, &self.root, settings, self.max_bytes // 2):
            return FULL
        return run_best(&self.best, self, NULL)

    cdef Outcome relax_with_loose_cards(self, uint64_t nodes) noexcept nogil:
        """Begin this search, or go on with it, until it has expanded so many nodes."""
        if self.loose.expanded == 0 and not begin_loose(&self.loose, &self.layout, &self.root):
            return FULL
        return run_loose(&self.loose, self, nodes)

    cdef void note(self) noexcept nogil:
        self.bytes_held = (best_bytes(&self.best) + best_bytes(&self.again)
                           + proof_bytes(&self.loose.proof) + proof_bytes(&self.tests.proof)
                           + carriers_bytes(&self.carriers)
                           + self.shortest.bytes_held() + self.bytes_beside)
        if self.stage_now >= BEAM:
            self.moves_now = self.line.length
            if self.shortest.lower_bound > 0:
                self.lower_bound_now = self.shortest.lower_bound

    # --- What Python sees -----------------------------------------------------------------------------------

    def solve(self, state, method="portfolio"):
        """Decide ``state``, a `SearchResult`. ``expanded`` and ``generated`` count the nodes.

        ``method`` names one search of the portfolio, for tests: True then means no more than that this search
        found a win, and there may be no moves.
        """
        cdef Outcome outcome = OPEN
        cdef int number = METHODS.index(method)
        self.load(state)
        with nogil:
            if self.begin():
                outcome = self.search() if number == 0 else self.search_by(number)
        self.raise_error()
        self.check_capacity()
        if outcome == WON:
            return SearchResult(True, self.moves())
        if outcome == FULL:
            self.reason = MEMORY
        return SearchResult(False) if outcome == LOST else SearchResult(reason=REASONS[self.reason])

    def optimize(self, state, moves):
        """The shortest line from ``state`` found within the limits, beginning with ``moves``, which win.

        Those on work and seconds end it; with neither it ends with the widest beam. So does Ctrl-C.
        """
        cdef Tries tries
        memset(&tries, 0, sizeof(Tries))
        self.load(state)
        self.shortest.lower_bound = 0
        if not self.read_line(moves):
            return moves
        with nogil:
            if self.begin():
                shorten_to(self, &self.layout, &self.line, self.max_bytes // 4, &tries)
        self.raise_error()
        return self.moves()

    def lower_bounds(self, state):
        """Bounds that no winning line from ``state`` undercuts: the number of heads, and with one deck that
        and the least hitting set of all cores; the same twice where a card is there twice. For tests."""
        self.load(state)
        heads = heads_of(&self.layout)
        return heads, heads if has_copies(&self.layout) else least_moves(&self.execution.position)

    def find_shortest(self, state, moves, on_improvement=None):
        """The shortest line from ``state`` found, a lower bound on the length of all, and whether they meet.

        Begins with ``moves``, which win, and ends when line and bound meet, at a limit (that on nodes counts
        those of A* for one deck alone), and by Ctrl-C or `stop`. ``on_improvement`` is called with a list of
        moves and a bound whenever either got better, a few times a second at most; what it raises ends the
        search and is raised again. Raises ValueError if ``moves`` do not win.
        """
        cdef Shortest shortest = self.shortest
        self.load(state)
        if not self.begin():
            return list(moves), 0, False
        if not self.read_line(moves):
            self.reason = MEMORY
            return list(moves), 0, False
        if not wins(&self.line, &self.layout):
            raise ValueError(f"expected a line that wins, got {self.line.length} moves that do not win")
        shortest.listener = on_improvement
        shortest.listens = on_improvement is not None
        shortest.error = None
        with nogil:
            shortest.find(self, &self.layout, &self.line, self.max_bytes)
        if shortest.error is not None:
            raise shortest.error
        self.raise_error()
        return self.moves(), shortest.lower_bound, shortest.is_proved()

    def fewest_by_astar(self, state, moves):
        """The fewest moves that win ``state``, of one deck, and a line of as many, by A* alone: for tests.

        It begins with ``moves``, which win. Elsewhere a beam search comes first, which leaves A* nothing to
        do in short decks. Raises MemoryError if the limit on memory is met.
        """
        cdef AStar search
        cdef Progress progress = IMPROVED
        self.load(state)
        self.begin()
        memset(&search, 0, sizeof(AStar))
        try:
            if not self.read_line(moves) or not open_astar(&search, &self.layout, self.max_bytes):
                raise MemoryError
            with nogil:
                while progress == IMPROVED:
                    progress = run_astar(&search, self, &self.line)
            self.raise_error()
            if progress == STOPPED:
                raise MemoryError
            return search.lower_bound, self.moves()
        finally:
            free_astar(&search)

    def prove_optimal(self, state, moves, on_improvement):
        """Look for a shortest line as `find_shortest` does, and call ``on_improvement`` at the end, too."""
        best, lower_bound, _ = self.find_shortest(state, moves, on_improvement)
        on_improvement(best, lower_bound)

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MAX_CARDS]
        cdef Dealt dealt
        cdef int column
        self.deal_seed(seed, cards, &dealt)
        for column in range(self.columns):
            self.layout.size[column] = dealt.size[column]
            memcpy(self.layout.card[column], dealt.card[column], dealt.size[column])
        self.layout.columns = self.columns
        self.layout.ranks = 13
        self.set_root()
        if not self.note_verdict(record, self.search() if self.begin() else OPEN):
            return True
        if self.shortest_too and self.reason == NOTHING:
            self.shortest.listens = False
            self.shortest.find(self, &self.layout, &self.line, self.max_bytes)
            record.lower_bound = self.shortest.lower_bound
            record.shortest = self.shortest.is_proved()
            if not record.shortest:
                record.reason = self.reason
        record.moves = self.line.length
        return self.replays(cards)

    def loses_after(self, state, moves):
        """Try three proofs that no line wins after ``moves`` from ``state``, for tests: by loose cards, by
        them once more when the dead states are known, and by carriers. Returns which of them succeeded."""
        cdef bint once, again
        cdef Outcome outcome
        cdef Position* position = &self.execution.position
        cdef uint64_t i
        cdef uint32_t move
        self.load(state)
        self.begin()
        if not self.read_line(moves):
            raise MemoryError
        for i in range(self.line.length):
            move = self.line.move[i]
            do_move(position, source_of(move), target_of(move), count_of(move))
        class_of(&self.root, &self.layout, position.card, position.size)
        if self.root.stems == 0 or not open_proof(&self.tests.proof, self.max_bytes):
            return False, False, False
        once = is_lost(&self.tests, self, &self.layout, &self.root, self.max_nodes)
        self.begin()
        again = is_lost(&self.tests, self, &self.layout, &self.root, self.max_nodes)
        self.begin()
        outcome = self.relax_with_carriers(self.max_nodes, self.max_bytes)
        return once, again, outcome == LOST

    def replays_line(self, variant, uint64_t seed, moves):
        """Test whether a batch takes ``moves`` for a line that wins the deal of ``seed``: for tests."""
        cdef uint8_t cards[MAX_CARDS]
        cdef Dealt dealt
        self.open_deals(variant, None)
        self.deal_seed(seed, cards, &dealt)
        if not self.read_line(moves):
            raise MemoryError
        return self.replays(cards)

    cdef bint replays(self, const uint8_t* cards) noexcept nogil:
        """Test whether the line found wins by the rules of `replay`."""
        cdef Game game
        cdef uint64_t i
        cdef uint32_t move
        deal_game(&game, cards, self.deck_size, self.sizes, self.columns, 13)
        for i in range(self.line.length):
            move = self.line.move[i]
            if not play_by_rules(&game, source_of(move), target_of(move), count_of(move)):
                return False
        return is_won(&game)

    cdef void check_capacity(self) except *:
        if self.best.fault or self.again.fault:
            raise RuntimeError("expected no more segments of a class than cards, got more")

    cdef bint read_line(self, moves) except -1:
        """Make ``moves``, of `rules.simon`, the line; false if memory does not allow it."""
        self.line.length = 0
        self.line.max_bytes = self.max_bytes // 32
        for move in moves:
            if not append(&self.line, pack_move(move.source, move.target, move.count)):
                return False
        return True

    cdef list moves(self):
        """``line`` as moves of `rules.simon`."""
        return moves_of(&self.line)
