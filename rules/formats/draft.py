"""A board while it is read, in whatever format; the readers fill it, and it makes the state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import CHOICES, State, Variant
from ..board import Board, BoardError, Slot
from ..cards import UNKNOWN, parse_card, shown
from .text import BLANKS, Deal, FormatError, parse_slot

FIELDS = (
    *("foundations", "freecells", "stock", "waste", "talon", "removed", "redeals", "ranks", "suits"),
    *CHOICES,
)
"""What a board may say beside its columns."""

_MOST = 54  # cards of a game that has a stock


@dataclass
class Draft:
    """A board while it is read: its fields as written, each with the line it stands on.

    ``choices`` are the rules it states, ``agreed`` those that hold where it states none. Cards of columns and
    of the stock may be `UNKNOWN`, which no state can be made of.
    """

    line: int
    variant: Variant
    columns: list[tuple[int, list[Slot]]] = field(default_factory=list)
    piles: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    foundations: dict[str, str] | None = None
    foundations_line: int = 0
    ranks: int = 13
    suits: str = "CDHS"
    redeals: int = 0
    choices: dict[str, str] = field(default_factory=dict)
    agreed: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    pysol: str | None = None
    made: int = 0

    def add_column(self, line: int, text: str) -> None:
        """Take in a column. Raises ValueError naming its place and the card."""
        place = f"column {len(self.columns) + 1}"
        self.columns.append((line, [_at(place, parse_slot, token) for token in text.split()]))

    def add_field(self, line: int, name: str, text: str) -> None:
        """Take in any other field. Raises ValueError if it is unknown, doubled or wrong."""
        if name == "foundations":
            if self.foundations is not None:
                raise ValueError("foundations: written twice")
            self.foundations, self.foundations_line = parse_foundations(text), line
        elif name == "freecells":
            if text.strip("- "):
                raise ValueError(f"freecells {shown(text)}: this game has none")
        elif name == "ranks":
            if not re.fullmatch("[0-9]{1,2}", text):
                raise ValueError(f"ranks {shown(text)}: a whole number from 1 to 13 is needed")
            self.ranks = int(text)
        elif name == "suits":
            self.suits = text
        elif name == "redeals":
            if not re.fullmatch("[0-9]{1,2}", text):
                raise ValueError(f"redeals {shown(text)}: a whole number is needed")
            self.redeals = int(text)
        elif name in CHOICES:
            if name in self.choices:
                raise ValueError(f"{name}: written twice")
            if self.agreed.get(name, text) != text:
                raise ValueError(f"{name} {shown(text)}: {self.agreed[name]} is asked for")
            self.choices[name] = text
        else:
            if name == "talon" and "draw" in self.variant.choices:
                why = "other programs call the stock so, or the waste"
                raise ValueError(f"talon: {why}; write Stock, the next card first, and Waste, the top last")
            pile = "waste" if name == "talon" else name
            if pile in self.piles:
                raise ValueError(f"{pile}: written twice")
            self.piles[pile] = line, _parse_stock(text) if pile == "stock" else _parse_pile(pile, text)

    def card_count(self) -> int:
        """The number of cards written, leaving out the foundations."""
        piles = [cards for _, cards in self.piles.values()]
        return sum(len(slots) for _, slots in self.columns) + sum(map(len, piles))

    def unknown(self) -> list[str]:
        """The place of each unknown card."""
        columns = [
            f"column {i}"
            for i, (_, slots) in enumerate(self.columns, 1)
            for slot in slots
            if slot.card == UNKNOWN
        ]
        return columns + ["stock"] * self.piles.get("stock", (0, []))[1].count(UNKNOWN)

    def line_of(self, place: str) -> int:
        """The line on which ``place`` of a BoardError stands; the first line of the board if none does."""
        number = re.fullmatch("column ([0-9]+)", place)
        if number is not None and int(number[1]) <= len(self.columns):
            return self.columns[int(number[1]) - 1][0]
        if place in self.piles:
            return self.piles[place][0]
        return self.foundations_line if place == "foundations" and self.foundations_line else self.line

    def deal(self, name: str) -> Deal:
        """The deal on this board. Raises FormatError if there is none."""
        return Deal(self.state(name), self.seed, self.pysol, self.made)

    def state(self, name: str) -> State:
        """The state on this board. Raises FormatError if there is none."""
        for place in self.unknown():
            card = "card '??'" if place == "stock" else "card '<??>'"
            problem = f"{place}: {card}: to decide a deal every card must be known"
            raise FormatError(name, self.line_of(place), problem)
        try:
            board = Board(
                self.variant.deck(self.ranks, self.suits),
                tuple(tuple(slots) for _, slots in self.columns),
                **{pile: tuple(cards) for pile, (_, cards) in self.piles.items()},
                foundations=self.foundations,
                redeals=self.redeals,
            )
            return self.variant.from_board(board, {**self.agreed, **self.choices})
        except BoardError as error:
            raise FormatError(name, self.line_of(error.place), error) from None
        except ValueError as error:
            raise FormatError(name, self.line, error) from None


def _parse_stock(text: str) -> list[int]:
    """The cards of a stock, or as many unknown ones as the number in ``text`` says. Raises ValueError."""
    if re.fullmatch("[0-9]+", text):
        if len(text) > 3 or int(text) > _MOST:
            raise ValueError(f"stock: {text[:9]} cards, more than there are")
        return [UNKNOWN] * int(text)
    cards = text.split()
    return [UNKNOWN if token in BLANKS else _at("stock", parse_card, token) for token in cards]


def _parse_pile(pile: str, text: str) -> list[int]:
    return [_at(pile, parse_card, token) for token in text.split()]


def _at(place: str, parse: Any, token: str) -> Any:
    try:
        return parse(token)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def parse_foundations(text: str) -> dict[str, str]:
    """What a Foundations line says of each suit and joker. Raises ValueError for what it cannot say."""
    tops: dict[str, str] = {}
    for token in text.split():
        match = re.fullmatch(r"([CDHScdhs])-(\w+(?::\w+)?)|(X[BR])=(\w+)", token)
        if match is None:
            raise ValueError(
                f"foundations: {shown(token)} is no foundation, such as 'C-3', 'C-5:9' or 'XB=A'"
            )
        suit, top, joker, place = match.groups()
        key, value = (joker, place) if suit is None else (suit.upper(), top)
        if key in tops:
            raise ValueError(f"foundations: {key} is written twice")
        tops[key] = value
    return tops
