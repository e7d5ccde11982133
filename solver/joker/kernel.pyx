"""The kernel of joker and klondike-one-pass: best-first search for the greatest score.

The score depends on the state alone and never falls, so the greatest one is a matter of reachability: each
state is expanded once, and the result is exact when nothing is left to expand or a bound is reached. The
search is that of `search`.

A game without jokers has smaller states and a search of its own, `one_pass`, unless its position is too
large for it.
"""

# optimised: searches spend their time here

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from ..core.dealer cimport MOST_CARDS, Dealt
from ..core.kernel cimport A_STAR, BEAM, BEST_FIRST, NOTHING, Kernel, Record
from ..core.memory cimport resize
from ..core.nodes cimport IMPROVED, free_store, store_bytes
from ..core.work cimport JOKER_CLASS, JOKER_ONE_PASS
from . cimport replay
from .cards cimport GONE, MAX_COLUMNS, UNDECLARED, XB, bit
from .moves cimport MOST_CODES
from .one_pass cimport OnePassSearch, codes_to_best, open_one_pass, search_one_pass, set_gains
from .packing cimport turns_in
from .plain cimport (
    LONGEST_PLAY, PlainGame, PlainMove, deal_game, load as load_game, move_of, play, play_macro,
    score as score_of, shorten, step_of,
)
from .search cimport (
    EARLY, FIRST_BLOCKS, LARGE, MOST_LINE, ClassSearch, class_search_bytes, codes_to_best_class,
    free_class_search, search_classes, set_estimates,
)
from .shortest cimport Improving, free_improving, improve_once, improving_bytes, open_improving
from .state cimport (
    NO_HIDDEN, ClassKey, ClassLayout, ClassPosition, clear, clear_key, close_layout, load, set_joker, unpack,
)
from .tiers cimport least_score, tiers_of

from ..core.contract import SearchResult
from .states import check_state
from ..result import REASONS


