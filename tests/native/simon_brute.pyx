"""Test hooks: the rules of `replay`, and brute force over them: the fewest moves that win, or whether any
do."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from winnable.solver.core.border cimport read_simon
from winnable.solver.core.desk cimport MOST_CARDS, Desk
from winnable.solver.core.hash_set cimport Explored, add_record, free_explored, open_explored, record_at
from winnable.solver.core.piles cimport read_columns, write_columns
from winnable.solver.simon.replay cimport (
    MOST_COLUMNS, Game, deal_game, is_won, load_desk, play, run_length,
)

from winnable.rules import check_implemented
from winnable.solver.simon import REPLAYS

cdef enum:
    RECORD = 72         # bytes of a stored state

cdef uint64_t UNLIMITED = <uint64_t>0xFFFFFFFFFFFFFFFF

# --- Rules --------------------------------------------------------------------------------------------------


cdef void load_state(Game* game, state) except *:
    """Set ``game`` to ``state``, of `rules.simon`. Raises ValueError for a state of another family, or too
    many columns or cards."""
    cdef Desk desk
    check_implemented(state, REPLAYS)
    read_simon(&desk, state)
    load_desk(game, &desk)


def accepts(state, move):
    """Test if ``move``, of `rules.simon`, is legal in ``state``."""
    cdef Game game
    load_state(&game, state)
    return play(&game, move.source, move.target, move.count)


def replays(state, moves):
    """Test if ``moves``, of `rules.simon`, are all legal from ``state`` on and win."""
    cdef Game game
    load_state(&game, state)
    return wins(&game, moves)


def replays_deal(variant, cards, moves):
    """Test the same for the deal of ``cards``, the shuffled deck of ``variant``, which `replay` lays out as
    in a batch."""
    cdef Game game
    cdef uint8_t deck[MOST_CARDS]
    cdef uint8_t sizes[MOST_COLUMNS]
    if len(cards) > MOST_CARDS or len(variant.sizes) > MOST_COLUMNS:
        raise ValueError(f"expected up to {MOST_CARDS} cards and {MOST_COLUMNS} columns")
    for i, card in enumerate(cards):
        deck[i] = card
    for i, size in enumerate(variant.sizes):
        sizes[i] = size
    deal_game(&game, deck, len(cards), sizes, len(variant.sizes), variant.deck().ranks)
    return wins(&game, moves)


cdef bint wins(Game* game, moves) except -1:
    """Play ``moves`` as far as they are legal. Returns True if all of them are, and win."""
    for move in moves:
        if not play(game, move.source, move.target, move.count):
            return False
    return is_won(game)


# --- Brute force --------------------------------------------------------------------------------------------


cdef int add(Explored* explored, const Game* game) noexcept nogil:
    """Store the columns in order, equal for interchangeable states; see `add_record`."""
    cdef uint8_t record[RECORD]
    memset(record, 0, RECORD)
    write_columns(game.column, NULL, game.columns, record)
    return add_record(explored, record)


cdef int expand(Game* game, Explored* explored, uint32_t state, uint32_t max_states) noexcept nogil:
    """Add all successors of a stored state. Returns 1 if one of them is won, -2 at the limit, else 0."""
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
    """Search breadth first for the fewest moves to a win; with memory for the states ``waiting`` search depth
    first instead, and return 0 for any win. Returns -1 if there is no win, -2 for more than ``max_states``
    states."""
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
    load_state(&game, state)
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
