# cython: language_level=3
"""The base of all kernels: counters, limits and how a running search is stopped."""

import time

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

cdef uint64_t UNLIMITED = <uint64_t>0xFFFFFFFFFFFFFFFF

REASONS = (None, "nodes", "seconds", "memory", "interrupted")


cdef class Kernel:
    """A search over packed states that holds its limits.

    The search runs without the interpreter lock. On the main thread it answers Ctrl-C by itself; a search on
    another thread is ended by `stop`.

    A kernel that can prove lines to be shortest has a method ``improve(state, moves)``, where ``moves`` are
    a line that wins (in a scored game, that reaches the greatest score). It is a generator of pairs: the
    shortest line so far, and a number of moves below which there is none, each time one of them is better.
    It ends when they meet or a limit is met, named by `limit_met`.
    """

    def stop(self):
        """End the running search, and every later one, as interrupted."""
        self.stopped = True

    @property
    def was_stopped(self):
        """Whether a search was ended from outside, by `stop` or Ctrl-C."""
        return self.stopped

    @property
    def limit_met(self):
        """The name of the limit that ended the last search, or None."""
        return REASONS[self.reason]

    cdef void set_limits(self, limits) except *:
        self.max_nodes = UNLIMITED if limits.nodes is None else limits.nodes
        self.max_seconds = -1.0 if limits.seconds is None else limits.seconds
        megabytes = limits.megabytes
        self.max_bytes = UNLIMITED if megabytes is None else min(int(megabytes * 1e6), UNLIMITED)

    cdef bint begin(self) noexcept nogil:
        """Start the counters and the clock of one deal; false if its time is up already."""
        self.expanded = self.generated = 0
        self.reason = NOTHING
        self.deadline = -1.0
        if self.max_seconds >= 0.0:
            with gil:
                self.deadline = time.monotonic() + self.max_seconds
            return self.poll()
        return True

    cdef bint poll(self) noexcept nogil:
        """Look at the stop flag, the signals and the clock; false, with the reason noted, to stop."""
        with gil:
            try:
                PyErr_CheckSignals()
            except KeyboardInterrupt:
                self.stopped = True
            if self.stopped:
                self.reason = INTERRUPTED
            elif self.deadline >= 0.0 and time.monotonic() >= self.deadline:
                self.reason = SECONDS
        return self.reason == NOTHING
