"""Validation of states, common to all games."""

from collections.abc import Iterable, Sequence

from ...rules.cards import Deck
from ...rules.choices import Implemented
from ...rules.variants import check_implemented


def check_listed(state: object, implemented: Implemented, replayed: Implemented) -> None:
    """Raise ValueError unless the searches of a family, which have ``implemented``, and its oracle, which has
    ``replayed``, know the game and the rule options of ``state``."""
    check_implemented(state, implemented)
    if replayed != implemented:
        check_implemented(state, replayed)


def check_cards(deck: Deck, piles: Iterable[Iterable[int]]) -> None:
    """Raise ValueError for a card in ``piles`` that is not in ``deck``, which has each card once, or that is
    there twice."""
    left = set(deck.cards())
    for card in [card for cards in piles for card in cards]:
        if card not in left:
            raise ValueError(f"expected each card of the deck once at most, got card number {card}")
        left.remove(card)


def check_foundations(deck: Deck, heights: Sequence[int]) -> None:
    """Raise ValueError unless ``heights`` are four numbers from 0 to ``deck.ranks``."""
    if len(heights) != 4 or not all(0 <= height <= deck.ranks for height in heights):
        raise ValueError(f"expected four heights of foundations up to {deck.ranks}, got {heights}")
