"""Klondike for people who watch: moves in words and the places of a position."""

from __future__ import annotations

from .board import pile
from .cards import RANKS, SUITS, format_card
from .klondike_board import State
from .klondike_move import DRAW, FOUNDATION, WASTE, Move, lifted
from .move_text import SUIT_NAMES, cards_text, column_text


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``7S to 5S from column 2 to column 5``."""
    cards = lifted(state, move)
    if move == DRAW:
        turned = " ".join(map(format_card, cards))
        return f"{turned} turned from the {'stock' if state.stock else 'waste turned over'}"
    name = cards_text(cards)
    if move.source == FOUNDATION:
        suit = SUIT_NAMES[SUITS[move.suit or 0]]
        return f"{name} from the foundation of {suit} to {column_text(state, move.target)}"
    source = "the waste" if move.source == WASTE else f"column {move.source + 1}"
    if move.target == FOUNDATION:
        return f"{name} from {source} to its foundation"
    return f"{name} from {source} to {column_text(state, move.target)}"


def effects(before: State, move: Move, after: State) -> list[str]:
    """The card that a legal move turned up, in words."""
    return [
        f"{format_card(before.columns[column][left])} is turned up in column {column + 1}"
        for column, (hidden, left) in enumerate(zip(before.hidden, after.hidden, strict=True))
        if left < hidden
    ]


def piles(state: State) -> list[dict[str, str]]:
    """The stock, with the pass through it where the passes are limited, the waste and the foundations."""
    stock = [f"<{format_card(card)}>" for card in reversed(state.stock)]
    most = state.choices.most_passes
    passes = "" if most is None else f", pass {state.redeals + 1} of {most}"
    found = [
        pile("stock", "stock", stock, f"{len(stock)}{passes}"),
        pile("waste", "waste", map(format_card, state.waste), str(len(state.waste))),
    ]
    for name in state.deck.suits:
        height = state.foundations[SUITS.index(name)]
        found.append(pile("foundation", name, [RANKS[rank] + name for rank in range(height)]))
    return found


def notes(state: State, as_seen: bool) -> list[str]:
    """Nothing: the piles tell all."""
    return []
