"""Results as text and as JSON."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import click

from ..rules import Variant
from ..rules.solutions import format_solution
from ..rules.text import Deal, format_board
from ..solver import Result, Verdict
from ..solver.verify import format_line

_CARD = re.compile(r"\b([A2-9TJQK]|10)([CDHS])\b|\bX[BR]\b(=\w)?")
_SIGNS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
_COLOURS = {"C": "green", "D": "blue", "H": "red"}


def say(text: str, end: str = "\n") -> None:
    """Print ``text``; on a terminal cards have colours and suit signs, unless NO_COLOR is set."""
    click.echo((painted(text) if _has_colours() else text) + end, nl=False)


def painted(text: str) -> str:
    """``text`` with its cards in four colours, and with suit signs where they can be shown."""
    return _CARD.sub(_painted_card, text)


def _painted_card(match: re.Match[str]) -> str:
    rank, suit = match[1], match[2]
    if suit is None:
        return click.style(match[0], fg="magenta", bold=True)
    sign = _SIGNS[suit] if _can_show(_SIGNS[suit]) else suit
    return click.style(rank + sign, fg=_COLOURS.get(suit), bold=True)


def _can_show(sign: str) -> bool:
    try:
        sign.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


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
    return text if result.moves is None else f"{text}, {moves_text(len(result.moves))}"


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


def moves_text(count: int) -> str:
    """A number of moves."""
    return f"{count} move" if count == 1 else f"{count} moves"
