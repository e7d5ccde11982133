"""Moves of Joker and Klondike in one pass: their notation, and in words; the rules are in `joker`."""

import re
from dataclasses import dataclass

from .board import SUIT_NAMES, Step, cards_text, column_text
from .cards import JOKERS, RANKS, SUITS, format_card, is_joker, parse_card, parse_rank, parse_suit, shown
from .hidden_cards import (
    FOUNDATION,
    OUT,
    STOCK,
    WASTE,
    count_from,
    parse_place,
    place_name,
    source_text,
    taken_up,
    turned_up_text,
)
from .joker_board import UNDECLARED, State, effective_rank

IN_PLACE = -5


@dataclass(frozen=True)
class Move(Step):
    """The top ``count`` cards of ``source`` to ``target``; columns count from 0. ``suit`` is the foundation
    of a joker that goes up as a definite card; ``rank`` is declared ``IN_PLACE``."""

    count: int = 1
    suit: int | None = None
    rank: int | None = None

    def __str__(self) -> str:
        source = place_name(self.source)
        if self.rank is not None:
            return self.with_name(f"{source}={RANKS[self.rank : self.rank + 1]}")
        suit = "" if self.suit is None else SUITS[self.suit : self.suit + 1]
        return self.with_name(f"{source}-{place_name(self.target)}{suit}")


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
    return taken_up(state, move.source, move.count)


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 2-5``, ``4D s-w``, ``XB 3-fS`` or ``XB 3=7``; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """``move``, which must be legal in ``state``, with the deepest card that it moves."""
    card = lifted(state, move)[0]
    return Move(move.source, move.target, move.count, move.suit, move.rank, card=card)


def parse_move(state: State, text: str) -> Move:
    """The move that ``text`` names in ``state``, legal or not. Raises ValueError if the text is no move, or
    names a card that cannot be taken up where it says."""
    number = "[1-9][0-9]?"
    match = re.fullmatch(rf"(\w+) ([sw]|{number})(?:-([wx]|f([CDHS]?)|{number})|=(\w+))", text)
    if match is None:
        raise ValueError(f"{shown(text)} is no move, such as '7S 2-5', '4D s-w', 'XB 3-fS' or 'XB 3=7'")
    name, place, target, suit, rank = match.groups()
    card, source = parse_card(name), parse_place(place)
    return Move(
        source,
        IN_PLACE if target is None else parse_place(target),
        count_from(state, source, card, lifted(state, Move(source, 0))),
        suit=parse_suit(suit) if suit else None,
        rank=None if rank is None else parse_rank(rank),
        card=card,
    )


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``XB from the waste to column 3 as 7``."""
    cards = lifted(state, move)
    name = cards_text(cards)
    source = source_text(move.source)
    if move == TURN:
        return f"{name} turned from the stock"
    if move.rank is not None:
        return f"{name} in {source} declared as {RANKS[move.rank]}"
    if move.target == OUT:
        return f"{name} from {source} out of play"
    if move.target == FOUNDATION:
        return f"{name} from {source} to {_foundation(state, move, cards[0])}"
    target = column_text(state, move.target)
    if effective_rank(state, cards[0]) is None:
        return f"{name} from {source} to {target} as {RANKS[rank_needed(state, move.target) or 0]}"
    return f"{name} from {source} to {target}"


def _foundation(state: State, move: Move, card: int) -> str:
    if not is_joker(card):
        return "its foundation"
    if move.suit is None:
        return "the foundations as an open ace"
    return f"the foundation of {SUIT_NAMES[SUITS[move.suit]]} as {RANKS[state.foundations[move.suit]]}"


def effects(before: State, move: Move, after: State) -> list[str]:
    """The cards that a legal move turned up, and those that changed places with a joker, in words."""
    return turned_up_text(before, after) + [
        f"{format_card(natural)} and {format_card(card)} change places"
        for card in JOKERS
        if (natural := _exchanged_with(before, move, after, card)) is not None
    ]


def annotation(before: State, move: Move, after: State) -> str:
    """The effects of a legal move in short, in brackets: ``(=6)`` the rank that a joker took, ``(7D)`` a card
    turned up in a column, ``(7D for XR)`` an exchange; empty if it has none."""
    notes = []
    cards = lifted(before, move)
    if move.source != STOCK and move.target >= 0 and effective_rank(before, cards[0]) is None:
        notes.append(f"={RANKS[rank_needed(before, move.target) or 0]}")
    exchanged = {
        natural: card
        for card in JOKERS
        if (natural := _exchanged_with(before, move, after, card)) is not None
    }
    turned = [
        before.columns[column][left]
        for column, left in enumerate(after.hidden)
        if left < before.hidden[column]
    ]
    notes += [format_card(card) for card in turned if card not in exchanged]
    notes += [f"{format_card(natural)} for {format_card(card)}" for natural, card in exchanged.items()]
    return f"({', '.join(notes)})" if notes else ""


def _exchanged_with(before: State, move: Move, after: State, card: int) -> int | None:
    """The natural that the joker ``card`` changed places with; None if it did not. A joker that was declared,
    or is by this move, is undeclared after it only if it was exchanged; it then lies where the natural was,
    which is the end of a column or of the waste."""
    condition = JOKERS.index(card)
    was_declared = before.jokers[condition] != UNDECLARED
    is_declared = move != TURN and card in lifted(before, move)
    if after.jokers[condition] != UNDECLARED or not (was_declared or is_declared):
        return None
    waste = before.waste + before.stock[:1]
    piles = [*zip(after.columns, before.columns, strict=True), (after.waste, waste)]
    return next(old[new.index(card)] for new, old in piles if card in new)
