"""Beam search for short lines of joker; see beam.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.buckets cimport Buckets, Link
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes
from .landmarks cimport ExactLayout, ExactPosition, Pool
from .plain cimport RECORD, PlainGame, PlainMove

cdef enum:
    MANY = 64               # states by which is measured how much work one is

cdef struct Pace:
    double cost             # work that a state is; 0 if that is not known yet
    uint64_t began          # work done before the rank at hand,
    uint64_t expanded       # and states expanded

cdef enum:
    MOST_MADE = 320         # moves of a line

cdef struct Candidate:      # a state that may be expanded
    uint8_t record[RECORD]
    uint32_t number         # of its node
    uint32_t first          # of its landmarks, or of those of the one before it
    Link link               # in the queue
    uint16_t needed         # moves, as the guide has it
    uint8_t count           # of landmarks
    uint8_t head            # of the move that led here, if it was an extra one
    uint8_t is_judged
    uint8_t is_turned       # it came by a turn that exchanged nothing
    uint8_t is_changed      # the condition of a joker changed on the way

cdef struct Rank:           # all candidates after a number of moves
    Candidate* candidates
    uint64_t count, room

cdef struct Beam:
    Nodes nodes             # of all states met, by sums of hashes
    Rank ranks[MOST_MADE]
    Buckets queue           # of the rank that is expanded
    PlainGame game          # the state that is expanded
    ExactLayout layout    # of the guide
    Pool landmarks
    uint64_t bytes_of_ranks, max_bytes, judged
    uint32_t line[MOST_MADE]    # packed moves of the line told: each leads from the node of its number
    int line_count              # to the next one
    int goal, width
    Pace pace
    int fewest              # moves of the best line known
    uint32_t last           # the node at its end, NO_NODE if it was not found here

cdef void free_beam(Beam* beam) noexcept nogil
cdef uint64_t beam_bytes(const Beam* beam) noexcept nogil
cdef bint run_beam(Beam* beam, Kernel kernel, const PlainGame* start, const PlainMove* line, int fewest,
                   int goal, int width) noexcept nogil
