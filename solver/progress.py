"""Progress of a running search; another thread can read it from a `Watch`."""

from typing import NamedTuple, Protocol

STAGES = (
    "search",
    "depth-first search",
    "breadth-first search",
    "best-first search",
    "relaxation",
    "search of positions",
    "beam search",
    "A*",
    "sampling",
)
"""Stages of a search, in the order of ``Stage`` of core/kernel.pxd."""


class Progress(NamedTuple):
    """Progress of a search.

    ``states`` is the number of states expanded so far, which never decreases; for a player it is the number
    of simulations. ``megabytes`` (of 10^6 bytes) is the memory in use. ``score`` is the best score so far in
    a scored game. In a search for a shortest line ``moves`` is the length of the best line so far and
    ``lower_bound`` a proved bound on it. A figure is None if it is not known or does not apply.
    """

    stage: str
    states: int
    megabytes: float
    score: int | None = None
    moves: int | None = None
    lower_bound: int | None = None


class Searching(Protocol):
    """Interface of a search whose progress can be read: a kernel or the reference search."""

    def progress(self) -> Progress:
        """The progress. Any thread may call this at any time, before, during and after a search."""

    def stop(self) -> None:
        """Stop the running search and every later one, with reason ``interrupted``. Any thread may call
        this."""


class Watch:
    """Handle by which another thread can read the progress of a computation or stop it.

    The computation may consist of many searches in sequence. ``part`` names the present part, as in "move 3
    of 14"; it is empty if there is only one.
    """

    def __init__(self) -> None:
        self.part = ""
        self.was_stopped = False
        self._now: tuple[Searching, int] | None = None  # a search, and states of earlier ones

    def at(self, name: str, number: int, count: int) -> None:
        """Set the present part: the ``number``-th, from 1, of ``count``, called ``name``."""
        self.part = f"{name} {number} of {count}"

    def begin(self, search: Searching) -> None:
        """Register ``search``, which is about to begin; it may have run before."""
        before = self.progress()
        self._now = search, (before.states if before else 0) - search.progress().states
        if self.was_stopped:
            search.stop()

    def stop(self) -> None:
        """Stop the present search and every later one, with reason ``interrupted``."""
        self.was_stopped = True
        if self._now is not None:
            self._now[0].stop()

    def progress(self) -> Progress | None:
        """The progress of the present search, with the states of earlier searches added; None before the
        first search."""
        now = self._now
        if now is None:
            return None
        search, earlier = now
        progress = search.progress()
        return progress._replace(states=progress.states + earlier)
