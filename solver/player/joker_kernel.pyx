"""Kernel of the player of Joker and one-pass Klondike: decisions with their estimates, and whole games.

The kernel decides in an information set, which holds nothing that a person does not see. The true order of
the cards is known to `solve_seed` alone, which deals them, in a variable of its own.
"""

cimport cython
from ..core.border cimport move_of
from ..core.desk cimport MOST_CARDS, Desk, PlainMove
from ..joker cimport replay
from libc.stdint cimport uint8_t, uint64_t

from ..core.border cimport Border, Record
from ..joker.position cimport Position, score as score_of
from ..joker.tiers cimport TIERS, tiers_of
from .joker_moves cimport (MOST_CHOICES, MOST_STEPS, TOO_MANY, Choice, choices_of, perform, read_weights,
                           steps_of)
from .joker_views cimport COLUMNS, UNSEEN, deal, hash_of, hide, load, sample, unseen_of
from .search cimport (ALL_UP, ThinkingKernel, begin_thinking, best_branch, draw_to_the_end, draws_of, iterate,
                      rule_choice)
from .value cimport Features, Forecast, features_of, forecast, read_network

from ...rules import joker, klondike
from ...rules.views import view_of
from .weights import has_network, network_of, packed

cdef enum:
    LOOK_EVERY = 256    # samples
    RANKS = 13
    SUITS = 15          # a bit each


