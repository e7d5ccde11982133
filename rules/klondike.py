"""Klondike, and Klondike at Vegas rules.

Deck
    One deck of 52 cards.

Layout
    Seven columns of 1 2 3 4 5 6 7 cards, only the top card of each face up. The other 24 cards are the stock.
    The waste and the four foundations are empty.

Foundations
    Built up in suit from the ace to the king. The top card of a foundation may come back to a column.

Columns
    A card goes on a card of the other colour that is one rank higher; only a king goes to an empty column.
    All or any upper part of the face-up cards of a column may move together.
    When a column has no face-up card left, its next card is turned up at once.

Stock
    A draw turns the next cards of the stock onto the waste one over the other, three at a time or one, or as
    many as are left. Only the top of the waste may be played. When the stock is empty, the waste is turned
    over, in its order, to be the stock again, and a draw follows. The passes through the stock, the first one
    among them, are unlimited; at Vegas rules there are three where three cards are drawn, and one where one
    is. A redeal that would only bring the same cards back as they lie is no move.

Choices
    Players may agree how many cards a draw turns (draw), on the passes through the stock (passes), and that
    nothing comes back from the foundations (worrying back: no).

Moves
    4D s-w    a draw, after which the 4 of diamonds is the top of the waste, turned over first if need be
    4D w-3    the top of the waste to column 3
    7S 2-5    the face-up cards of column 2 from the 7 of spades upwards to column 5
    4D w-f    the top of the waste to its foundation; 4D 2-f: the top of column 2
    4D fD-3   the top of the foundation of diamonds to column 3
    Each of these is one move and none is compulsory. Cards turned up in columns cost nothing, and no more
    does turning over the waste.

End
    The game is won when all cards are on the foundations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .cards import SUITS, colour_of, format_card, rank_of, suit_of
from .klondike_board import (
    Choices,
    State,
    choices_of,
    face_up,
    foundation_top,
    foundations_of,
    from_board,
    marked_board,
    may_redeal,
    start,
    to_board,
)
from .klondike_move import (
    DRAW,
    FOUNDATION,
    STOCK,
    WASTE,
    Move,
    format_move,
    lifted,
    parse_move,
    with_card,
)
from .klondike_text import effects, notes, piles, sentence
from .klondike_view import board_of_view, cards_up, shows_unseen, state_of, turned_place, view_of

# The contract, and what the tests and the solver take from here.
__all__ = ["DRAW", "FOUNDATION", "LEGEND", "STOCK", "WASTE", "Choices", "Move", "State"]
__all__ += ["apply", "canonical", "choices_of", "effects", "format_move", "foundation_top", "foundations_of"]
__all__ += ["from_board", "is_won", "legal_moves", "lifted", "marked_board", "notes", "parse_move", "piles"]
__all__ += ["refusal", "sentence", "start", "to_board", "with_card"]
__all__ += ["board_of_view", "cards_up", "shows_unseen", "state_of", "turned_place", "view_of"]

LEGEND = "s stock, w waste, f foundation; 4D s-w: a draw, 4D on top; 7S 2-5: 7S and the cards on it"


def refusal(state: State, move: Move) -> str | None:
    """The reason why ``move`` is illegal in ``state``; None if it is legal."""
    if move.source == STOCK or move.target == WASTE:
        return (
            _refusal_of_draw(state) if move == DRAW else "cards of the stock go to the waste, and no others"
        )
    cards = lifted(state, move)
    if not cards:
        return "so many face-up cards are not there"
    if (move.source == FOUNDATION) != (move.suit is not None):
        return "a suit is named for a card that comes back from a foundation, and for no other"
    if move.source == FOUNDATION and not state.choices.has_worrying_back:
        return "nothing comes back from the foundations"
    if move.target == FOUNDATION:
        return _refusal_up(state, move, cards)
    return _refusal_onto(state, move, cards)


def _refusal_of_draw(state: State) -> str | None:
    """A draw needs a stock, or a waste that may be turned over and would not come again as it lies."""
    if state.stock or may_redeal(state):
        return None
    if not state.waste:
        return "the stock and the waste are empty"
    if state.redeals + 1 == state.choices.most_passes:
        return "the stock is empty, and there are no more passes"
    return "the stock is empty, and the waste would come again as it lies"


def _refusal_up(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    if len(cards) > 1 or move.source == FOUNDATION:
        return "one card at a time goes from a column or the waste to the foundations"
    if rank_of(cards[0]) == state.foundations[suit_of(cards[0])]:
        return None
    return f"{format_card(cards[0])} is not next on its foundation"


def _refusal_onto(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    """A run goes on the other colour and the next rank, a king to an empty column."""
    if not 0 <= move.target < len(state.columns):
        return f"there is no column {move.target + 1}"
    name, target = format_card(cards[0]), state.columns[move.target]
    if move.target == move.source:
        return f"{name} lies on column {move.target + 1} already"
    if not target:
        is_king = rank_of(cards[0]) == state.deck.ranks - 1
        return None if is_king else f"{name} does not go to an empty column"
    if colour_of(target[-1]) != colour_of(cards[0]) and rank_of(target[-1]) == rank_of(cards[0]) + 1:
        return None
    return f"{name} does not go on {format_card(target[-1])}"


def legal_moves(state: State) -> list[Move]:
    """All legal moves: up, from column to column and from the waste, back from foundations, the draw."""
    return [with_card(state, move) for move in _candidates(state) if refusal(state, move) is None]


def _candidates(state: State) -> Iterator[Move]:
    """Every move that could be legal, among others."""
    columns = range(len(state.columns))
    sources = [*(column for column in columns if state.columns[column]), WASTE]
    yield from (Move(source, FOUNDATION) for source in sources)
    for source in sources:
        most = 1 if source == WASTE else len(face_up(state, source))
        yield from (Move(source, target, count) for count in range(most, 0, -1) for target in columns)
    yield from (Move(FOUNDATION, target, suit=suit) for suit in range(len(SUITS)) for target in columns)
    yield DRAW


def apply(state: State, move: Move) -> State:
    """The state after ``move`` and the card that it turns up. Raises ValueError if it is illegal."""
    problem = refusal(state, move)
    if problem is not None:
        raise ValueError(problem)
    if move == DRAW:
        return _after_draw(state)
    cards = lifted(state, move)
    left = _without(state, move)
    if move.target == FOUNDATION:
        return _turned_up(_with_height(left, suit_of(cards[0]), 1))
    columns = list(left.columns)
    columns[move.target] += cards
    return _turned_up(replace(left, columns=tuple(columns)))


def _after_draw(state: State) -> State:
    if not state.stock:
        redeals = state.redeals if state.choices.most_passes is None else state.redeals + 1
        state = replace(state, stock=state.waste, waste=(), redeals=redeals, was_turned_over=True)
    count = state.choices.cards_drawn
    return replace(state, stock=state.stock[count:], waste=state.waste + state.stock[:count])


def _without(state: State, move: Move) -> State:
    if move.source == FOUNDATION:
        assert move.suit is not None
        return _with_height(state, move.suit, -1)
    if move.source == WASTE:
        return replace(state, waste=state.waste[:-1])
    columns = list(state.columns)
    columns[move.source] = columns[move.source][: -move.count]
    return replace(state, columns=tuple(columns))


def _with_height(state: State, suit: int, more: int) -> State:
    heights = list(state.foundations)
    heights[suit] += more
    return replace(state, foundations=tuple(heights))


def _turned_up(state: State) -> State:
    """``state`` with every column that has no face-up card left turning one up."""
    hidden = tuple(
        min(count, max(0, len(column) - 1)) for column, count in zip(state.columns, state.hidden, strict=True)
    )
    return replace(state, hidden=hidden)


def is_won(state: State) -> bool:
    """Return whether all cards are on the foundations."""
    return sum(state.foundations) == state.deck.places


def canonical(state: State) -> tuple[object, ...]:
    """Equal for two states of one game exactly when they differ at most in the order of the columns."""
    columns = tuple(sorted(zip(state.columns, state.hidden, strict=True)))
    return (columns, state.stock, state.waste, state.foundations, state.redeals, state.choices)
