"""Search of the Joker player, and whole games of joker and klondike-one-pass.

The player decides in an information set, which holds nothing that a person does not see. The true order of
the cards is known to `play_deal` alone, in a variable of its own.

An unseen card is drawn only when it is turned up. The visits of a choice take the unseen cards in turn, in
an order that spreads any number of them evenly: a stratified sample, which has less variance than as many
free draws. The order depends only on what is seen. A play-out shuffles the cards that are left.
"""

cdef enum:
    SAMPLES_BETWEEN_LOOKS = 256

cdef extern from *:
    """
    /* Of the turns of 0 to 54 unseen cards: the number prime to their number that is nearest to the golden
       section of it. */
    static const uint8_t WINNABLE_STRIDE[55] = {
        1, 1, 1, 2, 3, 3, 5, 4, 5, 5, 7, 7, 7, 8, 9, 8, 9, 11, 11, 12, 13, 13, 13, 14, 13, 16, 17, 17,
        17, 18, 19, 19, 19, 20, 21, 22, 23, 23, 23, 25, 23, 25, 25, 27, 27, 28, 29, 29, 29, 30, 31, 32,
        33, 33, 35,
    };
    """
    const uint8_t STRIDE "WINNABLE_STRIDE"[MOST + 1]

cdef struct Unseen:         # cards, ascending
    uint8_t cards[MOST]
    int count

cdef struct JokerPlayer:
    Thinker thinker         # the first field
    const float* weights    # of the rule player
    Network network
    Unseen unseen           # cards of the position to decide
    Position* kept          # positions of the first nodes, for self-play, and their capacity
    uint32_t kept_capacity
    Position position       # what is seen of it
    const Position* met     # the same, where it is to decide
    Choice chosen
    PlainMove moves[CHOICE_STEPS]


# --- Samples --------------------------------------------------------------------------------------------

cdef inline int rule_choice(const Position* p, const float* weights, Choice* chosen) noexcept nogil:
    """Write the choice of the rule player, the first one of the highest score. Returns the number of choices,
    or TOO_MANY_CHOICES."""
    cdef Choice choices[MOST_CHOICES]
    cdef int count = choices_of(p, weights, choices)
    if count > 0:
        chosen[0] = choices[best_choice(choices, count)]
    return count


cdef inline int turn_of(const JokerPlayer* self, uint64_t hash, uint32_t visits, int count) noexcept nogil:
    """Select which of ``count`` unseen cards is turned up by a choice in the node ``hash`` after ``visits``
    visits. Searches with other seeds begin with other cards."""
    cdef uint64_t first = (hash >> 20 & 0xFFFF) + (self.thinker.player.seed * 40503 & 0xFFFF)
    return (first + <uint64_t>visits * STRIDE[count]) % count if count > 0 else 0


cdef inline void perform_drawing(Position* p, const Choice* choice, Unseen* unseen,
                                 int which) noexcept nogil:
    """Make the moves of a choice. If they turn up a card that is not known, it is taken from ``unseen`` at
    ``which``."""
    cdef int source = choice.source, hidden = 0
    cdef uint8_t* place = NULL
    if choice.kind == TURN:
        place = &p.stock[p.turned]
    elif source == WASTE:
        if p.waste_size > 1:
            place = &p.waste[p.waste_size - 2]
    else:
        hidden = p.hidden[source]
        if hidden > 0:
            place = &p.card[source][hidden - 1]
    if place == NULL or place[0] != UNSEEN:
        make_choice(p, choice)
        return
    place[0] = unseen.cards[which]
    make_choice(p, choice)
    if hidden > 0 and p.hidden[source] == hidden:
        place[0] = UNSEEN
        return
    unseen.count -= 1
    memmove(&unseen.cards[which], &unseen.cards[which + 1], unseen.count - which)


cdef inline int play_out_sample(Position* p, JokerPlayer* self, const Unseen* unseen) noexcept nogil:
    """Play to the end by the rule player with noise, in a shuffle of the ``unseen`` cards, for its score."""
    cdef Choice choices[MOST_CHOICES]
    cdef int count, _
    sample(p, unseen.cards, unseen.count, &self.thinker.chance)
    for _ in range(LONGEST_GAME):
        count = choices_of(p, self.weights, choices)
        if count <= 0:
            self.thinker.player.has_overflowed |= count == TOO_MANY_CHOICES
            break
        make_choice(p, &choices[noisy_choice(choices, count, &self.thinker.chance)])
        if p.height[0] + p.height[1] + p.height[2] + p.height[3] == ALL_UP:
            break
    return score_of(p)


