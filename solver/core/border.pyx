"""Base class of all kernels: their border to Python, with limits, signals, progress and batches of deals."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcmp, memcpy, memset

from .clock cimport Laps, end_lap
from .dealer cimport lay_out, shuffle
from .invariant cimport IS_CHECKED
from .kernel cimport INTERRUPTED, UNLIMITED, poll, set_unlimited, work_done
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


cdef class Border:
    """A search over packed states within limits.

    The search runs without the interpreter lock. On the main thread it handles Ctrl-C itself; an exception
    from another signal handler ends it and is raised again. `stop` ends a search on another thread.

    Any thread may read the `progress` of a running search. A kernel overrides `note`, which is called at each
    poll, to update its figures.

    The kernel of a game overrides `open_deals` and `solve_seed`, and implements `contract.GameKernel`.
    """

    OPTIMIZES = False
    SCORES_LOST = False

    def __cinit__(self):
        self.use(&self.own)

    def stop(self):
        """End the running search, and every later one, as interrupted."""
        self.kernel.stopped = True

    @property
    def was_stopped(self):
        """True after `stop` or Ctrl-C stopped a search."""
        return self.kernel.stopped

    @property
    def expanded(self):
        """The number of states whose successors the last search generated."""
        return self.kernel.expanded

    @property
    def generated(self):
        """The number of successors that the last search generated, repeated ones included."""
        return self.kernel.generated

    @property
    def limit_met(self):
        """The name of the limit that ended the last search, or None."""
        return REASONS[self.kernel.reason]

    def progress(self):
        """The progress of the search, a `Progress`; its states are those of all searches of the kernel.

        Any thread may call this at any time. The figures that `note` sets are as old as the last poll.
        """
        cdef Kernel* kernel = self.kernel
        return Progress(STAGES[<int>kernel.stage_now], kernel.earlier + kernel.expanded + kernel.uncounted,
                        kernel.bytes_held / 1e6, kernel.score_now if kernel.score_now >= 0 else None,
                        kernel.moves_now if kernel.moves_now >= 0 else None,
                        kernel.lower_bound_now if kernel.lower_bound_now >= 0 else None)

    @property
    def work(self):
        """The work of the last search, in units, rounded up."""
        return (work_done(self.kernel) + UNIT - 1) // UNIT

    @property
    def work_of_all(self):
        """The work of all searches since the kernel was made, in units, rounded down."""
        return (self.kernel.worked_before + work_done(self.kernel)) // UNIT

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

    cdef void use(self, Kernel* kernel) noexcept:
        """Search with ``kernel``, all of whose bytes are 0. A subclass calls this before any search."""
        self.kernel = kernel
        set_unlimited(kernel)
        kernel.ask = may_go_on
        kernel.asker = <void*>self

    cdef void set_limits(self, limits) except *:
        """Set the limits from ``limits``, a `result.Limits`."""
        cdef Kernel* kernel = self.kernel
        kernel.limits.nodes = UNLIMITED if limits.nodes is None else limits.nodes
        kernel.limits.seconds = -1.0 if limits.seconds is None else limits.seconds
        megabytes = limits.megabytes
        # Sizes are computed in 64 bits but allocated as size_t, which has 32 bits in WebAssembly. This limit
        # prevents truncation.
        addressable = min(UNLIMITED, <uint64_t><size_t>-1)
        kernel.limits.bytes = addressable if megabytes is None else min(int(megabytes * 1e6), addressable)
        kernel.max_work = UNLIMITED if limits.work is None else UNIT * limits.work

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
            while done < count and not self.kernel.stopped:
                record = &rows[done]
                record.seed = first + done
                record.moves = record.lower_bound = record.score = record.score_bound = -1
                record.verdict = UNDECIDED
                if not self.solve_seed(record.seed, record):
                    wrong += 1
                record.microseconds = end_lap(&laps)
                if laps.began - polled >= POLL_MICROSECONDS:
                    polled = laps.began
                    poll(self.kernel)
                if record.reason == INTERRUPTED:
                    break
                record.expanded = self.kernel.expanded
                record.generated = self.kernel.generated
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
            record.reason = self.kernel.reason
        return outcome == WINNABLE

    cdef void check_capacity(self) except *:
        """Raise RuntimeError if an array of fixed size overflowed during the search."""


cdef bint may_go_on(void* asker) noexcept with gil:
    """Update the figures of a `Border` that is searching, and handle signals. Returns False to end the
    search."""
    cdef Border border = <Border>asker
    border.note()
    try:
        PyErr_CheckSignals()
    except KeyboardInterrupt:
        return False
    except BaseException as error:
        border.error = error
        return False
    return True


# --- The dealer ---------------------------------------------------------------------------------------------


def shuffled(cards, uint64_t seed):
    """Shuffle the list ``cards`` of numbers below 256; same result as `rules.deals.shuffled` for ``seed``."""
    cdef bytes dealt = bytes(cards), copy = PyBytes_FromStringAndSize(PyBytes_AsString(dealt), len(dealt))
    shuffle(<uint8_t*>PyBytes_AsString(copy), <int>len(copy), seed)
    return list(copy)


def first_not_of_seed(cards, list seeds, bytes dealt):
    """The index of the first deal in ``dealt`` that differs from the deal of its seed; -1 if all agree.

    ``dealt`` holds one deck of ``cards`` for each of ``seeds``, in the order of dealing, one byte a card. A
    deal whose seed is None is not compared. Raises ValueError if the sizes do not fit.
    """
    cdef bytes deck = bytes(cards)
    cdef int size = <int>len(deck), index
    cdef uint8_t own[MOST_CARDS]
    cdef const uint8_t* given = <const uint8_t*>PyBytes_AsString(dealt)
    if size > MOST_CARDS or len(dealt) != size * len(seeds):
        raise ValueError(f"expected {len(seeds)} decks of at most {MOST_CARDS} cards")
    for index, seed in enumerate(seeds):
        if seed is not None:
            memcpy(own, PyBytes_AsString(deck), size)
            shuffle(own, size, seed)
            if memcmp(own, given + <Py_ssize_t>index * size, size):
                return index
    return -1
