"""Test hooks: the rules of `replay`, and brute force over them: verdicts, and the fewest moves to a win from
every state."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from winnable.solver.core.border cimport read_klondike
from winnable.solver.core.desk cimport Desk, PlainMove
from winnable.solver.core.hash_set cimport (
    Explored, add_record, find_record, free_explored, open_explored, record_at,
)
from winnable.solver.core.memory cimport more_room
from winnable.solver.core.piles cimport NONE, read_columns, write_columns
from winnable.solver.klondike.replay cimport (
    MOST_MOVES, Game, is_won, legal_moves_of, load_desk, play,
)

import dataclasses

from winnable.rules import check_implemented, klondike as rules
from winnable.solver.klondike import REPLAYS

cdef enum:
    FAR = 0xFFFFFFFF        # no win is reached from there
    HEAD = 8                # bytes of a stored state: lengths, redeals, foundations; then the cards
    RECORD = 96

cdef struct Edge:           # a move between two states
    uint32_t source
    uint32_t target

cdef struct Graph:
    Explored explored
    Edge* edges
    uint64_t count
    uint64_t capacity
    uint32_t* moves         # of each state, to a win
    uint64_t moves_capacity

# --- Rules --------------------------------------------------------------------------------------------------


cdef void load_state(Game* game, state) except *:
    """Set ``game`` to a `rules.klondike.State`. Raises ValueError if it is too large or incomplete."""
    cdef Desk desk
    check_implemented(state, REPLAYS)
    read_klondike(&desk, state)
    load_desk(game, &desk)


def replay(state, moves):
    """Test whether ``moves`` win from ``state``. Raises ValueError at an illegal move, naming its number,
    counted from 1."""
    cdef Game game
    load_state(&game, state)
    for number, move in enumerate(moves, 1):
        if not play(&game, move.source, move.target, move.count, NONE if move.suit is None else move.suit):
            raise ValueError(f"move {number} ({move}) is illegal")
    return bool(is_won(&game))


def legal_moves(state):
    """Return every legal move of ``state``, as moves of `rules.klondike`."""
    cdef Game game
    cdef PlainMove moves[MOST_MOVES]
    cdef int i
    load_state(&game, state)
    return [
        rules.Move(moves[i].source, moves[i].target, moves[i].count,
                   None if moves[i].suit == NONE else moves[i].suit)
        for i in range(legal_moves_of(&game, moves))
    ]


cdef uint64_t lines_of(const Game* game, int depth) noexcept nogil:
    """Return the number of sequences of ``depth`` legal moves from ``game``."""
    cdef PlainMove moves[MOST_MOVES]
    cdef Game after
    cdef int i
    cdef uint64_t lines = 0
    if depth == 0:
        return 1
    for i in range(legal_moves_of(game, moves)):
        after = game[0]
        play(&after, moves[i].source, moves[i].target, moves[i].count, moves[i].suit)
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


cdef void write_record(const Game* game, uint8_t* record) noexcept nogil:
    """Write all that can change in a game, with sorted columns: equal exactly for interchangeable states."""
    cdef int i, length = HEAD
    memset(record, 0, RECORD)
    record[0] = game.stock.count
    record[1] = game.waste.count
    record[2] = game.redeals
    for i in range(4):
        record[4 + i] = game.foundation[i].count
    memcpy(record + length, game.stock.card, game.stock.count)
    length += game.stock.count
    memcpy(record + length, game.waste.card, game.waste.count)
    length += game.waste.count
    write_columns(game.column, game.face_down, game.columns, record + length)


cdef void read_record(Game* game, const uint8_t* record) noexcept nogil:
    """Restore a state of the game loaded."""
    cdef int i, rank, at = HEAD
    game.stock.count = record[0]
    game.waste.count = record[1]
    game.redeals = record[2]
    for i in range(4):
        game.foundation[i].count = record[4 + i]
        for rank in range(record[4 + i]):
            game.foundation[i].card[rank] = 4 * rank + i
    memcpy(game.stock.card, record + at, game.stock.count)
    at += game.stock.count
    memcpy(game.waste.card, record + at, game.waste.count)
    at += game.waste.count
    read_columns(game.column, game.face_down, game.columns, record + at)


cdef bint add_edge(Graph* graph, uint32_t source, uint32_t target) noexcept nogil:
    """Store a move as an edge. Returns False if memory runs out."""
    if graph.count == graph.capacity and not more_room(
            &graph.edges, &graph.capacity, 1024, sizeof(Edge), <uint64_t>1 << 40):
        return False
    graph.edges[graph.count] = Edge(source, target)
    graph.count += 1
    return True


cdef bint add_distance(Graph* graph, uint32_t number, uint32_t moves) noexcept nogil:
    """Store the fewest ``moves`` of the state ``number``. Returns False if memory runs out."""
    while number >= graph.moves_capacity:
        if not more_room(&graph.moves, &graph.moves_capacity, 1024, sizeof(uint32_t), <uint64_t>1 << 40):
            return False
    graph.moves[number] = moves
    return True


cdef bint add_state(Graph* graph, const Game* game, uint32_t max_states, uint32_t* number) noexcept nogil:
    """Find or add a state. Returns False if there are too many, or memory runs out."""
    cdef uint8_t record[RECORD]
    cdef uint32_t slot
    write_record(game, record)
    if find_record(&graph.explored, record, &slot):
        number[0] = graph.explored.slots[slot] - 1
        return True
    number[0] = graph.explored.count
    return (graph.explored.count < max_states and add_record(&graph.explored, record) >= 0
            and add_distance(graph, number[0], 0 if is_won(game) else FAR))


cdef bint explore_all(Graph* graph, Game* game, uint32_t max_states, bint until_won) noexcept nogil:
    """Store all reachable states and the moves between them; with ``until_won`` only up to a won state, which
    ``game`` then is. Returns False if there are too many states."""
    cdef PlainMove moves[MOST_MOVES]
    cdef Game child
    cdef uint32_t number = 0, target
    cdef int i
    if not add_state(graph, game, max_states, &target):
        return False
    while number < graph.explored.count:
        read_record(game, record_at(&graph.explored, number))
        if until_won and is_won(game):
            return True
        for i in range(legal_moves_of(game, moves)):
            child = game[0]
            play(&child, moves[i].source, moves[i].target, moves[i].count, moves[i].suit)
            if not add_state(graph, &child, max_states, &target) or not add_edge(graph, number, target):
                return False
        number += 1
    return True


cdef void settle(Graph* graph) noexcept nogil:
    """Compute the moves of all states: one more than those of the best successor."""
    cdef bint changed = True
    cdef uint64_t i
    cdef uint32_t moves
    while changed:
        changed = False
        for i in range(graph.count):
            moves = graph.moves[graph.edges[i].target]
            if moves != FAR and moves + 1 < graph.moves[graph.edges[i].source]:
                graph.moves[graph.edges[i].source] = moves + 1
                changed = True


def explore(state, uint32_t max_states=1000000):
    """Decide ``state`` of `rules.klondike` by expanding every reachable state; None if there are more than
    ``max_states``. Raises ValueError for more cards than brute force takes."""
    return run(state, max_states, True)


def distances(state, uint32_t max_states=100000):
    """List each reachable state of ``state``, of `rules.klondike`, with the fewest moves from there to a win,
    None where there is none; the first is ``state`` itself, up to the order of the columns.

    None if there are more than ``max_states``. Raises ValueError for more cards than brute force takes.
    """
    return run(state, max_states, False)


cdef object run(state, uint32_t max_states, bint until_won):
    """Search for `explore` or, unless ``until_won``, for `distances`."""
    cdef Graph graph
    cdef Game game
    cdef bint ended
    cdef uint32_t i
    if sum(map(len, state.columns)) + len(state.stock + state.waste) + 2 * len(state.columns) + HEAD > RECORD:
        raise ValueError(f"expected a state of at most {RECORD} bytes of record")
    load_state(&game, state)
    memset(&graph, 0, sizeof(Graph))
    try:
        if not open_explored(&graph.explored, RECORD, <uint64_t>0xFFFFFFFFFFFFFFFF):
            raise MemoryError
        with nogil:
            ended = explore_all(&graph, &game, max_states, until_won)
            if ended and not until_won:
                settle(&graph)
        if not ended:
            return None
        if until_won:
            return bool(is_won(&game))
        found = []
        for i in range(graph.explored.count):
            read_record(&game, record_at(&graph.explored, i))
            found.append((state_of(&game, state), None if graph.moves[i] == FAR else graph.moves[i]))
        return found
    finally:
        free_explored(&graph.explored)
        free(graph.edges)
        free(graph.moves)


cdef object state_of(const Game* game, state):
    """Convert a game to a state of `rules.klondike`, with the deck and the rules of ``state``."""
    columns = tuple(
        tuple(game.column[i].card[j] for j in range(game.column[i].count)) for i in range(game.columns)
    )
    return dataclasses.replace(
        state,
        columns=columns,
        hidden=tuple(game.face_down[i] for i in range(game.columns)),
        stock=tuple(game.stock.card[i] for i in range(game.stock.count - 1, -1, -1)),
        waste=tuple(game.waste.card[i] for i in range(game.waste.count)),
        foundations=tuple(game.foundation[i].count for i in range(4)),
        redeals=game.redeals,
    )