@cython.final
cdef class JokerPlayerKernel(ThinkingKernel):
    """Plays joker or klondike-one-pass."""

    cdef object network         # the file of the network that is loaded
    cdef bint has_jokers        # the deck of the view loaded has them
    cdef bint is_taught         # another network than that of a file
    cdef Position position     # what is seen of it
    cdef const Position* met   # the same, where it is to decide

    def __init__(self, limits, player):
        ThinkingKernel.__init__(self, limits, player)
        self.look_every = LOOK_EVERY
        self.tiers = TIERS
        self.search.offset = player.seed * 40503 & 0xFFFF

    # --- Decisions ------------------------------------------------------------------------------------------

    cdef int decide(self, const Position* p, Choice* chosen) noexcept nogil:
        """Choose in ``p``, and write the choice to ``chosen``. Returns the number of choices: 0 at the end of
        the game, at a limit, and for too many choices, which `check_capacity` reports."""
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
            if not self.think_about(p):
                return 0
            chosen[0] = self.search.tree.branches[best_branch(&self.search)].choice
        elif count == 1:
            chosen[0] = choices[0]
        return count

    cdef bint think_about(self, const Position* p) noexcept nogil:
        """Search ``p``; returns as `think` does."""
        self.met = p
        return self.think()

    cdef bint make_ready(self) noexcept nogil:
        return begin_thinking(&self.search, self.met)

    cdef void draw_sample(self) noexcept nogil:
        iterate(&self.search, self.met)

    cdef list moves_of(self, const Choice* choice):
        cdef PlainMove steps[MOST_STEPS]
        rules = joker if self.has_jokers else klondike
        return [move_of(steps[i], rules) for i in range(steps_of(choice, steps))]

    # --- Games ----------------------------------------------------------------------------------------------

    cdef bint play_on(self, Position* truth, replay.Game* game, Record* record) noexcept nogil:
        """Play a deal to the end, with every move also made in ``game`` by the independent rules. Returns
        False if the two differ."""
        cdef Choice chosen
        cdef PlainMove steps[MOST_STEPS]
        cdef PlainMove step
        cdef int i, count
        record.moves = 0
        if self.begin_game():
            hide(truth, &self.position)
            while score_of(truth) < ALL_UP and self.decide(&self.position, &chosen) > 0:
                count = steps_of(&chosen, steps)
                for i in range(count):
                    step = steps[i]
                    if not replay.play(game, step.source, step.target, step.count, step.suit, step.rank):
                        return False
                record.moves += count
                self.kernel.generated += 1
                perform(truth, &chosen)
                hide(truth, &self.position)
        self.note_game(record, score_of(truth), tiers_of(score_of(truth), ALL_UP) > 0)
        return replay.score(game) == record.score

    cdef void check_capacity(self) except *:
        if self.search.has_overflowed:
            self.search.has_overflowed = False
            raise RuntimeError(f"expected at most {MOST_CHOICES} choices of a position, got more")

    cdef void open_deals(self, variant, choices) except *:
        Border.open_deals(self, variant, choices)
        self.load_view(view_of(variant.deal(0, choices=choices)))

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef replay.Game game
        cdef Desk dealt
        cdef Position truth = self.position    # for the choices of rules
        self.deal_seed(seed, cards, &dealt)
        replay.deal_game(&game, cards, self.deck_size, self.sizes, self.columns, RANKS, SUITS)
        deal(&truth, &dealt)
        game.turned_only = truth.turned_only
        game.any_removal = truth.any_removal
        return self.play_on(&truth, &game, record)

    # --- What Python sees -----------------------------------------------------------------------------------

    cdef void load_view(self, view) except *:
        """Load a view, the weights of its rule options, and the network of its game, if there is one and the
        player searches."""
        load(&self.position, view)
        self.has_jokers = view.variant == "joker"
        read_weights(self.search.weights, self.position.turned_only)
        if not self.thinks or self.is_taught:
            return
        network = network_of(view.variant, view.choices)
        if network != self.network:
            self.search.has_network = has_network(network)
            if self.search.has_network:
                read_network(&self.search.network, packed(network))
            self.network = network

    def learn(self, weights):
        """Use a network with these ``weights``, floats as in `weights.packed`, in place of the one that was
        loaded."""
        read_network(&self.search.network, weights)
        self.search.has_network = self.is_taught = True

    def choose(self, view, bint always=False):
        """Return the moves that the player makes next in a view of joker or klondike-one-pass: one to three
        moves of its rules. They are empty if no move is left, or if a limit ended the game, which `ended_by`
        names. A single choice is evaluated only if ``always`` is set."""
        cdef Choice chosen
        cdef int count = 0
        self.load_view(view)
        self.search.root = -1
        with nogil:
            if self.search.tree.nodes.slots == NULL:
                self.begin_game()
            if score_of(&self.position) < ALL_UP:
                if always and rule_choice(&self.position, self.search.weights, &chosen) == 1:
                    count = self.think_about(&self.position)
                else:
                    count = self.decide(&self.position, &chosen)
        self.raise_error()
        self.check_capacity()
        return self.moves_of(&chosen) if count > 0 else []

    def choices(self, view):
        """List the choices of a view, each as its moves with its score by the rule player."""
        cdef Choice choices[MOST_CHOICES]
        cdef int i, count
        self.load_view(view)
        count = choices_of(&self.position, self.search.weights, choices)
        self.search.has_overflowed |= count == TOO_MANY
        self.check_capacity()
        return [(self.moves_of(&choices[i]), choices[i].score) for i in range(count)]

    def keys(self, view, cards):
        """Return hashes of the position of a view, and of that after each of its choices, where the unseen
        ``cards`` lie in the order of `rules.views.state_of`; for tests."""
        cdef Choice choices[MOST_CHOICES]
        cdef Position game, after
        cdef int i, column
        self.load_view(view)
        game = self.position
        unseen = iter(cards)
        for column in range(COLUMNS):
            for i in range(game.hidden[column]):
                if game.card[column][i] == UNSEEN:
                    game.card[column][i] = next(unseen)
        for i in range(game.turned, game.stock_size):
            if game.stock[i] == UNSEEN:
                game.stock[i] = next(unseen)
        for i in range(game.waste_size):
            if game.waste[i] == UNSEEN:
                game.waste[i] = next(unseen)
        keys = []
        for i in range(choices_of(&self.position, self.search.weights, choices)):
            after = game
            perform(&after, &choices[i])
            keys.append(hash_of(&after))
        return hash_of(&self.position), keys

    def features(self, view):
        """Return the features of a view: lists for the whole, for each column, and for each card of the
        waste; see value.pyx."""
        cdef Features found
        cdef Choice choices[MOST_CHOICES]
        cdef int i, j
        self.load_view(view)
        features_of(&self.position, choices, choices_of(&self.position, self.search.weights, choices), &found)
        whole = [found.whole[i] for i in range(found.whole_count)]
        columns = [[found.of_column[i][j] for j in range(found.column_count[i])] for i in range(COLUMNS)]
        cards = [[found.of_waste[i][j] for j in range(found.card_count[i])] for i in range(found.waste_count)]
        return whole, columns, cards

    def forecast(self, view):
        """Evaluate a view by the network: the chances of at least a win, a double and a triple, and the
        expected number of cards up. Raises ValueError if the game has no network."""
        cdef Forecast found
        cdef Choice choices[MOST_CHOICES]
        cdef int count
        self.load_view(view)
        if not self.search.has_network:
            raise ValueError(f"expected a game with a network, got {view.variant}")
        count = choices_of(&self.position, self.search.weights, choices)
        forecast(&self.search.network, &self.position, choices, count, &found)
        return (found.reached[0], found.reached[1], found.reached[2], found.cards)

    def sample(self, view):
        """Sample an order of the unseen cards of a view: those of each column, the deepest first, then those
        of the stock, the next one first, and of the waste."""
        cdef Position p
        cdef int i, column
        self.load_view(view)
        p = self.position
        self.search.unseen.count = unseen_of(&p, self.search.unseen.cards)
        sample(&p, self.search.unseen.cards, self.search.unseen.count, &self.search.chance)
        cards = []
        for column in range(COLUMNS):
            for i in range(p.hidden[column]):
                if self.position.card[column][i] == UNSEEN:
                    cards.append(p.card[column][i])
        for i in range(p.turned, p.stock_size):
            if self.position.stock[i] == UNSEEN:
                cards.append(p.stock[i])
        for i in range(p.waste_size):
            if self.position.waste[i] == UNSEEN:
                cards.append(p.waste[i])
        return cards

    def draws(self, view, visits):
        """Return the cards that ``visits`` visits of a choice that turns a card up would turn up in a
        view."""
        self.load_view(view)
        return draws_of(&self.search, &self.position, visits)

    def draw_to_the_end(self, view):
        """Test whether drawing by rule from a view up to the end leaves, at each moment, exactly the cards
        not seen."""
        self.load_view(view)
        return draw_to_the_end(&self.search, &self.position)
