"""Positions of the Simon family: moves with undo, a 128-bit key, lines.

The key is a pair of sums of hashes over the columns, so it does not depend on their order; the upper sum
loses its top bit in hash tables. The hash of every prefix of a column is stored, so keys are updated
incrementally.
"""

cdef enum:
    MAX_MOVES = MAX_COLUMNS * (MAX_COLUMNS + MAX_RANKS)     # most moves that `generate_moves` writes

cdef struct Position:
    int columns, ranks
    int left                                        # number of cards in the columns
    int removed                                     # number of runs that left
    uint64_t low, high                              # the key: two sums of hashes over the columns
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_COLUMNS][MAX_CARDS]
    uint64_t prefix_low[MAX_COLUMNS][MAX_CARDS + 1]     # hashes of each column's first n cards
    uint64_t prefix_high[MAX_COLUMNS][MAX_CARDS + 1]
    uint8_t suit[MAX_CARDS]                         # suits of the runs that left

cdef struct MadeMove:   # a move with the data needed to undo it
    uint8_t source, target, count
    uint8_t from_target     # number of runs that left the target column
    uint8_t from_source     # number of runs that left the source column


cdef struct Line:           # moves packed by `pack_move`
    uint32_t* move
    uint64_t length, room, max_bytes


cdef inline int run_length(const Position* position, int column) noexcept nogil:
    """The number of cards of the longest run on top of ``column``; 0 if it is empty."""
    cdef int size = position.size[column], length = 1
    cdef const uint8_t* card = position.card[column]
    if size == 0:
        return 0
    while length < size and card[size - length - 1] == card[size - length] + 4:
        length += 1
    return length

cdef inline bint has_complete_run(const uint8_t* card, int size, int ranks) noexcept nogil:
    """Test if the last of ``size`` cards are a complete run of ``ranks`` cards."""
    cdef int i
    if size < ranks or card[size - 1] >= 4:
        return False
    for i in range(1, ranks):
        if card[size - 1 - i] != card[size - i] + 4:
            return False
    return True

cdef inline uint64_t hash_card(uint64_t prefix, int card) noexcept nogil:
    """The hash of a column whose top is ``card``, from the hash ``prefix`` of the cards below; that of no
    cards is 0."""
    prefix = (prefix + card + 1) * <uint64_t>0x9E3779B97F4A7C15
    return prefix ^ (prefix >> 29)

cdef inline uint64_t scatter(uint64_t prefix) noexcept nogil:
    """The summand of a column in the key, from its hash ``prefix``; 0 for an empty column."""
    prefix = prefix * <uint64_t>0xBF58476D1CE4E5B9
    prefix = (prefix ^ (prefix >> 32)) * <uint64_t>0x94D049BB133111EB
    return prefix ^ (prefix >> 29)


cdef inline uint64_t hash_card_high(uint64_t prefix, int card) noexcept nogil:
    """Like `hash_card`, for the upper half of the key; independent of it."""
    prefix = (prefix ^ <uint64_t>(card + 77)) * <uint64_t>0xD6E8FEB86659FD93
    return prefix ^ (prefix >> 32)


cdef inline void set_position(Position* position, const Layout* layout) noexcept nogil:
    """Set ``position`` to ``layout`` without the complete runs on top of columns."""
    cdef int column, i
    position.columns = layout.columns
    position.ranks = layout.ranks
    position.left = position.removed = 0
    position.low = position.high = 0
    memset(position.size, 0, sizeof(position.size))
    for column in range(position.columns):
        position.prefix_low[column][0] = position.prefix_high[column][0] = 0
        for i in range(layout.size[column]):
            push(position, column, layout.card[column][i])
        position.left += layout.size[column]
        count_in(position, column)
    for column in range(position.columns):
        count_out(position, column)
        remove_runs(position, column)
        count_in(position, column)


cdef inline void layout_of(Layout* layout, const Position* position) noexcept nogil:
    """Set ``layout`` to the columns of ``position``."""
    cdef int column
    for column in range(position.columns):
        layout.size[column] = position.size[column]
        memcpy(layout.card[column], position.card[column], position.size[column])
    set_layout(layout, position.columns, position.ranks)


cdef inline void push(Position* position, int column, int card) noexcept nogil:
    cdef int size = position.size[column]
    position.card[column][size] = card
    position.prefix_low[column][size + 1] = hash_card(position.prefix_low[column][size], card)
    position.prefix_high[column][size + 1] = hash_card_high(position.prefix_high[column][size], card)
    position.size[column] = size + 1


