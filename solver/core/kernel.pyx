"""Base class of all kernels: counters, limits, interruption, and batches of deals."""

from cpython.bytes cimport PyBytes_AsString
from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcpy, memset

from .clock cimport Laps, end_lap, monotonic
from .dealer cimport lay_out, shuffle
from .invariant cimport IS_CHECKED
from .work cimport UNIT

from ...rules import find_variant
from ..progress import STAGES, Progress
from ..result import REASONS
from .record import Records

CHECKED = bool(IS_CHECKED)      # whether this is the checked build; see setup.py

cdef enum:
    WINNABLE = 1                # verdicts of a Record
    UNDECIDED = 2
    POLL_MICROSECONDS = 5000    # between two polls in a batch


cdef class Kernel:
    """A search over packed states within limits.

    The search runs without the interpreter lock. On the main thread it handles Ctrl-C itself, and an
    exception from another signal handler ends it and is raised again; `stop` ends a search on another thread.
    A kernel of a game overrides `open_deals` and `solve_seed`.

    Any thread may ask for the `progress` of a search while it runs. A kernel names the stage it is at in
    ``stage_now`` and overrides `note`, which `poll` calls, to write down what else there is to tell.

    `contract.GameKernel` is what the kernel of a game promises to those who call it. One that
    shortens lines says so by ``OPTIMIZES``.
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
        """True after a search was stopped from outside, by `stop` or Ctrl-C."""
        return self.stopped

    @property
    def limit_met(self):
        """The name of the limit that ended the last search, or None."""
        return REASONS[self.reason]

    def progress(self):
        """The progress of the search, a `Progress`, whose states are all since the kernel was made.

        Safe at any moment and from any thread. What `note` writes is as old as the last poll.
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
        """The work of all searches, in units."""
        return (self.worked_before + self.work_done()) // UNIT

    cdef void note(self) noexcept nogil:
        """Write down for `progress` what is held, and the best found. Called by the thread that searches."""

    def prove_optimal(self, state, moves, on_improvement):
        """Look for a shortest line; see `contract.GameKernel`."""
        raise NotImplementedError("there is no search for shortest lines")

    def solve_score(self, state):
        """Find the greatest score of a lost state; see `contract.GameKernel`."""
        raise NotImplementedError("there is no search for the score of lost deals")

    def optimize(self, state, moves):
        """Make a line shorter; see `contract.GameKernel`."""
        raise NotImplementedError("there is no search for shorter lines")

    cdef void set_limits(self, limits) except *:
        """Take over ``limits``, a `result.Limits`."""
        self.max_nodes = UNLIMITED if limits.nodes is None else limits.nodes
        self.max_seconds = -1.0 if limits.seconds is None else limits.seconds
        megabytes = limits.megabytes
        self.max_bytes = UNLIMITED if megabytes is None else min(int(megabytes * 1e6), UNLIMITED)
        self.max_work = UNLIMITED if limits.work is None else UNIT * limits.work

    cdef bint begin(self) noexcept nogil:
        """Start the counters and the clock of one deal; false if its time is up already."""
        cdef uint64_t before = self.expanded
        self.worked_before += self.work_done()
        self.worked = self.weighed = 0
        self.expanded = self.generated = 0
        self.earlier += before      # only now, so that a thread that looks on never counts them twice
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
        """The work on this deal."""
        return self.worked + self.weight * (self.expanded - self.weighed)

    cdef uint64_t work_left(self) noexcept nogil:
        """The work that the limit, or the present turn, leaves for this deal; UNLIMITED without one."""
        cdef uint64_t done = self.work_done()
        if self.end_of_turn == UNLIMITED:
            return UNLIMITED
        return self.end_of_turn - done if done < self.end_of_turn else 0

    cdef void add_work(self, uint64_t work) noexcept nogil:
        """Count work beside that of states expanded. What polls ends there if it was too much."""
        self.worked = self.work_done() + work
        self.weighed = self.expanded
        self.count_nodes_left()

    cdef void begin_stage(self, Stage stage, uint64_t weight) noexcept nogil:
        """Note the stage that begins, of which an expanded state is work of ``weight``. What was done
        before is rounded up to whole units, so that it is all the same if another kernel did it."""
        self.worked = (self.work_done() + UNIT - 1) // UNIT * UNIT
        self.weighed = self.expanded
        self.stage_now = stage
        self.weight = weight
        self.count_nodes_left()

    cdef void allow_work(self, uint64_t work) noexcept nogil:
        """Begin a turn that ends, by WORK, after so much work, or at the limit."""
        cdef uint64_t done = self.work_done(), left = self.max_work - min(self.max_work, done)
        self.end_of_turn = done + work if work < left else self.max_work
        self.count_nodes_left()

    cdef void count_nodes_left(self) noexcept nogil:
        """Find out how many states may be expanded before the limit on nodes or work is met."""
        cdef uint64_t left = self.work_left()
        self.last_node = self.max_nodes
        if left != UNLIMITED and self.weight > 0 and left // self.weight < UNLIMITED - 1 - self.expanded:
            self.last_node = min(self.last_node, self.expanded + (left + self.weight - 1) // self.weight)

    cdef void note_limit(self) noexcept nogil:
        """Note why no more states may be expanded."""
        self.reason = NODES if self.expanded >= self.max_nodes else WORK

    cdef bint poll(self) noexcept nogil:
        """Look at the stop flag, signals, clock and work; false, with the reason noted, to stop."""
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
        """Raise what the handler of a signal raised while the search ran, if it did."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    # --- Many deals -----------------------------------------------------------------------------------------

    def solve_seeds(
        self, str variant, uint64_t first, int count, choices=None, bint shortest=False, bytes cards=None
    ):
        """Deal, decide and replay the seeds from ``first`` on, without the interpreter; with ``shortest``
        also look for shortest lines.

        ``cards`` replaces the dealer: ``count`` full decks of the game, one byte a card, each in the order of
        dealing; the deals are then only numbered from ``first`` on. Returns their `Records`; they are fewer
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
            raise RuntimeError(f"{wrong} lines of {variant} from seed {first} on fail their replay")
        del data[done * sizeof(Record):]
        return Records(data)

    cdef void open_deals(self, variant, choices) except *:
        """Make ready to deal ``variant`` under the rules agreed on."""
        cards = variant.deck().cards()
        self.deck_size = len(cards)
        for i, card in enumerate(cards):
            self.deck[i] = card
        self.columns = len(variant.sizes)
        for i, size in enumerate(variant.sizes):
            self.sizes[i] = size

    cdef void check_decks(self, bytes cards, int count) except *:
        """Raise ValueError unless ``cards`` are ``count`` decks of the game made ready."""
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
        """Deal ``seed`` of the game made ready: its shuffled ``cards``, room for MOST_CARDS, laid out too. In
        a batch of given cards it is the number of a deal."""
        if self.given != NULL:
            memcpy(cards, self.given + (seed - self.first_given) * self.deck_size, self.deck_size)
        else:
            memcpy(cards, self.deck, self.deck_size)
            shuffle(cards, self.deck_size, seed)
        lay_out(dealt, cards, self.deck_size, self.sizes, self.columns)

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        """Deal ``seed``, decide it and note the answer; false if a line fails its replay."""
        return False

    cdef bint note_verdict(self, Record* record, int outcome) noexcept nogil:
        """Note how a search for a win ended, and why where it ended early; true if there is one."""
        record.verdict = outcome
        if outcome == UNDECIDED:
            record.reason = self.reason
        return outcome == WINNABLE

    cdef void check_capacity(self) except *:
        """Raise RuntimeError if something fixed in size was too small."""
