"""Columns of the Simon family, as certificates that a deal is unwinnable write them."""

from __future__ import annotations

from typing import Any

from ..rules.cards import Deck, format_card, rank_of, suit_of
from ..rules.simon import State
from .reading import Header

Stem = tuple[int, ...]


def tail_length(stem: Stem) -> int:
    """The number of cards at the top of a stem that go down rank by rank, of any suits."""
    length = 1
    while length < len(stem) and rank_of(stem[-length - 1]) == rank_of(stem[-length]) + 1:
        length += 1
    return length


def run_length(stem: Stem) -> int:
    """The number of cards at the top of a stem that go down rank by rank in one suit."""
    tail, length = tail_length(stem), 1
    while length < tail and suit_of(stem[-length - 1]) == suit_of(stem[-1]):
        length += 1
    return length


class DealtColumns:
    """What the checks of a deal, by whatever lists of columns, have in common."""

    is_unwinnable = True
    needs_line = False

    def __init__(self, header: Header, deck: Deck) -> None:
        self.header = header
        self.deck = deck
        self.cards = {format_card(card): card for card in deck.cards()}

    def columns_of(self, text: str) -> list[Stem]:
        """The columns, or lower parts of columns, of ``text``. Raises ValueError for what are none."""
        columns = [self.column_of(word) for word in text.split(" ")]
        if len(columns) > self.header.columns:
            raise ValueError(f"{len(columns)} columns")
        return columns

    def column_of(self, text: str) -> Stem:
        """One of them."""
        if not text:
            raise ValueError("a stem without cards")
        try:
            return tuple([self.cards[text[at : at + 2]] for at in range(0, len(text), 2)])
        except KeyError as error:
            raise ValueError(f"card {error}: the deck has none such") from None

    def position(self) -> State:
        """The position of the header: its columns as they were dealt."""
        words = (self.header.dealt or "").split(" ")
        columns = [self.column_of(word) if word != "-" else () for word in words]
        columns += [()] * (self.header.columns - len(columns))
        return State(self.header.game, self.deck, tuple(columns))

    def holds_line(self, state: Any) -> bool:
        """Nothing is claimed that has a line."""
        return False
