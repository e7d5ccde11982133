"""Deals of PySolFC by their numbers: the package pysol-cards shuffles, and the cards are dealt here.

A number is one to twenty digits, or ``ms`` and one to ten digits for a deal of Microsoft's generator, as
PySolFC shows it. PySolFC ignores all other characters; here only ``#`` before a number, ``L`` after it and
marks between thousands are ignored. Plain numbers below 32000 are Microsoft's too.

Columns have the numbers that PySolFC gives them. Its Chessboard and Fortress columns have 6 6 5 5 5 5 5 5 5 5
cards, which differs from the layout of a seed only in the order of the columns. In Klondike it deals its rows
from right to left, and makes the first draw by itself; here that draw is a move.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ...cards import SUITS, make_card, shown
from ...variants import VARIANTS, Variant

MICROSOFT = 32000  # smaller plain numbers are Microsoft's; pysol-cards also takes this one so
_PYSOL_SUITS = "CSHD"
_THOUSANDS = "[0-9]{1,3}(?:[ _,.][0-9]{3}){1,6}"


class MissingPackage(ValueError):  # noqa: N818 - it is the package that is missing
    """Raised if the package pysol-cards, which shuffles, is not installed."""


def parse_number(text: str) -> str:
    """The canonical form of a PySolFC number, such as ``12345`` or ``ms12345``. Raises ValueError."""
    written = re.fullmatch(rf"\s*#?\s*((?:ms)?)([0-9]{{1,20}}|{_THOUSANDS})L?\s*", text)
    plain = written[1] + re.sub("[^0-9]", "", written[2]) if written else ""
    match = re.fullmatch(r"ms([0-9]{1,10})|([0-9]{1,20})", plain)
    number = match and int(match[1] or match[2])
    if not match or not number or (match[1] and number >= 1 << 33):
        raise ValueError(f"PySolFC deal {shown(text)}: expected 1 to 10^20 - 1, or ms1 to ms8589934591")
    return f"ms{number}" if match[1] else str(number)


def parse_range(text: str) -> tuple[str, range] | None:
    """The prefix and the numbers of a range such as ``1-1000`` or ``ms1-ms100``; None if ``text`` is not a
    range. Raises ValueError for a range that descends or is too long."""
    match = re.fullmatch(r"(ms)?([0-9]{1,20})-(?:\1)?([0-9]{1,20})", text.strip())
    if match is None:
        return None
    prefix = match[1] or ""
    first, last = (int(parse_number(f"{prefix}{end}").removeprefix("ms")) for end in match.group(2, 3))
    if last < first:
        raise ValueError(f"PySolFC deals {shown(text)}: expected numbers from low to high")
    return prefix, range(first, last + 1)


def next_number(number: str) -> str:
    """The number after ``number``, in canonical form. Raises ValueError if it is the last."""
    prefix, digits = ("ms", number[2:]) if number.startswith("ms") else ("", number)
    return parse_number(f"{prefix}{int(digits) + 1}")


def deal(variant: Variant, number: str, choices: Mapping[str, str] | None = None) -> Any:
    """The start position of the deal with this ``number``, under the rule options ``choices``. Raises
    ValueError for a game that PySolFC deals otherwise or not at all, and for an invalid number or option;
    MissingPackage if pysol-cards is not installed."""
    if not variant.pysol:
        games = [name for name, other in VARIANTS.items() if other.pysol]
        alike = f"{variant.name}-triangular"  # PySolFC has this game under our name
        why = f"PySolFC lays it out as {alike}: name that" if alike in games else f"only {', '.join(games)}"
        raise ValueError(f"PySolFC deals: {variant.name} has none, {why}")
    cards = _shuffled(variant.copies, parse_number(number))
    columns: list[list[int]] = [[] for _ in variant.sizes]
    for column in _places(variant):
        columns[column].append(cards.pop())
    stock = tuple(reversed(cards))
    return variant.start(variant.deck(), tuple(map(tuple, columns)), stock, choices)


def column_sizes(variant: Variant) -> tuple[int, ...]:
    """The column sizes of ``variant`` as PySolFC deals it, or our own if it does not."""
    if not variant.pysol or variant.has_stock:
        return variant.sizes
    counts = Counter(_places(variant))
    return tuple(counts[column] for column in range(len(variant.sizes)))


def _shuffled(copies: int, number: str) -> list[int]:
    """The cards of ``copies`` decks, shuffled for ``number``; the last one is dealt first."""
    try:
        from pysol_cards.cards import createCards, ms_rearrange  # type: ignore[import-untyped]
        from pysol_cards.random import LCRandom31, MTRandom  # type: ignore[import-untyped]
    except ImportError:
        raise MissingPackage(
            "PySolFC deals: the package pysol-cards is not installed: pip install 'winnable[pysol]'"
        ) from None
    cards = createCards(copies)
    if number.startswith("ms") or int(number) < MICROSOFT:
        cards = LCRandom31(int(number.removeprefix("ms"))).shuffle(ms_rearrange(cards))
    else:
        cards = MTRandom(int(number)).shuffle(cards)
    return [make_card(card.rank - 1, SUITS.index(_PYSOL_SUITS[card.suit])) for card in cards]


def _places(variant: Variant) -> Iterator[int]:
    """The indices of the columns in the order in which PySolFC deals the cards of ``variant`` to them."""
    if variant.copies == 2:
        rows = [range(length) for length in range(1, 14)] + [range(1, 14)]
    elif variant.has_stock:
        rows = [range(6, first - 1, -1) for first in (*range(1, 7), 0)]
    elif variant.leaves_in_runs:
        rows = [range(length) for length in range(9, 2, -1)] + [range(10)]
    else:
        rows = [range(10)] * 5 + [range(2)]
    return chain.from_iterable(rows)
