"""Statistics of many deals: rates with intervals, distributions of lengths and of work."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, compress
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, cast

from ... import __version__
from ...rules import Variant, find_variant
from ...rules.tiers import TIERS
from ..core.intervals import DEVIATIONS, wilson
from ..core.record import WINNABLE, Records
from .schema import Header
from .store import Store, StoreError

if TYPE_CHECKING:
    from ...rules import answers

_WIN = {TIERS[0]: 1}  # the only tier of games without scores


def estimate(least: int, most: int, deals: int) -> answers.Estimate:
    """The rate of a property that at least ``least`` and at most ``most`` of ``deals`` deals have.

    ``count`` and ``rate`` are those of ``least``. ``low`` and ``high`` are the ends of the 95 % interval:
    the low end of that of ``least`` and the high end of that of ``most``.
    """
    return {
        "count": least,
        "rate": least / deals if deals else None,
        "low": wilson(least, deals)[0],
        "high": wilson(most, deals)[1],
    }


def mean_estimate(counts: Sequence[tuple[int, int, int]], most: int) -> dict[str, float]:
    """The mean of a quantity from 0 to ``most`` that is known only up to bounds.

    ``counts``, which must not be empty, has triples: lower bound, upper bound, number of deals. ``mean`` is
    the mean of the lower bounds, ``mean_bound`` that of the upper ones; ``low`` and ``high`` are the low end
    of the 95 % interval of the former and the high end of that of the latter.
    """
    least, low, _ = _normal([(low, count) for low, _, count in counts], most)
    bound, _, high = _normal([(high, count) for _, high, count in counts], most)
    return {"mean": least, "low": low, "high": high, "mean_bound": bound}


def _normal(counts: Sequence[tuple[int, int]], most: int) -> tuple[float, float, float]:
    """The mean of values from 0 to ``most``, given with their counts, and the ends of its 95 % interval by
    the normal approximation. If all values are equal, the interval is that of a rate of mean / ``most``."""
    deals = sum(count for _, count in counts)
    mean = sum(value * count for value, count in counts) / deals
    squares = sum((value - mean) ** 2 * count for value, count in counts)
    if not squares:
        low, high = wilson(mean * deals / most, deals)
        return mean, most * low, most * high
    half = DEVIATIONS * sqrt(squares / (deals - 1) / deals)
    return mean, max(0.0, mean - half), min(float(most), mean + half)


class Counts:
    """Counts of results for a `summary`, collected from chunks of records or from the rows of a store.

    ``verdicts`` counts deals by the number of their verdict; ``microseconds`` and ``expanded`` count them by
    those values; ``lengths`` counts the lines of won deals by length, and ``shortest`` those proved shortest;
    ``scores`` counts deals by pairs of score and score bound; ``versions`` by the version that decided them.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.most = find_variant(header.variant).deck().places
        self.verdicts: Counter[int] = Counter()
        self.microseconds: Counter[int] = Counter()
        self.expanded: Counter[int] = Counter()
        self.lengths: Counter[int] = Counter()
        self.shortest: Counter[int] = Counter()
        self.scores: Counter[tuple[int, int]] = Counter()
        self.versions: dict[str, int] = {}

    @classmethod
    def of_store(cls, store: Store, ranges: Sequence[range] | None = None) -> Counts:
        """The counts of the rows of ``store`` in ``ranges``."""
        counts = cls(store.header)

        def by(columns: str, condition: str = "1") -> Counter[Any]:
            names = [str(i + 1) for i in range(columns.count(",") + 1)]
            tail = f"AND {condition} GROUP BY {', '.join(names)}"
            rows = store.select(f"{columns}, COUNT(*)", ranges, tail)
            return Counter({row[0] if len(row) == 2 else row[:-1]: row[-1] for row in rows})

        won = f"verdict = '{store.verdicts[WINNABLE]}'"
        numbers = {word: number for number, word in enumerate(store.verdicts)}
        counts.verdicts = Counter({numbers[word]: count for word, count in by("verdict").items()})
        counts.microseconds, counts.expanded = by("microseconds"), by("expanded")
        counts.lengths = by("moves", won)
        counts.shortest = by("moves", f"{won} AND shortest") if counts.header.shortest else Counter()
        bound = "score_bound"
        if counts.header.player:
            bound = f"CASE WHEN reason IS NULL THEN score ELSE {counts.most} END"
        counts.scores = by(f"score, {bound}", "score IS NOT NULL")
        counts.versions = store.versions(ranges)
        return counts

    def add(self, records: Records) -> None:
        """Count new results, made by this version."""
        verdicts, moves = records.column("verdict"), records.column("moves")
        self.verdicts.update(verdicts)
        self.microseconds.update(records.column("microseconds"))
        self.expanded.update(records.column("expanded"))
        is_won = map(WINNABLE.__eq__, verdicts)
        if self.header.shortest:
            won = [*compress(zip(moves, records.column("shortest"), strict=True), is_won)]
            self.lengths.update(length for length, _ in won)
            self.shortest.update(length for length, is_shortest in won if is_shortest)
        else:
            self.lengths.update(compress(moves, is_won))
        scores, bounds = records.column("score"), records.column("score_bound")
        if self.header.player:
            reasons = records.column("reason")
            ends = zip(scores, reasons, strict=True)
            bounds = [self.most if reason else score for score, reason in ends]
        if max(scores, default=-1) >= 0:
            self.scores.update((low, high) for low, high in zip(scores, bounds, strict=True) if low >= 0)
        self.versions[__version__] = self.versions.get(__version__, 0) + len(records)


