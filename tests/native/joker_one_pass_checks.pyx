"""Test hooks of the A* search for one-pass Klondike: its landmarks, and lines by it alone."""

from winnable.solver.core.border cimport move_of, read_joker
from winnable.solver.core.kernel cimport set_unlimited

include "../../solver/joker/parts.pxi"

from winnable.rules import check_implemented, klondike
from winnable.solver.joker import IMPLEMENTS


cdef void load_state(Position* game, state) except *:
    """Set ``game`` to ``state``, of joker or klondike-one-pass. Raises ValueError if it is too large or of
    another family."""
    cdef Desk desk
    check_implemented(state, IMPLEMENTS)
    read_joker(&desk, state)
    load_desk(game, &desk)


def landmarks_of(state, int goal):
    """A lower bound on the moves from ``state`` of `rules.joker`, without jokers, to a score of ``goal``,
    None if it shows that there is no line; and the landmarks found, sets of cards. Raises ValueError for a
    state that is too large."""
    cdef MacroAStar search
    cdef ExactPosition p
    cdef Position game
    cdef Judgement judgement
    load_state(&game, state)
    memset(&search, 0, sizeof(MacroAStar))
    try:
        if not open_macro_astar(&search, &game, goal, 255, <uint64_t>1 << 30):
            raise MemoryError
        if search.last != NO_NODE:
            return search.fewest, []
        search.nodes.queue.first = 255      # all others come later
        find_position(&search, 0, &p)
        judgement = judge_node(&search, 0, &p)
        if judgement == HOPELESS:
            return None, []
        first = search.inherited[0].first
        landmarks = [search.landmarks.cards[first + i] for i in range(search.inherited[0].count)]
        least = search.nodes.nodes[0].moves + search.nodes.nodes[0].needed
        return least, [{card for card in range(NATURALS) if landmark >> card & 1} for landmark in landmarks]
    finally:
        free_macro_astar(&search)


cdef void begin_search(MacroAStar* search, Kernel* kernel, state, int goal, uint64_t most) except *:
    """Begin to look for lines from ``state`` to a score of ``goal``, expanding at most ``most`` states."""
    cdef Position game
    memset(search, 0, sizeof(MacroAStar))
    memset(kernel, 0, sizeof(Kernel))
    set_unlimited(kernel)
    kernel.limits.nodes = most
    begin(kernel)
    load_state(&game, state)
    if not open_macro_astar(search, &game, goal, 255, kernel.limits.bytes):
        raise MemoryError


def fewest_moves(state, int goal):
    """The fewest moves from ``state`` of `rules.joker`, without jokers, to a score of ``goal``, and a line of
    as many; None, and no moves, if there is none. Raises ValueError for a state that is too large."""
    cdef MacroAStar search
    cdef PlainMove moves[255]
    cdef int count, i
    cdef Kernel kernel
    try:
        begin_search(&search, &kernel, state, goal, UNLIMITED)
        while run_macro_astar(&search, &kernel) == IMPROVED:
            pass
        if search.last == NO_NODE:
            return None, []
        count = write_macro_line(&search, moves)
        return search.fewest, [move_of(moves[i], klondike) for i in range(count)]
    finally:
        free_macro_astar(&search)


def keeps_landmarks(state, int goal, uint64_t most):
    """The number of landmarks of the positions that a search from ``state`` reaches while it expands ``most``
    states; -1 if one of them is not a landmark of the relaxed game, or two of one position share a card."""
    cdef MacroAStar search
    cdef Kernel kernel
    cdef int found = 0
    try:
        begin_search(&search, &kernel, state, goal, most)
        while run_macro_astar(&search, &kernel) == IMPROVED:
            pass
        for number in range(search.nodes.known.count if is_full(&search) else 0):
            count = count_sound(&search, number)
            if count < 0:
                return -1
            found += count
        return found
    finally:
        free_macro_astar(&search)


cdef int count_sound(const MacroAStar* search, uint32_t number) noexcept nogil:
    """The number of landmarks of a node, leaving out those with its head; -1 if one of the others does not
    hold, or two share a card."""
    cdef const Inherited* known = &search.inherited[number]
    cdef uint64_t landmark, taken = 0, unused
    cdef int i, count = 0
    cdef ExactPosition p
    find_position(search, number, &p)
    for i in range(known.count):
        landmark = search.landmarks.cards[known.first + i]
        if known.head < NATURALS and landmark >> known.head & 1:
            continue
        if landmark & taken or relaxed_wins(&search.layout, &p, ~landmark, &unused):
            return -1
        taken |= landmark
        count += 1
    return count
