"""Kernel of the player of Klondike with redeals: decisions with their estimates, and whole games.

The kernel decides in a `Seen`, which holds nothing that a person does not see. The true order of the cards
is known to `solve_seed` alone, which deals them, in a variable of its own.

The search is that of `search`, over classes of `klondike.state`. Each iteration samples a determinization,
descends the tree of information sets to a new one, and plays to the end from there by the rule player, with
some noise. Safe foundation moves are made at once: their proof (Theorem K4 of docs/theory/klondike.md)
moves cards that are seen, and holds for whatever the others are.
"""

cimport cython
from ..klondike cimport replay
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.border cimport move_of
from ..core.desk cimport MOST_CARDS, Desk, PlainMove
from ..core.border cimport Border, Record
from ..joker.tiers cimport TIERS
from ..klondike.line cimport Line, finish, follow, make
from ..klondike.position cimport NO_SUIT, STOCK, WASTE, Position, deal_position
from ..klondike.state cimport RAISE, ClassPosition, card_at, make_safe_moves, is_won, unpack
from .joker_moves cimport Choice
from .klondike_position cimport (MOST_KLONDIKE_CHOICES, Seen, World, choices_of, follow_choice, hash_of,
                                 hide, key_after, known_after, load_view, open_world, safe_choice,
                                 shuffle_world, unseen_slots)
from .search cimport (ALL_UP, LONGEST_GAME, LONGEST_PATH, Search, ThinkingKernel, add_root, back_up,
                      best_branch, best_choice, node_at, noisy_choice, selected, tree_add, tree_find)
from .value cimport Forecast

from ...rules import klondike as rules

cdef enum:
    LOOK_EVERY = 8      # samples

cdef enum:              # reasons of forced moves, in the order of REASONS
    FREE, STOCK_FIRST, SURE_WIN, SAFE

REASONS = (
    None,
    "costs nothing; the stock comes round again with its cards known",
    "wins, since all cards that are left go up",
    "cannot hurt, since no other card will need this one",
)

cdef struct KlondikeSearch:
    Search* tree        # and what goes with it; its weights and its network are not used
    World world         # of the position to decide
    ClassPosition start


# --- Search ---------------------------------------------------------------------------------------------

cdef bint is_sure_win(const World* world, const ClassPosition* p) noexcept nogil:
    """Test whether a player who sees all cards is sure to win ``p``."""
    return is_won(&world.layout, False, p)


cdef void play_out(KlondikeSearch* search, ClassPosition* p) noexcept nogil:
    """Play to the end, or to a sure win, by the rule player with noise."""
    cdef Choice choices[MOST_KLONDIKE_CHOICES]
    cdef const World* world = &search.world
    cdef int count, _
    cdef uint64_t key
    for _ in range(LONGEST_GAME):
        if is_sure_win(world, p):
            return
        count = choices_of(world, p, choices)
        if count == 0:
            return
        key = key_after(world, p, &choices[noisy_choice(choices, count, &search.tree.chance)])
        make_safe_moves(&world.layout, False, &key, p, NULL)


cdef bint begin_thinking(KlondikeSearch* search) noexcept nogil:
    """Prepare a search from the world's root, clearing the tree if memory runs out. Returns False if it does
    so even then."""
    cdef Choice choices[MOST_KLONDIKE_CHOICES]
    cdef uint64_t hash
    cdef int count
    unpack(&search.world.layout, search.world.root, &search.start)
    hash = hash_of(&search.world, &search.start)
    search.tree.root = tree_find(&search.tree.tree, hash)
    if search.tree.root < 0:
        count = choices_of(&search.world, &search.start, choices)
        add_root(search.tree, hash, choices, count)
    return search.tree.root >= 0


