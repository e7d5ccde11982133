"""Places in the page's notation (columns ``c0 c1 ...``, piles ``p0 p1 ...``), and the moves between them."""

import re
from dataclasses import dataclass
from typing import Any

from ..rules import Variant, find_variant
from ..rules.board import JOKER_PLACE
from ..rules.cards import RANKS, SUITS, colour_of, format_card, is_joker, suit_of, suits_of_colour
from ..rules.move_text import sentence
from ..rules.tables import draws_unknown

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


def _piles(state: Any) -> list[dict[str, str]]:
    """The piles of ``state``, in the order of their numbers."""
    return find_variant(state.variant).family.piles(state)


def _card_of(state: Any, move: Any) -> int:
    """The deepest card that ``move``, legal in ``state``, moves."""
    card = find_variant(state.variant).family.with_card(state, move).card
    assert card is not None
    return card


def _place(state: Any, text: str, card: int) -> str:
    """The place that is ``text`` in the move of ``card``."""
    if text.isdigit():
        return f"c{int(text) - 1}"
    if text in ("s", "w"):
        kind, name = {"s": ("stock", "stock"), "w": ("waste", "waste")}[text]
    elif text == "x" or (text == "f" and is_joker(card)):
        kind, name = JOKER_PLACE, format_card(card)
    else:
        kind, name = "foundation", text[1:] or SUITS[suit_of(card)]
    found = [(pile["kind"], pile["name"]) for pile in _piles(state)]
    return f"p{found.index((kind, name))}"


def _text(state: Any, place: str) -> str:
    """``place`` as moves write it; foundations with their suit."""
    if place[0] == "c":
        return str(int(place[1:]) + 1)
    pile = _piles(state)[int(place[1:])]
    return {"stock": "s", "waste": "w", JOKER_PLACE: "x"}.get(pile["kind"], f"f{pile['name']}")


def source_of(state: Any, move: Any) -> str:
    """The place that ``move``, legal in ``state``, takes cards from."""
    return _place(state, move.places[0], _card_of(state, move))


def target_of(state: Any, move: Any) -> str:
    """The place that ``move``, legal in ``state``, takes cards to; its own for a joker declared in place."""
    return _place(state, move.places[1], _card_of(state, move))


def drop_places(state: Any, move: Any) -> list[str]:
    """The places that take the cards of ``move``, legal in ``state``: its target or, for a joker that goes up
    as an open ace, the empty foundations of its colour."""
    card = _card_of(state, move)
    if move.places[1] == "f" and is_joker(card):
        suits = [SUITS[suit] for suit in suits_of_colour(colour_of(card), state.deck.suits)]
        foundations = [(f"p{number}", pile) for number, pile in enumerate(_piles(state))]
        return [place for place, pile in foundations if pile["name"] in suits and not pile["cards"]]
    return [target_of(state, move)]


def joker_rank(state: Any, move: Any) -> str | None:
    """The rank, as a letter, of the joker that ``move``, legal in ``state``, takes up first, once it is made;
    None if it takes up none, or leaves it without a rank."""
    variant = find_variant(state.variant)
    family: Any = variant.family
    rank: str | None = family.joker_rank(state, move) if variant.jokers else None
    return rank


def landing(state: Any, move: Any, after: Any) -> str | None:
    """The place where the first card moved by ``move`` lies, such as ``c3/5``, the sixth of that column, or
    ``p2``, the top of that pile; None if it has left the table."""
    place = target_of(state, move)
    if place[0] == "p":
        return place
    depth = len(state.columns[int(place[1:])])
    if place == source_of(state, move):
        depth -= 1
    return f"{place}/{depth}" if depth < len(after.columns[int(place[1:])]) else None


def move_object(variant: Variant, state: Any, move: Any, table: Any) -> dict[str, Any]:
    """A move, legal in ``state``, in the page's JSON, without the cards that it turns if some are unknown in
    ``table``, the same position as the person sees it."""
    told = {
        "text": variant.family.format_move(state, move),
        "card": format_card(move.card),
        "source": source_of(state, move),
        "count": getattr(move, "count", 1),
        "target": target_of(state, move),
        "targets": drop_places(state, move),
        "rank": None if getattr(move, "rank", None) is None else RANKS[move.rank],
        "suit": None if getattr(move, "suit", None) is None else SUITS[move.suit],
        "as": joker_rank(state, move),
        "does": "",
    }
    if draws_unknown(table, move):
        return told | {"text": TURN_TEXT, "card": None, "does": _turn_does(variant, state, move)}
    return told | {"does": sentence(variant, state, move)}


def _turn_does(variant: Variant, state: Any, move: Any) -> str:
    """Description of a turn of the stock without naming its cards."""
    assert variant.hiding is not None
    count = len(variant.hiding.lifted(state, move))
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
    if target_of(state, move) == drop.target or drop.target in drop_places(state, move):
        return True
    # A natural that goes up is taken by any foundation.
    return move.places[1] == _text(state, drop.target)[:1] == "f" and not is_joker(_card_of(state, move))


def check_place(state: Any, place: object) -> str:
    """Validate ``place`` for ``state``. Raises ValueError."""
    if not isinstance(place, str) or not re.fullmatch("[cp][0-9]{1,2}", place):
        raise ValueError("expected a place such as c3 or p0")
    if int(place[1:]) >= len(state.columns if place[0] == "c" else _piles(state)):
        raise ValueError(f"no such place: {place}")
    return place


def _why_not(variant: Variant, state: Any, drop: Drop) -> str:
    """The reason, in the words of the rules, why ``drop`` matches no legal move."""
    source, target = _text(state, drop.source), _text(state, drop.target)
    try:
        variant.family.apply(state, variant.family.move_between(state, source, target, drop.count or 1))
    except ValueError as error:
        return str(error)
    return "there is no such move"