cdef inline void count_in(Position* position, int column) noexcept nogil:
    position.low += scatter(position.prefix_low[column][position.size[column]])
    position.high += scatter(position.prefix_high[column][position.size[column]])


cdef inline void count_out(Position* position, int column) noexcept nogil:
    position.low -= scatter(position.prefix_low[column][position.size[column]])
    position.high -= scatter(position.prefix_high[column][position.size[column]])


cdef inline int remove_runs(Position* position, int column) noexcept nogil:
    """Remove the complete runs on top of ``column``; return their number. The caller updates the key."""
    cdef int runs = 0
    while has_complete_run(position.card[column], position.size[column], position.ranks):
        position.suit[position.removed] = position.card[column][position.size[column] - 1] & 3
        position.removed += 1
        position.size[column] -= position.ranks
        position.left -= position.ranks
        runs += 1
    return runs


cdef inline void put_back_runs(Position* position, int column, int runs) noexcept nogil:
    """Undo `remove_runs`, which removed ``runs`` runs from ``column``. The caller updates the key."""
    cdef int rank
    while runs > 0:
        runs -= 1
        position.removed -= 1
        position.left += position.ranks
        for rank in range(position.ranks - 1, -1, -1):
            push(position, column, rank << 2 | position.suit[position.removed])


cdef inline bint is_legal(const Position* position, int source, int target, int count) noexcept nogil:
    """Test if the top ``count`` cards of ``source`` are a run that may move to ``target``. The arguments must
    not be negative."""
    cdef int head
    if source >= position.columns or target >= position.columns or source == target:
        return False
    if count < 1 or count > run_length(position, source):
        return False
    if position.size[target] == 0:
        return True
    head = position.card[source][position.size[source] - count]
    return (position.card[target][position.size[target] - 1] >> 2) == (head >> 2) + 1


cdef inline MadeMove do_move(Position* position, int source, int target, int count) noexcept nogil:
    """Make a legal move, and remove complete runs. Returns the data for `undo_move`."""
    cdef MadeMove step
    cdef int i, first = position.size[source] - count
    count_out(position, source)
    count_out(position, target)
    for i in range(count):
        push(position, target, position.card[source][first + i])
    position.size[source] = first
    step.source = source
    step.target = target
    step.count = count
    step.from_target = remove_runs(position, target)
    step.from_source = remove_runs(position, source)
    count_in(position, source)
    count_in(position, target)
    return step


cdef inline void undo_move(Position* position, MadeMove step) noexcept nogil:
    """Undo ``step``, which must be the last move."""
    cdef int i, first
    count_out(position, step.source)
    count_out(position, step.target)
    put_back_runs(position, step.source, step.from_source)
    put_back_runs(position, step.target, step.from_target)
    first = position.size[step.target] - step.count
    for i in range(step.count):
        push(position, step.source, position.card[step.target][first + i])
    position.size[step.target] = first
    count_in(position, step.source)
    count_in(position, step.target)


cdef inline bint foresee(const Position* position, int source, int target, int count, uint64_t* low,
                         uint64_t* high) noexcept nogil:
    """Set ``low`` and ``high`` to the key after a legal move. Returns False, without a key, if a run may
    leave by the move."""
    cdef int i, size = position.size[target], first = position.size[source] - count
    cdef const uint8_t* unit = position.card[source] + first
    cdef uint64_t to_low, to_high
    if unit[count - 1] < 4 and size + count >= position.ranks:
        return False
    if first > 0 and position.card[source][first - 1] < 4:
        return False
    to_low = position.prefix_low[target][size]
    to_high = position.prefix_high[target][size]
    low[0] = position.low - scatter(to_low) - scatter(position.prefix_low[source][position.size[source]])
    high[0] = position.high - scatter(to_high) - scatter(position.prefix_high[source][position.size[source]])
    for i in range(count):
        to_low = hash_card(to_low, unit[i])
        to_high = hash_card_high(to_high, unit[i])
    low[0] += scatter(to_low) + scatter(position.prefix_low[source][first])
    high[0] += scatter(to_high) + scatter(position.prefix_high[source][first])
    return True


