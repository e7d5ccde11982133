"""Base class of all kernels; see kernel.pyx."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t

from .dealer cimport MOST_CARDS, MOST_COLUMNS, Dealt
from .work cimport PASSED_NODE

cdef enum Reason:
    NOTHING, NODES, SECONDS, MEMORY, INTERRUPTED, WORK

cdef enum Stage:           # stages of a search; progress.STAGES has the names
    SEARCH, DEPTH_FIRST, BREADTH_FIRST, BEST_FIRST, RELAXATION, POSITIONS, BEAM, A_STAR, SAMPLING

cdef enum:
    POLL_MASK = 4095        # clock and signals are polled every 4,096 expanded nodes
    PASS_MASK = 65535       # and every 65,536 nodes that are skipped in a row without expanding one

cdef extern from *:
    const uint64_t UNLIMITED "UINT64_MAX"

cdef packed struct Record:  # see record.py
    uint64_t seed, expanded, generated, microseconds
    int32_t moves, lower_bound
    int16_t score, score_bound
    int8_t verdict          # 0 unwinnable, 1 winnable, 2 undecided; if played: 0 lost, 1 won, 2 unfinished
    int8_t reason, shortest, exact

cdef class Kernel:
    cdef readonly uint64_t expanded     # states whose successors were generated
    cdef readonly uint64_t generated    # successors generated, repeated ones included
    cdef Reason reason                  # the limit that ended the search early, or NOTHING
    cdef uint64_t last_node             # value of `expanded` at which the node or work limit is reached
    cdef uint64_t max_nodes, max_bytes
    cdef uint64_t max_work              # in thousandths of a unit, like all work in kernels; see work.pxd
    cdef uint64_t end_of_turn           # value of `work_done` at which the present turn or the search ends
    cdef uint64_t weight                # work per state expanded at the present stage
    cdef uint64_t worked                # work done when `expanded` was `weighed`
    cdef uint64_t weighed
    cdef uint64_t worked_before         # work of earlier searches
    cdef double max_seconds
    cdef double deadline                # seconds of the monotonic clock; negative if there is no time limit
    cdef volatile bint stopped
    cdef object error                   # exception raised by a signal handler during the search, or None
    cdef uint8_t deck[MOST_CARDS]       # cards of the variant dealt by `solve_seeds`, in order
    cdef int deck_size
    cdef uint8_t sizes[MOST_COLUMNS]    # sizes of its columns
    cdef int columns
    cdef const uint8_t* given           # decks that a batch deals instead of seeds, or NULL
    cdef uint64_t first_given           # the number of the first of these decks
    cdef bint shortest_too              # `solve_seed` also searches for shortest lines

    # The state that `progress` reports to other threads: plain numbers, no pointers of the search.
    cdef Stage stage_now
    cdef uint64_t earlier               # states expanded by earlier searches
    cdef uint64_t uncounted             # states expanded that limits and results do not count
    cdef uint64_t bytes_held            # memory in use, at the last `note`
    cdef uint64_t bytes_beside          # the part of it used by searches outside the kernel
    cdef int score_now                  # best score at the last `note`; -1 if not known
    cdef int moves_now, lower_bound_now     # length and lower bound at the last `note`; -1 if not known

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
    """Count one more expanded node. Returns False, setting the reason, if a limit is reached."""
    if kernel.expanded >= kernel.last_node:
        kernel.note_limit()
        return False
    if kernel.expanded & POLL_MASK == POLL_MASK and not kernel.poll():
        return False
    kernel.expanded += 1
    return True

cdef inline bint may_pass(Kernel kernel, uint32_t* passed) noexcept nogil:
    """Count in ``passed`` one more node that is skipped instead of expanded.

    Returns False, setting the reason, if the work limit, the clock or a signal ends the search.
    """
    passed[0] += 1
    if passed[0] & PASS_MASK != 0:
        return True
    kernel.add_work((PASS_MASK + 1) * PASSED_NODE)
    return kernel.poll()
