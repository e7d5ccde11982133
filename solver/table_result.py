"""Answers for tables with unknown cards, as `unknown_cards` finds them, in words and as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..rules.cards import format_card
from .result import Verdict

if TYPE_CHECKING:
    from ..rules import answers

_SHOWN = 15  # moves of a hint that are printed
_MANY = 10**12  # number of arrangements from which it is printed rounded


@dataclass(frozen=True, repr=False)
class Plan:
    """A way to win whatever the unknown cards are. ``moves`` are made first; the last of them turns up
    unknown cards. ``then`` has the plan to follow for each possible outcome, by those cards; it is empty if
    the moves win."""

    moves: tuple[str, ...]
    then: tuple[tuple[tuple[int, ...], "Plan"], ...] = ()

    def __repr__(self) -> str:
        return f"<plan: {len(self.moves)} moves, then {len(self.then)} cases>"

    def to_dict(self) -> "answers.Plan":
        """The public JSON of the plan."""
        branches: list[answers.Plan] = [
            {"turned": [format_card(card) for card in cards], **plan.to_dict()} for cards, plan in self.then
        ]
        return {"moves": list(self.moves), "then": branches}

    def lines(self, margin: str = "") -> Iterator[str]:
        """The plan as text, a line for each branch."""
        yield margin + (", ".join(self.moves) or "won already")
        for cards, plan in self.then:
            yield f"{margin}if {' '.join(map(format_card, cards))} is turned up:"
            yield from plan.lines(margin + "  ")


@dataclass(frozen=True, repr=False)
class TableResult:
    """The answers for a table with ``unknown`` unknown cards, which have ``arrangements`` possible orders.

    With all cards seen, ``won`` of the ``tried`` arrangements can be won and ``undecided`` ones are
    undecided; ``share`` has the exact bounds of the share that can be won, or the ends of its 95 % interval
    if the arrangements were ``sampled``. ``chance`` has proved bounds of the best chance without seeing the
    unknown cards. ``certain`` is ``won`` or ``lost``, None if the table is neither or that was not proved;
    ``plan`` is the plan of a table that is won. ``is_late`` is true if a limit of seconds ended the searches.
    """

    unknown: int
    arrangements: int
    won: int
    tried: int
    undecided: int
    share: tuple[float, float]
    sampled: bool
    chance: tuple[Fraction, Fraction]
    certain: str | None = None
    plan: Plan | None = None
    work: int = 0
    is_late: bool = False

    @property
    def verdict(self) -> Verdict:
        """Winnable if the table is won for certain, unwinnable if it is lost for certain, else undecided."""
        return {"won": Verdict.WINNABLE, "lost": Verdict.UNWINNABLE}.get(
            self.certain or "", Verdict.UNDECIDED
        )

    @property
    def reason(self) -> str | None:
        """The reason why the table is undecided; None where it is decided."""
        return None if self.certain else "seconds" if self.is_late else "unknown cards"

    def to_dict(self) -> "answers.Tabled":
        """The public JSON of the answers. Fractions are a pair of whole numbers."""
        return {
            "verdict": self.verdict.value,
            "reason": self.reason,
            "certain": self.certain,
            "unknown": self.unknown,
            "arrangements": self.arrangements,
            "share": {
                "won": self.won,
                "undecided": self.undecided,
                "of": self.tried,
                "sampled": self.sampled,
                "low": round(self.share[0], 4),
                "high": round(self.share[1], 4),
            },
            "best_chance": _pairs(self.chance),
            "plan": None if self.plan is None else self.plan.to_dict(),
            "work": self.work,
        }

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def __repr__(self) -> str:
        return f"<{'; '.join(self.sentences())}>"

    def sentences(self) -> list[str]:
        """The answers in words, one a line."""
        is_one = self.unknown == 1
        cards = f"{self.unknown} unknown card{'' if is_one else 's'}"
        ways = self.arrangements
        count = f"{ways:,}" if ways < _MANY else f"about {ways:.1e}"
        many = f"{count} arrangement{'' if ways == 1 else 's'}"
        if self.certain == "won":
            return [f"won for certain: a plan wins whatever the {cards} {'is' if is_one else 'are'} ({many})"]
        if self.certain == "lost":
            return [f"lost for certain: no arrangement of the {cards} can be won ({many})"]
        return [
            f"not certain: {cards}, {many}, each equally likely",
            self._share_text(),
            f"best chance without seeing them: {chance_text(*self.chance)}",
            *(["the search was ended by the limit of seconds, time by the clock"] if self.is_late else []),
        ]

    def _share_text(self) -> str:
        low, high = self.share
        head = "can be won if all cards are seen:"
        open_ones = f", {self.undecided:,} undecided" if self.undecided else ""
        if not self.sampled:
            ways = "arrangement" if self.tried == 1 else "arrangements"
            return f"{head} {self.won:,} of {self.tried:,} {ways}{open_ones}"
        span = f"{low:.1%} to {high:.1%}"
        span = f"at most {high:.1%}" if low <= 0 else f"at least {low:.1%}" if high >= 1 else span
        return f"{head} {self.won:,} of {self.tried:,} samples{open_ones} ({span})"


def chance_text(low: Fraction, high: Fraction) -> str:
    """The bounds of a best chance in words."""
    if low == high:
        return f"exactly {low}"
    if not low:
        if high > Fraction(999, 1000):
            return "below 1, since not every arrangement can be won" if high < 1 else "not computed"
        return f"at most {high}" if high.denominator < 1000 else f"at most {float(high):.1%}"
    return f"between {float(low):.1%} and {float(high):.1%}"


@dataclass(frozen=True)
class MoveChance:
    """A legal ``move``, the bounds of the best ``chance`` after it, and the number of ``tried`` arrangements
    that can be ``won`` after it with all cards seen. ``is_alike`` is true if a better or equal move leads to
    the same position."""

    move: str
    chance: tuple[Fraction, Fraction]
    won: int
    undecided: int
    tried: int
    is_alike: bool = False

    @property
    def chance_text(self) -> str:
        """The best chance in words."""
        low, high = self.chance
        if low == 1:
            return "won for certain"
        if high == 0:
            return "lost for certain"
        return "not computed" if (low, high) == (Fraction(0), Fraction(1)) else chance_text(low, high)


def _pairs(bounds: tuple[Fraction, Fraction]) -> "answers.Bounds":
    low, high = ([bound.numerator, bound.denominator] for bound in bounds)
    return {"low": low, "high": high}


@dataclass(frozen=True, repr=False)
class TableHint:
    """The ``answer`` for a table with unknown cards, and its moves, the best chance first."""

    answer: TableResult
    options: tuple[MoveChance, ...]

    def __str__(self) -> str:
        rows = [f"{option.move}: {option.chance_text}" for option in self.options if not option.is_alike]
        more = [f"and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []
        return "\n".join([str(self.answer), *rows[:_SHOWN], *more])

    def __repr__(self) -> str:
        best = f"; best {self.options[0].move}, {len(self.options)} moves" if self.options else "; no moves"
        return f"<{str(self.answer).splitlines()[0]}{best}>"

    def to_dict(self) -> "answers.Tablehint":
        """The public JSON of the hint."""
        return {
            "table": self.answer.to_dict(),
            "options": [
                {
                    "move": option.move,
                    "best_chance": _pairs(option.chance),
                    "won": option.won,
                    "undecided": option.undecided,
                    "of": option.tried,
                }
                for option in self.options
            ],
        }
