"""Cards on a terminal: suit signs and colours; everywhere else they stay plain."""

from __future__ import annotations

import os
import re
import sys

import click

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
