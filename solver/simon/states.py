"""Validation of states of the Simon family for the packed representation."""

from collections import Counter

from ...rules.simon import State
from ..core.states import check_listed
from . import IMPLEMENTS, REPLAYS


def check_state(state: State) -> None:
    """Raise ValueError for a state of another family, or a card that is there more often than in the
    deck."""
    check_listed(state, IMPLEMENTS, REPLAYS)
    left = Counter(state.deck.cards())
    for card in [card for column in state.columns for card in column]:
        if left[card] == 0:
            raise ValueError(f"expected a card of the deck for each copy, got card number {card}")
        left[card] -= 1
