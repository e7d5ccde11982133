"""Positions of the Simon family card by card: moves with undo, order-free 128-bit key, lines of moves.

The key is a pair of sums, over the columns, of scattered hashes of their cards, so the order of the columns
does not matter; the upper sum loses its top bit in the table. Every prefix of a column keeps its hash.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from .invariant cimport invariant
from .simon_class cimport Layout, set_layout


cdef void set_board(Board* board, const Layout* layout) noexcept nogil:
    """Begin at ``layout``; complete runs on top leave."""
    cdef int column, i
    board.columns = layout.columns
    board.ranks = layout.ranks
    board.left = board.removed = 0
    board.low = board.high = 0
    memset(board.size, 0, sizeof(board.size))
    for column in range(board.columns):
        board.prefix_low[column][0] = board.prefix_high[column][0] = 0
        for i in range(layout.size[column]):
            push(board, column, layout.card[column][i])
        board.left += layout.size[column]
        count_in(board, column)
    for column in range(board.columns):
        count_out(board, column)
        settle(board, column)
        count_in(board, column)


cdef void layout_of(Layout* layout, const Board* board) noexcept nogil:
    """The position as a layout of its own."""
    cdef int column
    for column in range(board.columns):
        layout.size[column] = board.size[column]
        memcpy(layout.card[column], board.card[column], board.size[column])
    set_layout(layout, board.columns, board.ranks)


cdef inline void push(Board* board, int column, int card) noexcept nogil:
    cdef int size = board.size[column]
    board.card[column][size] = card
    board.prefix_low[column][size + 1] = hash_card(board.prefix_low[column][size], card)
    board.prefix_high[column][size + 1] = hash_card_high(board.prefix_high[column][size], card)
    board.size[column] = size + 1


cdef inline void count_in(Board* board, int column) noexcept nogil:
    board.low += scatter(board.prefix_low[column][board.size[column]])
    board.high += scatter(board.prefix_high[column][board.size[column]])


cdef inline void count_out(Board* board, int column) noexcept nogil:
    board.low -= scatter(board.prefix_low[column][board.size[column]])
    board.high -= scatter(board.prefix_high[column][board.size[column]])


cdef int settle(Board* board, int column) noexcept nogil:
    """Let the complete runs on top of a column leave; how many did. The key is the caller's."""
    cdef int runs = 0
    while run_length(board, column) >= board.ranks:
        board.suit[board.removed] = board.card[column][board.size[column] - 1] & 3
        board.removed += 1
        board.size[column] -= board.ranks
        board.left -= board.ranks
        runs += 1
    return runs


cdef void put_back(Board* board, int column, int runs) noexcept nogil:
    """Undo `settle`."""
    cdef int rank
    while runs > 0:
        runs -= 1
        board.removed -= 1
        board.left += board.ranks
        for rank in range(board.ranks - 1, -1, -1):
            push(board, column, rank << 2 | board.suit[board.removed])


cdef bint is_legal(const Board* board, int source, int target, int count) noexcept nogil:
    cdef int head
    if source >= board.columns or target >= board.columns or source == target:
        return False
    if count < 1 or count > run_length(board, source):
        return False
    if board.size[target] == 0:
        return True
    head = board.card[source][board.size[source] - count]
    return (board.card[target][board.size[target] - 1] >> 2) == (head >> 2) + 1


cdef Step play(Board* board, int source, int target, int count) noexcept nogil:
    """Make a legal move."""
    cdef Step step
    cdef int i, first = board.size[source] - count
    count_out(board, source)
    count_out(board, target)
    for i in range(count):
        push(board, target, board.card[source][first + i])
    board.size[source] = first
    step.source = source
    step.target = target
    step.count = count
    step.from_target = settle(board, target)
    step.from_source = settle(board, source)
    count_in(board, source)
    count_in(board, target)
    return step


cdef void take_back(Board* board, Step step) noexcept nogil:
    """Undo the last move."""
    cdef int i, first
    count_out(board, step.source)
    count_out(board, step.target)
    put_back(board, step.source, step.from_source)
    put_back(board, step.target, step.from_target)
    first = board.size[step.target] - step.count
    for i in range(step.count):
        push(board, step.source, board.card[step.target][first + i])
    board.size[step.target] = first
    count_in(board, step.source)
    count_in(board, step.target)


