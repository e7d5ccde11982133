"""Shorter and shorter lines together with a lower bound that rises, until both meet or the time is over.

With one deck a short beam and the bound come first, then A*, which nearly always brings both together. With
two decks, where A* has no chance, a narrow beam comes first, that there soon is a line to show; then bound
and beams take turns, each time for twice as long.
"""

cimport cython
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from ..core.clock cimport monotonic
from ..core.column_move cimport count_of, source_of, target_of
from ..core.kernel cimport A_STAR, BOUND, INTERRUPTED, MEMORY, NOTHING, SECONDS, Kernel
from ..core.nodes cimport IMPROVED, Progress
from .astar cimport astar_bytes, free_astar, open_astar, run_astar
from .beam cimport Tries, shorten
from .position cimport Line
from .bound cimport EXHAUSTED, RAISED, Bound, Raise, free_bound, new_bound, raise_bound
from .classes cimport Layout

from ...rules import simon as rules

cdef double FIRST_SLICE = 0.25      # seconds of the first turn
cdef double FIRST_TURN = 0.4        # with two decks
cdef double SHORT_SHARE = 0.4       # of what is left, for the last bound, if it comes in the first turn,
cdef double LATE_SHARE = 0.45       # and later
cdef double BETWEEN = 0.25          # seconds between two calls of the listener
cdef double FOR_EVER = 1e15


cdef list moves_of(const Line* line):
    """A line as moves of `rules.simon`."""
    return [
        rules.Move(source_of(line.move[i]), target_of(line.move[i]), count_of(line.move[i]))
        for i in range(line.length)
    ]


