"""Limits, goals, verdicts and results of a search."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, SupportsFloat

from ..rules import Move, State, find_variant
from ..rules.cards import check_whole, shown, with_article
from .progress import Watch

_MOST = 10**15

REASONS = (None, "nodes", "seconds", "memory", "interrupted", "work")
"""Reasons why a search ended early; None if it did not."""


class Verdict(StrEnum):
    """Winnable: a line of play was replayed. Unwinnable: a complete sound search ended. Else undecided.

    Each is equal to its name as a string: ``result.verdict == "winnable"``.
    """

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


class Goal(StrEnum):
    """Goal of a search: any line that wins (or, in a scored game, reaches the greatest score), or a shortest
    such line. The strings ``"win"`` and ``"shortest"`` do as well."""

    WIN = "win"
    SHORTEST = "shortest"


@dataclass(frozen=True)
class Limits:
    """Limits at which a search stops undecided; None means no limit.

    ``nodes`` are expanded states, ``seconds`` wall time, ``megabytes`` (of 10^6 bytes) what the search
    stores, beside the program itself. ``work`` counts what the search does, in units of about a microsecond:
    it ends the search at the same place on every machine, ``seconds`` do not. Raises ValueError for anything
    but numbers from 0 to 10^15, whole ones of nodes and work.
    """

    nodes: int | None = None
    seconds: float | None = None
    megabytes: float | None = None
    work: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "megabytes", "work"):
            value = getattr(self, name)
            if value is not None:
                check = check_work if name in ("nodes", "work") else _check_number
                object.__setattr__(self, name, check(name, value))


def check_limits(limits: object, watch: object = None) -> Limits:
    """``limits``, or for None those that end nothing. Raises ValueError for anything else, and for a
    ``watch`` that is neither a Watch nor None."""
    if limits is not None and not isinstance(limits, Limits):
        raise ValueError(f"limits: expected Limits or None, got {with_article(type(limits).__name__)}")
    if watch is not None and not isinstance(watch, Watch):
        raise ValueError(f"watch: expected a Watch or None, got {with_article(type(watch).__name__)}")
    return limits or Limits()


def _check_number(name: str, value: object) -> float:
    if not isinstance(value, bool) and isinstance(value, SupportsFloat):
        number = value if isinstance(value, int) else float(value)
        if 0 <= number <= _MOST:
            return number
    raise ValueError(f"{name} {shown(value)}: expected a number from 0 to 10^15")


def check_work(name: str, value: object) -> int:
    """``value`` as an int. Raises ValueError, calling it ``name``, unless it is a whole number to 10^15."""
    return check_whole(name, value, range(_MOST + 1), "from 0 to 10^15")


@dataclass(frozen=True)
class Result:
    """The answer for one deal.

    ``moves`` are the moves of the line found, as its game's module defines them; as text they are what
    `verify.replay` reads. They are None where there is no line, so of an unwinnable deal; an empty tuple says
    that nothing has to be moved. In a scored game they are the line to ``score``, also where the deal is not
    winnable, and never None. ``shortest`` and ``exact``
    (the score is the greatest there is) are claimed only where proved; ``score_bound`` is what no line can
    surpass. A lost deal of Klondike with redeals has a score, without a ``tier``, if it is asked for.
    ``work`` is that of the search, see `Limits`. ``reason`` names the limit that ended it: nodes, work,
    seconds, memory or interrupted. ``engine`` is ``compiled`` or ``reference``.
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

    def __str__(self) -> str:
        text = str(self.verdict)
        if self.verdict is Verdict.UNDECIDED:
            text += f" ({self.reason})"
        if self.score is not None:
            text += f", score {self.score}" if self.exact else f", score {self.score} to {self.score_bound}"
        if self.moves is None:
            return text
        text += f", {len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        if self.shortest:
            return f"{text}, none shorter"
        return text if self.lower_bound is None else f"{text}, at least {self.lower_bound} needed"

    def to_dict(self) -> dict[str, Any]:
        """The public JSON of the result: ``moves`` as text, ``length`` their number."""
        moves = None if self.moves is None else list(map(str, self.moves))
        told = {
            "verdict": self.verdict.value,
            "moves": moves,
            "length": None if moves is None else len(moves),
        }
        told |= {each.name: getattr(self, each.name) for each in fields(self) if each.name not in told}
        return told | {"seconds": round(self.seconds, 6)}

    @classmethod
    def from_dict(cls, answer: Mapping[str, Any], state: State) -> "Result":
        """The result for ``state`` that `to_dict` wrote, or a command with ``--json``; the line is replayed.

        Raises ValueError for what is no result, for a line that does not win, and WrongMove for an illegal
        one.
        """
        from .verify import follow

        known = {each.name: answer[each.name] for each in fields(cls) if each.name in answer}
        try:
            verdict = Verdict(name := str(known.get("verdict")))
        except ValueError:
            raise ValueError(f"verdict {shown(name)}: expected {', '.join(Verdict)}") from None
        moves, last = known.get("moves"), state
        if moves is not None:
            steps = list(follow(state.variant, state, moves))
            moves = tuple(move for move, _ in steps)
            last = steps[-1][1] if steps else state
        variant = find_variant(state.variant)
        if verdict is Verdict.WINNABLE and variant.scoring is None and not variant.family.is_won(last):
            raise ValueError("moves: expected a line that wins, got one that does not")
        return cls(**known | {"verdict": verdict, "moves": moves})

    def _repr_html_(self) -> str:
        """The verdict and the moves, in notebooks."""
        from ..rules.drawing import pretty

        moves = "".join(f"<li>{pretty(str(move))}</li>" for move in self.moves or ())
        line = f'<ol style="columns: 8em; padding-left: 2em">{moves}</ol>' if moves else ""
        return f"<b>{pretty(str(self))}</b>{line}"
