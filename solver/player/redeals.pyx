"""The kernel of the player of Klondike with redeals: single decisions with their estimates, and whole games.

The kernel thinks about a `Seen`, which holds nothing that a person does not see. The true order of the cards
is known to `solve_seed` alone, which deals them, in a variable of its own.
"""

cimport cython
from ..klondike cimport oracle
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from ..core.clock cimport thread_microseconds
from ..core.dealer cimport MOST_CARDS, Dealt
from ..core.kernel cimport MEMORY, NODES, NOTHING, SAMPLING, Kernel, Record
from ..klondike.line cimport NO_SUIT, STOCK, WASTE, Desk, Line, Step, finish, follow, make
from ..klondike.state cimport RAISE, Position, card_at, is_won, unpack
from .moves cimport Choice
from .redeals_moves cimport MOST_REDEALS_CHOICES, choices_of, follow_choice, read_weights, safe_choice
from .redeals_position cimport Seen, World, hide, known_after, load_view, open_world, shuffle_world
from .redeals_search cimport RedealsSearch, begin_thinking, iterate, rule_choice
from .search cimport best_branch, is_settled, least_visits, lower_bound
from .tree cimport Branch, TreeNode, tree_bytes, tree_clear, tree_free

from ...rules import klondike as rules
from ..result import REASONS
from .redeals_moves import WEIGHTS

cdef enum:
    LOST = 0            # of a record, see record.py
    WON = 1
    UNFINISHED = 2
    ALL_UP = 52
    POLL_EVERY = 64     # iterations
    LOOK_EVERY = 8      # iterations, at the clock and whether more would change anything


