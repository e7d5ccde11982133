"""The portfolio as a table: which search runs in which stage, with how many nodes and what settings.

The first stages decide nearly all deals: short searches through classes, which either find a win soon or lose
their way, so that another one with other weights is better than a long one; and between them the relaxation
with loose cards, which proves most losses in a few hundred states. After these stages come rounds, of twice
as many nodes from one to the next. They have what is slower and wins where the others do not: more ways to
freeze, dead tests, and a search through single positions for what is left. A search through classes is
another one each time: its stage is the seed of its jitter, of the price of a move, and of the order of
freezes. Much noise is better than little: of 1,440 searches of 3,000 nodes through the 24 hardest of
100,000 deals of two decks 20 won with a noise of 300, and 152 with one of 3,000.

A wide search leaves nothing out from the second round on, and thus proves losses. One with short tests has
many classes and one with long ones few, and either may be the one that ends. Where memory is ample, late
rounds are hasty: only every other one has that with short tests, whose nodes are dear; single positions have
no more than before; and where a search that freezes all it can would have many nodes with two decks there are
several with fewer, each another one, as one that lost its way does not find it again. The last rounds are as
the first ones, so that a search without other limits ends by that of memory.
"""

from libc.stdint cimport uint64_t

from ..core.kernel cimport BEST_FIRST, POSITIONS, RELAXATION, Stage
from .best_first cimport Settings
from .mixing cimport mix_low

cdef enum:
    ONE_DECK = 52               # cards
    GROWTH = 2                  # times as many nodes in each round as in the one before
    WIDE = 50                   # the cap of a wide search in the first rounds
    COMPLETE_FROM = 1           # the round from which nothing is left out of it
    LATE = 4                    # the round that first leaves one of them out
    HASTY = 8                   # rounds that may be hasty

cdef uint64_t MOST_NARROW = 96000           # nodes of a search that freezes all it can
cdef uint64_t MOST_POSITIONS = 80000
cdef uint64_t AMPLE = <uint64_t>1000000000  # bytes

cdef uint64_t MOST_NODES = <uint64_t>1 << 40

cdef struct Row:
    Stage search
    uint64_t nodes              # of classes half as many again with more than one deck
    int cap                     # from here on of classes, as in Settings
    int step                    # what a move costs, or up to `spread` - 1 more, by chance
    int spread
    int tests
    uint64_t carried            # of a relaxation too: the nodes of that with carriers, which grow as well
    double jitter
    int noise
    bint shuffled

# A move in the very first search costs more with two decks.
cdef int[2] FIRST_STEP = [170, 200]

cdef Row[OPENING] FIRST = [
    #   search,      nodes, cap,  step, spread, tests, carried, jitter, noise, shuffled
    Row(BEST_FIRST,    500, 1,    170,   1,       0,       0,   0.0,       1, False),
    Row(RELAXATION,   1000, 0,      0,   1,       0,       0,   0.0,       0, False),
    Row(BEST_FIRST,   1000, 1,    170,  51,       0,       0,   0.25,   1000, False),
    Row(BEST_FIRST,   2000, 1,    170,  51,       0,       0,   0.25,   1000, False),
    Row(RELAXATION,  20000, 0,      0,   1,       0,     200,   0.0,       0, False),
    Row(BEST_FIRST,   3000, 1,    170,  51,       0,       0,   0.25,   2000, True),
    Row(BEST_FIRST,   3000, 2,    170,  51,       0,       0,   0.4,    1000, False),
]

cdef Row[ROUND] USUAL = [
    #   search,      nodes, cap,  step, spread, tests, carried, jitter, noise, shuffled
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.25,   1000, False),
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.25,   3000, True),
    Row(BEST_FIRST,   4000, 2,    150,  81,       0,       0,   0.2,    2000, False),
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.4,     300, False),
    Row(BEST_FIRST,   4000, 4,    150,  81,       0,       0,   0.25,   1000, True),
    Row(BEST_FIRST,   4000, 1,    170,  51,       0,       0,   0.25,   2000, True),
    Row(RELAXATION,  64000, 0,      0,   1,       0,   18000,   0.0,       0, False),
    Row(BEST_FIRST,  64000, WIDE, 150,   1,     300,       0,   0.25,   1000, False),
    Row(BEST_FIRST,   4000, WIDE, 150,   1,     300,    1000,   0.0,       1, False),
    Row(POSITIONS,   20000, 0,      0,   1,       0,       0,   0.0,       0, False),
    Row(BEST_FIRST, 100000, WIDE, 150,   1,      30,       0,   0.0,       1, False),
]

