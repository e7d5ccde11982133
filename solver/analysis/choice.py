"""Selection of winnable deals."""

from collections import Counter
from collections.abc import Iterable, Iterator

from ...rules import Variant
from ...rules.formats.text import Deal
from ...rules.tiers import TIERS
from ..engine import solve
from ..progress import Watch
from ..result import Limits, Result, Verdict

UNDECIDED = "undecided"


def choose(
    variant: Variant,
    deals: Iterable[Deal],
    limits: Limits,
    tier: str | None = None,
    others: Counter[str] | None = None,
    watch: Watch | None = None,
) -> Iterator[Deal]:
    """Those of ``deals`` that are winnable, in order, each as soon as it is known; ``tier`` asks for deals in
    which at least that tier can be reached.

    What a limit leaves undecided, if only the tier, is passed over. ``others`` counts what was passed over:
    `UNDECIDED`, ``unwinnable``, or ``only`` a lesser tier. ``watch`` lets another thread see how far it is.
    Raises ValueError for a tier that the game has not, and KeyboardInterrupt when Ctrl-C ended a search.
    """
    if tier is not None and (variant.scoring is None or tier not in TIERS):
        raise ValueError(
            f"tier {tier!r}: {variant.name} has " + (", ".join(TIERS) if variant.scoring else "none")
        )
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


def _name_of(result: Result, variant: Variant, deal: Deal, enough: tuple[str, ...]) -> str:
    """The key of ``others`` for a deal that was passed over."""
    if result.verdict is Verdict.UNDECIDED:
        return UNDECIDED
    if result.verdict is Verdict.UNWINNABLE or variant.scoring is None:
        return str(result.verdict.value)
    most = variant.scoring.tier_of(result.score_bound or 0, deal.state.deck.places)
    return UNDECIDED if most in enough else f"only {result.tier}"
