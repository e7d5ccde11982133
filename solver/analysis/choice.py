"""Selection of winnable deals."""

from collections import Counter
from collections.abc import Iterable, Iterator

from ...rules import VARIANTS, Variant
from ...rules.formats.text import Deal
from ...rules.tiers import TIERS
from ..progress import Watch
from ..result import Limits, Result, Verdict
from ..solving import solve

UNDECIDED = "undecided"
_HOPELESS = 1000  # number of undecided deals after which `while_hopeful` ends


def choose(
    variant: Variant,
    deals: Iterable[Deal],
    limits: Limits,
    tier: str | None = None,
    others: Counter[str] | None = None,
    watch: Watch | None = None,
) -> Iterator[Deal]:
    """Yield the winnable ones of ``deals``, in order, each as soon as it is decided; with ``tier`` those in
    which that tier or a better one can be reached.

    A deal is skipped if a limit leaves it undecided, or only its tier. ``others`` counts the skipped deals by
    `UNDECIDED`, ``unwinnable``, or ``only`` and a lesser tier. ``watch`` reports progress to another thread.
    Raises ValueError for a tier that the game does not have, and KeyboardInterrupt if Ctrl-C ends a search.
    """
    check_tier(variant, tier)
    enough = TIERS[TIERS.index(tier) if tier else 0 :]
    for number, deal in enumerate(deals, 1):
        if watch is not None:
            watch.part = deal.name or f"deal {number}"
        result = solve(variant, deal.state, limits, shorten=0, watch=watch)
        if result.reason == "interrupted":
            raise KeyboardInterrupt
        if result.verdict is Verdict.WINNABLE and (result.tier is None or result.tier in enough):
            yield deal
        elif others is not None:
            others[_name_of(result, variant, deal, enough)] += 1


def check_tier(variant: Variant, tier: str | None) -> None:
    """Raise ValueError for a ``tier`` that ``variant`` does not have."""
    if tier is not None and variant.scoring is None:
        games = " or ".join(other.name for other in VARIANTS.values() if other.scoring)
        raise ValueError(f"tier {tier!r:.40}: expected {games}, got {variant.name}, which has no tiers")
    if tier is not None and tier not in TIERS:
        raise ValueError(f"tier: expected {', '.join(TIERS)}, got {tier!r:.40}")


def while_hopeful(deals: Iterable[Deal], others: Counter[str]) -> Iterator[Deal]:
    """Yield ``deals``; stop if a thousand were undecided and none was chosen, as counted by ``others``."""
    for number, deal in enumerate(deals):
        if others[UNDECIDED] >= _HOPELESS and others.total() == number:
            return
        yield deal


def _name_of(result: Result, variant: Variant, deal: Deal, enough: tuple[str, ...]) -> str:
    """The key in ``others`` for a skipped deal; ``enough`` has the tiers that were requested."""
    if result.verdict is Verdict.UNDECIDED:
        return UNDECIDED
    if result.verdict is Verdict.UNWINNABLE or variant.scoring is None:
        return str(result.verdict.value)
    most = variant.scoring.tier_of(result.score_bound or 0, deal.state.deck.places)
    return UNDECIDED if most in enough else f"only {result.tier}"
