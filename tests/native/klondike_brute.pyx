"""Brute force over the rules of `replay`: the fewest moves to a win from every reachable state."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from winnable.solver.core.hash_set cimport (
    Explored, add_record, find_record, free_explored, open_explored, record_at,
)
from winnable.solver.core.memory cimport more_room
from winnable.solver.klondike.replay cimport (
    HEAD, MOST_MOVES, RECORD, Game, Move, is_won, legal_moves_of, load, play, read_record, write_record,
)

from dataclasses import replace

cdef enum:
    FAR = 0xFFFFFFFF        # no win is reached from there

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


cdef bint add_edge(Graph* graph, uint32_t source, uint32_t target) noexcept nogil:
    """Note a move; false if memory runs out."""
    if graph.count == graph.capacity:
        graph.capacity = more_room(&graph.edges, graph.capacity, 1024, sizeof(Edge), <uint64_t>1 << 40)
        if graph.capacity == 0:
            return False
    graph.edges[graph.count] = Edge(source, target)
    graph.count += 1
    return True


cdef bint add_distance(Graph* graph, uint32_t number, uint32_t moves) noexcept nogil:
    """Note the moves of the next state; false if memory runs out."""
    while number >= graph.moves_capacity:
        graph.moves_capacity = more_room(
            &graph.moves, graph.moves_capacity, 1024, sizeof(uint32_t), <uint64_t>1 << 40
        )
        if graph.moves_capacity == 0:
            return False
    graph.moves[number] = moves
    return True


cdef bint add_state(Graph* graph, const Game* game, uint32_t max_states, uint32_t* number) noexcept nogil:
    """Find or add a state; false if there are too many, or memory runs out."""
    cdef uint8_t record[RECORD]
    cdef uint32_t slot
    write_record(game, record)
    if find_record(&graph.explored, record, &slot):
        number[0] = graph.explored.slots[slot] - 1
        return True
    number[0] = graph.explored.count
    return (graph.explored.count < max_states and add_record(&graph.explored, record) >= 0
            and add_distance(graph, number[0], 0 if is_won(game) else FAR))


cdef bint explore_all(Graph* graph, Game* game, uint32_t max_states) noexcept nogil:
    """Find all states that can be reached, and the moves between them; false if there are too many."""
    cdef Move moves[MOST_MOVES]
    cdef Game child
    cdef uint32_t number = 0, target
    cdef int i
    if not add_state(graph, game, max_states, &target):
        return False
    while number < graph.explored.count:
        read_record(game, record_at(&graph.explored, number))
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


def distances(state, uint32_t max_states=100000):
    """List each reachable state of ``state``, of `rules.klondike`, with the fewest moves from there to a win,
    None where there is none; the first is ``state`` itself, up to the order of the columns.

    None if there are more than ``max_states``. Raises ValueError for more cards than brute force takes.
    """
    cdef Graph graph
    cdef Game game
    cdef bint ended = False
    cdef uint32_t i
    if sum(map(len, state.columns)) + len(state.stock + state.waste) + 2 * len(state.columns) + HEAD > RECORD:
        raise ValueError(f"expected a state of at most {RECORD} bytes of record")
    load(&game, state)
    memset(&graph, 0, sizeof(Graph))
    try:
        if not open_explored(&graph.explored, RECORD, <uint64_t>0xFFFFFFFFFFFFFFFF):
            raise MemoryError
        with nogil:
            ended = explore_all(&graph, &game, max_states)
            if ended:
                settle(&graph)
        if not ended:
            return None
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
    return replace(
        state,
        columns=columns,
        hidden=tuple(game.face_down[i] for i in range(game.columns)),
        stock=tuple(game.stock.card[i] for i in range(game.stock.count - 1, -1, -1)),
        waste=tuple(game.waste.card[i] for i in range(game.waste.count)),
        foundations=tuple(game.foundation[i].count for i in range(4)),
        redeals=game.redeals,
    )
