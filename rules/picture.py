"""What a position looks like on a table: every card in a place, for programs that draw it."""

from __future__ import annotations

from typing import Any

from . import Variant, joker, joker_board, simon
from .cards import JOKERS, RANKS, SUITS, format_card, make_card
from .text import format_slot


def picture(variant: Variant, state: Any, as_seen: bool = False) -> dict[str, Any]:
    """``state`` as plain data.

    ``columns`` is a list of strings such as ``<7H> XB=6 5D``, deepest card first, ``<7H>`` face down.
    ``piles`` lists the other places, each with its ``kind`` (stock, waste, foundation, runs or joker), a
    ``name``, its ``cards`` as a string with the topmost last, and a ``note``. ``jokers`` says in words where
    the jokers are and what they stand for; ``as_seen``, not where they lie face down. ``score`` is that of
    the game, None where it has none. Raises ValueError for a state of another game.
    """
    variant.check(state)
    is_joker_family = isinstance(state, joker.State)
    board = joker_board.marked_board(state) if is_joker_family else variant.family.to_board(state)
    piles = _joker_piles if is_joker_family else _runs if variant.is_of(simon) else _foundations
    return {
        "columns": [" ".join(map(format_slot, column)) for column in board.columns],
        "piles": piles(state),
        "jokers": [_joker_text(state, card, as_seen) for card in JOKERS] if state.deck.jokers else [],
        "score": variant.scoring.score(state) if variant.scoring else None,
    }


def _pile(kind: str, name: str, cards: list[str], note: str = "") -> dict[str, str]:
    return {"kind": kind, "name": name, "cards": " ".join(cards), "note": note}


def _foundations(state: Any) -> list[dict[str, str]]:
    base = state.base or 0
    note = "" if state.base is None else f"from {RANKS[base]}"
    piles: list[dict[str, str]] = []
    for name in state.deck.suits:
        ranks = [(base + i) % state.deck.ranks for i in range(state.foundations[SUITS.index(name)])]
        piles.append(_pile("foundation", name, [_name(rank, name) for rank in ranks], "" if piles else note))
    return piles


def _runs(state: Any) -> list[dict[str, str]]:
    """The runs that left, by suit."""
    held = [card for column in state.columns for card in column]
    piles = []
    for name in state.deck.suits:
        king = make_card(state.deck.ranks - 1, SUITS.index(name))
        gone = state.deck.copies - held.count(king)
        run = [_name(rank, name) for rank in reversed(range(state.deck.ranks))]
        piles.append(_pile("runs", name, run * gone, f"{gone}/{state.deck.copies}"))
    return piles


def _name(rank: int, suit: str) -> str:
    return RANKS[rank] + suit


def _joker_piles(state: joker.State) -> list[dict[str, str]]:
    stock = [f"<{format_card(card)}>" for card in reversed(state.stock)]
    piles = [
        _pile("stock", "stock", stock, str(len(stock))),
        _pile("waste", "waste", list(map(format_card, state.waste)), str(len(state.waste))),
    ]
    for name in state.deck.suits:
        cards = [_name(rank, name) for rank in range(state.foundations[SUITS.index(name)])]
        for card, condition in zip(JOKERS, state.jokers, strict=True):
            if condition.place is not None and format_card(condition.place) in cards:
                at = cards.index(format_card(condition.place))
                cards[at] = f"{format_card(card)}={cards[at][0]}"
        piles.append(_pile("foundation", name, cards))
    for card, condition in zip(JOKERS, state.jokers, strict=True):
        if state.deck.jokers:
            note = "ace" if condition.is_open_ace else "out" if condition.is_out else ""
            piles.append(_pile("joker", format_card(card), [format_card(card)] if note else [], note))
    return piles


def _joker_text(state: joker.State, card: int, as_seen: bool) -> str:
    condition = state.jokers[JOKERS.index(card)]
    standing = " or ".join(map(format_card, joker_board.stands_for(state, JOKERS.index(card))))
    if condition.is_out:
        text = "out of play"
    elif condition.place is not None:
        text = f"on the foundations as {format_card(condition.place)}"
    elif condition.is_open_ace:
        text = f"open ace, {standing}" if standing else "open ace"
    elif condition.rank is not None:
        text = f"declared as {RANKS[condition.rank]}" + (f", {standing}" if standing else "")
    else:
        text = _undeclared_text(state, card, as_seen)
    return f"{format_card(card)}: {text}"


def _undeclared_text(state: joker.State, card: int, as_seen: bool) -> str:
    if card in state.waste:
        return "undeclared in the waste"
    shown = [joker_board.face_up(state, column) for column in range(len(state.columns))]
    column = next((i for i, cards in enumerate(shown, 1) if card in cards), None)
    if column is not None:
        return f"undeclared in column {column}"
    if as_seen:
        return "not seen yet"
    if card in state.stock:
        return f"in the stock, {state.stock.index(card) + 1} to turn"
    return f"face down in column {next(i for i, cards in enumerate(state.columns, 1) if card in cards)}"
