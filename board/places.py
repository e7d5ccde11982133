"""Places in the page's notation (columns ``c0 c1 ...``, piles ``p0 p1 ...``), and the moves between them."""

import re
from dataclasses import dataclass
from typing import Any

from ..rules import Variant, chessboard, joker, klondike, simon
from ..rules.cards import JOKERS, RANKS, SUITS, colour_of, format_card, is_joker, suit_of, suits_of_colour
from ..rules.move_text import sentence
from ..rules.views import shows_unseen

_STOCK, _WASTE, _FIRST_FOUNDATION = 0, 1, 2  # of the piles of games with a stock
TURN_TEXT = "?? s-w"


@dataclass(frozen=True)
class Drop:
    """Cards picked up at the place ``source`` and dropped at ``target``: ``count`` of them, 0 for any number.
    ``rank`` and ``suit``, as letters, are those requested for a joker, None for any."""

    source: str
    target: str
    count: int = 0
    rank: str | None = None
    suit: str | None = None


def source_of(state: Any, move: Any) -> str:
    """The place that ``move`` takes cards from."""
    if not isinstance(move, (joker.Move, klondike.Move)) or move.source >= 0:
        return f"c{move.source}"
    if isinstance(move, klondike.Move) and move.source == klondike.FOUNDATION:
        return f"p{_FIRST_FOUNDATION + state.deck.suits.index(SUITS[move.suit or 0])}"
    return f"p{_STOCK if move.source == joker.STOCK else _WASTE}"


def target_of(state: Any, move: Any) -> str:
    """The place that ``move``, legal in ``state``, takes cards to; its own for a joker declared in place."""
    if isinstance(move, joker.Move):
        return _joker_target(state, move)
    if isinstance(move, klondike.Move) and move.target < 0:
        if move.target == klondike.WASTE:
            return f"p{_WASTE}"
        suit = SUITS[suit_of(klondike.lifted(state, move)[0])]
        return f"p{_FIRST_FOUNDATION + state.deck.suits.index(suit)}"
    if isinstance(move, chessboard.Move) and move.target == chessboard.FOUNDATION:
        return f"p{state.deck.suits.index(SUITS[suit_of(state.columns[move.source][-1])])}"
    return f"c{move.target}"


def _joker_target(state: Any, move: joker.Move) -> str:
    if move.target >= 0:
        return f"c{move.target}"
    if move.target == joker.WASTE:
        return f"p{_WASTE}"
    if move.target == joker.IN_PLACE:
        return source_of(state, move)
    card, suits = joker.lifted(state, move)[0], state.deck.suits
    suit = suit_of(card) if not is_joker(card) else move.suit
    if move.target == joker.FOUNDATION and suit is not None:
        return f"p{_FIRST_FOUNDATION + suits.index(SUITS[suit])}"
    return f"p{_FIRST_FOUNDATION + len(suits) + JOKERS.index(card)}"


def landing(state: Any, move: Any, after: Any) -> str | None:
    """The place where the first card moved by ``move`` lies, such as ``c3/5``, the sixth of that column, or
    ``p2``, the top of that pile; None if it has left the table."""
    place = target_of(state, move)
    if place[0] == "p":
        return place
    depth = len(state.columns[int(place[1:])])
    if isinstance(move, joker.Move) and move.target == joker.IN_PLACE:
        depth -= 1
    return f"{place}/{depth}" if depth < len(after.columns[int(place[1:])]) else None


def move_object(variant: Variant, state: Any, move: Any, is_hidden: bool = False) -> dict[str, Any]:
    """A legal move in the page's JSON. With ``is_hidden`` unseen cards of the stock are omitted."""
    told = {
        "text": variant.family.format_move(state, move),
        "card": format_card(move.card),
        "source": source_of(state, move),
        "count": getattr(move, "count", 1),
        "target": target_of(state, move),
        "rank": None if getattr(move, "rank", None) is None else RANKS[move.rank],
        "suit": None if getattr(move, "suit", None) is None else SUITS[move.suit],
        "does": "",
    }
    if is_hidden and shows_unseen(state, move):
        return told | {"text": TURN_TEXT, "card": None, "does": _turn_does(state, move)}
    return told | {"does": sentence(variant, state, move)}


def _turn_does(state: Any, move: Any) -> str:
    """Description of a turn of the stock without naming its cards."""
    count = len(klondike.lifted(state, move)) if isinstance(move, klondike.Move) else 1
    cards = "card of the stock is" if count == 1 else f"{count} cards of the stock are"
    return f"the next {cards} turned"


def fitting(variant: Variant, state: Any, drop: Drop) -> list[Any]:
    """The legal moves that match ``drop``. Raises ValueError with the reason if there is none."""
    moves = [move for move in variant.family.legal_moves(state) if _fits(state, move, drop)]
    if not moves:
        raise ValueError(_why_not(variant, state, drop))
    return moves


def _fits(state: Any, move: Any, drop: Drop) -> bool:
    if source_of(state, move) != drop.source or drop.count not in (0, getattr(move, "count", 1)):
        return False
    if drop.rank is not None and RANKS[getattr(move, "rank", None) or 0] != drop.rank:
        return False
    if drop.suit is not None and (getattr(move, "suit", None) is None or SUITS[move.suit] != drop.suit):
        return False
    if target_of(state, move) == drop.target:
        return True
    return _is_foundation(state, drop.target) and _goes_up(state, move, drop.target)


