"""Choose a kernel or the reference engine, run it, and replay its line before returning a result.

The functions expect arguments that were checked, as `solving.solve` does; a kernel checks the states that it
is given.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any, Self, cast

from ..rules import VARIANTS, Move, State, Variant
from ..rules.cards import shown
from ..rules.choices import not_implemented
from . import diagnostics, verify
from .core.contract import GameKernel, Searches, SearchResult
from .progress import Watch
from .result import Goal, Limits, Result, Verdict, check_line

ENGINES = ("auto", "compiled", "reference")

_FAMILIES = ("chessboard", "joker", "klondike", "simon")
"""The families of games that have searches, each in a package: see `core.contract.Searches`. The reference
engine decides all games and values of rule options that the package does not list."""

SHORTEN = 1_000_000
"""The default work to shorten a line, in the units of `Limits`."""

_VERDICTS = {True: Verdict.WINNABLE, False: Verdict.UNWINNABLE, None: Verdict.UNDECIDED}


def without_kernel(variant: Variant, choices: Any = None) -> str:
    """Return the part of ``variant`` under the rule options ``choices`` that no kernel implements, in words:
    the game, or the game with a value of an option; "" if a kernel implements it, be it compiled or not.

    ``choices`` has the values as attributes; None stands for the usual ones.
    """
    if variant.packed not in _FAMILIES:
        return variant.name
    return not_implemented(_package(variant.packed).IMPLEMENTS, variant.name, choices)


def find_searches(variant: Variant) -> Searches | None:
    """The package of the searches of the family of ``variant``, compiled or not; None if it has none."""
    return _package(variant.packed) if variant.packed in _FAMILIES else None


@cache
def _package(family: str) -> Searches:
    """The package of the searches of a family. A solve of Fortress, of 200 us, looks it up twice."""
    package: Any = import_module(f".{family}", __package__)
    return cast("Searches", package)


def find_kernel(variant: Variant, choices: Any = None) -> type[GameKernel] | None:
    """The compiled kernel class of ``variant`` under the rule options ``choices``, an object with their
    values as attributes, or None for the usual ones.

    Returns None if no kernel implements these rules, if it was not compiled or, after an `EngineWarning`, if
    it does not load.
    """
    if without_kernel(variant, choices):
        return None
    border = diagnostics.load("core.border", "SearchKernel")
    return None if border is None else _kernel_of(border, variant.name)


@cache
def _kernel_of(border: Any, game: str) -> type[GameKernel]:
    """The subclass for ``game`` of ``border``, a `core.border.SearchKernel`."""
    family = VARIANTS[game].packed
    lists = _package(family).IMPLEMENTS, _package(family).REPLAYS
    made: type[GameKernel] = type(
        f"{family.title()}Kernel",
        (border,),
        {
            "GAME": game,
            "FAMILY": family,
            "RULES": VARIANTS[game].family,
            "IMPLEMENTED": lists[:1] if lists[0] == lists[1] else lists,
            "OPTIMIZES": _package(family).OPTIMIZES,
            "SCORES_LOST": _package(family).SCORES_LOST,
        },
    )
    return made


def lack_of_kernel(what: str, variant: Variant, choices: Any = None) -> str:
    """An error message that ``what`` needs the compiled engine of ``variant`` under ``choices``, which is
    missing: with the remedy, or with the rules that no kernel implements."""
    if rules := without_kernel(variant, choices):
        return diagnostics.by_reference(rules, what)
    return diagnostics.refusal(what, variant.name)


def optimizes(variant: Variant, choices: Any = None) -> bool:
    """Test if there is a compiled engine that shortens lines of ``variant`` under ``choices``."""
    kernel = find_kernel(variant, choices)
    return kernel is not None and kernel.OPTIMIZES


def what_is_missing() -> str:
    """A message that names the games whose kernels are not compiled and the remedy; "" if all are. Games
    that no kernel implements are left out."""
    names = [
        name
        for name, variant in VARIANTS.items()
        if not without_kernel(variant) and find_kernel(variant) is None
    ]
    return diagnostics.lack(names, is_all=len(names) == len(VARIANTS)) if names else ""


def search(
    variant: Variant,
    state: State,
    limits: Limits,
    goal: Goal = Goal.WIN,
    engine: str = "auto",
    shorten: int = 0,
    watch: Watch | None = None,
    score: bool = False,
) -> Result:
    """Like `solving.solve`, for arguments that were checked; but a shortest line is searched for by the
    reference engine alone."""
    if score:
        check_score(variant, engine, state.choices)
    kernel = _choose_kernel(variant, state, goal, engine)
    clock = _Clock()
    if kernel is None:
        from . import reference

        stop = reference.never if engine == "reference" else slowly(variant, state.choices)
        result = _replayed(variant, state, reference.solve(variant, state, limits, goal, stop, watch))
    else:
        result = decide(variant, state, kernel(limits), watch)
    result = replace(result, **clock.seconds())
    if score:
        result = find_score(variant, state, result, limits, watch)
    return optimize(variant, state, result, shorten, limits, watch) if shorten else result


class _Clock:
    """Measures time since it was made: by the clock, and of processor time of the present thread."""

    def __init__(self) -> None:
        self.began, self.began_cpu = time.perf_counter(), _processor_seconds()

    def seconds(self) -> dict[str, Any]:
        """The time as the fields ``seconds`` and ``cpu_seconds`` of a result."""
        return {
            "seconds": time.perf_counter() - self.began,
            "cpu_seconds": _processor_seconds() - self.began_cpu,
        }


def _processor_seconds() -> float:
    """The processor time of the present thread; time by the clock where that is not known, as in a
    browser."""
    try:
        return time.thread_time()
    except (AttributeError, OSError):
        return time.perf_counter()


class _Run:
    """A search by ``kernel`` that goes on from the result ``before``, as a context: ``watch`` can see and
    stop it, and Ctrl-C ends it."""

    def __init__(self, kernel: GameKernel, before: Result, watch: Watch | None) -> None:
        self.kernel, self.before, self.watch = kernel, before, watch
        self.was_interrupted = False
        self.clock = _Clock()

    def __enter__(self) -> Self:
        if self.watch is not None:
            self.watch.begin(self.kernel)
        return self

    def __exit__(self, kind: object, *_: object) -> bool:
        # Ctrl-C when the search was already over
        self.was_interrupted = isinstance(kind, type) and issubclass(kind, KeyboardInterrupt)
        return self.was_interrupted

    def result(self, **found: Any) -> Result:
        """The result before with what was ``found``, and with the states, work and time of this search."""
        before, kernel = self.before, self.kernel
        counts = {
            "expanded": before.expanded + kernel.expanded,
            "generated": before.generated + kernel.generated,
            "work": before.work + kernel.work,
        }
        return replace(before, **(counts | self.seconds() | found))

    def seconds(self) -> dict[str, Any]:
        """The time of the result before and of this search until now, as fields of a result."""
        return {name: getattr(self.before, name) + spent for name, spent in self.clock.seconds().items()}


def optimize(
    variant: Variant, state: State, result: Result, work: int, limits: Limits, watch: Watch | None = None
) -> Result:
    """Shorten the line of ``result`` for ``work`` units. Returns ``result`` if its engine cannot shorten
    lines.

    Only two of ``limits`` apply: megabytes, and the seconds left after those of ``result``. Ctrl-C ends it
    with the best line so far and reason ``interrupted``. The states of the result stay those of the search
    for it. Raises ValueError for a state of another game.
    """
    variant.check(state)  # before an answer without a search
    kernel = find_kernel(variant, state.choices)
    if kernel is None or not kernel.OPTIMIZES or result.engine != "compiled" or not result.moves:
        return result
    shortener = kernel(replace(remaining_limits(limits, result), nodes=None, work=work))
    with _Run(shortener, result, watch) as run:
        moves = tuple(shortener.optimize(state, result.moves))
    if run.was_interrupted:
        return replace(result, reason="interrupted")
    reason = "interrupted" if shortener.was_stopped else None
    counts = {"expanded": result.expanded, "generated": result.generated}
    shorter = _replayed(variant, state, run.result(moves=moves, reason=reason, **counts))
    return replace(shorter, **run.seconds())


def has_score(variant: Variant) -> bool:
    """Test if the best score of deals of ``variant`` can be searched for, if its engine is compiled."""
    searches = find_searches(variant)
    return variant.scoring is not None or (searches is not None and searches.SCORES_LOST)


def searches_scores(variant: Variant, choices: Any = None) -> bool:
    """Test if there is a compiled search for the most cards up of lost states of ``variant``, a game without
    tiers, under ``choices``."""
    kernel = find_kernel(variant, choices)
    return kernel is not None and kernel.SCORES_LOST


def check_score(variant: Variant, engine: str = "auto", choices: Any = None) -> None:
    """Raise ValueError unless the best score of lost deals of ``variant`` under the rule options ``choices``
    can be searched for."""
    if variant.scoring is None and (engine == "reference" or not searches_scores(variant, choices)):
        if without_kernel(variant, choices) and engine != "reference" and find_kernel(variant):
            raise ValueError(lack_of_kernel("the score", variant, choices))
        games = ", ".join(name for name, other in VARIANTS.items() if has_score(other))
        raise ValueError(f"score of {variant.name}: expected one of {games}, and its compiled engine")


def find_score(
    variant: Variant, state: State, result: Result, limits: Limits, watch: Watch | None = None
) -> Result:
    """Add a score, the cards on the foundations, to the ``result`` of a game without tiers.

    For a lost deal, search for the best score and a line to it within the rest of ``limits``. An undecided
    result, or one of a game with tiers, is returned unchanged.
    """
    kernel, places = find_kernel(variant, state.choices), state.deck.places
    if variant.scoring is not None or kernel is None or result.verdict is Verdict.UNDECIDED:
        return result
    if result.verdict is Verdict.WINNABLE:
        return replace(result, score=places, score_bound=places, exact=True)
    searcher = kernel(remaining_limits(limits, result))
    with _Run(searcher, result, watch) as run:
        found = searcher.solve_score(state)
    if run.was_interrupted:
        return replace(result, reason="interrupted")
    assert found.score_bound is not None
    result = run.result(
        moves=tuple(found.moves or ()),
        score=found.score,
        score_bound=min(found.score_bound, places - 1),  # since not all cards can go up
        exact=found.exact,
        reason=found.reason,
        shortest=found.shortest,
        lower_bound=len(found.moves or ()) if found.shortest else None,
    )
    return _replayed(variant, state, result)


def search_shortest(
    variant: Variant,
    state: State,
    limits: Limits,
    engine: str = "auto",
    on_improvement: Callable[[Result], object] | None = None,
    watch: Watch | None = None,
    score: bool = False,
) -> Result:
    """Like `solving.find_shortest`, for arguments that were checked."""
    report = on_improvement or (lambda result: None)
    kernel = find_kernel(variant, state.choices)
    if engine == "reference" or kernel is None:
        result = search(variant, state, limits, Goal.SHORTEST, engine, watch=watch, score=score)
        report(result)
        return result
    check_shortest_ends(variant, limits)
    result = search(variant, state, limits, engine=engine, watch=watch, score=score)
    report(result)
    if result.moves is None or result.reason is not None or result.shortest:
        return result
    return prove_optimal(variant, state, result, kernel(remaining_limits(limits, result)), report, watch)


def check_shortest_ends(variant: Variant, limits: Limits) -> None:
    """Raise ValueError if a search for shortest lines of ``variant`` would rarely end, since ``limits`` limit
    neither work nor seconds."""
    if variant.copies > 1 and limits.work is None and limits.seconds is None:
        raise ValueError(
            f"shortest solutions of {variant.name} are rarely proved: expected a limit on work or seconds"
        )


def prove_optimal(
    variant: Variant,
    state: State,
    solved: Result,
    kernel: GameKernel,
    report: Callable[[Result], object] = lambda result: None,
    watch: Watch | None = None,
) -> Result:
    """Search with ``kernel``, within its limits, for a line shorter than that of ``solved``, and for a lower
    bound.

    ``report`` is called with the result whenever line or bound improve. Raises ValueError for a state of
    another game.
    """
    assert solved.moves is not None
    result = solved
    run = _Run(kernel, solved, watch)

    def note(moves: Sequence[Move], lower_bound: int) -> None:
        nonlocal result
        is_shorter = len(moves) < len(solved.moves or ())
        better = run.result(
            moves=tuple(moves) if is_shorter else solved.moves,
            lower_bound=lower_bound,
            shortest=len(moves) == lower_bound,
        )
        if is_shorter:
            better = _replayed(variant, state, better, to_tier=True)
        is_news = (better.moves, better.lower_bound) != (result.moves, result.lower_bound)
        result = better
        if is_news:
            report(better)

    with run:
        kernel.prove_optimal(state, solved.moves, note)
    reason = "interrupted" if run.was_interrupted else kernel.limit_met
    return replace(result, reason=None if result.shortest else reason)


def remaining_limits(limits: Limits, spent: Result) -> Limits:
    """``limits`` less the nodes, work and seconds of ``spent``, 0 at least."""
    work = None if limits.work is None else max(0, limits.work - spent.work)
    nodes = None if limits.nodes is None else max(0, limits.nodes - spent.expanded)
    seconds = None if limits.seconds is None else max(0, limits.seconds - spent.seconds)
    return replace(limits, nodes=nodes, work=work, seconds=seconds)


def read_goal(goal: Goal | str) -> Goal:
    """The goal, or that of this name. Raises ValueError for anything else."""
    try:
        return Goal(goal)
    except ValueError:
        raise ValueError(f"goal {shown(goal)}: expected {' or '.join(Goal)}") from None


def slowly(
    variant: Variant, choices: Any = None, is_stopped: Callable[[], bool] = lambda: False
) -> Callable[[], bool]:
    """Wrap ``is_stopped`` for a search of the reference engine, which warns when it takes long: because no
    kernel implements the game under ``choices``, or because the kernel was not compiled."""
    rules = without_kernel(variant, choices)
    why = diagnostics.by_reference(rules) if rules else diagnostics.lack([variant.name], is_all=False)
    return diagnostics.watched(why, is_stopped)


def _choose_kernel(variant: Variant, state: State, goal: Goal, engine: str) -> type[GameKernel] | None:
    if engine not in ENGINES:
        raise ValueError(f"engine {engine!r}: expected one of {', '.join(ENGINES)}")
    kernel = None if engine == "reference" or goal is not Goal.WIN else find_kernel(variant, state.choices)
    if engine == "compiled" and kernel is None:
        if rules := without_kernel(variant, state.choices):
            raise ValueError(f"engine 'compiled': {diagnostics.by_reference(rules)}")
        raise ValueError(f"engine 'compiled': expected one for {variant.name}; {diagnostics.REMEDY}")
    return kernel


def decide(
    variant: Variant, state: State, kernel: GameKernel, watch: Watch | None = None, name_cards: bool = True
) -> Result:
    """Decide ``state`` with ``kernel``, without measuring time. If ``name_cards`` is false, as in batches,
    the moves do not name their cards. Raises ValueError for a state of another game."""
    with _Run(kernel, Result(Verdict.UNDECIDED, engine="compiled"), watch) as run:
        found = kernel.solve(state)
    if run.was_interrupted:
        return replace(unknown(variant, state), engine="compiled")
    return _replayed(variant, state, _result(variant, state, run, found), name_cards=name_cards)


def unknown(variant: Variant, state: State) -> Result:
    """The result for a position that was not searched: undecided with reason ``interrupted``, or in a scored
    game what its present score proves."""
    unknown = Result(Verdict.UNDECIDED, reason="interrupted")
    if variant.scoring is None:
        return unknown
    score, places = variant.score(state), state.deck.places
    tier = variant.scoring.tier_of(score, places)
    verdict = Verdict.UNDECIDED if tier == "none" else Verdict.WINNABLE
    return replace(
        unknown, verdict=verdict, moves=(), score=score, score_bound=places, tier=tier, exact=score == places
    )


def _result(variant: Variant, state: State, run: _Run, found: SearchResult) -> Result:
    """Convert ``found``, the search result of ``run``, to a `Result`."""
    tier = None
    if variant.scoring is not None and found.score is not None:
        tier = variant.scoring.tier_of(found.score, state.deck.places)
    return run.result(
        verdict=_VERDICTS[found.won],
        moves=None if found.moves is None else tuple(found.moves),
        score=found.score,
        score_bound=found.score_bound,
        tier=tier,
        exact=found.exact,
        reason=found.reason,
        seconds=0.0,
        cpu_seconds=0.0,
    )


def _replayed(
    variant: Variant, state: State, result: Result, to_tier: bool = False, name_cards: bool = True
) -> Result:
    """Replay the line of ``result``, if any, and return ``result`` with moves that name their cards, unless
    ``name_cards`` is false.

    Raises WrongAnswer, since it would be a bug of the engine, if a move is illegal, or if the line does not
    win or reach the score of ``result``; with ``to_tier`` it must only reach the tier.
    """
    if result.moves is None:
        return result
    try:
        steps = list(verify.follow(variant, state, result.moves)) if name_cards else []
        last = steps[-1][1] if steps else verify.replay(variant, state, result.moves)
    except verify.WrongMove as error:
        raise diagnostics.WrongAnswer(f"the line found is illegal: {error}") from None
    try:
        check_line(variant, result, last, to_tier)
    except ValueError as error:
        raise diagnostics.WrongAnswer(f"the answer found is wrong: {error}") from None
    return replace(result, moves=tuple(move for move, _ in steps)) if steps else result
