"""Calibrated chances of tiers: shares of samples mapped to observed frequencies.

A chance is that of reaching the tier if play continues as the player advises. Raw shares are too low if
samples are played out by the rule player; those of a network are a little low, since the player will search
again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from typing import Any

from ...rules import State, find_variant
from ...rules.cards import UNKNOWN
from ...rules.tiers import TIERS
from ..core.intervals import wilson

CALIBRATION: dict[str, dict[str, tuple[float, float, float]]] = {
    "joker": {"win": (0.03, 0.92, 0.0076), "double": (0.26, 0.94, -0.0057), "triple": (0.33, 1.19, -0.0033)},
    "joker-exposed": {
        "win": (-0.13, 1.04, 0.0043),
        "double": (0.15, 1.03, 0.0005),
        "triple": (0.18, 1.13, 0.0030),
    },
    "klondike": {"win": (0.16, 1.30, 0.0561)},
    "klondike-draw-one": {"win": (0.10, 1.27, 0.0144)},
    "klondike-vegas": {"win": (0.96, 0.87, 0.0059)},
}
"""Parameters a, b and c by `calibration_name` and tier: a share p of the samples in a position with n cards
not turned up (`not_turned_up`) corresponds to the probability p' with logit p' = a + b logit p + c n. Fitted
by `benchmarks/calibrate_player.py` for the search player of 2,500 visits, to games in which no such card is
known; docs/player.md has the reliability. Without an entry the share is used unchanged."""

_AS_IT_IS = (0.0, 1.0, 0.0)
_LEAST_SHARE = 0.005  # shares are clipped to this distance from 0 and 1


@dataclass(frozen=True)
class Chance:
    """A probability, the standard error of its samples, and the ends of their 95 % interval, all from 0 to 1:
    what the number of samples leaves open, and not how well the estimate fits the games. ``low`` is 0 if no
    sample reached the tier, ``high`` is 1 if all did; ``low`` is always less than ``high``."""

    probability: float
    error: float
    low: float
    high: float


def tier_names(variant: str) -> tuple[str, ...]:
    """The tiers of a game in ascending order; a game without scores has only the win."""
    return TIERS if find_variant(variant).scoring else TIERS[:1]


def calibration_name(state: State) -> str:
    """The key in CALIBRATION for the game and rules of ``state``; empty for a Klondike game with redeals and
    with rule options that are not the default ones."""
    from .weights import network_name  # imported late, since it loads the rules of joker

    variant = find_variant(state.variant)
    if variant.scoring is None and any(
        getattr(state.choices, name) != values[0] for name, values in variant.choices.items()
    ):
        return ""
    return network_name(state.variant, state.choices)


def not_turned_up(table: Any) -> int:
    """The number of cards that are face down, or in the stock unless all cards there are known. Known cards
    of the columns count like others, and so do those of a stock with unknown cards. In a game, where the
    player knows no such card, it is the number of unseen cards."""
    hidden: int = sum(table.hidden)
    return hidden + (len(table.stock) if UNKNOWN in table.stock else 0)


def calibrated(game: str, tier: str, count: int, samples: int, turned_down: int) -> Chance:
    """Return the chance of ``tier`` or a better one, given that ``count`` of ``samples`` samples reached it
    in a position with ``turned_down`` cards that are `not_turned_up`.

    ``game`` is a `calibration_name`. Without a fitted mapping the chance is the share itself. The share
    counts half a sample more on either side. The standard error is that of a share, transformed by the
    mapping, and at most one half. The ends of the Wilson interval are transformed too, unless all samples
    agree.
    """
    intercept, slope, by_card = CALIBRATION.get(game, {}).get(tier, _AS_IT_IS)

    def mapped(share: float) -> float:
        return 1 / (1 + exp(-(intercept + slope * log(share / (1 - share)) + by_card * turned_down)))

    held = min(max((count + 0.5) / (samples + 1), _LEAST_SHARE), 1 - _LEAST_SHARE)
    probability = mapped(held)
    error = slope * probability * (1 - probability) / sqrt(held * (1 - held) * samples)
    low, high = wilson(count, samples)
    if 0 < count < samples:
        low, high = mapped(low), mapped(high)
    else:
        probability = min(max(probability, low), high)
    return Chance(probability, min(error, 0.5), low, high)


def chances_of_tiers(table: State, reached: Sequence[int], samples: int) -> dict[str, Chance]:
    """Return the chance in ``table`` of each tier or a better one, given how many of ``samples`` samples
    ``reached`` each tier; see `calibrated`. The chance of a tier is never below that of a better one."""
    chances: dict[str, Chance] = {}
    least = Chance(0.0, 0.0, 0.0, 0.0)  # the chance of the next better tier
    names, turned_down, game = tier_names(table.variant), not_turned_up(table), calibration_name(table)
    for tier, count in reversed([*zip(names, reached, strict=True)]):
        chance = calibrated(game, tier, count, samples, turned_down)
        least = replace(
            chance,
            probability=max(least.probability, chance.probability),
            low=max(least.low, chance.low),
            high=max(least.high, chance.high),
        )
        chances[tier] = least
    return {tier: chances[tier] for tier in names}
