"""Search of the player of Klondike with redeals, and whole games.

The player decides in a `Seen`, which holds nothing that a person does not see. The true order of the cards
is known to `play_deal` alone, in a variable of its own.

The search is over classes of `state`. Each iteration samples a determinization, descends the tree of
information sets to a new one, and plays to the end from there by the rule player, with some noise. Safe
foundation moves are made at once: their proof (Theorem K4 of docs/theory/klondike.md) moves cards that are
seen, and holds for whatever the others are.
"""

cdef enum:
    SAMPLES_BETWEEN_LOOKS = 8

cdef struct KlondikePlayer:
    Thinker thinker         # the first field
    World world             # of the position to decide
    ClassPosition start
    Seen seen
    Line line               # the moves of the last decision
    Position loaded         # of a batch, before any card is dealt


# --- Search ---------------------------------------------------------------------------------------------

cdef inline bint is_sure_win(const World* world, const ClassPosition* p) noexcept nogil:
    """Test whether a player who sees all cards is sure to win ``p``."""
    return is_won(&world.layout, False, p)


cdef inline void play_out_sample(KlondikePlayer* self, ClassPosition* p) noexcept nogil:
    """Play to the end, or to a sure win, by the rule player with noise."""
    cdef Choice choices[MOST_CHOICES]
    cdef const World* world = &self.world
    cdef int count, _
    cdef uint64_t key
    for _ in range(LONGEST_GAME):
        if is_sure_win(world, p):
            return
        count = choices_of(world, p, choices)
        if count == 0:
            return
        key = key_after(world, p, &choices[noisy_choice(choices, count, &self.thinker.chance)])
        make_safe_moves(&world.layout, False, &key, p, NULL)


cdef inline bint begin_thinking(KlondikePlayer* self) noexcept nogil:
    """Prepare a search from the world's root, clearing the tree if memory runs out. Returns False if it does
    so even then."""
    cdef Choice choices[MOST_CHOICES]
    cdef uint64_t hash
    cdef int count
    unpack(&self.world.layout, self.world.root, &self.start)
    hash = seen_hash(&self.world, &self.start)
    self.thinker.root = tree_find(&self.thinker.tree, hash)
    if self.thinker.root < 0:
        count = choices_of(&self.world, &self.start, choices)
        add_root(&self.thinker, hash, choices, count)
    return self.thinker.root >= 0


cdef inline void iterate(KlondikePlayer* self) noexcept nogil:
    """Run one iteration: descend the tree, play out, and back up the result."""
    cdef Choice choices[MOST_CHOICES]
    cdef Thinker* tree = &self.thinker
    cdef World* world = &self.world
    cdef ClassPosition p = self.start
    cdef Forecast found
    cdef int node, count, tier, depth = 0
    cdef uint64_t key, hash
    tree.player.iterations += 1
    shuffle_world(world, &tree.chance)
    while depth < LONGEST_PATH and (depth == 0 or not is_sure_win(world, &p)):
        hash = seen_hash(world, &p)
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
            tree.taken[depth] = selected(tree, tree_node(&tree.tree, node))
            key = key_after(world, &p, &tree.tree.branches[tree.taken[depth]].choice)
            depth += 1
        make_safe_moves(&world.layout, False, &key, &p, NULL)
    play_out_sample(self, &p)
    for tier in range(MOST_TIERS):
        found.reached[tier] = is_sure_win(world, &p)
    found.cards = p.raised
    back_up(tree, depth, &found)


# --- Decisions ------------------------------------------------------------------------------------------

