"""Validation of states of Chessboard and Fortress for the packed representation."""

from ...rules import chessboard
from ..core.states import check_cards, check_foundations, check_listed
from . import IMPLEMENTS, REPLAYS


def check_state(state: chessboard.State) -> None:
    """Raise ValueError, naming the fault, unless ``state`` is a position of Chessboard or Fortress."""
    check_listed(state, IMPLEMENTS, REPLAYS)
    if len(state.columns) > 10:
        raise ValueError(f"expected at most 10 columns, got {len(state.columns)}")
    check_cards(state.deck, state.columns)
    check_foundations(state.deck, state.foundations)
    if state.base is not None and not 0 <= state.base < state.deck.ranks:
        raise ValueError(f"base rank {state.base}: not in the deck")
    if state.variant == "fortress" and state.base != 0:
        raise ValueError("base rank: expected the ace in fortress")
    if state.base is None and any(state.foundations):
        raise ValueError("base rank: expected one where cards are up, got none")
