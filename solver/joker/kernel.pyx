"""The kernel of joker and klondike-one-pass: best-first search for the greatest score.

The score depends on the state alone and never falls, so the greatest one is a matter of reachability: each
state is expanded once, and the result is exact when nothing is left to expand or a bound is reached. A state
is a class of states up to lateral moves here, as `state` explains. One whose bound (`bound`) does
not surpass the score found is not expanded. In a large search it is not even stored: that takes half the
memory, but the bound is asked again each time that such a state is met.

Two queues order the same nodes by two sets of weights. The first is followed for 256 states, then the other,
and so on; what one has expanded the other leaves alone. Where one order wanders the other often finds the
way: of the joker deals 2001 to 3500 the hardest in a hundred takes a fifth of the states that it took when
the first was followed for a million.

A game without jokers has smaller states and a search of its own, `klondike`, unless its position is too
large for it.
"""

# optimised: searches spend their time here

cimport cython
from . cimport oracle
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from ..core.dealer cimport MOST_CARDS, Dealt
from ..core.invariant cimport IS_CHECKED
from ..core.kernel cimport (
    A_STAR, BEST_FIRST, MEMORY, NOTHING, Kernel, Record, may_expand, may_pass,
)
from ..core.memory cimport resize
from ..core.node_store cimport NodeStore, free_store, has_room, make_room_for_node, store_bytes
from ..core.nodes cimport IMPROVED
from .bound cimport upper_bound
from .cards cimport GONE, MAX_COLUMNS, UNDECLARED, XB, bit
from .class_nodes cimport (
    ClassNode, add_class, class_at, find_class, hash_of, is_of, parent_of, prefetch_class, prefetch_slot,
    reset_classes,
)
from .estimates cimport Estimates, estimate_of, set_estimates
from .improving cimport (
    Improving, free_improving, improve_once, improving_bytes, open_improving,
)
from .klondike cimport Klondike, codes_to_best, search_klondike
from .klondike_moves cimport set_gains
from .klondike_state cimport open_klondike
from .line cimport LONGEST_PLAY, play_macro, shorten
from .macros cimport Child, check_child, perform
from .moves cimport MOST_CODES, TOO_MANY, successors
from .packing cimport turns_in
from .plain cimport PlainGame, PlainMove, deal_game, move_of, play, step_of
from .plain cimport load as load_game
from .plain cimport score as score_of
from .queues cimport (
    FIRST_BLOCKS, QUEUES, Queues, free_queues, has_blocks, make_room_in_queues, pop, push, queue_bytes,
    reset_queues,
)
from .state cimport (
    NO_HIDDEN, ClassKey, ClassLayout, ClassPosition, clear, clear_key, close_layout, load, set_joker,
    turned_of, unpack,
)
from .tiers cimport least_score, tiers_of

from .states import check_state
from ..core.contract import Finding
from ..result import REASONS

cdef enum:
    BATCH = 32              # children worked out before any is looked up
    LARGE = 250000          # states stored, from which on one without hope is not
    MOST_LINE = 4096        # macros: a few for each card
    EARLY = 4096            # nodes whose macros are kept: looking for them would take a tenth of a short search


