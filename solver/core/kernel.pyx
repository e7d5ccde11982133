"""Base class of all kernels: counters, limits, interruption, and batches of deals."""

from cpython.bytes cimport PyBytes_AsString
from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcpy, memset

from .clock cimport Laps, end_lap, monotonic
from .dealer cimport lay_out, shuffle
from .invariant cimport IS_CHECKED
from .work cimport UNIT

from ...rules import find_variant
from ..diagnostics import WrongAnswer
from ..progress import STAGES, Progress
from ..result import REASONS
from .record import Records

CHECKED = bool(IS_CHECKED)      # True in the checked build; see setup.py

cdef enum:
    WINNABLE = 1                # verdicts of a Record
    UNDECIDED = 2
    POLL_MICROSECONDS = 5000    # between two polls in a batch


cdef class Kernel:
    """A search over packed states within limits.

    The search runs without the interpreter lock. On the main thread it handles Ctrl-C itself; an exception
    from another signal handler ends it and is raised again. `stop` ends a search on another thread.

    Any thread may read the `progress` of a running search. A kernel sets ``stage_now`` to its present stage,
    and overrides `note`, which `poll` calls, to update the other figures.

    The kernel of a game overrides `open_deals` and `solve_seed`, and implements `contract.GameKernel`.
    """

    OPTIMIZES = False
    SCORES_LOST = False

    def __cinit__(self):
        self.score_now = self.moves_now = self.lower_bound_now = -1
        self.end_of_turn = UNLIMITED

    def stop(self):
        """End the running search, and every later one, as interrupted."""
        self.stopped = True

    @property
    def was_stopped(self):
        """True after `stop` or Ctrl-C stopped a search."""
        return self.stopped

    @property
    def limit_met(self):
        """The name of the limit that ended the last search, or None."""
        return REASONS[self.reason]

    def progress(self):
        """The progress of the search, a `Progress`; its states are those of all searches of the kernel.

        Any thread may call this at any time. The figures that `note` sets are as old as the last poll.
        """
        return Progress(STAGES[<int>self.stage_now], self.earlier + self.expanded + self.uncounted,
                        self.bytes_held / 1e6, self.score_now if self.score_now >= 0 else None,
                        self.moves_now if self.moves_now >= 0 else None,
                        self.lower_bound_now if self.lower_bound_now >= 0 else None)

    @property
    def work(self):
        """The work of the last search, in units, rounded up."""
        return (self.work_done() + UNIT - 1) // UNIT

    @property
    def work_of_all(self):
        """The work of all searches since the kernel was made, in units, rounded down."""
        return (self.worked_before + self.work_done()) // UNIT

    cdef void note(self) noexcept nogil:
        """Update the figures that `progress` reports: memory held and the best result so far.

        Called by the searching thread at each poll.
        """

    def prove_optimal(self, state, moves, on_improvement):
        """Search for a shortest line; see `contract.GameKernel`."""
        raise NotImplementedError("there is no search for shortest lines")

    def solve_score(self, state):
        """Find the best score of a lost state; see `contract.GameKernel`."""
        raise NotImplementedError("there is no search for the score of lost deals")

    def optimize(self, state, moves):
        """Shorten a line; see `contract.GameKernel`."""
        raise NotImplementedError("there is no search for shorter lines")

    cdef void set_limits(self, limits) except *:
        """Set the limits from ``limits``, a `result.Limits`."""
        self.max_nodes = UNLIMITED if limits.nodes is None else limits.nodes
        self.max_seconds = -1.0 if limits.seconds is None else limits.seconds
        megabytes = limits.megabytes
        # Sizes are computed in 64 bits but allocated as size_t, which has 32 bits in WebAssembly. This limit
        # prevents truncation.
        addressable = min(UNLIMITED, <uint64_t><size_t>-1)
        self.max_bytes = addressable if megabytes is None else min(int(megabytes * 1e6), addressable)
        self.max_work = UNLIMITED if limits.work is None else UNIT * limits.work

    cdef bint begin(self) noexcept nogil:
        """Reset counters and clock for the search of one deal. Returns False if its time limit is 0."""
        cdef uint64_t before = self.expanded
        self.worked_before += self.work_done()
        self.worked = self.weighed = 0
        self.expanded = self.generated = 0
        self.earlier += before      # after `expanded` is 0, so that `progress` never counts them twice
        self.score_now = self.moves_now = self.lower_bound_now = -1
        self.reason = NOTHING
        self.end_of_turn = self.max_work
        self.count_nodes_left()
        self.deadline = -1.0
        if self.max_seconds >= 0.0:
            self.deadline = monotonic() + self.max_seconds
            if monotonic() >= self.deadline:
                self.reason = SECONDS
        return self.reason == NOTHING

    # --- Work -----------------------------------------------------------------------------------------------

    cdef uint64_t work_done(self) noexcept nogil:
        """The work of the present search, in thousandths of a unit, like all work below."""
        return self.worked + self.weight * (self.expanded - self.weighed)

    cdef uint64_t work_left(self) noexcept nogil:
        """The work left before the limit or the end of the present turn; UNLIMITED without a limit."""
        cdef uint64_t done = self.work_done()
        if self.end_of_turn == UNLIMITED:
            return UNLIMITED
        return self.end_of_turn - done if done < self.end_of_turn else 0

    cdef void add_work(self, uint64_t work) noexcept nogil:
        """Count work other than that of expanded states. The next poll ends the search if it was too much."""
        self.worked = self.work_done() + work
        self.weighed = self.expanded
        self.count_nodes_left()

    cdef void begin_stage(self, Stage stage, uint64_t weight) noexcept nogil:
        """Begin a stage in which each expanded state counts ``weight`` of work.

        The work so far is rounded up to whole units, as it is where another kernel did it: `work` reports
        whole units.
        """
        self.worked = (self.work_done() + UNIT - 1) // UNIT * UNIT
        self.weighed = self.expanded
        self.stage_now = stage
        self.weight = weight
        self.count_nodes_left()

    cdef void allow_work(self, uint64_t work) noexcept nogil:
        """Begin a turn, which ends with reason WORK after ``work`` more or at the work limit."""
        cdef uint64_t done = self.work_done(), left = self.max_work - min(self.max_work, done)
        self.end_of_turn = done + work if work < left else self.max_work
        self.count_nodes_left()

    cdef void count_nodes_left(self) noexcept nogil:
        """Set ``last_node``: the count of expanded states at which the node or work limit is reached."""
        cdef uint64_t left = self.work_left()
        self.last_node = self.max_nodes
        if left != UNLIMITED and self.weight > 0 and left // self.weight < UNLIMITED - 1 - self.expanded:
            self.last_node = min(self.last_node, self.expanded + (left + self.weight - 1) // self.weight)

    cdef void note_limit(self) noexcept nogil:
        """Set the reason why no more states may be expanded: NODES or WORK."""
        self.reason = NODES if self.expanded >= self.max_nodes else WORK

    cdef bint poll(self) noexcept nogil:
        """Check the stop flag, signals, clock and work. Returns False, setting the reason, to end the
        search."""
        self.note()
        with gil:
            try:
                PyErr_CheckSignals()
            except KeyboardInterrupt:
                self.stopped = True
            except BaseException as error:
                self.stopped = True
                self.error = error
        if self.stopped:
            self.reason = INTERRUPTED
        elif self.deadline >= 0.0 and monotonic() >= self.deadline:
            self.reason = SECONDS
        elif self.work_left() == 0:
            self.reason = WORK
        return self.reason == NOTHING

    cdef void raise_error(self) except *:
        """Raise the exception that a signal handler raised during the search, if any."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    # --- Many deals -----------------------------------------------------------------------------------------

    def solve_seeds(
        self, str variant, uint64_t first, int count, choices=None, bint shortest=False, bytes cards=None
    ):
        """Deal, decide and replay ``count`` seeds from ``first`` on, without the interpreter lock. If
        ``shortest`` is true, also search for shortest lines.

        ``cards`` replaces the dealer: ``count`` full decks of the game, one byte a card, each in the order of
        dealing. The seeds are then only the numbers of the deals. Returns the `Records` of the deals, fewer
        than ``count`` if the search was interrupted. Raises RuntimeError if a line fails its replay,
        ValueError if ``cards`` are not ``count`` decks.
        """
        cdef uint64_t polled
        cdef Laps laps = Laps(0, 0, 0)
        cdef int done = 0
        cdef uint64_t wrong = 0
        cdef Record* record
        cdef bytearray data = bytearray(count * sizeof(Record))
        cdef Record* rows = <Record*><char*>data    # stays in place until `data` is cut
        self.shortest_too = shortest
        self.open_deals(find_variant(variant), choices)
        self.given = NULL
        if cards is not None:
            self.check_decks(cards, count)
            self.given = <const uint8_t*>PyBytes_AsString(cards)
            self.first_given = first
        with nogil:
            end_lap(&laps)
            polled = laps.began
            while done < count and not self.stopped:
                record = &rows[done]
                record.seed = first + done
                record.moves = record.lower_bound = record.score = record.score_bound = -1
                record.verdict = UNDECIDED
                if not self.solve_seed(record.seed, record):
                    wrong += 1
                record.microseconds = end_lap(&laps)
                if laps.began - polled >= POLL_MICROSECONDS:
                    polled = laps.began
                    self.poll()
                if record.reason == INTERRUPTED:
                    break
                record.expanded = self.expanded
                record.generated = self.generated
                done += 1
        self.given = NULL
        self.raise_error()
        self.check_capacity()
        if wrong:
            raise WrongAnswer(f"{wrong} lines of {variant} from seed {first} on fail their replay")
        del data[done * sizeof(Record):]
        return Records(data)

    cdef void open_deals(self, variant, choices) except *:
        """Prepare to deal ``variant`` with rule options ``choices``, which may be None."""
        cards = variant.deck().cards()
        self.deck_size = len(cards)
        for i, card in enumerate(cards):
            self.deck[i] = card
        self.columns = len(variant.sizes)
        for i, size in enumerate(variant.sizes):
            self.sizes[i] = size

    cdef void check_decks(self, bytes cards, int count) except *:
        """Raise ValueError unless ``cards`` are ``count`` decks of the variant of `open_deals`."""
        cdef int8_t left[256]
        cdef const uint8_t* at = <const uint8_t*>PyBytes_AsString(cards)
        cdef int deal, i
        if len(cards) != <Py_ssize_t>count * self.deck_size:
            raise ValueError(f"expected {count} decks of {self.deck_size} cards, got {len(cards)} cards")
        memset(left, 0, sizeof(left))
        for i in range(self.deck_size):
            left[self.deck[i]] += 1
        for deal in range(count):
            for i in range(self.deck_size):
                left[at[i]] -= 1
                if left[at[i]] < 0:
                    raise ValueError(f"deal {deal + 1}: card number {at[i]} is not in the deck, or doubled")
            for i in range(self.deck_size):
                left[at[i]] += 1
            at += self.deck_size

    cdef void deal_seed(self, uint64_t seed, uint8_t* cards, Dealt* dealt) noexcept nogil:
        """Shuffle the deck of the variant of `open_deals` with ``seed``, and lay it out.

        Fills ``cards``, an array of MOST_CARDS, and ``dealt``. In a batch of given decks, ``seed`` is the
        number of the deck to lay out.
        """
        if self.given != NULL:
            memcpy(cards, self.given + (seed - self.first_given) * self.deck_size, self.deck_size)
        else:
            memcpy(cards, self.deck, self.deck_size)
            shuffle(cards, self.deck_size, seed)
        lay_out(dealt, cards, self.deck_size, self.sizes, self.columns)

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        """Deal and decide ``seed``, and fill in ``record``. Returns False if a line fails its replay."""
        return False

    cdef bint note_verdict(self, Record* record, int outcome) noexcept nogil:
        """Set the verdict of ``record`` to ``outcome`` and, if that is UNDECIDED, its reason. Returns True if
        ``outcome`` is WINNABLE."""
        record.verdict = outcome
        if outcome == UNDECIDED:
            record.reason = self.reason
        return outcome == WINNABLE

    cdef void check_capacity(self) except *:
        """Raise RuntimeError if an array of fixed size overflowed during the search."""
