"""A player of games with hidden cards, in C: what is seen goes in, moves and what to expect of them come out.

A `Player` thinks without Python. The struct of a family begins with a `Player`, whose functions it sets;
player/tree.pxi is what both share. `PlayerKernel` of player.pxi is the border to Python.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from winnable.solver.core.desk cimport Desk, PlainMove
from winnable.solver.core.kernel cimport Kernel

cdef enum:
    UNSEEN = 63             # in the place of a card that nobody has seen: `cards.UNKNOWN`
    MOST_TIERS = 3          # of a game
    MOST_CHOICES = 96       # of a position
    TOO_MANY_CHOICES = -1   # in place of a number: there are more
    LAST_DECISION = -1      # in place of the number of a choice

cdef enum Forced:           # reasons of forced moves, in the order of FORCED_BY in player.pxi
    FREE, STOCK_FIRST, SURE_WIN, SAFE

cdef struct Ranked:         # a choice, and what came of its visits
    int choice              # its number, for the function `steps`
    uint32_t visits
    int reached[MOST_TIERS]     # of the visits: those that came to at least that tier, or are expected to

cdef struct Player

# Load what a person sees: a position with UNSEEN in the places of cards that are not seen.
ctypedef void (*LoadSeen)(Player* self, const Desk* desk) noexcept nogil
# Begin a game. Returns False if memory or time runs out.
ctypedef bint (*BeginPlay)(Player* self) noexcept nogil
# Decide in what was loaded. Returns False at the end of the game and at a limit. A single choice is evaluated
# only if ``always`` is set, a forced one never.
ctypedef bint (*Decide)(Player* self, bint always) noexcept nogil
# List the choices of what was loaded with their scores by the rule player. Returns their number, or
# TOO_MANY_CHOICES.
ctypedef int (*ListChoices)(Player* self, float* scores) noexcept nogil
# Rank the choices of the last decision to ``ranked``, the best first, with the visits of ``others``, which
# have decided in the same position, too. Returns their number.
ctypedef int (*RankChoices)(Player* self, Player** others, int count, Ranked* ranked) noexcept nogil
# Return the moves of the choice ``number`` of those last listed or ranked, and set ``count`` to their number.
ctypedef const PlainMove* (*StepsOf)(Player* self, int number, int* count) noexcept nogil
# Write a random order of the unseen cards to ``cards``: those of each column, the deepest first, then those
# of the stock, the next one first, and of the waste. Returns their number.
ctypedef int (*SampleUnseen)(Player* self, uint8_t* cards) noexcept nogil
# Play a deal to the end under the rules that were loaded, with every move also made by the independent rules,
# which deal ``cards`` themselves. Returns False if the two differ.
ctypedef bint (*PlayDeal)(Player* self, const uint8_t* cards, int count, const Desk* dealt) noexcept nogil
ctypedef void (*FreePlayer)(Player* self) noexcept nogil

cdef struct Player:
    Kernel kernel           # the first field
    bint thinks             # or plays by rule
    uint64_t seed           # of its chance
    uint32_t visits         # wanted at the root
    uint64_t think_time     # microseconds of a decision; 0 for no limit
    int tiers               # that the game has
    uint64_t iterations     # since the game began
    Forced forced_by        # of the last decision
    bint has_overflowed     # a position with more than MOST_CHOICES choices was met
    bint has_network        # evaluates leaves; else play-outs do
    void* network           # numbers of all its layers; NULL if the family has none
    int network_bytes
    bint has_won            # of the last deal played,
    int moves, score        # and its length and cards up
    LoadSeen load
    BeginPlay begin
    Decide decide
    ListChoices list_choices
    RankChoices rank
    StepsOf steps
    SampleUnseen sample
    PlayDeal play
    FreePlayer free
