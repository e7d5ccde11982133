"""What a position is worth to the quick player, learnt from games: a small neural network.

The network tells how games go on that a searching player plays from a position, whose features are counts of
what a person sees. It has two hidden layers of rectified units and logistic outputs. The features do not name
suits or columns, so that what is learnt of one holds for all. Of each card it is told where it lies, once by
its rank and once by how many ranks its foundation lacks below it; of cards that want to lie on others, where
those are.

`weights` has the numbers, which belong to joker alone.
"""

from libc.math cimport expf
from libc.stdint cimport int16_t, uint8_t
from libc.string cimport memcpy, memset

from ..core.invariant cimport invariant
from ..joker.tiers cimport TIERS
from ..joker.cards cimport DECLARED, GONE, MOST, NO_RANK, OPEN_ACE, PLACED, XB, colour_of
from .position cimport COLUMNS, rank_of

from .weights import packed

cdef enum:
    KING = 12
    # Features of a position, repeated where they count more than once: two of each natural, one of each
    # joker; 20 sizes; 7 columns, 54 cards of the waste and their order.
    MOST_ACTIVE = 192
    PLACES = 17         # where a natural can lie: not seen, in columns, in the waste
    IN_COLUMN = 1       # by cards above it, at most 3, and whether face-down cards lie below
    IN_WASTE = 9        # by depth
    REPLACED = 13       # the rank that a natural lacks, of one whose place a joker took

cdef enum Status:       # of a natural that another card wants to lie on
    UNSEEN = 0
    TOP = 1
    COVERED = 2
    WASTED = 3
    PLAYED_UP = 4
    STATUSES = 5

cdef enum:              # where a joker is, within its group
    JOKER_UNSEEN = 0
    JOKER_WASTE = 1     # by depth
    JOKER_COLUMN = 9    # by face-down cards below
    JOKER_DECLARED = 18     # by rank
    JOKER_GONE = 31
    JOKER_OPEN_ACE = 32
    JOKER_PLACED = 33


cdef struct CardPlaces:     # where each card is
    uint8_t place[MOST]
    uint8_t status[MOST]


cdef inline int depth_class(int above) noexcept nogil:
    """Eight classes of the number of cards above one of the waste."""
    if above < 4:
        return above
    return 4 if above < 6 else 5 if above < 9 else 6 if above < 14 else 7


cdef inline void add(int16_t* active, int* count, int feature) noexcept nogil:
    """Write a feature."""
    invariant(count[0] < MOST_ACTIVE and 0 <= feature < FEATURES)
    active[count[0]] = feature
    count[0] += 1


cdef inline void locate(const SeenPosition* p, CardPlaces* layout) noexcept nogil:
    """Find where each card is; 0 for those not seen."""
    cdef int column, i, above, card, suit
    memset(layout, 0, sizeof(CardPlaces))
    for column in range(COLUMNS):
        for i in range(p.size[column]):
            card = p.up[column][i]
            above = p.size[column] - 1 - i
            layout.place[card] = IN_COLUMN + 2 * min(above, 3) + (p.down[column] > 0)
            layout.status[card] = COVERED if above else TOP
    for i in range(p.waste_size):
        card = p.waste[i]
        layout.place[card] = IN_WASTE + depth_class(p.waste_size - 1 - i)
        layout.status[card] = WASTED
    for suit in range(4):
        for i in range(p.height[suit]):
            card = 4 * i + suit
            if layout.place[card] == 0:
                layout.status[card] = PLAYED_UP


cdef inline bint is_replaced(const SeenPosition* p, int natural) noexcept nogil:
    """Whether a joker fills the place of ``natural`` on its foundation."""
    cdef int colour = colour_of(natural)
    return p.condition[colour] == PLACED and p.place[colour] == natural


cdef inline void add_cards(
    const SeenPosition* p, const CardPlaces* layout, int16_t* active, int* count
) noexcept nogil:
    """Naturals that are not up, and jokers."""
    cdef int card, rank, lacking, colour
    for card in range(XB):
        if layout.status[card] == PLAYED_UP and not is_replaced(p, card):
            continue
        rank = card >> 2
        lacking = rank - p.height[card & 3]
        if lacking < 0:
            lacking = REPLACED
        add(active, count, BY_RANK + rank * PLACES + layout.place[card])
        add(active, count, BY_NEED + lacking * PLACES + layout.place[card])
    for colour in range(2):
        add(active, count, JOKER + joker_place(p, layout, colour))


cdef inline int joker_place(const SeenPosition* p, const CardPlaces* layout, int colour) noexcept nogil:
    """Where the joker of a colour is, within its group of features."""
    cdef int place = layout.place[XB + colour], column
    if p.condition[colour] == GONE:
        return JOKER_GONE
    if p.condition[colour] == OPEN_ACE:
        return JOKER_OPEN_ACE
    if p.condition[colour] == PLACED:
        return JOKER_PLACED
    if p.condition[colour] == DECLARED:
        return JOKER_DECLARED + p.rank[colour]
    if place >= IN_WASTE:
        return JOKER_WASTE + place - IN_WASTE
    if place:
        for column in range(COLUMNS):
            if p.size[column] > 0 and p.up[column][0] == XB + colour:
                return JOKER_COLUMN + p.down[column]
    return JOKER_UNSEEN


