"""Limits, goals, verdicts and results of a search."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, SupportsFloat

from ..rules import Move, State, Variant, variant_of
from ..rules.cards import check_whole, shown, with_article
from .progress import Watch

if TYPE_CHECKING:
    from ..rules import answers

_MOST = 10**15
_SHOWN = 5  # moves of a result that are printed beside it

REASONS = (None, "nodes", "seconds", "memory", "interrupted", "work")
"""Reasons why a search ended early; None if it did not."""


class Verdict(StrEnum):
    """Winnable: a solution was replayed. Unwinnable: a sound search was exhausted. Otherwise undecided.

    A verdict is equal to its name as a string: ``result.verdict == "winnable"``.
    """

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


class Goal(StrEnum):
    """Goal of a search: any line that wins (or, in a scored game, reaches the best score), or a shortest such
    line. The strings ``"win"`` and ``"shortest"`` are accepted, too."""

    WIN = "win"
    SHORTEST = "shortest"


@dataclass(frozen=True)
class Limits:
    """Limits at which a search stops undecided; None means no limit.

    ``nodes`` limits expanded states, ``seconds`` wall time, ``megabytes`` (of 10^6 bytes) the memory of the
    search without the program itself. ``work`` limits the steps of the search, in units of a microsecond or
    two: unlike ``seconds``, it ends the search at the same step on every machine. Raises ValueError unless
    the limits are numbers from 0 to 10^15, whole numbers for nodes and work.
    """

    nodes: int | None = None
    seconds: float | None = None
    megabytes: float | None = None
    work: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "megabytes", "work"):
            value = getattr(self, name)
            if value is not None:
                check = check_work if name in ("nodes", "work") else check_number
                object.__setattr__(self, name, check(name, value))


def check_limits(limits: object, watch: object = None) -> Limits:
    """Return ``limits``, or for None a Limits without limits. Raises ValueError unless ``limits`` is a Limits
    or None and ``watch`` a Watch or None."""
    if limits is not None and not isinstance(limits, Limits):
        raise ValueError(f"limits: expected Limits or None, got {with_article(type(limits).__name__)}")
    if watch is not None and not isinstance(watch, Watch):
        raise ValueError(f"watch: expected a Watch or None, got {with_article(type(watch).__name__)}")
    return limits or Limits()


def check_number(name: str, value: object) -> float:
    """``value`` as an int or float. Raises ValueError, which names ``name``, unless it is from 0 to 10^15."""
    if not isinstance(value, bool) and isinstance(value, SupportsFloat):
        number = value if isinstance(value, int) else float(value)
        if 0 <= number <= _MOST:
            return number
    raise ValueError(f"{name} {shown(value)}: expected a number from 0 to 10^15")


def check_work(name: str, value: object) -> int:
    """``value`` as an int. Raises ValueError, which names ``name``, unless it is whole and from 0 to
    10^15."""
    return check_whole(name, value, range(_MOST + 1), "from 0 to 10^15")


_REASONS = {
    "nodes": "state limit reached",
    "work": "work limit reached",
    "seconds": "time limit reached",
    "memory": "memory limit reached",
}


def reason_text(reason: str) -> str:
    """The ``reason`` of an undecided result, in words."""
    return _REASONS.get(reason, reason)


@dataclass(frozen=True, repr=False)
class Result:
    """The result of the search of one deal.

    ``moves`` is the solution found, as move objects of the game; `verify.replay` reads them as text, too. It
    is None if there is none, as for an unwinnable deal, and empty if the position is won already. In a scored
    game ``moves`` is the line to ``score``, also if the deal is not winnable, and never None.

    ``shortest`` is True if the line is proved shortest, ``lower_bound`` a proved bound on the length of any
    line. ``exact`` is True if ``score`` is proved the best; no line reaches more than ``score_bound``. In
    Klondike with redeals there is a score, without a ``tier``, only on request. ``work`` is that of the
    search, see `Limits`. ``reason`` names the limit that ended it: nodes, work, seconds, memory or
    interrupted; None if no limit did. ``engine`` is ``compiled`` or ``reference``. ``seconds`` is the time
    taken by the clock, ``cpu_seconds`` the processor time of it.
    """

    verdict: Verdict
    moves: tuple[Move, ...] | None = None
    shortest: bool = False
    lower_bound: int | None = None
    score: int | None = None
    tier: str | None = None
    score_bound: int | None = None
    exact: bool | None = None
    expanded: int = 0
    generated: int = 0
    work: int = 0
    seconds: float = 0.0
    reason: str | None = None
    engine: str = "reference"
    cpu_seconds: float = 0.0

    def __str__(self) -> str:
        text = str(self.verdict)
        if self.verdict is Verdict.UNDECIDED:
            note = f"; {self.cpu_note}" if self.reason == "seconds" else ""
            text += f" ({reason_text(self.reason or '')}{note})"
        if self.score is not None:
            text += f", score {self.score}" if self.exact else f", score {self.score} to {self.score_bound}"
        if self.moves is None:
            return text
        text += f", {len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        return f"{text} ({self.length_note})" if self.length_note else text

    @property
    def cpu_note(self) -> str:
        """The share of processor time in the time by the clock, which a limit on seconds counts, in words."""
        return f"{self.cpu_seconds:.1f} of {self.seconds:.1f} s were processor time"

    @property
    def length_note(self) -> str:
        """Proved bounds of the length of the line, in words; empty without a proof or without moves."""
        length = len(self.moves or ())
        if length and self.shortest:
            return "shortest possible"
        if length and self.lower_bound is not None:
            return f"the shortest has {self.lower_bound} to {length}"
        return ""

    def __repr__(self) -> str:
        moves = [str(move) for move in (self.moves or ())[:_SHOWN]]
        if self.moves and len(self.moves) > _SHOWN:
            moves.append("...")
        return f"<{self}: {', '.join(moves)}>" if moves else f"<{self}>"

    def to_dict(self) -> "answers.Result":
        """The result as a public JSON object: ``moves`` as text, ``length`` their number."""
        return {
            "verdict": self.verdict.value,
            "moves": None if self.moves is None else list(map(str, self.moves)),
            "length": None if self.moves is None else len(self.moves),
            "shortest": self.shortest,
            "lower_bound": self.lower_bound,
            "score": self.score,
            "tier": self.tier,
            "score_bound": self.score_bound,
            "exact": self.exact,
            "expanded": self.expanded,
            "generated": self.generated,
            "work": self.work,
            "seconds": round(self.seconds, 6),
            "reason": self.reason,
            "engine": self.engine,
            "cpu_seconds": round(self.cpu_seconds, 6),
        }

    def brief(self) -> "answers.Brief":
        """The public JSON object of the result without its line and its counters."""
        return {
            "verdict": self.verdict.value,
            "length": None if self.moves is None else len(self.moves),
            "shortest": self.shortest,
            "lower_bound": self.lower_bound,
            "score": self.score,
            "tier": self.tier,
            "score_bound": self.score_bound,
            "exact": self.exact,
            "reason": self.reason,
        }

    @classmethod
    def from_dict(cls, answer: Mapping[str, Any], state: State) -> "Result":
        """The result of ``state`` from ``answer``, a JSON object written by `to_dict` or a command with
        ``--json``.

        The line is replayed, and must lead to the verdict, score and tier; length and bounds must not
        contradict it. Claims that a line cannot prove are accepted: that a deal is unwinnable, a line
        shortest or a score the best; so are the counters. Raises ValueError for any other contents, WrongMove
        for an illegal move.
        """
        from .verify import follow

        variant = variant_of(state)
        if not isinstance(answer, Mapping):
            raise ValueError(f"answer: expected a mapping, got {with_article(type(answer).__name__)}")
        known = {each.name: answer[each.name] for each in fields(cls) if each.name in answer}
        for name, value in ({"verdict": None} | known).items():
            _check_kind(name, value)
        moves, last = known.get("moves"), state
        if moves is not None:
            steps = list(follow(variant, state, moves))
            moves = tuple(move for move, _ in steps)
            last = steps[-1][1] if steps else state
        result = cls(**known | {"verdict": Verdict(known["verdict"]), "moves": moves})
        _check_claims(variant, result, last)
        length = None if moves is None else len(moves)
        if answer.get("length", length) != length:
            raise ValueError(f"length {shown(answer['length'])}: expected {length}")
        return result

    def _repr_html_(self) -> str:
        """The verdict and the moves as HTML, for notebooks."""
        from ..rules.drawing import pretty

        moves = "".join(f"<li>{pretty(str(move))}</li>" for move in self.moves or ())
        line = f'<ol style="columns: 8em; padding-left: 2em">{moves}</ol>' if moves else ""
        return f"<b>{pretty(str(self))}</b>{line}"


_WORDS: dict[str, tuple[str | bool | None, ...]] = {
    "verdict": tuple(Verdict),
    "shortest": (False, True),
    "exact": (None, False, True),
    "reason": REASONS,
    "engine": ("compiled", "reference"),
}
"""The possible values of those fields of a result that have only a few."""


def _check_kind(name: str, value: object) -> None:
    """Raise ValueError unless the field ``name`` of a result can have ``value``."""
    if name in _WORDS:
        if not isinstance(value, str | bool | None) or value not in _WORDS[name]:
            raise ValueError(f"{name} {shown(value)}: expected {', '.join(map(str, _WORDS[name]))}")
    elif name == "moves":
        if not isinstance(value, list | tuple | None):
            raise ValueError(f"moves: expected a list, got {with_article(type(value).__name__)}")
    elif name in ("seconds", "cpu_seconds"):
        check_number(name, value)
    elif name != "tier" and (value is not None or name in ("expanded", "generated", "work")):
        check_work(name, value)


def _check_claims(variant: Variant, result: Result, last: State) -> None:
    """Raise ValueError if the claims of ``result`` contradict each other or its line, which ends at
    ``last``."""
    length = None if result.moves is None else len(result.moves)
    if result.score_bound is None and (variant.scoring is not None or result.score is not None):
        raise ValueError("score_bound: expected a number, got none")
    if length is not None:
        check_line(variant, result, last, to_tier=result.lower_bound is not None)
    elif result.verdict is Verdict.WINNABLE or result.score is not None:
        raise ValueError("moves: expected a line, got none")
    if variant.scoring is not None and result.verdict is Verdict.UNWINNABLE:
        most = variant.scoring.tier_of(result.score_bound or 0, last.deck.places)
        if most != "none":
            raise ValueError(f"verdict unwinnable: expected undecided with the bound of a {most}")
    for name, low, high in (
        ("lower_bound", result.lower_bound, length),
        ("score", result.score, result.score_bound),
    ):
        if low is not None and high is not None and low > high:
            raise ValueError(f"{name} {low}: expected {high} at most")
    if result.shortest and (length is None or result.lower_bound not in (None, length)):
        raise ValueError(f"shortest: expected a lower bound of {length}, got {result.lower_bound}")
    if result.exact and result.score != result.score_bound:
        raise ValueError(f"exact: expected a score of {result.score_bound}, got {result.score}")


def check_line(variant: Variant, result: Result, last: State, to_tier: bool = False) -> None:
    """Raise ValueError unless the line of ``result``, which ends at ``last``, proves its verdict.

    In a game without scores ``last`` must be won. Otherwise it must have the score of the result, or with
    ``to_tier`` its tier, and verdict and tier must be those of the score.
    """
    places, scoring, score = last.deck.places, variant.scoring, result.score
    is_won, tier, reached = variant.family.is_won(last), None, score
    if scoring is not None:
        if score is None:
            raise ValueError("score: expected a number, got none")
        tier, reached = scoring.tier_of(score, places), scoring.score(last)
        is_won = tier != "none"
        if to_tier and is_won and scoring.tier_of(reached, places) == tier:
            reached = score
    elif score is not None:
        reached = variant.cards_up(last)
    elif not is_won:
        raise ValueError("moves: expected a line that wins, got one that does not")
    if reached != score:
        raise ValueError(f"moves: expected a line to a score of {score}, got one to {reached}")
    if is_won is not (result.verdict is Verdict.WINNABLE):
        expected = "winnable" if is_won else "unwinnable or undecided"
        raise ValueError(f"verdict {result.verdict}: expected {expected} by its line")
    if result.tier != tier:
        raise ValueError(f"tier {result.tier}: expected {tier}")