def summary(
    store: Store, ranges: Sequence[range] | None = None, counts: Counts | None = None
) -> answers.Summary:
    """Statistics of the rows of ``store`` in ``ranges``, or of ``counts`` if given, as the public JSON object
    of ``rate``."""
    counts = counts or Counts.of_store(store, ranges)
    header = store.header
    variant = find_variant(header.variant)
    lost, won, undecided = store.verdicts
    verdicts = {word: counts.verdicts[number] for number, word in enumerate(store.verdicts)}
    deals = sum(verdicts.values())
    cpu = sum(value * count for value, count in counts.microseconds.items())
    rate = estimate(verdicts[won], verdicts[won] + verdicts[undecided], deals)
    answer = {
        "game": header.variant,
        **header.choices,
        **({"player": header.player} if header.player else {}),
        "deals": deals,
        **{verdict: verdicts[verdict] for verdict in (won, lost, undecided)},
        "rate": rate["rate"],
        "low": rate["low"],
        "high": rate["high"],
        **_scores(variant, counts, deals),
        **_cards_up(variant, counts),
        **(_shortest(counts) if header.shortest else {}),
        "length": _figures(counts.lengths),
        "expanded": _figures(counts.expanded),
        "deal_cpu_seconds": _figures(counts.microseconds, scale=1e-6),
        "seconds": round(store.wall_seconds, 3),
        "cpu_seconds": round(cpu / 1e6, 6),
        "deals_per_second": store.deals_per_second,
        "peak_megabytes": store.peak_memory and round(store.peak_memory, 1),
        "limits": vars(header.limits),
        "engine": header.engine,
        "version": header.version,
        "versions": counts.versions,
    }
    return cast("answers.Summary", answer)  # type checkers do not know the rule options


def _figures(counts: Counter[int], scale: float = 1) -> dict[str, int | float] | None:
    """The `distribution` of the values counted, multiplied by ``scale``; None if ``counts`` is empty."""
    if not counts:
        return None
    figures = distribution(sorted(counts.items()))
    return figures if scale == 1 else {name: round(value * scale, 9) for name, value in figures.items()}


def distribution(rows: Sequence[tuple[int, int]]) -> dict[str, int | float]:
    """Mean, median, 90th and 99th percentile and maximum of values, given in ascending order as pairs of a
    value and its count."""
    up_to = [*accumulate(count for _, count in rows)]
    median, p90, p99 = (rows[bisect_left(up_to, ceil(up_to[-1] * part))][0] for part in (0.5, 0.9, 0.99))
    mean = round(sum(value * count for value, count in rows) / up_to[-1], 3)
    return {"mean": mean, "median": median, "p90": p90, "p99": p99, "max": rows[-1][0]}


def _shortest(counts: Counts) -> dict[str, Any]:
    """The number of lines proved shortest and the distribution of their lengths, as JSON."""
    return {"proved_shortest": counts.shortest.total(), "shortest_length": _figures(counts.shortest)}


