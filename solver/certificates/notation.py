"""Positions in the notation of certificates, with columns in the order that the moves of a line use."""

from typing import Any

from ...rules import find_variant
from ...rules.cards import RANKS, format_card


def dealt_text(state: Any) -> str:
    """Format ``state``; ``-`` is an empty column."""
    if hasattr(state, "base"):
        base = "-" if state.base is None else RANKS[state.base]
        return " ".join([base, *(_names(column) or "-" for column in state.columns)])
    if not hasattr(state, "stock"):
        return " ".join(_names(column) or "-" for column in state.columns)
    words = ["".join(["-" if not height else RANKS[height - 1] for height in state.foundations])]
    if state.deck.jokers:
        words += [letter + _condition(joker) for letter, joker in zip("br", state.jokers, strict=True)]
    if "passes" in find_variant(state.variant).choices and state.choices.most_passes is not None:
        words.append(f"r{state.redeals}")
    words += ["w" + _names(state.waste), "s" + _names(state.stock)]
    for column, hidden in zip(state.columns, state.hidden, strict=True):
        below = _names(column[:hidden]) + "/" if hidden else ""
        words.append(below + _names(column[hidden:]) or "-")
    return " ".join(words)


def _names(cards: tuple[int, ...]) -> str:
    return "".join(map(format_card, cards))


def _condition(joker: Any) -> str:
    """Format a joker: its rank in a column, the card whose place it holds, or its condition."""
    if joker.rank is not None:
        return "=" + RANKS[joker.rank]
    if joker.place is not None:
        return format_card(joker.place)
    return "A" if joker.is_open_ace else "x" if joker.is_out else "-"
