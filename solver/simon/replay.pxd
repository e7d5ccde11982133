"""Test oracle of the Simon family: a second compiled implementation of the rules, which replays lines.

It shares neither code nor representation with the searches: a column is an array of `rules.cards` numbers,
and there is no pruning and no hashing. tests/native/simon_brute.pyx uses it to search all states.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..core.desk cimport Desk, PlainMove
from ..core.piles cimport Pile, are_empty, deal_rows, load_columns, put, save_columns

cdef enum:
    MOST_COLUMNS = 14
    MOST_CARDS = 104

cdef struct Game:
    int columns, ranks
    Pile column[MOST_COLUMNS]


cdef inline void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns,
                           int ranks) noexcept nogil:
    """Lay out ``count`` shuffled cards row by row into ``columns`` of ``sizes``, and remove complete runs."""
    cdef int column
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    deal_rows(game.column, columns, sizes, cards, count)
    for column in range(columns):
        settle(game, column)


cdef inline int run_length(const Pile* column) noexcept nogil:
    """The number of cards of the longest run on top of ``column``; 0 if it is empty."""
    cdef int size = column.count, length = 1
    if size == 0:
        return 0
    while length < size and column.card[size - length - 1] == column.card[size - length] + 4:
        length += 1
    return length


cdef inline void settle(Game* game, int column) noexcept nogil:
    """Remove the complete runs on top of ``column``."""
    while game.column[column].count > 0 and run_length(&game.column[column]) == game.ranks:
        game.column[column].count -= game.ranks


cdef inline bint is_legal(const Game* game, int source, int target, int count) noexcept nogil:
    """Test if the top ``count`` cards of ``source`` may go to ``target``."""
    cdef int size
    cdef const Pile* run
    cdef const Pile* onto
    if source < 0 or source >= game.columns or target < 0 or target >= game.columns or source == target:
        return False
    run, onto = &game.column[source], &game.column[target]
    if count < 1 or count > run_length(run):
        return False
    size = run.count - count
    return onto.count == 0 or (onto.card[onto.count - 1] >> 2) == (run.card[size] >> 2) + 1


cdef inline bint play(Game* game, int source, int target, int count) noexcept nogil:
    """Move the top ``count`` cards of ``source`` to ``target``, and remove complete runs. Returns False,
    changing nothing, if the move is illegal."""
    cdef int i, size
    cdef Pile* run
    cdef Pile* onto
    if not is_legal(game, source, target, count):
        return False
    run, onto = &game.column[source], &game.column[target]
    size = run.count - count
    for i in range(count):
        put(onto, run.card[size + i])
    run.count = size
    settle(game, target)
    settle(game, source)
    return True


cdef inline bint is_won(const Game* game) noexcept nogil:
    return are_empty(game.column, game.columns)


cdef inline void load_desk(Game* game, const Desk* desk) noexcept nogil:
    """Set ``game`` to ``desk``, without the complete runs on top of its columns."""
    cdef int column
    memset(game, 0, sizeof(Game))
    game.columns = desk.columns
    game.ranks = desk.ranks
    load_columns(game.column, desk)
    for column in range(desk.columns):
        settle(game, column)


cdef inline void save_desk(const Game* game, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck stays."""
    save_columns(game.column, game.columns, desk)


cdef inline int legal_moves_of(const Game* game, PlainMove* moves) noexcept nogil:
    """Write every legal move to ``moves``; return their number."""
    cdef int source, target, length, number = 0
    for source in range(game.columns):
        for target in range(game.columns):
            for length in range(1, run_length(&game.column[source]) + 1):
                if is_legal(game, source, target, length):
                    moves[number] = PlainMove(source, target, length, -1, -1)
                    number += 1
    return number
