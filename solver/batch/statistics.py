"""Statistics of many deals: rates with intervals, distributions of moves and of work."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from math import ceil
from typing import Any

from ...rules import Variant, find_variant
from ...rules.tiers import TIERS
from ..core.intervals import wilson
from .store import Store, StoreError

_WIN = {TIERS[0]: 1}  # the only tier of games without scores


def estimate(least: int, most: int, deals: int) -> dict[str, float | int | None]:
    """The rate of a property that at least ``least`` and at most ``most`` of ``deals`` have.

    ``low`` and ``high`` are the ends of the 95 % interval: for the former no doubtful deal has the property,
    for the latter each has.
    """
    return {
        "count": least,
        "rate": least / deals if deals else None,
        "low": wilson(least, deals)[0],
        "high": wilson(most, deals)[1],
    }


def summary(store: Store, ranges: Sequence[range] | None = None) -> dict[str, Any]:
    """Statistics of the rows of ``store`` in ``ranges``, in the form of the public JSON of ``rate``."""
    header = store.header
    variant = find_variant(header.variant)
    lost, won, undecided = store.verdicts
    totals = [f"TOTAL(verdict = '{word}')" for word in store.verdicts]
    ((*counted, cpu),) = store.select(f"{', '.join(totals)}, TOTAL(microseconds)", ranges)
    counts = {word: int(count) for word, count in zip(store.verdicts, counted, strict=True)}
    deals = sum(counts.values())
    rate = estimate(counts[won], counts[won] + counts[undecided], deals)
    return {
        "game": header.variant,
        **header.choices,
        **({"player": header.player} if header.player else {}),
        "deals": deals,
        **{verdict: counts[verdict] for verdict in (won, lost, undecided)},
        **{name: rate[name] for name in ("rate", "low", "high")},
        **(_scores(variant, store, ranges, deals) if variant.scoring else {}),
        **(_shortest(store, ranges) if header.shortest else {}),
        "length": _distribution(store, "moves", ranges, f"verdict = '{won}'"),
        "expanded": _distribution(store, "expanded", ranges),
        "deal_cpu_seconds": _distribution(store, "microseconds", ranges, scale=1e-6),
        "seconds": round(store.wall_seconds, 3),
        "cpu_seconds": round(cpu / 1e6, 6),
        "deals_per_second": store.deals_per_second,
        "peak_megabytes": store.peak_memory and round(store.peak_memory, 1),
        "limits": vars(header.limits),
        "engine": header.engine,
        "version": header.version,
    }


def _distribution(
    store: Store, column: str, ranges: Sequence[range] | None, condition: str = "1", scale: float = 1
) -> dict[str, int | float] | None:
    """Mean, median, 90th and 99th percentile and maximum of a column, times ``scale``; None without rows."""
    rows = list(
        store.select(f"{column}, COUNT(*)", ranges, f"AND {condition} GROUP BY {column} ORDER BY {column}")
    )
    if not rows:
        return None
    figures = distribution(rows)
    return figures if scale == 1 else {name: round(value * scale, 9) for name, value in figures.items()}


def distribution(rows: Sequence[tuple[int, int]]) -> dict[str, int | float]:
    """Mean, median, 90th and 99th percentile and maximum of values in ascending order with their counts."""
    up_to = [*accumulate(count for _, count in rows)]
    median, p90, p99 = (rows[bisect_left(up_to, ceil(up_to[-1] * part))][0] for part in (0.5, 0.9, 0.99))
    mean = round(sum(value * count for value, count in rows) / up_to[-1], 3)
    return {"mean": mean, "median": median, "p90": p90, "p99": p99, "max": rows[-1][0]}


def _shortest(store: Store, ranges: Sequence[range] | None) -> dict[str, Any]:
    """The number of lines proved to be shortest, and their lengths."""
    proved = "verdict = 'winnable' AND shortest"
    ((count,),) = store.select("COUNT(*)", ranges, f"AND {proved}")
    return {"proved_shortest": count, "shortest_length": _distribution(store, "moves", ranges, proved)}


def _scores(variant: Variant, store: Store, ranges: Sequence[range] | None, deals: int) -> dict[str, Any]:
    """The tiers, each with all that are better, and the number of deals of each score; of deals that were
    decided also how many scores are proved. A game that was broken off might have come to any tier."""
    is_decided = store.header.player is None
    most = max(variant.tiers().values())
    bound = "score_bound" if is_decided else f"CASE WHEN reason IS NULL THEN score ELSE {most} END"
    rows = list(store.select(f"score, {bound}, COUNT(*)", ranges, "GROUP BY 1, 2 ORDER BY 1, 2"))
    tiers = []
    for tier, least in reversed(variant.tiers().items()):
        if least:
            reached = sum(count for score, _, count in rows if score >= least)
            possible = sum(count for _, bound, count in rows if bound >= least)
            tiers.append({"tier": tier, "score": least} | estimate(reached, possible, deals))
    histogram: dict[int, int] = {}
    for score, _, count in rows:
        histogram[score] = histogram.get(score, 0) + count
    exact = sum(count for score, bound, count in rows if score == bound)
    scores = {str(score): histogram[score] for score in sorted(histogram)}
    return {**({"exact": exact} if is_decided else {}), "tiers": tiers, "scores": scores}


def paired(games: Store, optima: Store, ranges: Sequence[range] | None = None) -> dict[str, Any]:
    """The games of a player beside the greatest scores of the same deals, of those in both stores.

    ``tiers`` has for each tier the ``count`` of deals in which the player reached it, of those in which that
    is ``possible``, and the part that this is, with its 95 % interval; ``score`` and ``greatest_score`` are
    means. Where the game has no scores a win is the only tier, its score 1. Only deals that are decided
    count, and whose greatest score is proved. Raises StoreError if the stores are of different
    variants, rules or dealers, or if a game surpasses a greatest score.
    """
    header, other = games.header, optima.header
    if problem := replace(header, engine="", limits=other.limits).difference(replace(other, engine="")):
        raise StoreError(f"{optima.name}: it cannot be combined with {games.name}: {problem}")
    if other.player is not None:
        raise StoreError(f"{optima.name}: expected proved scores, got games of a player")
    best = _greatest_scores(optima, ranges)
    rows = [(seed, score, best[seed]) for seed, score in games.select("seed, score", ranges) if seed in best]
    for seed, score, most in rows:
        if score > most:
            raise StoreError(f"{games.name}: seed {seed} has {score}, more than the {most} of {optima.name}")
    tiers = []
    for tier, least in reversed((find_variant(header.variant).tiers() or _WIN).items()):
        if least:
            reached = sum(score >= least for _, score, _ in rows)
            possible = sum(most >= least for _, _, most in rows)
            tiers.append(
                {"tier": tier, "score": least, "possible": possible} | estimate(reached, reached, possible)
            )
    means = [round(sum(row[i] for row in rows) / len(rows), 3) if rows else None for i in (1, 2)]
    return {"deals": len(rows), "tiers": tiers, "score": means[0], "greatest_score": means[1]}


def _greatest_scores(optima: Store, ranges: Sequence[range] | None) -> dict[int, int]:
    """By seeds, what can be reached as far as that is proved; 1 for a win where there are no scores."""
    score, known = "score", "exact"
    if not find_variant(optima.header.variant).scoring:
        score, known = "verdict = 'winnable'", "verdict <> 'undecided'"
    return dict(optima.select(f"seed, {score}", ranges, f"AND {known} ORDER BY seed"))
