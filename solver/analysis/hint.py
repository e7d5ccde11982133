"""Hints: the legal moves from a position, ranked."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...rules import State, Variant, find_variant
from ...rules.cards import shown
from ...rules.move_text import sentence
from ...rules.tiers import NO_TIER, TIERS
from ..engine import SHORTEN, find_kernel
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits, check_work
from .moves import ORDER, Moves, worth

WORK, PROVE = 5_000_000, 1_000_000
"""The usual work of a hint: to decide the position and as much for all moves, and to prove fewest moves."""

_PART = 20  # the lines after all moves are shortened for this part of the work for that of the position

_TIERS = (NO_TIER, *TIERS)


@dataclass(frozen=True)
class Option:
    """A legal move and the answer for the position after it. ``keeps`` says whether the win, or in a scored
    game the best tier known before the move, can still be reached; None where that is undecided. A move that
    lowers the score but not the tier keeps it. It holds for the moves ``alike`` too, which lead to an
    equivalent position."""

    move: Any
    after: Result
    keeps: bool | None
    alike: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Hint:
    """``answer`` is that for the position itself, with the best line known; ``options`` are its moves, the
    best first, and of moves that lead to the same position one. Where Ctrl-C ``interrupted`` it, the moves
    that had not been decided have the reason ``interrupted``."""

    answer: Result
    options: tuple[Option, ...]
    interrupted: bool = False

    def each_move(self) -> Iterator[Option]:
        """The ``options`` with an option for each legal move."""
        for option in self.options:
            for move in (option.move, *option.alike):
                yield replace(option, move=move, alike=())

    def to_dict(self, state: State) -> dict[str, Any]:
        """The public JSON of the hint for ``state``: the answer, and each legal move, the best first, without
        its line and counters."""
        left_out = ("moves", "expanded", "generated", "work", "seconds", "engine")
        variant = find_variant(state.variant)
        options = [
            {
                "move": variant.family.format_move(state, option.move),
                "does": sentence(variant, state, option.move),
                "keeps": option.keeps,
            }
            | {key: value for key, value in option.after.to_dict().items() if key not in left_out}
            for option in self.each_move()
        ]
        return self.answer.to_dict() | {"options": options}

    def _repr_html_(self) -> str:
        """A table of the moves, in notebooks."""
        from ...rules.drawing import pretty, table

        words = {True: "keeps it", False: "loses it", None: "undecided"}
        rows = [(str(option.move), str(option.after), words[option.keeps]) for option in self.options]
        head = ("move", "after it", "the win, or the best tier")
        return f"<b>{pretty(str(self.answer))}</b>{table(head, rows)}"


def hint(
    variant: Variant | str,
    state: State,
    work: int | None = WORK,
    shorten: int = SHORTEN,
    limits: Limits | None = None,
    proofs: Limits | str | None = "usual",
    watch: Watch | None = None,
) -> Hint:
    """The moves from ``state``, each with the answer for the position after it.

    The position is solved first, as by `engine.solve` with the same ``shorten``, for ``work`` units at most;
    the line of the answer is never longer than the one found then. As much ``work`` is shared out among the
    moves (None: ``limits`` alone hold for each). In games whose engine can shorten lines a twentieth of
    ``shorten`` is spent on the lines after the moves; ``proofs``, a limit on nodes or work, is
    what may be spent on shortest lines and their proof (None: nothing), by default that of `usual_proofs`. Of
    ``limits`` the nodes and megabytes hold for each move, the seconds for all together. ``watch`` lets
    another thread see how far it is. The line of the best move makes the line of the answer. Ctrl-C ends it
    with what is known. Raises ValueError for ``proofs`` in a game that has none, see `has_proofs`, for an
    argument of another type, and for a state of another game.

    Moves are ordered by verdict or score first, then the length of the line known, then proved lines
    before others and greater lower bounds last. So where the answer's line is proved to be shortest, the
    first moves are those from which no other leads to the end sooner.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    limits, shorten = check_limits(limits, watch), check_work("shorten", shorten)
    work = None if work is None else check_work("work", work)
    if proofs == "usual":
        proofs = usual_proofs(variant)
    elif proofs is not None and not isinstance(proofs, Limits):
        raise ValueError(f"proofs {shown(proofs)}: expected Limits, 'usual' or None")
    if proofs is not None and not has_proofs(variant):
        raise ValueError(f"shortest lines of {variant.name}: not supported for each move")
    moves = Moves(variant, state, limits, watch)
    interrupted = False
    try:
        moves.solve(work)
        moves.decide(work)
        moves.shorten(shorten, shorten // _PART)
        if proofs is not None:
            moves.prove(proofs)
    except KeyboardInterrupt:
        interrupted = True
    return _hint(moves, interrupted)


def has_proofs(variant: Variant) -> bool:
    """Test if shortest lines can be proved: the game has no score, and a compiled engine."""
    return variant.scoring is None and find_kernel(variant) is not None


def usual_proofs(variant: Variant) -> Limits | None:
    """The default budget of proofs for all moves together; None where that is too little."""
    return Limits(work=PROVE) if has_proofs(variant) and variant.copies == 1 else None


def _hint(known: Moves, interrupted: bool) -> Hint:
    """Make a hint of the known answers, the best move first."""
    known.bound_scores()
    moves = sorted(known.moves.values(), key=lambda move: worth(move.after))
    answer = _combined(known.variant, known.state, [(m.move, m.after) for m in moves])
    answer = _with_bound(known, _with_counters(answer, known.answer))
    if interrupted and not answer.shortest and not answer.exact:
        answer = replace(answer, reason="interrupted")
    options = [
        Option(m.move, m.after, _keeps(known.variant, m.at, answer, m.after), tuple(m.alike)) for m in moves
    ]
    return Hint(answer, tuple(options), interrupted)


def _with_bound(known: Moves, answer: Result) -> Result:
    """``answer``, the combined one, with the lower bound that follows from all searches."""
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
    """``answer`` with the counters of another search added."""
    return replace(
        answer,
        expanded=answer.expanded + other.expanded,
        generated=answer.generated + other.generated,
        work=answer.work + other.work,
        seconds=answer.seconds + other.seconds,
    )


def _combined(variant: Variant, state: Any, options: list[tuple[Any, Result]]) -> Result:
    """The answer for a position from those after its moves, the best first."""
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
        reason=next((result.reason for result in results if result.reason), None),
        engine="reference" if find_kernel(variant) is None else "compiled",
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


def _keeps(variant: Variant, state: Any, before: Result, after: Result) -> bool | None:
    """Test if what could be reached ``before`` still can be ``after`` the move to ``state``; None if open."""
    if variant.scoring is None:
        return {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}.get(after.verdict)
    most = variant.scoring.tier_of(after.score_bound or 0, state.deck.places)
    if _TIERS.index(after.tier or "none") >= _TIERS.index(before.tier or "none"):
        return True
    return False if _TIERS.index(most) < _TIERS.index(before.tier or "none") else None