cdef void iterate(KlondikeSearch* search) noexcept nogil:
    """Run one iteration: descend the tree, play out, and back up the result."""
    cdef Choice choices[MOST_KLONDIKE_CHOICES]
    cdef Search* tree = search.tree
    cdef World* world = &search.world
    cdef ClassPosition p = search.start
    cdef Forecast found
    cdef int node, count, tier, depth = 0
    cdef uint64_t key, hash
    tree.iterations += 1
    shuffle_world(world, &tree.chance)
    while depth < LONGEST_PATH and (depth == 0 or not is_sure_win(world, &p)):
        hash = hash_of(world, &p)
        node = tree.root if depth == 0 else tree_find(&tree.tree, hash)
        if node < 0:
            count = choices_of(world, &p, choices)
            if count > 1:
                tree_add(&tree.tree, hash, choices, count)
            if count != 1:
                break
            key = key_after(world, &p, choices)
        else:
            tree.path[depth] = node
            tree.taken[depth] = selected(tree, node_at(&tree.tree, node))
            key = key_after(world, &p, &tree.tree.branches[tree.taken[depth]].choice)
            depth += 1
        make_safe_moves(&world.layout, False, &key, &p, NULL)
    play_out(search, &p)
    for tier in range(TIERS):
        found.reached[tier] = is_sure_win(world, &p)
    found.cards = p.raised
    back_up(tree, depth, &found)


# --- Kernel ---------------------------------------------------------------------------------------------