# Where a plan failed, the settings that are tried, and the nodes of each.
cdef int[REPAIRS] REPAIR = [0, 2, 5, 6]
cdef uint64_t REPAIR_NODES = 2000


cdef Row row_of(int stage, int cards) noexcept nogil:
    """The row of a stage, with the nodes of its round."""
    cdef int round = (stage - OPENING) // ROUND if stage >= OPENING else 0
    cdef Row row = USUAL[(stage - OPENING) % ROUND] if stage >= OPENING else FIRST[stage]
    cdef int _
    if stage == 0:
        row.step = FIRST_STEP[cards > ONE_DECK]
    if row.search == BEST_FIRST and cards > ONE_DECK:
        row.nodes += row.nodes // 2
    for _ in range(round):
        row.nodes = min(GROWTH * row.nodes, MOST_NODES)
        if row.search == RELAXATION:
            row.carried = min(GROWTH * row.carried, MOST_NODES)
    if row.cap == WIDE and round >= COMPLETE_FROM:
        row.cap = NO_CAP
    return row


cdef int wide_bit(int stage) noexcept nogil:
    """A bit for each of the wide searches of a round; 0 for other stages."""
    cdef int row = (stage - OPENING) % ROUND
    return 1 << row if stage >= OPENING and USUAL[row].cap == WIDE else 0


cdef bint is_hasty(int stage, uint64_t max_bytes) noexcept nogil:
    """Whether a stage may be of those that save time, where the searches have so much memory."""
    return max_bytes >= AMPLE and (stage - OPENING) // ROUND < HASTY


cdef bint is_left_out(int stage, uint64_t max_bytes) noexcept nogil:
    """Whether a stage is passed over: the last wide search of every other late round."""
    cdef int round = (stage - OPENING) // ROUND
    if not is_hasty(stage, max_bytes):
        return False
    return round >= LATE and (round - LATE) % 2 == 0 and (stage - OPENING) % ROUND == ROUND - 1


cdef Stage search_of(int stage) noexcept nogil:
    """Which search runs in a stage: BEST_FIRST, RELAXATION or POSITIONS."""
    return row_of(stage, 0).search


cdef uint64_t nodes_of(int stage, int cards) noexcept nogil:
    """The most nodes of a stage."""
    return row_of(stage, cards).nodes


cdef uint64_t nodes_of_positions(int stage, uint64_t max_bytes) noexcept nogil:
    """The most nodes of a stage that searches through single positions."""
    cdef uint64_t nodes = nodes_of(stage, 0)
    return min(nodes, MOST_POSITIONS) if is_hasty(stage, max_bytes) else nodes


cdef uint64_t carried_nodes_of(int stage) noexcept nogil:
    """The most nodes with carriers of a stage that is a relaxation."""
    return row_of(stage, 0).carried


cdef Settings settings_of(int stage, int cards) noexcept nogil:
    """How a stage searches through classes."""
    cdef Row row = row_of(stage, cards)
    cdef Settings settings
    settings.nodes = row.nodes
    settings.cap = row.cap
    settings.step = row.step + <int>(mix_low(stage) % <uint64_t>row.spread)
    settings.tests = row.tests
    settings.carried = row.carried
    settings.jitter = row.jitter
    settings.noise = row.noise
    settings.shuffled = row.shuffled
    settings.seed = stage
    return settings


cdef int divide(Settings* settings, int stage, int cards, uint64_t max_bytes) noexcept nogil:
    """Make several searches of a narrow one with many nodes, one's settings of all; how many there are."""
    cdef int searches = 1
    if cards <= ONE_DECK or not is_hasty(stage, max_bytes):
        return 1
    while settings.cap == 1 and settings.nodes > MOST_NARROW:
        settings.nodes //= 2
        searches *= 2
    return searches


cdef Settings complete_settings(int cards) noexcept nogil:
    """How a search through classes goes that leaves nothing out, and makes no tests."""
    cdef Settings settings = settings_of(OPENING + (COMPLETE_FROM + 1) * ROUND - 1, cards)
    settings.tests = settings.carried = 0
    settings.jitter = 0.0
    return settings


cdef Settings repair_settings(int number, int cards) noexcept nogil:
    """How the search for another plan goes, the first, second, ... up to number REPAIRS - 1."""
    cdef Settings settings = settings_of(REPAIR[number], cards)
    settings.nodes = REPAIR_NODES
    return settings
