"""The portfolio as a table: which search runs in which stage, with how many nodes and what settings.

Seven stages are a round. The relaxation proves that there is no win, the search through single positions is
for what is left, all others look for wins through classes. From round to round each gets more nodes. A search
through classes is another one each time: its stage is the seed of its jitter, and of the price of a move.
"""

from libc.stdint cimport uint64_t

from ..core.kernel cimport BEST_FIRST, POSITIONS, RELAXATION, Stage
from .best_first cimport Settings
from .classes cimport mix_low

cdef enum:
    ONE_DECK = 52               # cards
    COMPLETE_FROM = 3           # the round from which nothing is left out of the wide search

cdef uint64_t MOST_NODES = <uint64_t>1 << 40

cdef struct Row:
    Stage search
    uint64_t nodes              # in the first round; of classes half as many again with more than one deck
    int growth                  # times as many in each later round
    int cap                     # from here on of classes only, as in Settings
    int step                    # what a move costs, or up to `spread` - 1 more, by chance
    int spread
    int tests
    double jitter

# The very first search, with one deck and with more.
cdef Row[2] FIRST = [
    #   search,      nodes, growth, cap,    step, spread, tests, jitter
    Row(BEST_FIRST,   2000,  3,     1,      170,   1,       0,   0.0),
    Row(BEST_FIRST,   2000,  3,     1,      200,   1,       0,   0.0),
]

cdef Row[ROUND] USUAL = [
    #   search,      nodes, growth, cap,    step, spread, tests, jitter
    Row(BEST_FIRST,   2000,  3,     50,     150,   1,     200,   0.0),      # the wide search
    Row(RELAXATION,  20000, 15,     0,        0,   1,       0,   0.0),
    Row(BEST_FIRST,   2000,  3,     1,      170,  61,       0,   0.1),
    Row(BEST_FIRST,   2000,  3,     3,      140,  81,      30,   0.1),
    Row(BEST_FIRST,   2000,  3,     2,      150,  81,       0,   0.2),
    Row(BEST_FIRST,   2000,  3,     1,      170,  51,       0,   0.25),
    Row(POSITIONS,   20000,  6,     0,        0,   1,       0,   0.0),
]

# Where a plan failed, the stages whose settings are tried, and the nodes of each.
cdef int[REPAIRS] REPAIR = [0, 2, 4, 5]
cdef uint64_t REPAIR_NODES = 2000


cdef Row row_of(int stage, int cards) noexcept nogil:
    return FIRST[cards > ONE_DECK] if stage == 0 else USUAL[stage % ROUND]


cdef Stage search_of(int stage) noexcept nogil:
    """Which search runs in a stage: BEST_FIRST, RELAXATION or POSITIONS."""
    return USUAL[stage % ROUND].search


cdef uint64_t nodes_of(int stage, int cards) noexcept nogil:
    """The most nodes of a stage."""
    cdef Row row = row_of(stage, cards)
    cdef uint64_t nodes = row.nodes
    cdef int _
    if row.search == BEST_FIRST and cards > ONE_DECK:
        nodes += nodes // 2
    for _ in range(stage // ROUND):
        nodes = min(row.growth * nodes, MOST_NODES)
    return nodes


cdef Settings settings_of(int stage, int cards) noexcept nogil:
    """How a stage searches through classes."""
    cdef Row row = row_of(stage, cards)
    cdef Settings settings
    settings.nodes = nodes_of(stage, cards)
    settings.cap = row.cap
    settings.step = row.step + <int>(mix_low(stage) % <uint64_t>row.spread)
    settings.tests = row.tests
    settings.jitter = row.jitter
    settings.seed = stage
    if stage % ROUND == 0 and stage >= COMPLETE_FROM * ROUND:
        settings.cap = NO_CAP
    return settings


cdef Settings repair_settings(int number, int cards) noexcept nogil:
    """How the search for another plan goes, the first, second, ... up to number REPAIRS - 1."""
    cdef Settings settings = settings_of(REPAIR[number], cards)
    settings.nodes = REPAIR_NODES
    return settings
