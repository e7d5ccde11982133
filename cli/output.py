"""Results as text and as JSON."""

from __future__ import annotations

from typing import Any

from ..rules import Variant
from ..rules.solutions import format_solution
from ..rules.text import Deal, format_board
from ..solver import Result, Verdict
from ..solver.verify import format_line


def result_object(variant: Variant, deal: Deal, result: Result) -> dict[str, Any]:
    """The public JSON of one result."""
    moves = None if result.moves is None else format_line(variant, deal.state, result.moves)
    return {
        "variant": variant.name,
        **variant.choices_of(deal.state),
        "seed": deal.seed,
        **({} if deal.pysol is None else {"pysol": deal.pysol}),
        "verdict": result.verdict.value,
        "moves": None if moves is None else len(moves),
        "shortest": result.shortest,
        "lower_bound": result.lower_bound,
        "solution": moves,
        "score": result.score,
        "tier": result.tier,
        "score_bound": result.score_bound,
        "exact": result.exact,
        "expanded": result.expanded,
        "generated": result.generated,
        "seconds": round(result.seconds, 6),
        "reason": result.reason,
        "engine": result.engine,
    }


def result_head(variant: Variant, deal: Deal, result: Result) -> str:
    """One deal and its verdict."""
    head = f"{format_board(variant, deal.state, deal.seed, deal.pysol)}\nVerdict: {verdict_text(result)}\n"
    if result.score is not None:
        head += f"Score: {score_text(result, deal.state.deck.places)}\n"
    return head


def result_body(variant: Variant, deal: Deal, result: Result) -> str:
    """The line of play and the counters, which follow the head."""
    counters = (
        f"Search: {result.expanded:,} states expanded, {result.generated:,} generated, "
        f"{result.seconds:.4f} s, {result.engine} engine"
    )
    if result.moves is None:
        return counters
    moves = format_line(variant, deal.state, result.moves)
    return f"{format_solution(moves, variant.family.LEGEND)}\n{counters}"


def result_line(number: int, variant: Variant, deal: Deal, result: Result) -> str:
    """One result among many: the number of the deal (its seed, if known) and the answer."""
    text = f"{deal.name or f'deal {number}'}: {verdict_text(result)}"
    if result.score is not None:
        text += f", score {score_text(result, deal.state.deck.places)}"
    return text if result.moves is None else f"{text}, {_moves(len(result.moves))}"


def verdict_text(result: Result) -> str:
    """The verdict, with its reason where it is none."""
    if result.verdict is Verdict.UNDECIDED:
        return f"undecided ({result.reason})"
    return str(result.verdict.value)


def score_text(result: Result, places: int) -> str:
    """The score and tier, and whether they are proved to be the greatest."""
    if result.exact:
        return f"{result.score} of {places} ({result.tier})"
    return f"at least {result.score} ({result.tier}), at most {result.score_bound}"


def _moves(count: int) -> str:
    return f"{count} move" if count == 1 else f"{count} moves"
