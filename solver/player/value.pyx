"""What a position is worth to the player, learnt from games: a small neural network.

The network tells how games go on that a searching player plays from a position. What it is told of that,
features.pyx has. Each column goes through one encoder, each card of the waste through another; what they make
of them is summed, and joins the features of the whole in the first of two hidden layers. All units are
rectified, the outputs logistic.

`weights` has the numbers, for each game its own.
"""

# optimised: searches spend their time here

from libc.math cimport expf
from libc.string cimport memcpy

from ..joker.cards cimport XB
from ..joker.tiers cimport TIERS
from .features cimport COLUMNS, Features, features_of
from .rows cimport add_rows, add_scaled

cdef inline void pool(const Network* network, const Features* active, float* pooled) noexcept nogil:
    """What the encoders make of the columns and of the cards of the waste, summed."""
    cdef float column[OF_COLUMNS]
    cdef float card[OF_CARDS]
    cdef int i, k, count
    for k in range(POOLED):
        pooled[k] = 0
    for i in range(COLUMNS):
        memcpy(column, network.column_bias, sizeof(column))
        count = active.column_count[i]
        add_rows(column, network.column[0], OF_COLUMNS, active.of_column[i], count)
        for k in range(OF_COLUMNS):
            pooled[k] += column[k] if column[k] > 0 else 0
    for i in range(active.waste_count):
        memcpy(card, network.waste_bias, sizeof(card))
        count = active.card_count[i]
        add_rows(card, network.waste[0], OF_CARDS, active.of_waste[i], count)
        for k in range(OF_CARDS):
            pooled[OF_COLUMNS + k] += card[k] if card[k] > 0 else 0


cdef void forecast(
    const Network* network, const SeenPosition* p, const Choice* choices, int choice_count, Forecast* found
) noexcept nogil:
    """How a game that has not ended goes on from ``p``, which has these ``choices``."""
    cdef Features active
    cdef float pooled[POOLED]
    cdef float first[FIRST]
    cdef float second[SECOND]
    cdef float last[OUTPUTS]
    cdef int i, j
    features_of(p, choices, choice_count, &active)
    pool(network, &active, pooled)
    memcpy(first, network.first_bias, sizeof(first))
    memcpy(second, network.second_bias, sizeof(second))
    memcpy(last, network.last_bias, sizeof(last))
    add_rows(first, network.first[0], FIRST, active.whole, active.whole_count)
    add_scaled(first, network.pooled[0], FIRST, pooled, POOLED)
    for i in range(FIRST):
        first[i] = first[i] if first[i] > 0 else 0
    add_scaled(second, network.second[0], SECOND, first, FIRST)
    for i in range(SECOND):
        if second[i] > 0:
            for j in range(OUTPUTS):
                last[j] += second[i] * network.last[i][j]
    for i in range(OUTPUTS):
        last[i] = 1 / (1 + expf(-last[i]))
    for i in range(TIERS):
        found.reached[i] = last[i]
    found.cards = XB * last[TIERS]


cdef void read_network(Network* network, weights) except *:
    """``weights``, the floats of all layers one after the other, as numbers of C. Raises ValueError if they
    do not fit."""
    if len(weights) != sizeof(Network):
        raise ValueError(f"{len(weights) // 4} weights, not {sizeof(Network) // 4}")
    memcpy(network, <const char*>weights, sizeof(Network))