@cython.final
cdef class JokerKernel(Kernel):
    """Finds the greatest score of positions of joker and klondike-one-pass within ``limits``.

    One kernel serves one thread; it keeps some memory from deal to deal.
    """

    cdef int score                      # the greatest found
    cdef int bound                      # no line reaches more
    cdef bint exact                     # score is the greatest there is
    cdef readonly uint64_t peak_bytes   # most that was held for one deal
    cdef public uint64_t large          # LARGE, or less for tests
    cdef public uint32_t blocks         # FIRST_BLOCKS, or less for tests
    cdef public uint32_t early          # EARLY, or less for tests

    cdef ClassLayout layout
    cdef ClassLayout dealt              # of a batch, before any card is dealt
    cdef ClassKey key                   # of the state loaded
    cdef uint32_t* codes
    cdef ClassSearch classes            # the search with jokers
    cdef OnePassSearch one_pass         # the search without jokers,
    cdef bint is_one_pass               # if this deal is for it
    cdef Improving improving
    cdef replay.Game dealt_by_rules     # where the replays begin
    cdef PlainMove* steps               # the line to the best state
    cdef int step_count, step_room

    def __init__(self, limits):
        self.set_limits(limits)
        self.large = LARGE
        self.blocks = FIRST_BLOCKS
        self.early = EARLY
        self.codes = <uint32_t*>malloc((MOST_LINE + MOST_CODES) * sizeof(uint32_t))
        if self.codes == NULL or not self.make_steps(512):
            raise MemoryError

    def __dealloc__(self):
        free(self.codes)
        free(self.steps)
        free_class_search(&self.classes)
        free_store(&self.one_pass.nodes.store)
        free_improving(&self.improving)

    cdef void load_state(self, state) except *:
        """Begin at ``state``, of `rules.joker`. Raises ValueError if it is too large."""
        load(&self.layout, &self.key, state)
        set_estimates(&self.classes.estimates, state.variant, self.layout.turned_only)

    # --- Search ---------------------------------------------------------------------------------------------

    cdef void search(self) noexcept nogil:
        """Look for the greatest score from the state loaded; `score`, `best`, `exact` and `reason` tell."""
        self.exact = False
        self.is_one_pass = not self.layout.jokers and open_one_pass(
            &self.one_pass.layout, &self.layout, &self.key, &self.one_pass.root)
        self.begin_stage(BEST_FIRST, JOKER_ONE_PASS if self.is_one_pass else JOKER_CLASS)
        if self.is_one_pass:
            set_gains(&self.one_pass.gains, &self.classes.estimates)
            search_one_pass(&self.one_pass, self, self.node_bytes())
            self.score = self.one_pass.score
            self.bound = self.one_pass.bound
        else:
            self.classes.layout = &self.layout
            self.classes.root = self.key
            self.classes.codes = self.codes
            self.classes.large = self.large
            self.classes.blocks = self.blocks
            self.classes.early = self.early
            search_classes(&self.classes, self, self.node_bytes())
            self.score = self.classes.score
            self.bound = self.classes.bound
        self.exact = self.score == self.bound
        if self.exact:
            self.reason = NOTHING
        self.peak_bytes = self.bytes_of_nodes()

    cdef uint64_t bytes_of_nodes(self) noexcept nogil:
        """Bytes that the nodes of both searches take."""
        return class_search_bytes(&self.classes) + store_bytes(&self.one_pass.nodes.store)

    cdef void forget(self) noexcept nogil:
        """Have no states of an earlier deal."""
        self.classes.nodes.count = self.classes.best = 0

    cdef uint64_t node_bytes(self) noexcept nogil:
        """Bytes that the limit leaves for the nodes, beside the lists of this kernel."""
        cdef uint64_t fixed = (MOST_LINE + MOST_CODES) * sizeof(uint32_t) + sizeof(ClassLayout)
        fixed += sizeof(ClassSearch) + sizeof(OnePassSearch)
        return self.max_bytes - fixed if self.max_bytes > fixed else 0

    cdef void note(self) noexcept nogil:
        self.bytes_held = self.bytes_of_nodes() + improving_bytes(&self.improving)
        if self.stage_now in (A_STAR, BEAM):
            self.moves_now = self.improving.fewest
            self.lower_bound_now = max(self.lower_bound_now, self.improving.lower_bound)
        else:
            self.score_now = self.score

    # --- Lines ----------------------------------------------------------------------------------------------

    cdef bint find_line(self, const PlainGame* start) noexcept nogil:
        """Write the moves to the best node to ``steps``, cleaned; false if illegal or short of the score."""
        cdef PlainGame game = start[0]
        cdef int count, i, played
        if self.is_one_pass:
            count = codes_to_best(&self.one_pass, self.codes)
        else:
            count = codes_to_best_class(&self.classes)
        self.step_count = 0
        for i in range(count):
            if not self.make_steps(self.step_count + turns_in(self.codes[i]) + LONGEST_PLAY):
                return False
            played = play_macro(&game, self.codes[i], self.steps + self.step_count)
            if played < 0:
                return False
            self.step_count += played
        if score_of(&game) != self.score:
            return False
        self.step_count = shorten(start, self.steps, self.step_count)
        return self.replayed_score() == self.score

    cdef int replayed_score(self) noexcept nogil:
        """Score that ``steps`` reach by the rules of `replay`; -1 if one of them is illegal."""
        cdef replay.Game game = self.dealt_by_rules
        cdef PlainMove* step
        cdef int i
        for i in range(self.step_count):
            step = &self.steps[i]
            if not replay.play(&game, step.source, step.target, step.count, step.suit, step.rank):
                return -1
        return replay.score(&game)

    cdef bint make_steps(self, int room) noexcept nogil:
        """Have room for a line of so many moves."""
        if room > self.step_room:
            if not resize(&self.steps, 2 * room, sizeof(PlainMove)):
                return False
            self.step_room = 2 * room
        return True

    cdef list line(self):
        """The moves written, of `rules.joker`."""
        return [move_of(self.steps[i]) for i in range(self.step_count)]

    # --- Shortest lines -------------------------------------------------------------------------------------

    cdef int goal_of(self, int score, int places) noexcept nogil:
        """The score that a shortest line must reach: the least of the tier of ``score``, or itself if it is
        of none."""
        cdef int tiers = tiers_of(score, places)
        return least_score(tiers, places) if tiers > 0 else score

    cdef void begin_line(self, const PlainGame* start, int goal) noexcept nogil:
        """Begin to look for shorter lines than ``steps``, which reach ``goal`` from ``start``."""
        self.begin_stage(A_STAR, 0)
        free_class_search(&self.classes)
        free_store(&self.one_pass.nodes.store)
        open_improving(&self.improving, start, goal, self.step_count, self.max_bytes)

    cdef bint improve_line(self) noexcept nogil:
        """Make ``steps`` shorter or the lower bound greater, once: whether there may be more of that."""
        cdef bint goes_on = improve_once(&self.improving, self, self.steps) == IMPROVED
        self.step_count = self.improving.fewest
        self.improving.failed = self.improving.failed or self.replayed_score() < self.improving.goal
        return goes_on and not self.improving.failed

    def prove_optimal(self, state, moves, on_improvement):
        """Look for a shortest line from ``state`` to the tier that ``moves`` reach. See Kernel."""
        cdef PlainGame start, game
        cdef int goal
        cdef bint goes_on = True
        check_state(state)
        load_game(&start, state)
        replay.load(&self.dealt_by_rules, state)
        game = start
        self.step_count = 0
        if not self.make_steps(len(moves)):
            raise MemoryError
        for move in moves:
            self.steps[self.step_count] = step_of(move)
            if not play(&game, self.steps[self.step_count]):
                raise ValueError(f"the move {move} is illegal")
            self.step_count += 1
        goal = self.goal_of(score_of(&game), state.deck.places)
        game = start
        self.cut_line(&game, goal)
        if self.begin():
            self.begin_line(&start, goal)
            while goes_on:
                with nogil:
                    goes_on = self.improve_line()
                self.raise_error()
                if self.improving.failed:
                    raise RuntimeError("a shorter line fails its replay")
                on_improvement(self.line(), self.improving.lower_bound)
        free_improving(&self.improving)

    cdef void cut_line(self, PlainGame* game, int goal) noexcept nogil:
        """End the line where it reaches ``goal``."""
        cdef int count = 0
        while score_of(game) < goal:
            play(game, self.steps[count])
            count += 1
        self.step_count = count

    # --- Python interface -----------------------------------------------------------------------------------

    @property
    def sweeps(self):
        """Number of sweeps of the queues in the last search with jokers."""
        return self.classes.queues.sweeps

    @property
    def stored(self):
        """The number of different states met."""
        return self.one_pass.nodes.store.count if self.is_one_pass else self.classes.nodes.count

    def solve(self, state):
        """Find the greatest score of ``state`` and the moves to it, a `SearchResult`. Raises RuntimeError if
        the moves fail their replay."""
        cdef PlainGame game
        cdef ClassPosition position
        cdef bint found
        self.load_state(state)
        load_game(&game, state)
        replay.load(&self.dealt_by_rules, state)
        with nogil:
            self.exact = False
            self.is_one_pass = False
            self.forget()
            if self.begin():
                self.search()
            else:
                unpack(&self.layout, &self.key, &position)
                self.score = position.score
                self.bound = self.layout.places
            found = self.find_line(&game)
        self.raise_error()
        self.check_capacity()
        if not found:
            raise RuntimeError(f"the line to {self.score} fails its replay")
        won = (False, True, None)[self.verdict()]
        reason = None if self.exact else REASONS[self.reason]
        return SearchResult(won, self.line(), self.score, self.bound, self.exact, reason)

    cdef int verdict(self) noexcept nogil:
        """0 unwinnable, 1 winnable, 2 undecided, by the score found and its bound."""
        cdef int least = least_score(1, self.layout.places)
        return 1 if self.score >= least else 0 if self.bound < least else 2

    cdef void open_deals(self, variant, choices) except *:
        Kernel.open_deals(self, variant, choices)
        self.load_state(variant.deal(0, choices=choices))
        clear(&self.dealt, &self.key)
        self.dealt.ranks = self.layout.ranks
        self.dealt.suits = self.layout.suits
        self.dealt.columns = self.columns
        self.dealt.jokers = self.layout.jokers
        self.dealt.turned_only = self.layout.turned_only
        self.dealt.any_removal = self.layout.any_removal

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef Dealt dealt
        cdef PlainGame game
        self.deal_seed(seed, cards, &dealt)
        self.layout = self.dealt
        self.deal(&dealt)
        deal_game(&game, &dealt, self.layout.ranks, self.layout.suits)
        game.turned_only = self.layout.turned_only
        game.any_removal = self.layout.any_removal
        replay.deal_game(
            &self.dealt_by_rules, cards, self.deck_size, self.sizes, self.columns, self.layout.ranks,
            self.layout.suits
        )
        self.dealt_by_rules.turned_only = self.layout.turned_only
        self.dealt_by_rules.any_removal = self.layout.any_removal
        if self.begin():
            self.search()
        else:
            self.score = 0
            self.bound = self.layout.places
            self.exact = self.is_one_pass = False
            self.forget()
        record.score = self.score
        record.score_bound = self.bound
        record.exact = self.exact
        record.verdict = self.verdict()
        if not self.exact:
            record.reason = self.reason
        if not self.find_line(&game):
            return False
        record.moves = self.step_count
        return not self.shortest_too or self.reason != NOTHING or self.improve_seed(&game, record)

    cdef void check_capacity(self) except *:
        if self.classes.has_overflowed:
            self.classes.has_overflowed = False
            raise RuntimeError(f"a position has more than {MOST_CODES} moves: there is no room for them")

    cdef bint improve_seed(self, const PlainGame* start, Record* record) noexcept nogil:
        """Look for a shortest line to the tier of a deal that was solved; false if one fails its replay."""
        cdef PlainGame game = start[0]
        cdef int goal = self.goal_of(self.score, self.layout.places)
        self.cut_line(&game, goal)
        self.begin_line(start, goal)
        while self.improve_line():
            pass
        free_improving(&self.improving)
        record.moves = self.step_count
        record.lower_bound = self.improving.lower_bound
        record.shortest = record.lower_bound == record.moves
        if not record.shortest:
            record.reason = self.reason
        return not self.improving.failed

    cdef void deal(self, const Dealt* dealt) noexcept nogil:
        """Begin at a deal, in which every column has a card."""
        cdef int column, card, colour
        cdef uint8_t hidden[MAX_COLUMNS]
        clear_key(&self.key)
        for column in range(self.layout.columns):
            memcpy(self.layout.buried[column], dealt.card[column], dealt.size[column])
            hidden[column] = dealt.size[column] - 1
        self.layout.slots = dealt.stock_size
        memcpy(self.layout.slot_card, dealt.stock, dealt.stock_size)
        for colour in range(2):
            if not self.layout.jokers:
                set_joker(&self.key, colour, GONE, 0)
        for column in range(self.layout.columns):
            card = self.layout.buried[column][hidden[column]]
            if card < XB:
                self.layout.present |= bit(card)
            else:
                set_joker(&self.key, card - XB, UNDECLARED, column if hidden[column] else NO_HIDDEN)
        close_layout(&self.layout, &self.key, hidden)
