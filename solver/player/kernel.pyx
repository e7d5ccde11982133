"""The kernel of the player: single decisions with their estimates, and whole games in batches.

The kernel thinks about a `SeenPosition`, which holds nothing that a person does not see. The true order of
the cards is known to `solve_seed` alone, which deals them, in a variable of its own.
"""

cimport cython
from ..joker cimport oracle
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..core.dealer cimport MOST_CARDS, Dealt
from ..joker.plain cimport PlainMove, move_of
from ..joker.tiers cimport TIERS, tiers_of
from ..core.clock cimport thread_microseconds
from ..core.kernel cimport MEMORY, NODES, NOTHING, SAMPLING, Kernel, Record
from .features cimport Features, features_of
from .moves cimport MOST_CHOICES, MOST_STEPS, TOO_MANY, Choice, choices_of, perform, read_weights, steps_of
from .position cimport COLUMNS, Order, SeenPosition, deal, load, sample, score_of, unseen_of
from .search cimport (
    Search, begin_thinking, best_branch, draw_to_the_end, draws_of, is_settled, iterate, least_visits,
    lower_bound, rule_choice,
)
from .tree cimport Branch, TreeNode, tree_bytes, tree_clear, tree_free
from .value cimport Forecast, forecast, read_network

from ..result import REASONS
from .weights import has_network, network_of, packed

cdef enum:
    LOST = 0            # of a record, see record.py
    WON = 1
    UNFINISHED = 2
    ALL_UP = 52
    POLL_EVERY = 256    # iterations
    RANKS = 13
    SUITS = 15          # a bit each


