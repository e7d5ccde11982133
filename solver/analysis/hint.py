"""Hints: the legal moves from a position, ranked."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ...rules import State, Variant, find_variant, has_unknown, of_state
from ...rules.cards import shown
from ...rules.move_text import move_keys
from ...rules.tables import check_table
from ...rules.tiers import NO_TIER, TIERS
from ..engine import SHORTEN, find_kernel
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits, check_work
from ..unknown_cards import hint_table
from .moves import ORDER, Move, Moves, worth

if TYPE_CHECKING:
    from ...rules import answers

WORK, PROVE = 5_000_000, 1_000_000
"""The default work of a hint: `WORK` to decide the position and again to decide all moves, `PROVE` to prove
lines shortest."""

_PART = 20  # the lines after all moves are shortened for 1/20 of the work for that of the position

_LOST_PART = 5  # the most cards up of a lost position are searched for with 1/5 of the work to decide it

_TIERS = (NO_TIER, *TIERS)
_SHOWN = 20  # moves of a hint that are printed


@dataclass(frozen=True, repr=False)
class Option:
    """A legal move and the result of the position after it.

    ``keeps`` is True if a win, or in a scored game the best tier found before the move, can still be reached
    after it, even if the best score is lower; None if that is undecided. All this also applies to the moves
    ``alike``, which lead to an equivalent position.
    """

    move: Any
    after: Result
    keeps: bool | None
    alike: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.move}: {self.after}{', a mistake' if self.keeps is False else ''}"

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, repr=False)
class Hint:
    """The result of a position and of each of its moves.

    ``answer`` is the result of the position itself, with the best line found. ``options`` has its moves, the
    best first; moves that lead to equivalent positions share one option. If ``interrupted``, by Ctrl-C, moves
    that were not decided have the reason ``interrupted``.
    """

    answer: Result
    options: tuple[Option, ...]
    interrupted: bool = False

    def __str__(self) -> str:
        rows = [str(option) for option in self.options[:_SHOWN]]
        left = len(self.options) - len(rows)
        return "\n".join([str(self.answer), *rows, *([f"and {left} more"] if left else [])])

    def __repr__(self) -> str:
        kept = Counter(option.keeps for option in self.options)
        words = {True: "good", False: "mistake" if kept[False] == 1 else "mistakes", None: "undecided"}
        counts = ", ".join(f"{kept[keeps]} {word}" for keeps, word in words.items() if kept[keeps])
        best = f"; best {self.options[0].move}" if self.options else ""
        return f"<{self.answer}{best}; {counts or 'no moves'}>"

    def each_move(self) -> Iterator[Option]:
        """Yield the options, with one for each legal move."""
        for option in self.options:
            for move in (option.move, *option.alike):
                yield replace(option, move=move, alike=())

    def to_dict(self, state: State) -> "answers.Hinted":
        """The hint for ``state`` as a public JSON object: the result of the position, and that of each legal
        move, the best first, without line and counters."""
        variant = find_variant(state.variant)
        options: list[answers.Option] = [
            {**move_keys(variant, state, option.move), "keeps": option.keeps, **option.after.brief()}
            for option in self.each_move()
        ]
        return {**self.answer.to_dict(), "options": options}

    def _repr_html_(self) -> str:
        """A table of the moves as HTML, for notebooks."""
        from ...rules.drawing import pretty, table

        words = {True: "keeps it", False: "loses it", None: "undecided"}
        rows = [(str(option.move), str(option.after), words[option.keeps]) for option in self.options]
        head = ("move", "after it", "the win, or the best tier")
        return f"<b>{pretty(str(self.answer))}</b>{table(head, rows)}"


@of_state
def hint(
    variant: Variant | str,
    state: State,
    work: int | None = WORK,
    shorten: int = SHORTEN,
    limits: Limits | None = None,
    proofs: Limits | str | None = "usual",
    watch: Watch | None = None,
) -> Hint:
    """The legal moves from ``state`` of ``variant``, which may be left out, ranked, each with the result of
    the position after it.

    After a proof that the position is lost, in a game without tiers, the most cards that can go up are
    searched for, if the engine can: the results then have scores.

    The position is solved first, like by `engine.solve` with the same ``shorten``, within ``work`` units; the
    line of the hint's answer is never longer than the one found then. The same amount of work is then divided
    among the moves; if ``work`` is None, only ``limits`` apply to each move. In games whose engine can
    shorten lines, a twentieth of ``shorten`` is spent on the lines after the moves.

    ``proofs`` is a limit on nodes or work for the search for shortest lines and their proofs: by default that
    of `usual_proofs`; None for no such search. The nodes and megabytes of ``limits`` apply to each move, the
    seconds to all together. ``watch`` reports progress to another thread. Ctrl-C ends the search with the
    results so far.

    Moves are ordered by verdict or score; then by the length of the line found; then lines proved shortest
    come first, and lines with greater lower bounds last. So if the answer's line is proved shortest, the
    first moves are those that begin a shortest line.

    For a table with unknown cards the result is a `table_result.TableHint`; see `unknown_cards.hint_table`.

    Raises ValueError for ``proofs`` in a game without them, see `has_proofs`, for an argument of another
    type, and for a state of another game.
    """
    variant = find_variant(variant)
    if has_unknown(state):
        check_table(variant, state)
        within = None if limits is None else check_limits(limits, watch)
        return cast("Hint", hint_table(state, within, watch))
    variant.check(state, cards=True)
    limits, shorten = check_limits(limits, watch), check_work("shorten", shorten)
    work, choices = None if work is None else check_work("work", work), state.choices
    if proofs == "usual":
        proofs = usual_proofs(variant, choices)
    elif proofs is not None and not isinstance(proofs, Limits):
        raise ValueError(f"proofs {shown(proofs)}: expected Limits, 'usual' or None")
    if proofs is not None and not has_proofs(variant, choices):
        raise ValueError(f"shortest lines of {variant.name}: not supported for each move")
    moves = Moves(variant, state, limits, watch)
    interrupted = False
    try:
        moves.solve(work)
        moves.decide(work)
        moves.score_lost(None if work is None else work // _LOST_PART)
        moves.shorten(shorten, shorten // _PART)
        if proofs is not None:
            moves.prove(proofs)
    except KeyboardInterrupt:
        interrupted = True
    return _hint(moves, interrupted)


def has_proofs(variant: Variant, choices: Any = None) -> bool:
    """Test if `hint` can prove lines shortest under the rule options ``choices``: in games without scores
    that have a compiled engine."""
    return variant.scoring is None and find_kernel(variant, choices) is not None


def usual_proofs(variant: Variant, choices: Any = None) -> Limits | None:
    """The default budget of proofs for all moves together under the rule options ``choices``; None for games
    in which it would be too small."""
    return Limits(work=PROVE) if has_proofs(variant, choices) and variant.copies == 1 else None


def _hint(known: Moves, interrupted: bool) -> Hint:
    """Make a hint of the results in ``known``, the best move first."""
    known.bound_scores()
    moves = sorted(known.moves.values(), key=lambda move: worth(move.after))
    answer = _combined(known.variant, known.state, [(m.move, m.after) for m in moves])
    if known.variant.scoring is None and known.answer.score is not None:
        answer = _combined_lost(answer, known.answer, moves)
    answer = _with_bound(known, _with_counters(answer, known.answer))
    if interrupted and not answer.shortest and not answer.exact:
        answer = replace(answer, reason="interrupted")
    options = [
        Option(m.move, m.after, _keeps(known.variant, m.at, answer, m.after), tuple(m.alike)) for m in moves
    ]
    return Hint(answer, tuple(options), interrupted)


def _with_bound(known: Moves, answer: Result) -> Result:
    """``answer``, the combined result, with the lower bound that follows from all searches."""
    if answer.moves is None or known.here is None:
        return answer
    afters = [move.after for move in known.moves.values()]
    least = min(a.lower_bound or 0 for a in afters if a.verdict is not Verdict.UNWINNABLE) + 1
    bound = max(least, known.here.lower_bound or 0)
    is_shortest = bound == len(answer.moves)
    reason = None if is_shortest else known.here.reason
    answer = replace(answer, lower_bound=bound, shortest=is_shortest, reason=reason)
    return _with_counters(answer, known.here)


def _with_counters(answer: Result, other: Result) -> Result:
    """``answer`` with the counters of ``other`` added."""
    return replace(
        answer,
        expanded=answer.expanded + other.expanded,
        generated=answer.generated + other.generated,
        work=answer.work + other.work,
        seconds=answer.seconds + other.seconds,
        cpu_seconds=answer.cpu_seconds + other.cpu_seconds,
    )


def _combined(variant: Variant, state: Any, options: list[tuple[Any, Result]]) -> Result:
    """The result of a position, combined from pairs of a move and the result after it, the best first."""
    results = [after for _, after in options]
    best = None
    if options and options[0][1].moves is not None:
        best = (options[0][0], *options[0][1].moves)
    total = Result(
        Verdict.UNWINNABLE,
        expanded=sum(result.expanded for result in results),
        generated=sum(result.generated for result in results),
        work=sum(result.work for result in results),
        seconds=sum(result.seconds for result in results),
        cpu_seconds=sum(result.cpu_seconds for result in results),
        reason=next((result.reason for result in results if result.reason), None),
        engine="reference" if find_kernel(variant, state.choices) is None else "compiled",
    )
    if variant.scoring is None:
        verdicts = {result.verdict for result in results}
        if variant.family.is_won(state):
            return replace(total, verdict=Verdict.WINNABLE, moves=(), reason=None)
        verdict = next((v for v in ORDER if v in verdicts), Verdict.UNWINNABLE)
        if verdict is not Verdict.WINNABLE:
            return replace(total, verdict=verdict)
        return replace(total, verdict=verdict, moves=best, reason=None)
    return _combined_score(variant, state, total, results, best)


def _combined_score(
    variant: Variant, state: Any, total: Result, results: list[Result], best: tuple[Any, ...] | None
) -> Result:
    assert variant.scoring is not None
    here, places = variant.score(state), state.deck.places
    score = max([here, *(result.score or 0 for result in results)])
    bound = max([here, *(result.score_bound or 0 for result in results)])
    tier, exact = variant.scoring.tier_of(score, places), bound == score
    is_open = tier == "none" and variant.scoring.tier_of(bound, places) != "none"
    lost = Verdict.UNDECIDED if is_open else Verdict.UNWINNABLE
    return replace(
        total,
        verdict=lost if tier == "none" else Verdict.WINNABLE,
        moves=best if score > here else (),
        score=score,
        score_bound=bound,
        tier=tier,
        exact=exact,
        reason=None if exact else total.reason,
    )


def _combined_lost(total: Result, here: Result, moves: list[Move]) -> Result:
    """``total``, the result of a lost position, with the best score by ``here``, the search from it, and by
    those after ``moves``, the best first."""
    best = max(moves, key=lambda move: move.after.score or 0, default=None)
    if best is not None and (best.after.score or 0) > (here.score or 0):
        here = replace(here, score=best.after.score, moves=(best.move, *(best.after.moves or ())))
    exact = here.score == here.score_bound
    names = ("moves", "score", "score_bound", "shortest", "lower_bound")
    found = {name: getattr(here, name) for name in names}
    return replace(total, **found, exact=exact, reason=None if exact else here.reason)


def _keeps(variant: Variant, state: Any, before: Result, after: Result) -> bool | None:
    """Test if the win or tier of the result ``before`` can still be reached by the result ``after`` the move
    to ``state``; None if that is undecided."""
    if variant.scoring is None:
        return {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}.get(after.verdict)
    most = variant.scoring.tier_of(after.score_bound or 0, state.deck.places)
    if _TIERS.index(after.tier or "none") >= _TIERS.index(before.tier or "none"):
        return True
    return False if _TIERS.index(most) < _TIERS.index(before.tier or "none") else None
