"""How deals are decided. One door: `solve`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..rules import State, Variant, find_variant
from ..rules.cards import shown
from . import missing, reference, verify
from .progress import Progress, Watch
from .result import Goal, Limits, Result, Verdict

__all__ = [
    "ENGINES",
    "Goal",
    "Limits",
    "Progress",
    "Result",
    "Verdict",
    "Watch",
    "check_shortest_ends",
    "decide",
    "find_kernel",
    "find_shortest",
    "improve",
    "make_shorter",
    "solve",
    "what_is_left",
]

ENGINES = ("auto", "compiled", "reference")

_KERNELS = {
    "chessboard": ("chessboard", "ChessboardKernel"),
    "fortress": ("chessboard", "ChessboardKernel"),
    "joker": ("joker", "JokerKernel"),
    "klondike-one-pass": ("joker", "JokerKernel"),
    "simon-jester": ("simon", "SimonKernel"),
    "simon-jester-triangular": ("simon", "SimonKernel"),
    "simple-simon": ("simon", "SimonKernel"),
}


def find_kernel(variant: Variant) -> Any:
    """The compiled kernel class of ``variant``; None if it has none or none was compiled. One that does not
    load gives None too, after a `missing.EngineWarning`."""
    return missing.load(*_KERNELS[variant.name]) if variant.name in _KERNELS else None


def solve(
    variant: Variant | str,
    state: State,
    limits: Limits | None = None,
    goal: Goal | str = Goal.WIN,
    engine: str = "auto",
    shorten: float = 1.0,
    watch: Watch | None = None,
) -> Result:
    """Decide ``state`` of ``variant`` within ``limits``.

    The line of a result was replayed through `rules`; "unwinnable" is a completed search; anything else is
    "undecided" with its reason. Ctrl-C ends the search as interrupted. ``engine`` is ``compiled``,
    ``reference``, or ``auto`` for the best there is. A kernel that can make lines shorter does so for up to
    ``shorten`` seconds after the verdict, which ``limits`` do not count. ``watch`` lets another thread see
    how far it is. Raises ValueError for an unknown variant, a state that is none of its states (of another
    variant, or with cards that are there twice or nowhere), an engine or a goal that is not there, or a
    negative time.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    limits, goal = limits or Limits(), _goal(goal)
    if goal is Goal.SHORTEST and engine != "reference" and _improves(variant):
        return find_shortest(variant, state, limits, engine, watch=watch)
    if not 0 <= shorten < float("inf"):
        raise ValueError(f"shorten {shorten!r}: a number of seconds from 0 up is needed")
    kernel = _choose_kernel(variant, goal, engine)
    began = time.perf_counter()
    if kernel is None:
        stop = missing.watched(variant.name) if _stands_in(variant, engine) else reference.never
        result = _replayed(variant, state, reference.solve(variant, state, limits, goal, stop, watch))
    else:
        result = decide(variant, state, kernel(limits), watch)
    result = replace(result, seconds=time.perf_counter() - began)
    return make_shorter(variant, state, result, shorten, limits, watch) if shorten else result


def make_shorter(
    variant: Variant,
    state: State,
    result: Result,
    seconds: float,
    limits: Limits,
    watch: Watch | None = None,
) -> Result:
    """``result`` with the shortest line found within ``seconds``, if its engine can shorten lines at all.

    Of ``limits`` only the megabytes count. Ctrl-C ends it with the best line so far, as interrupted. Raises
    ValueError for a state that is none of the variant's.
    """
    variant.check(state)
    kernel = find_kernel(variant)
    if result.engine != "compiled" or not getattr(kernel, "SHORTENS", False) or not result.moves:
        return result
    shortener = kernel(Limits(megabytes=limits.megabytes))
    if watch is not None:
        watch.begin(shortener)
    began = time.perf_counter()
    try:
        moves = tuple(shortener.shorten(state, result.moves, seconds))
    except KeyboardInterrupt:  # it came when the search was already over
        return replace(result, reason="interrupted")
    result = replace(result, moves=moves, reason="interrupted" if shortener.was_stopped else None)
    result = _replayed(variant, state, result)
    return replace(result, seconds=result.seconds + time.perf_counter() - began)


