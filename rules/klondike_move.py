"""The moves of Klondike and how they are written; the rules are in `klondike`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .board import Step
from .cards import SUITS, format_card, make_card, parse_card, parse_suit, shown, suit_of
from .klondike_board import State, face_up, may_redeal

STOCK, WASTE, FOUNDATION = -1, -2, -3


@dataclass(frozen=True)
class Move(Step):
    """The top ``count`` cards of ``source`` to ``target``; columns count from 0. ``suit`` is the foundation
    from which a card comes back. A draw is one move from the stock to the waste, whatever it turns."""

    count: int = 1
    suit: int | None = None

    def __str__(self) -> str:
        suit = "" if self.suit is None else SUITS[self.suit : self.suit + 1]
        source = _NAMES.get(self.source, str(self.source + 1))
        return self.with_name(f"{source}{suit}-{_NAMES.get(self.target, str(self.target + 1))}")


DRAW = Move(STOCK, WASTE)


def lifted(state: State, move: Move) -> tuple[int, ...]:
    """The cards that ``move`` takes up, deepest first, those of a draw in the order of turning; empty if they
    are not there face up."""
    if move.source == STOCK:
        supply = state.waste if may_redeal(state) else state.stock
        return supply[: state.choices.cards_drawn]
    if move.source == WASTE:
        cards = state.waste[-1:]
    elif move.source == FOUNDATION:
        suit = -1 if move.suit is None else move.suit
        height = state.foundations[suit] if 0 <= suit < len(SUITS) else 0
        cards = (make_card(height - 1, suit),) if height else ()
    elif 0 <= move.source < len(state.columns):
        cards = face_up(state, move.source)
    else:
        return ()
    return cards[-move.count :] if 1 <= move.count <= len(cards) else ()


_PLACES = {"s": STOCK, "w": WASTE, "f": FOUNDATION}
_NAMES = {place: name for name, place in _PLACES.items()}


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 2-5``, ``4D s-w``, ``4D w-f`` or ``4D fD-3``; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """``move``, which must be legal in ``state``, with the deepest card that it moves; a draw with the card
    that comes on top of the waste."""
    cards = lifted(state, move)
    card = cards[-1] if move == DRAW else cards[0]
    return Move(move.source, move.target, move.count, move.suit, card=card)


def parse_move(state: State, text: str) -> Move:
    """The move that ``text`` names in ``state``; whether it is legal is for `apply` to say.

    Raises ValueError if the text is no move or names a card that cannot be taken up where it says.
    """
    number = "[1-9][0-9]?"
    match = re.fullmatch(rf"(\w+) ([sw]|f[CDHS]?|{number})-([wf]|{number})", text)
    if match is None:
        raise ValueError(f"{shown(text)} is no move, such as '7S 2-5', '4D s-w', '4D w-f' or '4D fD-3'")
    card, source, target = parse_card(match[1]), match[2], match[3]
    place = _place(source)
    suit = None if place != FOUNDATION else parse_suit(source[1]) if source[1:] else suit_of(card)
    return Move(place, _place(target), _count(state, place, suit, card), suit, card=card)


def _place(text: str) -> int:
    return _PLACES[text[0]] if text[0] in _PLACES else int(text) - 1


def _count(state: State, source: int, suit: int | None, card: int) -> int:
    """The number of cards taken up from ``source`` if ``card`` is the deepest of them, 1 for a draw."""
    if source >= len(state.columns):
        raise ValueError(f"there is no column {source + 1}")
    if source >= 0:
        cards = face_up(state, source)
        if card not in cards:
            raise ValueError(f"{format_card(card)} does not lie face up in column {source + 1}")
        return len(cards) - cards.index(card)
    cards = lifted(state, Move(source, 0, suit=suit))[-1:]
    place = {STOCK: "draw", WASTE: "waste", FOUNDATION: "foundation"}[source]
    if card not in cards:
        raise ValueError(f"the {place} " + (f"shows {format_card(cards[0])}" if cards else "has no card"))
    return 1