cdef inline void keep(JokerPlayer* self, int node, const Position* p) noexcept nogil:
    """Store the position of a new node, if this search stores positions."""
    if node >= 0 and <uint32_t>node < self.kept_capacity:
        self.kept[node] = p[0]


cdef inline bint begin_thinking(JokerPlayer* self, const Position* p) noexcept nogil:
    """Prepare a search from ``p``, which has a choice to make, clearing the tree if memory runs out. Returns
    False if it does so even then."""
    cdef Choice choices[MOST_CHOICES]
    cdef uint64_t hash = seen_hash(p)
    cdef int count
    self.unseen.count = unseen_of(p, self.unseen.cards)
    self.thinker.root = tree_find(&self.thinker.tree, hash)
    if self.thinker.root < 0:
        count = choices_of(p, self.weights, choices)
        if count <= 0:
            self.thinker.player.has_overflowed |= count == TOO_MANY_CHOICES
            return False
        add_root(&self.thinker, hash, choices, count)
        keep(self, self.thinker.root, p)
    return self.thinker.root >= 0


cdef inline void write_end(int up, Forecast* found) noexcept nogil:
    """Write the forecast of a game that ends with ``up`` cards up."""
    cdef int tier
    for tier in range(TIERS):
        found.reached[tier] = up >= least_score(tier + 1, ALL_UP)
    found.cards = up


cdef inline void iterate(JokerPlayer* self, const Position* p) noexcept nogil:
    """Run one iteration: descend the tree, evaluate or play out, and back up the result."""
    cdef Position here = p[0]
    cdef Unseen unseen = self.unseen
    cdef Choice choices[MOST_CHOICES]
    cdef Branch* branch
    cdef Forecast found
    cdef int node, which, count = 1, depth = 0
    cdef uint64_t hash
    self.thinker.player.iterations += 1
    while depth < LONGEST_PATH:
        hash = seen_hash(&here)
        node = self.thinker.root if depth == 0 else tree_find(&self.thinker.tree, hash)
        if node < 0:
            count = choices_of(&here, self.weights, choices)
            if count <= 0:
                self.thinker.player.has_overflowed |= count == TOO_MANY_CHOICES
                break
            if count > 1:
                keep(self, tree_add(&self.thinker.tree, hash, choices, count), &here)
                break
            which = (random_bits(&self.thinker.chance) >> 32) * unseen.count >> 32
            perform_drawing(&here, choices, &unseen, which)
            continue
        self.thinker.path[depth] = node
        self.thinker.taken[depth] = selected(&self.thinker, tree_node(&self.thinker.tree, node))
        branch = &self.thinker.tree.branches[self.thinker.taken[depth]]
        which = turn_of(self, hash, branch.visits, unseen.count)
        perform_drawing(&here, &branch.choice, &unseen, which)
        depth += 1
    if not self.thinker.player.has_network:
        write_end(play_out_sample(&here, self, &unseen), &found)
    elif count <= 0 or score_of(&here) == ALL_UP:
        write_end(score_of(&here), &found)
    else:
        forecast(&self.network, &here, choices, count, &found)
    back_up(&self.thinker, depth, &found)


# --- Decisions ------------------------------------------------------------------------------------------

cdef inline int decide_next(JokerPlayer* self, const Position* p) noexcept nogil:
    """Choose in ``p``. Returns the number of choices: 0 at the end of the game, at a limit, and for too many
    choices."""
    cdef Choice choices[MOST_CHOICES]
    cdef int count
    if not self.thinker.player.thinks:
        count = rule_choice(p, self.weights, &self.chosen)
        self.thinker.player.has_overflowed |= count == TOO_MANY_CHOICES
        return max(count, 0)
    count = choices_of(p, self.weights, choices)
    if count == TOO_MANY_CHOICES:
        self.thinker.player.has_overflowed = True
        return 0
    if count > 1:
        if not think_about(self, p):
            return 0
        self.chosen = self.thinker.tree.branches[best_branch(&self.thinker)].choice
    elif count == 1:
        self.chosen = choices[0]
    return count


cdef inline bint think_about(JokerPlayer* self, const Position* p) noexcept nogil:
    """Search ``p``; returns as `think` does."""
    self.met = p
    return think(&self.thinker)


cdef inline bint make_ready(JokerPlayer* self) noexcept nogil:
    return begin_thinking(self, self.met)


cdef inline void draw_sample(JokerPlayer* self) noexcept nogil:
    iterate(self, self.met)


# --- Functions of the player ----------------------------------------------------------------------------

cdef inline void load_position(JokerPlayer* self, const Desk* desk) noexcept nogil:
    load_seen(&self.position, desk)
    self.weights = weights_of(desk.turned_only)


