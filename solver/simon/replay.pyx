"""The rules of the Simon family once more, plain and compiled, to check the kernel by.

Shares no code and no representation with the kernel: whole columns of `rules.cards` numbers, no pruning, no
hashing of its verdicts. `replays` plays lines; `explore` is the brute force that tests compare with.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..core.hash_set cimport Explored, add_record, free_explored, open_explored, record_at
from ..core.piles cimport are_empty, deal_rows, load_columns, put, read_columns, write_columns

from ...rules import check_family, simon as rules

cdef enum:
    RECORD = 72         # bytes of a stored state

cdef uint64_t UNLIMITED = <uint64_t>0xFFFFFFFFFFFFFFFF


cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns,
                    int ranks) noexcept nogil:
    """Lay out shuffled cards row by row; complete runs leave."""
    cdef int column
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    deal_rows(game.column, columns, sizes, cards, count)
    for column in range(columns):
        settle(game, column)


cdef int run_length(const Pile* column) noexcept nogil:
    """The number of cards in the longest run at the top end of a column."""
    cdef int size = column.count, length = 1
    if size == 0:
        return 0
    while length < size and column.card[size - length - 1] == column.card[size - length] + 4:
        length += 1
    return length


cdef void settle(Game* game, int column) noexcept nogil:
    """Let the complete runs on top of a column leave."""
    while game.column[column].count > 0 and run_length(&game.column[column]) == game.ranks:
        game.column[column].count -= game.ranks


cdef bint play(Game* game, int source, int target, int count) noexcept nogil:
    """Move the top ``count`` cards of ``source``; false, with nothing changed, if that is illegal."""
    cdef int i, size
    cdef Pile* run
    cdef Pile* onto
    if source < 0 or source >= game.columns or target < 0 or target >= game.columns or source == target:
        return False
    run, onto = &game.column[source], &game.column[target]
    if count < 1 or count > run_length(run):
        return False
    size = run.count - count
    if onto.count > 0 and (onto.card[onto.count - 1] >> 2) != (run.card[size] >> 2) + 1:
        return False
    for i in range(count):
        put(onto, run.card[size + i])
    run.count = size
    settle(game, target)
    settle(game, source)
    return True


cdef bint is_won(const Game* game) noexcept nogil:
    return are_empty(game.column, game.columns)


# --- Brute force --------------------------------------------------------------------------------------------

cdef int add(Explored* explored, const Game* game) noexcept nogil:
    """Store the columns in order, equal for interchangeable states; see `add_record`."""
    cdef uint8_t record[RECORD]
    memset(record, 0, RECORD)
    write_columns(game.column, NULL, game.columns, record)
    return add_record(explored, record)


cdef int expand(Game* game, Explored* explored, uint32_t state, uint32_t max_states) noexcept nogil:
    """Add all successors of a stored state: 1 if one is won, -2 at the limit, else 0."""
    cdef int source, target, count
    cdef Game child
    read_columns(game.column, NULL, game.columns, record_at(explored, state))
    for source in range(game.columns):
        for count in range(1, run_length(&game.column[source]) + 1):
            for target in range(game.columns):
                child = game[0]
                if not play(&child, source, target, count):
                    continue
                if is_won(&child):
                    return 1
                if explored.count >= max_states or add(explored, &child) < 0:
                    return -2
    return 0


cdef int search(Game* game, Explored* explored, uint32_t* waiting, uint32_t max_states) noexcept nogil:
    """The fewest moves that win or, depth first if there is room for those ``waiting``, 0 for any; -1: none
    win; -2: more than ``max_states`` states."""
    cdef uint32_t taken = 0, layer_end = 0, held = 1, number, first
    cdef int outcome, moves = 0
    if is_won(game):
        return 0
    if add(explored, game) < 0:
        return -2
    if waiting != NULL:
        waiting[0] = 0
    while taken < explored.count:
        number = taken
        if waiting != NULL:
            held -= 1
            number = waiting[held]
        elif taken == layer_end:
            layer_end = explored.count
            moves += 1
        taken += 1
        first = explored.count
        outcome = expand(game, explored, number, max_states)
        if outcome != 0:
            return moves if outcome == 1 else outcome
        if waiting != NULL:
            for number in range(first, explored.count):
                waiting[held] = number
                held += 1
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
    load_columns(game.column, state.columns)
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
    cdef uint32_t* waiting = NULL
    cdef int moves
    load(&game, state)
    held = sum(map(len, state.columns))
    if held + len(state.columns) > RECORD:
        raise ValueError(
            f"expected up to {RECORD} cards and columns for brute force, got {held + len(state.columns)}"
        )
    if not shortest:
        waiting = <uint32_t*>malloc((<uint64_t>max_states + 1) * sizeof(uint32_t))
    try:
        if not open_explored(&explored, RECORD, UNLIMITED) or not shortest and waiting == NULL:
            raise MemoryError
        with nogil:
            moves = search(&game, &explored, waiting, max_states)
        return (None if moves == -2 else moves), explored.count
    finally:
        free_explored(&explored)
        free(waiting)


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
