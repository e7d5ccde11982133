"""Value network of the Joker family; see value.pyx."""

from libc.stdint cimport int16_t

from ..joker.position cimport Position
from ..joker.tiers cimport TIERS
from .joker_moves cimport Choice
from .joker_views cimport COLUMNS

cdef enum:      # features of the whole: the first of each group
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
    CHOICES = 871
    PAIRS = 952
    KINGS = 1144
    BOTH_JOKERS = 1168
    FATE = 1364
    WHOLE = 1404

cdef enum:      # features of a column
    COLUMN_DOWN = 0
    COLUMN_SIZE = 8
    COLUMN_HEAD = 22
    COLUMN_WANTS = 37
    COLUMN_TOP = 63
    COLUMN_HOSTS = 78
    COLUMN_LACKS = 103
    COLUMN_BEFORE = 139
    COLUMN_JOKER = 171
    COLUMN_FATE = 175
    COLUMN_REPLACED = 187
    COLUMN = 191

cdef enum:      # features of a card of the waste
    WASTE_DEPTH = 0
    WASTE_RANK = 8
    WASTE_LACKS = 22
    WASTE_WANTS = 31
    WASTE_BEFORE = 57
    WASTE_OVER = 65
    WASTE_STOOD_FOR = 67
    WASTE_CARD = 70

cdef enum:
    # Features of the whole, repeated where they count more than once: two of each natural, one of each joker;
    # 20 sizes; 7 columns, 54 cards of the waste and their order; choices, pairs.
    MOST_OF_WHOLE = 320
    MOST_OF_COLUMN = 56
    OF_WASTE = 7        # of each card at most
    MOST_OF_THE_WASTE = 54

cdef struct Features:
    int16_t whole[MOST_OF_WHOLE]
    int whole_count
    int16_t of_column[COLUMNS][MOST_OF_COLUMN]
    int column_count[COLUMNS]
    int16_t of_waste[MOST_OF_THE_WASTE][OF_WASTE]
    int card_count[MOST_OF_THE_WASTE]
    int waste_count

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

cdef void features_of(const Position* p, const Choice* choices, int choice_count,
                      Features* found) noexcept nogil
cdef void read_network(Network* network, weights) except *
cdef void forecast(const Network* network, const Position* p, const Choice* choices, int choice_count,
                   Forecast* found) noexcept nogil