def find_shortest(
    variant: Variant | str,
    state: State,
    limits: Limits | None = None,
    engine: str = "auto",
    on_improvement: Callable[[Result], object] | None = None,
    watch: Watch | None = None,
) -> Result:
    """Decide ``state`` of ``variant``, then look for a shortest line until it is proved or ``limits`` end it.

    ``on_improvement`` is called with the result as soon as the verdict is known, and again whenever the line
    is shorter or the lower bound is greater; each line was replayed. ``limits`` hold for both searches
    together. Ctrl-C ends it with the best line so far. Raises ValueError as `solve` does, and for a game
    whose compiled engine cannot prove a line to be shortest, unless ``engine`` is ``reference``.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    limits = limits or Limits()
    tell = on_improvement or (lambda result: None)
    if engine == "reference" or find_kernel(variant) is None:
        result = solve(variant, state, limits, Goal.SHORTEST, engine, shorten=0, watch=watch)
        tell(result)
        return result
    if not _improves(variant):
        raise ValueError(f"shortest lines of {variant.name}: only the reference engine looks for them")
    check_shortest_ends(variant, limits)
    result = solve(variant, state, limits, engine=engine, shorten=0, watch=watch)
    tell(result)
    if result.moves is None or result.reason is not None:
        return result
    kernel: Any = find_kernel(variant)
    return improve(variant, state, result, kernel(what_is_left(limits, result)), tell, watch)


def check_shortest_ends(variant: Variant, limits: Limits) -> None:
    """Raise ValueError if a search for shortest lines of ``variant`` would hardly ever end by itself."""
    if variant.copies > 1 and limits.seconds is None:
        raise ValueError(f"shortest lines of {variant.name} are rarely proved: a limit on seconds is needed")


def _improves(variant: Variant) -> bool:
    """Whether the compiled engine of ``variant`` looks for shortest lines: see Kernel."""
    return hasattr(find_kernel(variant), "improve")


def improve(
    variant: Variant,
    state: State,
    solved: Result,
    kernel: Any,
    tell: Callable[[Result], object] = lambda result: None,
    watch: Watch | None = None,
) -> Result:
    """``solved``, which has a line, with the shortest line that ``kernel`` finds within its limits, as
    `find_shortest` tells it. Raises ValueError for a state that is none of the variant's."""
    variant.check(state)
    began = time.perf_counter()
    result, reason = solved, None

    def note(moves: Sequence[Any], lower_bound: int) -> None:
        nonlocal result
        better = replace(
            result,
            moves=tuple(moves),
            lower_bound=lower_bound,
            shortest=len(moves) == lower_bound,
            expanded=solved.expanded + kernel.expanded,
            generated=solved.generated + kernel.generated,
            seconds=solved.seconds + time.perf_counter() - began,
        )
        if len(moves) < len(solved.moves or ()):
            better = _replayed(variant, state, better, to_tier=True)
        is_news = (better.moves, better.lower_bound) != (result.moves, result.lower_bound)
        result = better
        if is_news:
            tell(better)

    if watch is not None:
        watch.begin(kernel)
    try:
        kernel.improve(state, solved.moves, note)
    except KeyboardInterrupt:
        reason = "interrupted"
    return replace(result, reason=None if result.shortest else reason or kernel.limit_met)


def what_is_left(limits: Limits, spent: Result) -> Limits:
    """``limits`` less the nodes and seconds spent."""
    nodes = None if limits.nodes is None else max(0, limits.nodes - spent.expanded)
    seconds = None if limits.seconds is None else max(0, limits.seconds - spent.seconds)
    return replace(limits, nodes=nodes, seconds=seconds)


