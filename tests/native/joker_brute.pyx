"""The oracle of joker and klondike-one-pass, and brute force over its rules: every reachable state, every
move, no pruning."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from winnable.solver.core.border cimport read_joker
from winnable.solver.core.desk cimport Desk, PlainMove
from winnable.solver.core.hash_set cimport Explored, add_record, free_explored, open_explored, record_at
from winnable.solver.core.piles cimport read_columns, write_columns
from winnable.solver.joker.replay cimport (
    JOKERS, MOST_CARDS, MOST_COLUMNS, MOST_MOVES, NONE, Game, legal_moves_of, load_desk, play,
    score,
)

from winnable.rules import joker as joker_rules, klondike as klondike_rules
from winnable.rules.variants import check_implemented
from winnable.solver.joker import REPLAYS

cdef enum:
    HEAD = 12           # bytes of a stored state: its length, stock, waste, jokers, foundations; then cards
    RECORD = HEAD + MOST_CARDS + 2 * MOST_COLUMNS
    MOST_SCORES = 53
    NOWHERE = 255


cdef void load_state(Game* game, state) except *:
    """Set ``game`` to a state of joker or klondike-one-pass. Raises ValueError if it is too large or
    incomplete."""
    cdef Desk desk
    check_implemented(state, REPLAYS)
    read_joker(&desk, state)
    load_desk(game, &desk)


# --- The oracle ---------------------------------------------------------------------------------------------

def replay(state, moves):
    """Return the score that ``moves`` reach from ``state``. Raises ValueError at an illegal move, naming its
    number, counted from 1."""
    cdef Game game
    load_state(&game, state)
    for number, move in enumerate(moves, 1):
        rank = getattr(move, "rank", None)
        if not play(&game, move.source, move.target, move.count, named(move.suit), named(rank)):
            raise ValueError(f"move {number} ({move}) is illegal")
    return score(&game)


cdef int named(number) except? -1:
    """Return a suit or rank as an integer: NONE for None, and a number that is never legal for a negative
    one."""
    if number is None:
        return NONE
    return number if number >= 0 else MOST_CARDS


def legal_moves(state):
    """Return every legal move of ``state``, as moves of its game."""
    cdef Game game
    cdef PlainMove moves[MOST_MOVES]
    cdef int i, count
    load_state(&game, state)
    count = legal_moves_of(&game, moves)
    if not state.deck.jokers:
        return [klondike_rules.Move(moves[i].source, moves[i].target, moves[i].count) for i in range(count)]
    return [
        joker_rules.Move(moves[i].source, moves[i].target, moves[i].count,
                         None if moves[i].suit == NONE else moves[i].suit,
                         None if moves[i].rank == NONE else moves[i].rank)
        for i in range(count)
    ]


cdef uint64_t lines_of(const Game* game, int depth) noexcept nogil:
    """Return the number of sequences of ``depth`` legal moves from ``game``."""
    cdef PlainMove moves[MOST_MOVES]
    cdef Game after
    cdef PlainMove move
    cdef int i
    cdef uint64_t lines = 0
    if depth == 0:
        return 1
    for i in range(legal_moves_of(game, moves)):
        move = moves[i]
        after = game[0]
        play(&after, move.source, move.target, move.count, move.suit, move.rank)
        lines += lines_of(&after, depth - 1)
    return lines


def count_lines(state, int depth):
    """Return the number of sequences of ``depth`` legal moves from ``state`` (perft), 1 at depth 0."""
    cdef Game game
    cdef uint64_t lines
    load_state(&game, state)
    with nogil:
        lines = lines_of(&game, depth)
    return lines


# --- Brute force --------------------------------------------------------------------------------------------

cdef int place_of(const Game* game, int joker) noexcept nogil:
    """The natural whose foundation place ``joker`` fills, or NOWHERE."""
    cdef int suit, rank
    for suit in range(4):
        for rank in range(game.foundation[suit].count):
            if game.foundation[suit].card[rank] == joker:
                return 4 * rank + suit
    return NOWHERE


cdef void write_record(const Game* game, uint8_t* record) noexcept nogil:
    """All that can change in a game, columns in order: equal exactly for interchangeable states."""
    cdef int i, length = HEAD
    record[1] = game.stock.count
    record[2] = game.waste.count
    record[3] = 0
    for i in range(2):
        record[3] |= (game.is_open_ace[i] | game.is_out[i] << 1) << 2 * i
        record[4 + i] = game.declared[i] + 1
        record[6 + i] = place_of(game, JOKERS + i)
    for i in range(4):
        record[8 + i] = game.foundation[i].count
    memcpy(record + length, game.waste.card, game.waste.count)
    length += game.waste.count
    record[0] = length + write_columns(game.column, game.face_down, game.columns, record + length)


cdef void read_record(Game* game, const uint8_t* record) noexcept nogil:
    """Go to a state of the game loaded, whose stock is the same but for its count."""
    cdef int i, rank, at = HEAD
    game.stock.count = record[1]
    game.waste.count = record[2]
    for i in range(2):
        game.is_open_ace[i] = record[3] >> 2 * i & 1
        game.is_out[i] = record[3] >> 2 * i + 1 & 1
        game.declared[i] = <int>record[4 + i] - 1
    for i in range(4):
        game.foundation[i].count = record[8 + i]
        for rank in range(game.foundation[i].count):
            game.foundation[i].card[rank] = 4 * rank + i
    for i in range(2):
        if record[6 + i] != NOWHERE:
            game.foundation[record[6 + i] % 4].card[record[6 + i] // 4] = JOKERS + i
    memcpy(game.waste.card, record + at, game.waste.count)
    at += game.waste.count
    read_columns(game.column, game.face_down, game.columns, record + at)


cdef bint add(Explored* explored, const Game* game) noexcept nogil:
    """Store a state unless it is stored already. Returns False if memory runs out."""
    cdef uint8_t record[RECORD]
    memset(record, 0, RECORD)
    write_record(game, record)
    return add_record(explored, record) >= 0


cdef bint expand(Game* game, Explored* explored, uint32_t state, uint32_t max_states) noexcept nogil:
    """Set ``game`` to a stored state, and add its successors. Returns False if there are too many states."""
    cdef Game child
    cdef PlainMove moves[MOST_MOVES]
    cdef PlainMove move
    cdef int i, count
    read_record(game, record_at(explored, state))
    count = legal_moves_of(game, moves)
    for i in range(count):
        child = game[0]
        move = moves[i]
        play(&child, move.source, move.target, move.count, move.suit, move.rank)
        if explored.count >= max_states or not add(explored, &child):
            return False
    return True


cdef bint expand_all(
    Game* game, Explored* explored, uint32_t max_states, int* fewest
) noexcept nogil:
    """Expand all reachable states, breadth first, and write into ``fewest`` the fewest moves to each score or
    a greater one, -1 for none. Returns False if there are more than ``max_states`` states."""
    cdef uint32_t i = 0, layer_end
    cdef int moves = 0, reached = -1
    for i in range(MOST_SCORES):
        fewest[i] = -1
    i = 0
    if not add(explored, game):
        return False
    while i < explored.count:
        layer_end = explored.count
        while i < layer_end:
            if not expand(game, explored, i, max_states):
                return False
            while reached < score(game):
                reached += 1
                fewest[reached] = moves
            i += 1
        moves += 1
    return True


cdef void search(state, Explored* explored, uint32_t max_states, int* fewest) except *:
    """`expand_all` from a state of `rules.joker`; ``fewest[0]`` is -1 if there are too many states."""
    cdef Game game
    cdef bint ended
    load_state(&game, state)
    if not open_explored(explored, RECORD, <uint64_t>0xFFFFFFFFFFFFFFFF):
        raise MemoryError
    with nogil:
        ended = expand_all(&game, explored, max_states, fewest)
    if not ended:
        fewest[0] = -1


def explore(state, uint32_t max_states=1000000):
    """The greatest score that ``state`` of `rules.joker` can reach, by expanding every reachable state.

    Returns (score, states stored); the score is None if there are more than ``max_states``. Raises ValueError
    for more than 7 columns or 54 cards.
    """
    fewest, count = fewest_moves(state, max_states)
    return (None if fewest is None else len(fewest) - 1), count


def fewest_moves(state, uint32_t max_states=1000000):
    """The fewest moves from ``state`` of `rules.joker` to each score, or a greater one, that can be reached.

    Returns (a list whose index is the score, states stored); the list is None if there are more than
    ``max_states``. Raises ValueError for more than 7 columns or 54 cards.
    """
    cdef Explored explored
    cdef int fewest[MOST_SCORES]
    memset(&explored, 0, sizeof(Explored))
    try:
        search(state, &explored, max_states, fewest)
        known = None if fewest[0] < 0 else [fewest[i] for i in range(MOST_SCORES) if fewest[i] >= 0]
        return known, explored.count
    finally:
        free_explored(&explored)
