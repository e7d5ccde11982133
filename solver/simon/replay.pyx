"""The rules of the Simon family once more, plain and compiled, to check the kernel by.

Shares no code and no representation with the kernel: whole columns of `rules.cards` numbers, no pruning, no
hashing of its verdicts. `replays` plays lines; `explore` is the brute force that tests compare with.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset

from ..core.hash_set cimport Explored, add_record, free_explored, open_explored, record_at

from ...rules import check_family, simon as rules

cdef enum:
    RECORD = 72         # bytes of a stored state: its cards and one mark a column
    MARK = 255

cdef uint64_t UNLIMITED = <uint64_t>0xFFFFFFFFFFFFFFFF


cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns,
                    int ranks) noexcept nogil:
    """Lay out shuffled cards row by row; complete runs leave."""
    cdef int row, column, dealt = 0
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    for row in range(MOST_CARDS):
        for column in range(columns):
            if dealt < count and row < sizes[column]:
                game.card[column][row] = cards[dealt]
                game.size[column] = row + 1
                dealt += 1
    for column in range(columns):
        settle(game, column)


cdef int run_length(const Game* game, int column) noexcept nogil:
    """The number of cards in the longest run at the top end of a column."""
    cdef int size = game.size[column], length = 1
    if size == 0:
        return 0
    while length < size and game.card[column][size - length - 1] == game.card[column][size - length] + 4:
        length += 1
    return length


cdef void settle(Game* game, int column) noexcept nogil:
    """Let the complete runs on top of a column leave."""
    while game.size[column] > 0 and run_length(game, column) == game.ranks:
        game.size[column] -= game.ranks


cdef bint play(Game* game, int source, int target, int count) noexcept nogil:
    """Move the top ``count`` cards of ``source``; false, with nothing changed, if that is illegal."""
    cdef int i, head, size
    if source < 0 or source >= game.columns or target < 0 or target >= game.columns or source == target:
        return False
    if count < 1 or count > run_length(game, source):
        return False
    head = game.card[source][game.size[source] - count]
    size = game.size[target]
    if size > 0 and (game.card[target][size - 1] >> 2) != (head >> 2) + 1:
        return False
    for i in range(count):
        game.card[target][size + i] = game.card[source][game.size[source] - count + i]
    game.size[target] += count
    game.size[source] -= count
    settle(game, target)
    settle(game, source)
    return True


cdef bint is_won(const Game* game) noexcept nogil:
    """Test whether no card is left."""
    cdef int column
    for column in range(game.columns):
        if game.size[column] > 0:
            return False
    return True


# --- Brute force --------------------------------------------------------------------------------------------

cdef struct Waiting:        # depth first: the records not expanded yet
    uint32_t* numbers
    uint32_t count
    uint32_t room


cdef int compare_columns(const Game* game, int one, int other) noexcept nogil:
    if game.size[one] != game.size[other]:
        return <int>game.size[other] - <int>game.size[one]
    return memcmp(game.card[one], game.card[other], game.size[one])


cdef void write_record(const Game* game, uint8_t* record) noexcept nogil:
    """The columns in order of size and content: equal exactly for interchangeable states."""
    cdef int i, j, column, length = 0
    cdef int order[MOST_COLUMNS]
    for i in range(game.columns):
        j = i
        while j > 0 and compare_columns(game, order[j - 1], i) > 0:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    memset(record, 0, RECORD)
    for i in range(game.columns):
        column = order[i]
        memcpy(record + length, game.card[column], game.size[column])
        length += game.size[column]
        record[length] = MARK
        length += 1


cdef void read_record(Game* game, const uint8_t* record) noexcept nogil:
    cdef int column = 0, at = 0
    memset(game.size, 0, sizeof(game.size))
    while column < game.columns:
        if record[at] == MARK:
            column += 1
        else:
            game.card[column][game.size[column]] = record[at]
            game.size[column] += 1
        at += 1


cdef bint wait(Waiting* waiting, uint32_t number) noexcept nogil:
    """Keep a number for later; false if memory runs out."""
    cdef void* block
    cdef uint32_t room = 2 * waiting.room if waiting.room else 256
    if waiting.count == waiting.room:
        block = realloc(waiting.numbers, <uint64_t>room * sizeof(uint32_t))
        if block == NULL:
            return False
        waiting.numbers = <uint32_t*>block
        waiting.room = room
    waiting.numbers[waiting.count] = number
    waiting.count += 1
    return True


cdef int add(Explored* explored, Waiting* waiting, const Game* game) noexcept nogil:
    """Store a state, see `add_record`, and let a new one wait if there is ``waiting``."""
    cdef uint8_t record[RECORD]
    cdef int added
    write_record(game, record)
    added = add_record(explored, record)
    if added == 1 and waiting != NULL and not wait(waiting, explored.count - 1):
        return -1
    return added


cdef int expand(Game* game, Explored* explored, Waiting* waiting, uint32_t state,
                uint32_t max_states) noexcept nogil:
    """Add all successors of a stored state: 1 if one is won, -2 at the limit, else 0."""
    cdef int source, target, count
    cdef Game child
    read_record(game, record_at(explored, state))
    for source in range(game.columns):
        for count in range(1, run_length(game, source) + 1):
            for target in range(game.columns):
                child = game[0]
                if not play(&child, source, target, count):
                    continue
                if is_won(&child):
                    return 1
                if explored.count >= max_states or add(explored, waiting, &child) < 0:
                    return -2
    return 0


cdef int breadth_first(Game* game, Explored* explored, uint32_t max_states) noexcept nogil:
    """The fewest moves that win; -1: no line does; -2: more than ``max_states`` states."""
    cdef uint32_t i = 0, layer_end
    cdef int outcome, moves = 0
    if is_won(game):
        return 0
    if add(explored, NULL, game) < 0:
        return -2
    while i < explored.count:
        layer_end = explored.count
        moves += 1
        while i < layer_end:
            outcome = expand(game, explored, NULL, i, max_states)
            if outcome != 0:
                return moves if outcome == 1 else outcome
            i += 1
    return -1


cdef int depth_first(Game* game, Explored* explored, Waiting* waiting, uint32_t max_states) noexcept nogil:
    """0: some line wins; -1: none does; -2: more than ``max_states`` states."""
    cdef int outcome
    if is_won(game):
        return 0
    if add(explored, waiting, game) < 0:
        return -2
    while waiting.count > 0:
        waiting.count -= 1
        outcome = expand(game, explored, waiting, waiting.numbers[waiting.count], max_states)
        if outcome != 0:
            return 0 if outcome == 1 else outcome
    return -1


cdef void load(Game* game, state) except *:
    check_family(state, rules)
    memset(game, 0, sizeof(Game))
    if len(state.columns) > MOST_COLUMNS or sum(map(len, state.columns)) > MOST_CARDS:
        raise ValueError(
            f"expected up to {MOST_COLUMNS} columns and {MOST_CARDS} cards, "
            f"got {len(state.columns)} and {sum(map(len, state.columns))}"
        )
    game.columns = len(state.columns)
    game.ranks = state.deck.ranks
    for i, column in enumerate(state.columns):
        game.size[i] = len(column)
        for j, card in enumerate(column):
            game.card[i][j] = card
    for i in range(game.columns):
        settle(game, i)


def explore(state, uint32_t max_states=1000000, bint shortest=True):
    """The fewest moves that win ``state`` of `rules.simon`, by plain search through all states.

    Returns (moves, states stored); moves is -1 if no line wins, None if more than ``max_states`` states are
    needed. Without ``shortest`` the search is depth first, and moves is 0 for any win. Raises ValueError for
    positions too large to store: cards and columns may be 72.
    """
    cdef Game game
    cdef Explored explored
    cdef Waiting waiting
    cdef int moves
    load(&game, state)
    held = sum(map(len, state.columns))
    if held + len(state.columns) > RECORD:
        raise ValueError(
            f"expected up to {RECORD} cards and columns for brute force, got {held + len(state.columns)}"
        )
    memset(&waiting, 0, sizeof(Waiting))
    try:
        if not open_explored(&explored, RECORD, UNLIMITED):
            raise MemoryError
        with nogil:
            if shortest:
                moves = breadth_first(&game, &explored, max_states)
            else:
                moves = depth_first(&game, &explored, &waiting, max_states)
        return (None if moves == -2 else moves), explored.count
    finally:
        free_explored(&explored)
        free(waiting.numbers)


def accepts(state, move):
    """Test whether ``move``, of `rules.simon`, is legal in ``state``."""
    cdef Game game
    load(&game, state)
    return play(&game, move.source, move.target, move.count)


def replays(state, moves):
    """Test whether ``moves``, of `rules.simon`, are all legal from ``state`` on and win it."""
    cdef Game game
    load(&game, state)
    for move in moves:
        if not play(&game, move.source, move.target, move.count):
            return False
    return is_won(&game)
