"""Kernel of Klondike with redeals: verdicts, lines and optimization, replayed by independent rules."""

cimport cython
from . cimport replay
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from ..core.dealer cimport MOST_CARDS, Dealt
from ..core.kernel cimport A_STAR, BEAM, UNLIMITED, Kernel, Record
from ..core.nodes cimport IMPROVED, PROVED, STOPPED, Progress
from .line cimport (CARDS, NO_SUIT, Desk, Line, PlainMove, finish, follow, load_state, make, moves_in,
                    open_classes, raise_all, straighten)
from .shortest cimport (PROOF_TURN, Shortest, begin_shortest, bound_of, free_shortest, improve_shortest,
                        shortest_bytes, write_shortest)
from .search cimport (LOST, OPEN, WON, Verdict, Search, begin_search, decide, decide_relaxed, node_at,
                      find_greatest, free_search, search_bytes)
from .state cimport MOST_CHILDREN, Layout, Position, children_of, make_safe_moves, may_win, unpack

from ..core.contract import SearchResult
from ..result import REASONS

METHODS = ("all", "plain", "relaxation first", "relaxed", "plain relaxed", "dead ends")

cdef enum:                  # a search, in that order
    ALL, PLAIN, RELAXATION_FIRST, RELAXED, PLAIN_RELAXED, DEAD_ENDS


