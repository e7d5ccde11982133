"""Interface of all kernels: `GameKernel`, and the `SearchResult` of its search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from ..progress import Searching

if TYPE_CHECKING:
    from ...rules import Move, State
    from ...rules.variants import Choices
    from ..result import Limits
    from .record import Records


class SearchResult(NamedTuple):
    """Answer of a kernel for one state.

    ``won`` is the verdict; None where the search ended early without knowing. ``moves`` are a
    line that wins, None where there is none. ``reason`` names the limit that ended the search early, None
    where nothing did.

    In a scored game ``moves`` are the line to ``score``, the greatest found, whether it wins or not, and no
    line reaches more than ``score_bound``; ``exact`` is claimed where the two are proved to meet, and only
    otherwise there is a ``reason``. In other games these three are None.
    """

    won: bool | None = None
    moves: Sequence[Move] | None = None
    score: int | None = None
    score_bound: int | None = None
    exact: bool | None = None
    reason: str | None = None


@runtime_checkable
class GameKernel(Searching, Protocol):
    """A compiled search that decides states of the variants of one family.

    All stand on `core.kernel.Kernel`. One serves one thread; only `stop` and `progress` may be called by
    others. What it counts and what limits hold for are single searches, each of which begins anew.
    """

    OPTIMIZES: ClassVar[bool]
    """True if it shortens lines for so much work as it may do, by `optimize`."""

    SCORES_LOST: ClassVar[bool]
    """True if it finds the greatest score of a lost state of a game without tiers, by `solve_score`."""

    expanded: int
    """The states whose successors the last search produced."""
    generated: int
    """The successors it produced, new or not."""
    work: int
    """The work of the last search, in the units of `result.Limits`."""
    work_of_all: int
    """The work of all searches since the kernel was made."""
    limit_met: str | None
    """The name of the limit that ended the last search, one of `result.REASONS`."""
    was_stopped: bool
    """True after a search was stopped from outside, by `stop` or Ctrl-C."""

    def __init__(self, limits: Limits) -> None: ...

    def stop(self) -> None:
        """End the running search, and every later one, as interrupted."""

    def solve(self, state: State) -> SearchResult:
        """Decide ``state``. Raises ValueError for a state of another family."""

    def solve_score(self, state: State) -> SearchResult:
        """Find the most cards that can be on the foundations, from a lost ``state``: the answer of a scored
        game, without a verdict. Raises NotImplementedError unless it `SCORES_LOST`."""

    def prove_optimal(
        self, state: State, moves: Sequence[Move], on_improvement: Callable[[Sequence[Move], int], object]
    ) -> None:
        """Look for a shortest line from ``state``, where ``moves`` are one that wins, or that reaches the
        greatest score.

        Calls ``on_improvement`` with the shortest line so far and a number of moves below which there is
        none, each time one of them is better; what it raises ends the search and is raised again. Ends when
        the two meet, or at a limit, named by `limit_met`.
        """

    def optimize(self, state: State, moves: Sequence[Move]) -> Sequence[Move]:
        """The shortest line from ``state`` found within the limits, beginning with ``moves``, which win.

        The limit on work ends it, or Ctrl-C with the best line so far. Raises NotImplementedError unless it
        `OPTIMIZES`.
        """

    def solve_seeds(
        self,
        variant: str,
        first: int,
        count: int,
        choices: Choices | None = None,
        shortest: bool = False,
        cards: bytes | None = None,
    ) -> Records:
        """Deal, decide and replay the seeds from ``first`` on; with ``shortest`` also look for shortest
        lines.

        ``cards`` replaces the dealer: ``count`` full decks, one byte a card, each in the order of dealing;
        the deals are then only numbered from ``first`` on. The records are fewer than ``count`` if the search
        was interrupted. Raises RuntimeError if a line fails its replay, ValueError without a search for
        shortest lines, and if ``cards`` are not ``count`` decks.
        """
