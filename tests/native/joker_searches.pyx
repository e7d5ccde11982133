"""The searches of joker and klondike-one-pass with changed parameters, and what they hold at their end."""

from winnable.solver.core.border cimport Border, move_of, read_joker

include "../../solver/joker/parts.pxi"

from winnable.rules import find_variant
from winnable.solver.core.contract import SearchResult
from winnable.solver.diagnostics import WrongAnswer
from winnable.rules import check_implemented
from winnable.solver.joker import IMPLEMENTS
from winnable.solver.result import REASONS


cdef class JokerSearches(Border):
    """Finds the greatest score of positions of both games within ``limits``, as their kernels do."""

    cdef Joker* game
    cdef readonly uint64_t peak_bytes   # bytes that the last search had allocated at its end

    def __cinit__(self):
        self.game = open_joker()
        if self.game == NULL:
            raise MemoryError
        self.use(&self.game.kernel)

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        close_joker(self.game)

    cdef void load(self, state) except *:
        """Load ``state``. Raises ValueError if it is invalid or too large."""
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        read_joker(&desk, state)
        self.game.is_joker = state.variant == "joker"
        pack_desk(&self.game.layout, &self.game.key, &desk)
        load_desk(&self.game.start, &desk)
        set_estimates(&self.game.classes.estimates, self.game.is_joker, desk.turned_only)
        replay.load_desk(&self.game.dealt_by_rules, &desk)

    def solve(self, state):
        """Find the greatest score of ``state`` and moves that reach it. Returns a `SearchResult`. Raises
        RuntimeError if the moves fail their replay."""
        cdef ClassPosition position
        cdef bint found
        self.load(state)
        with nogil:
            self.game.exact = False
            self.game.is_one_pass = False
            forget(self.game)
            if begin(self.kernel):
                search(self.game)
                self.peak_bytes = bytes_of_nodes(self.game)
            else:
                unpack(&self.game.layout, &self.game.key, &position)
                self.game.score = position.score
                self.game.bound = self.game.layout.places
            found = find_line(self.game, &self.game.start)
        self.raise_error()
        if self.game.classes.has_overflowed:
            raise RuntimeError("expected no more moves of a position than the arrays hold, got more")
        if not found:
            raise WrongAnswer(f"the line to {self.game.score} fails its replay")
        won = (False, True, None)[verdict(self.game)]
        rules = find_variant(state.variant).family
        line = [move_of(self.game.steps[i], rules) for i in range(self.game.step_count)]
        reason = None if self.game.exact else REASONS[self.kernel.reason]
        return SearchResult(won, line, self.game.score, self.game.bound, bool(self.game.exact), reason)

    @property
    def sweeps(self):
        """Number of times that the last search with jokers swept taken nodes out of its queues."""
        return self.game.classes.queues.sweeps

    @property
    def stored(self):
        """Number of distinct states that the last search stored."""
        cdef Joker* game = self.game
        return game.one_pass.nodes.store.count if game.is_one_pass else game.classes.nodes.count

    @property
    def large(self):
        """LARGE, or less."""
        return self.game.classes.large

    @large.setter
    def large(self, uint64_t value):
        self.game.classes.large = value

    @property
    def blocks(self):
        """FIRST_BLOCKS, or less."""
        return self.game.classes.blocks

    @blocks.setter
    def blocks(self, uint32_t value):
        self.game.classes.blocks = value

    @property
    def early(self):
        """EARLY, or less."""
        return self.game.classes.early

    @early.setter
    def early(self, uint32_t value):
        self.game.classes.early = value
