"""How hard a deal is to play, as a number that can be measured: how long carelessness goes unpunished.

A careless player makes legal moves at random, and takes the last one back only where there is no other.
Sooner or later one of them loses what the deal had to give: the win, or in Joker Solitaire and one-pass
Klondike the best tier. The *patience* of a deal is the mean number of careless moves before that, over
`WALKS` walks of at most `STEPS` moves. A patient deal is easy. The searches of this package find the fatal
move of a walk by bisection, since what is lost stays lost; a position that they cannot decide within `LIMITS`
is taken as not lost.

Thirds of the winnable deals are called easy, medium and hard. docs/difficulty.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..rules import Variant
from ..rules.deals import SplitMix64
from ..rules.text import Deal
from . import find_kernel
from .result import Limits

WALKS = 8
STEPS = 60
LIMITS = Limits(nodes=5_000, megabytes=200)

LEVELS = ("easy", "medium", "hard")

THRESHOLDS = {
    "chessboard": (0.875, 2.125),
    "fortress": (2.0, 3.875),
    "simon-jester": (21.625, 35.625),
    "simon-jester-triangular": (28.5, 44.75),
    "simple-simon": (13.125, 26.5),
    "joker": (28.375, 38.5),
    "klondike-one-pass": (7.125, 14.5),
}
"""For each variant the patience below which a deal is hard, and from which it is easy: the thirds of the
first 1,000 deals that can be won, as `benchmarks/calibrate_difficulty.py` prints them."""


def of_level(variant: Variant, deals: Iterable[Deal], level: str) -> Iterator[Deal]:
    """Those of ``deals``, which can be won, that are easy, medium or hard, each as soon as it is known.

    Raises ValueError if there is no compiled engine for ``variant``, or a deck is short.
    """
    judge = Judge(variant)
    for deal in deals:
        if not deal.state.deck.is_full:
            raise ValueError("the difficulty of a short deck is not known")
        if level_of(variant, judge.patience(deal.state)) == level:
            yield deal


def level_of(variant: Variant, patience: float) -> str:
    """The level of a deal of ``variant``, hard, medium or easy."""
    hard, easy = THRESHOLDS[variant.name]
    return "hard" if patience < hard else "easy" if patience >= easy else "medium"


class Judge:
    """Measures deals of one variant. Raises ValueError if there is no compiled engine for it."""

    def __init__(self, variant: Variant) -> None:
        kernel = find_kernel(variant)
        if kernel is None:
            raise ValueError(f"there is no compiled engine for {variant.name} here, which this needs")
        self.variant = variant
        self.kernel = kernel(LIMITS)
        self.least = sorted(variant.tiers().values())

    def worth(self, state: Any) -> int:
        """What can be had from ``state``: the least score of the best tier, or 1 for a win; 0 for nothing.

        What is not decided counts as the best there is.
        """
        if self.variant.scoring is None:
            return int(self.kernel.solve(state)[0] is not False)
        self.kernel.solve(state)
        best = self.kernel.score if self.kernel.exact else self.kernel.bound
        return max(score for score in self.least if score <= best)

    def patience(self, state: Any, worth: int | None = None) -> float:
        """The mean number of careless moves before something is lost, 0 to `STEPS`.

        ``worth`` is that of ``state``, if it is known.
        """
        if worth is None:
            worth = self.worth(state)
        chance = SplitMix64(0)
        return sum(self._survived(self._walk(state, chance), worth) for _ in range(WALKS)) / WALKS

    def _walk(self, state: Any, chance: SplitMix64) -> list[Any]:
        """The states of a walk, from ``state`` on; shorter than `STEPS` moves if it ends without any."""
        family = self.variant.family
        states = [state]
        before = None
        while len(states) <= STEPS and (moves := family.legal_moves(states[-1])):
            here = states[-1]
            after = None
            while moves and (after is None or family.canonical(after) == before):
                after = family.apply(here, moves.pop(chance.below(len(moves))))
            before = family.canonical(here)
            states.append(after)
        return states

    def _survived(self, states: list[Any], worth: int) -> int:
        """How many moves of the walk lose nothing; `STEPS` if it ends with nothing lost."""
        if self.worth(states[-1]) >= worth:
            return STEPS
        good, bad = 0, len(states) - 1
        while bad - good > 1:
            middle = (good + bad) // 2
            if self.worth(states[middle]) >= worth:
                good = middle
            else:
                bad = middle
        return good
