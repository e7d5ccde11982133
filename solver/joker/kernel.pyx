"""Kernel of joker and klondike-one-pass: best-first search for the greatest score (Pearl 1984).

The score depends on the state alone and never falls (J1), so the greatest one is a question of reachability:
each state is expanded at most once, and the score is exact if no state is left or an upper bound is reached.

Games with jokers are searched by `search`, on keys of 192 bits. Without jokers `one_pass` searches on keys of
64 bits, unless the position does not fit in one. On request `shortest` then shortens the line and proves
it shortest.

Soundness: the moves found are replayed by the independent rules of `replay` before a score is reported;
`search` and `one_pass` name the theorems of docs/theory/joker.md behind what they skip.
Memory: both searches share one limit in bytes; their nodes are freed before a line is shortened.
"""

# optimised: searches spend their time here

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from ..core.dealer cimport MOST_CARDS, Dealt
from ..core.desk cimport Desk, PlainMove, move_of, read_joker, step_of
from ..core.border cimport Border, Record
from ..core.kernel cimport A_STAR, BEAM, BEST_FIRST, NOTHING, Kernel, begin, begin_stage
from ..core.memory cimport resize
from ..core.nodes cimport IMPROVED, free_store, store_bytes
from ..core.work cimport JOKER_CLASS, JOKER_ONE_PASS
from . cimport replay
from .cards cimport GONE, MAX_COLUMNS, UNDECLARED, XB, bit
from .moves cimport MOST_CODES
from .one_pass cimport OnePassSearch, codes_to_best, open_one_pass, search_one_pass, set_gains
from .line cimport LONGEST_PLAY, play_macro, shorten
from .packing cimport turns_in
from .position cimport Position, deal_game, load_desk as load_game, play, score as score_of
from .search cimport (
    EARLY, FIRST_BLOCKS, LARGE, MOST_LINE, ClassSearch, class_search_bytes, codes_to_best_class,
    free_class_search, search_classes, set_estimates,
)
from .shortest cimport Improving, free_improving, improve_once, improving_bytes, open_improving
from .state cimport (
    NO_HIDDEN, ClassKey, ClassLayout, ClassPosition, clear, clear_key, close_layout, load_desk, set_joker,
    unpack,
)
from .tiers cimport least_score, tiers_of

from ...rules import joker, klondike
from ..core.contract import SearchResult
from ..diagnostics import WrongAnswer
from .validation import check_state
from ..result import REASONS


cdef struct Joker:              # a kernel
    Kernel kernel
    int score                   # greatest score found
    int bound                   # upper bound of the score of all lines
    bint exact                  # score equals bound
    uint64_t peak_bytes         # bytes that the last search had allocated at its end
    uint64_t large              # LARGE, or less for tests
    uint32_t blocks             # FIRST_BLOCKS, or less for tests
    uint32_t early              # EARLY, or less for tests
    int wanted                  # a score that suffices; 0: the greatest
    ClassLayout layout
    ClassLayout dealt           # layout of a batch, before any card is dealt
    ClassKey key                # key of the state loaded
    uint32_t* codes
    ClassSearch classes         # search with jokers
    OnePassSearch one_pass      # search without jokers
    bint has_jokers             # the deck of the state loaded has them
    bint is_one_pass            # ``one_pass`` searches this deal, not ``classes``
    Improving improving
    replay.Game dealt_by_rules  # state from which lines are replayed
    PlainMove* steps            # the line to the best state
    int step_count, step_room   # moves of ``steps``, and its capacity


cdef Joker* open_joker() noexcept nogil:
    """A new kernel, which `close_joker` frees; NULL if allocation fails."""
    cdef Joker* self = <Joker*>calloc(1, sizeof(Joker))
    if self == NULL:
        return NULL
    self.large = LARGE
    self.blocks = FIRST_BLOCKS
    self.early = EARLY
    self.codes = <uint32_t*>malloc((MOST_LINE + MOST_CODES) * sizeof(uint32_t))
    if self.codes == NULL or not make_steps(self, 512):
        close_joker(self)
        return NULL
    return self


cdef void close_joker(Joker* self) noexcept nogil:
    """Free a kernel, which may be NULL."""
    if self == NULL:
        return
    free(self.codes)
    free(self.steps)
    free_class_search(&self.classes)
    free_store(&self.one_pass.nodes.store)
    free_improving(&self.improving)
    free(self)


cdef void deal(Joker* self, const Dealt* dealt) noexcept nogil:
    """Load a deal, in which every column has a card, into ``layout`` and ``key``."""
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


# --- Search -------------------------------------------------------------------------------------------------


