"""Joker and Klondike in one pass in the library: the functions that winnable.c asks of a family."""

# optimised: searches spend their time here

include "parts.pxi"

cdef public Kernel* joker_open(int number) noexcept nogil:
    """A new kernel for Joker, number 0, or Klondike in one pass, 1; NULL if allocation fails."""
    cdef Joker* self = open_joker()
    if self == NULL:
        return NULL
    self.is_joker = number == 0
    return &self.kernel


cdef public void joker_close(Kernel* kernel) noexcept nogil:
    close_joker(<Joker*>kernel)


cdef public int joker_load(
    Kernel* kernel, const Desk* desk, const uint8_t* cards, int count
) noexcept nogil:
    """Load a position that was checked. The oracle loads it, too; or, unless ``cards`` is NULL, it lays out
    these ``count`` cards by itself."""
    cdef Joker* self = <Joker*>kernel
    pack_desk(&self.layout, &self.key, desk)
    load_desk(&self.start, desk)
    set_estimates(&self.classes.estimates, self.is_joker, desk.turned_only)
    if cards == NULL:
        replay.load_desk(&self.dealt_by_rules, desk)
    else:
        replay.deal_game(
            &self.dealt_by_rules, cards, count, desk.size, desk.columns, desk.ranks, desk.suits)
        self.dealt_by_rules.turned_only = desk.turned_only
        self.dealt_by_rules.any_removal = desk.any_removal
    self.step_count = 0
    return 1


cdef public void joker_position(const Kernel* kernel, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck and rules stay."""
    replay.save_desk(&(<const Joker*>kernel).dealt_by_rules, desk)


cdef public int joker_legal(const Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Write all legal moves to ``moves``, which has space for WINNABLE_MOST_MOVES; return their number."""
    return replay.legal_moves_of(&(<const Joker*>kernel).dealt_by_rules, moves)


cdef public int joker_play(Kernel* kernel, const PlainMove* move) noexcept nogil:
    """Make a move by the oracle alone; the searches do not know the position until it is loaded. Returns 0 if
    the move is illegal."""
    return replay.play(
        &(<Joker*>kernel).dealt_by_rules, move.source, move.target, move.count, move.suit, move.rank)


cdef public int joker_cards_up(const Kernel* kernel) noexcept nogil:
    """The number of places on the foundations that are filled."""
    return replay.score(&(<const Joker*>kernel).dealt_by_rules)


cdef public void joker_solve(Kernel* kernel, Answer* answer) noexcept nogil:
    """Find the greatest score, or the score that is wanted."""
    cdef Joker* self = <Joker*>kernel
    cdef ClassPosition position
    self.exact = self.is_one_pass = False
    forget(self)
    if begin(kernel):
        search(self)
    else:
        unpack(&self.layout, &self.key, &position)
        self.score = position.score
        self.bound = self.layout.places
    write_answer(kernel, answer, verdict(self))
    answer.replays = find_line(self, &self.start)
    answer.moves = self.step_count
    answer.score = self.score
    answer.score_bound = self.bound
    answer.exact = self.exact
    answer.reason = NOTHING if self.exact else kernel.reason
    answer.fault = self.classes.has_overflowed
    self.classes.has_overflowed = False


cdef public int joker_shorten(
    Kernel* kernel, const PlainMove* line, int count, Listen listen, void* context, Answer* answer
) noexcept nogil:
    """Search for shorter lines than ``line``, to the tier that it reaches, or than the one just found."""
    cdef Joker* self = <Joker*>kernel
    cdef Position game = self.start
    cdef bint goes_on = True
    cdef int i, goal
    if line != NULL:
        if not make_steps(self, count):
            return -1
        if count > 0:
            memcpy(self.steps, line, count * sizeof(PlainMove))
        self.step_count = count
        self.score = replayed_score(self)
        if self.score < 0:
            return 0
        self.bound = self.layout.places
    for i in range(self.step_count):
        play(&game, self.steps[i])
    goal = goal_of(self, score_of(&game), self.layout.places)
    game = self.start
    cut_line(self, &game, goal)
    self.shortest.lower_bound = 0
    write_length(self, answer)
    if line != NULL and not begin(kernel):
        answer.reason = kernel.reason
        return 1
    begin_line(self, &self.start, goal)
    while goes_on:
        goes_on = improve_line(self)
        write_length(self, answer)
        answer.replays = not self.shortest.failed
        if self.shortest.failed or not tell(kernel, listen, context, answer):
            break
    free_shortest(&self.shortest)
    answer.reason = kernel.reason
    return 1


cdef void write_length(const Joker* self, Answer* answer) noexcept nogil:
    """Set ``answer`` to the counters, the length of the line and the lower bound."""
    write_answer(&self.kernel, answer, verdict(self))
    answer.reason = self.kernel.reason
    answer.moves = self.step_count
    answer.lower_bound = self.shortest.lower_bound
    answer.shortest = answer.moves == answer.lower_bound
    answer.replays = True


cdef public int joker_line(const Kernel* kernel, PlainMove* moves, int room) noexcept nogil:
    """Copy the first ``room`` moves of the line found; returns its length."""
    cdef const Joker* self = <const Joker*>kernel
    if room > 0 and self.step_count > 0:
        memcpy(moves, self.steps, min(room, self.step_count) * sizeof(PlainMove))
    return self.step_count
