"""The moves of Joker and Klondike in one pass and how they are written; the rules are in `joker`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .board import Step
from .cards import RANKS, SUITS, format_card, parse_card, parse_rank, parse_suit, shown
from .joker_board import State, effective_rank, face_up

STOCK, WASTE, FOUNDATION, OUT, IN_PLACE = -1, -2, -3, -4, -5


@dataclass(frozen=True)
class Move(Step):
    """The top ``count`` cards of ``source`` to ``target``; columns count from 0.

    ``suit`` is the foundation of a joker that goes up as a definite card; ``rank`` is declared ``IN_PLACE``.
    """

    count: int = 1
    suit: int | None = None
    rank: int | None = None

    def __str__(self) -> str:
        source = _NAMES.get(self.source, str(self.source + 1))
        if self.rank is not None:
            return self.with_name(f"{source}={RANKS[self.rank : self.rank + 1]}")
        suit = "" if self.suit is None else SUITS[self.suit : self.suit + 1]
        return self.with_name(f"{source}-{_NAMES.get(self.target, str(self.target + 1))}{suit}")


TURN = Move(STOCK, WASTE)


def rank_needed(state: State, target: int) -> int | None:
    """The rank that goes on column ``target``: a king if it is empty (in a short deck its highest rank),
    None if nothing does."""
    if not state.columns[target]:
        return state.deck.ranks - 1
    rank = effective_rank(state, state.columns[target][-1])
    return rank - 1 if rank else None


def lifted(state: State, move: Move) -> tuple[int, ...]:
    """The cards that ``move`` takes up, deepest first; empty if they are not there face up."""
    if move.source == STOCK:
        return state.stock[:1]
    if move.source == WASTE:
        cards = state.waste[-1:]
    elif 0 <= move.source < len(state.columns):
        cards = face_up(state, move.source)
    else:
        return ()
    return cards[-move.count :] if 1 <= move.count <= len(cards) else ()


_PLACES = {"s": STOCK, "w": WASTE, "f": FOUNDATION, "x": OUT}
_NAMES = {place: name for name, place in _PLACES.items()}


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 2-5``, ``4D s-w``, ``XB 3-fS`` or ``XB 3=7``; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """``move``, which must be legal in ``state``, with the deepest card that it moves."""
    card = lifted(state, move)[0]
    return Move(move.source, move.target, move.count, move.suit, move.rank, card=card)


def parse_move(state: State, text: str) -> Move:
    """The move that ``text`` names in ``state``; whether it is legal is for `apply` to say.

    Raises ValueError if the text is no move or names a card that cannot be taken up where it says.
    """
    number = "[1-9][0-9]?"
    match = re.fullmatch(rf"(\w+) ([sw]|{number})(?:-([wx]|f([CDHS]?)|{number})|=(\w+))", text)
    if match is None:
        raise ValueError(f"{shown(text)} is no move, such as '7S 2-5', '4D s-w', 'XB 3-fS' or 'XB 3=7'")
    card, source, target, suit, rank = match.groups()
    return Move(
        _place(source),
        IN_PLACE if target is None else _place(target),
        _count(state, _place(source), parse_card(card)),
        suit=parse_suit(suit) if suit else None,
        rank=None if rank is None else parse_rank(rank),
        card=parse_card(card),
    )


def _place(text: str) -> int:
    return _PLACES[text[0]] if text[0] in _PLACES else int(text) - 1


def _count(state: State, source: int, card: int) -> int:
    """The number of cards taken up from ``source`` if ``card`` is the deepest of them."""
    if source in (STOCK, WASTE):
        cards, place = (state.stock[:1], "stock") if source == STOCK else (state.waste[-1:], "waste")
        if card not in cards:
            raise ValueError(f"the {place} " + (f"shows {format_card(cards[0])}" if cards else "is empty"))
        return 1
    if source >= len(state.columns):
        raise ValueError(f"there is no column {source + 1}")
    cards = face_up(state, source)
    if card not in cards:
        raise ValueError(f"{format_card(card)} does not lie face up in column {source + 1}")
    return len(cards) - cards.index(card)
