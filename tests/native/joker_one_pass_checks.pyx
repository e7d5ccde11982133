"""What tests ask the search for shortest lines of one-pass Klondike: its cores, and lines by it alone."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from winnable.solver.core.kernel cimport Kernel
from winnable.solver.core.nodes cimport IMPROVED, NO_NODE
from winnable.solver.joker.landmarks cimport relaxed_wins
from winnable.solver.joker.landmarks cimport NATURALS, OnePassPosition
from winnable.solver.joker.astar cimport (
    HOPELESS, Inherited, Judgement, OnePassSearch, advance_onepass, find_position, free_onepass, is_full,
    judge, open_onepass, write_onepass,
)
from winnable.solver.joker.plain cimport PlainGame, PlainMove, load, move_of

from winnable.solver.result import Limits


def cores_of(state, int goal):
    """A lower bound on the moves from ``state`` of `rules.joker`, without jokers, to a score of ``goal``,
    None if it tells that there is no line; and the cores found, sets of cards. Raises ValueError for a state
    that is too large."""
    cdef OnePassSearch search
    cdef OnePassPosition p
    cdef PlainGame game
    cdef Judgement judgement
    load(&game, state)
    memset(&search, 0, sizeof(OnePassSearch))
    try:
        if not open_onepass(&search, &game, goal, 255, 1, <uint64_t>1 << 30):
            raise MemoryError
        if search.last != NO_NODE:
            return search.fewest, []
        search.nodes.queue.first = 255      # all others come later
        find_position(&search, 0, &p)
        judgement = judge(&search, 0, &p)
        if judgement == HOPELESS:
            return None, []
        cores = [search.cores[search.inherited[0].first + i] for i in range(search.inherited[0].count)]
        least = search.nodes.nodes[0].moves + search.nodes.nodes[0].needed
        return least, [{card for card in range(NATURALS) if core >> card & 1} for core in cores]
    finally:
        free_onepass(&search)


cdef void begin_search(OnePassSearch* search, Kernel kernel, state, int goal) except *:
    """Begin to look for lines from ``state`` to a score of ``goal``, without limits."""
    cdef PlainGame game
    memset(search, 0, sizeof(OnePassSearch))
    kernel.set_limits(Limits())
    kernel.begin()
    load(&game, state)
    if not open_onepass(search, &game, goal, 255, 1, kernel.max_bytes):
        raise MemoryError


def fewest_moves(state, int goal):
    """The fewest moves from ``state`` of `rules.joker`, without jokers, to a score of ``goal``, and a line of
    as many; None, and no moves, if there is none. Raises ValueError for a state that is too large."""
    cdef OnePassSearch search
    cdef PlainMove moves[255]
    cdef int count, i
    cdef Kernel kernel = Kernel()
    try:
        begin_search(&search, kernel, state, goal)
        while advance_onepass(&search, kernel, kernel.max_nodes) == IMPROVED:
            pass
        kernel.raise_error()
        if search.last == NO_NODE:
            return None, []
        count = write_onepass(&search, moves)
        return search.fewest, [move_of(moves[i]) for i in range(count)]
    finally:
        free_onepass(&search)


def keeps_cores(state, int goal, uint64_t most):
    """How many cores the positions have that a search from ``state`` meets while it expands ``most``; -1 if
    one of them is none, by the relaxed game, or two of one position have a card in common."""
    cdef OnePassSearch search
    cdef Kernel kernel = Kernel()
    cdef int found = 0
    try:
        begin_search(&search, kernel, state, goal)
        while kernel.expanded < most and advance_onepass(&search, kernel, most) == IMPROVED:
            pass
        for number in range(search.nodes.count if is_full(&search) else 0):
            count = count_sound(&search, number)
            if count < 0:
                return -1
            found += count
        return found
    finally:
        free_onepass(&search)


cdef int count_sound(const OnePassSearch* search, uint32_t number) noexcept nogil:
    """How many cores a node has that are not in doubt; -1 if one of them does not hold."""
    cdef const Inherited* known = &search.inherited[number]
    cdef uint64_t core, taken = 0, unused
    cdef int i, count = 0
    cdef OnePassPosition p
    find_position(search, number, &p)
    for i in range(known.count):
        core = search.cores[known.first + i]
        if known.head < NATURALS and core >> known.head & 1:
            continue
        if core & taken or relaxed_wins(&search.layout, &p, ~core, &unused):
            return -1
        taken |= core
        count += 1
    return count
