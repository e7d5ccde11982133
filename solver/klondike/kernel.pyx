"""Kernel of Klondike with redeals: verdicts, lines, scores and shortest lines.

Techniques: best-first search with an SCC-labelling search of a relaxation as refutation (`search`), and an
anytime portfolio of beams and A* for shortest lines (`shortest`). Soundness: a deal is lost only if one of
the two searches is exhausted, see `search`; every line is replayed by the independent rules of `replay`
before it is reported. Memory: the searches share one limit in bytes; that for verdicts is freed before lines
are shortened.
"""

# optimised: searches spend their time here

cimport cython
from . cimport replay
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from ..core.dealer cimport MOST_CARDS, Dealt
from ..core.desk cimport Desk, PlainMove, move_of, read_klondike
from ..core.border cimport Border, Record
from ..core.kernel cimport A_STAR, BEAM, UNLIMITED, Kernel, begin
from ..core.nodes cimport IMPROVED, PROVED, STOPPED, Progress
from .line cimport Line, finish, follow, make, raise_all, straighten
from .position cimport NO_SUIT, Position, deal_position, load_desk, open_classes
from .shortest cimport (PROOF_TURN, Shortest, begin_shortest, bound_of, free_shortest, improve_shortest,
                        shortest_bytes, write_shortest)
from .search cimport (LOST, OPEN, WON, Verdict, Search, begin_search, decide, decide_relaxed, node_at,
                      find_greatest, free_search, search_bytes)
from .state cimport CARDS, MOST_CHILDREN, ClassPosition, Layout, children_of, make_safe_moves, may_win, unpack

from ...rules import check_implemented, klondike as rules
from . import IMPLEMENTS
from ..core.contract import SearchResult
from ..diagnostics import WrongAnswer
from ..result import REASONS

METHODS = ("all", "plain", "relaxation first", "relaxed", "plain relaxed", "dead ends")

cdef enum:                  # indices of METHODS
    ALL, PLAIN, RELAXATION_FIRST, RELAXED, PLAIN_RELAXED, DEAD_ENDS


cdef struct Klondike:       # a kernel
    Kernel kernel
    Layout layout
    Position desk           # the state loaded
    Position dealt          # state of a batch, before any card is dealt
    uint64_t root
    int goal                # cards to be up, including those of suits that the deck lacks
    Search found
    Line line
    replay.Game replayed    # state from which lines are replayed
    Shortest shortest


cdef Klondike* open_klondike() noexcept nogil:
    """A new kernel, which `close_klondike` frees; NULL if allocation fails."""
    cdef Klondike* self = <Klondike*>calloc(1, sizeof(Klondike))
    if self != NULL:
        begin_search(&self.found)
    return self


cdef void close_klondike(Klondike* self) noexcept nogil:
    """Free a kernel, which may be NULL."""
    if self == NULL:
        return
    free_search(&self.found)
    free_shortest(&self.shortest)
    free(self.line.steps)
    free(self)


# --- Search -------------------------------------------------------------------------------------------------


cdef Verdict search(Klondike* self) noexcept nogil:
    """Decide the state loaded. If it is WON, the moves are in ``line``."""
    cdef uint64_t start = self.root
    cdef ClassPosition p
    cdef Verdict outcome
    make_safe_moves(&self.layout, False, &start, &p, NULL)
    outcome = decide(&self.found, &self.kernel, &self.layout, start)
    if outcome == WON:
        write_line(self)
    return outcome


cdef void write_line(Klondike* self) noexcept nogil:
    """Write the moves to the node ``found.won`` to ``line`` and, unless the goal is a lower score, from
    there to a win; then straighten the line."""
    cdef uint8_t raised[CARDS]
    cdef Position desk = self.desk
    cdef ClassPosition p
    cdef uint64_t start = self.root
    cdef uint32_t number = self.found.won, parent, following = 0
    cdef int count
    self.line.count = 0
    self.line.failed = False
    # Reverse the links, so that each node of the path refers to the one after it.
    while number != 0:
        parent = node_at(&self.found.tree, number).parent
        node_at(&self.found.tree, parent).following = number
        number = parent
    count = make_safe_moves(&self.layout, False, &start, &p, raised)
    raise_all(&self.line, &desk, raised, count)
    while number != self.found.won and not self.line.failed:
        following = node_at(&self.found.tree, number).following
        write_step(self, &desk, node_at(&self.found.tree, number).key,
                   node_at(&self.found.tree, following).key)
        number = following
    if self.goal == 4 * desk.ranks:
        finish(&self.line, &desk)
    straighten(&self.line, &self.desk)


