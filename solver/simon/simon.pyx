"""The Simon family in the library: the functions that winnable.c asks of a family."""

# optimised: searches spend their time here

include "parts.pxi"

cdef public Kernel* simon_open(int number) noexcept nogil:
    """A new kernel, for all games of the family; NULL if allocation fails."""
    return <Kernel*>open_simon()


cdef public void simon_close(Kernel* kernel) noexcept nogil:
    close_simon(<Simon*>kernel)


cdef public int simon_load(
    Kernel* kernel, const Desk* desk, const uint8_t* cards, int count
) noexcept nogil:
    """Load a position that was checked. The oracle loads it, too; or, unless ``cards`` is NULL, it lays out
    these ``count`` cards by itself."""
    cdef Simon* self = <Simon*>kernel
    load_desk(&self.layout, desk)
    set_root(self)
    if cards == NULL:
        replay.load_desk(&self.start, desk)
    else:
        replay.deal_game(&self.start, cards, count, desk.size, desk.columns, desk.ranks)
    self.line.length = 0
    return 1


cdef public void simon_position(const Kernel* kernel, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck and rules stay."""
    replay.save_desk(&(<const Simon*>kernel).start, desk)


cdef public int simon_legal(const Kernel* kernel, PlainMove* moves) noexcept nogil:
    """Write all legal moves to ``moves``, which has space for WINNABLE_MOST_MOVES; return their number."""
    return replay.legal_moves_of(&(<const Simon*>kernel).start, moves)


cdef public int simon_play(Kernel* kernel, const PlainMove* move) noexcept nogil:
    """Make a move by the oracle alone; the searches do not know the position until it is loaded. Returns 0 if
    the move is illegal."""
    return replay.play(&(<Simon*>kernel).start, move.source, move.target, move.count)


cdef public void simon_solve(Kernel* kernel, Answer* answer) noexcept nogil:
    """Decide the position loaded."""
    cdef Simon* self = <Simon*>kernel
    cdef Outcome outcome = search(self) if begin(kernel) else OPEN
    if outcome == OUT_OF_MEMORY:
        kernel.reason = MEMORY
        outcome = OPEN
    write_answer(kernel, answer, outcome)
    if outcome == WON:
        answer.moves = self.line.length
        answer.replays = replays(self)
    else:
        self.line.length = 0
    answer.fault = self.best.fault or self.repair_search.fault


cdef struct Listener:           # what the search calls with each shorter line and greater bound
    Simon* simon
    Listen listen
    void* context
    Answer* answer
    bint goes_on                # False after `listen` ended the search


cdef bint tell_of(void* listener) noexcept nogil:
    """Tell the caller of `simon_shorten` of a shorter line or a greater bound."""
    cdef Listener* its = <Listener*>listener
    write_length(its.simon, its.answer)
    its.goes_on = its.answer.replays and tell(&its.simon.kernel, its.listen, its.context, its.answer)
    return its.goes_on


cdef public int simon_shorten(
    Kernel* kernel, const PlainMove* line, int count, Listen listen, void* context, Answer* answer
) noexcept nogil:
    """Search for shorter lines than ``line``, or than the one just found."""
    cdef Simon* self = <Simon*>kernel
    cdef Listener listener
    cdef int read
    cdef bint has_time
    if line != NULL:
        read = read_line(self, line, count)
        if read == 0:
            return 0
        self.shortest.lower_bound = 0
        has_time = begin(kernel)
        if read < 0:
            return -1
        if not has_time:
            write_length(self, answer)
            tell(kernel, listen, context, answer)
            return 1
    listener = Listener(self, listen, context, answer, True)
    self.shortest.listen = NULL
    if listen != NULL:
        self.shortest.listen = tell_of
        self.shortest.listener = &listener
    shorten_line(self)
    self.shortest.listen = NULL
    write_length(self, answer)
    if listener.goes_on and answer.replays:
        tell(kernel, listen, context, answer)
    return 1


cdef public int simon_optimize(
    Kernel* kernel, const PlainMove* line, int count, Answer* answer
) noexcept nogil:
    """Shorten ``line`` by beams until the limit on work, or after the widest beam."""
    cdef Simon* self = <Simon*>kernel
    cdef BeamSchedule schedule
    cdef int read = read_line(self, line, count)
    memset(&schedule, 0, sizeof(BeamSchedule))
    if read != 1:
        return read
    self.shortest.lower_bound = 0
    if begin(kernel):
        shorten(kernel, &self.layout, &self.line, kernel.limits.bytes // 4, &schedule)
    write_length(self, answer)
    answer.lower_bound = -1
    answer.shortest = False
    return 1


cdef int read_line(Simon* self, const PlainMove* line, int count) noexcept nogil:
    """Copy ``line``. Returns 1, 0 if it does not win, or -1 if memory does not suffice."""
    cdef int i
    self.line.length = 0
    self.line.max_bytes = self.kernel.limits.bytes // 32
    for i in range(count):
        if not (0 <= line[i].source < MAX_COLUMNS and 0 <= line[i].target < MAX_COLUMNS) or line[i].count < 1:
            return 0
        if not append(&self.line, pack_move(line[i].source, line[i].target, line[i].count)):
            return -1
    return replays(self)


cdef bint replays(const Simon* self) noexcept nogil:
    """Test if the line wins by the rules of `replay`."""
    cdef replay.Game game = self.start
    cdef uint32_t move
    cdef uint64_t i
    for i in range(self.line.length):
        move = self.line.move[i]
        if not replay.play(&game, source_of(move), target_of(move), count_of(move)):
            return False
    return replay.is_won(&game)


cdef void write_length(Simon* self, Answer* answer) noexcept nogil:
    """Set ``answer`` to the counters, the length of the line and the lower bound, and replay the line."""
    write_answer(&self.kernel, answer, WON)
    answer.reason = self.kernel.reason
    answer.moves = self.line.length
    answer.lower_bound = self.shortest.lower_bound
    answer.shortest = <uint64_t>self.shortest.lower_bound >= self.line.length
    answer.replays = replays(self)


cdef public int simon_line(const Kernel* kernel, PlainMove* moves, int room) noexcept nogil:
    """Copy the first ``room`` moves of the line found; returns its length."""
    cdef const Simon* self = <const Simon*>kernel
    cdef uint32_t move
    cdef int i
    for i in range(min(room, <int>self.line.length)):
        move = self.line.move[i]
        moves[i] = PlainMove(source_of(move), target_of(move), count_of(move), -1, -1)
    return self.line.length
