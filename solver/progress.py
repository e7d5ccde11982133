"""Progress of a running search, which another thread can read from a `Watch`."""

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
"""Stages of a search, in the order of ``Stage`` of kernel.pxd."""


class Progress(NamedTuple):
    """Progress of a search.

    ``states`` are those expanded so far, which never become fewer; of the player's search they are samples.
    ``megabytes`` (of 10^6 bytes) are held for them. ``score`` is the greatest found so far in a scored game;
    ``moves`` is the length of the line that is made shorter, ``lower_bound`` a number of moves below which
    there is no line. None stands for what is not known, or not looked for.
    """

    stage: str
    states: int
    megabytes: float
    score: int | None = None
    moves: int | None = None
    lower_bound: int | None = None


class Searching(Protocol):
    """A kernel, or the reference search."""

    def progress(self) -> Progress:
        """The progress. Any thread may call this at any time: before, during and after a search."""

    def stop(self) -> None:
        """Stop the running search, and every later one, as interrupted. Any thread may call this."""


class Watch:
    """Observer of a piece of work, by which another thread can read its progress or stop it.

    The work may take many searches, one after the other. ``part`` names the present part, as in "move 3 of
    14"; it is empty where there is only one.
    """

    def __init__(self) -> None:
        self.part = ""
        self.was_stopped = False
        self._now: tuple[Searching, int] | None = None  # and the states to add to those that it tells

    def at(self, name: str, number: int, count: int) -> None:
        """Note the part of the work: the ``number``-th, from 1, of ``count``."""
        self.part = f"{name} {number} of {count}"

    def begin(self, search: Searching) -> None:
        """Note that ``search`` is about to begin, once more perhaps."""
        before = self.progress()
        self._now = search, (before.states if before else 0) - search.progress().states
        if self.was_stopped:
            search.stop()

    def stop(self) -> None:
        """Stop the present search, and each that begins later, as interrupted."""
        self.was_stopped = True
        if self._now is not None:
            self._now[0].stop()

    def progress(self) -> Progress | None:
        """The progress of the present search, including the states of earlier ones; None before the first."""
        now = self._now
        if now is None:
            return None
        search, earlier = now
        progress = search.progress()
        return progress._replace(states=progress.states + earlier)