def _goes_up(state: Any, move: Any, place: str) -> bool:
    """True if ``move`` puts a natural on its foundation, for which any is accepted as target, or a joker at
    ``place`` as an open ace."""
    if isinstance(move, joker.Move):
        if move.target != joker.FOUNDATION or move.suit is not None:
            return False
        card = joker.lifted(state, move)[0]
        return not is_joker(card) or _takes_open_ace(state, card, place)
    if isinstance(move, klondike.Move):
        return move.target == klondike.FOUNDATION
    return isinstance(move, chessboard.Move) and move.target == chessboard.FOUNDATION


def _takes_open_ace(state: joker.State, card: int, place: str) -> bool:
    """True if the foundation at ``place`` is an empty one of the colour of ``card``, a joker."""
    suit = _suit_at(state, place)
    return not state.foundations[suit] and suit in suits_of_colour(colour_of(card), state.deck.suits)


def _suit_at(state: Any, place: str) -> int:
    return SUITS.index(state.deck.suits[int(place[1:]) - _FIRST_FOUNDATION])


def _is_foundation(state: Any, place: str) -> bool:
    if place[0] != "p" or isinstance(state, simon.State):
        return False
    first = _FIRST_FOUNDATION if isinstance(state, (joker.State, klondike.State)) else 0
    return first <= int(place[1:]) < first + len(state.deck.suits)


def check_place(state: Any, place: object) -> str:
    """Validate ``place`` for ``state``. Raises ValueError."""
    if not isinstance(place, str) or not re.fullmatch("[cp][0-9]{1,2}", place):
        raise ValueError("expected a place such as c3 or p0")
    suits = len(state.deck.suits)
    piles = suits
    if isinstance(state, (joker.State, klondike.State)):
        piles = _FIRST_FOUNDATION + suits + (len(JOKERS) if state.deck.jokers else 0)
    if int(place[1:]) >= (len(state.columns) if place[0] == "c" else piles):
        raise ValueError(f"no such place: {place}")
    return place


def _why_not(variant: Variant, state: Any, drop: Drop) -> str:
    """The reason, in the words of the rules, why ``drop`` matches no legal move."""
    source, target = drop.source, drop.target
    if isinstance(state, klondike.State):
        move: Any = _klondike_move(state, drop)
    elif source[0] == "p" and not (isinstance(state, joker.State) and int(source[1:]) <= _WASTE):
        gone = isinstance(state, simon.State)
        move = "these cards have left" if gone else "nothing comes back from there"
    elif isinstance(state, joker.State):
        move = _joker_move(state, drop)
    elif isinstance(state, simon.State):
        if target[0] == "p":
            return "only a run from king to ace leaves, and it does so by itself"
        move = simon.Move(int(source[1:]), int(target[1:]), drop.count or 1)
    else:
        if drop.count > 1:
            return "one card moves at a time"
        goal = chessboard.FOUNDATION if target[0] == "p" else int(target[1:])
        move = chessboard.Move(int(source[1:]), goal)
    if isinstance(move, str):
        return move
    try:
        variant.family.apply(state, move)
    except ValueError as error:
        return str(error)
    return "there is no such move"


def _klondike_move(state: klondike.State, drop: Drop) -> klondike.Move | str:
    """The move of Klondike that ``drop`` stands for, or the reason why there is none of that kind."""
    source, suit = int(drop.source[1:]), None
    if drop.source[0] == "p":
        source = (klondike.STOCK, klondike.WASTE)[source] if source <= _WASTE else klondike.FOUNDATION
        if source == klondike.FOUNDATION:
            suit = _suit_at(state, drop.source)
    if drop.target == f"p{_STOCK}":
        return "nothing goes back to the stock"
    target = int(drop.target[1:])
    if drop.target[0] == "p":
        target = klondike.WASTE if target == _WASTE else klondike.FOUNDATION
    return klondike.Move(source, target, drop.count or 1, suit)


def _joker_move(state: Any, drop: Drop) -> joker.Move | str:
    """The move that ``drop`` stands for, or the reason why there is none of that kind."""
    sources = {f"p{_STOCK}": joker.STOCK, f"p{_WASTE}": joker.WASTE}
    source = sources[drop.source] if drop.source in sources else int(drop.source[1:])
    count = drop.count or 1
    if drop.target == f"p{_STOCK}":
        return "nothing goes back to the stock"
    if drop.target == f"p{_WASTE}":
        return joker.Move(source, joker.WASTE, count)
    if drop.target[0] == "c":
        return joker.Move(source, int(drop.target[1:]), count)
    cards = joker.lifted(state, joker.Move(source, joker.FOUNDATION, count))
    if not cards or source == joker.STOCK:
        return joker.Move(source, joker.FOUNDATION, count)
    if _is_foundation(state, drop.target):
        if not is_joker(cards[0]) or _takes_open_ace(state, cards[0], drop.target):
            return joker.Move(source, joker.FOUNDATION, count)
        return joker.Move(source, joker.FOUNDATION, count, suit=_suit_at(state, drop.target))
    if not is_joker(cards[0]):
        return "only a joker goes there"
    return joker.Move(source, joker.OUT, count)
