"""What a position is worth to the player, learnt from games; see value.pyx."""

from ..joker.tiers cimport TIERS
from .features cimport COLUMN, WASTE_CARD, WHOLE
from .moves cimport Choice
from .position cimport SeenPosition

cdef enum:
    FIRST = 64          # the first layer
    OF_COLUMNS = 32     # units of the encoder of columns
    OF_CARDS = 16       # of that of the cards of the waste
    POOLED = 48         # of both
    SECOND = 32
    OUTPUTS = 4         # the tiers, and the cards that go up

cdef struct Network:
    float first[WHOLE][FIRST]
    float first_bias[FIRST]
    float column[COLUMN][OF_COLUMNS]
    float column_bias[OF_COLUMNS]
    float waste[WASTE_CARD][OF_CARDS]
    float waste_bias[OF_CARDS]
    float pooled[POOLED][FIRST]
    float second[FIRST][SECOND]
    float second_bias[SECOND]
    float last[SECOND][OUTPUTS]
    float last_bias[OUTPUTS]

cdef struct Forecast:   # of how a game ends
    float reached[TIERS]    # the chance of at least each tier
    float cards         # that go up

cdef void read_network(Network* network, weights) except *
cdef void forecast(
    const Network* network, const SeenPosition* p, const Choice* choices, int choice_count, Forecast* found
) noexcept nogil
