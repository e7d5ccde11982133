"""Reference search over `rules`: the fallback if no engine is compiled, and a test oracle.

It expands every reachable state once and tries all legal moves, without pruning: depth first for a win,
breadth first for a shortest line.
"""

import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ..rules import Variant
from .progress import Progress, Watch
from .result import Goal, Limits, Result, Verdict

_ENTRY = 400  # bytes of a state's entries in dictionary and frontier, its move and its link
_WORK = 500  # work of an expanded state, in the units of `Limits`


def never() -> bool:
    """Never stop a search."""
    return False


@dataclass
class _Search:
    """The data of a search. ``links`` maps each generated state to its parent and the move from there;
    ``best`` is the state with the best score, or in games without scores the won state."""

    variant: Variant
    goal: Goal = Goal.WIN
    links: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    best: Any = None
    best_score: int = -1
    bytes_held: int = 0
    expanded: int = 0
    generated: int = 0
    was_stopped: bool = False

    def add(self, state: Any, key: Any, before: Any, move: Any) -> bool:
        """Add a state reached from ``before`` by ``move``. Returns False if it was there already."""
        if key in self.links:
            return False
        self.links[key] = (before, move)
        self.bytes_held += _size(key) + _ENTRY
        score = self.variant.score(state)
        if score > self.best_score:
            self.best, self.best_score = key, score
        return True

    def progress(self) -> Progress:
        """The progress of the search. Any thread may call this at any time."""
        stage = "breadth-first search" if self.goal is Goal.SHORTEST else "depth-first search"
        score = None if self.variant.scoring is None else max(self.best_score, 0)
        return Progress(stage, self.expanded, self.bytes_held / 1e6, score)

    def stop(self) -> None:
        """Stop the search as interrupted. Any thread may call this."""
        self.was_stopped = True

    def line(self) -> tuple[Any, ...]:
        """The moves from the start to ``best``."""
        moves = []
        key = self.best
        while key is not None and self.links[key][0] is not None:
            key, move = self.links[key]
            moves.append(move)
        return tuple(reversed(moves))


def solve(
    variant: Variant,
    state: Any,
    limits: Limits,
    goal: Goal = Goal.WIN,
    is_stopped: Callable[[], bool] = never,
    watch: Watch | None = None,
) -> Result:
    """Decide ``state`` within ``limits``.

    Ctrl-C ends the search with reason ``interrupted``, and so does ``is_stopped``, which is called before
    every state, by returning True. ``watch`` reports progress to another thread. Raises ValueError for a
    state of another game.
    """
    variant.check(state)
    search = _Search(variant, goal)
    if watch is not None:
        watch.begin(search)
    try:
        reason = _run(search, state, limits, goal, is_stopped)
    except KeyboardInterrupt:
        reason = "interrupted"
    return _answer(search, state, goal, reason)


def _run(
    search: _Search, start: Any, limits: Limits, goal: Goal, is_stopped: Callable[[], bool]
) -> str | None:
    """Run the search. Returns None if it found the best possible score or was exhausted, otherwise the name
    of the limit that ended it."""
    family = search.variant.family
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    enough = search.variant.greatest_score(start.deck)
    search.add(start, family.canonical(start), None, None)
    frontier = deque([start])
    while frontier and search.best_score < enough:
        if limits.nodes is not None and search.expanded >= limits.nodes:
            return "nodes"
        if limits.work is not None and _WORK * search.expanded >= limits.work:
            return "work"
        if deadline is not None and time.monotonic() >= deadline:
            return "seconds"
        if limits.megabytes is not None and search.bytes_held > limits.megabytes * 1e6:
            return "memory"
        if search.was_stopped or is_stopped():
            return "interrupted"
        state = frontier.popleft() if goal == Goal.SHORTEST else frontier.pop()
        key = family.canonical(state)
        search.expanded += 1
        moves = family.legal_moves(state)
        for move in moves if goal == Goal.SHORTEST else reversed(moves):
            child = family.apply(state, move)
            search.generated += 1
            if search.add(child, family.canonical(child), key, move):
                frontier.append(child)
                if search.best_score >= enough:
                    break
    return None


def _answer(search: _Search, state: Any, goal: Goal, reason: str | None) -> Result:
    scoring, shortest = search.variant.scoring, goal == Goal.SHORTEST and reason is None
    open_verdict = Verdict.UNDECIDED if reason else Verdict.UNWINNABLE
    result = Result(
        open_verdict,
        reason=reason,
        expanded=search.expanded,
        generated=search.generated,
        work=_WORK * search.expanded,
    )
    if scoring is None:
        if search.best_score < 1:
            return result
        moves = search.line()
        least = len(moves) if shortest else None
        return replace(result, verdict=Verdict.WINNABLE, moves=moves, shortest=shortest, lower_bound=least)
    score = max(search.best_score, 0)
    tier = scoring.tier_of(score, state.deck.places)
    return replace(
        result,
        verdict=open_verdict if tier == "none" else Verdict.WINNABLE,
        moves=search.line(),
        shortest=shortest,
        score=score,
        score_bound=score if reason is None else state.deck.places,
        tier=tier,
        exact=reason is None,
    )


def _size(value: Any) -> int:
    """The size in bytes of a canonical form and of its parts. A part that several states share counts for
    each of them."""
    size = sys.getsizeof(value)
    if isinstance(value, tuple):
        return size + sum(map(_size, value))
    return size