@cython.final
cdef class KlondikeKernel(Kernel):
    """Decides positions of Klondike with redeals within ``limits``.

    One kernel serves one thread; it keeps some of its memory from deal to deal.
    """

    cdef Layout layout
    cdef Desk desk                  # the state loaded
    cdef Desk dealt                 # of a batch, before any card is dealt
    cdef uint64_t root
    cdef int goal                   # cards that are to be up, those of suits left out among them
    cdef Search found
    cdef Line line
    cdef replay.Game replayed       # where the replays begin
    cdef Shortest shortest

    SCORES_LOST = True

    def __cinit__(self):
        begin_search(&self.found)

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        free_search(&self.found)
        free_shortest(&self.shortest)
        free(self.line.steps)

    # --- The start ------------------------------------------------------------------------------------------

    cdef void load(self, state) except *:
        """Begin at ``state``, of `rules.klondike`. Raises ValueError if it is too large."""
        load_state(&self.desk, &self.layout, &self.root, state)
        replay.load(&self.replayed, state)
        self.goal = 4 * self.desk.ranks

    # --- Search ---------------------------------------------------------------------------------------------

    cdef Verdict search(self) noexcept nogil:
        """Decide what is loaded; WON leaves the moves in ``line``."""
        cdef uint64_t start = self.root
        cdef Position p
        cdef Verdict outcome
        make_safe_moves(&self.layout, False, &start, &p, NULL)
        outcome = decide(&self.found, self, &self.layout, start)
        if outcome == WON:
            self.write_line()
        return outcome

    cdef void write_line(self) noexcept nogil:
        """Write the moves to the node that shows a win, and from there to the end."""
        cdef uint8_t raised[CARDS]
        cdef Desk desk = self.desk
        cdef Position p
        cdef uint64_t start = self.root
        cdef uint32_t number = self.found.won, parent, following = 0
        cdef int count
        self.line.count = 0
        self.line.failed = False
        # Turn the links round, so that each node of the way names the one after it.
        while number != 0:
            parent = node_at(&self.found.tree, number).parent
            node_at(&self.found.tree, parent).following = number
            number = parent
        count = make_safe_moves(&self.layout, False, &start, &p, raised)
        raise_all(&self.line, &desk, raised, count)
        while number != self.found.won and not self.line.failed:
            following = node_at(&self.found.tree, number).following
            self.write_step(&desk, node_at(&self.found.tree, number).key,
                            node_at(&self.found.tree, following).key)
            number = following
        if self.goal == 4 * desk.ranks:
            finish(&self.line, &desk)
        straighten(&self.line, &self.desk)

    cdef void write_step(self, Desk* desk, uint64_t key, uint64_t after) noexcept nogil:
        """Write the moves from one key to the next."""
        cdef uint64_t keys[MOST_CHILDREN]
        cdef uint32_t codes[MOST_CHILDREN]
        cdef uint8_t raised[CARDS]
        cdef Position p
        cdef int i, count
        unpack(&self.layout, key, &p)
        for i in range(children_of(&self.layout, False, &p, keys, codes)):
            count = make_safe_moves(&self.layout, False, &keys[i], &p, raised)
            if keys[i] == after:
                follow(&self.line, desk, codes[i])
                raise_all(&self.line, desk, raised, count)
                return
        self.line.failed = True

    cdef bint replay_line(self) noexcept nogil:
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

    cdef void note(self) noexcept nogil:
        self.bytes_held = search_bytes(&self.found) + shortest_bytes(&self.shortest)
        if self.stage_now in (BEAM, A_STAR):
            self.moves_now = self.shortest.fewest
            self.lower_bound_now = self.shortest.lower_bound

    # --- Shortest lines -------------------------------------------------------------------------------------

    def prove_optimal(self, state, moves, on_improvement):
        """Search for a shortest line from ``state``; see `contract.GameKernel`."""
        cdef Progress progress = IMPROVED
        cdef Desk desk
        self.load(state)
        desk = self.desk
        self.line.count = 0
        self.line.failed = False
        for move in moves:
            make(&self.line, &desk, move.source, move.target, move.count,
                 NO_SUIT if move.suit is None else move.suit)
        if self.line.failed:
            raise MemoryError
        self.goal = sum([desk.height[suit] if desk.suits >> suit & 1 else desk.ranks for suit in range(4)])
        if not self.begin():
            return
        self.begin_lines()
        while progress == IMPROVED:
            with nogil:
                progress = self.improve_line()
            self.raise_error()
            if not self.replay_line():
                raise RuntimeError("a shorter line fails its replay")
            on_improvement(self.moves(), self.shortest.lower_bound)
        free_shortest(&self.shortest)

    def lower_bound(self, state):
        """Return the lower bound of A* for ``state``, for tests."""
        self.load(state)
        return bound_of(&self.desk, self.goal)

    def fewest_by_star(self, state, int more):
        """Return the fewest moves from ``state``, which is won, by A* that knows no line and finds those of
        less than ``more`` moves beyond some line, for tests."""
        cdef Progress progress = STOPPED
        self.load(state)
        with nogil:
            if self.begin() and self.search() == WON:
                self.begin_lines()
                self.shortest.fewest = self.line.count + more
                self.shortest.turn = PROOF_TURN
                self.shortest.end_of_turn = UNLIMITED
                progress = IMPROVED
                while progress == IMPROVED:
                    progress = improve_shortest(&self.shortest, self)
        self.raise_error()
        free_shortest(&self.shortest)
        return self.shortest.fewest if progress == PROVED else None

    cdef void begin_lines(self) noexcept nogil:
        """Start a search for shorter lines than ``line``, from what is loaded."""
        free_search(&self.found)
        begin_shortest(&self.shortest, &self.desk, self.goal, &self.line, self.max_bytes)

    cdef Progress improve_line(self) noexcept nogil:
        """Shorten ``line`` or raise the lower bound; see Progress."""
        cdef uint32_t known = self.shortest.fewest
        cdef Progress progress = improve_shortest(&self.shortest, self)
        if self.shortest.fewest < known:
            write_shortest(&self.shortest, &self.line, &self.desk)
        return progress

    # --- What Python sees -----------------------------------------------------------------------------------

    @property
    def stored(self):
        """Numbers of keys of the last search: exact ones, and those of the relaxed stock."""
        return self.found.tree.nodes.count, self.found.labelling.count

    def solve(self, state, method="all"):
        """Decide ``state``, a `SearchResult`. Raises RuntimeError if the moves fail their replay.

        ``method`` is for tests. ``relaxation first`` searches the relaxed game early; ``plain`` is the search
        over exact keys alone, without safe foundation moves. ``relaxed`` is the game with the relaxed stock,
        ``plain relaxed`` the same without safe foundation moves, ``dead ends`` the delete relaxation; these
        have no moves, and may take a lost deal for won.
        """
        cdef Verdict outcome = OPEN
        cdef int number = METHODS.index(method)
        self.load(state)
        with nogil:
            if self.begin():
                outcome = self.search_by(number)
        self.raise_error()
        if outcome != WON:
            return SearchResult(False) if outcome == LOST else SearchResult(reason=REASONS[self.reason])
        if number > RELAXATION_FIRST:
            return SearchResult(True)
        if not self.replay_line():
            raise RuntimeError("the line found fails its replay")
        return SearchResult(True, self.moves())

    def solve_score(self, state):
        """Find the greatest number of cards up from ``state``; see `contract.GameKernel`. Raises RuntimeError
        if the moves fail their replay."""
        cdef uint64_t start
        cdef Position p
        cdef int score = 0, most = -1, missing
        cdef bint is_exact = False
        self.load(state)
        start = self.root
        with nogil:
            if self.begin():
                make_safe_moves(&self.layout, False, &start, &p, NULL)
                is_exact = find_greatest(&self.found, self, &self.layout, start, &score, &most)
                self.goal = score
                self.write_line()
        self.raise_error()
        missing = 4 * self.desk.ranks - state.deck.places
        if most < 0:        # no time
            return SearchResult(
                None, (), sum(state.foundations), state.deck.places, False, REASONS[self.reason])
        if not self.replay_line():
            raise RuntimeError("the line found fails its replay")
        return SearchResult(
            None, self.moves(), score - missing, most - missing, is_exact, REASONS[self.reason])

    cdef Verdict search_by(self, int method) noexcept nogil:
        """Decide what is loaded by a method of `solve`."""
        cdef uint64_t start = self.root, trial_nodes = self.found.trial_nodes
        cdef Position p
        cdef Verdict outcome
        self.layout.is_plain = method == PLAIN or method == PLAIN_RELAXED
        self.found.uses_relaxation = self.found.uses_dead_ends = not self.layout.is_plain
        if method == RELAXATION_FIRST:
            self.found.trial_nodes = 3
        if method <= RELAXATION_FIRST:
            outcome = self.search()
        else:
            make_safe_moves(&self.layout, False, &start, &p, NULL)
            if method == DEAD_ENDS:
                outcome = WON if may_win(&self.layout, False, &p) else LOST
            else:
                outcome = decide_relaxed(&self.found, self, &self.layout, start)
        self.layout.is_plain = False
        self.found.uses_relaxation = self.found.uses_dead_ends = True
        self.found.trial_nodes = trial_nodes
        return outcome

    def moves(self):
        """Return the line of the last search, as moves of `rules.klondike`."""
        return moves_in(&self.line)

    cdef void open_deals(self, variant, choices) except *:
        Kernel.open_deals(self, variant, choices)
        self.load(variant.deal(0, choices=choices))
        self.dealt = self.desk

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef Verdict outcome = OPEN
        cdef uint8_t cards[MOST_CARDS]
        cdef Dealt dealt
        cdef int column
        self.deal_seed(seed, cards, &dealt)
        self.desk = self.dealt
        for column in range(self.columns):
            memcpy(self.desk.card[column], dealt.card[column], dealt.size[column])
        memcpy(self.desk.slots, dealt.stock, dealt.stock_size)
        replay.deal_game(&self.replayed, cards, self.deck_size, self.sizes, self.columns)
        open_classes(&self.layout, &self.desk, &self.root)
        if self.begin():
            outcome = self.search()
        if not self.note_verdict(record, outcome):
            return True
        record.moves = self.line.count
        return self.replay_line() and (not self.shortest_too or self.improve_seed(record))

    cdef bint improve_seed(self, Record* record) noexcept nogil:
        """Search for a shortest line of a deal that was won; false if one fails its replay."""
        self.begin_lines()
        while self.improve_line() == IMPROVED:
            pass
        free_shortest(&self.shortest)
        record.moves = self.line.count
        record.lower_bound = self.shortest.lower_bound
        record.shortest = record.lower_bound == record.moves
        if not record.shortest:
            record.reason = self.reason
        return self.replay_line()
