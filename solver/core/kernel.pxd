"""Limits, counters and end of a search, shared by all searches.

Searches run without Python. `poll`, which they call now and then, calls ``Kernel.ask``, a function that the
caller of the search has set, to learn whether to go on; for Python, `Border` sets it.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from .clock cimport monotonic
from .work cimport PASSED_NODE, UNIT

cdef extern from "core/kernel.h" nogil:         # which says what the fields mean
    const uint64_t UNLIMITED "UINT64_MAX"

    ctypedef enum Reason "winnable_reason":
        NOTHING "WINNABLE_NO_LIMIT"
        NODES "WINNABLE_NODES"
        SECONDS "WINNABLE_SECONDS"
        MEMORY "WINNABLE_MEMORY"
        INTERRUPTED "WINNABLE_INTERRUPTED"
        WORK "WINNABLE_WORK"

    enum:
        UNDECIDED "WINNABLE_UNDECIDED"

    ctypedef enum Stage "winnable_stage":       # progress.STAGES has the names
        SEARCH "WINNABLE_SEARCH"
        DEPTH_FIRST "WINNABLE_DEPTH_FIRST"
        BREADTH_FIRST "WINNABLE_BREADTH_FIRST"
        BEST_FIRST "WINNABLE_BEST_FIRST"
        RELAXATION "WINNABLE_RELAXATION"
        POSITIONS "WINNABLE_POSITIONS"
        BEAM "WINNABLE_BEAM"
        A_STAR "WINNABLE_A_STAR"
        SAMPLING "WINNABLE_SAMPLING"

    ctypedef struct Limits "winnable_limits":
        uint64_t nodes, bytes, work
        double seconds

    ctypedef struct Answer "winnable_answer":
        uint64_t expanded, generated, work
        int verdict, reason, moves, lower_bound, score, score_bound
        bint exact, shortest, replays, fault

    ctypedef int (*Ask "winnable_ask")(void* context) noexcept nogil
    ctypedef int (*Listen "winnable_listen")(void* context, const Answer* answer) noexcept nogil

    ctypedef struct Kernel "winnable":
        uint64_t expanded, generated
        Reason reason
        uint64_t last_node
        Limits limits
        uint64_t max_work, end_of_turn, weight, worked, weighed, worked_before
        double deadline
        bint stopped
        Ask ask
        void* asker
        void (*note)(Kernel*) noexcept nogil
        int wanted
        Stage stage_now
        uint64_t earlier, uncounted, bytes_held, bytes_beside
        int score_now, moves_now, lower_bound_now

cdef enum:
    POLL_MASK = 4095        # clock and signals are polled every 4,096 expanded nodes
    PASS_MASK = 65535       # and every 65,536 nodes that are skipped in a row without expanding one

# --- Work ---------------------------------------------------------------------------------------------------

cdef inline uint64_t work_done(const Kernel* kernel) noexcept nogil:
    """The work of the present search, in thousandths of a unit, like all work below."""
    return kernel.worked + kernel.weight * (kernel.expanded - kernel.weighed)

cdef inline uint64_t work_left(Kernel* kernel) noexcept nogil:
    """The work left before the limit or the end of the present turn; UNLIMITED without a limit."""
    cdef uint64_t done = work_done(kernel)
    if kernel.end_of_turn == UNLIMITED:
        return UNLIMITED
    return kernel.end_of_turn - done if done < kernel.end_of_turn else 0

cdef inline void count_nodes_left(Kernel* kernel) noexcept nogil:
    """Set ``last_node``: the count of expanded states at which the node or work limit is reached."""
    cdef uint64_t left = work_left(kernel)
    kernel.last_node = kernel.limits.nodes
    if left != UNLIMITED and kernel.weight > 0 and left // kernel.weight < UNLIMITED - 1 - kernel.expanded:
        kernel.last_node = min(
            kernel.last_node, kernel.expanded + (left + kernel.weight - 1) // kernel.weight)

cdef inline void add_work(Kernel* kernel, uint64_t work) noexcept nogil:
    """Count work other than that of expanded states. The next poll ends the search if it was too much."""
    kernel.worked = work_done(kernel) + work
    kernel.weighed = kernel.expanded
    count_nodes_left(kernel)

cdef inline void begin_stage(Kernel* kernel, Stage stage, uint64_t weight) noexcept nogil:
    """Begin a stage in which each expanded state counts ``weight`` of work.

    The work so far is rounded up to whole units, as it is where another kernel did it: `work` reports
    whole units.
    """
    kernel.worked = (work_done(kernel) + UNIT - 1) // UNIT * UNIT
    kernel.weighed = kernel.expanded
    kernel.stage_now = stage
    kernel.weight = weight
    count_nodes_left(kernel)

cdef inline void allow_work(Kernel* kernel, uint64_t work) noexcept nogil:
    """Begin a turn, which ends with reason WORK after ``work`` more or at the work limit."""
    cdef uint64_t done = work_done(kernel), left = kernel.max_work - min(kernel.max_work, done)
    kernel.end_of_turn = done + work if work < left else kernel.max_work
    count_nodes_left(kernel)

# --- Beginning and end ------------------------------------------------------------------------------------

cdef inline void set_unlimited(Kernel* kernel) noexcept nogil:
    """Set ``kernel``, which has not searched, to no limits and unknown figures."""
    kernel.limits.nodes = kernel.limits.bytes = kernel.max_work = kernel.end_of_turn = UNLIMITED
    kernel.limits.seconds = -1.0
    kernel.score_now = kernel.moves_now = kernel.lower_bound_now = -1

cdef inline bint begin(Kernel* kernel) noexcept nogil:
    """Reset counters and clock for the search of one deal. Returns False if its time limit is 0
    or the kernel was stopped."""
    cdef uint64_t before = kernel.expanded
    kernel.worked_before += work_done(kernel)
    kernel.worked = kernel.weighed = 0
    kernel.expanded = kernel.generated = 0
    kernel.earlier += before      # after `expanded` is 0, so that `progress` never counts them twice
    kernel.score_now = kernel.moves_now = kernel.lower_bound_now = -1
    kernel.reason = NOTHING
    kernel.end_of_turn = kernel.max_work
    count_nodes_left(kernel)
    kernel.deadline = -1.0
    if kernel.limits.seconds >= 0.0:
        kernel.deadline = monotonic() + kernel.limits.seconds
        if monotonic() >= kernel.deadline:
            kernel.reason = SECONDS
    if kernel.stopped:
        kernel.reason = INTERRUPTED
    return kernel.reason == NOTHING

cdef inline void note_limit(Kernel* kernel) noexcept nogil:
    """Set the reason why no more states may be expanded: NODES or WORK."""
    kernel.reason = NODES if kernel.expanded >= kernel.limits.nodes else WORK

cdef inline bint poll(Kernel* kernel) noexcept nogil:
    """Ask whether to go on, and check the stop flag, clock and work. Returns False, setting the reason, to
    end the search."""
    if kernel.note != NULL:
        kernel.note(kernel)
    if kernel.ask != NULL and not kernel.ask(kernel.asker):
        kernel.stopped = True
    if kernel.stopped:
        kernel.reason = INTERRUPTED
    elif kernel.deadline >= 0.0 and monotonic() >= kernel.deadline:
        kernel.reason = SECONDS
    elif work_left(kernel) == 0:
        kernel.reason = WORK
    return kernel.reason == NOTHING

cdef inline bint may_expand(Kernel* kernel) noexcept nogil:
    """Count one more expanded node. Returns False, setting the reason, if a limit is reached."""
    if kernel.expanded >= kernel.last_node:
        note_limit(kernel)
        return False
    if kernel.expanded & POLL_MASK == POLL_MASK and not poll(kernel):
        return False
    kernel.expanded += 1
    return True

cdef inline bint may_pass(Kernel* kernel, uint32_t* passed) noexcept nogil:
    """Count in ``passed`` one more node that is skipped instead of expanded.

    Returns False, setting the reason, if the work limit, the clock or a signal ends the search.
    """
    passed[0] += 1
    if passed[0] & PASS_MASK != 0:
        return True
    add_work(kernel, (PASS_MASK + 1) * PASSED_NODE)
    return poll(kernel)

# --- Answers ------------------------------------------------------------------------------------------------

cdef inline void write_answer(const Kernel* kernel, Answer* answer, int verdict) noexcept nogil:
    """Set ``answer`` to the counters of the search that ended, and to ``verdict`` without a line. It has the
    limit that was met if the verdict is undecided."""
    memset(answer, 0, sizeof(Answer))
    answer.expanded = kernel.expanded
    answer.generated = kernel.generated
    answer.work = (work_done(kernel) + UNIT - 1) // UNIT
    answer.verdict = verdict
    answer.reason = kernel.reason if verdict == UNDECIDED else NOTHING
    answer.moves = answer.lower_bound = answer.score = answer.score_bound = -1

cdef inline bint tell(Kernel* kernel, Listen listen, void* context, const Answer* answer) noexcept nogil:
    """Tell of a shorter line or a greater bound. Returns False, setting the reason, to end the search."""
    if listen == NULL or listen(context, answer):
        return True
    kernel.reason = INTERRUPTED
    return False