cdef inline bint decide_in_seen(JokerPlayer* self, bint always) noexcept nogil:
    self.thinker.root = -1
    if self.thinker.tree.nodes.slots == NULL:
        start_game(&self.thinker)
    if score_of(&self.position) == ALL_UP:
        return False
    if always and rule_choice(&self.position, self.weights, &self.chosen) == 1:
        return think_about(self, &self.position)
    return decide_next(self, &self.position) > 0


cdef inline int list_choices(JokerPlayer* self, float* scores) noexcept nogil:
    cdef int i, count = choices_of(&self.position, self.weights, self.thinker.listed)
    for i in range(count):
        scores[i] = self.thinker.listed[i].score
    return count


cdef inline const PlainMove* steps_of_choice(JokerPlayer* self, int number, int* count) noexcept nogil:
    cdef const Choice* choice = &self.chosen if number == LAST_DECISION else &self.thinker.listed[number]
    count[0] = steps_of(choice, self.moves)
    return self.moves


cdef inline int sample_unseen(JokerPlayer* self, uint8_t* cards) noexcept nogil:
    cdef const Position* seen = &self.position
    cdef Position p = self.position
    cdef int i, column, count = 0
    self.unseen.count = unseen_of(&p, self.unseen.cards)
    sample(&p, self.unseen.cards, self.unseen.count, &self.thinker.chance)
    for column in range(COLUMNS):
        for i in range(p.hidden[column]):
            if seen.card[column][i] == UNSEEN:
                cards[count] = p.card[column][i]
                count += 1
    for i in range(p.turned, p.stock_size):
        if seen.stock[i] == UNSEEN:
            cards[count] = p.stock[i]
            count += 1
    for i in range(p.waste_size):
        if seen.waste[i] == UNSEEN:
            cards[count] = p.waste[i]
            count += 1
    return count


cdef inline bint play_deal(
    JokerPlayer* self, const uint8_t* cards, int count, const Desk* dealt
) noexcept nogil:
    cdef replay.Game game
    cdef Position truth = self.position     # for the choices of rules
    replay.deal_game(&game, cards, count, dealt.size, dealt.columns, RANKS, SUITS)
    deal(&truth, dealt)
    game.turned_only = truth.turned_only
    game.any_removal = truth.any_removal
    return play_on(self, &truth, &game)


cdef inline bint play_on(JokerPlayer* self, Position* truth, replay.Game* game) noexcept nogil:
    """Play a deal to the end, with every move also made in ``game`` by the independent rules. Returns False
    if the two differ."""
    cdef PlainMove steps[CHOICE_STEPS]
    cdef PlainMove step
    cdef int i, count
    self.thinker.player.moves = 0
    if start_game(&self.thinker):
        hide(truth, &self.position)
        while score_of(truth) < ALL_UP and decide_next(self, &self.position) > 0:
            count = steps_of(&self.chosen, steps)
            for i in range(count):
                step = steps[i]
                if not replay.play(game, step.source, step.target, step.count, step.suit, step.rank):
                    return False
            self.thinker.player.moves += count
            self.thinker.player.kernel.generated += 1
            make_choice(truth, &self.chosen)
            hide(truth, &self.position)
    note_game(&self.thinker, score_of(truth), tiers_of(score_of(truth), ALL_UP) > 0)
    return replay.score(game) == score_of(truth)


cdef inline void free_joker_player(JokerPlayer* self) noexcept nogil:
    tree_free(&self.thinker.tree)
    free(self.kept)
    free(self)


cdef inline JokerPlayer* new_joker_player() noexcept nogil:
    """A new player; NULL if allocation fails."""
    cdef JokerPlayer* self = <JokerPlayer*>calloc(1, sizeof(JokerPlayer))
    cdef Player* player
    if self == NULL:
        return NULL
    player = &self.thinker.player
    player.tiers = TIERS
    player.network = &self.network
    player.network_bytes = sizeof(Network)
    player.load = <LoadSeen>load_position
    player.begin = <BeginPlay>start_game
    player.decide = <Decide>decide_in_seen
    player.list_choices = <ListChoices>list_choices
    player.rank = <RankChoices>rank_branches
    player.steps = <StepsOf>steps_of_choice
    player.sample = <SampleUnseen>sample_unseen
    player.play = <PlayDeal>play_deal
    player.free = <FreePlayer>free_joker_player
    player.kernel.note = <void (*)(Kernel*) noexcept nogil>note_thinking
    set_unlimited(&player.kernel)
    self.weights = weights_of(False)
    self.thinker.root = -1
    self.thinker.look_every = SAMPLES_BETWEEN_LOOKS
    self.thinker.make_ready = <MakeReady>make_ready
    self.thinker.draw_sample = <DrawSample>draw_sample
    return self