cdef void search(Joker* self) noexcept nogil:
    """Search for the greatest score from the state loaded, or for the score ``wanted``. Sets ``score``,
    ``bound``, ``exact`` and, if a limit ended the search, ``reason``."""
    self.exact = False
    self.is_one_pass = not self.layout.jokers and open_one_pass(
        &self.one_pass.layout, &self.layout, &self.key, &self.one_pass.root)
    begin_stage(&self.kernel, BEST_FIRST, JOKER_ONE_PASS if self.is_one_pass else JOKER_CLASS)
    if self.is_one_pass:
        self.one_pass.wanted = self.wanted
        set_gains(&self.one_pass.gains, &self.classes.estimates)
        search_one_pass(&self.one_pass, &self.kernel, node_bytes(self))
        self.score = self.one_pass.score
        self.bound = self.one_pass.bound
    else:
        self.classes.layout = &self.layout
        self.classes.root = self.key
        self.classes.codes = self.codes
        self.classes.wanted = self.wanted
        self.classes.large = self.large
        self.classes.blocks = self.blocks
        self.classes.early = self.early
        search_classes(&self.classes, &self.kernel, node_bytes(self))
        self.score = self.classes.score
        self.bound = self.classes.bound
    self.exact = self.score == self.bound
    if self.exact:
        self.kernel.reason = NOTHING
    self.peak_bytes = bytes_of_nodes(self)


cdef uint64_t bytes_of_nodes(Joker* self) noexcept nogil:
    """Return the bytes allocated for the nodes of both searches."""
    return class_search_bytes(&self.classes) + store_bytes(&self.one_pass.nodes.store)


cdef void forget(Joker* self) noexcept nogil:
    """Discard the class search's states of the previous deal."""
    self.classes.nodes.count = self.classes.best = 0


cdef uint64_t node_bytes(Joker* self) noexcept nogil:
    """Return the bytes that the limit leaves for nodes, after the fixed-size parts of this kernel."""
    cdef uint64_t fixed = (MOST_LINE + MOST_CODES) * sizeof(uint32_t) + sizeof(ClassLayout)
    fixed += sizeof(ClassSearch) + sizeof(OnePassSearch)
    return self.kernel.limits.bytes - fixed if self.kernel.limits.bytes > fixed else 0


cdef int verdict(Joker* self) noexcept nogil:
    """Return the verdict on the first tier by ``score`` and ``bound``: 0 unwinnable, 1 winnable, 2
    undecided."""
    cdef int least = least_score(1, self.layout.places)
    return 1 if self.score >= least else 0 if self.bound < least else 2


cdef void note(Joker* self) noexcept nogil:
    """Update the figures that other threads read."""
    self.kernel.bytes_held = bytes_of_nodes(self) + improving_bytes(&self.improving)
    if self.kernel.stage_now in (A_STAR, BEAM):
        self.kernel.moves_now = self.improving.fewest
        self.kernel.lower_bound_now = max(self.kernel.lower_bound_now, self.improving.lower_bound)
    else:
        self.kernel.score_now = self.score


# --- Lines --------------------------------------------------------------------------------------------------


cdef bint find_line(Joker* self, const Position* start) noexcept nogil:
    """Write the moves from ``start`` to the best node to ``steps`` and drop those that are not needed.
    Returns False if memory runs out, a move is illegal, or the replay does not reach the score."""
    cdef Position game = start[0]
    cdef int count, i, played
    if self.is_one_pass:
        count = codes_to_best(&self.one_pass, self.codes)
    else:
        count = codes_to_best_class(&self.classes)
    self.step_count = 0
    for i in range(count):
        if not make_steps(self, self.step_count + turns_in(self.codes[i]) + LONGEST_PLAY):
            return False
        played = play_macro(&game, self.codes[i], self.steps + self.step_count)
        if played < 0:
            return False
        self.step_count += played
    if score_of(&game) != self.score:
        return False
    self.step_count = shorten(start, self.steps, self.step_count)
    return replayed_score(self) == self.score


cdef int replayed_score(Joker* self) noexcept nogil:
    """Return the score that ``steps`` reach by the rules of `replay`, -1 if one of them is illegal."""
    cdef replay.Game game = self.dealt_by_rules
    cdef PlainMove* step
    cdef int i
    for i in range(self.step_count):
        step = &self.steps[i]
        if not replay.play(&game, step.source, step.target, step.count, step.suit, step.rank):
            return -1
    return replay.score(&game)


cdef bint make_steps(Joker* self, int room) noexcept nogil:
    """Grow ``steps`` to a capacity of at least ``room`` moves. Returns False if allocation fails."""
    if room > self.step_room:
        if not resize(&self.steps, 2 * room, sizeof(PlainMove)):
            return False
        self.step_room = 2 * room
    return True


# --- Shortest lines -----------------------------------------------------------------------------------------


