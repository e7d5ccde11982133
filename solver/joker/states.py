"""Validation of states of joker and klondike-one-pass for the packed representation."""

from itertools import pairwise
from typing import Any

from ...rules.cards import colour_of
from ...rules.joker_board import effective_rank
from ..core.states import check_cards, check_foundations, check_listed
from . import IMPLEMENTS, REPLAYS


def check_state(state: Any) -> None:
    """Raise ValueError, naming the fault, if ``state`` is inconsistent or too large for the packed form."""
    check_listed(state, IMPLEMENTS, REPLAYS)
    jokers = state.jokers if state.deck.jokers else ()
    if len(state.columns) > 7:
        raise ValueError("more than 7 columns")
    if len(state.hidden) != len(state.columns) or len(jokers) != 2 * state.deck.jokers:
        raise ValueError("a number for each column and two jokers are needed")
    check_cards(state.deck, (*state.columns, state.stock, state.waste))
    for column, cards in enumerate(state.columns):
        if not 0 <= state.hidden[column] < max(1, len(cards)):
            raise ValueError(f"column {column + 1}: {state.hidden[column]} of {len(cards)} cards face down")
    check_foundations(state.deck, state.foundations)
    for condition in jokers:
        if condition.rank is not None and not 0 <= condition.rank < state.deck.ranks:
            raise ValueError(f"a joker of rank {condition.rank}: the deck has none such")
        place = condition.place
        if place is not None and not 0 <= place >> 2 < state.foundations[place & 3]:
            raise ValueError(f"a joker in the place of card number {place}, which is not filled")
    for column, cards in enumerate(state.columns):
        face_up = cards[state.hidden[column] :]
        for beneath, card in pairwise(face_up):
            if not _fits(state, card, beneath):
                raise ValueError(f"column {column + 1}: its face-up cards are no run")


def _fits(state: Any, card: int, beneath: int) -> bool:
    """Test whether ``card`` may lie on ``beneath``, both face up, by their colours and effective ranks."""
    if colour_of(beneath) == colour_of(card):
        return False
    return effective_rank(state, beneath) == 1 + (effective_rank(state, card) or 0)
