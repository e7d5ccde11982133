"""What a running search tells of itself: `Progress`, which another thread can have from a `Watch`."""

from __future__ import annotations

from typing import NamedTuple, Protocol

STAGES = (
    "search",
    "depth-first search",
    "breadth-first search",
    "best-first search",
    "relaxation",
    "search of positions",
    "beam search",
    "lower bound",
    "A*",
    "sampling",
)
"""What a search can be at, in the order of ``Stage`` of kernel.pxd."""


class Progress(NamedTuple):
    """How far a search is.

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
    """What can search: a kernel, or the reference search."""

    def progress(self) -> Progress:
        """How far it is. Any thread may ask at any moment, before, during and after a search."""
        ...

    def stop(self) -> None:
        """End the running search, and every later one, as interrupted. Any thread may ask for that."""
        ...


class Watch:
    """Where functions that search note what they are at, for another thread to look, or to end it.

    It follows one piece of work, which may take many searches, one after the other. ``part`` says where in
    the work it is, as in "move 3 of 14", and is empty where there is but one part.
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
        """End the present search, and each that begins later, as interrupted."""
        self.was_stopped = True
        if self._now is not None:
            self._now[0].stop()

    def progress(self) -> Progress | None:
        """How far the present search is, with the states of earlier ones too; None before the first."""
        now = self._now
        if now is None:
            return None
        search, earlier = now
        progress = search.progress()
        return progress._replace(states=progress.states + earlier)
