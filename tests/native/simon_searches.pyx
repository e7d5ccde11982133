"""Test hook: the single searches of `kernel`, and the bounds and proofs that `SearchKernel` does not show."""

cimport cython

from winnable.solver.core.border cimport Border, read_simon

include "../../solver/simon/parts.pxi"

from winnable.rules import simon as rules
from winnable.solver.core.contract import SearchResult
from winnable.solver.result import REASONS
from winnable.rules import check_implemented
from winnable.solver.simon import IMPLEMENTS

METHODS = ("portfolio", "classes", "positions", "loose cards", "carriers")


cdef Outcome search_by(Simon* self, int method) noexcept nogil:
    """Run only the search METHODS[``method``], without a node limit. WON may leave no moves: a win of a
    relaxation or of classes need not be playable."""
    cdef uint64_t endless = <uint64_t>1 << 62
    cdef Settings settings = settings_of(OPENING + (COMPLETE_FROM + 1) * ROUND - 1, self.layout.cards)
    self.line.length = 0
    self.line.max_bytes = self.kernel.limits.bytes
    if method == 2:
        return search_positions(
            &self.kernel, &self.layout, endless, self.kernel.limits.bytes // 2, &self.line)
    if self.root.stems == 0:
        return WON
    if method == 3:
        if not open_proof(&self.loose.proof, self.kernel.limits.bytes):
            return OUT_OF_MEMORY
        self.loose.expanded = 0
        return relax_with_loose_cards(self, endless)
    if method == 4:
        return relax_with_carriers(self, endless, self.kernel.limits.bytes)
    settings.nodes = endless
    settings.dead_end_nodes = 0
    settings.jitter = 0.0
    if not open_best(&self.best, &self.layout, &self.root, settings, self.kernel.limits.bytes // 2):
        return OUT_OF_MEMORY
    return run_best(&self.best, &self.kernel, NULL)


cdef int least_moves(const Position* position) noexcept nogil:
    """A lower bound on the length of any winning line. For a position that cores prove lost, it is the bound
    reached when they did."""
    cdef Runs runs
    cdef CoreSet core_set
    cdef uint64_t extra_moves = 0
    cdef int most = 0
    find_runs(&runs, position)
    clear_core_set(&core_set)
    while judge(&core_set, &runs, first_cores(core_set.count), &extra_moves, most) == EXCEEDS:
        most += 1
    return count_bits(runs.heads) + most


@cython.final
cdef class SimonSearches(Border):
    """The searches of the Simon family, for all its games. Methods raise ValueError for a state of another
    family or an invalid one."""

    cdef Simon* game                # from `open_simon`

    def __cinit__(self):
        self.game = open_simon()
        if self.game == NULL:
            raise MemoryError
        self.use(&self.game.kernel)

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        close_simon(self.game)

    cdef void load(self, state) except *:
        """Set the layout from ``state``, of `rules.simon`."""
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        read_simon(&desk, state)
        load_desk(&self.game.layout, &desk)
        set_root(self.game)

    def solve(self, state, method="portfolio"):
        """Decide ``state``, of `rules.simon`, by one search of METHODS; return a `SearchResult`.

        True from another search than the portfolio means only that it found a win, perhaps of a relaxation;
        the moves may be empty.
        """
        cdef Outcome outcome = OPEN
        cdef int number = METHODS.index(method)
        self.load(state)
        with nogil:
            if begin(self.kernel):
                outcome = search(self.game) if number == 0 else search_by(self.game, number)
        self.raise_error()
        self.check_capacity()
        if outcome == WON:
            return SearchResult(True, self.moves())
        if outcome == OUT_OF_MEMORY:
            self.kernel.reason = MEMORY
        return SearchResult(False) if outcome == LOST else SearchResult(reason=REASONS[self.kernel.reason])

    @property
    def stage(self):
        """The stage of the portfolio that decided."""
        return self.game.stage

    def lower_bounds(self, state):
        """Two lower bounds on the length of a winning line from ``state``: the number of heads (S5), and the
        bound by landmarks (S9) or, if a card is there twice, by conflicts (S23), within the limits."""
        cdef Conflicts conflicts
        self.load(state)
        heads = heads_of(&self.game.layout)
        if not has_copies(&self.game.layout):
            return heads, least_moves(&self.game.execution.position)
        begin(self.kernel)
        open_conflicts(&conflicts, &self.game.layout)
        with nogil:
            raise_bound(&conflicts, self.kernel, MAX_CARDS)
        self.raise_error()
        return heads, heads + conflicts.bound

    def fewest_by_astar(self, state, moves):
        """The length of a shortest winning line from ``state``, of one deck, and such a line, by A* alone.

        `prove_optimal` runs a beam search first, which leaves A* nothing to do in short decks. ``moves`` is a
        winning line. Raises MemoryError if the memory limit is reached.
        """
        cdef AStar astar
        cdef Progress progress = IMPROVED
        self.load(state)
        begin(self.kernel)
        memset(&astar, 0, sizeof(AStar))
        try:
            if (not self.read_line(moves)
                    or not open_astar(&astar, &self.game.layout, self.kernel.limits.bytes)):
                raise MemoryError
            with nogil:
                while progress == IMPROVED:
                    progress = run_astar(&astar, self.kernel, &self.game.line)
            self.raise_error()
            if progress == STOPPED:
                raise MemoryError
            return astar.lower_bound, self.moves()
        finally:
            free_astar(&astar)

    def loses_after(self, state, moves):
        """Test which of three proofs show that no line wins after ``moves`` from ``state``.

        Returns three truth values: of R0, of R0 once more with the dead states of the first, and of R2.
        """
        cdef bint once, again
        cdef Outcome outcome
        cdef Simon* game = self.game
        cdef Position* position = &game.execution.position
        cdef uint64_t i
        cdef uint32_t move
        self.load(state)
        begin(self.kernel)
        if not self.read_line(moves):
            raise MemoryError
        for i in range(game.line.length):
            move = game.line.move[i]
            do_move(position, source_of(move), target_of(move), count_of(move))
        class_of(&game.root, &game.layout, position.card, position.size)
        if game.root.stems == 0 or not open_proof(&game.tests.proof, self.kernel.limits.bytes):
            return False, False, False
        once = is_lost(&game.tests, self.kernel, &game.layout, &game.root, self.kernel.limits.nodes)
        begin(self.kernel)
        again = is_lost(&game.tests, self.kernel, &game.layout, &game.root, self.kernel.limits.nodes)
        begin(self.kernel)
        outcome = relax_with_carriers(game, self.kernel.limits.nodes, self.kernel.limits.bytes)
        return once, again, outcome == LOST

    cdef void check_capacity(self) except *:
        if self.game.best.fault or self.game.repair_search.fault:
            raise RuntimeError("expected no more segments of a class than cards, got more")

    cdef bint read_line(self, moves) except -1:
        """Copy ``moves``, of `rules.simon`, to ``line``. Returns False if memory runs out."""
        self.game.line.length = 0
        self.game.line.max_bytes = self.kernel.limits.bytes // 32
        for move in moves:
            if not append(&self.game.line, pack_move(move.source, move.target, move.count)):
                return False
        return True

    cdef list moves(self):
        """The moves of ``line`` as moves of `rules.simon`."""
        cdef const Line* line = &self.game.line
        return [
            rules.Move(source_of(line.move[i]), target_of(line.move[i]), count_of(line.move[i]))
            for i in range(line.length)
        ]
