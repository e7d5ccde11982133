"""Test hook: the single searches of `kernel`, and its bounds, which `SearchKernel` does not show."""

cimport cython

from winnable.solver.core.border cimport Border, moves_of, read_klondike

include "../../solver/klondike/parts.pxi"

from winnable.rules import klondike as rules
from winnable.solver.core.contract import SearchResult
from winnable.solver.diagnostics import WrongAnswer
from winnable.rules import check_implemented
from winnable.solver.klondike import IMPLEMENTS

METHODS = ("all", "plain", "relaxation first", "relaxed", "plain relaxed", "dead ends")

cdef enum:                  # indices of METHODS
    ALL, PLAIN, RELAXATION_FIRST, BY_RELAXATION, PLAIN_RELAXED, DEAD_ENDS


cdef Verdict search_by(Klondike* self, int method) noexcept nogil:
    """Decide the state loaded by ``method``, an index of METHODS; see `KlondikeSearches.solve`."""
    cdef uint64_t start = self.root, trial_nodes = TRIAL_NODES
    cdef ClassPosition p
    cdef Verdict outcome
    self.layout.is_plain = method == PLAIN or method == PLAIN_RELAXED
    if method == PLAIN:
        trial_nodes = UNLIMITED
    elif method == RELAXATION_FIRST:
        trial_nodes = 3
    make_safe_moves(&self.layout, False, &start, &p, NULL)
    if method == DEAD_ENDS:
        outcome = WON if may_win(&self.layout, False, &p) else LOST
    elif method > RELAXATION_FIRST:
        outcome = decide_relaxed(&self.found, &self.kernel, &self.layout, start)
    else:
        outcome = decide(&self.found, &self.kernel, &self.layout, start, trial_nodes)
        if outcome == WON:
            write_line(self)
    self.layout.is_plain = False
    return outcome


cdef int bound_of(const Position* desk, int goal) noexcept nogil:
    """Return the lower bound of the moves from a state to ``goal`` cards up, with all landmarks, -1 if the
    relaxed game shows that it is lost."""
    cdef ExactLayout layout
    cdef Landmarks found
    cdef Recent recent
    cdef uint64_t low, high
    cdef int plain, needed
    memset(&recent, 0, sizeof(Recent))
    open_exact_layout(&layout, desk, goal)
    pack_exact(&layout, desk, &low, &high)
    found.count = found.moves = found.games = 0
    if find_landmarks(&layout, desk, &found, LARGEST_BOUND, &recent) == HOPELESS:
        return -1
    plain = (stock_bound(&layout, desk, desk.slot_count, desk.waste, desk.redeals)
             + columns_bound(&layout, desk))
    needed = draws_left(&layout, low, high) + landmarks_bound(&layout, desk.redeals, &found)
    return cards_left(&layout, desk) + max(plain, needed)


@cython.final
cdef class KlondikeSearches(Border):
    """The searches of Klondike with redeals, for all its games. Methods raise ValueError for a state of
    another family, or one that is too large."""

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
        """Load ``state``, a `rules.klondike.State`."""
        cdef Desk desk
        cdef Klondike* game = self.game
        check_implemented(state, IMPLEMENTS)
        read_klondike(&desk, state)
        load_desk(&game.desk, &desk)
        replay.load_desk(&game.replayed, &desk)
        if not open_classes(&game.layout, &game.desk, &game.root):
            raise ValueError(
                f"expected a key of at most 64 bits, got {game.desk.slot_count} cards beside such columns")
        game.goal = 4 * game.desk.ranks

    def solve(self, state, method="all"):
        """Decide ``state`` by one of METHODS. Returns a `SearchResult`. Raises RuntimeError if the moves fail
        their replay.

        ``relaxation first`` searches the relaxed game early; ``plain`` is the search over exact keys alone,
        without safe foundation moves. ``relaxed`` searches the game with the relaxed stock, ``plain relaxed``
        that game without safe foundation moves, and ``dead ends`` only computes the delete relaxation;
        results of these three have no moves, and may say won for a lost deal.
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
        return SearchResult(True, moves_of(self.game.line.steps, self.game.line.count, "klondike", rules))

    def lower_bound(self, state):
        """Return the lower bound of A* for ``state``."""
        self.load(state)
        return bound_of(&self.game.desk, self.game.goal)

    def fewest_by_star(self, state, int more):
        """Return the fewest moves from ``state``, which must be winnable, by A* without a known line. Its
        upper limit is ``more`` moves above the length of some line. Returns None at a limit."""
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
