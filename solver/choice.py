"""Deals that can be won, chosen from many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..rules import Variant
from ..rules.text import Deal
from . import Limits, Verdict, Watch, solve

TIERS = ("win", "double", "triple")


def choose(
    variant: Variant,
    deals: Iterable[Deal],
    limits: Limits,
    tier: str | None = None,
    watch: Watch | None = None,
) -> Iterator[Deal]:
    """Those of ``deals`` that are winnable, in order, each as soon as it is known; ``tier`` asks for deals in
    which at least that tier can be reached.

    What a limit leaves undecided is passed over. ``watch`` lets another thread see how far it is. Raises
    ValueError for a tier that the game has not, and KeyboardInterrupt when Ctrl-C ended a search.
    """
    if tier is not None and (variant.scoring is None or tier not in TIERS):
        raise ValueError(
            f"tier {tier!r}: {variant.name} has " + (", ".join(TIERS) if variant.scoring else "none")
        )
    enough = TIERS[TIERS.index(tier) if tier else 0 :]
    for number, deal in enumerate(deals, 1):
        if watch is not None:
            watch.part = f"deal {number}" if deal.seed is None else f"seed {deal.seed}"
        result = solve(variant, deal.state, limits, shorten=0, watch=watch)
        if result.reason == "interrupted":
            raise KeyboardInterrupt
        if result.verdict is Verdict.WINNABLE and (result.tier is None or result.tier in enough):
            yield deal