def _goal(goal: Goal | str) -> Goal:
    try:
        return Goal(goal)
    except ValueError:
        raise ValueError(f"goal {shown(goal)}: {' or '.join(Goal)} is needed") from None


def _choose_kernel(variant: Variant, goal: Goal, engine: str) -> Any:
    if engine not in ENGINES:
        raise ValueError(f"engine {engine!r}: one of {', '.join(ENGINES)} is needed")
    kernel = None if engine == "reference" or goal is not Goal.WIN else find_kernel(variant)
    if engine == "compiled" and kernel is None:
        raise ValueError(f"engine 'compiled': there is none for {variant.name} here; {missing.REMEDY}")
    return kernel


def _stands_in(variant: Variant, engine: str) -> bool:
    """Whether the reference engine was not asked for, but answers because a compiled one is missing."""
    return engine != "reference" and variant.name in _KERNELS and find_kernel(variant) is None


def decide(
    variant: Variant, state: State, kernel: Any, watch: Watch | None = None, name_cards: bool = True
) -> Result:
    """Decide ``state`` by a kernel that is there already, without counting the seconds. Raises ValueError for
    a state that is none of the variant's. In batches the moves need not name their cards."""
    variant.check(state)
    if watch is not None:
        watch.begin(kernel)
    result = (_solve_scored if variant.scoring else _solve_compiled)(variant, kernel, state)
    return _replayed(variant, state, result, name_cards=name_cards)


def _solve_compiled(variant: Variant, kernel: Any, state: Any) -> Result:
    try:
        won, moves, reason = kernel.solve(state)
    except KeyboardInterrupt:  # it came when the search was already over
        won, moves, reason = None, None, "interrupted"
    counters = {"expanded": kernel.expanded, "generated": kernel.generated, "engine": "compiled"}
    if won is None:
        return Result(Verdict.UNDECIDED, reason=reason, **counters)
    return Result(Verdict.WINNABLE if won else Verdict.UNWINNABLE, tuple(moves) if won else None, **counters)


def _solve_scored(variant: Variant, kernel: Any, state: Any) -> Result:
    assert variant.scoring is not None
    places = state.deck.places
    try:
        moves, reason = kernel.solve(state)
        score, bound, exact = kernel.score, kernel.bound, kernel.exact
    except KeyboardInterrupt:  # it came when the search was already over
        moves, reason, score, bound, exact = [], "interrupted", variant.score(state), places, False
    tier = variant.scoring.tier_of(score, places)
    is_lost = exact or variant.scoring.tier_of(bound, places) == "none"
    no_win = Verdict.UNWINNABLE if is_lost else Verdict.UNDECIDED
    return Result(
        no_win if tier == "none" else Verdict.WINNABLE,
        tuple(moves),
        score=score,
        score_bound=bound,
        tier=tier,
        exact=exact,
        expanded=kernel.expanded,
        generated=kernel.generated,
        reason=reason,
        engine="compiled",
    )


def _replayed(
    variant: Variant, state: State, result: Result, to_tier: bool = False, name_cards: bool = True
) -> Result:
    """``result``, with the cards of its moves, after a replay of its line, if any: it must win, or reach the
    score, or only its tier.

    A failure is a fault of the engine, not of the input.
    """
    if result.moves is None:
        return result
    moves, last = result.moves, state
    try:
        if name_cards:
            line = []
            for move, after in verify.follow(variant, state, moves):
                line.append(move)
                last = after
            moves = tuple(line)
        else:
            last = verify.replay(variant, state, moves)
    except verify.WrongMove as error:
        raise RuntimeError(f"the line found is illegal: {error}") from None
    promised = 1 if result.score is None else result.score
    if to_tier and variant.scoring and result.tier != "none":
        is_kept = variant.scoring.tier_of(variant.score(last), state.deck.places) == result.tier
    else:
        is_kept = variant.score(last) == promised
    if not is_kept:
        raise RuntimeError(f"the line found reaches {variant.score(last)}, not {promised}")
    return replace(result, moves=moves)
