"""Interface of all kernels: `GameKernel`, the `SearchResult` of its search, and what the package of a family
says of its `Searches` and of each `Kind` of certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from ..progress import Searching

if TYPE_CHECKING:
    from ...rules import Move, State
    from ...rules.choices import Implemented
    from ...rules.variants import Choices
    from ..result import Limits
    from .record import Records


class SearchResult(NamedTuple):
    """Result of the search of one state.

    ``won`` is the verdict, None if undecided. ``moves`` is a solution, None if none was found. ``reason``
    names the limit that ended the search early, None if no limit did.

    In a scored game ``score`` is the best score found and ``score_bound`` a proved upper bound; ``moves``
    reaches ``score`` whether that wins or not. ``exact`` is True if the bound is proved equal to the score,
    and only if it is False there is a ``reason``. In other games these three are None. ``shortest`` is True
    if no line to the score is shorter.
    """

    won: bool | None = None
    moves: Sequence[Move] | None = None
    score: int | None = None
    score_bound: int | None = None
    exact: bool | None = None
    reason: str | None = None
    shortest: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of certificate: its ``number`` in the family, and the lemmas that it uses.

    If positions of a kind that ``may_fail`` can be won, that is no fault, and the next one is tried.
    ``plain`` are the lemmas that it cannot do without; None if these are all, and another kind has fewer, or
    none has. A kind with ``most`` is tried for plain certificates alone, and given up for the next one beyond
    that many positions."""

    number: int
    lemmas: tuple[str, ...]
    plain: tuple[str, ...] | None = None
    most: int | None = None
    may_fail: str = ""


class Searches(Protocol):
    """The package of the searches of a family, such as `solver.simon`, compiled or not: what they can do."""

    IMPLEMENTS: Implemented
    """The games and values of rule options that the searches decide."""
    REPLAYS: Implemented
    """The games and values of rule options whose rules the oracle, `replay`, implements."""
    CERTIFIES: Implemented
    """The games and values of rule options for which the searches list the positions of certificates."""
    OPTIMIZES: bool
    """True if the searches shorten lines for a given work."""
    SCORES_LOST: bool
    """True if the searches find the most cards up of a lost state, in games without tiers."""
    KINDS: tuple[Kind, ...]
    """The kinds of certificates; a later one proves what the one before it does not."""
    KINDS_OF_MOVES: tuple[Kind, ...]
    """The kinds of certificates that count moves, likewise."""
    IS_DEALT_IN_FULL: bool
    """True if listed positions leave open which cards were dealt, so that certificates have to say."""


@runtime_checkable
class GameKernel(Searching, Protocol):
    """A compiled search that decides states of the variants of one family.

    All kernels are subclasses of `core.border.Border`. A kernel belongs to one thread; other threads may
    call only `stop` and `progress`. Counters and limits apply to one search; each search resets them.
    """

    OPTIMIZES: ClassVar[bool]
    """True if `optimize` shortens solutions until the work limit."""

    SCORES_LOST: ClassVar[bool]
    """True if `solve_score` finds the best score of a lost state of a game without tiers."""

    expanded: int
    """The number of states whose successors the last search generated."""
    generated: int
    """The number of successors that the last search generated, repeated ones included."""
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
        """Find the most cards that can be on the foundations at once, from a lost ``state``.

        Returns the result of a scored game, with ``won`` None. Raises NotImplementedError if the kernel's
        `SCORES_LOST` is False.
        """

    def prove_optimal(
        self, state: State, moves: Sequence[Move], on_improvement: Callable[[Sequence[Move], int], object]
    ) -> None:
        """Search for a shortest line from ``state``; ``moves`` is a line that wins, or in a scored game one
        that reaches the best score.

        Calls ``on_improvement`` with the shortest line so far and a lower bound on the length of any such
        line, each time one of them improves. An exception from it ends the search and is raised again. The
        search ends when length and bound are equal, or at a limit, named by `limit_met`.
        """

    def optimize(self, state: State, moves: Sequence[Move]) -> Sequence[Move]:
        """Shorten the winning line ``moves`` of ``state``; return the shortest line found.

        The search ends at the work limit or at Ctrl-C. Raises NotImplementedError if the kernel's `OPTIMIZES`
        is False.
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
        """Deal, decide and replay ``count`` seeds from ``first`` on. If ``shortest`` is true, also search for
        shortest lines.

        ``cards`` replaces the dealer: ``count`` full decks, one byte a card, each in the order of dealing.
        The seeds are then only the numbers of the deals. Returns fewer than ``count`` records if the search
        was interrupted. Raises RuntimeError if a line fails its replay; ValueError if ``shortest`` is true
        and the kernel cannot search for shortest lines, or if ``cards`` are not ``count`` decks.
        """