def _scores(variant: Variant, counts: Counts, deals: int) -> dict[str, Any]:
    """As JSON, the number of deals with each score and, in games with tiers, the rate of each; empty for
    games without scores. A deal counts for its tier and all lesser ones; for the upper end of a rate, a game
    that a limit ended counts for every tier. Without a player the number of proved scores is added."""
    rows = _score_counts(counts)
    if not rows and variant.scoring is None:
        return {}
    found = histogram(counts)
    answer: dict[str, Any] = {}
    if counts.header.player is None:
        answer["exact"] = sum(exact for *_, exact in found)
    if variant.scoring is not None:
        tiers: list[answers.TierRate] = []
        for tier, least in reversed(variant.tiers().items()):
            if least:
                reached = sum(count for score, _, count in rows if score >= least)
                possible = sum(count for _, bound, count in rows if bound >= least)
                tiers.append({"tier": tier, "score": least, **estimate(reached, possible, deals)})
        answer["tiers"] = tiers
    return {**answer, "scores": {str(score): count for score, count, _ in found}}


def histogram(counts: Counts) -> list[tuple[int, int, int]]:
    """Triples of a score, ascending, the number of deals that have it, or at least it where more was not
    refuted, and the number of those whose score is proved."""
    deals: Counter[int] = Counter()
    exact: Counter[int] = Counter()
    for score, bound, count in _score_counts(counts):
        deals[score] += count
        exact[score] += count if score == bound else 0
    return [(score, deals[score], exact[score]) for score in sorted(deals)]


def _score_counts(counts: Counts) -> list[tuple[int, int, int]]:
    """Triples of a score, its bound, and the number of deals that have both."""
    return [(low, high, count) for (low, high), count in sorted(counts.scores.items())]


def _cards_up(variant: Variant, counts: Counts) -> dict[str, Any]:
    """The mean number of cards on the foundations over the deals that have scores, and in Vegas games the
    mean payout, as JSON; empty if no deal has a score."""
    most = counts.most
    rows = _score_counts(counts)
    if not rows:
        return {}
    found = mean_estimate(rows, most)
    answer = {"cards_up": {"deals": sum(count for *_, count in rows), "cards": most} | _rounded(found)}
    if variant.payout:
        a_card, stake = variant.payout
        paid = {name: a_card * value - stake for name, value in found.items()}
        answer["payout"] = {"a_card": a_card, "stake": stake} | _rounded(paid)
    return answer


def _rounded(numbers: dict[str, float]) -> dict[str, Any]:
    return {name: round(value, 6) for name, value in numbers.items()}


def paired(games: Store, optima: Store, ranges: Sequence[range] | None = None) -> answers.Paired:
    """Compare the games of a player with the best scores of the same deals, for the deals in both stores
    whose best score is proved.

    ``tiers`` has for each tier the number of deals in which it is ``possible``, the ``count`` of those in
    which the player reached it, and their quotient with its 95 % interval. ``score`` and ``greatest_score``
    are means. In a game without tiers a win is the only one, with score 1. Raises StoreError if the stores
    are of different variants, rule options or dealers, or if a game exceeds a best score.
    """
    header, other = games.header, optima.header
    alike = replace(header, engine="", limits=other.limits, scored=other.scored)
    if problem := replace(other, engine="").difference(alike):
        raise StoreError(f"{optima.name}: it cannot be combined with {games.name}: {problem}")
    if other.player is not None:
        raise StoreError(f"{optima.name}: expected proved scores, got games of a player")
    best = _greatest_scores(optima, ranges)
    reached = "score" if find_variant(header.variant).scoring else "verdict = 'won'"
    found = games.select(f"seed, {reached}", ranges)
    rows = [(seed, score, best[seed]) for seed, score in found if seed in best]
    for seed, score, most in rows:
        if score > most:
            raise StoreError(f"{games.name}: seed {seed} has {score}, more than the {most} of {optima.name}")
    tiers: list[answers.PairedTier] = []
    for tier, least in reversed((find_variant(header.variant).tiers() or _WIN).items()):
        if least:
            count = sum(score >= least for _, score, _ in rows)
            possible = sum(most >= least for _, _, most in rows)
            tiers.append(
                {"tier": tier, "score": least, "possible": possible, **estimate(count, count, possible)}
            )
    means = [round(sum(row[i] for row in rows) / len(rows), 3) if rows else None for i in (1, 2)]
    return {"deals": len(rows), "tiers": tiers, "score": means[0], "greatest_score": means[1]}


def _greatest_scores(optima: Store, ranges: Sequence[range] | None) -> dict[int, int]:
    """The proved best scores by seed; in a game without tiers 1 for a winnable deal, 0 for an unwinnable
    one."""
    score, known = "score", "exact"
    if not find_variant(optima.header.variant).scoring:
        score, known = "verdict = 'winnable'", "verdict <> 'undecided'"
    return dict(optima.select(f"seed, {score}", ranges, f"AND {known} ORDER BY seed"))