cdef inline bint decide_next(KlondikePlayer* self, bint always) noexcept nogil:
    """Write the next moves in ``seen`` to ``line``. Returns False at the end of the game or at a limit. A
    single choice is evaluated only if ``always`` is set, a forced one never."""
    cdef Position desk = self.seen.desk
    cdef ClassPosition p
    cdef Choice choices[MOST_CHOICES]
    cdef Choice chosen
    cdef int count
    self.thinker.root = -1
    self.line.count = 0
    self.line.failed = False
    if is_forced(self, &desk, &p):
        return self.line.count > 0 and not self.line.failed
    count = choices_of(&self.world, &p, choices)
    if count == 0:
        return False
    chosen = choices[best_choice(choices, count)]
    if self.thinker.player.thinks and (always or count > 1):
        if not think(&self.thinker):
            return False
        chosen = self.thinker.tree.branches[best_branch(&self.thinker)].choice
    follow_choice(&self.line, &desk, &chosen)
    return not self.line.failed


cdef inline bint is_forced(KlondikePlayer* self, Position* desk, ClassPosition* p) noexcept nogil:
    """Test whether the decision is forced: the stock is to be seen first, a card goes up at once, the
    rest goes up, or all is up. If it is, the moves are written to ``line``; otherwise ``p`` is set to the
    world's root."""
    cdef World* world = &self.world
    cdef int card
    cdef inline bint is_known = unseen_slots(desk) == 0
    self.thinker.player.forced_by = FREE
    if not is_known and desk.passes == 0 and desk.waste % desk.draw == 0:
        self.thinker.player.forced_by = STOCK_FIRST
        make(&self.line, desk, STOCK, WASTE, 1, NO_SUIT)
        return True
    open_world(world, &self.seen)
    unpack(&world.layout, world.root, p)
    if p.raised == ALL_UP:
        return True
    if is_known and is_won(&world.layout, False, p):
        self.thinker.player.forced_by = SURE_WIN
        finish(&self.line, desk)
        return True
    card = safe_choice(world, p)
    if card >= 0:
        self.thinker.player.forced_by = SAFE
        follow(&self.line, desk, RAISE << 8 | card)
    return card >= 0


# --- Functions of the player ----------------------------------------------------------------------------

cdef inline void load_position(KlondikePlayer* self, const Desk* desk) noexcept nogil:
    load_desk(&self.seen.desk, desk)
    self.loaded = self.seen.desk


cdef inline bint decide_in_seen(KlondikePlayer* self, bint always) noexcept nogil:
    if self.thinker.tree.nodes.slots == NULL:
        start_game(&self.thinker)
    return decide_next(self, always)


cdef inline int list_choices(KlondikePlayer* self, float* scores) noexcept nogil:
    """List the choices, see `ListChoices`. Of a forced decision nothing is listed but its moves, in
    ``line``."""
    cdef Choice* listed = self.thinker.listed
    cdef ClassPosition p
    cdef Position desk = self.seen.desk
    cdef int i, count
    self.line.count = 0
    self.line.failed = False
    if is_forced(self, &desk, &p):
        return 0
    count = choices_of(&self.world, &p, listed)
    for i in range(count):
        scores[i] = listed[i].score
    return count


cdef inline int rank_choices(
    KlondikePlayer* self, KlondikePlayer** others, int count, Ranked* ranked
) noexcept nogil:
    """Rank the choices, see `RankChoices`. A lone choice has no visits."""
    if self.thinker.root >= 0:
        return rank_branches(&self.thinker, <Thinker**>others, count, ranked)
    memset(ranked, 0, sizeof(Ranked))
    ranked.choice = LAST_DECISION
    return self.line.count > 0


cdef inline const PlainMove* steps_of_choice(KlondikePlayer* self, int number, int* count) noexcept nogil:
    cdef Position desk = self.seen.desk
    if number != LAST_DECISION:
        self.line.count = 0
        follow_choice(&self.line, &desk, &self.thinker.listed[number])
    count[0] = self.line.count
    return self.line.steps


