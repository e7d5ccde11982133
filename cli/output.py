"""Results as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from .. import __version__
from ..rules import Variant, find_variant
from ..rules.cards import RANKS
from ..rules.formats.solutions import format_solution
from ..rules.formats.text import Deal, format_deal
from ..solver import Result, Verdict
from ..solver.verify import format_line
from .terminal import columns, fit, fit_comment

Bases = Sequence[tuple[int, Result]]
"""Base ranks with their results."""


def keys_of(result: Result, *names: str) -> dict[str, Any]:
    """The public JSON of some attributes of ``result``, which are called the same there."""
    return {name: getattr(result, name) for name in names}


def result_head(variant: Variant, deal: Deal, result: Result) -> str:
    """The deal and its verdict."""
    lines = [f"Verdict: {verdict_text(result, variant.goal(deal.state.deck))}"]
    if result.score is not None:
        lines.append(f"Score: {score_text(result, deal.state.deck.places)}")
    return "\n".join([format_deal(deal), *map(fit, lines), ""])


def result_body(variant: Variant, deal: Deal, result: Result) -> str:
    """The line of play and the counters, below the head."""
    counters = (
        f"Search: {_count(result.expanded, 'state')} expanded, {result.generated:,} generated, "
        f"{_count(result.work, 'unit')} of work, {result.engine} engine"
    )
    counters = fit_comment(counters)
    if result.moves is None:
        return counters
    moves = format_line(variant, deal.state, result.moves, annotated=True)
    solution = format_solution(moves, variant.legend, columns())
    return f"Length: {moves_text(result)}\n{solution}\n{counters}" if moves else f"{solution}\n{counters}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + "s" * (number != 1)


def result_line(number: int, variant: Variant, deal: Deal, result: Result, tell_game: bool = False) -> str:
    """One result of several: number of the deal, game if asked, seed if known, and verdict."""
    names = [f"deal {number}", variant.name if tell_game else "", deal.name]
    goal = variant.goal(deal.state.deck)
    text = f"{', '.join(filter(None, names))}: {verdict_text(result, goal)}"
    if result.score is not None:
        text += f", score {score_text(result, deal.state.deck.places)}"
    return text if result.moves is None else f"{text}, {moves_text(result)}"


def bases_object(bases: Bases) -> list[dict[str, Any]]:
    """The public JSON of the results of each base rank."""
    return [
        {
            "base": RANKS[rank],
            "verdict": result.verdict.value,
            "length": None if result.moves is None else len(result.moves),
            **keys_of(result, "shortest", "lower_bound", "reason"),
        }
        for rank, result in bases
    ]


def bases_table(bases: Bases) -> str:
    """The verdict of each base rank, a line each."""
    lines = [f"  {RANKS[rank]}  {_base_text(result)}" for rank, result in bases]
    return "\n".join(["Base ranks:", *lines])


def bases_line(bases: Bases) -> str:
    """The base ranks that win, in short."""
    won = [f"{RANKS[rank]} {len(result.moves)}" for rank, result in bases if result.moves is not None]
    return f"base ranks {', '.join(won)}" if won else "no base rank"


def _base_text(result: Result) -> str:
    text = verdict_text(result)
    return text if result.moves is None else f"{text}, {moves_text(result)}"


def verdict_text(result: Result, goal: str = "") -> str:
    """The verdict, with the goal if it is given and the reason if it is undecided."""
    verdict = str(result.verdict.value)
    if result.verdict is Verdict.WINNABLE and result.moves == ():
        verdict = "already won"
    reason = (result.reason or "") if result.verdict is Verdict.UNDECIDED else ""
    notes = "; ".join(filter(None, (goal, reason)))
    return f"{verdict} ({notes})" if notes else verdict


def score_text(result: Result, places: int) -> str:
    """The score and tier, with their proved bounds."""
    tier = "" if result.tier is None else f" ({result.tier})"
    if result.exact:
        return f"{result.score} of {places}{tier}"
    return f"at least {result.score}{tier}, at most {result.score_bound}"


def moves_text(result: Result) -> str:
    """The length of the line and its proved bounds."""
    count = len(result.moves or ())
    text = f"{count} move" if count == 1 else f"{count} moves"
    if result.shortest:
        return f"{text}, none shorter"
    if result.lower_bound is not None:
        return f"{text} found, at least {result.lower_bound} needed"
    return f"{text} found"


def rate_text(answer: dict[str, Any], columns: int | None = None) -> str:
    """The summary of many deals, with bars that fit into ``columns``."""
    deals = answer["deals"]
    rows = [("Deals", f"{deals:,}" if "player" in answer else f"{deals:,}, all cards known")]
    goal = find_variant(answer["game"]).goal()
    if "player" in answer:
        rows.insert(0, ("Player", answer["player"]))
    for verdict in ("winnable", "unwinnable", "undecided", "won", "lost", "unfinished"):
        if verdict not in answer or (verdict == "unfinished" and not answer[verdict]):
            continue
        count = answer[verdict]
        estimate = answer if verdict in ("winnable", "won") else None
        title = verdict.capitalize() if estimate is None else f"{verdict.capitalize()}, {goal}"
        rows.append((title, _estimate_text(f"{count:,}", estimate)))
    for tier in answer.get("tiers", ())[1:]:  # the first one is the win
        title = f"{tier['tier'].capitalize()}, {tier['score']} cards"
        rows.append((title, _estimate_text(f"{tier['count']:,}", tier)))
    if "cards_up" in answer:
        rows += _cards_rows(answer["cards_up"], answer.get("payout"), deals)
    if "exact" in answer:
        rows.append(("Proved scores", f"{answer['exact']:,}"))
    rows += _paired_rows(answer["paired"], "scores" in answer) if "paired" in answer else []
    rows += [
        (title, _distribution_text(answer[name], scale, unit))
        for title, name, scale, unit in (
            ("Moves" if "player" in answer else "First lines", "length", 1, ""),
            ("Shortest", "shortest_length", 1, ""),
            ("Samples" if "player" in answer else "States", "expanded", 1, ""),
            ("CPU time", "deal_cpu_seconds", 0.001, " ms"),
        )
        if answer.get(name) and answer[name]["max"]
    ]
    if "proved_shortest" in answer:
        rows.append(("Proved", f"{answer['proved_shortest']:,} of {answer['winnable']:,} lines are shortest"))
    if "certificates" in answer:
        rows.append(
            ("Certificates", ", ".join(f"{n:,} {what}" for what, n in answer["certificates"].items()))
        )
    versions = answer.get("versions", {})
    if set(versions) - {__version__}:
        rows.append(("Versions", ", ".join(f"{count:,} deals by {name}" for name, count in versions.items())))
    if answer["seconds"]:
        workers = f", {answer['workers']} workers" if "workers" in answer else ""
        engine = "" if "player" in answer else f", {answer['engine']} engine"
        memory = "" if answer.get("peak_megabytes") is None else f", {answer['peak_megabytes']:,.0f} MB"
        rows.append(
            (
                "Speed",
                f"{answer['deals_per_second']:,.0f} deals/s{workers}{engine}; "
                f"{answer['seconds']:,.1f} s, {answer['cpu_seconds']:,.1f} s of CPU time{memory}",
            )
        )
    width = max(len(title) for title, _ in rows) + 2
    lines = [f"{title:<{width}}{text}" for title, text in rows]
    if answer.get("scores"):
        lines += ["", *_histogram_lines(answer["scores"], "score", "deals", columns or 80)]
    return "\n".join([f"# {answer['game']}", *lines])


def _cards_rows(cards: dict[str, Any], payout: dict[str, Any] | None, deals: int) -> list[tuple[str, str]]:
    """The mean number of cards on the foundations, and what a game pays."""
    about = "" if cards["deals"] == deals else f"; {cards['deals']:,} deals, the scores of others are unknown"
    rows = [("Cards up", f"{_mean_text(cards)}, of {cards['cards']}{about}")]
    if payout is not None:
        rule = f"{payout['a_card']} a card, {payout['stake']} to play"
        rows.append(("Payout", f"{_mean_text(payout)}; {rule}"))
    return rows


def _mean_text(found: dict[str, Any]) -> str:
    least = "at least " if found["mean_bound"] > found["mean"] else ""
    return f"mean {least}{found['mean']:.2f} (95 %: {found['low']:.2f} to {found['high']:.2f})"


def _paired_rows(paired: dict[str, Any], is_scored: bool) -> list[tuple[str, str]]:
    """The share of reachable results that a player reached."""
    rows = [(f"Of {'deals with proved scores' if is_scored else 'decided deals'}", f"{paired['deals']:,}")]
    for tier in paired["tiers"]:
        if tier["possible"]:
            text = _estimate_text(f"{tier['count']:,} of {tier['possible']:,} possible", tier)
            rows.append((f"  {tier['tier']}", text))
    if paired["deals"] and is_scored:
        rows.append(("  mean score", f"{paired['score']:.2f} of {paired['greatest_score']:.2f} possible"))
    return rows


def _estimate_text(count: str, estimate: dict[str, Any] | None) -> str:
    """``count`` with its rate and interval, if there are any."""
    if estimate is None or estimate["rate"] is None:
        return count
    return f"{count}, {estimate['rate']:.3%} (95 %: {estimate['low']:.3%} to {estimate['high']:.3%})"


def _distribution_text(distribution: dict[str, Any], scale: float, unit: str) -> str:
    digits = 0 if scale == 1 else 3
    return ", ".join(
        f"{name} {distribution[key] / scale:,.{digits}f}{unit}"
        for name, key in (("median", "median"), ("90 %", "p90"), ("99 %", "p99"), ("most", "max"))
    )


def _histogram_lines(counts: dict[str, int], name: str, unit: str, columns: int) -> list[str]:
    """A line a value, with a bar."""
    most = max(counts.values())
    longest = min(40, columns - 17)
    lines = [f"{name:>5} {unit:>9}"]
    for value, count in counts.items():
        lines.append(f"{value:>5} {count:>9,} {'#' * round(longest * count / most)}".rstrip())
    return lines
