"""What a position is worth to the player, learnt from games; see value.pyx."""

from ..joker.tiers cimport TIERS
from .position cimport SeenPosition

cdef enum Feature:      # the first of each group
    BY_RANK = 0
    BY_NEED = 221
    JOKER = 459
    DOWN = 493
    SIZE = 502
    STOCK = 516
    HIDDEN = 543
    DEPTH = 565
    SCORE = 592
    LOWEST = 645
    HIGHEST = 659
    INVERSIONS = 673
    HEAD = 689
    LODGING = 767
    KING_LODGING = 867
    FEATURES = 871

cdef enum:
    FIRST = 32          # the first layer
    SECOND = 16
    OUTPUTS = 4         # the tiers, and the cards that go up

cdef struct Network:
    float first[FEATURES][FIRST]
    float first_bias[FIRST]
    float second[FIRST][SECOND]
    float second_bias[SECOND]
    float last[SECOND][OUTPUTS]
    float last_bias[OUTPUTS]

cdef struct Forecast:   # of how a game ends
    float reached[TIERS]    # the chance of at least each tier
    float cards         # that go up

cdef void read_network(Network* network) except *
cdef void forecast(const Network* network, const SeenPosition* p, Forecast* found) noexcept nogil
cdef list features(const SeenPosition* p)
