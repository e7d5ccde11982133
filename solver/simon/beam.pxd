"""Short lines by beam search; see beam.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from .beam_score cimport BeamPosition, Scores
from .candidates cimport Candidate, Candidates
from .capacity cimport MAX_CARDS, MAX_COLUMNS, MAX_RANKS
from .classes cimport Layout
from .key_set cimport KeySet
from .position cimport Line

cdef enum:
    MOST_WAITING = 64

cdef struct HistoryMove:        # a move that was made
    uint32_t parent             # that before it
    uint32_t move

cdef struct Tries:              # the beams made for a line
    uint64_t beams
    uint64_t most               # 0: as many as there is time for
    double cost                 # seconds that the last one took for each position of its width

cdef struct Beam:
    const Layout* layout
    Scores scores
    uint64_t seed               # of what is left to chance; 0 for nothing
    int king                    # the lowest card of the highest rank
    int wide_until              # depth up to which the beam is twice as wide
    int usual_until             # and from which it is narrow
    uint64_t bound              # only shorter lines are wanted
    BeamPosition* layer
    BeamPosition* next_layer
    uint32_t held               # positions in the layer
    uint32_t room               # of a layer
    Candidates candidates
    Candidate waiting[MOST_WAITING]     # to become candidates, if they were not visited
    int waiters
    HistoryMove* history        # from entry 1 on; 0 stands for no move
    uint32_t entries
    uint32_t history_room
    uint64_t max_bytes
    KeySet visited
    KeySet classes              # in the layer
    uint32_t won                # the entry of the won position's parent
    uint32_t won_move
    bint is_won
    bint was_full               # a layer was
    # The position that is expanded:
    const BeamPosition* position
    uint32_t number             # in its layer
    uint64_t depth
    const uint8_t* column[MAX_COLUMNS]
    uint64_t prefix[MAX_COLUMNS][MAX_CARDS + 1]
    uint64_t mask[MAX_COLUMNS][MAX_CARDS + 1]       # cards among the first n
    int run[MAX_COLUMNS]
    int breaks[MAX_COLUMNS]
    int tops[MAX_RANKS]         # exposed cards of each rank
    uint64_t topped_by[MAX_RANKS + 1]   # by rank: the columns whose exposed card has it; none beyond kings
    int empty                   # columns
    int empty_column            # the last of them

cdef bint shorten(
    Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes, Tries* tries
) noexcept nogil
