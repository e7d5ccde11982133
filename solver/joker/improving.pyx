"""Makes a line of joker or klondike-one-pass shorter, step by step, until it is proved to be shortest.

First a weighted search makes the line shorter, then one without weights proves it. Without jokers they are
searches through the positions of one-pass Klondike, otherwise through the states of the plain rules.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.kernel cimport MEMORY, NOTHING, Kernel
from ..core.nodes cimport IMPROVED, NO_NODE, PROVED, STOPPED, Progress
from .cards cimport OPEN_ACE, PLACED, XB
from .onepass_search cimport (
    advance_onepass, begin_onepass, free_onepass, onepass_bytes, open_onepass, write_onepass,
)
from .plain cimport PlainGame, PlainMove
from .shortest cimport begin_shortest, find_shortest, free_shortest, shortest_bytes, write_line

cdef enum:
    QUICK = 3               # the weight of the first search
    QUICK_STATES = 20000    # which it expands, with jokers
    QUICK_POSITIONS = 1000  # and without

cdef uint64_t ENDLESS = <uint64_t>1 << 60


cdef void begin_improving(Improving* improving) noexcept nogil:
    """Hold nothing."""
    memset(improving, 0, sizeof(Improving))
    begin_onepass(&improving.onepass)
    begin_shortest(&improving.plain)


cdef void free_improving(Improving* improving) noexcept nogil:
    """Give the memory back."""
    free_onepass(&improving.onepass)
    free_shortest(&improving.plain)


cdef uint64_t improving_bytes(const Improving* improving) noexcept nogil:
    """What is held."""
    return onepass_bytes(&improving.onepass) + shortest_bytes(&improving.plain)


cdef bint has_jokers_left(const PlainGame* game) noexcept nogil:
    """Whether a joker is in play, or on a foundation, from where it may come back."""
    cdef int column, i
    for i in range(2):
        if game.condition[i] in (PLACED, OPEN_ACE):
            return True
    for i in range(game.turned, game.stock_size):
        if game.stock[i] >= XB:
            return True
    for i in range(game.waste_size):
        if game.waste[i] >= XB:
            return True
    for column in range(game.columns):
        for i in range(game.size[column]):
            if game.card[column][i] >= XB:
                return True
    return False


cdef void open_improving(
    Improving* improving, const PlainGame* start, int goal, int fewest, uint64_t max_bytes
) noexcept nogil:
    """Begin with a line from ``start`` to a score of ``goal`` of ``fewest`` moves."""
    free_improving(improving)
    improving.start = start[0]
    improving.goal = goal
    improving.fewest = fewest
    improving.lower_bound = 0
    improving.max_bytes = max_bytes
    improving.has_jokers = has_jokers_left(start)
    improving.weight = QUICK
    improving.is_open = improving.failed = False


cdef Progress improve_once(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil:
    """Go on until there is a shorter line, written to ``moves``, which has room for the one known, or a
    greater lower bound; or until that is proved to be shortest, a limit ends it, or a line fails."""
    cdef Progress progress
    while True:
        if improving.has_jokers:
            progress = improve_plain(improving, kernel, moves)
        else:
            progress = improve_onepass(improving, kernel, moves)
        if improving.failed:
            return STOPPED
        if improving.lower_bound >= improving.fewest:
            return PROVED
        if progress == IMPROVED:
            return IMPROVED
        if improving.weight == 1 or kernel.reason != NOTHING:
            return STOPPED
        improving.weight = 1
        improving.is_open = False


cdef Progress improve_onepass(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil:
    """The same by the search that is at work, without jokers."""
    cdef OnePassSearch* search = &improving.onepass
    cdef Progress progress
    if not improving.is_open:
        improving.is_open = True
        improving.last = kernel.expanded + QUICK_POSITIONS if improving.weight > 1 else ENDLESS
        if not open_onepass(
            search, &improving.start, improving.goal, improving.fewest, improving.weight, improving.max_bytes
        ):
            kernel.reason = MEMORY
            return STOPPED
    progress = advance_onepass(search, kernel, improving.last)
    improving.lower_bound = max(improving.lower_bound, search.lower_bound)
    if search.fewest < improving.fewest:
        take_line(improving, write_onepass(search, moves))
        return IMPROVED
    return progress


cdef Progress improve_plain(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil:
    """The same by a search through plain states."""
    cdef Shortest* search = &improving.plain
    cdef int before = improving.fewest, bound = improving.lower_bound
    if improving.is_open:
        return STOPPED
    improving.is_open = True
    search.max_bytes = improving.max_bytes
    find_shortest(
        search, kernel, &improving.start, improving.goal, improving.fewest, improving.weight,
        QUICK_STATES if improving.weight > 1 else ENDLESS
    )
    improving.lower_bound = max(improving.lower_bound, search.lower_bound)
    if search.last != NO_NODE:
        take_line(improving, write_line(search, &improving.start, moves))
    return IMPROVED if improving.fewest < before or improving.lower_bound > bound else STOPPED


cdef void take_line(Improving* improving, int count) noexcept nogil:
    """A shorter line was written, of so many moves."""
    improving.failed = count < 0
    if count >= 0:
        improving.fewest = count