cdef bint foresee(
    const Board* board, int source, int target, int count, uint64_t* low, uint64_t* high
) noexcept nogil:
    """The key after a legal move; false if a run may leave by it."""
    cdef int i, size = board.size[target], first = board.size[source] - count
    cdef const uint8_t* unit = board.card[source] + first
    cdef uint64_t to_low, to_high
    if unit[count - 1] < 4 and size + count >= board.ranks:
        return False
    if first > 0 and board.card[source][first - 1] < 4:
        return False
    to_low = board.prefix_low[target][size]
    to_high = board.prefix_high[target][size]
    low[0] = board.low - scatter(to_low) - scatter(board.prefix_low[source][board.size[source]])
    high[0] = board.high - scatter(to_high) - scatter(board.prefix_high[source][board.size[source]])
    for i in range(count):
        to_low = hash_card(to_low, unit[i])
        to_high = hash_card_high(to_high, unit[i])
    low[0] += scatter(to_low) + scatter(board.prefix_low[source][first])
    high[0] += scatter(to_high) + scatter(board.prefix_high[source][first])
    return True


cdef void check_board(const Board* board) noexcept nogil:
    """The invariants of a board: all that is kept up by moves is what it is when counted afresh."""
    cdef uint64_t low = 0, high = 0, prefix_low, prefix_high
    cdef int column, i, left = 0
    for column in range(board.columns):
        prefix_low = prefix_high = 0
        for i in range(board.size[column]):
            prefix_low = hash_card(prefix_low, board.card[column][i])
            prefix_high = hash_card_high(prefix_high, board.card[column][i])
            invariant(board.prefix_low[column][i + 1] == prefix_low)
            invariant(board.prefix_high[column][i + 1] == prefix_high)
        low += scatter(prefix_low)
        high += scatter(prefix_high)
        left += board.size[column]
        invariant(run_length(board, column) < board.ranks)
    invariant(low == board.low and high == board.high and left == board.left)


# --- Lines --------------------------------------------------------------------------------------------------


cdef bint append(Line* line, uint32_t move) noexcept nogil:
    """Add a move; false if memory does not allow it."""
    cdef uint64_t room
    cdef void* block
    if line.length == line.room:
        room = 2 * line.room if line.room else 512
        if room * sizeof(uint32_t) > line.max_bytes:
            return False
        block = realloc(line.move, room * sizeof(uint32_t))
        if block == NULL:
            return False
        line.move = <uint32_t*>block
        line.room = room
    line.move[line.length] = move
    line.length += 1
    return True


cdef void free_line(Line* line) noexcept nogil:
    free(line.move)
    line.move = NULL
    line.length = line.room = 0


cdef bint wins(const Line* line, const Layout* layout) noexcept nogil:
    """Whether all moves are legal from ``layout`` on and no card is left."""
    cdef Board board
    cdef uint64_t i
    cdef uint32_t move
    set_board(&board, layout)
    for i in range(line.length):
        move = line.move[i]
        if not is_legal(&board, move & 15, move >> 4 & 15, move >> 8):
            return False
        play(&board, move & 15, move >> 4 & 15, move >> 8)
    return board.left == 0


cdef void shorten_line(Line* line, const Layout* layout) noexcept nogil:
    """Leave out the first of two moves of one run where the second can be made from where it lay first, and
    both if it goes back there."""
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


cdef bint leave_out(Line* line, uint64_t first, Line* trial, const Layout* layout) noexcept nogil:
    """Try to do without move ``first``: alone, or by moving its run later from where it lies now."""
    cdef uint64_t i
    cdef uint32_t move = line.move[first], later
    cdef uint32_t source = move & 15, target = move >> 4 & 15
    memcpy(trial.move, line.move, first * sizeof(uint32_t))
    for i in range(first + 1, line.length):
        later = line.move[i]
        if (later & 15) == target and (later >> 8) >= (move >> 8):
            trial.length = line.length - 1
            memcpy(trial.move + first, line.move + first + 1, (line.length - first - 1) * sizeof(uint32_t))
            if (later >> 4 & 15) == source:
                trial.length = line.length - 2
                memcpy(trial.move + i - 1, line.move + i + 1, (line.length - i - 1) * sizeof(uint32_t))
            else:
                trial.move[i - 1] = make_move(source, later >> 4 & 15, later >> 8)
            if wins(trial, layout):
                memcpy(line.move, trial.move, trial.length * sizeof(uint32_t))
                line.length = trial.length
                return True
            return False
        if (later & 15) == target or (later >> 4 & 15) == source:
            return False
    return False