cdef inline int generate_moves(const Position* position, uint32_t* moves) noexcept nogil:
    """Write the moves to try to ``moves``, an array of MAX_MOVES, the best last; return their number.

    The order is: to an empty column; onto another suit; part of a run onto its suit; a whole run onto its
    suit. Omitted are moves to all but one empty column, and of a whole column to an empty one.
    """
    cdef int kind, source, target, count, run, head, top, end = 0, empty = -1
    for target in range(position.columns):
        if position.size[target] == 0:
            empty = target
    for kind in range(4):
        for source in range(position.columns):
            run = run_length(position, source)
            if run == 0:
                continue
            if kind == 0:
                for count in range(1, run + 1 if empty >= 0 else 0):
                    if count < position.size[source]:
                        moves[end] = pack_move(source, empty, count)
                        end += 1
                continue
            for target in range(position.columns):
                if position.size[target] == 0 or target == source:
                    continue
                top = position.card[target][position.size[target] - 1]
                count = (top >> 2) - (position.card[source][position.size[source] - 1] >> 2)
                if count < 1 or count > run:
                    continue
                head = position.card[source][position.size[source] - count]
                if kind == (1 if (head & 3) != (top & 3) else 2 if count < run else 3):
                    moves[end] = pack_move(source, target, count)
                    end += 1
    return end


cdef inline void check_position(const Position* position) noexcept nogil:
    """Assert the invariants of a position: its incremental fields equal those computed from the cards."""
    cdef uint64_t low = 0, high = 0, prefix_low, prefix_high
    cdef int column, i, left = 0
    for column in range(position.columns):
        prefix_low = prefix_high = 0
        for i in range(position.size[column]):
            prefix_low = hash_card(prefix_low, position.card[column][i])
            prefix_high = hash_card_high(prefix_high, position.card[column][i])
            invariant(position.prefix_low[column][i + 1] == prefix_low)
            invariant(position.prefix_high[column][i + 1] == prefix_high)
        low += scatter(prefix_low)
        high += scatter(prefix_high)
        left += position.size[column]
        invariant(run_length(position, column) < position.ranks)
    invariant(low == position.low and high == position.high and left == position.left)


# --- Lines --------------------------------------------------------------------------------------------------

cdef inline bint append(Line* line, uint32_t move) noexcept nogil:
    """Append a move. Returns False if the line would exceed its memory limit, or if allocation fails."""
    cdef uint64_t room
    if line.length == line.room:
        room = 2 * line.room if line.room else 512
        if room * sizeof(uint32_t) > line.max_bytes or not resize(&line.move, room, sizeof(uint32_t)):
            return False
        line.room = room
    line.move[line.length] = move
    line.length += 1
    return True


cdef inline void free_line(Line* line) noexcept nogil:
    free(line.move)
    line.move = NULL
    line.length = line.room = 0


cdef inline bint wins(const Line* line, const Layout* layout) noexcept nogil:
    """Test if all moves are legal from ``layout`` on and win."""
    cdef Position position
    cdef uint64_t i
    cdef uint32_t move
    set_position(&position, layout)
    for i in range(line.length):
        move = line.move[i]
        if not is_legal(&position, source_of(move), target_of(move), count_of(move)):
            return False
        do_move(&position, source_of(move), target_of(move), count_of(move))
    return position.left == 0


cdef inline void leave_out_needless(Line* line, const Layout* layout) noexcept nogil:
    """Shorten a line by merging two moves of one run into one, from its first place to its last; if these are
    the same, both moves are removed. Does nothing for lines above 4,096 moves."""
    cdef uint64_t before
    cdef Line trial
    cdef uint64_t i
    if line.length > 4096:
        return
    trial.move = <uint32_t*>malloc(line.length * sizeof(uint32_t))
    if trial.move == NULL:
        return
    before = line.length + 1
    while line.length < before:
        before = line.length
        i = 0
        while i < line.length:
            if not leave_out(line, i, &trial, layout):
                i += 1
    free(trial.move)


cdef inline bint leave_out(Line* line, uint64_t first, Line* trial, const Layout* layout) noexcept nogil:
    """Try to merge move ``first`` with the next move of its run. Returns True if the line still wins; the
    line is then shortened, otherwise unchanged."""
    cdef uint64_t i
    cdef uint32_t move = line.move[first], later
    cdef int source = source_of(move), target = target_of(move)
    memcpy(trial.move, line.move, first * sizeof(uint32_t))
    for i in range(first + 1, line.length):
        later = line.move[i]
        if source_of(later) == target and count_of(later) >= count_of(move):
            trial.length = line.length - 1
            memcpy(trial.move + first, line.move + first + 1, (line.length - first - 1) * sizeof(uint32_t))
            if target_of(later) == source:
                trial.length = line.length - 2
                memcpy(trial.move + i - 1, line.move + i + 1, (line.length - i - 1) * sizeof(uint32_t))
            else:
                trial.move[i - 1] = pack_move(source, target_of(later), count_of(later))
            if wins(trial, layout):
                memcpy(line.move, trial.move, trial.length * sizeof(uint32_t))
                line.length = trial.length
                return True
            return False
        if source_of(later) == target or target_of(later) == source:
            return False
    return False