@cython.final
cdef class Shortest:
    """A search for a shortest line. One serves one thread."""

    def __dealloc__(self):
        free_astar(&self.search)
        free_bound(self.bound)

    cdef void find(
        self, Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes
    ) noexcept nogil:
        """Make ``line``, which wins from ``layout``, shorter and raise ``lower_bound``, for up to so many
        seconds (negative: until they meet). The kernel's limits on nodes, of A*, and on memory count too;
        ``kernel.reason`` tells what ended it, if anything did."""
        self.layout = layout
        self.line = line
        self.lower_bound = 0
        memset(&self.tries, 0, sizeof(Tries))
        self.called_at = monotonic()
        self.deadline = self.called_at + seconds if seconds >= 0 else -1.0
        self.moves_reported = line.length
        self.bound_reported = 0
        kernel.reason = NOTHING
        self.bound = new_bound(layout, max_bytes // 8, False)
        if self.bound == NULL:
            kernel.reason = MEMORY
            return
        self.lower_bound = self.bound.lower_bound
        if has_copies(layout):
            self.alternate(kernel, max_bytes)
        else:
            self.prove(kernel, max_bytes)
        free_astar(&self.search)
        free_bound(self.bound)
        self.bound = NULL
        if self.is_proved():
            kernel.reason = NOTHING
        self.report(kernel, True)

    cdef bint is_proved(self) noexcept nogil:
        """Whether the bound has met the line."""
        return <uint64_t>self.lower_bound >= self.line.length

    cdef uint64_t bytes_held(self) noexcept nogil:
        """What is held by A* and the clauses of the bound."""
        cdef uint64_t clauses = 0
        if self.bound != NULL:
            clauses = sizeof(Bound) + self.bound.costs.sat.arena_room * sizeof(uint32_t)
        return astar_bytes(&self.search) + clauses

    cdef double rest(self) noexcept nogil:
        """The seconds left."""
        return self.deadline - monotonic() if self.deadline >= 0 else FOR_EVER

    cdef void allow(self, Kernel kernel, double seconds) noexcept nogil:
        """Let the kernel's clock stop what comes after so many seconds, or at the end."""
        kernel.deadline = monotonic() + seconds if seconds < self.rest() else self.deadline

    cdef bint goes_on(self, Kernel kernel) noexcept nogil:
        """Whether there is anything left to do, and time for it; the end of a turn is no end."""
        if kernel.reason == SECONDS:
            kernel.reason = NOTHING
        if kernel.reason == NOTHING and self.rest() <= 0:
            kernel.reason = SECONDS
        return kernel.reason == NOTHING and not self.is_proved()

    cdef bint raise_for(self, Kernel kernel, double seconds) noexcept nogil:
        """Raise the bound; whether that can go on another time."""
        cdef Raise outcome = RAISED
        kernel.stage_now = BOUND
        self.allow(kernel, seconds)
        while outcome == RAISED and kernel.reason == NOTHING and not self.is_proved():
            outcome = raise_bound(self.bound, kernel)
            if self.bound.lower_bound > self.lower_bound:
                self.lower_bound = self.bound.lower_bound
                self.report(kernel, False)
        return outcome != EXHAUSTED and not self.bound.costs.sat.full

    cdef void shorten_for(self, Kernel kernel, double seconds, uint64_t max_bytes) noexcept nogil:
        """Run beams for so many seconds, or those left."""
        self.allow(kernel, seconds)
        shorten(kernel, self.layout, self.line, min(seconds, self.rest()), max_bytes, &self.tries)
        self.report(kernel, False)

    cdef void alternate(self, Kernel kernel, uint64_t max_bytes) noexcept nogil:
        """A narrow beam, then bound and beams in turns, the last ones with all that is left."""
        cdef double slice = FIRST_TURN, share = SHORT_SHARE
        cdef bint may_rise = True, is_last
        self.tries.most = 1
        self.shorten_for(kernel, min(slice, (1 - share) * self.rest()), max_bytes // 4)
        self.tries.most = 0
        while self.goes_on(kernel):
            is_last = self.rest() < 5 * slice
            if may_rise:
                may_rise = self.raise_for(kernel, share * self.rest() if is_last else slice)
                if not self.goes_on(kernel):
                    return
            self.shorten_for(kernel, self.rest() if is_last else slice, max_bytes // 4)
            slice *= 2
            share = LATE_SHARE

    cdef void prove(self, Kernel kernel, uint64_t max_bytes) noexcept nogil:
        """A little of both, then A*."""
        cdef Progress progress = IMPROVED
        cdef double slice = min(FIRST_SLICE, self.rest() / 10)
        if not self.goes_on(kernel):
            return
        self.raise_for(kernel, slice)
        if not self.goes_on(kernel):
            return
        self.shorten_for(kernel, slice, max_bytes // 4)
        if not self.goes_on(kernel):
            return
        if not open_astar(&self.search, self.layout, max_bytes // 8 * 7):
            kernel.reason = MEMORY
            return
        kernel.deadline = self.deadline
        kernel.stage_now = A_STAR
        while progress == IMPROVED and not self.is_proved():
            progress = run_astar(&self.search, kernel, self.line)
            if self.search.lower_bound > self.lower_bound:
                self.lower_bound = self.search.lower_bound
            self.report(kernel, False)

    cdef void report(self, Kernel kernel, bint at_once) noexcept nogil:
        """Call the listener if there is news and it was not called just before."""
        if not self.listens or (not at_once and monotonic() < self.called_at + BETWEEN):
            return
        if self.line.length == self.moves_reported and self.lower_bound == self.bound_reported:
            return
        self.called_at = monotonic()
        self.moves_reported = self.line.length
        self.bound_reported = self.lower_bound
        with gil:
            try:
                self.listener(moves_of(self.line), self.lower_bound)
            except KeyboardInterrupt:       # Ctrl-C, which Python tells where it runs
                kernel.stopped = True
                self.listens = False
                kernel.reason = INTERRUPTED
            except BaseException as error:
                self.error = error
                self.listens = False
                kernel.reason = INTERRUPTED


cdef bint has_copies(const Layout* layout) noexcept nogil:
    """Whether a card is there twice."""
    cdef uint64_t met = 0, card
    cdef int column, i
    for column in range(layout.columns):
        for i in range(layout.size[column]):
            card = <uint64_t>1 << layout.card[column][i]
            if met & card:
                return True
            met |= card
    return False