cdef inline void add_sizes(const SeenPosition* p, int16_t* active, int* count) noexcept nogil:
    """Columns, stock, waste and foundations."""
    cdef int i, hidden = 0, lowest = KING + 1, highest = 0, score = 0
    for i in range(COLUMNS):
        hidden += p.down[i]
        add(active, count, DOWN + (p.down[i] if p.size[i] else 8))
        add(active, count, SIZE + min(p.size[i], 13))
    for i in range(4):
        score += p.height[i]
        lowest = min(lowest, p.height[i])
        highest = max(highest, p.height[i])
    add(active, count, STOCK + p.stock)
    add(active, count, HIDDEN + hidden)
    add(active, count, DEPTH + p.waste_size)
    add(active, count, SCORE + score)
    add(active, count, LOWEST + lowest)
    add(active, count, HIGHEST + highest)


cdef inline int wanted_by(const CardPlaces* layout, int natural_rank, int colour) noexcept nogil:
    """Where the two cards are on which one of this rank and colour could lie, in either order."""
    cdef int other = 4 * (natural_rank + 1)
    cdef int one = layout.status[other + (0 if colour else 1)]
    cdef int two = layout.status[other + (3 if colour else 2)]
    return STATUSES * min(one, two) + max(one, two)


cdef inline void add_wants(
    const SeenPosition* p, const CardPlaces* layout, int16_t* active, int* count
) noexcept nogil:
    """Runs over face-down cards, by how many these are, and the cards of the waste, by depth: what they want
    to lie on. Cards of the waste that lie over lower ones of their suit."""
    cdef int column, i, card, rank, above, level, inversions = 0
    cdef uint8_t lowest[4]
    for column in range(COLUMNS):
        if p.size[column] == 0 or p.down[column] == 0:
            continue
        card = p.up[column][0]
        rank = rank_of(p, card)
        if rank == NO_RANK:
            continue
        level = HEAD + 26 * (0 if p.down[column] == 1 else 1 if p.down[column] < 4 else 2)
        add(active, count, level + (25 if rank == KING else wanted_by(layout, rank, colour_of(card))))
    memset(lowest, KING + 1, sizeof(lowest))
    for i in range(p.waste_size):
        card = p.waste[i]
        if card >= XB:
            continue
        rank = card >> 2
        inversions += rank > lowest[card & 3]
        lowest[card & 3] = min(lowest[card & 3], rank)
        above = p.waste_size - 1 - i
        level = 0 if above == 0 else 1 if above < 3 else 2 if above < 6 else 3
        if rank == KING:
            add(active, count, KING_LODGING + level)
        else:
            add(active, count, LODGING + 25 * level + wanted_by(layout, rank, colour_of(card)))
    add(active, count, INVERSIONS + min(inversions, 15))


cdef inline int features_of(const SeenPosition* p, int16_t* active) noexcept nogil:
    """Write the features of a position; how many."""
    cdef CardPlaces layout
    cdef int count = 0
    locate(p, &layout)
    add_cards(p, &layout, active, &count)
    add_sizes(p, active, &count)
    add_wants(p, &layout, active, &count)
    return count


cdef void forecast(const Network* network, const SeenPosition* p, Forecast* found) noexcept nogil:
    """How a game that has not ended goes on from ``p``."""
    cdef int16_t active[MOST_ACTIVE]
    cdef float first[FIRST]
    cdef float second[SECOND]
    cdef float last[OUTPUTS]
    cdef int count = features_of(p, active), i, j
    cdef const float* row
    memcpy(first, network.first_bias, sizeof(first))
    memcpy(second, network.second_bias, sizeof(second))
    memcpy(last, network.last_bias, sizeof(last))
    for i in range(count):
        row = network.first[active[i]]
        for j in range(FIRST):
            first[j] += row[j]
    for i in range(FIRST):
        if first[i] > 0:
            for j in range(SECOND):
                second[j] += first[i] * network.second[i][j]
    for i in range(SECOND):
        if second[i] > 0:
            for j in range(OUTPUTS):
                last[j] += second[i] * network.last[i][j]
    for i in range(OUTPUTS):
        last[i] = 1 / (1 + expf(-last[i]))
    for i in range(TIERS):
        found.reached[i] = last[i]
    found.cards = XB * last[TIERS]


cdef list features(const SeenPosition* p):
    """The features of a position, for training; FEATURES are told apart."""
    cdef int16_t active[MOST_ACTIVE]
    cdef int i
    return [active[i] for i in range(features_of(p, active))]


cdef void read_network(Network* network) except *:
    """The weights of the file as numbers of C. Raises ValueError if they do not fit."""
    cdef bytes weights = packed(sizeof(Network) // sizeof(float))
    memcpy(network, <const char*>weights, sizeof(Network))