@cython.final
cdef class KlondikePlayerKernel(ThinkingKernel):
    """Player of Klondike with redeals."""

    cdef KlondikeSearch tree_search
    cdef Seen seen
    cdef Line line              # the moves of the last decision
    cdef int forced_by
    cdef Position dealt             # of a batch, before any card is dealt

    def __cinit__(self):
        memset(&self.tree_search, 0, sizeof(self.tree_search))
        memset(&self.line, 0, sizeof(self.line))

    def __init__(self, limits, player):
        ThinkingKernel.__init__(self, limits, player)
        self.look_every = LOOK_EVERY
        self.tiers = 1
        self.tree_search.tree = &self.search

    def __dealloc__(self):
        free(self.line.steps)

    # --- Decisions ------------------------------------------------------------------------------------------

    cdef bint decide(self, bint always) noexcept nogil:
        """Write the next moves in ``seen`` to ``line``. Returns False at the end of the game or at a limit. A
        single choice is evaluated only if ``always`` is set, a forced one never."""
        cdef Position desk = self.seen.desk
        cdef ClassPosition p
        cdef Choice choices[MOST_KLONDIKE_CHOICES]
        cdef Choice chosen
        cdef int count
        self.search.root = -1
        self.line.count = 0
        self.line.failed = False
        if self.is_forced(&desk, &p):
            return self.line.count > 0 and not self.line.failed
        count = choices_of(&self.tree_search.world, &p, choices)
        if count == 0:
            return False
        chosen = choices[best_choice(choices, count)]
        if self.thinks and (always or count > 1):
            if not self.think():
                return False
            chosen = self.search.tree.branches[best_branch(&self.search)].choice
        follow_choice(&self.line, &desk, &chosen)
        return not self.line.failed

    cdef bint is_forced(self, Position* desk, ClassPosition* p) noexcept nogil:
        """Test whether the decision is forced: the stock is to be seen first, a card goes up at once, the
        rest goes up, or all is up. If it is, the moves are written to ``line``; otherwise ``p`` is set to the
        world's root."""
        cdef World* world = &self.tree_search.world
        cdef int card
        cdef bint is_known = unseen_slots(desk) == 0
        self.forced_by = FREE
        if not is_known and desk.passes == 0 and desk.waste % desk.draw == 0:
            self.forced_by = STOCK_FIRST
            make(&self.line, desk, STOCK, WASTE, 1, NO_SUIT)
            return True
        open_world(world, &self.seen)
        unpack(&world.layout, world.root, p)
        if p.raised == ALL_UP:
            return True
        if is_known and is_won(&world.layout, False, p):
            self.forced_by = SURE_WIN
            finish(&self.line, desk)
            return True
        card = safe_choice(world, p)
        if card >= 0:
            self.forced_by = SAFE
            follow(&self.line, desk, RAISE << 8 | card)
        return card >= 0

    cdef bint make_ready(self) noexcept nogil:
        return begin_thinking(&self.tree_search)

    cdef void draw_sample(self) noexcept nogil:
        iterate(&self.tree_search)

    # --- Games ----------------------------------------------------------------------------------------------

    cdef bint play_on(self, Position* truth, replay.Game* game, Record* record) noexcept nogil:
        """Play a deal to the end, with every move also made in ``game`` by the independent rules. Returns
        False if the two differ."""
        cdef Line made
        cdef Position before
        cdef PlainMove step
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
                    if not replay.play(game, step.source, step.target, step.count, step.suit):
                        free(made.steps)
                        return False
                    make(&made, truth, step.source, step.target, step.count, step.suit)
                record.moves += self.line.count
                self.kernel.generated += 1
                known = known_after(&before, known, truth)
                hide(truth, known, &self.seen)
        free(made.steps)
        self.note_game(record, cards_up(truth), is_all_up(truth))
        return replay.is_won(game) == is_all_up(truth)

    cdef void open_deals(self, variant, choices) except *:
        Border.open_deals(self, variant, choices)
        state = variant.deal(0, choices=choices)
        load_view(&self.seen, rules.view_of(state))
        self.dealt = self.seen.desk

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef replay.Game game
        cdef Desk dealt
        cdef Position truth = self.dealt
        cdef int column
        self.deal_seed(seed, cards, &dealt)
        deal_position(&truth, &dealt)
        memset(&game, 0, sizeof(replay.Game))
        game.ranks = truth.ranks
        game.draw = truth.draw
        game.passes = truth.passes
        game.backward = truth.backward
        for column in range(4):
            game.has_suit[column] = True
        replay.deal_game(&game, cards, self.deck_size, self.sizes, self.columns)
        return self.play_on(&truth, &game, record)

    # --- What Python sees -----------------------------------------------------------------------------------

    def choose(self, view, bint always=False):
        """Return the moves that the player makes next in a `rules.klondike.View`, of `rules.klondike`. They
        are empty if no move is left, or if a limit ended the game, which `ended_by` names. A single choice is
        evaluated only if ``always`` is set."""
        cdef bint is_over
        load_view(&self.seen, view)
        with nogil:
            if self.search.tree.nodes.slots == NULL:
                self.begin_game()
            is_over = not self.decide(always)
        self.raise_error()
        return [] if is_over else self.moves()

    def ranked(self, others=()):
        """Rank the choices; see `ThinkingKernel`. A lone choice has no visits; `forced` has its reason."""
        if self.search.root < 0:
            return [(self.moves(), 0, (0,))] if self.line.count > 0 else []
        return ThinkingKernel.ranked(self, others)

    @property
    def forced(self):
        """Reason why the last decision was forced, in words; None if it was not."""
        return REASONS[self.forced_by]

    def choices(self, view):
        """Return the choices of a view, each as its moves with its score by the rule player, 0 for forced
        moves."""
        cdef Choice choices[MOST_KLONDIKE_CHOICES]
        cdef ClassPosition p
        cdef Position desk
        cdef int i, count
        load_view(&self.seen, view)
        desk = self.seen.desk
        self.line.count = 0
        self.line.failed = False
        if self.is_forced(&desk, &p):
            return [(self.moves(), 0.0)] if self.line.count > 0 else []
        count = choices_of(&self.tree_search.world, &p, choices)
        return [(self.moves_of(&choices[i]), choices[i].score) for i in range(count)]

    def sample(self, view):
        """Sample an order of the unseen cards of a view: those of each column, the deepest first, then those
        of the stock, the next one first, and of the waste."""
        cdef World* world = &self.tree_search.world
        cdef int column, row, slot, i, count
        load_view(&self.seen, view)
        open_world(world, &self.seen)
        shuffle_world(world, &self.search.chance)
        cards = []
        for column in range(world.layout.columns):
            for row in range(world.hidden[column]):
                if world.unseen_rows[column] >> row & 1:
                    cards.append(card_at(world.layout.dealt[column][row]))
        count = self.seen.desk.slot_count
        for i in range(count):
            slot = (world.waste + i) % count
            if world.unseen_slots >> slot & 1:
                cards.append(card_at(world.layout.slot_card[slot]))
        return cards

    cdef list moves_of(self, const Choice* choice):
        """Return the moves of a choice in what is seen."""
        cdef Position desk = self.seen.desk
        self.line.count = 0
        follow_choice(&self.line, &desk, choice)
        return self.moves()

    cdef list moves(self):
        """Return ``line`` as moves of `rules.klondike`."""
        return [move_of(self.line.steps[i], rules) for i in range(self.line.count)]


cdef int cards_up(const Position* desk) noexcept nogil:
    return desk.height[0] + desk.height[1] + desk.height[2] + desk.height[3]


cdef bint is_all_up(const Position* desk) noexcept nogil:
    return cards_up(desk) == ALL_UP