@cython.final
cdef class PlayerKernel(Kernel):
    """Plays joker or klondike-one-pass as ``player``, a `player.Player`, tells it.

    ``limits`` end a game early, as those of other kernels end a search: seconds are those of the whole game,
    nodes are iterations of the search. One kernel serves one thread.
    """

    cdef Search search
    cdef readonly str kind
    cdef str game               # that is played, by its network if one was taught it
    cdef bint thinks            # or the rule player
    cdef uint64_t seed          # of the player's chance
    cdef uint64_t think_time    # microseconds of a decision; 0 for no limit
    cdef SeenPosition position

    def __init__(self, limits, player):
        self.set_limits(limits)
        self.search.tree.max_bytes = self.max_bytes
        self.kind = player.kind
        self.thinks = player.kind != "rule"
        self.search.visits = player.visits or <uint32_t>0xFFFFFFFF
        self.think_time = 0 if player.seconds is None else <uint64_t>(1e6 * player.seconds) + 1
        self.seed = player.seed
        self.search.offset = player.seed * 40503 & 0xFFFF
        read_weights(self.search.weights)

    def __dealloc__(self):
        tree_free(&self.search.tree)

    # --- Decisions ------------------------------------------------------------------------------------------

    cdef bint begin_game(self) noexcept nogil:
        """Forget what was thought about other games; false without memory or time."""
        self.search.chance.state = self.seed
        self.search.iterations = 0
        self.stage_now = SAMPLING
        if not self.begin():
            return False
        if not tree_clear(&self.search.tree):
            self.reason = MEMORY
        return self.reason == NOTHING

    cdef int decide(self, const SeenPosition* p, Choice* chosen) noexcept nogil:
        """The choice in ``p``; how many there were, 0 at the end of the game or of the limits. Also 0 where
        there are too many: `check_capacity` tells."""
        cdef Choice choices[MOST_CHOICES]
        cdef int count
        if not self.thinks:
            count = rule_choice(p, self.search.weights, chosen)
            self.search.has_overflowed |= count == TOO_MANY
            return max(count, 0)
        count = choices_of(p, self.search.weights, choices)
        if count == TOO_MANY:
            self.search.has_overflowed = True
            return 0
        if count > 1:
            if not self.think(p, True):
                return 0
            chosen[0] = self.search.tree.branches[best_branch(&self.search)].choice
        elif count == 1:
            chosen[0] = choices[0]
        return count

    cdef bint think(self, const SeenPosition* p, bint is_brief) noexcept nogil:
        """Search until the visits or the time are used up, or nothing more would change, where ``is_brief``
        lets it break off as soon as the choice would not; false if a limit of the game forbids to go on."""
        cdef uint64_t began = thread_microseconds(), first = self.search.iterations
        cdef int _
        if not begin_thinking(&self.search, p):
            self.reason = MEMORY
            return False
        self.search.horizon = self.search.visits
        while self.search.tree.nodes[self.search.root].visits < self.search.visits:
            if is_settled(&self.search):
                break
            for _ in range(POLL_EVERY):
                if self.search.tree.nodes[self.search.root].visits >= self.search.visits:
                    break
                iterate(&self.search, p)
            if not self.poll():
                return False
            if self.search.iterations >= self.max_nodes:
                self.reason = NODES
                return False
            if self.think_time > 0 and self.is_time_up(thread_microseconds() - began, first, is_brief):
                break
        return True

    cdef bint is_time_up(self, uint64_t spent, uint64_t first, bint is_brief) noexcept nogil:
        """Whether the time of a decision is spent. Where it is not, it says how many visits there will be
        when it is, if these drew on at the pace since the iteration ``first``."""
        cdef double left, visits = self.search.tree.nodes[self.search.root].visits
        if spent >= self.think_time:
            return True
        if is_brief and spent > 0:
            left = <double>(self.search.iterations - first) * (self.think_time - spent) / spent
            self.search.horizon = <uint32_t>min(<double>self.search.visits, visits + left)
        return False

    cdef void note(self) noexcept nogil:
        self.expanded = self.search.iterations
        self.bytes_held = tree_bytes(&self.search.tree)

    # --- Games ----------------------------------------------------------------------------------------------

    cdef bint play_on(
        self, SeenPosition* p, const Order* order, oracle.Game* game, Record* record
    ) noexcept nogil:
        """Play from ``p``, where ``order`` is the truth, to the end, beside ``game`` by the oracle's rules;
        false if the two part."""
        cdef Choice chosen
        cdef PlainMove steps[MOST_STEPS]
        cdef int i, count
        record.moves = 0
        if self.begin_game():
            while score_of(p) < ALL_UP and self.decide(p, &chosen) > 0:
                count = steps_of(&chosen, steps)
                for i in range(count):
                    if not self.plays(game, steps[i]):
                        return False
                record.moves += count
                self.generated += 1
                perform(p, &chosen, order)
        self.expanded = self.search.iterations
        record.score = score_of(p)
        record.exact = -1       # nothing is said of what can be reached
        record.reason = self.reason
        record.verdict = LOST if self.reason == NOTHING else UNFINISHED
        if tiers_of(record.score, ALL_UP) > 0:
            record.verdict = WON
        return oracle.score(game) == record.score

    cdef bint plays(self, oracle.Game* game, PlainMove step) noexcept nogil:
        """Make a move by the oracle's rules; false if it is illegal."""
        return oracle.play(game, step.source, step.target, step.count, step.suit, step.rank)

    cdef void check_capacity(self) except *:
        if self.search.has_overflowed:
            self.search.has_overflowed = False
            raise RuntimeError(f"a position has more than {MOST_CHOICES} choices: there is no room for them")

    cdef void open_deals(self, variant, choices) except *:
        Kernel.open_deals(self, variant, choices)
        if choices is not None and choices.changed():
            raise ValueError("a player knows the usual rules alone")
        self.check_game(variant.name)

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef oracle.Game game
        cdef Dealt dealt
        cdef Order order
        self.deal_seed(seed, cards, &dealt)
        oracle.deal_game(&game, cards, self.deck_size, self.sizes, self.columns, RANKS, SUITS)
        deal(&self.position, &order, &dealt)
        return self.play_on(&self.position, &order, &game, record)

    # --- What Python sees -----------------------------------------------------------------------------------

    cdef void check_game(self, game) except *:
        """Have the network of ``game``, if one was taught it and the player thinks."""
        if self.thinks and game != self.game:
            self.search.has_network = has_network(game)
            if self.search.has_network:
                read_network(&self.search.network, packed(network_of(game)))
            self.game = game

    def learn(self, str game, weights):
        """Use a network of ``game`` with these ``weights``, floats as `weights.packed` has them, in place of
        the usual one."""
        read_network(&self.search.network, weights)
        self.search.has_network = True
        self.game = game

    def begin_deal(self):
        """Begin another game: earlier ones are forgotten, and chance begins anew."""
        with nogil:
            self.begin_game()

    def choose(self, view, bint always=False):
        """The moves that the player makes next in a `rules.joker_view.View`, one to three of `rules.joker`;
        none if there is nothing left to do, or a limit ended the game: `ended_by` tells. A single choice is
        thought about only if ``always`` is set."""
        cdef Choice chosen
        cdef int count = 0
        self.check_game(view.variant)
        load(&self.position, view)
        self.search.root = -1
        with nogil:
            if self.search.tree.slots == NULL:
                self.begin_game()
            if score_of(&self.position) < ALL_UP:
                if always and rule_choice(&self.position, self.search.weights, &chosen) == 1:
                    count = self.think(&self.position, False)
                else:
                    count = self.decide(&self.position, &chosen)
        self.raise_error()
        self.check_capacity()
        return moves_of(&chosen) if count > 0 else []

    def ranked(self, others=()):
        """What the last `choose` found of each choice, the best first: its moves, its visits, and how many of
        them came, or were expected to come, to a win, a double and a triple at least. Empty if it did not
        search. The ``others`` are kernels that have thought about the same position: their visits count too.
        """
        cdef Branch branches[MOST_CHOICES]
        cdef Branch* branch
        cdef PlayerKernel other
        cdef int i, count
        cdef uint64_t visits
        if self.search.root < 0:
            return []
        count = self.search.tree.nodes[self.search.root].count
        memset(branches, 0, sizeof(branches))
        visits = add_branches(&self.search, branches)
        for other in others:
            if other.search.root >= 0:
                visits += add_branches(&other.search, branches)
        found = []
        for i in range(count):
            branch = &branches[i]
            is_known = branch.visits >= least_visits(visits)
            worth = lower_bound(branch) if is_known else branch.visits
            reached = tuple([<int>(branch.reached[tier] + 0.5) for tier in range(TIERS)])
            found.append((is_known, worth, moves_of(&branch.choice), branch.visits, reached))
        return [entry[2:] for entry in sorted(found, key=lambda entry: entry[:2], reverse=True)]

    def choices(self, view):
        """All choices of a view, each as its moves with its score by the rule player."""
        cdef Choice choices[MOST_CHOICES]
        cdef int i, count
        load(&self.position, view)
        count = choices_of(&self.position, self.search.weights, choices)
        self.search.has_overflowed |= count == TOO_MANY
        self.check_capacity()
        return [(moves_of(&choices[i]), choices[i].score) for i in range(count)]

    def features(self, view):
        """The features of a view: of the whole, of each column, of each card of the waste; see
        features.pyx."""
        cdef Features found
        cdef Choice choices[MOST_CHOICES]
        cdef int i, j
        load(&self.position, view)
        features_of(&self.position, choices, choices_of(&self.position, self.search.weights, choices), &found)
        whole = [found.whole[i] for i in range(found.whole_count)]
        columns = [[found.of_column[i][j] for j in range(found.column_count[i])] for i in range(COLUMNS)]
        cards = [[found.of_waste[i][j] for j in range(found.card_count[i])] for i in range(found.waste_count)]
        return whole, columns, cards

    def forecast(self, view):
        """What the network of a search player tells of a view: the chances of at least a win, a double and a
        triple, and the number of cards that go up. Raises ValueError where none was taught the game."""
        cdef Forecast found
        cdef Choice choices[MOST_CHOICES]
        cdef int count
        self.check_game(view.variant)
        if not self.search.has_network:
            raise ValueError(f"no network was taught {view.variant}")
        load(&self.position, view)
        count = choices_of(&self.position, self.search.weights, choices)
        forecast(&self.search.network, &self.position, choices, count, &found)
        return (found.reached[0], found.reached[1], found.reached[2], found.cards)

    def sample(self, view):
        """The unseen cards of a view in an order drawn by chance: those of each column, the deepest first,
        and then the stock, the next one first."""
        cdef Order order
        cdef int i, column
        load(&self.position, view)
        self.search.unseen.count = unseen_of(&self.position, self.search.unseen.cards)
        sample(
            &self.position, self.search.unseen.cards, self.search.unseen.count, &self.search.chance, &order
        )
        cards = []
        for column in range(COLUMNS):
            cards += [order.down[column][i] for i in range(self.position.down[column])]
        return cards + [order.stock[self.position.stock - 1 - i] for i in range(self.position.stock)]

    def draws(self, view, visits):
        """The cards that so many visits of a choice which turns a card up would turn up in a view."""
        load(&self.position, view)
        return draws_of(&self.search, &self.position, visits)

    def draw_to_the_end(self, view):
        """Whether drawing on by rule from a view leaves at each moment the cards that are not seen."""
        load(&self.position, view)
        return draw_to_the_end(&self.search, &self.position)

    @property
    def ended_by(self):
        """The limit that ended the game, by name, or None."""
        return REASONS[self.reason]

    @property
    def iterations(self):
        """The samples drawn since the game began."""
        return self.search.iterations


cdef uint64_t add_branches(const Search* search, Branch* branches) noexcept:
    """Add what a search found of the choices of its root; its visits there."""
    cdef const TreeNode* root = &search.tree.nodes[search.root]
    cdef const Branch* found = &search.tree.branches[root.first]
    cdef uint32_t i
    cdef int tier
    for i in range(root.count):
        branches[i].choice = found[i].choice
        branches[i].visits += found[i].visits
        branches[i].total += found[i].total
        branches[i].squares += found[i].squares
        for tier in range(TIERS):
            branches[i].reached[tier] += found[i].reached[tier]
    return root.visits


cdef list moves_of(const Choice* choice):
    """The moves of a choice, of `rules.joker`."""
    cdef PlainMove steps[MOST_STEPS]
    return [move_of(steps[i]) for i in range(steps_of(choice, steps))]
