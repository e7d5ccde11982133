"""The border of compiled searches to Python: limits, signals, progress, batches of deals.

`SearchKernel` is the search of a game of the library, see winnable.h. `Border`, its base class, is that of
certificates, of players and of tests, too.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.string cimport memcmp, memcpy, memset

from .bits cimport count_bits
from .certificate cimport CUT_SHORT, LONGEST_ROW, MOST_CLAIMED, Closure, PositionList
from .clock cimport Laps, end_lap
from .dealer cimport lay_out, shuffle
from .desk cimport FOUNDATION
from .invariant cimport IS_CHECKED
from .kernel cimport (
    INTERRUPTED, MEMORY, NOTHING, SEARCH, UNLIMITED, Answer, begin, begin_stage, poll, set_unlimited,
    work_done,
)
from .player cimport FREE, LAST_DECISION, MOST_CHOICES, UNSEEN, Player, Ranked
from .work cimport CERTIFIED, UNIT

from ...rules import check_implemented, find_variant
from ...rules.board import described
from ...rules.tables import hidden
from ..diagnostics import WrongAnswer
from .contract import SearchResult
from ..progress import STAGES, Progress
from ..result import REASONS
from .record import Records

include "desk.pxi"

CHECKED = bool(IS_CHECKED)      # True in the checked build; see setup.py

cdef enum:
    WINNABLE = 1                # verdicts of a Record
    UNDECIDED = 2
    POLL_MICROSECONDS = 5000    # between two polls in a batch


cdef class Border:
    """A search within limits.

    The search runs without the interpreter lock. On the main thread it handles Ctrl-C itself; an exception
    from another signal handler ends it and is raised again. `stop` ends a search on another thread.

    Any thread may read the `progress` of a running search. A subclass whose kernel has no function `note`
    overrides the method, which is called at each poll, to update its figures. One that deals overrides
    `open_deals` and `solve_seed`.
    """

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

    cdef void use(self, Kernel* kernel) noexcept:
        """Search with ``kernel``, without limits at first. A subclass calls this before any search."""
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

    cdef void deal_seed(self, uint64_t seed, uint8_t* cards, Desk* dealt) noexcept nogil:
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


cdef int may_go_on(void* asker) noexcept with gil:
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


# --- The search of a game -----------------------------------------------------------------------------------

cdef extern from "winnable.h" nogil:
    enum:
        OK "WINNABLE_OK"
        BAD_LINE "WINNABLE_BAD_LINE"

    const char* winnable_name(int number)
    Kernel* winnable_open(const char* name)
    void winnable_close(Kernel* engine)
    int winnable_deal(Kernel* engine, uint64_t seed)
    int winnable_lay(Kernel* engine, const uint8_t* cards, int count)
    int winnable_load(Kernel* engine, const Desk* table)
    int winnable_solve(Kernel* engine, Answer* answer)
    int winnable_score(Kernel* engine, Answer* answer)
    int winnable_shorten(Kernel* engine, const PlainMove* line, int count,
                         int (*listen)(void*, const Answer*) noexcept nogil, void* context, Answer* answer)
    int winnable_optimize(Kernel* engine, const PlainMove* line, int count, Answer* answer)
    int winnable_line(const Kernel* engine, PlainMove* moves, int room)
    const char* winnable_message(const Kernel* engine)

cdef extern from "core/kernel.h" nogil:
    int winnable_number_of(const char* name, Desk* table)


def games():
    """The names of the games of the library."""
    cdef int number = 0
    names = []
    while winnable_name(number) != NULL:
        names.append(winnable_name(number).decode())
        number += 1
    return tuple(names)


cdef void read_table(Desk* desk, state, str game, str family, implemented) except *:
    """Read ``state`` to ``desk``. Raises ValueError unless it is one of ``game``, under rule options that all
    lists of ``implemented`` have, with values in its fields that a desk can hold."""
    if getattr(state, "variant", None) != game:
        raise ValueError(f"{described(state)}: expected a state of {game}")
    try:
        for each in implemented:
            check_implemented(state, each)
        read_state(desk, state, family)
    except (AttributeError, IndexError, OverflowError, TypeError) as error:
        raise ValueError(
            f"a state of {game}: expected cards and numbers in its fields, as in play") from error


cdef class SearchKernel(Border):
    """The search of a game of the library; implements `contract.GameKernel`.

    `engine.find_kernel` makes a subclass for each game. A kernel may be used by one thread at a time. It
    reuses memory from deal to deal.
    """

    GAME = ""
    """The name of the game in the library."""
    FAMILY = ""
    """The family, a package of searches."""
    RULES = None
    """The module of `rules` that has its moves."""
    OPTIMIZES = False
    SCORES_LOST = False
    IMPLEMENTED = ()
    """The lists of games and rule options that its searches and its oracle implement."""

    cdef str family
    cdef bint is_scored         # in the game scores have tiers
    cdef bint has_fault         # an array of fixed size overflowed
    cdef object listener        # called with each shorter line and greater bound

    def __cinit__(self, *_):
        cdef bytes name = type(self).GAME.encode()
        if type(self).GAME not in games():
            raise ValueError(f"expected a game of the library, got {type(self).GAME!r}")
        cdef Kernel* engine = winnable_open(name)
        if engine == NULL:
            raise MemoryError
        self.use(engine)
        self.family = type(self).FAMILY
        self.is_scored = self.family == "joker"

    def __init__(self, limits):
        self.set_limits(limits)

    def __dealloc__(self):
        if self.kernel != &self.own:
            winnable_close(self.kernel)

    cdef void load(self, state) except *:
        """Load ``state``. Raises ValueError if the searches cannot start from it."""
        cdef Desk desk
        read_table(&desk, state, type(self).GAME, self.family, type(self).IMPLEMENTED)
        if winnable_load(self.kernel, &desk) != OK:
            raise ValueError(f"a state of {type(self).GAME}: {winnable_message(self.kernel).decode()}")

    cdef list moves(self):
        """The line of the last search, as moves of the game."""
        cdef int count = winnable_line(self.kernel, NULL, 0)
        cdef bytearray room = bytearray(count * sizeof(PlainMove))
        cdef PlainMove* steps = <PlainMove*><char*>room
        winnable_line(self.kernel, steps, count)
        return moves_of(steps, count, self.family, type(self).RULES)

    cdef void check_answer(self, const Answer* answer, bint has_line) except *:
        """Raise what a signal handler raised, and an error for an answer that shows a bug."""
        self.raise_error()
        self.has_fault = answer.fault
        self.check_capacity()
        if has_line and not answer.replays:
            raise WrongAnswer("the line found fails its replay")

    def solve(self, state):
        """Decide ``state``, or in a scored game find its greatest score. Returns a `SearchResult`. Raises
        ValueError for a state of another family or an invalid one, RuntimeError if the line found fails its
        replay."""
        cdef Answer answer
        self.load(state)
        with nogil:
            winnable_solve(self.kernel, &answer)
        self.check_answer(&answer, answer.moves >= 0)
        won = (False, True, None)[answer.verdict]
        if self.is_scored:
            return SearchResult(won, self.moves(), answer.score, answer.score_bound, bool(answer.exact),
                                REASONS[answer.reason])
        return SearchResult(won, self.moves() if won else None, reason=REASONS[answer.reason])

    def solve_score(self, state):
        """Find the greatest number of cards up from ``state``; see `contract.GameKernel`. Raises RuntimeError
        if the moves fail their replay."""
        cdef Answer answer
        if not type(self).SCORES_LOST:
            raise NotImplementedError("there is no search for the score of lost deals")
        self.load(state)
        with nogil:
            winnable_score(self.kernel, &answer)
        self.check_answer(&answer, True)
        return SearchResult(None, self.moves(), answer.score, answer.score_bound, bool(answer.exact),
                            REASONS[self.kernel.reason], bool(answer.shortest))

    def prove_optimal(self, state, moves, on_improvement):
        """Search for a shortest line from ``state``; see `contract.GameKernel`. Raises ValueError if
        ``moves`` are illegal or, in a Simon game, do not win; RuntimeError if a shorter line fails
        its replay."""
        cdef Answer answer
        cdef int done, count
        cdef bytearray line
        cdef const PlainMove* steps
        self.load(state)
        moves = tuple(moves)
        count = <int>len(moves)
        line = steps_of(moves, self.family)
        steps = <const PlainMove*><char*>line
        self.listener = on_improvement
        with nogil:
            done = winnable_shorten(self.kernel, steps, count, tell, <void*>self, &answer)
        self.listener = None
        if done == BAD_LINE:
            wins = " and wins" if self.family == "simon" else ""
            raise ValueError(f"expected a line that is legal{wins}, got {count} other moves")
        if done != OK:          # no memory
            self.kernel.reason = MEMORY
            on_improvement(moves, 0)
            return
        self.check_answer(&answer, True)

    def optimize(self, state, moves):
        """Shorten the winning line ``moves`` of ``state`` by beam searches; return the shortest line found.

        The search ends at the work limit, the time limit, Ctrl-C, or after the widest beam.
        """
        cdef Answer answer
        cdef int done, count
        cdef bytearray line
        cdef const PlainMove* steps
        if not type(self).OPTIMIZES:
            raise NotImplementedError("there is no search for shorter lines")
        self.load(state)
        moves = tuple(moves)
        count = <int>len(moves)
        line = steps_of(moves, self.family)
        steps = <const PlainMove*><char*>line
        with nogil:
            done = winnable_optimize(self.kernel, steps, count, &answer)
        if done == BAD_LINE:
            raise ValueError(f"expected a line that is legal and wins, got {count} other moves")
        if done != OK:          # no memory
            return moves
        self.check_answer(&answer, True)
        return self.moves()

    @property
    def wanted(self):
        """In a scored game, a score that suffices; 0: the greatest."""
        return self.kernel.wanted

    @wanted.setter
    def wanted(self, int value):
        self.kernel.wanted = value

    # --- Many deals -----------------------------------------------------------------------------------------

    cdef void open_deals(self, variant, choices) except *:
        if variant.name != type(self).GAME:
            raise ValueError(f"expected deals of {type(self).GAME}, got {variant.name}")
        Border.open_deals(self, variant, choices)
        if variant.choices or choices:      # else all deals have the same rules
            self.load(variant.deal(0, choices=choices))

    cdef bint solve_seed(self, uint64_t seed, Record* record) noexcept nogil:
        cdef Answer answer
        cdef int code
        if self.given == NULL:
            code = winnable_deal(self.kernel, seed)
        else:
            code = winnable_lay(
                self.kernel, self.given + (seed - self.first_given) * self.deck_size, self.deck_size)
        if code != OK:       # `open_deals` has loaded a deal of this size under these rules
            self.has_fault = True
            return True
        winnable_solve(self.kernel, &answer)
        self.has_fault = self.has_fault or answer.fault
        record.verdict = answer.verdict
        record.reason = answer.reason
        record.score = answer.score
        record.score_bound = answer.score_bound
        record.exact = answer.exact
        if answer.moves < 0:
            return True
        record.moves = answer.moves
        if not answer.replays:
            return False
        if not self.shortest_too or self.kernel.reason != NOTHING:
            return True
        winnable_shorten(self.kernel, NULL, 0, NULL, NULL, &answer)
        record.moves = answer.moves
        record.lower_bound = answer.lower_bound
        record.shortest = answer.shortest
        if not record.shortest:
            record.reason = answer.reason
        return answer.replays

    cdef void check_capacity(self) except *:
        if self.has_fault:
            self.has_fault = False
            raise RuntimeError("an array of fixed size is too small for this position: a bug of the search")


cdef int tell(void* context, const Answer* answer) noexcept with gil:
    """Tell the caller of `SearchKernel.prove_optimal` of a shorter line or a greater bound. Returns False if
    that raises an exception."""
    cdef SearchKernel kernel = <SearchKernel>context
    try:
        kernel.listener(kernel.moves(), answer.lower_bound)
    except KeyboardInterrupt:       # Ctrl-C
        kernel.kernel.stopped = True
        return False
    except BaseException as error:
        kernel.error = error
        return False
    return True


# --- Certificates -------------------------------------------------------------------------------------------

cdef extern PositionList* chessboard_list(int kind) noexcept nogil
cdef extern PositionList* joker_list(int kind) noexcept nogil
cdef extern PositionList* klondike_list(int kind) noexcept nogil
cdef extern PositionList* simon_list(int kind) noexcept nogil

cdef enum:
    CHUNK = 65536           # characters that `CertificateKernel.lines_from` returns at once, about


cdef class CertificateKernel(Border):
    """The positions that can be reached from a start position, for a certificate: see certificate.pxd.

    ``game`` is its name, ``kind`` that of ``<family>_list``, ``implemented`` the list of games and rule
    options that are certified.
    """

    cdef PositionList* positions
    cdef str game
    cdef str family
    cdef object implemented
    cdef bint is_listed         # positions of the state given last

    def __cinit__(self, str game, int kind, *_):
        cdef str family = find_variant(game).packed
        if not 0 <= kind < (3 if family == "simon" else 1):
            raise ValueError(f"kind {kind}: expected one of {family}")
        self.game = find_variant(game).name
        self.family = family
        self.implemented = {}
        if family == "chessboard":
            self.positions = chessboard_list(kind)
        elif family == "joker":
            self.positions = joker_list(kind)
        elif family == "klondike":
            self.positions = klondike_list(kind)
        elif family == "simon":
            self.positions = simon_list(kind)
        else:
            raise ValueError(f"expected a family of games with certificates, got {family}")
        if self.positions == NULL:
            raise MemoryError
        self.use(&self.positions.kernel)

    def __init__(self, game, kind, implemented, limits):
        self.implemented = implemented
        self.set_limits(limits)

    def __dealloc__(self):
        if self.positions != NULL:
            self.positions.free(self.positions)

    def __len__(self):
        return self.positions.count(self.positions) if self.is_listed else 0

    def explore(self, state, bint plain=False, int claimed=0):
        """Find all positions that can be reached from ``state`` and may refute the claim.

        ``claimed`` is the greatest score in a game with scores; in others the length of a shortest solution,
        0 for the claim that there is none. ``plain`` does without the lemmas that can be left out. Returns
        ``closed``, ``refuted``, or ``cut short`` if a limit ended the search. Raises ValueError for a state
        that cannot be listed.
        """
        cdef Desk desk
        cdef Closure closure = CUT_SHORT
        cdef const char* problem
        cdef bytes name = self.game.encode()
        self.is_listed = False
        read_table(&desk, state, self.game, self.family, (self.implemented,))
        if not 0 <= claimed <= MOST_CLAIMED:
            raise ValueError(f"expected a claim of up to {MOST_CLAIMED}, got {claimed}")
        self.positions.game = winnable_number_of(name, &desk)
        if self.positions.game < 0:
            raise ValueError(
                f"a state of {self.game}: expected each card of its deck in one place, as in play")
        self.positions.claimed = claimed
        self.positions.made = 0
        self.positions.has_fault = False
        problem = self.positions.load(self.positions, &desk, plain)
        if problem != NULL:
            raise ValueError(f"a state of {state.variant}: {problem.decode()}")
        with nogil:
            if begin(self.kernel):
                begin_stage(self.kernel, SEARCH, CERTIFIED)
                closure = self.positions.close(self.positions)
                self.is_listed = True
        self.raise_error()
        if self.positions.has_fault:
            raise RuntimeError("an array of fixed size is too small for this position: a bug of the list")
        return ("closed", "refuted", "cut short")[closure]

    @property
    def claimed(self):
        """The claim that was given to `explore`."""
        return self.positions.claimed

    def start(self):
        """The start position as text, without its justification."""
        cdef char line[LONGEST_ROW]
        if not self.is_listed or (self.positions.write_start == NULL and len(self) == 0):
            raise ValueError("expected positions of a state, got none")
        if self.positions.write_start != NULL:
            return line[:self.positions.write_start(self.positions, line, 0)].decode().rstrip("\n")
        return line[:self.positions.write(self.positions, line, 0)].decode().split(": ")[1].rstrip("\n")

    def lines_from(self, uint64_t number):
        """Lines of text from position ``number`` on, each with its justification first.

        Returns about CHUNK characters as bytes, and the number of the next position.
        """
        cdef char chunk[CHUNK + LONGEST_ROW]
        cdef int length = 0
        cdef uint64_t count = len(self)
        while number < count and length < CHUNK:
            length += self.positions.write(self.positions, chunk + length, number)
            number += 1
        return chunk[:length], number


include "player.pxi"


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
