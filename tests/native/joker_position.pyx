"""Test hooks: the rules of `position`, lines made shorter by `line`, and the lower bound of `shortest`."""

from winnable.solver.core.border cimport move_of, read_joker, step_of

include "../../solver/joker/parts.pxi"

from winnable.rules import check_implemented, find_variant
from winnable.solver.joker import IMPLEMENTS


cdef void load_state(Position* game, state) except *:
    """Set ``game`` to ``state``, of joker or klondike-one-pass. Raises ValueError if it is too large or of
    another family."""
    cdef Desk desk
    check_implemented(state, IMPLEMENTS)
    read_joker(&desk, state)
    load_desk(game, &desk)


def lower_bound(state, int goal):
    """Return the lower bound (J15) of the moves of all lines from ``state``, a `rules.joker.State`, to a
    score of ``goal``. Raises ValueError for a state that is too large."""
    cdef Position game
    load_state(&game, state)
    return needed_from(&game, goal, has_jokers_left(&game))


def clean(state, moves):
    """Return the legal line ``moves`` from ``state`` without the moves that `shorten` drops."""
    cdef Position game
    cdef int count = len(moves), i
    load_state(&game, state)
    cdef PlainMove* steps = <PlainMove*>malloc((count + 1) * sizeof(PlainMove))
    if steps == NULL:
        raise MemoryError
    try:
        for i in range(count):
            steps[i] = step_of(moves[i], "joker")
        with nogil:
            count = shorten(&game, steps, count)
        family = find_variant(state.variant).family
        return [move_of(steps[i], family) for i in range(count)]
    finally:
        free(steps)


def replay(state, moves):
    """Return the score that ``moves`` reach from ``state``. Raises ValueError at an illegal move, naming its
    number, counted from 1."""
    cdef Position game
    load_state(&game, state)
    for number, move in enumerate(moves, 1):
        if not play(&game, step_of(move, "joker")):
            raise ValueError(f"move {number} ({move}) is illegal")
    return score_of(&game)


def legal_moves(state, bint is_distinct=False):
    """Return the legal moves of ``state`` that `moves_of` writes, as `move_of` does."""
    cdef Position game
    cdef PlainMove steps[MOST_MOVES]
    cdef int i
    load_state(&game, state)
    family = find_variant(state.variant).family
    return [move_of(steps[i], family) for i in range(moves_of(&game, steps, is_distinct))]
