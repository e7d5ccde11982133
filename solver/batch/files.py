"""Deals of a file as pieces of a batch: fresh deals as packed cards, which kernels deal as fast as seeds."""

from __future__ import annotations

from typing import Any

from ...rules import Variant
from ...rules.deals import shuffled
from ...rules.formats.cleaning import decode
from ...rules.formats.fresh import FreshDeals, fresh_cards, read_fresh
from ...rules.formats.text import USUAL, Deal, Way
from .. import diagnostics
from .chunk import CardDeals, Piece


class FileDeals:
    """The deals of a file, numbered from 1, as ``pieces``, and their ``variant``.

    ``data`` are the bytes of the file ``name``; ``way`` is as in `read_deals`. 100,000 fresh deals take five
    megabytes; positions in mid-game are kept as states, those with several unknown cards as tables. Raises
    FormatError if the file cannot be read, or if a deal is not that of the seed it names; ValueError for
    deals of different games.
    """

    def __init__(
        self,
        variant: Variant | None,
        data: bytes,
        name: str,
        choices: dict[str, str] | None = None,
        way: Way = USUAL,
    ) -> None:
        self.pieces: list[Piece] = []
        self._cards: list[bytes] = []  # cards of the present row of consecutive fresh deals
        self._choices: dict[str, str] = {}
        self._first = self._next = 1
        for found in read_fresh(variant, decode(data, name), name, choices or {}, way):
            self.variant = self._agreed(variant or found.variant, found.variant)
            variant = self.variant
            if isinstance(found, FreshDeals):
                _check_seeds(found)
                self._add_cards(found.cards, dict(found.choices), len(found.seeds))
            else:
                self._add(found)
        self._end_row()

    def _agreed(self, first: Variant, game: Variant) -> Variant:
        if game.name != first.name:
            games = f"expected deals of {first.name}, the game of the first"
            raise ValueError(f"deal {self._next}: {games}, got {game.name}")
        return first

    def _add(self, deal: Deal) -> None:
        """Add a deal or a position in mid-game."""
        cards = fresh_cards(deal.variant, deal.state)
        if cards is not None:
            self._add_cards(cards, deal.variant.choices_of(deal.state), 1)
            return
        self._end_row()
        if not self.pieces or not isinstance(self.pieces[-1], list):
            self.pieces.append([])
        positions: Any = self.pieces[-1]
        positions.append((self._next, deal.state))
        self._next += 1

    def _add_cards(self, cards: bytes, choices: dict[str, str], deals: int) -> None:
        """Add ``deals`` fresh deals to the present row; begin another row if their choices differ."""
        if choices != self._choices:
            self._end_row()
        if not self._cards:
            self._first, self._choices = self._next, choices
        self._cards.append(cards)
        self._next += deals

    def _end_row(self) -> None:
        """End the present row of fresh deals, and add it to the pieces."""
        if self._cards:
            cards, self._cards = b"".join(self._cards), []
            self.pieces.append(CardDeals(self.variant.name, self._choices, self._first, cards))


def _check_seeds(found: FreshDeals) -> None:
    """Raise FormatError if a deal of ``found`` is not that of its seed."""
    deck = found.variant.deck()
    compiled = diagnostics.load("core.border", "first_not_of_seed")
    if compiled is not None:
        wrong = compiled(deck.cards(), found.seeds, found.cards)
    else:
        size = len(deck.cards())
        decks = (found.cards[at : at + size] for at in range(0, len(found.cards), size))
        dealt = enumerate(zip(found.seeds, decks, strict=True))
        wrong = next(
            (i for i, (seed, cards) in dealt if seed is not None and bytes(shuffled(deck, seed)) != cards), -1
        )
    if wrong >= 0:
        raise found.refused(wrong)