cdef inline int sample_unseen(KlondikePlayer* self, uint8_t* cards) noexcept nogil:
    cdef World* world = &self.world
    cdef int column, row, slot, i, count = 0, slots = self.seen.desk.slot_count
    open_world(world, &self.seen)
    shuffle_world(world, &self.thinker.chance)
    for column in range(world.layout.columns):
        for row in range(world.hidden[column]):
            if world.unseen_rows[column] >> row & 1:
                cards[count] = card_at(world.layout.dealt[column][row])
                count += 1
    for i in range(slots):
        slot = (world.waste + i) % slots
        if world.unseen_slots >> slot & 1:
            cards[count] = card_at(world.layout.slot_card[slot])
            count += 1
    return count


cdef inline bint play_deal(
    KlondikePlayer* self, const uint8_t* cards, int count, const Desk* dealt
) noexcept nogil:
    cdef replay.Game game
    cdef Position truth = self.loaded
    cdef int suit
    deal_position(&truth, dealt)
    memset(&game, 0, sizeof(replay.Game))
    game.ranks = truth.ranks
    game.draw = truth.draw
    game.passes = truth.passes
    game.backward = truth.backward
    for suit in range(4):
        game.has_suit[suit] = True
    replay.deal_game(&game, cards, count, dealt.size, dealt.columns)
    return play_on(self, &truth, &game)


cdef inline bint play_on(KlondikePlayer* self, Position* truth, replay.Game* game) noexcept nogil:
    """Play a deal to the end, with every move also made in ``game`` by the independent rules. Returns
    False if the two differ."""
    cdef Line made
    cdef Position before
    cdef PlainMove step
    cdef int i, known = 0
    self.thinker.player.moves = 0
    memset(&made, 0, sizeof(Line))
    if start_game(&self.thinker):
        hide(truth, known, &self.seen)
        while decide_next(self, False):
            before = truth[0]
            made.count = 0
            for i in range(self.line.count):
                step = self.line.steps[i]
                if not replay.play(game, step.source, step.target, step.count, step.suit):
                    free(made.steps)
                    return False
                make(&made, truth, step.source, step.target, step.count, step.suit)
            self.thinker.player.moves += self.line.count
            self.thinker.player.kernel.generated += 1
            known = known_after(&before, known, truth)
            hide(truth, known, &self.seen)
    free(made.steps)
    note_game(&self.thinker, places_filled(truth), is_all_up(truth))
    return replay.is_won(game) == is_all_up(truth)


cdef inline int places_filled(const Position* desk) noexcept nogil:
    return desk.height[0] + desk.height[1] + desk.height[2] + desk.height[3]


cdef inline bint is_all_up(const Position* desk) noexcept nogil:
    return places_filled(desk) == ALL_UP


cdef inline void free_klondike_player(KlondikePlayer* self) noexcept nogil:
    tree_free(&self.thinker.tree)
    free(self.line.steps)
    free(self)


cdef inline KlondikePlayer* new_klondike_player() noexcept nogil:
    """A new player; NULL if allocation fails."""
    cdef KlondikePlayer* self = <KlondikePlayer*>calloc(1, sizeof(KlondikePlayer))
    cdef Player* player
    if self == NULL:
        return NULL
    player = &self.thinker.player
    player.tiers = 1
    player.load = <LoadSeen>load_position
    player.begin = <BeginPlay>start_game
    player.decide = <Decide>decide_in_seen
    player.list_choices = <ListChoices>list_choices
    player.rank = <RankChoices>rank_choices
    player.steps = <StepsOf>steps_of_choice
    player.sample = <SampleUnseen>sample_unseen
    player.play = <PlayDeal>play_deal
    player.free = <FreePlayer>free_klondike_player
    player.kernel.note = <void (*)(Kernel*) noexcept nogil>note_thinking
    set_unlimited(&player.kernel)
    self.thinker.root = -1
    self.thinker.look_every = SAMPLES_BETWEEN_LOOKS
    self.thinker.make_ready = <MakeReady>begin_thinking
    self.thinker.draw_sample = <DrawSample>iterate
    return self
