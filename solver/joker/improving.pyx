"""Makes a line of joker or klondike-one-pass shorter, step by step, until it is proved to be shortest.

Without jokers a weighted search through the positions of one-pass Klondike makes the line shorter, then one
without weights proves it. With jokers beams make it shorter, and a search through the states of the plain
rules proves it in short decks and endings; in full deals it gives a bound.
"""

from libc.stdint cimport uint64_t

from ..core.bits cimport count_bits
from ..core.clock cimport monotonic
from ..core.kernel cimport MEMORY, NOTHING, Kernel
from ..core.nodes cimport IMPROVED, NO_NODE, PROVED, STOPPED, Progress
from .beam cimport Beam, beam_bytes, free_beam, run_beam
from .cards cimport OPEN_ACE, PLACED, XB
from .line cimport shorten
from .onepass_search cimport (
    OnePassSearch, advance_onepass, free_onepass, onepass_bytes, open_onepass, write_onepass,
)
from .plain cimport PlainGame, PlainMove
from .shortest cimport Shortest, find_shortest, free_shortest, shortest_bytes, write_line

cdef enum:
    QUICK = 3               # the weight of the first search
    QUICK_POSITIONS = 1000  # which it expands without jokers,
    QUICK_STATES = 20000    # and with jokers;
    FIRST_STATES = 1000     # those of the searches between beams
    SECOND_STATES = 10000
    FIRST_WIDTH = 256       # of the beams; each one after the second is twice as wide,
    LEAST_WIDTH = 32        # but the last one before time is over as wide as it lets it
    BEAMS = 9               # the stage of the last one
    LAST = 20               # no stage is

cdef uint64_t ENDLESS = <uint64_t>1 << 60
cdef double LAST_BEAM = 3.0     # if there is not this times the time of a beam, there is none after it


cdef void free_improving(Improving* improving) noexcept nogil:
    """Give the memory back."""
    free_onepass(&improving.onepass)
    free_shortest(&improving.plain)
    free_beam(&improving.beam)


cdef uint64_t improving_bytes(const Improving* improving) noexcept nogil:
    """What is held."""
    return onepass_bytes(&improving.onepass) + shortest_bytes(&improving.plain) + beam_bytes(&improving.beam)


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
    improving.stage = 0
    improving.pace = 0.0
    improving.is_full = goal == start.ranks * count_bits(start.suits)
    improving.is_open = improving.failed = False


cdef Progress improve_once(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil:
    """Go on until there is a shorter line, written to ``moves``, which has room for the one known, or a
    greater lower bound; or until that is proved to be shortest, a limit ends it, or a line fails."""
    cdef Progress progress
    cdef int fewest, bound
    while True:
        fewest = improving.fewest
        bound = improving.lower_bound
        if not improving.has_jokers:
            progress = improve_onepass(improving, kernel, moves)
        elif improving.is_full:
            progress = improve_by_beams(improving, kernel, moves)
        else:
            progress = improve_plain(improving, kernel, moves, QUICK if improving.stage == 0 else 1,
                                     QUICK_STATES if improving.stage == 0 else ENDLESS)
        if improving.failed:
            return STOPPED
        if improving.lower_bound >= improving.fewest:
            return PROVED
        if kernel.reason == NOTHING and progress != IMPROVED:
            improving.stage += 1
            improving.is_open = False
        if improving.fewest < fewest or improving.lower_bound > bound:
            return IMPROVED
        if kernel.reason != NOTHING or improving.stage == LAST:
            return STOPPED


cdef Progress improve_onepass(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil:
    """Without jokers: a weighted search, then A*."""
    cdef OnePassSearch* search = &improving.onepass
    cdef Progress progress
    if not improving.is_open:
        if improving.stage > 1:
            return STOPPED
        improving.is_open = True
        improving.last = kernel.expanded + QUICK_POSITIONS if improving.stage == 0 else ENDLESS
        if not open_onepass(
            search, &improving.start, improving.goal, improving.fewest, QUICK if improving.stage == 0 else 1,
            improving.max_bytes
        ):
            kernel.reason = MEMORY
            return STOPPED
    progress = advance_onepass(search, kernel, improving.last)
    improving.lower_bound = max(improving.lower_bound, search.lower_bound)
    if search.fewest < improving.fewest:
        take_line(improving, write_onepass(search, moves))
        return IMPROVED
    return progress


cdef Progress improve_by_beams(Improving* improving, Kernel kernel, PlainMove* moves) noexcept nogil:
    """With jokers, to all places: beams, ever wider ones, between two short searches and a last one that may
    prove the line to be shortest."""
    if improving.stage == 0:
        return improve_plain(improving, kernel, moves, 1, FIRST_STATES)
    if improving.stage == 2:
        return improve_plain(improving, kernel, moves, 1, SECOND_STATES)
    if improving.stage <= BEAMS:
        return improve_by_beam(improving, kernel, moves, FIRST_WIDTH << max(0, improving.stage - 3))
    return improve_plain(improving, kernel, moves, 1, ENDLESS)


cdef Progress improve_by_beam(
    Improving* improving, Kernel kernel, PlainMove* moves, int width
) noexcept nogil:
    """The line of a beam, if it is shorter, without the moves that it can do without. Every other beam is
    told the line known: it keeps to it where the others lose their way, but strays less. One that would be
    cut off is no use: where the time is limited the last one gets all that is left."""
    cdef Beam* beam = &improving.beam
    cdef bint knows_line = improving.stage > 1 and improving.stage & 1
    cdef double began = monotonic()
    cdef int count
    free_beam(beam)
    beam.max_bytes = improving.max_bytes
    width = width_for(improving, width, kernel.deadline - began)
    run_beam(
        beam, kernel, &improving.start, moves if knows_line else NULL, improving.fewest, improving.goal,
        width
    )
    improving.pace = (monotonic() - began) / width
    if beam.last != NO_NODE:
        count = write_line(
            &beam.nodes, beam.last, &improving.start, improving.goal, improving.fewest, moves
        )
        if count > 0:
            count = shorten(&improving.start, moves, count)
        take_line(improving, count)
    free_beam(beam)
    return STOPPED


cdef int width_for(const Improving* improving, int width, double rest) noexcept nogil:
    """How wide a beam is that was to have ``width``, if ``rest`` seconds are left, negative for no end."""
    cdef double most
    if improving.pace <= 0.0 or rest < 0.0 or rest > LAST_BEAM * improving.pace * width:
        return width
    most = min(rest / improving.pace, LAST_BEAM * width)
    return <int>most if most > LEAST_WIDTH else LEAST_WIDTH


cdef Progress improve_plain(
    Improving* improving, Kernel kernel, PlainMove* moves, int weight, uint64_t most
) noexcept nogil:
    """A search through plain states, of which it expands so many."""
    cdef Shortest* search = &improving.plain
    search.max_bytes = improving.max_bytes
    find_shortest(search, kernel, &improving.start, improving.goal, improving.fewest, weight, most)
    improving.lower_bound = max(improving.lower_bound, search.lower_bound)
    if search.last != NO_NODE:
        take_line(improving, write_line(
            &search.nodes, search.last, &improving.start, improving.goal, improving.fewest, moves
        ))
    return STOPPED


cdef void take_line(Improving* improving, int count) noexcept nogil:
    """A shorter line was written, of so many moves."""
    improving.failed = count < 0
    if count >= 0:
        improving.fewest = count
