"""Positions and results as HTML, for notebooks: the board as on the pages, without a script.

Colours are part of the HTML, so that it looks the same everywhere.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from .layout import picture
from .variants import State, find_variant

SIGNS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
COLOURS = {
    "felt": "#2a6a4b",
    "slot": "#6f9a84",
    "slot-ink": "#f1f8f2",
    "card": "#fffdf7",
    "card-line": "#8d938d",
    "down": "#27507f",
    "S": "#16181c",
    "H": "#c4122f",
    "D": "#0a58ca",
    "C": "#0b6e3b",
    "joker": "#7a3aa6",
}
"""Colours of the board's page with the light theme; see board/static/look.css."""

WIDTH, HEIGHT, GAP, WING = 46, 64, 8, 32  # pixels: size of a card, gaps between columns and between wings
STRIP, STRIP_DOWN = 17, 8  # pixels visible of a covered card, face up and face down
TOP = 16  # pixels of the labels above the piles
_CARD = re.compile(r"\b([A2-9TJQK])([CDHS])\b")


def draw(state: State) -> str:
    """Return ``state`` drawn as an SVG element."""
    variant = find_variant(state.variant)
    shown = picture(variant, state)
    across = max(len(shown["columns"]), len(shown["piles"]))
    split = variant.wing
    parts = [_pile(pile, _left(number, None)) for number, pile in enumerate(shown["piles"])]
    tops = TOP + HEIGHT + TOP + 6 if parts else TOP
    lowest = tops + HEIGHT
    for number, column in enumerate(shown["columns"]):
        markup, end = _column(column.split(), _left(number, split), tops, str(number + 1))
        parts.append(markup)
        lowest = max(lowest, end)
    width, height = _left(across - 1, split) + WIDTH + GAP, lowest + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, DejaVu Sans, sans-serif">'
        f"<title>{escape(variant.name)}</title>"
        f'<rect width="{width}" height="{height}" rx="12" fill="{COLOURS["felt"]}"/>{"".join(parts)}</svg>'
    )


def _left(number: int, split: int | None) -> int:
    """The offset of a column from the left."""
    return GAP + number * (WIDTH + GAP) + (WING - GAP if split and number >= split else 0)


def _pile(pile: Mapping[str, Any], left: int) -> str:
    """Draw a pile of the top row: its label and its top card, or an empty place."""
    name, note = pile["name"], pile["note"]
    label = note if name in SIGNS else note or name
    cards = pile["cards"].split()
    if cards:
        return _label(label, left, TOP - 4) + _card(cards[-1], left, TOP)
    place = (
        f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="none" '
        f'stroke="{COLOURS["slot"]}" stroke-width="1.5" stroke-dasharray="4 3"/>'
    )
    sign = _text(SIGNS.get(name, ""), left + WIDTH / 2, TOP + HEIGHT / 2 + 8, 22, COLOURS["slot"], "middle")
    return _label(label, left, TOP - 4) + place + sign


def _column(cards: Sequence[str], left: int, top: int, label: str) -> tuple[str, int]:
    """Draw a column, deepest card first. Returns the SVG and the vertical position of its lower end."""
    parts, y = [_label(label, left, top - 4)], top
    for card in cards:
        parts.append(_card(card, left, y))
        y += STRIP_DOWN if card.startswith("<") else STRIP
    last = (STRIP_DOWN if cards[-1].startswith("<") else STRIP) if cards else 0
    return "".join(parts), y - last + HEIGHT


def _card(text: str, left: int, top: int) -> str:
    """Draw a card, given as `picture` writes it: ``7H``, ``<7H>`` face down, ``XB=6``."""
    is_down = text.startswith("<")
    fill = COLOURS["down"] if is_down else COLOURS["card"]
    frame = (
        f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{fill}" '
        f'stroke="{COLOURS["card-line"]}"/>'
    )
    if is_down:
        return frame
    name, _, rank = text.partition("=")
    if name.startswith("X"):
        index, pip, colour, size = f"{rank}\u2605", name, COLOURS["joker"], 15
    else:
        sign = SIGNS[name[1]]
        index, pip, colour, size = name[0].replace("T", "10") + sign, sign, COLOURS[name[1]], 26
    return (
        frame
        + _text(index, left + 3, top + 14, 14, colour, "start", bold=True)
        + _text(pip, left + WIDTH - 3, top + HEIGHT - 5, size, colour, "end")
    )


def _label(text: str, left: int, base: int) -> str:
    return _text(text, left + WIDTH / 2, base, 11, COLOURS["slot-ink"], "middle")


def _text(text: str, x: float, y: float, size: int, colour: str, anchor: str, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )


def pretty(text: str) -> str:
    """``text`` as HTML, the names of cards in it with suit signs and colours."""

    def coloured(match: re.Match[str]) -> str:
        rank, suit = match[1].replace("T", "10"), match[2]
        return f'<span style="color: {COLOURS[suit]}; white-space: nowrap">{rank}{SIGNS[suit]}</span>'

    return _CARD.sub(coloured, escape(text))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """An HTML table of texts, with suit signs."""
    lines = ["".join(f"<th>{pretty(cell)}</th>" for cell in head)] if head else []
    lines += ["".join(f"<td>{pretty(cell)}</td>" for cell in row) for row in rows]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def interval(rate: float, low: float, high: float) -> str:
    """A rate and its interval, drawn on a line from 0 to 1 and written beside it."""
    left, right, middle = (round(10 + 200 * share, 2) for share in (low, high, rate))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="220" height="16" role="img">'
        f"<title>{low:.3%} to {high:.3%}</title>"
        '<path d="M10 8H210M10 4v8M210 4v8" stroke="#9aa09a"/>'
        f'<path d="M{left} 8H{right}" stroke="#0a58ca" stroke-width="6"/>'
        f'<circle cx="{middle}" cy="8" r="3" fill="#16181c"/></svg>'
        f" {rate:.3%}, with 95 % between {low:.3%} and {high:.3%}"
    )
