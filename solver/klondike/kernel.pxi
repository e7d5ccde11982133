"""Kernel of Klondike with redeals: verdicts, lines, scores and shortest lines.

Techniques: best-first search with an SCC-labelling search of a relaxation as refutation (`search`), and an
anytime portfolio of beams and A* for shortest lines (`shortest`). Soundness: a deal is lost only if one of
the two searches is exhausted, see `search`; every line is replayed by the independent rules of `replay`
before it is reported. Memory: the searches share one limit in bytes; that for verdicts is freed before lines
are shortened.
"""

cdef struct Klondike:       # a kernel
    Kernel kernel
    Layout layout
    Position desk           # the state loaded
    uint64_t root
    int goal                # cards to be up, including those of suits that the deck lacks
    Search found
    Line line
    Game replayed           # state from which lines are replayed
    Shortest shortest


cdef inline Klondike* open_klondike() noexcept nogil:
    """A new kernel, which `close_klondike` frees; NULL if allocation fails."""
    cdef Klondike* self = <Klondike*>calloc(1, sizeof(Klondike))
    if self != NULL:
        self.kernel.note = <void (*)(Kernel*) noexcept nogil>note
    return self


cdef inline void close_klondike(Klondike* self) noexcept nogil:
    """Free a kernel, which may be NULL."""
    if self == NULL:
        return
    free_search(&self.found)
    free_shortest(&self.shortest)
    free(self.line.steps)
    free(self)


# --- Search -------------------------------------------------------------------------------------------------


cdef inline Verdict search(Klondike* self) noexcept nogil:
    """Decide the state loaded. If it is WON, the moves are in ``line``."""
    cdef uint64_t start = self.root
    cdef ClassPosition p
    cdef Verdict outcome
    make_safe_moves(&self.layout, False, &start, &p, NULL)
    outcome = decide(&self.found, &self.kernel, &self.layout, start, TRIAL_NODES)
    if outcome == WON:
        write_line(self)
    return outcome


cdef inline void write_line(Klondike* self) noexcept nogil:
    """Write the moves to the node ``found.won`` to ``line`` and, unless the goal is a lower score, from
    there to a win; then straighten the line."""
    cdef uint8_t raised[CARDS]
    cdef Position desk = self.desk
    cdef ClassPosition p
    cdef uint64_t start = self.root
    cdef uint32_t number = self.found.won, parent, following = 0
    cdef int count
    self.line.count = 0
    self.line.failed = False
    # Reverse the links, so that each node of the path refers to the one after it.
    while number != 0:
        parent = node_at(&self.found.tree, number).parent
        node_at(&self.found.tree, parent).following = number
        number = parent
    count = make_safe_moves(&self.layout, False, &start, &p, raised)
    raise_all(&self.line, &desk, raised, count)
    while number != self.found.won and not self.line.failed:
        following = node_at(&self.found.tree, number).following
        write_step(self, &desk, node_at(&self.found.tree, number).key,
                   node_at(&self.found.tree, following).key)
        number = following
    if self.goal == 4 * desk.ranks:
        finish(&self.line, &desk)
    straighten(&self.line, &self.desk)


cdef inline void write_step(Klondike* self, Position* desk, uint64_t key, uint64_t after) noexcept nogil:
    """Append the moves from the key ``key`` to the key ``after`` to ``line``, making them in ``desk``."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef uint8_t raised[CARDS]
    cdef ClassPosition p
    cdef int i, count, children
    unpack(&self.layout, key, &p)
    children = children_of(&self.layout, False, &p, keys, codes)
    for i in range(children):
        if keys[i] == after:        # mostly; then no safe move follows
            follow(&self.line, desk, codes[i])
            return
    for i in range(children):
        count = make_safe_moves(&self.layout, False, &keys[i], &p, raised)
        if keys[i] == after:
            follow(&self.line, desk, codes[i])
            raise_all(&self.line, desk, raised, count)
            return
    self.line.failed = True


cdef inline bint replay_line(Klondike* self) noexcept nogil:
    """Test whether the moves of ``line`` are legal and reach the goal, by the rules of `replay`."""
    cdef Game game = self.replayed
    cdef PlainMove step
    cdef int i
    if self.line.failed:
        return False
    for i in range(self.line.count):
        step = self.line.steps[i]
        if not replay.play(&game, step.source, step.target, step.count, step.suit):
            return False
    return replay.is_won(&game) or (
        self.goal < 4 * game.ranks and replay.cards_up(&game) >= self.goal
    )


# --- Shortest lines -----------------------------------------------------------------------------------------


cdef inline void begin_lines(Klondike* self) noexcept nogil:
    """Prepare the search for shorter lines than ``line`` from the state loaded, and free the search for
    verdicts."""
    free_search(&self.found)
    begin_shortest(&self.shortest, &self.desk, self.goal, &self.line, self.kernel.limits.bytes)


cdef inline Progress improve_line(Klondike* self) noexcept nogil:
    """Shorten ``line`` or raise the lower bound, once. Returns the Progress made."""
    cdef uint32_t known = self.shortest.fewest
    cdef Progress progress = improve_shortest(&self.shortest, &self.kernel)
    if self.shortest.fewest < known:
        write_shortest(&self.shortest, &self.line, &self.desk)
    return progress


cdef inline void note(Klondike* self) noexcept nogil:
    """Update the figures that other threads read."""
    self.kernel.bytes_held = search_bytes(&self.found) + shortest_bytes(&self.shortest)
    if self.kernel.stage_now in (BEAM, A_STAR):
        self.kernel.moves_now = self.shortest.fewest
        self.kernel.lower_bound_now = self.shortest.lower_bound
