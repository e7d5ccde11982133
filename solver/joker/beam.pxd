"""Beam search for short lines of joker; see beam.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.buckets cimport Buckets, Link
from ..core.kernel cimport Kernel
from ..core.nodes cimport Nodes
from .landmarks cimport ExactLayout, ExactPosition, Pool
from .position cimport RECORD, Position, PlainMove

cdef enum:
    MANY = 64               # least states expanded from which the work of a state is measured

cdef struct Pace:
    double cost             # work of a state; 0 if not measured yet
    uint64_t began          # work done before the current rank
    uint64_t expanded       # states expanded before the current rank

cdef enum:
    MOST_MADE = 320         # most moves of a line

cdef struct Candidate:      # a state that may be expanded
    uint8_t record[RECORD]
    uint32_t number         # number of its node
    uint32_t first          # index of its first landmark, or of its parent's until it is judged
    Link link               # in the queue
    uint16_t needed         # heuristic of the moves still needed
    uint8_t count           # number of landmarks
    uint8_t head            # natural that is the head of the extra move to here, or NATURALS
    uint8_t is_judged       # its own landmarks were computed
    uint8_t is_turned       # reached by a turn that exchanged nothing
    uint8_t is_changed      # the condition of a joker changed on the way from its parent

cdef struct Rank:           # all candidates after a number of moves
    Candidate* candidates
    uint64_t count, room    # ``room`` is the capacity

cdef struct Beam:
    Nodes nodes             # all states generated, by 128 bits of hash
    Rank ranks[MOST_MADE]
    Buckets queue           # candidates of the rank being expanded
    Position game          # the state being expanded
    ExactLayout layout      # of the position without jokers
    Pool landmarks
    uint64_t bytes_of_ranks, max_bytes, judged
    uint32_t line[MOST_MADE]    # packed moves of the known line; move i leads from node i to node i + 1
    int line_count              # length of ``line``
    int goal, width
    Pace pace
    int fewest              # moves of the best line known
    uint32_t last           # last node of the best line, NO_NODE if this beam has not found it

cdef void free_beam(Beam* beam) noexcept nogil
cdef uint64_t beam_bytes(const Beam* beam) noexcept nogil
cdef bint run_beam(Beam* beam, Kernel* kernel, const Position* start, const PlainMove* line, int fewest,
                   int goal, int width) noexcept nogil