@cython.final
cdef class JokerKernel(Kernel):
    """Finds the greatest score of positions of joker and klondike-one-pass within ``limits``.

    One kernel serves one thread; it keeps some memory from deal to deal.
    """

    IMPROVES = True

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
    cdef ClassPosition position         # the state that is expanded
    cdef ClassPosition met              # one that its moves lead to
    cdef NodeStore nodes
    cdef Queues queues
    cdef uint64_t asked                 # nodes from this one on surpass the score now, by their bounds
    cdef uint32_t best                  # the node of that score
    cdef bint has_overflowed            # a position with more moves than there is room for was met
    cdef uint32_t* codes
    cdef uint32_t early_codes[EARLY]    # the macros by which the first nodes were met
    cdef Child children[BATCH]
    cdef uint64_t hashes[BATCH]
    cdef Estimates estimates
    cdef Klondike klondike              # the search without jokers,
    cdef bint is_klondike               # if this deal is for it
    cdef Improving improving
    cdef oracle.Game dealt_by_rules     # where the replays begin
    cdef PlainMove* steps               # the line to the best state
    cdef int step_count
    cdef int step_room

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
        free_store(&self.nodes)
        free_queues(&self.queues)
        free_store(&self.klondike.nodes.store)
        free_improving(&self.improving)

    cdef void load_state(self, state) except *:
        """Begin at ``state``, of `rules.joker`. Raises ValueError if it is too large."""
        load(&self.layout, &self.key, state)
        set_estimates(&self.estimates, state.variant)

    # --- Search ---------------------------------------------------------------------------------------------

    cdef void search(self) noexcept nogil:
        """Look for the greatest score from the state loaded; `score`, `best`, `exact` and `reason` tell."""
        self.stage_now = BEST_FIRST
        self.exact = False
        self.best = 0
        self.is_klondike = not self.layout.jokers and open_klondike(
            &self.klondike.layout, &self.layout, &self.key, &self.klondike.root)
        if self.is_klondike:
            set_gains(&self.klondike.gains, &self.estimates)
            search_klondike(&self.klondike, self, self.node_bytes())
            self.score = self.klondike.score
            self.bound = self.klondike.bound
        else:
            self.search_classes()
        self.exact = self.score == self.bound
        if self.exact:
            self.reason = NOTHING
        self.peak_bytes = self.bytes_of_nodes()

    cdef void search_classes(self) noexcept nogil:
        """The search with jokers."""
        cdef uint32_t node, passed = 0
        cdef uint64_t place
        cdef ClassKey key
        cdef int queue = 0
        unpack(&self.layout, &self.key, &self.position)
        self.score = self.position.score
        self.bound = upper_bound(&self.layout, &self.position, self.layout.places)
        self.asked = self.large
        if not reset_classes(&self.nodes, self.node_bytes()):
            self.reason = MEMORY
        elif not reset_queues(&self.queues, &self.nodes, self.blocks):
            self.reason = MEMORY
        elif self.score < self.bound:
            find_class(&self.nodes, &self.key, hash_of(&self.key), &place)
            add_class(&self.nodes, &self.key, hash_of(&self.key), place, 0)
            self.push_all(0, self.position.score, self.position.face_down, self.position.waste_size,
                          self.position.turned, self.position.empty, self.position.out)
            while self.score < self.bound:
                if not pop(&self.queues, &self.nodes, queue, &node):
                    self.bound = self.score
                    break
                queue = self.expanded >> self.estimates.phase & 1
                key = class_at(&self.nodes, node).key
                unpack(&self.layout, &key, &self.position)
                if node < self.asked and upper_bound(&self.layout, &self.position, self.score) <= self.score:
                    if not may_pass(self, &passed):
                        break
                    continue
                passed = 0
                if not may_expand(self) or not self.expand(node):
                    break

    cdef uint64_t bytes_of_nodes(self) noexcept nogil:
        """What the nodes of both searches take."""
        return store_bytes(&self.nodes) + queue_bytes(&self.queues) + store_bytes(&self.klondike.nodes.store)

    cdef bint expand(self, uint32_t parent) noexcept nogil:
        """Store the successors of ``position``; false if memory runs out."""
        cdef int count = successors(&self.layout, &self.position, self.codes), i = 0, j, n
        cdef uint64_t place
        if count == TOO_MANY:
            self.has_overflowed = True
            self.reason = MEMORY
            return False
        while i < count:
            n = count - i if count - i < BATCH else BATCH
            for j in range(n):
                perform(&self.layout, &self.position, self.codes[i + j], &self.children[j])
                if IS_CHECKED:
                    check_child(&self.layout, &self.children[j])
                self.hashes[j] = hash_of(&self.children[j].key)
                prefetch_slot(&self.nodes, self.hashes[j])
            for j in range(n):
                prefetch_class(&self.nodes, self.hashes[j])
            for j in range(n):
                if not self.has_room():
                    self.reason = MEMORY
                    return False
                if find_class(&self.nodes, &self.children[j].key, self.hashes[j], &place):
                    continue
                if self.nodes.count >= self.large and self.is_without_hope(&self.children[j].key):
                    continue
                add_class(&self.nodes, &self.children[j].key, self.hashes[j], place, parent)
                if self.nodes.count <= EARLY:
                    self.early_codes[self.nodes.count - 1] = self.codes[i + j]
                self.enqueue(&self.children[j])
            i += n
        self.generated += count
        return True

    cdef inline bint has_room(self) noexcept nogil:
        """Have room for one more state; false if memory does not allow it."""
        if not has_room(&self.nodes) and not make_room_for_node(&self.nodes):
            return False
        return has_blocks(&self.queues) or make_room_in_queues(&self.queues, &self.nodes)

    cdef inline bint is_without_hope(self, const ClassKey* key) noexcept nogil:
        """Whether a state cannot surpass the score found."""
        unpack(&self.layout, key, &self.met)
        return upper_bound(&self.layout, &self.met, self.score) <= self.score

    cdef inline void enqueue(self, const Child* child) noexcept nogil:
        """The last node is new."""
        cdef uint32_t node = self.nodes.count - 1
        if child.score > self.score:
            self.score = child.score
            self.best = node
            self.asked = max(self.large, <uint64_t>self.nodes.count)
        self.push_all(node, child.score, child.face_down, child.waste_size, turned_of(&child.key),
                      child.empty, child.out)

    cdef inline void push_all(
        self, uint32_t node, int score, int face_down, int waste, int turned, int empty, int out
    ) noexcept nogil:
        """Put a node into each queue."""
        cdef int queue
        for queue in range(QUEUES):
            push(&self.queues, queue, node,
                 estimate_of(&self.estimates, queue, score, face_down, waste, turned, empty, out))

    cdef uint64_t node_bytes(self) noexcept nogil:
        """What the limit leaves for the nodes, beside the lists of this kernel."""
        cdef uint64_t fixed = (MOST_LINE + MOST_CODES) * sizeof(uint32_t) + sizeof(Queues) + sizeof(ClassLayout)
        fixed += sizeof(Klondike) + EARLY * sizeof(uint32_t)
        return self.max_bytes - fixed if self.max_bytes > fixed else 0

    cdef void note(self) noexcept nogil:
        self.bytes_held = self.bytes_of_nodes() + improving_bytes(&self.improving)
        if self.stage_now == A_STAR:
            self.moves_now = self.improving.fewest
            self.lower_bound_now = max(self.lower_bound_now, self.improving.lower_bound)
        else:
            self.score_now = self.score

    # --- Lines ----------------------------------------------------------------------------------------------

    cdef bint find_line(self, const PlainGame* start) noexcept nogil:
        """Write the moves to the best node to ``steps``, cleaned; false if one of them is illegal, or they
        miss the score."""
        cdef PlainGame game = start[0]
        cdef int count, i, played
        if self.is_klondike:
            count = codes_to_best(&self.klondike, self.codes)
        else:
            count = self.trace()
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

    cdef int trace(self) noexcept nogil:
        """Write the macros to the best node to ``codes``, return their number."""
        cdef uint32_t node = self.best
        cdef int count = 0, i
        while node:
            count += 1
            node = parent_of(&self.nodes, node)
        node = self.best
        for i in range(count - 1, -1, -1):
            if node < self.early:
                self.codes[i] = self.early_codes[node]
            else:
                self.codes[i] = self.code_to(node, self.codes + count)
            node = parent_of(&self.nodes, node)
        return count

    cdef uint32_t code_to(self, uint32_t node, uint32_t* codes) noexcept nogil:
        """The macro by which a node was met, which is the first that leads there from its parent; there must
        be room for ``codes``."""
        cdef ClassNode* met = class_at(&self.nodes, node)
        cdef ClassKey key = met.key, before
        cdef Child child
        cdef int count, i, turns
        before = class_at(&self.nodes, parent_of(&self.nodes, node)).key
        unpack(&self.layout, &before, &self.position)
        turns = turned_of(&key) - self.position.turned
        count = successors(&self.layout, &self.position, codes)
        for i in range(count):
            if turns_in(codes[i]) == turns:
                perform(&self.layout, &self.position, codes[i], &child)
                if is_of(met, &child.key):
                    return codes[i]
        return 0

    cdef int replayed_score(self) noexcept nogil:
        """What ``steps`` reach by the oracle's rules; -1 if one of them is illegal."""
        cdef oracle.Game game = self.dealt_by_rules
        cdef PlainMove* step
        cdef int i
        for i in range(self.step_count):
            step = &self.steps[i]
            if not oracle.play(&game, step.source, step.target, step.count, step.suit, step.rank):
                return -1
        return oracle.score(&game)

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
        self.stage_now = A_STAR
        free_store(&self.nodes)
        free_queues(&self.queues)
        free_store(&self.klondike.nodes.store)
        open_improving(&self.improving, start, goal, self.step_count, self.max_bytes)

    cdef bint improve_line(self) noexcept nogil:
        """Make ``steps`` shorter or the lower bound greater, once: whether there may be more of that."""
        cdef bint goes_on = improve_once(&self.improving, self, self.steps) == IMPROVED
        self.step_count = self.improving.fewest
        self.improving.failed = self.improving.failed or self.replayed_score() < self.improving.goal
        return goes_on and not self.improving.failed

    def improve(self, state, moves, on_improvement):
        """Look for a shortest line from ``state`` to the tier that ``moves`` reach. See Kernel."""
        cdef PlainGame start, game
        cdef int goal
        cdef bint goes_on = True
        check_state(state)
        load_game(&start, state)
        oracle.load(&self.dealt_by_rules, state)
        game = start
        self.step_count = 0
        if not self.make_steps(len(moves)):
            raise MemoryError
        goal = self.goal_of(self.play_steps(&game, moves), state.deck.places)
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

    cdef int play_steps(self, PlainGame* game, moves) except -1:
        """Play ``moves`` and write them to ``steps``; the score they reach. Raises ValueError at an illegal
        one."""
        for move in moves:
            self.steps[self.step_count] = step_of(move)
            if not play(game, self.steps[self.step_count]):
                raise ValueError(f"the move {move} is illegal")
            self.step_count += 1
        return score_of(game)

    cdef void cut_line(self, PlainGame* game, int goal) noexcept nogil:
        """End the line where it reaches ``goal``."""
        cdef int count = 0
        while score_of(game) < goal:
            play(game, self.steps[count])
            count += 1
        self.step_count = count

    # --- What Python sees -----------------------------------------------------------------------------------

    @property
    def stored(self):
        """The number of different states met."""
        return self.klondike.nodes.store.count if self.is_klondike else self.nodes.count

    def solve(self, state):
        """Find the greatest score of ``state`` and the moves to it, a `Finding`. Raises RuntimeError if the
        moves fail their replay."""
        cdef PlainGame game
        cdef bint found
        self.load_state(state)
        load_game(&game, state)
        oracle.load(&self.dealt_by_rules, state)
        with nogil:
            self.exact = False
            self.best = 0
            self.is_klondike = False
            self.nodes.count = 0
            if self.begin():
                self.search()
            else:
                unpack(&self.layout, &self.key, &self.position)
                self.score = self.position.score
                self.bound = self.layout.places
            found = self.find_line(&game)
        self.raise_error()
        self.check_capacity()
        if not found:
            raise RuntimeError(f"the line to {self.score} fails its replay")
        won = (False, True, None)[self.verdict()]
        reason = None if self.exact else REASONS[self.reason]
        return Finding(won, self.line(), self.score, self.bound, self.exact, reason)

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
        self.deal_by_rules(cards)
        if self.begin():
            self.search()
        else:
            self.score = self.best = 0
            self.bound = self.layout.places
            self.exact = self.is_klondike = False
            self.nodes.count = 0
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

    cdef void deal_by_rules(self, const uint8_t* cards) noexcept nogil:
        """Lay out shuffled ``cards`` once more, for the replays."""
        oracle.deal_game(
            &self.dealt_by_rules, cards, self.deck_size, self.sizes, self.columns, self.layout.ranks,
            self.layout.suits
        )
        self.dealt_by_rules.turned_only = self.layout.turned_only
        self.dealt_by_rules.any_removal = self.layout.any_removal

    cdef void check_capacity(self) except *:
        if self.has_overflowed:
            self.has_overflowed = False
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
        cdef int column
        cdef uint8_t hidden[MAX_COLUMNS]
        clear_key(&self.key)
        for column in range(self.layout.columns):
            memcpy(self.layout.buried[column], dealt.card[column], dealt.size[column])
            hidden[column] = dealt.size[column] - 1
        self.layout.slots = dealt.stock_size
        memcpy(self.layout.slot_card, dealt.stock, dealt.stock_size)
        self.face_up(hidden)
        close_layout(&self.layout, &self.key, hidden)

    cdef void face_up(self, const uint8_t* hidden) noexcept nogil:
        """The tops of a deal."""
        cdef int column, card, colour
        for colour in range(2):
            if not self.layout.jokers:
                set_joker(&self.key, colour, GONE, 0)
        for column in range(self.layout.columns):
            card = self.layout.buried[column][hidden[column]]
            if card < XB:
                self.layout.present |= bit(card)
            else:
                set_joker(&self.key, card - XB, UNDECLARED, column if hidden[column] else NO_HIDDEN)
