"""Joker and Klondike in one pass for people who watch: moves in words, places and jokers of a position."""

from __future__ import annotations

from .board import pile
from .cards import JOKERS, RANKS, SUITS, format_card, is_joker
from .joker_board import UNDECLARED, State, effective_rank, face_up, stands_for
from .joker_move import FOUNDATION, OUT, TURN, WASTE, Move, lifted, rank_needed
from .move_text import SUIT_NAMES, cards_text, column_text


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``XB from the waste to column 3 as 7``."""
    cards = lifted(state, move)
    name = cards_text(cards)
    source = "the waste" if move.source == WASTE else f"column {move.source + 1}"
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
    texts = []
    for column, (hidden, left) in enumerate(zip(before.hidden, after.hidden, strict=True)):
        if left < hidden:
            texts.append(f"{format_card(before.columns[column][left])} is turned up in column {column + 1}")
    return texts + [
        f"{format_card(natural)} and {format_card(card)} change places"
        for card in JOKERS
        if (natural := _exchanged_with(before, move, after, card)) is not None
    ]


def _exchanged_with(before: State, move: Move, after: State, card: int) -> int | None:
    """The natural that the joker ``card`` changed places with; None if it did not.

    A joker that was declared, or is by this move, is undeclared after it only if it was exchanged; it then
    lies where the natural was, which is the end of a column or of the waste.
    """
    condition = JOKERS.index(card)
    was_declared = before.jokers[condition] != UNDECLARED
    is_declared = move != TURN and card in lifted(before, move)
    if after.jokers[condition] != UNDECLARED or not (was_declared or is_declared):
        return None
    waste = before.waste + before.stock[:1]
    piles = [*zip(after.columns, before.columns, strict=True), (after.waste, waste)]
    return next(old[new.index(card)] for new, old in piles if card in new)


def piles(state: State) -> list[dict[str, str]]:
    """The stock, the waste and the foundations; in Joker the places of jokers that lie in none of them."""
    stock = [f"<{format_card(card)}>" for card in reversed(state.stock)]
    found = [
        pile("stock", "stock", stock, str(len(stock))),
        pile("waste", "waste", map(format_card, state.waste), str(len(state.waste))),
    ]
    for name in state.deck.suits:
        cards = [RANKS[rank] + name for rank in range(state.foundations[SUITS.index(name)])]
        for card, condition in zip(JOKERS, state.jokers, strict=True):
            if condition.place is not None and format_card(condition.place) in cards:
                at = cards.index(format_card(condition.place))
                cards[at] = f"{format_card(card)}={cards[at][0]}"
        found.append(pile("foundation", name, cards))
    for card, condition in zip(JOKERS, state.jokers, strict=True):
        if state.deck.jokers:
            note = "ace" if condition.is_open_ace else "out" if condition.is_out else ""
            found.append(pile("joker", format_card(card), [format_card(card)] if note else [], note))
    return found


def notes(state: State, as_seen: bool) -> list[str]:
    """Where the jokers are and what they stand for; ``as_seen``, not where they lie face down."""
    return [_joker_text(state, card, as_seen) for card in JOKERS] if state.deck.jokers else []


def _joker_text(state: State, card: int, as_seen: bool) -> str:
    condition = state.jokers[JOKERS.index(card)]
    standing = " or ".join(map(format_card, stands_for(state, JOKERS.index(card))))
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


def _undeclared_text(state: State, card: int, as_seen: bool) -> str:
    if card in state.waste:
        return "undeclared in the waste"
    shown = [face_up(state, column) for column in range(len(state.columns))]
    column = next((i for i, cards in enumerate(shown, 1) if card in cards), None)
    if column is not None:
        return f"undeclared in column {column}"
    if as_seen:
        return "not seen yet"
    if card in state.stock:
        return f"in the stock, {state.stock.index(card) + 1} to turn"
    return f"face down in column {next(i for i, cards in enumerate(state.columns, 1) if card in cards)}"
