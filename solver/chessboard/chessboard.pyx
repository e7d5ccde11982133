"""Chessboard and Fortress in the library: the functions that winnable.c asks of a family."""

# optimised: searches spend their time here

include "parts.pxi"

cdef enum:
    NOWHERE = -128      # no place of the game


cdef public Kernel* chessboard_open(int number) noexcept nogil:
    """A new kernel for Chessboard, number 0, or Fortress, 1; NULL if allocation fails."""
    cdef Chessboard* self = open_chessboard()
    if self == NULL:
        return NULL
    self.is_chessboard = number == 0
    return &self.kernel


cdef public void chessboard_close(Kernel* kernel) noexcept nogil:
    close_chessboard(<Chessboard*>kernel)


cdef public int chessboard_load(
    Kernel* kernel, const Desk* desk, const uint8_t* cards, int count
) noexcept nogil:
    """Load a position that was checked. The oracle loads it, too; or, unless ``cards`` is NULL, it lays out
    these ``count`` cards by itself."""
    cdef Chessboard* self = <Chessboard*>kernel
    load_desk(&self.position, desk, self.is_chessboard)
    self.found.length = 0
    self.goal = self.position.left + cards_up(self.position.high)
    if cards == NULL:
        replay.load_desk(&self.start, desk, self.is_chessboard)
    else:
        replay.deal_game(&self.start, cards, count, desk.size, desk.columns, desk.ranks, self.is_chessboard,
                         self.is_chessboard)
    return True