cdef int goal_of(Joker* self, int score, int places) noexcept nogil:
    """Return the score that a shortest line must reach: the least score of the tier of ``score``, or
    ``score`` itself below the first tier. ``places`` counts the foundation places of the deck."""
    cdef int tiers = tiers_of(score, places)
    return least_score(tiers, places) if tiers > 0 else score


cdef void begin_line(Joker* self, const Position* start, int goal) noexcept nogil:
    """Prepare the search for lines from ``start`` to a score of ``goal`` that are shorter than ``steps``,
    and free the nodes of the score search."""
    begin_stage(&self.kernel, A_STAR, 0)
    free_class_search(&self.classes)
    free_store(&self.one_pass.nodes.store)
    open_improving(&self.improving, start, goal, self.step_count, self.kernel.limits.bytes)


cdef bint improve_line(Joker* self) noexcept nogil:
    """Shorten ``steps`` or raise the lower bound, once. Returns whether another call may improve more."""
    cdef bint goes_on = improve_once(&self.improving, &self.kernel, self.steps) == IMPROVED
    self.step_count = self.improving.fewest
    self.improving.failed = self.improving.failed or replayed_score(self) < self.improving.goal
    return goes_on and not self.improving.failed


cdef void cut_line(Joker* self, Position* game, int goal) noexcept nogil:
    """Cut ``steps`` after the move with which they reach a score of ``goal``. ``game`` is the state at
    their start and is played on to that move."""
    cdef int count = 0
    while score_of(game) < goal:
        play(game, self.steps[count])
        count += 1
    self.step_count = count


# --- Border to Python ---------------------------------------------------------------------------------------


