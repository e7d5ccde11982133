"""The border of players to Python: tables go in, moves and what to expect of them come out."""

cdef extern Player* joker_player() noexcept nogil
cdef extern Player* klondike_player() noexcept nogil

cdef enum:                  # verdicts of a Record of a game that was played
    LOST, WON, UNFINISHED


cdef class PlayerKernel(Border):
    """A player of the games of a family, set up by ``player``, a `player.Player`.

    `player.find_player_kernel` makes a subclass for each family. ``limits`` end a game early, as those of
    searches end a search: seconds are those of the whole game, nodes are samples. One kernel serves one
    thread.
    """

    FORCED_BY = (
        None,
        "costs nothing; the stock comes round again with its cards known",
        "wins, since all cards that are left go up",
        "cannot hurt, since no other card will need this one",
    )
    """Reasons why a decision is forced, in words, in the order of `Forced`."""
    FAMILY = ""
    """The family of games."""
    IMPLEMENTED = {}
    """The list of games and rule options that are played."""
    CHECK = None
    """Function of a table and that list that raises TypeError or ValueError for a table of another game."""
    NETWORK = None
    """Function of a game and its rule options that names the network; None if no game has one."""
    WEIGHTS = None
    """Function of that name which returns the numbers of the network, None if there is no such network."""

    cdef Player* player
    cdef str family
    cdef object network         # the name of the network that is loaded
    cdef object rules           # module of `rules` that has the moves of the table loaded
    cdef bint is_taught         # another network than that of the game

    def __cinit__(self, *_):
        self.family = type(self).FAMILY
        self.player = joker_player() if find_variant(self.family).scored else klondike_player()
        if self.player == NULL:
            raise MemoryError
        self.use(&self.player.kernel)

    def __init__(self, limits, player):
        self.set_limits(limits)
        self.player.visits = player.visits or 0xFFFFFFFF
        self.player.thinks = player.kind != "rule"
        self.player.think_time = 0 if player.seconds is None else <uint64_t>(1e6 * player.seconds) + 1
        self.player.seed = player.seed

    def __dealloc__(self):
        if self.player != NULL:
            self.player.free(self.player)

    cdef void load_table(self, table) except *:
        """Load a table, the weights of its rule options, and the network of its game, if there is one and the
        player searches. Raises TypeError or ValueError for a table of no game that it plays."""
        cdef Desk desk
        type(self).CHECK(table, type(self).IMPLEMENTED)
        read_seen(&desk, table, self.family)
        self.player.load(self.player, &desk)
        self.rules = find_variant(table.variant).family
        if self.player.network == NULL or not self.player.thinks or self.is_taught:
            return
        network = type(self).NETWORK(table.variant, table.choices)
        if network != self.network:
            weights = type(self).WEIGHTS(network)
            self.player.has_network = weights is not None
            if weights is not None:
                self.read_network(weights)
            self.network = network

    cdef void read_network(self, bytes weights) except *:
        """Load the numbers of a network. Raises ValueError if they do not fit."""
        if self.player.network == NULL or len(weights) != self.player.network_bytes:
            raise ValueError(f"expected {self.player.network_bytes // 4} weights, got {len(weights) // 4}")
        memcpy(self.player.network, PyBytes_AsString(weights), self.player.network_bytes)

    cdef list moves_of(self, int choice):
        """The moves of a choice that was listed or ranked, or of LAST_DECISION, as the rules have them."""
        cdef int i, count
        cdef const PlainMove* steps = self.player.steps(self.player, choice, &count)
        return [move_of(steps[i], self.rules) for i in range(count)]

    cdef void check_capacity(self) except *:
        if self.player.has_overflowed:
            self.player.has_overflowed = False
            raise RuntimeError(f"expected at most {MOST_CHOICES} choices of a position, got more")

    # --- Decisions ------------------------------------------------------------------------------------------

    def begin_deal(self):
        """Start another game: the tree is cleared, and the random numbers start anew."""
        with nogil:
            self.player.begin(self.player)

    def learn(self, bytes weights):
        """Use a network with these ``weights``, floats as in `weights.packed`, in place of the one that was
        loaded. Raises ValueError if they do not fit, and for a family without networks."""
        self.read_network(weights)
        self.player.has_network = self.is_taught = True

    def choose(self, table, bint always=False):
        """Return the moves, of its rules, that the player makes next in ``table``. There are none if no move
        is left, or if a limit ended the game, which `ended_by` names. A single choice is evaluated only if
        ``always`` is set, a forced one never."""
        cdef bint is_made
        self.load_table(table)
        with nogil:
            is_made = self.player.decide(self.player, always)
        self.raise_error()
        self.check_capacity()
        return self.moves_of(LAST_DECISION) if is_made else []

    def choices(self, table):
        """Return the choices of a table, each as its moves with its score by the rule player, 0 for forced
        moves."""
        cdef float scores[MOST_CHOICES]
        cdef int i, count
        self.load_table(table)
        count = self.player.list_choices(self.player, scores)
        self.player.has_overflowed |= count < 0
        self.check_capacity()
        if count == 0 and self.player.forced_by != FREE:
            moves = self.moves_of(LAST_DECISION)
            return [(moves, 0.0)] if moves else []
        return [(self.moves_of(i), scores[i]) for i in range(count)]

    def ranked(self, others=()):
        """Rank the choices of the last `choose`, the best first: each with its moves, its visits, and for
        each tier the number of visits that reached it or a better one, or were expected to. Empty if the
        player did not search, but that a lone or forced choice of Klondike has no visits. The visits of the
        ``others``, kernels that have searched the same position, count too."""
        cdef Ranked ranked[MOST_CHOICES]
        others = tuple(others)
        cdef bytearray room = bytearray(max(1, len(others)) * sizeof(void*))
        cdef Player** players = <Player**><char*>room
        cdef int i, tier, count = <int>len(others)
        for i, other in enumerate(others):
            if (<PlayerKernel?>other).family != self.family:
                raise ValueError(f"expected players of the family {self.family}, got one of {other.FAMILY}")
            players[i] = (<PlayerKernel>other).player
        count = self.player.rank(self.player, players, count, ranked)
        return [
            (
                self.moves_of(ranked[i].choice),
                ranked[i].visits,
                tuple([ranked[i].reached[tier] for tier in range(self.player.tiers)]),
            )
            for i in range(count)
        ]

    def sample(self, table):
        """Sample an order of the unknown cards of a table: of each column, the deepest first, then of the
        stock, the next one first, and of the waste."""
        cdef uint8_t cards[MOST_CARDS]
        cdef int i, count
        self.load_table(table)
        count = self.player.sample(self.player, cards)
        return [cards[i] for i in range(count)]

    @property
    def forced(self):
        """Reason why the last decision was forced, in words; None if it was not."""
        return type(self).FORCED_BY[self.player.forced_by]

    @property
    def ended_by(self):
        """Limit that ended the game, by name, or None."""
        return self.limit_met

    @property
    def iterations(self):
        """Number of iterations since the game began."""
        return self.player.iterations

    # --- Many deals -----------------------------------------------------------------------------------------

    cdef void open_deals(self, variant, choices) except *:
        if variant.packed != self.family:
            raise ValueError(f"expected deals of the family {self.family}, got {variant.name}")
        Border.open_deals(self, variant, choices)
        self.load_table(hidden(variant.deal(0, choices=choices)))

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef uint8_t cards[MOST_CARDS]
        cdef Desk dealt
        cdef bint agrees
        self.deal_seed(seed, cards, &dealt)
        agrees = self.player.play(self.player, cards, self.deck_size, &dealt)
        record.moves = self.player.moves
        record.score = self.player.score
        record.exact = -1       # nothing is said of what can be reached
        record.reason = self.kernel.reason
        record.verdict = WON if self.player.has_won else LOST if record.reason == NOTHING else UNFINISHED
        return agrees