cdef public void chessboard_position(const Kernel* kernel, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck and rules stay."""
    replay.save_desk(&(<const Chessboard*>kernel).start, desk)


cdef public int chessboard_legal(const Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Write all legal moves to ``moves``, which has space for WINNABLE_MOST_MOVES; return their number."""
    cdef int i, count = replay.legal_moves_of(&(<const Chessboard*>kernel).start, moves)
    for i in range(count):
        if moves[i].target == replay.FOUNDATION:
            moves[i].target = FOUNDATION
    return count


cdef public int chessboard_play(Kernel* kernel, const PlainMove* move) noexcept nogil:
    """Make a move by the oracle alone; the searches do not know the position until it is loaded. Returns 0 if
    the move is illegal."""
    cdef int target = move.target
    target = replay.FOUNDATION if target == FOUNDATION else NOWHERE if target < 0 else target
    return move.count == 1 and replay.play(&(<Chessboard*>kernel).start, move.source, target)


cdef public void chessboard_solve(Kernel* kernel, Answer* answer) noexcept nogil:
    """Decide the position loaded."""
    cdef Chessboard* self = <Chessboard*>kernel
    cdef Outcome outcome = decide(self)
    write_answer(kernel, answer, outcome)
    self.found.length = self.found.length if outcome == WON else 0
    if outcome == WON:
        answer.moves = self.found.length
        answer.replays = replays(self)


cdef Outcome decide(Chessboard* self) noexcept nogil:
    """Search for a win from the position loaded."""
    undo_to(&self.position, 0)
    self.goal = all_cards(self)
    return search(self) if begin(&self.kernel) else OPEN


cdef int all_cards(const Chessboard* self) noexcept nogil:
    """The number of cards of the deck."""
    return self.position.left + cards_up(self.position.high)


cdef public int chessboard_score(Kernel* kernel, Answer* answer) noexcept nogil:
    """Find the greatest number of cards up, of a position that cannot be won by a search of all positions."""
    cdef Chessboard* self = <Chessboard*>kernel
    cdef int most = all_cards(self)
    cdef Outcome outcome = decide(self)
    cdef bint is_complete
    undo_to(&self.position, 0)
    if outcome != WON:
        self.found.length = 0
        self.goal = cards_up(self.position.high)
    if outcome == LOST:
        is_complete = find_most_up(self, most)
        if copy_most_up(self):
            self.goal = self.most_up.up
        most = self.most_up.up if is_complete else most - 1
        free_most_up(&self.most_up)
    write_answer(kernel, answer, OPEN)
    answer.moves = self.found.length
    answer.score = self.goal
    answer.score_bound = most
    answer.exact = answer.score == answer.score_bound
    if answer.exact and outcome == LOST:        # it was found by the fewest moves
        answer.lower_bound = answer.moves
        answer.shortest = True
    answer.replays = replays(self)
    return 1


cdef public int chessboard_shorten(
    Kernel* kernel, const PlainMove* line, int count, Listen listen, void* context, Answer* answer
) noexcept nogil:
    """Search for shorter lines than ``line``, or than the one just found: to a win first by a quick search,
    to fewer cards up by a search of all positions."""
    cdef Chessboard* self = <Chessboard*>kernel
    cdef Progress progress = IMPROVED
    cdef bint is_quick = line != NULL, is_right = True
    cdef uint32_t known
    cdef int read
    undo_to(&self.position, 0)
    if line != NULL:
        read = read_line(self, line, count)
        if read != 1:
            return read
        if self.goal < all_cards(self):
            return shorten_to_goal(self, listen, context, answer)
        open_improvement(self, count, QUICK)
        write_length(self, answer)
        if not tell(kernel, listen, context, answer):
            answer.reason = kernel.reason
            return 1
        if not begin(kernel):
            write_length(self, answer)
            return 1
    while progress == IMPROVED and open_improvement(self, self.found.length, QUICK if is_quick else 1):
        progress = IMPROVED
        while progress == IMPROVED:
            known = self.shortest.fewest
            progress = run_shortest(&self.shortest, kernel)
            if self.shortest.fewest < known:
                play_shortest(self)
                undo_to(&self.position, 0)
                is_right = is_right and self.found.length == self.shortest.fewest and replays(self)
            write_length(self, answer)
            answer.replays = is_right
            if not is_right or not tell(kernel, listen, context, answer):
                answer.reason = kernel.reason
                return 1
            if is_quick:
                break
        if not is_quick:
            break
        is_quick = False
    write_length(self, answer)
    answer.replays = is_right
    return 1


cdef int shorten_to_goal(Chessboard* self, Listen listen, void* context, Answer* answer) noexcept nogil:
    """Search for a shortest line to as many cards up as those of ``found``, without a win."""
    cdef MostUp* search = &self.most_up
    self.shortest.lower_bound = 0
    write_length(self, answer)
    if tell(&self.kernel, listen, context, answer) and begin(&self.kernel):
        if find_most_up(self, self.goal):
            self.shortest.lower_bound = search.fewest
            if search.fewest < self.found.length and not copy_most_up(self):
                self.kernel.reason = MEMORY
        elif self.goal > cards_up(self.position.high):
            self.shortest.lower_bound = search.moves + 1
        free_most_up(search)
        write_length(self, answer)
        answer.replays = replays(self)
        tell(&self.kernel, listen, context, answer)
    answer.reason = self.kernel.reason
    return 1


cdef int read_line(Chessboard* self, const PlainMove* line, int count) noexcept nogil:
    """Copy ``line`` to ``found``, and set the goal to the cards up at its end. Returns 1, 0 if a move is
    illegal, or -1 if allocation fails."""
    cdef uint32_t room = count + MAX_STEPS
    cdef replay.Game game = self.start
    cdef int i, target
    if self.position.step_room < room and not make_step_room(&self.position, room):
        return -1
    if not make_line_room(&self.found, room):
        return -1
    for i in range(count):
        target = line[i].target
        target = replay.FOUNDATION if target == FOUNDATION else NOWHERE if target < 0 else target
        if not replay.play(&game, line[i].source, target):
            return 0
        self.found.hops[i].source = line[i].source
        self.found.hops[i].target = UP if target == replay.FOUNDATION else target
    self.found.length = count
    self.goal = replay.cards_up(&game)
    return 1


cdef void write_length(const Chessboard* self, Answer* answer) noexcept nogil:
    """Set ``answer`` to the counters, the length of ``found`` and the lower bound."""
    write_answer(&self.kernel, answer, WON if self.goal == all_cards(self) else OPEN)
    answer.reason = self.kernel.reason
    answer.moves = self.found.length
    answer.lower_bound = self.shortest.lower_bound
    answer.shortest = answer.moves == answer.lower_bound
    answer.replays = True


cdef public int chessboard_line(const Kernel* kernel, PlainMove* moves, int room) noexcept nogil:
    """Copy the first ``room`` moves of the line found; returns its length."""
    cdef const Chessboard* self = <const Chessboard*>kernel
    cdef int i, target
    for i in range(min(room, <int>self.found.length)):
        target = self.found.hops[i].target
        moves[i] = PlainMove(self.found.hops[i].source, FOUNDATION if target == UP else target, 1, -1, -1)
    return self.found.length