@cython.final
cdef class JokerKernel(Border):
    """Finds the greatest score of positions of joker and klondike-one-pass within ``limits``.

    A kernel may be used by one thread at a time. It reuses memory from deal to deal.
    """

    cdef Joker* game                # from `open_joker`

    def __cinit__(self):
        self.game = open_joker()
        if self.game == NULL:
            raise MemoryError
        self.use(&self.game.kernel)

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        close_joker(self.game)

    cdef void read_state(self, Desk* desk, state) except *:
        """Set ``desk`` to ``state``, of joker or klondike-one-pass. Raises ValueError if it is invalid or too
        large."""
        check_state(state)
        read_joker(desk, state)

    cdef void load_state(self, state, const Desk* desk) except *:
        """Load ``state``, which was read to ``desk``."""
        load_desk(&self.game.layout, &self.game.key, desk)
        self.game.has_jokers = self.game.layout.jokers
        set_estimates(&self.game.classes.estimates, state.variant == "joker", self.game.layout.turned_only)

    cdef void note(self) noexcept nogil:
        note(self.game)

    cdef list line(self):
        """Return ``steps`` as moves of the game."""
        rules = joker if self.game.has_jokers else klondike
        return [move_of(self.game.steps[i], rules) for i in range(self.game.step_count)]

    def prove_optimal(self, state, moves, on_improvement):
        """Search for a shortest line from ``state`` to the tier that ``moves`` reach; see `Kernel`. Raises
        ValueError at an illegal move, RuntimeError if a shorter line fails its replay."""
        cdef Desk desk
        cdef Position start, game
        cdef int goal
        cdef bint goes_on = True
        self.read_state(&desk, state)
        self.game.has_jokers = desk.has_jokers
        load_game(&start, &desk)
        replay.load_state(&self.game.dealt_by_rules, state)
        game = start
        self.game.step_count = 0
        if not make_steps(self.game, len(moves)):
            raise MemoryError
        for move in moves:
            self.game.steps[self.game.step_count] = step_of(move)
            if not play(&game, self.game.steps[self.game.step_count]):
                raise ValueError(f"the move {move} is illegal")
            self.game.step_count += 1
        goal = goal_of(self.game, score_of(&game), state.deck.places)
        game = start
        cut_line(self.game, &game, goal)
        if begin(self.kernel):
            begin_line(self.game, &start, goal)
            while goes_on:
                with nogil:
                    goes_on = improve_line(self.game)
                self.raise_error()
                if self.game.improving.failed:
                    raise WrongAnswer("a shorter line fails its replay")
                on_improvement(self.line(), self.game.improving.lower_bound)
        free_improving(&self.game.improving)

    @property
    def sweeps(self):
        """Number of times that the last search with jokers swept taken nodes out of its queues."""
        return self.game.classes.queues.sweeps

    @property
    def stored(self):
        """Number of distinct states that the last search stored."""
        cdef Joker* game = self.game
        return game.one_pass.nodes.store.count if game.is_one_pass else game.classes.nodes.count

    def solve(self, state):
        """Find the greatest score of ``state`` and moves that reach it. Returns a `SearchResult`. Raises
        RuntimeError if the moves fail their replay."""
        cdef Desk desk
        cdef Position game
        cdef ClassPosition position
        cdef bint found
        self.read_state(&desk, state)
        self.load_state(state, &desk)
        load_game(&game, &desk)
        replay.load_state(&self.game.dealt_by_rules, state)
        with nogil:
            self.game.exact = False
            self.game.is_one_pass = False
            forget(self.game)
            if begin(self.kernel):
                search(self.game)
            else:
                unpack(&self.game.layout, &self.game.key, &position)
                self.game.score = position.score
                self.game.bound = self.game.layout.places
            found = find_line(self.game, &game)
        self.raise_error()
        self.check_capacity()
        if not found:
            raise WrongAnswer(f"the line to {self.game.score} fails its replay")
        won = (False, True, None)[verdict(self.game)]
        reason = None if self.game.exact else REASONS[self.kernel.reason]
        return SearchResult(won, self.line(), self.game.score, self.game.bound, self.game.exact, reason)

    cdef void open_deals(self, variant, choices) except *:
        cdef Desk desk
        Border.open_deals(self, variant, choices)
        state = variant.deal(0, choices=choices)
        self.read_state(&desk, state)
        self.load_state(state, &desk)
        clear(&self.game.dealt, &self.game.key)
        self.game.dealt.ranks = self.game.layout.ranks
        self.game.dealt.suits = self.game.layout.suits
        self.game.dealt.columns = self.columns
        self.game.dealt.jokers = self.game.layout.jokers
        self.game.dealt.turned_only = self.game.layout.turned_only
        self.game.dealt.any_removal = self.game.layout.any_removal

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef Dealt dealt
        cdef Position game
        self.deal_seed(seed, cards, &dealt)
        self.game.layout = self.game.dealt
        deal(self.game, &dealt)
        deal_game(&game, &dealt, self.game.layout.ranks, self.game.layout.suits)
        game.turned_only = self.game.layout.turned_only
        game.any_removal = self.game.layout.any_removal
        replay.deal_game(
            &self.game.dealt_by_rules, cards, self.deck_size, self.sizes, self.columns,
            self.game.layout.ranks, self.game.layout.suits
        )
        self.game.dealt_by_rules.turned_only = self.game.layout.turned_only
        self.game.dealt_by_rules.any_removal = self.game.layout.any_removal
        if begin(self.kernel):
            search(self.game)
        else:
            self.game.score = 0
            self.game.bound = self.game.layout.places
            self.game.exact = self.game.is_one_pass = False
            forget(self.game)
        record.score = self.game.score
        record.score_bound = self.game.bound
        record.exact = self.game.exact
        record.verdict = verdict(self.game)
        if not self.game.exact:
            record.reason = self.kernel.reason
        if not find_line(self.game, &game):
            return False
        record.moves = self.game.step_count
        return not self.shortest_too or self.kernel.reason != NOTHING or self.improve_seed(&game, record)

    cdef void check_capacity(self) except *:
        if self.game.classes.has_overflowed:
            self.game.classes.has_overflowed = False
            raise RuntimeError(f"a position has more than {MOST_CODES} moves, which the kernel cannot store")

    cdef bint improve_seed(self, const Position* start, Record* record) noexcept nogil:
        """Shorten the line of a deal just solved, to the tier that its score reaches, and write length and
        lower bound to ``record``. Returns False if a line fails its replay."""
        cdef Position game = start[0]
        cdef int goal = goal_of(self.game, self.game.score, self.game.layout.places)
        cut_line(self.game, &game, goal)
        begin_line(self.game, start, goal)
        while improve_line(self.game):
            pass
        free_improving(&self.game.improving)
        record.moves = self.game.step_count
        record.lower_bound = self.game.improving.lower_bound
        record.shortest = record.lower_bound == record.moves
        if not record.shortest:
            record.reason = self.kernel.reason
        return not self.game.improving.failed

    @property
    def peak_bytes(self):
        """Bytes that the last search had allocated at its end."""
        return self.game.peak_bytes

    @property
    def large(self):
        """LARGE, or less for tests."""
        return self.game.large

    @large.setter
    def large(self, uint64_t value):
        self.game.large = value

    @property
    def blocks(self):
        """FIRST_BLOCKS, or less for tests."""
        return self.game.blocks

    @blocks.setter
    def blocks(self, uint32_t value):
        self.game.blocks = value

    @property
    def early(self):
        """EARLY, or less for tests."""
        return self.game.early

    @early.setter
    def early(self, uint32_t value):
        self.game.early = value

    @property
    def wanted(self):
        """A score that suffices; 0: the greatest."""
        return self.game.wanted

    @wanted.setter
    def wanted(self, int value):
        self.game.wanted = value
