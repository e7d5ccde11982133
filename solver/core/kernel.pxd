"""Base class of all kernels; see kernel.pyx."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t

from .dealer cimport MOST_CARDS, MOST_COLUMNS, Dealt
from .work cimport PASSED_NODE

cdef enum Reason:
    NOTHING, NODES, SECONDS, MEMORY, INTERRUPTED, WORK

cdef enum Stage:           # what a search is at; progress.py has the names
    SEARCH, DEPTH_FIRST, BREADTH_FIRST, BEST_FIRST, RELAXATION, POSITIONS, BEAM, A_STAR, SAMPLING

cdef enum:
    POLL_MASK = 4095        # the clock and the signals are looked at every 4,096 nodes,
    PASS_MASK = 65535       # and every 65,536 that are passed over where none is expanded

cdef extern from *:
    const uint64_t UNLIMITED "UINT64_MAX"

cdef packed struct Record:  # see record.py
    uint64_t seed, expanded, generated, microseconds
    int32_t moves, lower_bound
    int16_t score, score_bound
    int8_t verdict          # 0 unwinnable, 1 winnable, 2 undecided; of a game played lost, won, unfinished
    int8_t reason, shortest, exact

cdef class Kernel:
    cdef readonly uint64_t expanded     # states whose successors were produced
    cdef readonly uint64_t generated    # successors produced, new or not
    cdef Reason reason                  # what ended the search early
    cdef uint64_t last_node             # states expanded when the limit on nodes or work is met
    cdef uint64_t max_nodes, max_bytes
    cdef uint64_t max_work              # in thousandths of a unit, as all work here; see work.pxd
    cdef uint64_t end_of_turn           # work at which the search has to end, or the present turn of it
    cdef uint64_t weight                # work of a state expanded at the present stage
    cdef uint64_t worked                # work up to when `weighed` states were expanded
    cdef uint64_t weighed
    cdef uint64_t worked_before         # by earlier searches
    cdef double max_seconds
    cdef double deadline                # of the monotonic clock; negative for none
    cdef volatile bint stopped
    cdef object error                   # raised by the handler of a signal while the search ran
    cdef uint8_t deck[MOST_CARDS]       # of the game that is dealt: its cards in order
    cdef int deck_size
    cdef uint8_t sizes[MOST_COLUMNS]    # of its columns
    cdef int columns
    cdef const uint8_t* given           # decks that a batch deals in place of seeds; NULL for none
    cdef uint64_t first_given           # the number of the first of them
    cdef bint shortest_too              # shortest lines are asked for

    # What `progress` tells another thread, which follows no pointer of the search: plain numbers.
    cdef Stage stage_now
    cdef uint64_t earlier               # states expanded before the counters began anew
    cdef uint64_t uncounted             # states expanded beside those that the limits and results count
    cdef uint64_t bytes_held            # as noted last
    cdef uint64_t bytes_beside          # of these, by searches that are no part of the kernel
    cdef int score_now                  # as noted last; -1: not known
    cdef int moves_now, lower_bound_now

    cdef void set_limits(self, limits) except *
    cdef bint begin(self) noexcept nogil
    cdef uint64_t work_done(self) noexcept nogil
    cdef uint64_t work_left(self) noexcept nogil
    cdef void add_work(self, uint64_t work) noexcept nogil
    cdef void begin_stage(self, Stage stage, uint64_t weight) noexcept nogil
    cdef void allow_work(self, uint64_t work) noexcept nogil
    cdef void count_nodes_left(self) noexcept nogil
    cdef void note_limit(self) noexcept nogil
    cdef bint poll(self) noexcept nogil
    cdef void note(self) noexcept nogil
    cdef void raise_error(self) except *
    cdef void open_deals(self, variant, choices) except *
    cdef void check_decks(self, bytes cards, int count) except *
    cdef void deal_seed(self, uint64_t seed, uint8_t* cards, Dealt* dealt) noexcept nogil
    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil
    cdef bint note_verdict(self, Record* record, int outcome) noexcept nogil
    cdef void check_capacity(self) except *

cdef inline bint may_expand(Kernel kernel) noexcept nogil:
    """Count one more expanded node; false, with the reason noted, if a limit forbids it."""
    if kernel.expanded >= kernel.last_node:
        kernel.note_limit()
        return False
    if kernel.expanded & POLL_MASK == POLL_MASK and not kernel.poll():
        return False
    kernel.expanded += 1
    return True

cdef inline bint may_pass(Kernel kernel, uint32_t* passed) noexcept nogil:
    """Count one more node that is passed over since the last that was expanded; false, with the reason noted,
    if work, the clock or a signal ends the search."""
    passed[0] += 1
    if passed[0] & PASS_MASK != 0:
        return True
    kernel.add_work((PASS_MASK + 1) * PASSED_NODE)
    return kernel.poll()
