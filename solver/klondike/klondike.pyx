"""Klondike with redeals in the library: the functions that winnable.c asks of a family."""

# optimised: searches spend their time here

include "parts.pxi"

cdef public Kernel* klondike_open(int number) noexcept nogil:
    """A new kernel, for all games of the family; NULL if allocation fails."""
    return <Kernel*>open_klondike()


cdef public void klondike_close(Kernel* kernel) noexcept nogil:
    close_klondike(<Klondike*>kernel)


cdef public int klondike_load(
    Kernel* kernel, const Desk* desk, const uint8_t* cards, int count
) noexcept nogil:
    """Load a position that was checked. The oracle loads it, too; or, unless ``cards`` is NULL, it lays out
    these ``count`` cards by itself. Returns 0 if a key of the position would be too long."""
    cdef Klondike* self = <Klondike*>kernel
    cdef Position position
    cdef uint64_t root
    load_desk(&position, desk)
    if not open_classes(&self.layout, &position, &root):
        open_classes(&self.layout, &self.desk, &root)
        return 0
    self.desk = position
    self.root = root
    self.line.count = 0
    if cards == NULL:
        replay.load_desk(&self.replayed, desk)
    else:
        replay.load_rules(&self.replayed, desk)
        replay.deal_game(&self.replayed, cards, count, desk.size, desk.columns)
    return 1


cdef public void klondike_position(const Kernel* kernel, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck and rules stay."""
    replay.save_desk(&(<const Klondike*>kernel).replayed, desk)


cdef public int klondike_legal(const Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Write all legal moves to ``moves``, which has space for WINNABLE_MOST_MOVES; return their number."""
    return replay.legal_moves_of(&(<const Klondike*>kernel).replayed, moves)


cdef public int klondike_play(Kernel* kernel, const PlainMove* move) noexcept nogil:
    """Make a move by the oracle alone; the searches do not know the position until it is loaded. Returns 0 if
    the move is illegal."""
    return replay.play(&(<Klondike*>kernel).replayed, move.source, move.target, move.count, move.suit)


cdef public void klondike_solve(Kernel* kernel, Answer* answer) noexcept nogil:
    """Decide the position loaded."""
    cdef Klondike* self = <Klondike*>kernel
    cdef Verdict outcome
    self.goal = 4 * self.desk.ranks
    self.line.count = 0
    outcome = search(self) if begin(kernel) else OPEN
    write_answer(kernel, answer, outcome)
    if outcome == WON:
        answer.moves = self.line.count
        answer.replays = replay_line(self)


cdef public int klondike_score(Kernel* kernel, Answer* answer) noexcept nogil:
    """Find the greatest number of cards up."""
    cdef Klondike* self = <Klondike*>kernel
    cdef uint64_t start = self.root
    cdef ClassPosition p
    cdef int suit, score = 0, most = -1, missing = 0, up = 0
    cdef bint is_proved = False
    for suit in range(4):
        up += self.desk.height[suit]
        if not self.desk.suits >> suit & 1:
            missing += self.desk.ranks
    self.line.count = 0
    if begin(kernel):
        make_safe_moves(&self.layout, False, &start, &p, NULL)
        is_proved = find_greatest(&self.found, kernel, &self.layout, start, &score, &most)
    self.goal = score
    if most >= 0:
        write_line(self)
    else:               # no time
        score, most = up, 4 * self.desk.ranks
    write_answer(kernel, answer, OPEN)
    answer.moves = self.line.count
    answer.score = score - missing
    answer.score_bound = most - missing
    answer.exact = is_proved
    answer.replays = self.line.count == 0 or replay_line(self)
    return 1


cdef public int klondike_shorten(
    Kernel* kernel, const PlainMove* line, int count, Listen listen, void* context, Answer* answer
) noexcept nogil:
    """Search for shorter lines than ``line``, to as many cards up, or than the one just found."""
    cdef Klondike* self = <Klondike*>kernel
    cdef Progress progress = IMPROVED
    cdef int read
    if line != NULL:
        read = read_line(self, line, count)
        if read != 1:
            return read
        write_length(self, answer)
        if not begin(kernel):
            answer.reason = kernel.reason
            return 1
    begin_lines(self)
    while progress == IMPROVED:
        progress = improve_line(self)
        write_length(self, answer)
        answer.replays = replay_line(self)
        if not answer.replays or not tell(kernel, listen, context, answer):
            break
    free_shortest(&self.shortest)
    answer.reason = kernel.reason
    return 1


cdef int read_line(Klondike* self, const PlainMove* line, int count) noexcept nogil:
    """Copy ``line``, and set the goal to the cards that are up at its end. Returns 1, 0 if a move is illegal,
    or -1 if allocation fails."""
    cdef Position desk = self.desk
    cdef replay.Game game = self.replayed
    cdef int i, suit
    for i in range(count):
        if not replay.play(&game, line[i].source, line[i].target, line[i].count, line[i].suit):
            return 0
    self.line.count = 0
    self.line.failed = False
    for i in range(count):
        make(&self.line, &desk, line[i].source, line[i].target, line[i].count, line[i].suit)
    if self.line.failed:
        return -1
    self.shortest.lower_bound = 0
    self.goal = 0
    for suit in range(4):
        self.goal += desk.height[suit]
    return 1


cdef void write_length(const Klondike* self, Answer* answer) noexcept nogil:
    """Set ``answer`` to the counters, the length of ``line`` and the lower bound."""
    write_answer(&self.kernel, answer, WON if self.goal == 4 * self.desk.ranks else OPEN)
    answer.reason = self.kernel.reason
    answer.moves = self.line.count
    answer.lower_bound = self.shortest.lower_bound
    answer.shortest = answer.moves == answer.lower_bound
    answer.replays = True


cdef public int klondike_line(const Kernel* kernel, PlainMove* moves, int room) noexcept nogil:
    """Copy the first ``room`` moves of the line found; returns its length."""
    cdef const Klondike* self = <const Klondike*>kernel
    if room > 0 and self.line.count > 0:
        memcpy(moves, self.line.steps, min(room, self.line.count) * sizeof(PlainMove))
    return self.line.count