@cython.final
cdef class RedealsKernel(Kernel):
    """Plays Klondike with redeals as ``player``, a `player.Player`, tells it.

    ``limits`` end a game early, as those of other kernels end a search: seconds are those of the whole game,
    nodes are iterations of the search. One kernel serves one thread.
    """

    cdef RedealsSearch search
    cdef readonly str kind
    cdef bint thinks            # or the rule player
    cdef uint64_t seed          # of the player's chance
    cdef uint64_t think_time    # microseconds of a decision; 0 for no limit
    cdef Seen seen
    cdef Line line              # the moves of the last decision
    cdef Desk dealt             # of a batch, before any card is dealt

    def __cinit__(self):
        memset(&self.search, 0, sizeof(self.search))
        memset(&self.line, 0, sizeof(self.line))

    def __init__(self, limits, player):
        self.set_limits(limits)
        self.search.tree.tree.max_bytes = self.max_bytes
        self.search.tree.visits = player.visits or <uint32_t>0xFFFFFFFF
        self.search.tree.root = -1
        self.kind = player.kind
        self.thinks = player.kind != "rule"
        self.think_time = 0 if player.seconds is None else <uint64_t>(1e6 * player.seconds) + 1
        self.seed = player.seed
        read_weights(self.search.weights, WEIGHTS)

    def __dealloc__(self):
        tree_free(&self.search.tree.tree)
        free(self.line.steps)

    # --- Decisions ------------------------------------------------------------------------------------------

    cdef bint begin_game(self) noexcept nogil:
        """Forget what was thought about other games; false without memory or time."""
        self.search.tree.chance.state = self.seed
        self.search.tree.iterations = 0
        self.stage_now = SAMPLING
        if not self.begin():
            return False
        if not tree_clear(&self.search.tree.tree):
            self.reason = MEMORY
        return self.reason == NOTHING

    cdef bint decide(self, bint always) noexcept nogil:
        """Write the moves that come next in ``seen`` to ``line``; false at the end of the game or of the
        limits. A single choice is thought about only if ``always`` is set, and what is forced never is."""
        cdef Desk desk = self.seen.desk
        cdef Position p
        cdef Choice chosen
        cdef int count
        self.search.tree.root = -1
        self.line.count = 0
        self.line.failed = False
        if self.is_forced(&desk, &p):
            return self.line.count > 0 and not self.line.failed
        count = rule_choice(&self.search.world, &p, self.search.weights, &chosen)
        if count == 0:
            return False
        if self.thinks and (always or count > 1):
            if not self.think():
                return False
            chosen = self.search.tree.tree.branches[best_branch(&self.search.tree)].choice
        follow_choice(&self.line, &desk, &chosen)
        return not self.line.failed

    cdef bint is_forced(self, Desk* desk, Position* p) noexcept nogil:
        """Whether there is nothing to choose: the stock is to be seen first, a card goes up at once, the rest
        goes up, or all is up. The moves are written; else ``p`` is what the world's root tells."""
        cdef World* world = &self.search.world
        cdef int card
        cdef bint is_known = self.seen.known == desk.slot_count
        if not is_known and desk.passes == 0 and desk.waste % desk.draw == 0:
            make(&self.line, desk, STOCK, WASTE, 1, NO_SUIT)
            return True
        open_world(world, &self.seen)
        unpack(&world.layout, world.root, p)
        if p.raised == ALL_UP:
            return True
        if is_known and is_won(&world.layout, False, p):
            finish(&self.line, desk)
            return True
        card = safe_choice(world, p)
        if card >= 0:
            follow(&self.line, desk, RAISE << 8 | card)
        return card >= 0

    cdef bint think(self) noexcept nogil:
        """Search until the visits or the time are used up, or nothing more would change; false if a limit of
        the game forbids to go on."""
        cdef uint64_t began = thread_microseconds(), polled = 0
        cdef int _
        if not begin_thinking(&self.search):
            self.reason = MEMORY
            return False
        self.search.tree.horizon = self.search.tree.visits
        while self.search.tree.tree.nodes[self.search.tree.root].visits < self.search.tree.visits:
            if is_settled(&self.search.tree):
                break
            for _ in range(LOOK_EVERY):
                if self.search.tree.tree.nodes[self.search.tree.root].visits < self.search.tree.visits:
                    iterate(&self.search)
            polled += LOOK_EVERY
            if polled % POLL_EVERY == 0 and not self.poll():
                return False
            if self.search.tree.iterations >= self.max_nodes:
                self.reason = NODES
                return False
            if self.think_time > 0 and thread_microseconds() - began >= self.think_time:
                break
        return True

    cdef void note(self) noexcept nogil:
        self.expanded = self.search.tree.iterations
        self.bytes_held = tree_bytes(&self.search.tree.tree)

    # --- Games ----------------------------------------------------------------------------------------------

    cdef bint play_on(self, Desk* truth, oracle.Game* game, Record* record) noexcept nogil:
        """Play a deal to the end, beside ``game`` by the oracle's rules; false if the two part."""
        cdef Line made
        cdef Desk before
        cdef Step step
        cdef int i, known = 0
        record.moves = 0
        memset(&made, 0, sizeof(Line))
        if self.begin_game():
            hide(truth, known, &self.seen)
            while self.decide(False):
                before = truth[0]
                made.count = 0
                for i in range(self.line.count):
                    step = self.line.steps[i]
                    if not oracle.play(game, step.source, step.target, step.count, step.suit):
                        free(made.steps)
                        return False
                    make(&made, truth, step.source, step.target, step.count, step.suit)
                record.moves += self.line.count
                self.generated += 1
                known = known_after(&before, known, truth)
                hide(truth, known, &self.seen)
        free(made.steps)
        self.expanded = self.search.tree.iterations
        record.score = is_all_up(truth)
        record.exact = -1       # nothing is said of what can be reached
        record.reason = self.reason
        record.verdict = WON if is_all_up(truth) else LOST if self.reason == NOTHING else UNFINISHED
        return oracle.is_won(game) == is_all_up(truth)

    cdef void open_deals(self, variant, choices) except *:
        Kernel.open_deals(self, variant, choices)
        state = variant.deal(0, choices=choices)
        load_view(&self.seen, rules.view_of(state))
        self.dealt = self.seen.desk

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef oracle.Game game
        cdef Dealt dealt
        cdef Desk truth = self.dealt
        cdef int column
        self.deal_seed(seed, cards, &dealt)
        for column in range(self.columns):
            memcpy(truth.card[column], dealt.card[column], dealt.size[column])
        memcpy(truth.slots, dealt.stock, dealt.stock_size)
        memset(&game, 0, sizeof(oracle.Game))
        game.ranks = truth.ranks
        game.draw = truth.draw
        game.passes = truth.passes
        game.backward = truth.backward
        for column in range(4):
            game.has_suit[column] = True
        oracle.deal_game(&game, cards, self.deck_size, self.sizes, self.columns)
        return self.play_on(&truth, &game, record)

    # --- What Python sees -----------------------------------------------------------------------------------

    def begin_deal(self):
        """Begin another game: earlier ones are forgotten, and chance begins anew."""
        with nogil:
            self.begin_game()

    def choose(self, view, bint always=False):
        """The moves that the player makes next in a `rules.klondike_view.View`, of `rules.klondike`; none if
        there is nothing left to do, or a limit ended the game: `ended_by` tells. A single choice is thought
        about only if ``always`` is set."""
        cdef bint is_over
        load_view(&self.seen, view)
        with nogil:
            if self.search.tree.tree.slots == NULL:
                self.begin_game()
            is_over = not self.decide(always)
        self.raise_error()
        return [] if is_over else self.moves()

    def ranked(self, others=()):
        """What the last `choose` found of each choice, the best first: its moves, its visits, and how many of
        them were won, alone in a tuple. Without visits if it did not search, and empty at the end. The
        ``others`` are kernels that have thought about the same position: their visits count too."""
        cdef Branch branches[MOST_REDEALS_CHOICES]
        cdef Branch* branch
        cdef RedealsKernel other
        cdef int i
        cdef uint64_t visits
        if self.search.tree.root < 0:
            return [(self.moves(), 0, (0,))] if self.line.count > 0 else []
        memset(branches, 0, sizeof(branches))
        visits = add_branches(&self.search, branches)
        for other in others:
            if other.search.tree.root >= 0:
                visits += add_branches(&other.search, branches)
        found = []
        for i in range(self.search.tree.tree.nodes[self.search.tree.root].count):
            branch = &branches[i]
            is_known = branch.visits >= least_visits(visits)
            worth = lower_bound(branch) if is_known else branch.visits
            won = <int>(branch.reached[0] + 0.5)
            found.append((is_known, worth, self.moves_of(&branch.choice), branch.visits, (won,)))
        return [entry[2:] for entry in sorted(found, key=lambda entry: entry[:2], reverse=True)]

    def choices(self, view):
        """All choices of a view, each as its moves with its score by the rule player; what is forced has the
        score 0."""
        cdef Choice choices[MOST_REDEALS_CHOICES]
        cdef Position p
        cdef Desk desk
        cdef int i, count
        load_view(&self.seen, view)
        desk = self.seen.desk
        self.line.count = 0
        self.line.failed = False
        if self.is_forced(&desk, &p):
            return [(self.moves(), 0.0)] if self.line.count > 0 else []
        count = choices_of(&self.search.world, &p, self.search.weights, choices)
        return [(self.moves_of(&choices[i]), choices[i].score) for i in range(count)]

    def sample(self, view):
        """The unseen cards of a view in an order drawn by chance: those of each column, the deepest first,
        and then the stock, the next one first."""
        cdef World* world = &self.search.world
        cdef int column, row, slot
        load_view(&self.seen, view)
        open_world(world, &self.seen)
        shuffle_world(world, &self.search.tree.chance)
        cards = []
        for column in range(world.layout.columns):
            for row in range(world.hidden[column]):
                cards.append(card_at(world.layout.dealt[column][row]))
        for slot in range(world.known, world.slots):
            cards.append(card_at(world.layout.slot_card[slot]))
        return cards

    cdef list moves_of(self, const Choice* choice):
        """The moves of a choice in what is seen."""
        cdef Desk desk = self.seen.desk
        self.line.count = 0
        follow_choice(&self.line, &desk, choice)
        return self.moves()

    cdef list moves(self):
        """What is in ``line``, as moves of `rules.klondike`."""
        return [
            rules.Move(
                self.line.steps[i].source,
                self.line.steps[i].target,
                self.line.steps[i].count,
                None if self.line.steps[i].suit == NO_SUIT else self.line.steps[i].suit,
            )
            for i in range(self.line.count)
        ]

    @property
    def ended_by(self):
        """The limit that ended the game, by name, or None."""
        return REASONS[self.reason]

    @property
    def iterations(self):
        """The samples drawn since the game began."""
        return self.search.tree.iterations


cdef bint is_all_up(const Desk* desk) noexcept nogil:
    return desk.height[0] + desk.height[1] + desk.height[2] + desk.height[3] == ALL_UP


cdef uint64_t add_branches(const RedealsSearch* search, Branch* branches) noexcept:
    """Add what a search found of the choices of its root; its visits there."""
    cdef const TreeNode* root = &search.tree.tree.nodes[search.tree.root]
    cdef const Branch* found = &search.tree.tree.branches[root.first]
    cdef uint32_t i
    for i in range(root.count):
        branches[i].choice = found[i].choice
        branches[i].visits += found[i].visits
        branches[i].total += found[i].total
        branches[i].squares += found[i].squares
        branches[i].reached[0] += found[i].reached[0]
    return root.visits
