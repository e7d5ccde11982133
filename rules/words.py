"""What a move does and what follows from it, in words, for people who watch."""

from __future__ import annotations

from collections import Counter
from typing import Any

from . import Move, State, Variant, chessboard, joker, simon
from .cards import JOKERS, RANKS, SUITS, format_card, is_joker, suit_of

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def count_moves(count: int) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} move" if count == 1 else f"{count} moves"


def sentence(variant: Variant, state: State, move: Move) -> str:
    """A legal move in words: ``7S from column 10 to its foundation``. Raises ValueError for a state of
    another game."""
    variant.check(state)
    if isinstance(state, joker.State) and isinstance(move, joker.Move):
        return _joker_sentence(state, move)
    column = state.columns[move.source]
    count = getattr(move, "count", 1)
    cards = format_card(column[-count]) + (f" to {format_card(column[-1])}" if count > 1 else "")
    if move.target == chessboard.FOUNDATION:
        return f"{cards} from column {move.source + 1} to its foundation"
    return f"{cards} from column {move.source + 1} to {_column(state, move.target)}"


def effects(variant: Variant, state: State, move: Move) -> list[str]:
    """What a legal move brings with it beside itself, in words: cards turned up, runs that leave.

    Raises ValueError if the move is illegal, or for a state of another game.
    """
    variant.check(state)
    return _effects(state, move, variant.family.apply(state, move))


def _effects(state: Any, move: Any, after: Any) -> list[str]:
    if isinstance(state, joker.State):
        return _joker_effects(state, move, after)
    if isinstance(state, simon.State):
        gone = Counter(map(suit_of, _cards(state))) - Counter(map(suit_of, _cards(after)))
        return [f"king to ace of {SUIT_NAMES[SUITS[suit]]} leave" for suit in sorted(gone)]
    if state.base is None and after.base is not None:
        return [f"the foundations begin at {RANKS[after.base]}"]
    return []


def _cards(state: Any) -> list[int]:
    return [card for column in state.columns for card in column]


def _column(state: Any, column: int) -> str:
    return f"column {column + 1}" if state.columns[column] else f"empty column {column + 1}"


def _joker_sentence(state: joker.State, move: joker.Move) -> str:
    cards = joker.lifted(state, move)
    name = format_card(cards[0]) + (f" to {format_card(cards[-1])}" if len(cards) > 1 else "")
    source = "the waste" if move.source == joker.WASTE else f"column {move.source + 1}"
    if move == joker.TURN:
        return f"{name} turned from the stock"
    if move.rank is not None:
        return f"{name} in {source} declared as {RANKS[move.rank]}"
    if move.target == joker.OUT:
        return f"{name} from {source} out of play"
    if move.target == joker.FOUNDATION:
        return f"{name} from {source} to {_foundation(state, move, cards[0])}"
    target = _column(state, move.target)
    if joker.effective_rank(state, cards[0]) is None:
        return f"{name} from {source} to {target} as {RANKS[joker.rank_needed(state, move.target) or 0]}"
    return f"{name} from {source} to {target}"


def _foundation(state: joker.State, move: joker.Move, card: int) -> str:
    if not is_joker(card):
        return "its foundation"
    if move.suit is None:
        return "the foundations as an open ace"
    return f"the foundation of {SUIT_NAMES[SUITS[move.suit]]} as {RANKS[state.foundations[move.suit]]}"


def _joker_effects(before: joker.State, move: joker.Move, after: joker.State) -> list[str]:
    texts = []
    for column, (hidden, left) in enumerate(zip(before.hidden, after.hidden, strict=True)):
        if left < hidden:
            texts.append(f"{format_card(before.columns[column][left])} is turned up in column {column + 1}")
    return texts + [
        f"{format_card(natural)} and {format_card(card)} change places"
        for card in JOKERS
        if (natural := _exchanged_with(before, move, after, card)) is not None
    ]


def _exchanged_with(before: joker.State, move: joker.Move, after: joker.State, card: int) -> int | None:
    """The natural that the joker ``card`` changed places with; None if it did not.

    A joker that was declared, or is by this move, is undeclared after it only if it was exchanged; it then
    lies where the natural was, which is the end of a column or of the waste.
    """
    condition = JOKERS.index(card)
    was_declared = before.jokers[condition] != joker.UNDECLARED
    is_declared = move != joker.TURN and card in joker.lifted(before, move)
    if after.jokers[condition] != joker.UNDECLARED or not (was_declared or is_declared):
        return None
    waste = before.waste + before.stock[:1]
    piles = [*zip(after.columns, before.columns, strict=True), (after.waste, waste)]
    return next(old[new.index(card)] for new, old in piles if card in new)
