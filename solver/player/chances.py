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
from ...rules.tables import missing_cards
from ...rules.tiers import TIERS
from ..core.intervals import DEVIATIONS


@dataclass(frozen=True)
class Mapping:
    """Mapping from shares to probabilities: logit p' = level + slope logit p for a share p of the samples.

    For u unknown cards and k `known_cards`, ``level`` has the coefficients of 1, log(1 + u) and k / (10 + u),
    ``slope`` those of 1 and log(1 + u).
    """

    level: tuple[float, float, float] = (0.0, 0.0, 0.0)
    slope: tuple[float, float] = (1.0, 0.0)

    def logit(self, share: float, unknown: int, known: int) -> tuple[float, float]:
        """Return the logit that a ``share`` is mapped to, and its derivative by the logit of the share."""
        terms = 1, log(1 + unknown), known / (10 + unknown)
        level = sum(each * term for each, term in zip(self.level, terms, strict=True))
        slope = sum(each * term for each, term in zip(self.slope, terms[:2], strict=True))
        return level + slope * log(share / (1 - share)), slope


CALIBRATION: dict[str, dict[str, Mapping]] = {
    "joker": {
        "win": Mapping((-0.2158, 0.152, 0.8048), (0.9357, -0.0065)),
        "double": Mapping((0.0452, 0.0075, 0.7416), (1.1865, -0.0813)),
        "triple": Mapping((-0.0552, 0.0773, 0.7199), (1.1433, -0.0039)),
    },
    "joker-exposed": {
        "win": Mapping((0.6192, -0.1408, 0.5433), (0.7198, 0.1148)),
        "double": Mapping((0.5664, -0.0677, 0.6464), (0.7339, 0.1416)),
        "triple": Mapping((0.9407, -0.1261, 0.5553), (0.7954, 0.1278)),
    },
    "klondike": {"win": Mapping((-1.5964, 0.9623, 2.5967), (1.4262, -0.1102))},
    "klondike-draw-one": {"win": Mapping((-0.1261, 0.2308, 1.2491), (0.8191, 0.1052))},
    "klondike-vegas": {"win": Mapping((0.96, 0.07, 0.0), (0.87, 0.0))},
}
"""The mappings by `calibration_name` and tier. Fitted by `benchmarks/calibrate_player.py` for the search
player of 2,500 visits; docs/player.md has the reliability. Without an entry the share is used unchanged."""

SPREAD = 0.10, 0.49
"""Coefficients of 1 and k / (10 + u) in the variance of a position's logit from that of its mapping, among
positions with the same share, u and k. They are fitted to the games of all mappings together."""

_LEAST_SHARE = 0.005  # shares are clipped to this distance from 0 and 1


@dataclass(frozen=True)
class Chance:
    """A probability, its standard error, and the ends of its 95 % interval, all from 0 to 1. The error is
    that of the samples and, with a fitted mapping, the spread of chances about the mapping. ``low`` is 0 if
    no sample reached the tier, ``high`` is 1 if all did; ``low`` is always less than ``high``."""

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


def known_cards(table: Any) -> int:
    """The number of cards of ``table`` that are known although they were not turned up: in the columns, and
    in the stock unless all of it is known in a game with redeals, where a player has seen it in an earlier
    pass. In a game that began with the deal there are none."""
    piles = [cards[:count] for cards, count in zip(table.columns, table.hidden, strict=True)]
    if UNKNOWN in table.stock or not hasattr(table, "redeals"):
        piles.append(table.stock)
    return sum(card != UNKNOWN for cards in piles for card in cards)


def calibrated(game: str, tier: str, count: int, samples: int, unknown: int, known: int = 0) -> Chance:
    """Return the chance of ``tier`` or a better one, given that ``count`` of ``samples`` samples reached it
    in a position with ``unknown`` cards, and ``known`` cards as `known_cards` counts them.

    ``game`` is a `calibration_name`. Without a fitted mapping the chance is the share itself. The share
    counts half a sample more on either side. The error adds the variance of the samples to SPREAD;
    it is at most one half. The interval has 95 % of the logit's normal distribution; it
    ends at 0 if no sample reached the tier, and at 1 if all did.
    """
    mapping = CALIBRATION.get(game, {}).get(tier)
    spread = 0.0 if mapping is None else SPREAD[0] + SPREAD[1] * known / (10 + unknown)
    held = min(max((count + 0.5) / (samples + 1), _LEAST_SHARE), 1 - _LEAST_SHARE)
    centre, slope = (mapping or Mapping()).logit(held, unknown, known)
    error = sqrt(slope**2 / (held * (1 - held) * samples) + spread)
    low, probability, high = (
        1 / (1 + exp(-(centre + side * error))) for side in (-DEVIATIONS, 0, DEVIATIONS)
    )
    return Chance(
        probability,
        min(probability * (1 - probability) * error, 0.5),
        low if count > 0 else 0.0,
        high if count < samples else 1.0,
    )


def chances_of_tiers(table: State, reached: Sequence[int], samples: int) -> dict[str, Chance]:
    """Return the chance in ``table`` of each tier or a better one, given how many of ``samples`` samples
    ``reached`` each tier; see `calibrated`. The chance of a tier is never below that of a better one."""
    chances: dict[str, Chance] = {}
    least = Chance(0.0, 0.0, 0.0, 0.0)  # the chance of the next better tier
    names, game = tier_names(table.variant), calibration_name(table)
    unknown, known = len(missing_cards(table)), known_cards(table)
    for tier, count in reversed([*zip(names, reached, strict=True)]):
        chance = calibrated(game, tier, count, samples, unknown, known)
        least = replace(
            chance,
            probability=max(least.probability, chance.probability),
            low=max(least.low, chance.low),
            high=max(least.high, chance.high),
        )
        chances[tier] = least
    return {tier: chances[tier] for tier in names}
