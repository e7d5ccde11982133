"""Independent rules of Chessboard and Fortress, compiled and as plain as possible, to replay solutions by.

Shares no code and no representation with the kernel: whole columns of `rules.cards` numbers, single-card
moves, no pruning. Replays the solutions of batches; `explore` is the brute force that tests compare with."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..core.hash_set cimport Explored, add_record, free_explored, open_explored, record_at
from ..core.piles cimport are_empty, deal_rows, load_columns, put, read_columns, write_columns

from ...rules import check_family
from ...rules import chessboard as rules

cdef enum:
    RECORD = 48         # bytes of a stored state: foundations, base, columns
    LARGEST = RECORD - 5

cdef uint64_t UNLIMITED = <uint64_t>0xFFFFFFFFFFFFFFFF


cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns, int ranks,
                    bint wrap) noexcept nogil:
    """Lay out shuffled cards row by row."""
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    game.wrap = wrap
    game.base = -1 if wrap else 0
    deal_rows(game.column, columns, sizes, cards, count)


cdef bint are_neighbours(const Game* game, int card, int other) noexcept nogil:
    """Test if two cards may lie on each other."""
    cdef int apart = (card >> 2) - (other >> 2)
    if (card & 3) != (other & 3) or apart == 0:
        return False
    if apart < 0:
        apart = -apart
    return apart == 1 or (game.wrap and apart == game.ranks - 1)


cdef bint play(Game* game, int source, int target) noexcept nogil:
    """Move the top card of a column to one or the FOUNDATION; false, with nothing changed, if illegal."""
    cdef int card, suit, onto
    if source < 0 or source >= game.columns or game.column[source].count == 0 or target >= game.columns:
        return False
    card = game.column[source].card[game.column[source].count - 1]
    suit = card & 3
    if target == FOUNDATION:
        if game.base < 0:
            game.base = card >> 2
        elif game.up[suit] == game.ranks or (card >> 2) != (game.base + game.up[suit]) % game.ranks:
            return False
        game.up[suit] += 1
        game.column[source].count -= 1
        return True
    if target < 0 or target == source:
        return False
    if game.column[target].count > 0:
        onto = game.column[target].card[game.column[target].count - 1]
        if not are_neighbours(game, card, onto):
            return False
    put(&game.column[target], card)
    game.column[source].count -= 1
    return True


cdef bint is_won(const Game* game) noexcept nogil:
    return are_empty(game.column, game.columns)


# --- Brute force ---------------------------------------------------------------------------------------

cdef int add(Explored* explored, const Game* game) noexcept nogil:
    """Store all that can change, columns in order: equal for interchangeable states. See `add_record`."""
    cdef uint8_t record[RECORD]
    memset(record, 0, RECORD)
    memcpy(record, game.up, 4)
    record[4] = game.base + 1
    write_columns(game.column, NULL, game.columns, record + 5)
    return add_record(explored, record)


cdef int breadth_first(Game* game, Explored* explored, uint32_t max_states) noexcept nogil:
    """The fewest moves that win; -1: no line does; -2: more than ``max_states`` states."""
    cdef uint32_t i = 0, layer_end
    cdef int source, target, moves = 0
    cdef const uint8_t* record
    cdef Game child
    if is_won(game):
        return 0
    if add(explored, game) < 0:
        return -2
    while i < explored.count:
        layer_end = explored.count
        moves += 1
        while i < layer_end:
            record = record_at(explored, i)
            memcpy(game.up, record, 4)
            game.base = record[4] - 1
            read_columns(game.column, NULL, game.columns, record + 5)
            i += 1
            for source in range(game.columns):
                for target in range(FOUNDATION, game.columns):
                    child = game[0]
                    if not play(&child, source, target):
                        continue
                    if is_won(&child):
                        return moves
                    if explored.count >= max_states or add(explored, &child) < 0:
                        return -2
    return -1


def explore(state, uint32_t max_states=1000000):
    """The fewest moves that win ``state`` of `rules.chessboard`, by plain breadth-first search.

    Returns (moves, states stored); moves is -1 if the deal cannot be won, None if more than ``max_states``
    states are needed. Raises ValueError for positions too large to store: cards and columns may be 43.
    """
    cdef Game game
    cdef Explored explored
    cdef int moves
    check_family(state, rules)
    held = sum(map(len, state.columns))
    if held + len(state.columns) > LARGEST:
        raise ValueError(f"{held} cards in {len(state.columns)} columns are too many for brute force")
    load(&game, state)
    try:
        if not open_explored(&explored, RECORD, UNLIMITED):
            raise MemoryError
        with nogil:
            moves = breadth_first(&game, &explored, max_states)
        return (None if moves == -2 else moves), explored.count
    finally:
        free_explored(&explored)


cdef void load(Game* game, state) except *:
    """The game of a state of `rules.chessboard`."""
    memset(game, 0, sizeof(Game))
    game.columns = len(state.columns)
    game.ranks = state.deck.ranks
    game.wrap = state.variant == "chessboard"
    game.base = -1 if state.base is None else state.base
    load_columns(game.column, state.columns)
    for suit in range(4):
        game.up[suit] = state.foundations[suit]


def accepts(state, move):
    """Test if ``move``, of `rules.chessboard`, is legal in ``state``."""
    cdef Game game
    load(&game, state)
    return play(&game, move.source, move.target)


def replays(state, moves):
    """Test if ``moves``, of `rules.chessboard`, are all legal from ``state`` on and win it."""
    cdef Game game
    load(&game, state)
    for move in moves:
        if not play(&game, move.source, move.target):
            return False
    return is_won(&game)
