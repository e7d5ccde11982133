"""Test hooks: the rules of `replay`, and brute force over them: the fewest moves that win."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from winnable.solver.chessboard.replay cimport FOUNDATION, Game, deal_game, is_won, load_desk, play
from winnable.solver.core.border cimport read_chessboard
from winnable.solver.core.desk cimport MOST_CARDS, Desk
from winnable.solver.core.hash_set cimport Explored, add_record, free_explored, open_explored, record_at
from winnable.solver.core.piles cimport read_columns, write_columns

from winnable.rules import check_implemented
from winnable.solver.chessboard import REPLAYS

cdef enum:
    MOST_COLUMNS = 10
    RECORD = 48         # bytes of a stored state: foundations, base, columns
    LARGEST = RECORD - 5

cdef uint64_t UNLIMITED = <uint64_t>0xFFFFFFFFFFFFFFFF

# --- Rules --------------------------------------------------------------------------------------------------


cdef void load_state(Game* game, state) except *:
    """Set ``game`` to ``state``, of `rules.chessboard`. Raises ValueError for a state of another family, or
    too many columns or cards."""
    cdef Desk desk
    check_implemented(state, REPLAYS)
    if len(state.columns) > MOST_COLUMNS:
        raise ValueError(f"expected up to {MOST_COLUMNS} columns, got {len(state.columns)}")
    read_chessboard(&desk, state)
    load_desk(game, &desk, state.variant == "chessboard")


def accepts(state, move):
    """Test if ``move``, of `rules.chessboard`, is legal in ``state``."""
    cdef Game game
    load_state(&game, state)
    return play(&game, move.source, move.target)


def replays(state, moves):
    """Test if ``moves``, of `rules.chessboard`, are all legal from ``state`` on and win."""
    cdef Game game
    load_state(&game, state)
    return wins(&game, moves)


def replays_deal(variant, cards, moves):
    """Test the same for the deal of ``cards``, the shuffled deck of ``variant``, which `replay` lays out as
    in a batch."""
    cdef Game game
    cdef uint8_t deck[MOST_CARDS]
    cdef uint8_t sizes[MOST_COLUMNS]
    cdef bint is_chessboard = variant.name == "chessboard"
    if len(cards) > MOST_CARDS or len(variant.sizes) > MOST_COLUMNS:
        raise ValueError(f"expected up to {MOST_CARDS} cards and {MOST_COLUMNS} columns")
    for i, card in enumerate(cards):
        deck[i] = card
    for i, size in enumerate(variant.sizes):
        sizes[i] = size
    deal_game(&game, deck, len(cards), sizes, len(variant.sizes), variant.deck().ranks, is_chessboard,
              is_chessboard)
    return wins(&game, moves)


cdef bint wins(Game* game, moves) except -1:
    """Play ``moves`` as far as they are legal. Returns True if all of them are, and win."""
    for move in moves:
        if not play(game, move.source, move.target):
            return False
    return is_won(game)


# --- Brute force --------------------------------------------------------------------------------------------


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
    held = sum(map(len, state.columns))
    if held + len(state.columns) > LARGEST:
        raise ValueError(f"{held} cards in {len(state.columns)} columns are too many for brute force")
    load_state(&game, state)
    try:
        if not open_explored(&explored, RECORD, UNLIMITED):
            raise MemoryError
        with nogil:
            moves = breadth_first(&game, &explored, max_states)
        return (None if moves == -2 else moves), explored.count
    finally:
        free_explored(&explored)
