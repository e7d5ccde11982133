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

cdef struct Joker:              # a kernel
    Kernel kernel
    int score                   # greatest score found
    int bound                   # upper bound of the score of all lines
    bint exact                  # score equals bound
    Layout layout
    ClassKey key                # key of the state loaded
    uint32_t* codes
    Search classes         # search with jokers
    OnePassSearch one_pass      # search without jokers
    bint is_joker               # the game, else klondike-one-pass
    bint is_one_pass            # ``one_pass`` searches this deal, not ``classes``
    Shortest shortest
    Position start              # the state loaded
    Game dealt_by_rules         # state from which lines are replayed
    PlainMove* steps            # the line to the best state
    int step_count, step_room   # moves of ``steps``, and its capacity


cdef inline Joker* open_joker() noexcept nogil:
    """A new kernel, which `close_joker` frees; NULL if allocation fails."""
    cdef Joker* self = <Joker*>calloc(1, sizeof(Joker))
    if self == NULL:
        return NULL
    self.classes.large = LARGE
    self.classes.blocks = FIRST_BLOCKS
    self.classes.early = EARLY
    self.codes = <uint32_t*>malloc((MOST_LINE + MOST_CODES) * sizeof(uint32_t))
    if self.codes == NULL or not make_steps(self, 512):
        close_joker(self)
        return NULL
    self.kernel.note = <void (*)(Kernel*) noexcept nogil>note
    return self


cdef inline void close_joker(Joker* self) noexcept nogil:
    """Free a kernel, which may be NULL."""
    if self == NULL:
        return
    free(self.codes)
    free(self.steps)
    free_class_search(&self.classes)
    free_store(&self.one_pass.nodes.store)
    free_shortest(&self.shortest)
    free(self)


# --- Search -------------------------------------------------------------------------------------------------


cdef inline void search(Joker* self) noexcept nogil:
    """Search for the greatest score from the state loaded, or for the score ``kernel.wanted``. Sets
    ``score``, ``bound``, ``exact`` and, if a limit ended the search, ``reason``."""
    self.exact = False
    self.is_one_pass = not self.layout.jokers and open_one_pass(
        &self.one_pass.layout, &self.layout, &self.key, &self.one_pass.root)
    begin_stage(&self.kernel, BEST_FIRST, JOKER_ONE_PASS if self.is_one_pass else JOKER_CLASS)
    if self.is_one_pass:
        self.one_pass.wanted = self.kernel.wanted
        set_gains(&self.one_pass.gains, &self.classes.estimates)
        search_one_pass(&self.one_pass, &self.kernel, node_bytes(self))
        self.score = self.one_pass.score
        self.bound = self.one_pass.bound
    else:
        self.classes.layout = &self.layout
        self.classes.root = self.key
        self.classes.codes = self.codes
        self.classes.wanted = self.kernel.wanted
        search_classes(&self.classes, &self.kernel, node_bytes(self))
        self.score = self.classes.score
        self.bound = self.classes.bound
    self.exact = self.score == self.bound
    if self.exact:
        self.kernel.reason = NOTHING


cdef inline uint64_t bytes_of_nodes(Joker* self) noexcept nogil:
    """Return the bytes allocated for the nodes of both searches."""
    return class_search_bytes(&self.classes) + store_bytes(&self.one_pass.nodes.store)


cdef inline void forget(Joker* self) noexcept nogil:
    """Discard the class search's states of the previous deal."""
    self.classes.nodes.count = self.classes.best = 0


cdef inline uint64_t node_bytes(Joker* self) noexcept nogil:
    """Return the bytes that the limit leaves for nodes, after the fixed-size parts of this kernel."""
    cdef uint64_t fixed = (MOST_LINE + MOST_CODES) * sizeof(uint32_t) + sizeof(Layout)
    fixed += sizeof(Search) + sizeof(OnePassSearch)
    return self.kernel.limits.bytes - fixed if self.kernel.limits.bytes > fixed else 0


cdef inline int verdict(const Joker* self) noexcept nogil:
    """Return the verdict on the first tier by ``score`` and ``bound``: 0 unwinnable, 1 winnable, 2
    undecided."""
    cdef int least = least_score(1, self.layout.places)
    return 1 if self.score >= least else 0 if self.bound < least else 2


cdef inline void note(Joker* self) noexcept nogil:
    """Update the figures that other threads read."""
    self.kernel.bytes_held = bytes_of_nodes(self) + shortest_bytes(&self.shortest)
    if self.kernel.stage_now in (A_STAR, BEAM):
        self.kernel.moves_now = self.shortest.fewest
        self.kernel.lower_bound_now = max(self.kernel.lower_bound_now, self.shortest.lower_bound)
    else:
        self.kernel.score_now = self.score


# --- Lines --------------------------------------------------------------------------------------------------


cdef inline bint find_line(Joker* self, const Position* start) noexcept nogil:
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


cdef inline int replayed_score(Joker* self) noexcept nogil:
    """Return the score that ``steps`` reach by the rules of `replay`, -1 if one of them is illegal."""
    cdef Game game = self.dealt_by_rules
    cdef PlainMove* step
    cdef int i
    for i in range(self.step_count):
        step = &self.steps[i]
        if not replay.play(&game, step.source, step.target, step.count, step.suit, step.rank):
            return -1
    return replay.score(&game)


cdef inline bint make_steps(Joker* self, int room) noexcept nogil:
    """Grow ``steps`` to a capacity of at least ``room`` moves. Returns False if allocation fails."""
    if room > self.step_room:
        if not resize(&self.steps, 2 * room, sizeof(PlainMove)):
            return False
        self.step_room = 2 * room
    return True


# --- Shortest lines --------------------------------------------------------------------------------------


cdef inline int goal_of(Joker* self, int score, int places) noexcept nogil:
    """Return the score that a shortest line must reach: the least score of the tier of ``score``, or
    ``score`` itself below the first tier. ``places`` counts the foundation places of the deck."""
    cdef int tiers = tiers_of(score, places)
    return least_score(tiers, places) if tiers > 0 else score


cdef inline void begin_line(Joker* self, const Position* start, int goal) noexcept nogil:
    """Prepare the search for lines from ``start`` to a score of ``goal`` that are shorter than ``steps``,
    and free the nodes of the score search."""
    begin_stage(&self.kernel, A_STAR, 0)
    free_class_search(&self.classes)
    free_store(&self.one_pass.nodes.store)
    open_shortest(&self.shortest, start, goal, self.step_count, self.kernel.limits.bytes)


cdef inline bint improve_line(Joker* self) noexcept nogil:
    """Shorten ``steps`` or raise the lower bound, once. Returns whether another call may improve more."""
    cdef bint goes_on = improve_shortest(&self.shortest, &self.kernel, self.steps) == IMPROVED
    self.step_count = self.shortest.fewest
    self.shortest.failed = self.shortest.failed or replayed_score(self) < self.shortest.goal
    return goes_on and not self.shortest.failed


cdef inline void cut_line(Joker* self, Position* game, int goal) noexcept nogil:
    """Cut ``steps`` after the move with which they reach a score of ``goal``. ``game`` is the state at
    their start and is played on to that move."""
    cdef int count = 0
    while score_of(game) < goal:
        play(game, self.steps[count])
        count += 1
    self.step_count = count