cdef void write_step(Klondike* self, Position* desk, uint64_t key, uint64_t after) noexcept nogil:
    """Append the moves from the key ``key`` to the key ``after`` to ``line``, making them in ``desk``."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef uint8_t raised[CARDS]
    cdef ClassPosition p
    cdef int i, count, children
    unpack(&self.layout, key, &p)
    children = children_of(&self.layout, False, &p, keys, codes)
    for i in range(children):
        if keys[i] == after:        # mostly; then no safe move follows
            follow(&self.line, desk, codes[i])
            return
    for i in range(children):
        count = make_safe_moves(&self.layout, False, &keys[i], &p, raised)
        if keys[i] == after:
            follow(&self.line, desk, codes[i])
            raise_all(&self.line, desk, raised, count)
            return
    self.line.failed = True


cdef bint replay_line(Klondike* self) noexcept nogil:
    """Test whether the moves of ``line`` are legal and reach the goal, by the rules of `replay`."""
    cdef replay.Game game = self.replayed
    cdef PlainMove step
    cdef int i
    if self.line.failed:
        return False
    for i in range(self.line.count):
        step = self.line.steps[i]
        if not replay.play(&game, step.source, step.target, step.count, step.suit):
            return False
    return replay.is_won(&game) or (
        self.goal < 4 * game.ranks and replay.cards_up(&game) >= self.goal
    )


cdef Verdict search_by(Klondike* self, int method) noexcept nogil:
    """Decide the state loaded by ``method``, an index of METHODS; see `solve`."""
    cdef uint64_t start = self.root, trial_nodes = self.found.trial_nodes
    cdef ClassPosition p
    cdef Verdict outcome
    self.layout.is_plain = method == PLAIN or method == PLAIN_RELAXED
    self.found.uses_relaxation = self.found.uses_dead_ends = not self.layout.is_plain
    if method == RELAXATION_FIRST:
        self.found.trial_nodes = 3
    if method <= RELAXATION_FIRST:
        outcome = search(self)
    else:
        make_safe_moves(&self.layout, False, &start, &p, NULL)
        if method == DEAD_ENDS:
            outcome = WON if may_win(&self.layout, False, &p) else LOST
        else:
            outcome = decide_relaxed(&self.found, &self.kernel, &self.layout, start)
    self.layout.is_plain = False
    self.found.uses_relaxation = self.found.uses_dead_ends = True
    self.found.trial_nodes = trial_nodes
    return outcome


# --- Shortest lines -----------------------------------------------------------------------------------------


cdef void begin_lines(Klondike* self) noexcept nogil:
    """Prepare the search for shorter lines than ``line`` from the state loaded, and free the search for
    verdicts."""
    free_search(&self.found)
    begin_shortest(&self.shortest, &self.desk, self.goal, &self.line, self.kernel.limits.bytes)


cdef Progress improve_line(Klondike* self) noexcept nogil:
    """Shorten ``line`` or raise the lower bound, once. Returns the Progress made."""
    cdef uint32_t known = self.shortest.fewest
    cdef Progress progress = improve_shortest(&self.shortest, &self.kernel)
    if self.shortest.fewest < known:
        write_shortest(&self.shortest, &self.line, &self.desk)
    return progress


cdef void note(Klondike* self) noexcept nogil:
    """Update the figures that other threads read."""
    self.kernel.bytes_held = search_bytes(&self.found) + shortest_bytes(&self.shortest)
    if self.kernel.stage_now in (BEAM, A_STAR):
        self.kernel.moves_now = self.shortest.fewest
        self.kernel.lower_bound_now = self.shortest.lower_bound


# --- Border to Python ---------------------------------------------------------------------------------------


@cython.final
cdef class KlondikeKernel(Border):
    """Decides positions of Klondike with redeals within ``limits``.

    A kernel may be used by one thread at a time. It reuses memory from deal to deal.
    """

    SCORES_LOST = True

    cdef Klondike* game             # from `open_klondike`

    def __cinit__(self):
        self.game = open_klondike()
        if self.game == NULL:
            raise MemoryError
        self.use(&self.game.kernel)

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        close_klondike(self.game)

    cdef void load(self, state) except *:
        """Load ``state``, a `rules.klondike.State`. Raises ValueError if it is too large."""
        cdef Desk desk
        cdef Klondike* game = self.game
        check_implemented(state, IMPLEMENTS)
        read_klondike(&desk, state)
        load_desk(&game.desk, &desk)
        replay.load_state(&game.replayed, state)    # checks that the oracle implements its rules, too
        if not open_classes(&game.layout, &game.desk, &game.root):
            raise ValueError(
                f"expected a key of at most 64 bits, got {game.desk.slot_count} cards beside such columns")
        self.game.goal = 4 * self.game.desk.ranks

    cdef void note(self) noexcept nogil:
        note(self.game)

    def prove_optimal(self, state, moves, on_improvement):
        """Search for a shortest line from ``state``; see `contract.GameKernel`."""
        cdef Progress progress = IMPROVED
        cdef Position desk
        self.load(state)
        desk = self.game.desk
        self.game.line.count = 0
        self.game.line.failed = False
        for move in moves:
            make(&self.game.line, &desk, move.source, move.target, move.count,
                 NO_SUIT if move.suit is None else move.suit)
        if self.game.line.failed:
            raise MemoryError
        self.game.goal = sum([desk.height[suit] for suit in range(4)])
        if not begin(self.kernel):
            return
        begin_lines(self.game)
        while progress == IMPROVED:
            with nogil:
                progress = improve_line(self.game)
            self.raise_error()
            if not replay_line(self.game):
                raise WrongAnswer("a shorter line fails its replay")
            on_improvement(self.moves(), self.game.shortest.lower_bound)
        free_shortest(&self.game.shortest)

    def lower_bound(self, state):
        """Return the lower bound of A* for ``state``, for tests."""
        self.load(state)
        return bound_of(&self.game.desk, self.game.goal)

    def fewest_by_star(self, state, int more):
        """Return the fewest moves from ``state``, which must be winnable, by A* without a known line, for
        tests. Its upper limit is ``more`` moves above the length of some line. Returns None at a limit."""
        cdef Progress progress = STOPPED
        self.load(state)
        with nogil:
            if begin(self.kernel) and search(self.game) == WON:
                begin_lines(self.game)
                self.game.shortest.fewest = self.game.line.count + more
                self.game.shortest.turn = PROOF_TURN
                self.game.shortest.end_of_turn = UNLIMITED
                progress = IMPROVED
                while progress == IMPROVED:
                    progress = improve_shortest(&self.game.shortest, self.kernel)
        self.raise_error()
        free_shortest(&self.game.shortest)
        return self.game.shortest.fewest if progress == PROVED else None

    @property
    def stored(self):
        """Numbers of keys stored by the last search: of the real game, and of the relaxed stock."""
        return self.game.found.tree.nodes.count, self.game.found.labelling.labels.count

    def solve(self, state, method="all"):
        """Decide ``state``. Returns a `SearchResult`. Raises RuntimeError if the moves fail their replay.

        ``method`` is for tests. ``relaxation first`` searches the relaxed game early; ``plain`` is the search
        over exact keys alone, without safe foundation moves. ``relaxed`` searches the game with the relaxed
        stock, ``plain relaxed`` that game without safe foundation moves, and ``dead ends`` only computes the
        delete relaxation; results of these three have no moves, and may say won for a lost deal.
        """
        cdef Verdict outcome = OPEN
        cdef int number = METHODS.index(method)
        self.load(state)
        with nogil:
            if begin(self.kernel):
                outcome = search_by(self.game, number)
        self.raise_error()
        if outcome != WON:
            return SearchResult(False) if outcome == LOST else SearchResult(reason=self.limit_met)
        if number > RELAXATION_FIRST:
            return SearchResult(True)
        if not replay_line(self.game):
            raise WrongAnswer("the line found fails its replay")
        return SearchResult(True, self.moves())

    def solve_score(self, state):
        """Find the greatest number of cards up from ``state``; see `contract.GameKernel`. Raises RuntimeError
        if the moves fail their replay."""
        cdef uint64_t start
        cdef ClassPosition p
        cdef int score = 0, most = -1, missing
        cdef bint is_exact = False
        self.load(state)
        start = self.game.root
        with nogil:
            if begin(self.kernel):
                make_safe_moves(&self.game.layout, False, &start, &p, NULL)
                is_exact = find_greatest(
                    &self.game.found, self.kernel, &self.game.layout, start, &score, &most)
                self.game.goal = score
                write_line(self.game)
        self.raise_error()
        missing = 4 * self.game.desk.ranks - state.deck.places
        if most < 0:        # no time
            return SearchResult(
                None, (), sum(state.foundations), state.deck.places, False, REASONS[self.kernel.reason])
        if not replay_line(self.game):
            raise WrongAnswer("the line found fails its replay")
        return SearchResult(
            None, self.moves(), score - missing, most - missing, is_exact, REASONS[self.kernel.reason])

    def moves(self):
        """Return the line of the last search, as moves of `rules.klondike`."""
        return [move_of(self.game.line.steps[i], rules) for i in range(self.game.line.count)]

    cdef void open_deals(self, variant, choices) except *:
        Border.open_deals(self, variant, choices)
        self.load(variant.deal(0, choices=choices))
        self.game.dealt = self.game.desk

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef Verdict outcome = OPEN
        cdef uint8_t cards[MOST_CARDS]
        cdef Dealt dealt
        self.deal_seed(seed, cards, &dealt)
        self.game.desk = self.game.dealt
        deal_position(&self.game.desk, &dealt)
        replay.deal_game(&self.game.replayed, cards, self.deck_size, self.sizes, self.columns)
        open_classes(&self.game.layout, &self.game.desk, &self.game.root)
        if begin(self.kernel):
            outcome = search(self.game)
        if not self.note_verdict(record, outcome):
            return True
        record.moves = self.game.line.count
        return replay_line(self.game) and (not self.shortest_too or self.improve_seed(record))

    cdef bint improve_seed(self, Record* record) noexcept nogil:
        """Shorten the line of a deal just won, and write length and lower bound to ``record``. Returns False
        if a line fails its replay."""
        begin_lines(self.game)
        while improve_line(self.game) == IMPROVED:
            pass
        free_shortest(&self.game.shortest)
        record.moves = self.game.line.count
        record.lower_bound = self.game.shortest.lower_bound
        record.shortest = record.lower_bound == record.moves
        if not record.shortest:
            record.reason = self.kernel.reason
        return replay_line(self.game)
