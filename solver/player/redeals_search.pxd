"""The search of the player of Klondike with redeals; see redeals_search.pyx."""

from libc.stdint cimport uint64_t

from ..klondike.state cimport Position
from .moves cimport Choice
from .redeals_moves cimport TERMS
from .redeals_position cimport World
from .search cimport Search

cdef struct RedealsSearch:
    Search* tree        # and what goes with it; its weights and its network are not used
    World world         # of the position that is thought about
    float weights[TERMS]
    Position start

cdef int rule_choice(
    const World* world, const Position* p, const float* weights, Choice* chosen) noexcept nogil
cdef bint begin_thinking(RedealsSearch* search) noexcept nogil
cdef void iterate(RedealsSearch* search) noexcept nogil
